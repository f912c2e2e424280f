//! Draws that wait, in the order in which they left the shoe: the card before them has no name yet, or nothing asks for a
//! card. One that came early stays face down and is the next card (13.E, 14.B); if it was seen, the dealer says so and the
//! players may refuse it (13.F, 14.C).

use device_protocols::sealed::DrawNumber;
use table_rules::card::Card;
use table_rules::engine::Irregular;
use table_rules::input::{Input, InputKind, Text};

use crate::alerts::Stops;
use crate::codes::Code;
use crate::controller::Controller;
use crate::input::ShoeSide;
use crate::notice::Notice;
use crate::output::{Output, Outputs};
use crate::shoe::{Pull, Purpose};

/// The alert about a card that left the shoe before its time.
const EARLY: &str = "card early";

/// How many draws may wait. A dealer who pulls more does something else than dealing early.
const WAITING_MAX: usize = 8;

impl Controller {
    pub(crate) fn on_draw(&mut self, side: ShoeSide, pull: Pull, out: &mut Outputs) {
        let shoe = self.shoe(side);
        if pull.draw <= shoe.last_draw {
            return;
        }
        shoe.last_draw = pull.draw;
        if shoe.waiting.len() >= WAITING_MAX {
            if pull.sealed {
                out.commands.push(Output::Discard { side, draw: DrawNumber(pull.draw) });
            }
            let code = Code::CardNotPlaced.to_string();
            self.say(Notice::CardNotPlaced { side, draw: pull.draw }, &code, out);
            let text =
                format!("card {} is one too many: {WAITING_MAX} cards wait already. Look at the shoe", pull.draw);
            self.raise("card not placed", Stops::Nothing, &code, &text, out);
            return;
        }
        shoe.waiting.push_back(pull);
        self.place_waiting(side, out);
    }

    /// Something has happened: cards that wait may have their place now.
    pub(crate) fn place_early_cards(&mut self, out: &mut Outputs) {
        for side in [ShoeSide::Left, ShoeSide::Right] {
            if !self.shoe(side).waiting.is_empty() {
                self.place_waiting(side, out);
            }
        }
    }

    /// The draws that wait go where they belong, the first one first, as far as the procedure has come.
    pub(crate) fn place_waiting(&mut self, side: ShoeSide, out: &mut Outputs) {
        while self.shoe(side).opening.is_none() && self.shoe(side).unnamed.is_none() {
            let Some(pull) = self.shoe(side).waiting.front().copied() else { return };
            if self.comes_too_early(pull) {
                self.keep_early(side, out);
                return;
            }
            self.shoe(side).waiting.pop_front();
            if pull.early {
                self.early_card_is_out(side, out);
                if let Some(early) = self.irregularity(Irregular::DrawnUnexposed, None) {
                    self.follow_if_offered(&early, out);
                }
            }
            self.place_draw(side, pull, out);
        }
    }

    fn comes_too_early(&self, pull: Pull) -> bool {
        if pull.early {
            return !self.engine.card_is_asked_for();
        }
        let fits = self.engine.offers().offers(InputKind::Card);
        pull.in_play && !fits && self.engine.early_card_may_wait()
    }

    /// The card stays the next one, face down; the order says what comes before it.
    fn keep_early(&mut self, side: ShoeSide, out: &mut Outputs) {
        let waiting = &mut self.shoe(side).waiting;
        let Some(&Pull { draw, early, .. }) = waiting.front() else { return };
        // Those behind it cannot have come in time either.
        waiting.iter_mut().for_each(|pull| pull.early = true);
        if !early {
            let clause = self.clause_of(Irregular::DrawnUnexposed);
            let order = self.engine.order_in_words().to_string();
            let text = format!("card {draw} left the shoe early and is the next card. First: {order}");
            self.raise(EARLY, Stops::Nothing, &clause, &text, out);
        }
    }

    pub(crate) fn early_card_is_out(&mut self, side: ShoeSide, out: &mut Outputs) {
        if self.shoe(side).waiting.front().is_none_or(|next| !next.early) {
            let clause = self.clause_of(Irregular::DrawnUnexposed);
            self.end_alert(EARLY, &clause, out);
        }
    }

    fn clause_of(&self, kind: Irregular) -> String {
        let game = self.config.table.game;
        format!("{game} {}", kind.clause(game).unwrap_or_default())
    }

    pub(crate) fn irregularity(&self, kind: Irregular, card: Option<Card>) -> Option<Input> {
        let clause = kind.clause(self.config.table.game).and_then(Text::new)?;
        Some(Input::Irregularity { clause, seat: None, card, attested: false })
    }

    /// Takes the card that left the shoe early off the ones that wait: somebody has said what it is.
    pub(crate) fn take_early(&mut self, out: &mut Outputs) -> Option<(ShoeSide, Pull)> {
        for side in [ShoeSide::Left, ShoeSide::Right] {
            if let Some(pull) = self.shoe(side).waiting.pop_front_if(|pull| pull.early) {
                self.early_card_is_out(side, out);
                return Some((side, pull));
            }
        }
        None
    }

    /// The dealer says that the card which left the shoe early was seen (13.F, 14.C): the shoe names it. False where a
    /// person has to.
    pub(crate) fn open_seen_card(&mut self, input: &Input, out: &mut Outputs) -> bool {
        let exposed = self.irregularity(Irregular::DrawnExposed, None);
        let possible = self.engine.possible_irregularities().any(|kind| kind == Irregular::DrawnExposed);
        let sealed =
            self.state.shoes.iter().any(|shoe| shoe.waiting.front().is_some_and(|pull| pull.early && pull.sealed));
        if Some(*input) != exposed || !possible || !sealed {
            return false;
        }
        if let Some((side, pull)) = self.take_early(out) {
            self.open(side, pull.draw, Purpose::Exposed, out);
        }
        true
    }
}
