//! Many seeded lives of a link: every event exactly once and in order, or a fault in time; and a stall is no fault.

use device_protocols::link::{Continuity, Millis};

use crate::line::{Dice, Weather};
use crate::world::{Version, World};

const CLEAR: Weather =
    Weather { drop: 0, duplicate: 0, damage: 0, delay: 0, delay_ms_max: 0, replay: 0, tamper: 0, reorder: 0 };
const BOTH: [Version; 2] = [Version::Open, Version::Paired];

struct Life {
    weather: Weather,
    stall_ms: u64,
    restarts: bool,
}

/// Every seed in the clear, and every third of them sealed: a seal costs a debug build its time.
fn lives(seeds: u64) -> impl Iterator<Item = (Version, u64)> {
    BOTH.into_iter().flat_map(move |version| {
        let every = match version {
            Version::Open => 1,
            Version::Paired => 3,
        };
        (0..seeds).step_by(every).map(move |seed| (version, seed))
    })
}

/// One minute of events, commands and, if asked for, restarts; then a calm in which everything must come to rest.
fn live(version: Version, seed: u64, life: &Life) -> World {
    let mut world = World::new(version, seed, life.weather, life.stall_ms);
    let mut plan = Dice::new(seed ^ 0x5EED);
    let mut at = world.now;
    while at < Millis(60_000) {
        at = at + 50 + plan.below(if life.stall_ms > 1_000 { 8_000 } else { 1_500 });
        world.run_until(at);
        match plan.below(if life.restarts { 12 } else { 8 }) {
            0..=5 => {
                for _ in 0..=plan.below(3) {
                    world.device_event();
                }
            }
            6 | 7 => world.host_command(),
            8 => world.restart_host(),
            9 => world.restart_device(),
            10 => {
                world.restart_device();
                world.restart_host();
            }
            _ => {
                // Two restarts so close that the first may never be seen.
                world.restart_device();
                world.run_until(at + plan.below(300));
                world.restart_device();
            }
        }
        at = world.now;
        world.check_journal();
    }
    world.weather = CLEAR;
    world.stall_ms = life.stall_ms.min(50);
    world.device_event();
    world.run_until(at + 60_000);
    world.check_journal();
    world.check_all_delivered();
    world
}

#[test]
fn on_a_good_line_nothing_is_ever_wrong() {
    for (version, seed) in lives(50) {
        let world = live(version, seed, &Life { weather: CLEAR, stall_ms: 5, restarts: false });
        assert!(world.host_losses.is_empty() && world.device_losses.is_empty(), "{version:?} seed {seed}");
        assert_eq!(world.degradations, 0, "{version:?} seed {seed}");
        assert_eq!(world.device.counts().resends, 0, "{version:?} seed {seed}");
    }
}

#[test]
fn a_stall_of_ten_seconds_alone_raises_no_fault() {
    for (version, seed) in lives(50) {
        let world = live(version, seed, &Life { weather: CLEAR, stall_ms: 10_000, restarts: false });
        assert!(world.host_losses.is_empty(), "{version:?} seed {seed}: {:?}", world.host_losses);
        assert!(world.device_losses.is_empty(), "{version:?} seed {seed}: {:?}", world.device_losses);
        assert_eq!(world.degradations, 0, "{version:?} seed {seed}");
        if version == Version::Open {
            assert!(world.holds() > 100, "seed {seed}: the stall was felt");
        }
    }
}

#[test]
fn drops_duplicates_damage_and_delays_lose_and_repeat_nothing() {
    let mut resends = 0;
    for (version, seed) in lives(150) {
        let weather = Weather { drop: 150, duplicate: 100, damage: 50, delay: 200, delay_ms_max: 400, ..CLEAR };
        let world = live(version, seed, &Life { weather, stall_ms: 20, restarts: false });
        resends += world.device.counts().resends;
    }
    assert!(resends > 1_000, "the weather was bad");
}

#[test]
fn a_line_that_loses_half_of_everything_is_declared_lost_and_comes_back() {
    let mut losses = 0;
    for (version, seed) in lives(100) {
        let weather = Weather { drop: 500, duplicate: 100, damage: 100, delay: 100, delay_ms_max: 200, ..CLEAR };
        let world = live(version, seed, &Life { weather, stall_ms: 20, restarts: false });
        losses += world.host_losses.len() + world.device_losses.len();
    }
    assert!(losses > 100, "the weather was bad");
}

#[test]
fn restarts_of_both_sides_are_noticed_and_nothing_is_delivered_twice() {
    let mut restarts_seen = 0;
    for (version, seed) in lives(150) {
        let weather = Weather { drop: 50, duplicate: 50, damage: 20, delay: 100, delay_ms_max: 100, ..CLEAR };
        let world = live(version, seed, &Life { weather, stall_ms: 30, restarts: true });
        restarts_seen += world.continuities.iter().filter(|(_, seen)| *seen == Continuity::Restarted).count();
    }
    assert!(restarts_seen > 150, "the devices restarted");
}

#[test]
fn everything_at_once() {
    for (version, seed) in lives(150) {
        let weather = Weather { drop: 200, duplicate: 150, damage: 50, delay: 300, delay_ms_max: 600, ..CLEAR };
        live(version, seed, &Life { weather, stall_ms: 10_000, restarts: true });
    }
}

#[test]
fn a_lost_event_of_a_restarted_device_never_goes_unnoticed() {
    for (version, seed) in lives(100) {
        let weather = Weather { drop: 100, ..CLEAR };
        let mut world = World::new(version, seed, weather, 20);
        world.run_until(Millis(5_000));
        world.device_event();
        world.run_until(Millis(5_000 + seed % 40));
        let before = world.continuities.len();
        world.restart_device();
        // The announcement may be lost, so may heartbeat and HELLO, each with one chance in ten.
        world.run_until(Millis(9_000 + seed % 40));
        let seen = world.continuities[before..].iter().any(|(_, seen)| *seen == Continuity::Restarted);
        assert!(seen || !world.host_losses.is_empty(), "{version:?} seed {seed}: {:?}", world.continuities);
    }
}

#[test]
fn a_cable_in_the_middle_of_a_paired_link_reads_nothing_changes_nothing_and_repeats_nothing() {
    let (mut turned_away, mut wrong_devices) = (0, 0);
    for seed in 0..60 {
        let weather =
            Weather { drop: 50, delay: 100, delay_ms_max: 100, replay: 200, tamper: 200, reorder: 100, ..CLEAR };
        // The world itself compares: what is durable is what the device said, each once and in order; a command was
        // carried out once, and only if the controller gave it.
        let world = live(Version::Paired, seed, &Life { weather, stall_ms: 20, restarts: seed % 2 == 0 });
        turned_away += world.host.counts().turned_away + world.device.counts().turned_away;
        wrong_devices += world.wrong_devices;
    }
    assert!(turned_away > 1_000, "it was attacked: {turned_away}");
    assert!(wrong_devices > 0, "and noticed");
}
