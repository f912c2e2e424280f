//! Irregularities: Chapter 13 of the sister games, Chapter 14 of Blackjack. What can go wrong at a table, by its clause,
//! and whether it can have happened now. What follows from it is in `irregular_steps` and `found`.

use super::Engine;
use super::state::{Ask, DealStep, Phase, Rest};
use crate::card::{Card, Rank, Suit};
use crate::game::{Direction, Game};
use crate::input::{InputKind, Text, UpGroup};
use crate::refusal::{Reason, Refusal};
use crate::seat::Seat;
use crate::source::{Point, Source};
use crate::table::{ReaderKind, Shuffler, Tracking};

/// What can go wrong at the table, by what it is; the clause depends on the game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Irregular {
    FaceUpInShoe,
    SecondFaceUpInShoe,
    TenInShoe,
    SecondTenInShoe,
    DrawnUnexposed,
    DrawnExposed,
    DealerDrewOn17,
    DealerMissedOwnCard,
    ShoeRanOut,
    NoCardDealt,
    OneCardDealt,
    RequestedCardMissed,
    WrongShoeSide,
    ReaderOnWrongUpCard,
    ReaderMalfunction,
    ShufflerJam,
    ShufflerOutOfOrder,
}

impl Irregular {
    pub const ALL: [Self; 17] = [
        Self::FaceUpInShoe,
        Self::SecondFaceUpInShoe,
        Self::TenInShoe,
        Self::SecondTenInShoe,
        Self::DrawnUnexposed,
        Self::DrawnExposed,
        Self::DealerDrewOn17,
        Self::DealerMissedOwnCard,
        Self::ShoeRanOut,
        Self::NoCardDealt,
        Self::OneCardDealt,
        Self::RequestedCardMissed,
        Self::WrongShoeSide,
        Self::ReaderOnWrongUpCard,
        Self::ReaderMalfunction,
        Self::ShufflerJam,
        Self::ShufflerOutOfOrder,
    ];

    /// Blackjack's clause and the sister games' clause; `None` where a document has none.
    const fn clauses(self) -> (Option<&'static str>, Option<&'static str>) {
        match self {
            Self::FaceUpInShoe => (Some("14.A"), Some("13.A")),
            Self::SecondFaceUpInShoe => (None, Some("13.B")),
            Self::TenInShoe => (None, Some("13.C")),
            Self::SecondTenInShoe => (None, Some("13.D")),
            Self::DrawnUnexposed => (Some("14.B"), Some("13.E")),
            Self::DrawnExposed => (Some("14.C"), Some("13.F")),
            Self::DealerDrewOn17 => (Some("14.D"), Some("13.I")),
            Self::DealerMissedOwnCard => (Some("14.E"), Some("13.J")),
            Self::ShoeRanOut => (Some("14.F"), Some("13.K")),
            Self::NoCardDealt => (Some("14.G"), Some("13.M")),
            Self::OneCardDealt => (Some("14.H"), Some("13.N")),
            Self::RequestedCardMissed => (Some("14.J"), Some("13.O")),
            Self::WrongShoeSide => (Some("14.I"), None),
            Self::ReaderOnWrongUpCard => (Some("14.K"), Some("13.P")),
            Self::ReaderMalfunction => (Some("14.L"), Some("13.Q")),
            Self::ShufflerJam => (Some("14.M"), Some("13.R")),
            Self::ShufflerOutOfOrder => (Some("14.N"), Some("13.S")),
        }
    }

    pub const fn clause(self, game: Game) -> Option<&'static str> {
        let (blackjack, sisters) = self.clauses();
        match game {
            Game::Blackjack => blackjack,
            Game::Spanish21 | Game::Pontoon21 | Game::PlayersEdge21 => sisters,
        }
    }

    pub fn of_clause(game: Game, clause: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.clause(game) == Some(clause))
    }
}

/// What becomes of the cards after a void round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum AfterVoid {
    PlayOn,
    Reshuffle,
    DecksOut,
}

impl Engine {
    /// What becomes of the cards: at the end of the round, or at once where none is played.
    pub(super) fn cards_leave_play(&mut self, after: AfterVoid) {
        match after {
            AfterVoid::PlayOn => {}
            AfterVoid::Reshuffle => self.now.between.cover_seen = true,
            AfterVoid::DecksOut => self.now.between.decks_out = true,
        }
    }
}

/// An irregularity as it was told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Reported {
    pub(super) kind: Irregular,
    pub(super) seat: Option<Seat>,
    pub(super) card: Option<Card>,
    pub(super) attested: bool,
}

impl Engine {
    pub(super) fn clause(&self, kind: Irregular) -> Source {
        Source::new(self.table.game, kind.clause(self.table.game).unwrap_or("13.A"))
    }

