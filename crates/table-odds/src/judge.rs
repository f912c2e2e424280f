//! Asks the engine's own evaluators about deals, moment by moment, with no more to see than the table shows.
//!
//! Nothing here knows what any wager pays for. Which cards decide a wager is found out by asking it, so a new wager needs
//! no line in this crate.

use table_rules::card::{Card, Rank, Suit};
use table_rules::game::Game;
use table_rules::money::Cents;
use table_rules::side::{DealerHand, Moment, OfferedWager, Placement, Reader, Verdict, Visible, side_wager};

use crate::deals::{Deal, Judgement};

/// What decides a wager, and so how its odds are found.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DecidedBy {
    /// The player's two cards, the up card and at most the hole card.
    FirstCards,
    /// The first two cards of both hands of a Switch player.
    TwoHands,
    /// The dealer's complete hand.
    DealerHand,
    /// The dealer's complete hand, and whether the player has a blackjack.
    DealerHandAndBlackjack,
    /// The player's decisions as well: only whole rounds through the engine can tell.
    Play,
    /// A random draw; the cards have no say.
    Draw,
}

/// An offer with the stake that its odds are reckoned for.
#[derive(Clone, Copy, Debug)]
pub struct Judge<'a> {
    offer: &'a OfferedWager,
    game: Game,
    stake: Cents,
}

impl<'a> Judge<'a> {
    pub fn new(offer: &'a OfferedWager, game: Game, stake: Cents) -> Self {
        Self { offer, game, stake }
    }

    pub fn offer(&self) -> &'a OfferedWager {
        self.offer
    }

    pub fn game(&self) -> Game {
        self.game
    }

    pub fn stake(&self) -> Cents {
        self.stake
    }

    pub fn decided_by(&self) -> DecidedBy {
        match self.offer.side().dealer_hand {
            DealerHand::Needed => return DecidedBy::DealerHand,
            DealerHand::NeededOn20 => return DecidedBy::Play,
            DealerHand::NotNeeded => {}
        }
        match self.offer.placement() {
            Placement::RidesOn(base) if side_wager(base).is_some_and(|side| side.dealer_hand == DealerHand::Needed) => {
                return DecidedBy::DealerHandAndBlackjack;
            }
            Placement::RidesOn(_) | Placement::Chips | Placement::Sensor => {}
        }
        let any = |rank| Card::new(rank, Suit::Spades);
        let deal = Deal { first: [any(Rank::Two); 2], up: any(Rank::Nine), hole: Some(any(Rank::Seven)) };
        match self.verdict(deal) {
            Some(Verdict::NotYet) => DecidedBy::TwoHands,
            Some(Verdict::NeedsDraw) => DecidedBy::Draw,
            Some(Verdict::Lost | Verdict::Won { .. } | Verdict::NeedsWheel | Verdict::NeedsAmount) | None => {
                DecidedBy::FirstCards
            }
        }
    }

    /// What the engine would say of this deal at the wager's moment.
    pub fn first_cards(&self, deal: Deal) -> Judgement<Verdict> {
        match self.verdict(deal) {
            Some(verdict) => Judgement::Settled(self.settled(verdict)),
            None => Judgement::NeedsHole,
        }
    }

    pub fn two_hands(&self, first: [Card; 2], second: [Card; 2]) -> Verdict {
        // The up card is part of every view; these wagers do not look at it.
        let up = Card::new(Rank::Two, Suit::Clubs);
        let visible = Visible { second: Some(second), ..self.visible(first, up) };
        self.settled(self.offer.evaluate(&visible))
    }

    /// What the engine would say once the dealer's hand is complete.
    pub fn dealer_hand(&self, dealer: &[Card], blackjack: bool) -> Verdict {
        let [up, hole, ..] = *dealer else { unreachable!("a complete hand has two cards at least") };
        let any = Card::new(Rank::Two, Suit::Spades);
        let first = if blackjack {
            [Card::new(Rank::Ace, Suit::Spades), Card::new(Rank::King, Suit::Spades)]
        } else {
            [any; 2]
        };
        let visible = Visible {
            moment: Moment::DealerComplete,
            reader: reader(up, Some(hole)).unwrap_or(Reader::NotAsked),
            hole: Some(hole),
            dealer_hand: Some(dealer),
            ..self.visible(first, up)
        };
        self.settled(self.offer.evaluate(&visible))
    }

    /// The first answer that is not "not yet", asked at each of the wager's moments in turn; `NotYet` where even the last
    /// left it open. None where the next moment needs the hole card.
    fn verdict(&self, deal: Deal) -> Option<Verdict> {
        let dealer = [deal.up, deal.hole.unwrap_or(deal.up)];
        for moment in self.offer.moments() {
            let mut visible = Visible { moment: *moment, ..self.visible(deal.first, deal.up) };
            match moment {
                Moment::FirstCards => {
                    let asked = reader(deal.up, None).is_none();
                    visible.reader = if asked { Reader::Waiting } else { Reader::NotAsked };
                }
                Moment::AfterReader => visible.reader = reader(deal.up, deal.hole)?,
                Moment::Reveal => {
                    visible.reader = reader(deal.up, deal.hole)?;
                    visible.hole = Some(deal.hole?);
                }
                Moment::DealerComplete | Moment::TurnToBePaid => {
                    visible.reader = reader(deal.up, deal.hole)?;
                    visible.hole = Some(deal.hole?);
                    visible.dealer_hand = Some(&dealer);
                }
            }
            match self.offer.evaluate(&visible) {
                Verdict::NotYet => {}
                verdict @ (Verdict::Lost
                | Verdict::Won { .. }
                | Verdict::NeedsWheel
                | Verdict::NeedsDraw
                | Verdict::NeedsAmount) => return Some(verdict),
            }
        }
        Some(Verdict::NotYet)
    }

    fn visible(&self, first: [Card; 2], up: Card) -> Visible<'static> {
        Visible { stake: Some(self.stake), ..Visible::first_cards(self.game, first, up) }
    }

    /// Two lines in either order are one outcome.
    fn settled(&self, verdict: Verdict) -> Verdict {
        match verdict {
            Verdict::Won { line, second: Some(second) } if second < line => {
                Verdict::Won { line: second, second: Some(line) }
            }
            Verdict::Won { .. } | Verdict::Lost | Verdict::NeedsWheel => verdict,
            Verdict::NotYet | Verdict::NeedsDraw | Verdict::NeedsAmount => {
                unreachable!("{} left a deal open with every card and the stake known", self.offer.id())
            }
        }
    }
}

/// What the reader says; None where it would need the hole card to say it.
fn reader(up: Card, hole: Option<Card>) -> Option<Reader> {
    if !up.rank().is_ace() && !up.rank().is_ten_value() {
        return Some(Reader::NotAsked);
    }
    hole.map(|hole| if makes_blackjack(up, hole) { Reader::Yes } else { Reader::No })
}

fn makes_blackjack(one: Card, other: Card) -> bool {
    let ranks = (one.rank(), other.rank());
    (ranks.0.is_ace() && ranks.1.is_ten_value()) || (ranks.0.is_ten_value() && ranks.1.is_ace())
}
