//! The wagers of the four documents, by the ids that scripts, submissions and records use.

use std::fmt;
use std::str::FromStr;

macro_rules! wagers {
    ($($variant:ident => $id:literal, $title:literal;)*) => {
        /// A wager that the documents authorise, or a payment that is settled like one (`additional-payout`).
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        pub enum WagerId { $($variant,)* }

        impl WagerId {
            pub const ALL: [Self; WagerId::COUNT] = [$(Self::$variant,)*];
            pub const COUNT: usize = [$($id,)*].len();

            pub const fn id(self) -> &'static str {
                match self { $(Self::$variant => $id,)* }
            }

            /// The name on the felt or the sign.
            pub const fn title(self) -> &'static str {
                match self { $(Self::$variant => $title,)* }
            }
        }
    };
}

wagers! {
    Main => "main", "main wager";
    Insurance => "insurance", "Insurance";
    AdditionalPayout => "additional-payout", "additional payout";
    MatchTheDealer => "match-the-dealer", "Match-the-Dealer";
    MatchSuperBonus => "match-super-bonus", "Match Super Bonus";
    MatchUp => "match-up", "Match-Up";
    MatchDown => "match-down", "Match-Down";
    MonsterMatch => "monster-match", "Monster Match Progressive";
    LuckyLadies => "lucky-ladies", "Lucky Ladies";
    InBetween => "in-between", "In Between";
    RoyalMatch21 => "royal-match-21", "Royal Match 21";
    BetTheSet21 => "bet-the-set-21", "Bet the Set 21";
    KingsBounty => "kings-bounty", "King's Bounty";
    SuperMatch => "super-match", "Super Match";
    BadBeat => "bad-beat", "Bad Beat Progressive";
    ThreeCardPoker => "three-card-poker", "Three Card Poker";
    HitAndRun => "hit-and-run", "Hit and Run Progressive";
    HouseMoney => "house-money", "House Money";
    LuckyLucky => "lucky-lucky", "Lucky Lucky";
    Super4 => "super-4", "Super 4 Progressive";
    MustHit => "must-hit", "Must Hit Progressive";
    UpcardLuck21 => "upcard-luck-21", "Upcard Luck 21";
    BusterBlackjack => "buster-blackjack", "Buster Blackjack";
    BusterBlackjackFreeBonus => "buster-blackjack-free-bonus", "Buster Blackjack Free Bonus";
    BonusSpin => "bonus-spin", "Bonus Spin Progressive";
    BonusSpinXtreme => "bonus-spin-xtreme", "Bonus Spin Xtreme Progressive";
    Blazing7s => "blazing-7s", "Blazing 7s Progressive";
    LuckyAces => "lucky-aces", "Lucky Aces";
    TwentyOnePlusThree => "21-plus-3", "21+3 Progressive";
    Top3 => "top-3", "Top 3";
    Trilux => "trilux", "Trilux Bonus";
}

impl fmt::Display for WagerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

/// Not a wager id.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownWager;

impl fmt::Display for UnknownWager {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unknown wager id")
    }
}

impl std::error::Error for UnknownWager {}

impl FromStr for WagerId {
    type Err = UnknownWager;

    fn from_str(text: &str) -> Result<Self, UnknownWager> {
        Self::ALL.into_iter().find(|wager| wager.id() == text).ok_or(UnknownWager)
    }
}