    fn refuse_irregular<T>(&self, kind: Irregular, reason: Reason) -> Result<T, Refusal> {
        Err(Refusal { reason, source: self.clause(kind) })
    }

    /// Whether this irregularity can have happened now, as told. The handler and the offers both ask here.
    pub(super) fn check_irregular(
        &self,
        clause: Text,
        seat: Option<Seat>,
        card: Option<Card>,
        attested: bool,
    ) -> Result<Reported, Refusal> {
        let Some(kind) = Irregular::of_clause(self.table.game, clause.as_str()) else {
            return self.refuse(Reason::NoSuchIrregularity, self.due());
        };
        let told = Reported { kind, seat, card, attested };
        if self.tracking == Tracking::Procedure && needs_cards(kind) {
            return self.refuse_irregular(kind, Reason::WrongTracking(InputKind::Irregularity));
        }
        if self.can_have_happened(&told)? {
            Ok(told)
        } else {
            self.refuse_irregular(kind, Reason::NotNow(InputKind::Irregularity))
        }
    }

    /// Whether some irregularity could be told now, with the right particulars.
    pub(super) fn an_irregularity_is_possible(&self) -> bool {
        // A card that flows can always be the wrong one; before the lock none has flowed yet. A reader can nearly always fail.
        let flows = self.next_place().is_some() && !matches!(self.now.phase, Phase::Wagering);
        flows || self.could_be_told(Irregular::ReaderMalfunction) || self.possible_irregularities().next().is_some()
    }

    /// The irregularities that could be told now, with the right particulars.
    pub fn possible_irregularities(&self) -> impl Iterator<Item = Irregular> {
        Irregular::ALL.into_iter().filter(|&kind| self.could_be_told(kind))
    }

    fn could_be_told(&self, kind: Irregular) -> bool {
        let unknown = kind.clause(self.table.game).is_none();
        if unknown || (self.tracking == Tracking::Procedure && needs_cards(kind)) {
            return false;
        }
        let cards = [None, Some(Card::new(Rank::Ace, Suit::Spades))];
        let mut seats = self.now.in_play.iter(Direction::FromLeft).map(Some).chain([None]);
        seats.any(|seat| {
            cards
                .iter()
                .any(|&card| self.can_have_happened(&Reported { kind, seat, card, attested: true }).unwrap_or(false))
        })
    }

    /// X3: a jackpot that was paid in this round blocks a void without a manager.
    fn void_is_blocked(&self) -> bool {
        self.jackpots_paid() > 0 && !self.now.manager_approved
    }

    /// Whether the floorperson's answer that is due would void the round.
    pub(super) fn floor_answer_is_blocked(&self) -> bool {
        let Phase::Irregularity(ask) = self.now.phase else { return false };
        let voids = match ask {
            Ask::FloorTearsTen => self.now.between.found.tens > 0,
            Ask::FloorNotified => self.table.reader == ReaderKind::VisibleToPlayers,
            Ask::SecondCard(..) | Ask::MissedCard(_) | Ask::Shuffle | Ask::Cut | Ask::Burn => false,
        };
        voids && self.void_is_blocked()
    }

