//! The lock-out against a plain model: generated bursts of edges, in every order that the kernel may deliver them.
#![expect(clippy::unwrap_used, reason = "a test that cannot build its example should stop")]

use device_drivers::clock::{Span, Stamp};
use device_drivers::inputs::lock_split::LockPhase;
use device_drivers::inputs::{LockSplit, PortsRead, SplitEvent, SplitRules, Spot, SpotSet};
use proptest::prelude::*;

const SETTLE: Span = Span::millis(40);
const DEBOUNCE: Span = Span::millis(25);

fn spot(seat: u8, number: u8) -> Spot {
    Spot::new(seat, number).unwrap()
}

fn all() -> SpotSet {
    Spot::all().collect()
}

fn direct() -> SplitRules {
    SplitRules { wired: all(), on_expander: SpotSet::EMPTY, settle: SETTLE, expander_debounce: DEBOUNCE }
}

fn open(rules: SplitRules) -> LockSplit {
    LockSplit::new(rules, SpotSet::EMPTY, LockPhase::Open, Stamp(0))
}

fn events(split: &mut LockSplit) -> Vec<SplitEvent> {
    std::iter::from_fn(|| split.poll_event()).collect()
}

fn accepted(split: &mut LockSplit) -> SpotSet {
    let lists: Vec<SpotSet> = events(split)
        .into_iter()
        .filter_map(|event| if let SplitEvent::Split { accepted, .. } = event { Some(accepted) } else { None })
        .collect();
    let [list] = lists[..] else { panic!("{lists:?}") };
    list
}

/// When each spot's line changes: alternating on and off, at most as often as a line may before it flickers.
fn bursts() -> impl Strategy<Value = Vec<Vec<u64>>> {
    let line = prop::collection::btree_set(0_u64..2_000, 0..6).prop_map(|times| times.into_iter().collect());
    prop::collection::vec(line, 24)
}

/// Edges and the press in an order of delivery: each is late by up to 30 ms, but one line keeps its own order.
#[derive(Clone, Copy, Debug)]
enum Delivered {
    Edge { spot: Spot, present: bool, at: Stamp },
    Press { at: Stamp },
}

fn delivery(lines: &[Vec<u64>], press: u64, delays: &[u64]) -> Vec<Delivered> {
    let micros = |time: u64| Stamp(time * 50_000);
    let mut queue = vec![(micros(press).0, Delivered::Press { at: micros(press) })];
    let mut delay = delays.iter().cycle();
    for (spot, times) in Spot::all().zip(lines) {
        let mut not_before = 0;
        for (index, time) in times.iter().enumerate() {
            let at = micros(*time);
            not_before = (at.0 + delay.next().unwrap() * 1_000_000).max(not_before);
            queue.push((not_before, Delivered::Edge { spot, present: index % 2 == 0, at }));
        }
    }
    queue.sort_by_key(|(delivered, _)| *delivered);
    queue.into_iter().map(|(_, what)| what).collect()
}

proptest! {
    #[test]
    fn on_direct_lines_the_press_splits_exactly_at_its_stamp(
        lines in bursts(),
        press in 0_u64..2_000,
        delays in prop::collection::vec(0_u64..30, 1..50),
    ) {
        let mut split = open(direct());
        let pressed = Stamp(press * 50_000);
        let mut closed = false;
        for what in delivery(&lines, press, &delays) {
            match what {
                Delivered::Edge { spot, present, at } => split.handle_sensor(spot, present, at),
                Delivered::Press { at } => {
                    split.handle_press(at);
                    closed = true;
                }
            }
            prop_assert_eq!(split.phase() != LockPhase::Open, closed, "in force at once");
        }
        split.handle_time(pressed.after(SETTLE));
        let model: SpotSet = Spot::all()
            .zip(&lines)
            .filter(|(_, times)| times.iter().filter(|time| **time < press).count() % 2 == 1)
            .map(|(spot, _)| spot)
            .collect();
        prop_assert_eq!(accepted(&mut split), model);
    }

    #[test]
    fn through_an_expander_only_chips_that_stood_still_for_the_debounce_time_count(
        since_ms in prop::collection::vec(prop::option::of(0_u64..100), 24),
        unread in 0_u8..9,
        disturbed in 0_u8..9,
    ) {
        let mut split = open(SplitRules { on_expander: all(), ..direct() });
        let press = Stamp::millis(100);
        let mut present = SpotSet::EMPTY;
        for (spot, since) in Spot::all().zip(&since_ms) {
            if let Some(since) = since {
                split.handle_sensor(spot, true, Stamp::millis(*since));
                present = present.with(spot);
            }
        }
        split.handle_press(press);
        let of_seat = |seat: u8| -> SpotSet { Spot::all().filter(|spot| spot.seat() == seat).collect() };
        let covers = Spot::all().filter(|spot| spot.seat() != unread).collect();
        split.handle_ports(PortsRead { covers, present, disturbed: of_seat(disturbed) });
        split.handle_time(press.after(SETTLE));
        let model: SpotSet = Spot::all()
            .zip(&since_ms)
            .filter(|(spot, since)| {
                since.is_some_and(|since| since <= 75) && spot.seat() != unread && spot.seat() != disturbed
            })
            .map(|(spot, _)| spot)
            .collect();
        prop_assert_eq!(accepted(&mut split), model);
    }
}

