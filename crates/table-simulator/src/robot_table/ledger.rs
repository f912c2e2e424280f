//! Books of one round, kept from the engine's events with arithmetic of their own: what was placed is what the lines
//! return and keep.

use std::collections::BTreeMap;

use table_rules::event::{Action, Event};
use table_rules::line::{Line, Stake};
use table_rules::money::Cents;
use table_rules::seat::Seat;
use table_rules::wager::WagerId;

#[derive(Clone, Debug, Default)]
struct Placed {
    main: Option<Cents>,
    insurance: Option<Option<Cents>>,
    added: Vec<Option<Cents>>,
}

#[derive(Debug, Default)]
pub(crate) struct Ledger {
    boxes: BTreeMap<Seat, Placed>,
    lines: BTreeMap<(Seat, u8, WagerId), Line>,
}

impl Ledger {
    pub(crate) fn follow(&mut self, event: &Event) {
        if let Event::WagerPlaced { seat, amount, .. } = *event {
            self.boxes.insert(seat, Placed { main: amount, ..Placed::default() });
        } else if let Event::WagerRemoved { seat, .. } = *event {
            self.boxes.remove(&seat);
        } else if let Event::AmountTold { seat, amount, .. } = *event {
            self.boxes.entry(seat).or_default().main = Some(amount);
        } else if let Event::InsurancePlaced { seat, amount, .. } = *event {
            self.boxes.entry(seat).or_default().insurance = Some(amount);
        } else if let Event::Acted { seat, action, amount, .. } = *event {
            if matches!(action, Action::Double | Action::Redouble | Action::Split) {
                self.boxes.entry(seat).or_default().added.push(amount);
            }
        } else if let Event::Settled(line) = *event {
            if line.wager != WagerId::AdditionalPayout {
                self.lines.insert((line.seat, line.hand, line.wager), line);
            }
        } else if let Event::LineWithdrawn(line) = *event {
            self.lines.remove(&(line.seat, line.hand, line.wager));
        }
    }

    /// What does not add up, if anything.
    pub(crate) fn check(&self) -> Result<(), String> {
        for (seat, placed) in &self.boxes {
            let mains = self.lines.values().filter(|line| line.seat == *seat && line.wager == WagerId::Main);
            let staked = mains.clone().fold(Stake::NONE, |sum, line| sum.plus(line.stake));
            let put = placed.added.iter().fold(placed.main, |sum, added| sum.zip(*added).map(|(a, b)| a + b));
            if let (Some(put), Some(staked)) = (put, staked.amount())
                && put != staked
            {
                return Err(format!("seat {seat} put down {put:?}, its lines are about {staked:?}"));
            }
            if mains.count() == 0 {
                return Err(format!("seat {seat} played and no line settles it"));
            }
            let insurance = self.lines.get(&(*seat, 1, WagerId::Insurance));
            match (placed.insurance, insurance) {
                (Some(Some(put)), Some(line)) if line.stake.amount().is_some_and(|staked| staked != put) => {
                    return Err(format!("seat {seat} insured for {put:?}, its line is about {:?}", line.stake));
                }
                (None, Some(line)) => return Err(format!("seat {seat} did not insure, yet {line:?}")),
                (Some(_), None) => return Err(format!("seat {seat} insured and no line settles it")),
                (Some(_), Some(_)) | (None, None) => {}
            }
        }
        for line in self.lines.values() {
            if let (Some(staked), Some(returned)) = (line.stake.amount(), line.returned.amount())
                && (returned < Cents::ZERO
                    || returned > staked
                    || line.pays.amount().is_some_and(|pays| pays < Cents::ZERO))
            {
                return Err(format!("a line returns more than lay there, or takes what was not: {line:?}"));
            }
        }
        Ok(())
    }
}
