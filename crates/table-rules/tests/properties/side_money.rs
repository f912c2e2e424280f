//! The books of the side wagers: each is settled once, by a line that fits its stake, and what a void returns takes its
//! contributions back out of the meters.

use std::collections::{BTreeMap, BTreeSet};

use table_rules::event::Event;
use table_rules::line::{Line, Outcome, Stake};
use table_rules::money::{Cents, Pay};
use table_rules::seat::Seat;
use table_rules::side::Placement;
use table_rules::table::{Table, Tracking};
use table_rules::wager::WagerId;

#[derive(Default, Debug)]
pub(crate) struct SideBooks {
    placed: BTreeMap<(Seat, WagerId), Option<Cents>>,
    lines: BTreeMap<(Seat, WagerId), Vec<Line>>,
    fed: BTreeSet<WagerId>,
    reversed: BTreeMap<(Seat, WagerId), usize>,
}

fn is_side(wager: WagerId) -> bool {
    !matches!(wager, WagerId::Main | WagerId::Insurance | WagerId::AdditionalPayout)
}

impl SideBooks {
    /// True when the event was about a side wager.
    pub(crate) fn follow(&mut self, event: &Event) -> bool {
        if let Event::WagerPlaced { seat, wager, amount, .. } = *event {
            if is_side(wager) {
                self.placed.insert((seat, wager), amount);
            }
            return is_side(wager);
        }
        if let Event::WagerRemoved { seat, wager, .. } = *event {
            self.placed.remove(&(seat, wager));
            return is_side(wager);
        }
        if let Event::AmountTold { seat, wager, amount, .. } = *event {
            if let Some(placed) = self.placed.get_mut(&(seat, wager)) {
                assert_eq!(*placed, None, "an amount that is known is not asked for");
                *placed = Some(amount);
            }
            return is_side(wager);
        }
        if let Event::MeterFed { wager, .. } = *event {
            self.fed.insert(wager);
        } else if let Event::MeterReversed { seat, wager, .. } = *event {
            assert!(self.fed.contains(&wager), "{wager}: only a contribution goes back");
            *self.reversed.entry((seat, wager)).or_default() += 1;
        } else if let Event::Settled(line) = *event {
            if is_side(line.wager) {
                self.lines.entry((line.seat, line.wager)).or_default().push(line);
            }
            return is_side(line.wager);
        } else if let Event::LineWithdrawn(line) = *event {
            if is_side(line.wager) {
                assert_eq!(self.lines.get_mut(&(line.seat, line.wager)).and_then(Vec::pop), Some(line));
            }
            return is_side(line.wager);
        }
        false
    }

    pub(crate) fn balance(&self, table: &Table, tracking: Tracking, void: bool) {
        for lines in self.lines.values() {
            lines.iter().for_each(check_side_line);
        }
        for (&(seat, wager), &amount) in &self.placed {
            let lines = self.lines.get(&(seat, wager)).map_or(&[][..], Vec::as_slice);
            let stated = |line: &&Line| line.stake.is_placed() && line.correction.amount().is_none();
            let first: Vec<&Line> = lines.iter().filter(stated).collect();
            if tracking == Tracking::Cards || void {
                assert_eq!(first.len(), 1, "{wager} of seat {seat} is settled once: {lines:?}");
            }
            if let (Some(amount), Some(line)) = (amount, first.first()) {
                let known_later = line.stake.is_unknown();
                assert!(known_later || line.stake == Stake::of(amount), "{wager} of seat {seat}: {line:?}");
            }
            let whole = |line: &Line| matches!(line.outcome, Outcome::Won | Outcome::Dead | Outcome::Void);
            assert!(!void || lines.last().is_some_and(whole), "a void round keeps nothing of {wager}: {lines:?}");
            self.check_reversal(table, seat, wager, lines);
        }
        for (seat, wager) in self.lines.keys() {
            let rides = table
                .wagers
                .iter()
                .any(|offered| offered.id() == *wager && matches!(offered.placement(), Placement::RidesOn(_)));
            assert!(rides || self.placed.contains_key(&(*seat, *wager)), "{wager} of seat {seat} was never placed");
        }
    }

    /// X3: a returned wager's contribution goes back on each of its meters once, and no other's does.
    fn check_reversal(&self, table: &Table, seat: Seat, wager: WagerId, lines: &[Line]) {
        let Some(offered) = table.wagers.iter().find(|offered| offered.id() == wager) else { return };
        let returned = lines.last().is_some_and(|line| matches!(line.outcome, Outcome::Dead | Outcome::Void));
        let known = lines.iter().all(|line| line.stake.amount().is_some());
        let expected = if returned && known && self.fed.contains(&wager) { offered.meters().len() } else { 0 };
        let found = self.reversed.get(&(seat, wager)).copied().unwrap_or_default();
        assert_eq!(found, expected, "contributions of {wager} of seat {seat} that went back: {lines:?}");
    }
}

/// What a line gives back and keeps is its stake, by the kind of its odds.
fn check_side_line(line: &Line) {
    let Some(stake) = line.stake.amount() else {
        assert!(line.stake.is_unknown() || line.returned.amount() == Some(Cents::ZERO), "nothing to return: {line:?}");
        return;
    };
    let expected = match (line.outcome, line.pay) {
        (Outcome::Won, Some(Pay::To(_))) | (Outcome::Tied | Outcome::Dead | Outcome::Void, _) => stake,
        (Outcome::Won, Some(Pay::For(_) | Pay::Amount(_) | Pay::Meter { .. })) | (Outcome::Lost, _) => Cents::ZERO,
        (Outcome::Won, None) | (Outcome::Surrendered | Outcome::Rescued, _) => {
            panic!("no side wager ends so: {line:?}")
        }
    };
    assert_eq!(line.returned.amount(), Some(expected), "{line:?}");
    assert!(line.pays.amount().is_some_and(|pays| pays >= Cents::ZERO), "a known stake gives known money: {line:?}");
    assert!(line.outcome == Outcome::Won || line.pays.amount() == Some(Cents::ZERO), "only a win pays: {line:?}");
}
