//! Whose turn it is, and what they say: in time, late, or with a tap on the next seat.

use table_rules::Prompt;
use table_rules::engine::{BoxView, HandView, TableView};
use table_rules::game::{Direction, Game};
use table_rules::input::{Drawn, Input, InputKind};
use table_rules::prompt::Order;
use table_rules::seat::Seat;

use super::strategy::{Choice, decide};
use super::{Deed, Robot, Visible};

#[derive(Clone, Copy, Debug)]
pub(super) struct LateWord {
    word: Word,
    seat: Seat,
    hand: u8,
}

/// What may be said after its card.
#[derive(Clone, Copy, Debug)]
enum Word {
    Double,
    Split,
    /// The card was this seat's.
    Seat(Seat),
}

impl Word {
    fn input(self) -> Input {
        match self {
            Self::Double => Input::Double(None),
            Self::Split => Input::Split,
            Self::Seat(seat) => Input::Seat(seat),
        }
    }
}

impl Robot {
    pub(super) fn decide(
        &mut self,
        game: Game,
        seat: Seat,
        hand: u8,
        prompt: &Prompt,
        view: &TableView,
        visible: &Visible,
    ) -> Deed {
        let Some(cards) = hand_on_turn(view) else { return Deed::Tap(Input::Stand) };
        let choice = decide(game, cards, view.dealer.first().copied(), &prompt.offers, &mut self.dice);
        let late = self.dice.per_mille(self.habits.late_word_per_mille) && visible.shoe_lives;
        let draws = prompt.offers.offers(InputKind::Card) && visible.shoe_lives;
        let next_seat = next_seat(game, seat, hand, view);
        let word = match choice {
            Choice::Stand => match next_seat {
                // The card was for the next player; the wave of the hand is told after it.
                Some(next) if late && draws => Word::Seat(next),
                // Right after a card, a tap on a seat would say that the card was that seat's.
                Some(next) if !self.card_was_last && self.dice.per_mille(self.habits.seat_tap_per_mille) => {
                    return Deed::Tap(Input::Seat(next));
                }
                Some(_) | None => return Deed::Tap(Input::Stand),
            },
            Choice::Hit => {
                let tapped = !draws || self.dice.per_mille(self.habits.tap_hit_per_mille);
                return if tapped { Deed::Tap(Input::Hit) } else { Deed::DrawCard };
            }
            Choice::Surrender => return Deed::Tap(Input::Surrender),
            // A hand that may be doubled on any number of cards takes a late `double` for its next card.
            Choice::Double if late && draws && game == Game::Blackjack => Word::Double,
            Choice::Double => return Deed::Tap(Input::Double(None)),
            Choice::Split if late && draws => Word::Split,
            Choice::Split => return Deed::Tap(Input::Split),
        };
        self.late = Some(LateWord { word, seat, hand });
        Deed::DrawCard
    }

    /// The card lies; now the word comes. Where the turn has moved on, the same word would mean the next hand: then the
    /// card is undone, the word said, and the card tapped in again.
    pub(super) fn say_late(&mut self, late: LateWord, prompt: &Prompt, visible: &Visible) {
        let moved_on = if let Order::AskDecision { seat, hand, .. } = prompt.order {
            (seat, hand) != (late.seat, late.hand)
        } else {
            prompt.offers.offers(InputKind::Card)
        };
        let word = late.word.input();
        let means_the_card = match late.word {
            Word::Seat(seat) => prompt.offers.seats.contains(seat),
            Word::Double | Word::Split => !moved_on && prompt.offers.offers(word.kind()),
        };
        if means_the_card {
            self.taps.push_back(word);
        } else if let Some(card) = visible.last_open
            && prompt.offers.offers(InputKind::Undo)
        {
            self.taps.extend([Input::Undo, word, Input::Card(Drawn::FaceUp(card))]);
        }
    }

    pub(super) fn after_double(&mut self, total: u8, prompt: &Prompt) -> Deed {
        if prompt.offers.offers(InputKind::Redouble) && total <= 11 && self.dice.per_mille(600) {
            return Deed::Tap(Input::Redouble);
        }
        if prompt.offers.offers(InputKind::Rescue) && (12..=16).contains(&total) && self.dice.per_mille(500) {
            return Deed::Tap(Input::Rescue);
        }
        Deed::Tap(Input::Stand)
    }
}

/// The seat that decides after this hand, if the hand is its box's last.
fn next_seat(game: Game, seat: Seat, hand: u8, view: &TableView) -> Option<Seat> {
    let is_open = |each: &&BoxView| each.hands.first().is_some_and(|hand| hand.state == "open");
    let own = view.boxes.iter().find(|each| each.seat == seat)?;
    if usize::from(hand) != own.hands.len() {
        return None;
    }
    match game.decision_order() {
        Direction::FromLeft => view.boxes.iter().filter(is_open).map(|each| each.seat).find(|other| *other > seat),
        Direction::FromRight => {
            view.boxes.iter().rev().filter(is_open).map(|each| each.seat).find(|other| *other < seat)
        }
    }
}

fn hand_on_turn(view: &TableView) -> Option<&HandView> {
    view.boxes.iter().flat_map(|each| &each.hands).find(|hand| hand.has_turn)
}
