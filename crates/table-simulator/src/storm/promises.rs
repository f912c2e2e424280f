//! What must hold after every input, whatever happened.

use operator_api::Action;
use table_controller::{Controller, Input, Output, Outputs, PersonInput, ShoeInput, TableEvent};
use table_rules::Event;
use table_rules::engine::StageView;

use super::books::Books;

#[derive(Debug, Default)]
pub(super) struct Promises {
    locked: bool,
    /// The draw under whose seal the hole card lies.
    hole: Option<u16>,
    hole_lay: bool,
    books: Books,
}

impl Promises {
    /// The table came back as it was: what was put down and settled before still counts.
    pub(super) fn restarted(&mut self, controller: &Controller) {
        self.locked = controller.in_round();
        self.hole = None;
    }

    /// Another version has taken over: an open round is settled by hand and by nobody's books.
    pub(super) fn upgraded(&mut self, controller: &Controller) {
        self.restarted(controller);
        self.books = Books::default();
    }

    pub(super) fn check(&mut self, controller: &Controller, input: &Input, out: &Outputs) -> Result<(), String> {
        self.hole_card_is_silent(controller, input, out)?;
        for said in &out.said {
            match said {
                TableEvent::Rules(event) => self.follow(event)?,
                TableEvent::Table { source, .. } if source.is_empty() => {
                    return Err("a word without a source".to_owned());
                }
                TableEvent::Table { .. } => {}
            }
        }
        self.books.compare(&controller.engine().view())?;
        if let Some(meter) = controller.meter_views().iter().find(|meter| !meter.balanced) {
            return Err(format!("a meter does not balance (X4): {meter:?}"));
        }
        let (order, (_, source)) = (controller.engine().order_in_words(), controller.engine().order());
        let offers = controller.engine().prompt().offers;
        if order.to_string().is_empty() || source.to_string().is_empty() || offers.kinds.iter().next().is_none() {
            return Err(format!("a prompt that leads nowhere: {order} [{source}]"));
        }
        let stops = controller.stops().into_iter().map(|stop| stop.lines);
        if let Some(lines) = stops.chain([order.lines()]).find(|lines| lines.too_long().is_some()) {
            return Err(format!("an order that no screen has room for: {lines} [{source}]"));
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
        self.books.follow(event)?;
        if let Event::WagersLocked { .. } = event {
            self.locked = true;
        } else if let Event::WagerPlaced { seat, wager, .. } = event
            && self.locked
        {
            return Err(format!("{wager} of seat {seat} was taken after the lock"));
        } else if let Event::RoundEnded { .. } = event {
            self.locked = false;
            return std::mem::take(&mut self.books).balance();
        } else if let Event::RoundReopened { .. } = event {
            // The undo behind it begins the books again with what lies on the table.
            self.locked = true;
        }
        Ok(())
    }
}