    fn can_have_happened(&self, told: &Reported) -> Result<bool, Refusal> {
        let kind = told.kind;
        let phase = self.now.phase;
        // The first card out of the shoe closes the wagers (X2): before the lock only the burn can have gone wrong (H27).
        let card_flows = self.next_place().is_some() && !matches!(phase, Phase::Wagering);
        let second = kind == Irregular::SecondFaceUpInShoe
            || (kind == Irregular::FaceUpInShoe
                && self.now.between.found.face_up > 0
                && self.table.game.is_sister_game());
        if second && card_flows && self.void_is_blocked() {
            return self.refuse(Reason::JackpotPaid, Point::JackpotPaid);
        }
        Ok(match kind {
            Irregular::FaceUpInShoe | Irregular::SecondFaceUpInShoe => card_flows || self.burn_card_may_be_found(),
            Irregular::DrawnUnexposed => card_flows,
            Irregular::TenInShoe | Irregular::SecondTenInShoe => {
                if told.card.is_some_and(|card| card.rank() != Rank::Ten) {
                    return self.refuse_irregular(kind, Reason::NotATen);
                }
                card_flows || self.burn_card_may_be_found()
            }
            Irregular::DrawnExposed => {
                let Some(card) = told.card else { return self.refuse_irregular(kind, Reason::TellTheCard) };
                self.check_in_deck(card)?;
                self.a_card_may_lie_exposed(told)
            }
            Irregular::DealerDrewOn17 => {
                let Some(card) = told.card else { return self.refuse_irregular(kind, Reason::TellTheCard) };
                self.check_in_deck(card)?;
                // L1: any total at which this game's dealer stands; a bust hand or one kept by 7.N is none.
                let (total, soft) = (self.now.dealer.total(), self.now.dealer.is_soft());
                matches!(phase, Phase::Settlement | Phase::AskAdditional | Phase::TurnCards | Phase::Wheel(_))
                    && self.now.dealer.len() > 1
                    && total <= 21
                    && !self.dealer_draws_to(total, soft)
            }
            Irregular::DealerMissedOwnCard => {
                matches!(phase, Phase::Dealing(DealStep::UpCard | DealStep::HoleCard)) && !self.now.missed_up_card
            }
            Irregular::ShoeRanOut => card_flows,
            Irregular::NoCardDealt => {
                self.may_be_short_of_cards(told.seat)
                    || matches!(phase, Phase::Dealing(DealStep::First(seat, 0)) if Some(seat) == told.seat)
            }
            Irregular::OneCardDealt if self.tracking == Tracking::Procedure => self.may_be_short_of_cards(told.seat),
            Irregular::OneCardDealt => {
                // In Switch the hand is the one whose card is due. It can be passed over once.
                matches!(phase, Phase::Dealing(DealStep::Second(seat, hand)) if Some(seat) == told.seat
                    && !self.now.box_at(seat).hands[usize::from(hand)].second_late)
            }
            Irregular::RequestedCardMissed => {
                let Some(seat) = told.seat else { return self.refuse_irregular(kind, Reason::TellTheSeat) };
                if let Err((reason, point)) = self.gets_cards(seat) {
                    return self.refuse(reason, point);
                }
                self.missed_hand(seat).is_some()
            }
            Irregular::WrongShoeSide => self.now.side.is_some() && !self.now.wrong_side,
            Irregular::ReaderOnWrongUpCard => {
                self.now.up == Some(UpGroup::Low)
                    && matches!(
                        phase,
                        Phase::FirstCards | Phase::Decisions | Phase::BustCards | Phase::Reveal | Phase::Procedure(_)
                    )
            }
            Irregular::ReaderMalfunction => {
                let nothing_to_stop = matches!(
                    phase,
                    Phase::Resting(_) | Phase::ReaderStopped | Phase::Settlement | Phase::Irregularity(_)
                );
                !nothing_to_stop && !self.now.between.reader_out
            }
            Irregular::ShufflerJam => {
                if self.table.shuffler == Shuffler::ByHand {
                    return self.refuse_irregular(kind, Reason::NoShuffler);
                }
                // The device works on its batch while rounds are played.
                let at_work = !matches!(phase, Phase::Resting(_) | Phase::Irregularity(_));
                let shuffling = matches!(phase, Phase::Resting(Rest::Shuffle)) || self.reshoe_shuffle();
                !self.now.between.shuffler_out && (at_work || shuffling)
            }
            Irregular::ShufflerOutOfOrder => {
                if !told.attested {
                    return self.refuse_irregular(kind, Reason::AttestCoverOrSign);
                }
                self.table.shuffler != Shuffler::ByHand
                    && !self.now.between.shuffler_out
                    && (matches!(phase, Phase::Wagering | Phase::Resting(_)) || self.reshoe_shuffle())
            }
        })
    }

    /// 13.P(2) / 14.K(2): nobody can have learnt the hole card, so play goes on.
    pub(super) fn hidden_peek(&self) -> Source {
        let id = if self.table.game.is_sister_game() { "13.P(2)" } else { "14.K(2)" };
        Source::new(self.table.game, id)
    }

    fn reshoe_shuffle(&self) -> bool {
        matches!(self.now.phase, Phase::Irregularity(Ask::Shuffle))
    }
}

/// Irregularities that only make sense where every card is known.
fn needs_cards(kind: Irregular) -> bool {
    match kind {
        Irregular::DrawnExposed
        | Irregular::DealerDrewOn17
        | Irregular::DealerMissedOwnCard => true,
        Irregular::FaceUpInShoe
        | Irregular::SecondFaceUpInShoe
        | Irregular::TenInShoe
        | Irregular::SecondTenInShoe
        | Irregular::DrawnUnexposed
        | Irregular::ShoeRanOut
        // A box that went short is told by its seat (H23).
        | Irregular::NoCardDealt
        | Irregular::OneCardDealt
        | Irregular::RequestedCardMissed
        | Irregular::WrongShoeSide
        | Irregular::ReaderOnWrongUpCard
        | Irregular::ReaderMalfunction
        | Irregular::ShufflerJam
        | Irregular::ShufflerOutOfOrder => false,
    }
}
