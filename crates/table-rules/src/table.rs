//! A playable table: a rules submission that has been checked. Only `submission` makes one from an operator's file.

use std::fmt;

use crate::game::Game;
use crate::money::{Cents, Ratio, Rounding};
use crate::side::{OfferedTable, OfferedWager};
use crate::source::{Point, Source};

/// Everything the engine needs to know of the operator's choices. Cheap to copy around by reference; never changes
/// while a table is open.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    pub game: Game,
    /// The text that this table was approved for; none for a table that was not made from a file.
    pub approved: Option<ApprovedText>,
    /// Blackjack's Chapter 12 and 7.C; the sister games have none.
    pub variation: Variation,
    /// Asked only of a Switch table (B8).
    pub switch_rules: SwitchRules,
    /// The side of a double shoe that hearts and diamonds call for; spades and clubs call for the other (7.C(1)(b)).
    pub red_suits_side: ShoeSide,
    pub shuffler: Shuffler,
    /// Decks in the shoe (B13).
    pub decks: u8,
    /// Betting positions, 1 to the game's most (2.A).
    pub positions: u8,
    /// Blackjack's required option; the sister games' rules fix it (7.M, P8).
    pub soft_17: Soft17,
    pub blackjack_pays: BlackjackPays,
    /// 8.E/8.F: a player blackjack under an ace may be paid even money.
    pub even_money: bool,
    /// Every split of a box counts; 3 makes four hands (D3).
    pub max_splits: u8,
    pub max_ace_splits: u8,
    pub restrictions: HouseRestrictions,
    /// players-edge-21 10.I.
    pub double_double: bool,
    pub settlement: Settlement,
    /// Boxes one person may play (6.H).
    pub adjacent_boxes: u8,
    pub smallest_chip: Cents,
    /// Which way amounts go that the chips cannot make (S8).
    pub rounding: Rounding,
    pub limits: Limits,
    /// 6.C: who sits out a round waits for the reshuffle.
    pub no_mid_shoe_entry: bool,
    pub reader: ReaderKind,
    /// The payout limit a hand that the layout or sign posts (2.B); never applied (S13).
    pub posted_payout_limit: Option<Cents>,
    pub seven_card_21: SevenCard21,
    /// S12: whether a round whose peek is done may finish with a dead reader.
    pub finish_after_peek: bool,
    /// The side wagers on offer, in the order in which those of one box settle (D12).
    pub wagers: Vec<OfferedWager>,
}

/// Offers are alike where the submission said the same of them; what the program knows of a wager follows from its id.
impl PartialEq for OfferedWager {
    fn eq(&self, other: &Self) -> bool {
        let tables = |offer: &Self| -> Vec<_> {
            let ids = |table: &OfferedTable| {
                (table.table.id, table.community.map(|community| community.id), table.prize.clone())
            };
            offer.tables().map(ids).collect()
        };
        self.id() == other.id()
            && tables(self) == tables(other)
            && self.options() == other.options()
            && self.stakes() == other.stakes()
            && (self.min_stake(), self.max_stake(), self.spots())
                == (other.min_stake(), other.max_stake(), other.spots())
            && self.meters() == other.meters()
            && self.every_n_rounds() == other.every_n_rounds()
            && self.random_source() == other.random_source()
            && self.jackpot_threshold() == other.jackpot_threshold()
    }
}

impl Eq for OfferedWager {}

/// Which approved text a submission was made for: the operator's record, checked for form and kept as written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ApprovedText {
    pub title: String,
    /// When the operator's rules were approved; the documents themselves carry no date.
    pub date: Option<ApprovalDate>,
    pub sha256: [u8; 32],
}

/// A day of the calendar, checked to exist.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ApprovalDate {
    pub year: u16,
    pub month: u8,
    pub day: u8,
}

