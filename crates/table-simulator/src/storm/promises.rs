//! What must hold after every input, whatever happened.

use std::collections::BTreeMap;

use operator_api::Action;
use table_controller::{Controller, Input, Output, Outputs, PersonInput, Said, ShoeInput};
use table_rules::Event;
use table_rules::engine::StageView;
use table_rules::money::Cents;
use table_rules::seat::Seat;
use table_rules::wager::WagerId;

#[derive(Debug, Default)]
pub(super) struct Promises {
    locked: bool,
    /// The draw under whose seal the hole card lies.
    hole: Option<u16>,
    hole_lay: bool,
    books: Books,
}

/// One round's main wagers, kept with arithmetic of their own.
#[derive(Debug, Default)]
struct Books {
    put: BTreeMap<Seat, Option<Cents>>,
    /// Taken back, corrected or disturbed: then the lines are checked one by one only.
    disturbed: bool,
    lines: BTreeMap<(Seat, u8), (Option<Cents>, Option<Cents>)>,
}

impl Promises {
    pub(super) fn restarted(&mut self, controller: &Controller) {
        self.locked = controller.in_round();
        self.hole = None;
        self.books = Books { disturbed: true, ..Books::default() };
    }

    pub(super) fn check(&mut self, controller: &Controller, input: &Input, out: &Outputs) -> Result<(), String> {
        self.hole_card_is_silent(controller, input, out)?;
        for said in &out.said {
            match said {
                Said::Rules(event) => self.follow(event)?,
                Said::Table { source, .. } if source.is_empty() => return Err("a word without a source".to_owned()),
                Said::Table { .. } => {}
            }
        }
        if let Some(meter) = controller.meter_views().iter().find(|meter| !meter.balanced) {
            return Err(format!("a meter does not balance (X4): {meter:?}"));
        }
        let (order, source) = controller.engine().order();
        let offers = controller.engine().prompt().offers;
        if order.to_string().is_empty() || source.to_string().is_empty() || offers.kinds.iter().next().is_none() {
            return Err(format!("a prompt that leads nowhere: {order} [{source}]"));
        }
        if controller.engine().is_wagering() {
            self.locked = false;
        }
        Ok(())
    }

    /// No seal of a card that lies face down is opened, except on the dealer's word that it was turned.
    fn hole_card_is_silent(&mut self, controller: &Controller, input: &Input, out: &Outputs) -> Result<(), String> {
        let turned = matches!(input, Input::Person(PersonInput { action: Action::Reveal | Action::TurnUp { .. }, .. }));
        for command in &out.commands {
            if let Output::Open { draw, .. } = command
                && Some(draw.0) == self.hole
                && !turned
            {
                return Err(format!("the seal of the hole card was opened by {input:?}"));
            }
        }
        let lies = controller.engine().hole_card_lies_down();
        if let Input::Shoe { event: ShoeInput::Drawn { draw, .. }, .. } = input
            && lies
            && !self.hole_lay
        {
            self.hole = Some(*draw);
        }
        if !lies {
            self.hole = None;
        }
        self.hole_lay = lies;
        if lies
            && !matches!(controller.engine().stage(), StageView::Irregularity)
            && controller.engine().dealer().cards().len() > 1
        {
            return Err("the hole card lies down and is known".to_owned());
        }
        Ok(())
    }

    fn follow(&mut self, event: &Event) -> Result<(), String> {
        if let Event::WagersLocked { .. } = event {
            self.locked = true;
        } else if let Event::Corrected { .. } | Event::Undone { .. } | Event::LastCardTakenBack { .. } = event {
            self.books.disturbed = true;
        } else if let Event::Irregularity { .. } | Event::RoundVoid { .. } | Event::ReaderWrong { .. } = event {
            self.books.disturbed = true;
        } else if let Event::WagerPlaced { seat, wager, amount, .. } = event {
            if self.locked {
                return Err(format!("{wager} of seat {seat} was taken after the lock"));
            }
            if *wager == WagerId::Main {
                self.books.put.insert(*seat, *amount);
            }
        } else if let Event::WagerRemoved { seat, wager: WagerId::Main, .. } = event {
            self.books.put.remove(seat);
        } else if let Event::AmountTold { seat, wager: WagerId::Main, amount, .. } = event {
            // Told late: what was doubled before it is not known to these books.
            self.books.disturbed = true;
            self.books.put.insert(*seat, Some(*amount));
        } else if let Event::Acted { seat, action, amount, .. } = event {
            use table_rules::event::Action as Act;
            if matches!(action, Act::Double | Act::Redouble | Act::Split)
                && let Some(put) = self.books.put.get_mut(seat)
            {
                *put = put.zip(*amount).map(|(put, more)| put + more);
            }
        } else if let Event::Settled(line) = event {
            let (stake, returned, pays) = (line.stake.amount(), line.returned, line.pays);
            let too_much = stake.zip(returned).is_some_and(|(stake, returned)| returned > stake);
            if too_much || returned.is_some_and(|cents| cents.0 < 0) || pays.is_some_and(|cents| cents.0 < 0) {
                return Err(format!("a line gives back what was not there: {line:?}"));
            }
            if line.wager == WagerId::Main {
                self.books.lines.insert((line.seat, line.hand), (stake, returned));
            }
        } else if let Event::LineWithdrawn(line) = event {
            self.books.lines.remove(&(line.seat, line.hand));
        } else if let Event::RoundEnded { .. } = event {
            let books = std::mem::take(&mut self.books);
            self.locked = false;
            return books.balance();
        }
        Ok(())
    }
}

impl Books {
    /// What every box put down is what its lines are about.
    fn balance(&self) -> Result<(), String> {
        if self.disturbed {
            return Ok(());
        }
        for (seat, put) in &self.put {
            let lines: Vec<_> = self.lines.iter().filter(|((of, _), _)| of == seat).map(|(_, line)| line.0).collect();
            let staked = lines.iter().try_fold(Cents::ZERO, |sum, stake| stake.map(|stake| sum + stake));
            if lines.is_empty() || put.zip(staked).is_some_and(|(put, staked)| put != staked) {
                return Err(format!("seat {seat} put down {put:?}, its lines are about {lines:?}"));
            }
        }
        Ok(())
    }
}
