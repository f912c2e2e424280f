//! What a bad cable, supply or clock does to a twin: events still arrive once and in order, or the loss is known.

use device_protocols::link::{Continuity, HostEvent, LinkState, Loss};
use device_protocols::shoe::{Shoe, ShoeEvent};
use device_protocols::shuffler::Shuffler;
use table_simulator::shoe::ShoeTwin;
use table_simulator::shuffler::ShufflerTwin;

use crate::world::World;

type ShoeWorld = World<Shoe, ShoeTwin>;

fn loaded(seed: u64) -> ShoeWorld {
    let mut world = ShoeWorld::up(|now| ShoeTwin::new(seed, now));
    world.obey("load 6 200");
    world
}

fn draws(world: &ShoeWorld) -> Vec<u16> {
    let mut draws = Vec::new();
    for event in &world.told {
        if let HostEvent::Device { event: ShoeEvent::CardDrawn { card, .. }, .. } = event {
            draws.push(card.draw().0);
        }
    }
    draws
}

fn losses(world: &ShoeWorld) -> Vec<Loss> {
    let mut losses = Vec::new();
    for event in &world.told {
        if let HostEvent::LinkLost(loss) = event {
            losses.push(*loss);
        }
    }
    losses
}

#[test]
fn on_a_bad_line_every_draw_arrives_once_and_in_order() {
    for words in ["drop 150", "duplicate 300", "garble 150", "delay 300 200"] {
        for seed in 1..=10 {
            let mut world = loaded(seed);
            world.obey(words);
            for _ in 0..60 {
                world.obey("draw");
                world.run(1_500);
            }
            world.obey("drop 0");
            world.obey("duplicate 0");
            world.obey("garble 0");
            world.obey("delay 0 0");
            world.run(10_000);
            assert_eq!(draws(&world), (1..=60).collect::<Vec<_>>(), "{words}, seed {seed}");
        }
    }
}

#[test]
fn all_weathers_at_once_lose_nothing_while_the_device_lives() {
    for seed in 1..=10 {
        let mut world = loaded(seed);
        for words in ["drop 80", "duplicate 80", "garble 80", "delay 100 400"] {
            world.obey(words);
        }
        for _ in 0..60 {
            world.obey("draw");
            world.run(2_000);
        }
        world.run(30_000);
        let mut arrived = draws(&world);
        arrived.dedup();
        assert_eq!(arrived, (1..=60).collect::<Vec<_>>(), "seed {seed}");
    }
}

#[test]
fn a_restart_in_mid_message_is_known_and_what_was_lost_is_not_invented() {
    let mut world = loaded(1);
    world.obey("draw");
    world.obey("cut");
    world.obey("draw");
    world.run(8_000);
    assert_eq!(draws(&world), [1], "the second draw went with the supply");
    let back =
        world.told.iter().any(|event| matches!(event, HostEvent::LinkBack { continuity: Continuity::Restarted, .. }));
    assert!(back, "{:?}", world.told);
    assert!(world.take_events().last().unwrap().contains("drawn: DrawNumber(2)"), "STATE tells the count");
}

#[test]
fn silence_babble_and_a_dead_supply_are_told_apart() {
    for (words, loss, cure) in [
        ("silent", Loss::Silence, "silent off"),
        ("babble", Loss::Garbage, "babble off"),
        ("power off", Loss::Silence, "power on"),
    ] {
        let mut world = loaded(1);
        if words == "babble" {
            // Noise alone, as from another baud rate: nothing of the device itself gets through.
            world.obey("garble 1000");
        }
        world.obey(words);
        world.run(4_000);
        assert_eq!(losses(&world), [loss], "{words}");
        world.obey(cure);
        world.obey("garble 0");
        world.run(6_000);
        assert_eq!(world.host.state(), LinkState::Up, "{words}");
    }
}

#[test]
fn babbling_between_good_frames_does_not_hide_them() {
    let mut world = loaded(1);
    world.obey("babble");
    for _ in 0..20 {
        world.obey("draw");
        world.run(1_000);
    }
    assert_eq!(draws(&world), (1..=20).collect::<Vec<_>>());
}

#[test]
fn a_device_whose_clock_runs_wrong_keeps_its_link() {
    for rate in ["clock 900", "clock 1100"] {
        let mut world = World::<Shuffler, _>::up(|now| ShufflerTwin::new(1, now));
        world.obey(rate);
        world.run(60_000);
        let lost = world.told.iter().any(|event| matches!(event, HostEvent::LinkLost(_)));
        assert!(!lost, "{rate}");
    }
    // Half speed: a heartbeat every two seconds is late but no loss.
    let mut world = World::<Shuffler, _>::up(|now| ShufflerTwin::new(1, now));
    world.obey("clock 500");
    world.run(60_000);
    assert!(world.told.iter().any(|event| matches!(event, HostEvent::LinkDegraded(_))));
    assert!(!world.told.iter().any(|event| matches!(event, HostEvent::LinkLost(_))));
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let bytes = |seed| {
        let mut world = loaded(seed);
        for words in ["drop 100", "duplicate 100", "garble 100", "delay 200 300"] {
            world.obey(words);
        }
        for _ in 0..30 {
            world.obey("draw");
            world.run(700);
        }
        world.obey("cut");
        world.obey("draw");
        world.run(5_000);
        world.emitted
    };
    assert_eq!(bytes(5), bytes(5));
    assert_ne!(bytes(5), bytes(6));
}