/// How a blackjack table departs from the usual game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Variation {
    Standard,
    /// 12.A, B8: two equal wagers, two hands, their second cards may change places.
    Switch,
    /// 12.B, B14: player cards face down, no shoe.
    FromTheHand,
    /// 7.C, B15: a determinant card chooses the side.
    DoubleShoe,
}

impl Variation {
    /// 7.B(3): the first card of a batch that was placed in the shoe is burnt. A double shoe has a determinant card
    /// instead (7.C), and from the hand a card is burnt before every round (12.B(7)).
    pub const fn burns_after_batch(self) -> bool {
        match self {
            Self::Standard | Self::Switch => true,
            Self::FromTheHand | Self::DoubleShoe => false,
        }
    }

    /// What a round of this variation turns on that only the cards can tell, so that it is not played without following
    /// them (H14).
    const fn only_cards_tell(self) -> Option<&'static str> {
        match self {
            Self::Standard => None,
            Self::Switch => Some("Switch has two hands a box"),
            Self::FromTheHand => Some("dealt from the hand, cards count from when they are turned"),
            Self::DoubleShoe => Some("the determinant card of a double shoe names the side"),
        }
    }

    /// What a round is dealt from, of so many decks in the shoe: one side of a double shoe (H19), else all of them.
    pub const fn decks_dealt_from(self, decks: u8) -> u8 {
        match self {
            Self::DoubleShoe => decks / 2,
            Self::Standard | Self::Switch | Self::FromTheHand => decks,
        }
    }
}

/// The two places where Switch as printed and Switch as usually published differ (B8).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct SwitchRules {
    pub blackjack: SwitchBlackjack,
    pub unswitched_against_22: UnswitchedAgainst22,
}

impl SwitchRules {
    /// Once the dealer has no blackjack, nothing that is drawn changes what an unswitched blackjack is paid.
    pub(crate) const fn blackjack_is_fixed(self) -> bool {
        matches!(self.blackjack, SwitchBlackjack::EvenMoney)
            && matches!(self.unswitched_against_22, UnswitchedAgainst22::Win)
    }
}

/// What a Switch table pays on an unswitched blackjack.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum SwitchBlackjack {
    /// 1 to 1 against a dealer's 21 in three or more cards, else the table's own odds.
    #[default]
    AsPrinted,
    EvenMoney,
}

/// What an unswitched blackjack does against a dealer's 22.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum UnswitchedAgainst22 {
    #[default]
    Tie,
    Win,
}

/// A side of the double shoe, as the dealer sees it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum ShoeSide {
    Left,
    Right,
}

impl ShoeSide {
    pub const fn other(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }

    /// 0 for the left side, 1 for the right.
    pub const fn index(self) -> usize {
        match self {
            Self::Left => 0,
            Self::Right => 1,
        }
    }
}

/// How the cards get shuffled; it decides how many batches there are (blackjack 3.B) and what Chapter 5 asks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Shuffler {
    ByHand,
    /// An automated device that shuffles one batch while the other is in play.
    Batch,
    /// An automated device that the discards go back into, round after round (P7).
    Continuous,
}

/// What the dealer does with a soft 17.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Soft17 {
    Stands,
    Hits,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BlackjackPays {
    ThreeToTwo,
    SixToFive,
}

impl BlackjackPays {
    #[inline]
    pub const fn ratio(self) -> Ratio {
        match self {
            Self::ThreeToTwo => Ratio::new(3, 2),
            Self::SixToFive => Ratio::new(6, 5),
        }
    }

    #[inline]
    pub const fn point(self) -> Point {
        match self {
            Self::ThreeToTwo => Point::PaysBlackjackThreeToTwo,
            Self::SixToFive => Point::PaysBlackjackSixToFive,
        }
    }
}

/// What a submission takes from the players against S11; `check` warns of each.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct HouseRestrictions {
    pub no_surrender: bool,
    pub one_card_to_split_aces: bool,
}

/// The two procedures of 7.R (players-edge-21 7.S).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Settlement {
    CollectThenPay,
    PayAndCollectFromRight,
}

