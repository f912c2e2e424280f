//! One round's money, kept from recorded events with arithmetic of its own: what every box put down is what its lines are
//! about, whatever was undone, corrected, voided or read wrongly in between.
//!
//! Undo and correction say what was taken back and not what lies there now. After them the books begin again with what lies
//! on the table, and the lines must come out to that.

use std::collections::BTreeMap;

use table_rules::Event;
use table_rules::engine::TableView;
use table_rules::event::Action;
use table_rules::line::{Approval, Line, Stake};
use table_rules::money::Cents;
use table_rules::seat::Seat;
use table_rules::wager::WagerId;

/// What one box put down; `None` for an amount that nobody told.
#[derive(Debug, Default)]
struct Placed {
    main: Option<Cents>,
    /// Doubles and splits.
    added: Vec<Option<Cents>>,
    insurance: Option<Option<Cents>>,
}

#[derive(Debug, Default)]
pub(super) struct Books {
    boxes: BTreeMap<Seat, Placed>,
    lines: BTreeMap<(Seat, u8, WagerId), Line>,
    /// Something was taken back since the books were last compared with the table.
    taken_back: bool,
}

impl Books {
    pub(super) fn follow(&mut self, event: &Event) -> Result<(), String> {
        if let Event::WagerPlaced { seat, wager: WagerId::Main, amount, .. } = *event {
            self.boxes.insert(seat, Placed { main: amount, ..Placed::default() });
        } else if let Event::WagerRemoved { seat, wager: WagerId::Main, .. } = *event {
            self.boxes.remove(&seat);
        } else if let Event::AmountTold { seat, wager: WagerId::Main, amount, .. } = *event {
            self.boxes.entry(seat).or_default().main = Some(amount);
        } else if let Event::AmountTold { seat, wager: WagerId::Insurance, amount, .. } = *event {
            self.boxes.entry(seat).or_default().insurance = Some(Some(amount));
        } else if let Event::InsurancePlaced { seat, amount, .. } = *event {
            self.boxes.entry(seat).or_default().insurance = Some(amount);
        } else if let Event::Acted { seat, action: Action::Double | Action::Redouble | Action::Split, amount, .. } =
            *event
        {
            self.boxes.entry(seat).or_default().added.push(amount);
        } else if let Event::Settled(line) = *event {
            check_line(&line)?;
            if line.wager != WagerId::AdditionalPayout {
                self.lines.insert((line.seat, line.hand, line.wager), line);
            }
        } else if let Event::LineWithdrawn(line) = *event {
            self.lines.remove(&(line.seat, line.hand, line.wager));
        } else if let Event::Undone { .. } | Event::Corrected { .. } = event {
            self.taken_back = true;
        }
        Ok(())
    }

    /// All events of an input have been followed: the lines that were told are the lines that stand.
    pub(super) fn compare(&mut self, view: &TableView) -> Result<(), String> {
        if std::mem::take(&mut self.taken_back) {
            self.begin_again(view);
        }
        for (key, line) in standing(view) {
            let known = self.lines.get(&key);
            // A progressive line is told when its people have approved it and the meter's amount is known.
            let told_later = line.approval != Approval::NotNeeded && line.pays.amount().is_none();
            if known != Some(&line) && !told_later {
                return Err(format!("the table has {line:?}, recorded was {known:?}"));
            }
        }
        Ok(())
    }

    fn begin_again(&mut self, view: &TableView) {
        self.boxes.clear();
        for each in &view.boxes {
            let hands = each.hands.iter().fold(Stake::NONE, |sum, hand| sum.plus(hand.stake));
            let main = if each.hands.is_empty() { each.main } else { hands };
            let insurance = each.insurance.is_placed().then(|| each.insurance.amount());
            self.boxes.insert(each.seat, Placed { main: main.amount(), added: Vec::new(), insurance });
        }
        self.lines = standing(view);
    }

    /// The round is over.
    pub(super) fn balance(&self) -> Result<(), String> {
        for (seat, placed) in &self.boxes {
            let of_seat = |wager| self.lines.values().filter(move |line| line.seat == *seat && line.wager == wager);
            let put =
                placed.added.iter().fold(placed.main, |sum, added| sum.zip(*added).map(|(sum, added)| sum + added));
            let mains: Vec<&Line> = of_seat(WagerId::Main).collect();
            let staked = mains.iter().fold(Stake::NONE, |sum, line| sum.plus(line.stake)).amount();
            if mains.is_empty() || put.zip(staked).is_some_and(|(put, staked)| put != staked) {
                return Err(format!("seat {seat} put down {placed:?}, its lines are about {mains:?}"));
            }
            let insured = of_seat(WagerId::Insurance).next();
            match (placed.insurance, insured) {
                (Some(Some(put)), Some(line)) if line.stake.amount().is_some_and(|staked| staked != put) => {
                    return Err(format!("seat {seat} insured for {put:?}, its line is about {line:?}"));
                }
                (None, Some(line)) => return Err(format!("seat {seat} did not insure, yet {line:?}")),
                (Some(_), None) => return Err(format!("seat {seat} insured and no line settles it")),
                (Some(_), Some(_)) | (None, None) => {}
            }
        }
        match self.lines.keys().find(|(seat, _, _)| !self.boxes.contains_key(seat)) {
            Some((seat, _, wager)) => Err(format!("seat {seat} put nothing down, yet a line settles {wager}")),
            None => Ok(()),
        }
    }
}

/// The lines that count. A later line about the same wager takes the place of an earlier one: a wager that was collected
/// goes back when the round is void.
fn standing(view: &TableView) -> BTreeMap<(Seat, u8, WagerId), Line> {
    let lines = view.lines.iter().filter(|line| line.wager != WagerId::AdditionalPayout);
    lines.map(|line| ((line.seat, line.hand, line.wager), *line)).collect()
}

/// No line gives back more than lay there, or takes what was not.
fn check_line(line: &Line) -> Result<(), String> {
    let too_much = line.stake.amount().zip(line.returned.amount()).is_some_and(|(stake, returned)| returned > stake);
    let negative = |cents: Option<Cents>| cents.is_some_and(|cents| cents < Cents::ZERO);
    if too_much || negative(line.returned.amount()) || negative(line.pays.amount()) {
        return Err(format!("a line gives back what was not there: {line:?}"));
    }
    Ok(())
}
