//! What would follow from a word that nobody has said yet: the rules are asked on a copy, and nothing changes.

use operator_api::{AnswerOutlook, OutlookView, SaidView, Settled};
use table_rules::event::Events;
use table_rules::input::Input;
use table_rules::seat::Seat;
use table_rules::text::PitLines;
use table_rules::{Engine, Event};

use crate::controller::Controller;
use crate::people::Refused;

impl Controller {
    /// Only what went wrong is asked about beforehand: it may end hands and return wagers.
    pub fn outlook(&self, input: &Input) -> Result<OutlookView, Refused> {
        let mut then = self.engine.clone();
        let (said, lines) = follow(&mut then, input)?;
        let PitLines { situation, order: text } = then.order_in_words().lines();
        let answers = answers(&then, self.config.table.positions);
        Ok(OutlookView { said, lines, situation, text, answers })
    }
}

fn follow(engine: &mut Engine, input: &Input) -> Result<(Vec<SaidView>, Vec<Settled>), Refused> {
    let mut events = Events::new();
    engine
        .apply(input, &mut events)
        .map_err(|refusal| Refused { reason: refusal.reason.to_string(), source: refusal.source.to_string() })?;
    let is_line = |event: &&Event| matches!(event, Event::Settled(_) | Event::LineWithdrawn(_));
    let told = |event: &Event| SaidView { text: event.to_string(), clause: event.source().to_string() };
    let due = |event: &Event| if let Event::Settled(line) = event { Some(Settled::from(line)) } else { None };
    Ok((events.iter().filter(|event| !is_line(event)).map(told).collect(), events.iter().filter_map(due).collect()))
}

fn answers(then: &Engine, positions: u8) -> Vec<AnswerOutlook> {
    let seats = (1..=positions).filter_map(Seat::new);
    let words = seats.flat_map(|seat| [Input::Accept(seat), Input::Refuse(seat)]);
    words
        .filter(|input| then.offers_input(input))
        .filter_map(|input| {
            let (said, lines) = follow(&mut then.clone(), &input).ok()?;
            Some(AnswerOutlook { words: input.to_string(), said, lines })
        })
        .collect()
}