impl Settlement {
    #[inline]
    pub const fn point(self) -> Point {
        match self {
            Self::CollectThenPay => Point::CollectThenPay,
            Self::PayAndCollectFromRight => Point::PayAndCollect,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Limits {
    pub minimum: Cents,
    pub maximum: Cents,
}

/// Whether the reader in use could show a player the hole card (13.P, blackjack 14.K).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ReaderKind {
    HiddenFromPlayers,
    VisibleToPlayers,
}

/// P1: what 12.B(9) of players-edge-21 means by seven cards.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SevenCard21 {
    OrMore,
    Exactly,
}

/// How closely the system follows the cards.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Tracking {
    /// Every card is known; hands, totals and payouts are computed.
    Cards,
    /// The steps of 7.E to 7.U as a list; cards and decisions are not tracked.
    Procedure,
}

/// The table cannot be played at this tracking level (H14).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TrackingRefused {
    why: &'static str,
    source: Source,
}

impl TrackingRefused {
    pub const fn source(&self) -> Source {
        self.source
    }

    pub const fn remedy(&self) -> &'static str {
        "track the cards, or leave the variation out of the submission"
    }
}

impl fmt::Display for TrackingRefused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: that is known only where cards are tracked [{}]", self.why, self.source)
    }
}

impl std::error::Error for TrackingRefused {}

impl Table {
    /// Whether this table can be played at this tracking level. Whoever brings a table and a level together asks here
    /// first: the engine takes no other pair.
    pub fn check_tracking(&self, tracking: Tracking) -> Result<(), TrackingRefused> {
        match (tracking, self.variation.only_cards_tell()) {
            (Tracking::Cards, _) | (Tracking::Procedure, None) => Ok(()),
            (Tracking::Procedure, Some(why)) => {
                Err(TrackingRefused { why, source: Point::VariationsTracked.source(self.game) })
            }
        }
    }

    /// A table with the usual choices: the shipped examples say the same in a file. For tests and documentation.
    pub fn usual(game: Game) -> Self {
        Self {
            game,
            approved: None,
            variation: Variation::Standard,
            switch_rules: SwitchRules::default(),
            red_suits_side: ShoeSide::Left,
            shuffler: Shuffler::ByHand,
            decks: 6,
            positions: game.positions_max(),
            soft_17: match game {
                Game::Blackjack | Game::Spanish21 | Game::Pontoon21 => Soft17::Stands,
                Game::PlayersEdge21 => Soft17::Hits,
            },
            blackjack_pays: BlackjackPays::ThreeToTwo,
            even_money: matches!(game, Game::Blackjack),
            max_splits: 3,
            max_ace_splits: 3,
            restrictions: HouseRestrictions::default(),
            double_double: matches!(game, Game::PlayersEdge21),
            settlement: Settlement::CollectThenPay,
            adjacent_boxes: 3,
            smallest_chip: Cents(50),
            rounding: Rounding::Up,
            limits: Limits { minimum: Cents::dollars(1), maximum: Cents::dollars(1000) },
            no_mid_shoe_entry: false,
            reader: ReaderKind::HiddenFromPlayers,
            posted_payout_limit: None,
            seven_card_21: SevenCard21::OrMore,
            finish_after_peek: false,
            wagers: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_usual_round_is_played_without_tracking_cards() {
        for game in Game::ALL {
            assert_eq!(Table::usual(game).check_tracking(Tracking::Procedure), Ok(()));
        }
        for variation in [Variation::Switch, Variation::FromTheHand, Variation::DoubleShoe] {
            let table = Table { variation, ..Table::usual(Game::Blackjack) };
            assert_eq!(table.check_tracking(Tracking::Cards), Ok(()));
            let refused = table.check_tracking(Tracking::Procedure).map_err(|refused| refused.source().to_string());
            assert_eq!(refused, Err("blackjack H14".to_owned()));
        }
    }
}
