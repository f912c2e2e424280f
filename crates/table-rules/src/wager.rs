//! The wagers of the four documents, by the ids that scripts, submissions and records use.

use std::fmt;
use std::str::FromStr;

macro_rules! wagers {
    ($($variant:ident => $id:literal, $title:literal, $short:literal;)*) => {
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

            /// The name as it is said at the table, where a line is short.
            pub const fn short_title(self) -> &'static str {
                match self { $(Self::$variant => $short,)* }
            }
        }
    };
}

wagers! {
    Main => "main", "main wager", "main bet";
    Insurance => "insurance", "Insurance", "insurance";
    AdditionalPayout => "additional-payout", "additional payout", "extra payout";
    MatchTheDealer => "match-the-dealer", "Match-the-Dealer", "Match-the-Dealer";
    MatchSuperBonus => "match-super-bonus", "Match Super Bonus", "Match Super Bonus";
    MatchUp => "match-up", "Match-Up", "Match-Up";
    MatchDown => "match-down", "Match-Down", "Match-Down";
    MonsterMatch => "monster-match", "Monster Match Progressive", "Monster Match";
    LuckyLadies => "lucky-ladies", "Lucky Ladies", "Lucky Ladies";
    InBetween => "in-between", "In Between", "In Between";
    RoyalMatch21 => "royal-match-21", "Royal Match 21", "Royal Match 21";
    BetTheSet21 => "bet-the-set-21", "Bet the Set 21", "Bet the Set 21";
    KingsBounty => "kings-bounty", "King's Bounty", "King's Bounty";
    SuperMatch => "super-match", "Super Match", "Super Match";
    BadBeat => "bad-beat", "Bad Beat Progressive", "Bad Beat";
    ThreeCardPoker => "three-card-poker", "Three Card Poker", "Three Card Poker";
    HitAndRun => "hit-and-run", "Hit and Run Progressive", "Hit and Run";
    HouseMoney => "house-money", "House Money", "House Money";
    LuckyLucky => "lucky-lucky", "Lucky Lucky", "Lucky Lucky";
    Super4 => "super-4", "Super 4 Progressive", "Super 4";
    MustHit => "must-hit", "Must Hit Progressive", "Must Hit";
    UpcardLuck21 => "upcard-luck-21", "Upcard Luck 21", "Upcard Luck 21";
    BusterBlackjack => "buster-blackjack", "Buster Blackjack", "Buster Blackjack";
    BusterBlackjackFreeBonus => "buster-blackjack-free-bonus", "Buster Blackjack Free Bonus", "Buster Free Bonus";
    BonusSpin => "bonus-spin", "Bonus Spin Progressive", "Bonus Spin";
    BonusSpinXtreme => "bonus-spin-xtreme", "Bonus Spin Xtreme Progressive", "Bonus Spin Xtreme";
    Blazing7s => "blazing-7s", "Blazing 7s Progressive", "Blazing 7s";
    LuckyAces => "lucky-aces", "Lucky Aces", "Lucky Aces";
    TwentyOnePlusThree => "21-plus-3", "21+3 Progressive", "21+3";
    Top3 => "top-3", "Top 3", "Top 3";
    Trilux => "trilux", "Trilux Bonus", "Trilux";
}

/// A wager as the pit says it: `main bet`, `Lucky Ladies bet`; what nobody bets has no such word behind it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bet(pub WagerId);

impl fmt::Display for Bet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.short_title())?;
        let said_whole = matches!(self.0, WagerId::Main | WagerId::Insurance | WagerId::AdditionalPayout);
        if said_whole { Ok(()) } else { f.write_str(" bet") }
    }
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

impl WagerId {
    /// What a recorded id is called at the table; the id itself where another version wrote it and this one has no name.
    pub fn said_of(id: &str) -> &str {
        match id.parse::<Self>() {
            Ok(wager) => wager.short_title(),
            Err(UnknownWager) => id,
        }
    }
}

impl FromStr for WagerId {
    type Err = UnknownWager;

    fn from_str(text: &str) -> Result<Self, UnknownWager> {
        Self::ALL.into_iter().find(|wager| wager.id() == text).ok_or(UnknownWager)
    }
}