#[test]
fn a_chip_at_the_very_moment_of_the_press_is_late() {
    let mut split = open(direct());
    split.handle_press(Stamp(1_000));
    split.handle_sensor(spot(1, 1), true, Stamp(1_000));
    split.handle_sensor(spot(2, 1), true, Stamp(999));
    split.handle_time(Stamp(1_000).after(SETTLE));
    let split_list = SplitEvent::Split {
        at: Stamp(1_000),
        accepted: SpotSet::EMPTY.with(spot(2, 1)),
        late: SpotSet::EMPTY.with(spot(1, 1)),
        doubtful: SpotSet::EMPTY,
    };
    assert_eq!(events(&mut split), [SplitEvent::Locked { at: Stamp(1_000) }, split_list]);
}

#[test]
fn a_chip_pulled_back_after_the_press_still_counts_and_one_pulled_before_does_not() {
    let mut split = open(direct());
    split.handle_sensor(spot(1, 1), true, Stamp(10));
    split.handle_sensor(spot(2, 1), true, Stamp(10));
    split.handle_sensor(spot(2, 1), false, Stamp(90));
    split.handle_press(Stamp(100));
    split.handle_sensor(spot(1, 1), false, Stamp(110));
    split.handle_time(Stamp(100).after(SETTLE));
    assert_eq!(accepted(&mut split), SpotSet::EMPTY.with(spot(1, 1)));
}

#[test]
fn after_the_lock_chips_are_late_collected_or_taken_back() {
    let mut split = open(direct());
    let (in_time, late) = (spot(1, 1), spot(4, 2));
    split.handle_sensor(in_time, true, Stamp(10));
    split.handle_press(Stamp(100));
    split.handle_press(Stamp(200));
    split.handle_time(Stamp(100).after(SETTLE));
    events(&mut split);
    let later = Stamp::millis(500);
    split.handle_sensor(late, true, later);
    split.handle_sensor(in_time, false, later);
    split.handle_sensor(late, false, later);
    let told = [
        SplitEvent::Late { spot: late, at: later },
        SplitEvent::Collected { spot: in_time, at: later },
        SplitEvent::LateRemoved { spot: late, at: later },
    ];
    assert_eq!(events(&mut split), told);
    assert_eq!(split.phase(), LockPhase::Locked { accepted: SpotSet::EMPTY.with(in_time) }, "the lamp stays");
    split.reopen();
    assert_eq!(events(&mut split), [SplitEvent::Reopened { occupied: SpotSet::EMPTY }]);
}

#[test]
fn a_sensor_that_is_not_believed_and_a_bus_that_was_not_read_accept_nothing() {
    let on_expander = SpotSet::EMPTY.with(spot(8, 3));
    let mut split = open(SplitRules { on_expander, ..direct() });
    for one in [spot(1, 1), spot(2, 1), spot(8, 3)] {
        split.handle_sensor(one, true, Stamp(10));
    }
    split.handle_doubt(spot(2, 1), true);
    split.handle_press(Stamp::millis(500));
    split.handle_time(Stamp::millis(500).after(SETTLE));
    assert_eq!(accepted(&mut split), SpotSet::EMPTY.with(spot(1, 1)));
}

#[test]
fn a_lock_that_was_not_finished_comes_back_locked() {
    let chip = SpotSet::EMPTY.with(spot(3, 1));
    let mut split = LockSplit::new(direct(), chip, LockPhase::Closing, Stamp(0));
    assert_eq!(split.phase(), LockPhase::Locked { accepted: SpotSet::EMPTY });
    split.handle_sensor(spot(3, 1), false, Stamp(5));
    assert_eq!(events(&mut split), [SplitEvent::LateRemoved { spot: spot(3, 1), at: Stamp(5) }]);
}
