//! What blackjack's variations add to a round: switched cards, cards that lie face down, the side of a double shoe. And even
//! money, which some tables offer.

use table_rules::card::{Card, Suit};
use table_rules::event::Sink;
use table_rules::input::{Drawn, Input, InputKind};
use table_rules::prompt::Order;
use table_rules::seat::Seat;
use table_rules::table::ShoeSide;

use super::{Done, Player, TableRun};

impl<P: Player, S: Sink> TableRun<'_, P, S> {
    #[cold]
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "an order that only side wagers lead to is looked at there, one that is added later too"
    )]
    pub(super) fn obey_variation(&mut self, order: &Order) -> Done {
        match *order {
            Order::DealFirstCard { seat, face_down: true, .. }
            | Order::DealSecondCard { seat, face_down: true, .. } => {
                let card = self.draw()?;
                self.cards_down.push((seat, card));
                self.apply_any(&Input::Card(Drawn::FaceDown))
            }
            // A player shows the cards when it is their turn: what they are worth is the same as if they kept them down.
            Order::AskUnseenHand { seat, .. } | Order::TurnCard { seat } => self.turn_card(seat),
            Order::DrawDeterminant => self.draw_determinant(),
            _ => self.obey_side(order),
        }
    }

    fn turn_card(&mut self, seat: Seat) -> Done {
        match self.cards_down.iter().position(|(of, _)| *of == seat) {
            Some(at) => {
                let (seat, card) = self.cards_down.remove(at);
                self.apply_any(&Input::Turn { seat, card })
            }
            None => self.unexpected(),
        }
    }

    /// Always from the left side (7.C(1)): the sides are alike. Where its suit names the other one, that side deals from a
    /// stack of its own (7.C(3)).
    fn draw_determinant(&mut self) -> Done {
        let card = self.draw()?;
        if self.side_named_by(card) != ShoeSide::Left {
            self.stack.begin_round();
        }
        self.apply_any(&Input::CardFrom { drawn: Drawn::FaceUp(card), side: ShoeSide::Left })
    }

    fn side_named_by(&self, card: Card) -> ShoeSide {
        match (card.suit(), self.engine.table().red_suits_side) {
            (Suit::Hearts | Suit::Diamonds, side) => side,
            (Suit::Clubs | Suit::Spades, ShoeSide::Left) => ShoeSide::Right,
            (Suit::Clubs | Suit::Spades, ShoeSide::Right) => ShoeSide::Left,
        }
    }

    /// Whether the box whose turn it is may switch and wants to (12.A(4)).
    pub(super) fn wants_to_switch(&self) -> bool {
        let (Some((turn, offered)), Some(up)) = (self.engine.to_decide(), self.up) else { return false };
        if !offered.contains(InputKind::Switch) {
            return false;
        }
        let mut hands = self.engine.hands_of(turn.seat);
        match (hands.next(), hands.next()) {
            (Some(one), Some(other)) => self.player.switches([one, other], up),
            (None, _) | (_, None) => false,
        }
    }

    /// Pays the next blackjack that takes even money (8.E); once there is none, the insertion closes insurance.
    pub(super) fn take_even_money(&mut self) -> Done {
        let mut inputs = self.bets.iter().map(|bet| Input::EvenMoney { seat: bet.seat });
        let input = inputs.find(|input| self.engine.offers_input(input));
        self.apply_any(&input.unwrap_or(Input::Peek(self.answer())))
    }
}
