//! Every twin says the same to a paired controller as in the clear; and the line between them says nothing to others.

use device_protocols::frame::FrameDecoder;
use device_protocols::link::{HostEvent, LinkState, Millis};
use device_protocols::message::DeviceProtocol;
use device_protocols::protection::PairKeys;
use device_protocols::reader::{HoleCardReader, ReaderCommand, UpCardGroup};
use device_protocols::shoe::{Shoe, ShoeCommand};
use device_protocols::shuffler::{BatchColour, ExpectedCount, Shuffler, ShufflerCommand};
use table_simulator::reader::ReaderTwin;
use table_simulator::shoe::ShoeTwin;
use table_simulator::shuffler::ShufflerTwin;
use table_simulator::twin::{Firmware, Simulated, Twin};

use crate::world::World;

fn paired<F: Firmware>(mut twin: Simulated<F>, now: Millis, keys: PairKeys) -> Simulated<F> {
    twin.act_on_link(now, |link, now| link.pair(Some(keys), now));
    twin
}

/// The same deeds in both versions: what the controller is told, and the bytes that the device sent.
fn both<P: DeviceProtocol, T: Twin>(
    mut open: World<P, T>,
    mut sealed: World<P, T>,
    deeds: impl Fn(&mut World<P, T>),
) -> (Vec<String>, Vec<u8>) {
    deeds(&mut open);
    sealed.emitted.clear();
    deeds(&mut sealed);
    let told = open.take_events();
    assert_eq!(told, sealed.take_events());
    (told, sealed.emitted)
}

#[test]
fn the_reader_says_the_same_under_a_seal() {
    type Reader = World<HoleCardReader, ReaderTwin>;
    let open = Reader::up(|now| ReaderTwin::new(1, now));
    let sealed = Reader::paired(|now, keys| paired(ReaderTwin::new(1, now), now, keys));
    let (told, _) = both(open, sealed, |world| {
        world.command(&ReaderCommand::Arm { group: UpCardGroup::Ace });
        world.obey("insert Kh");
        world.run(1_000);
        world.obey("remove");
        world.run(100);
    });
    assert!(told.iter().any(|event| event.contains("answer: Yes")), "{told:?}");
}

#[test]
fn the_shuffler_says_the_same_under_a_seal() {
    type Machine = World<Shuffler, ShufflerTwin>;
    let open = Machine::up(|now| ShufflerTwin::new(1, now));
    let sealed = Machine::paired(|now, keys| paired(ShufflerTwin::new(1, now), now, keys));
    let (told, _) = both(open, sealed, |world| {
        world.obey("cycle 5000");
        world.obey("load 312 red");
        let expected = ExpectedCount::new(312).unwrap();
        world.command(&ShufflerCommand::Shuffle { colour: BatchColour::Red, expected });
        world.run(6_000);
    });
    assert!(told.iter().any(|event| event.starts_with("BatchReady")), "{told:?}");
}

#[test]
fn the_shoe_says_the_same_under_a_seal_and_its_line_has_no_card_on_it() {
    type ShoeWorld = World<Shoe, ShoeTwin>;
    let drawn = |cards: &str| {
        let open = ShoeWorld::up(|now| ShoeTwin::new(1, now));
        let sealed = ShoeWorld::paired(|now, keys| paired(ShoeTwin::new(1, now), now, keys));
        both(open, sealed, |world| {
            world.obey(&format!("load {cards}"));
            world.obey("draw");
            world.command(&ShoeCommand::Lock);
            world.obey("draw");
            world.run(2_000);
        })
    };
    let (told, line) = drawn("Ah Kd");
    assert!(told.iter().any(|event| event.starts_with("CardDrawn")), "{told:?}");
    let (_, other) = drawn("2c 3s");
    assert_eq!(line.len(), other.len(), "the length tells no card");
    assert_eq!(FrameDecoder::default().handle_bytes(&line).flatten().count(), 0, "a frame in the clear");
}

#[test]
fn a_paired_twin_comes_back_from_every_trouble_of_its_line() {
    type ShoeWorld = World<Shoe, ShoeTwin>;
    let mut world = ShoeWorld::paired(|now, keys| paired(ShoeTwin::new(7, now), now, keys));
    world.obey("load 2h 3h 4h 5h 6h 7h 8h 9h");
    for trouble in ["garble 150", "drop 150", "duplicate 200", "delay 300 80", "reboot", "cut", "power off"] {
        world.obey(trouble);
        world.obey(if trouble == "power off" { "state" } else { "draw" });
        world.run(20_000);
        for mended in ["garble 0", "drop 0", "duplicate 0", "delay 0 0", "power on"] {
            world.obey(mended);
        }
        world.run(5_000);
        assert_eq!(world.host.state(), LinkState::Up, "{trouble}");
        let missing = world.told.iter().find(|event| matches!(event, HostEvent::EventsMissing { .. }));
        assert!(missing.is_none(), "{trouble}: {missing:?}");
    }
}
