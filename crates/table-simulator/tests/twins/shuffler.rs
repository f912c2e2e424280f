//! The shuffler: whole cycles, cycles that stop, counts that lie.

use device_protocols::shuffler::{BatchColour, ExpectedCount, Shuffler, ShufflerCommand};
use table_simulator::shuffler::ShufflerTwin;

use crate::world::World;

type ShufflerWorld = World<Shuffler, ShufflerTwin>;

fn loaded(cards: u16) -> ShufflerWorld {
    let mut world = ShufflerWorld::up(|now| ShufflerTwin::new(1, now));
    world.obey("cycle 5000");
    world.obey(&format!("load {cards} red"));
    world
}

fn shuffle(world: &mut ShufflerWorld) {
    let expected = ExpectedCount::new(312).unwrap();
    world.command(&ShufflerCommand::Shuffle { colour: BatchColour::Red, expected });
}

fn told(world: &mut ShufflerWorld) -> Vec<String> {
    world.take_events().into_iter().filter(|event| !event.starts_with("Progressed")).collect()
}

#[test]
fn a_whole_cycle_counts_is_ready_and_comes_out_shuffled() {
    let mut world = loaded(312);
    shuffle(&mut world);
    world.run(6_000);
    let events = world.take_events();
    let progress = events.iter().filter(|event| event.starts_with("Progressed")).count();
    assert!((3..=5).contains(&progress), "at most once a second: {events:?}");
    world.told.clear();
    world.command(&ShufflerCommand::Unload);
    world.run(3_000);
    assert_eq!(told(&mut world), ["Unloaded"]);
    let before: Vec<_> = table_rules::card::Card::deck().cycle().take(312).collect();
    let now = world.now;
    let mut cards = world.twin.act(now, |shuffler, _, _| shuffler.take_tray());
    assert_ne!(cards, before, "it does shuffle");
    cards.sort();
    let mut sorted = before;
    sorted.sort();
    assert_eq!(cards, sorted, "and loses none");
}

#[test]
fn the_cycle_says_what_it_found() {
    let mut world = loaded(312);
    shuffle(&mut world);
    world.run(6_000);
    let count = "CardCount { counted: 312, expected: ExpectedCount(312) }";
    assert_eq!(
        told(&mut world),
        [
            "BatchLoaded { colour: Red }".to_owned(),
            "ShuffleStarted { colour: Red }".to_owned(),
            format!("Counted {{ count: {count}, colour: Red }}"),
            format!("BatchReady {{ count: {count}, colour: Red }}"),
        ]
    );
}

#[test]
fn a_count_that_is_one_off_and_a_wrong_colour_are_never_ready() {
    for (words, fault) in [("miscount 1000", "CountMismatch"), ("miscolour 1000", "WrongBackColour")] {
        let mut world = ShufflerWorld::up(|now| ShufflerTwin::new(1, now));
        world.obey("cycle 5000");
        world.obey(words);
        world.obey("load 312 red");
        shuffle(&mut world);
        world.run(6_000);
        let events = told(&mut world);
        assert!(events.contains(&format!("FaultRaised({fault})")), "{events:?}");
        assert!(!events.iter().any(|event| event.starts_with("BatchReady")), "{events:?}");
        world.obey("take");
        assert!(told(&mut world).contains(&format!("FaultCleared({fault})")));
    }
}

#[test]
fn a_jam_that_frees_itself_goes_on_and_one_that_does_not_stops_the_cycle() {
    let mut world = loaded(312);
    shuffle(&mut world);
    world.run(1_000);
    world.obey("jam retry");
    world.run(8_000);
    let events = told(&mut world);
    assert!(events.contains(&"Jammed { jams: 1, severity: Retrying }".to_owned()), "{events:?}");
    assert!(events.contains(&"JamCleared".to_owned()) && events.last().unwrap().starts_with("BatchReady"));

    let mut world = loaded(312);
    shuffle(&mut world);
    world.run(1_000);
    world.obey("jam");
    world.run(8_000);
    world.command(&ShufflerCommand::ClearJam);
    let events = told(&mut world);
    assert!(events.iter().any(|event| event.starts_with("ShuffleStopped { cause: Jam")), "{events:?}");
    assert_eq!(events.last().unwrap(), "JamCleared");
    assert!(world.obey("state").contains("state: Loaded"), "to be shuffled again");
}

#[test]
fn an_open_door_and_a_lost_supply_stop_the_cycle() {
    let mut world = loaded(312);
    shuffle(&mut world);
    world.run(1_000);
    world.obey("door open");
    shuffle(&mut world);
    world.obey("door closed");
    let events = told(&mut world);
    assert!(events.iter().any(|event| event.starts_with("ShuffleStopped { cause: Door")), "{events:?}");
    assert!(events.contains(&"refused WrongState".to_owned()));

    shuffle(&mut world);
    world.run(1_000);
    world.obey("power off");
    world.run(4_000);
    world.obey("power on");
    world.run(4_000);
    let events = told(&mut world);
    assert!(events.iter().any(|event| event.starts_with("ShuffleStopped { cause: PowerLoss")), "{events:?}");
    assert!(events.last().unwrap().starts_with("State") && events.last().unwrap().contains("Loaded"), "{events:?}");
}
