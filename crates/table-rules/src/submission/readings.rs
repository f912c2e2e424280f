//! Which readings touch a submission: `holecard check` prints them, so that an operator sees every place where the rules
//! needed a decision. The decisions themselves are in the readings document; a test compares the two lists.

use crate::game::Game;
use crate::table::Variation;
use crate::wager::WagerId;

use self::Touches::{AnyWager, Everywhere, Games, Plays, Unless, Wagers, WagersOf};

/// The version of the readings that this engine plays by.
pub const READINGS_VERSION: &str = "2";

/// What version 2 decides otherwise than version 1 did, for whoever still has a submission of that version.
pub(super) const CHANGED_SINCE_1: &[(&str, &str)] = &[
    ("S6", "the winner's payment of 12.C stands at the box that won"),
    ("B8", "a Switch blackjack whose pay no dealer card can change is paid at its box's turn"),
    ("O2", "community_pay has to be named"),
    ("H4", "first-card wagers and lost insurance are confirmed before another card, never implied by one"),
    ("H5", "the last confirmed line may be undone until the next card, decision, lock or peek of any round"),
    ("H12", "payments made before a void are listed, and a floorperson says whether they stand"),
    ("H15", "community_pay_to_own_boxes has to be answered where a player may have several boxes"),
    ("H18", "before the lock, wagers on sensor spots follow the sensors after a restart"),
    ("H20", "cards found face up and tens found are counted from one shuffle to the next"),
    ("H21", "a shoe that ran out is reshuffled after the round"),
    ("H22", "an unexpected number of torn tens is confirmed by a floorperson"),
    ("H23", "boxes that went short are told by their seat where cards are not tracked"),
    ("H24", "an exposed card is the next card, whatever asks for it"),
    ("H25", "a card that was asked for and forgotten is told as that, also after a double"),
    ("H26", "what returns a stake on one person's word is confirmed by a floorperson"),
    ("H27", "a card found at the burn, before the lock, is told and counted"),
    ("H28", "two people may reject a progressive win: nothing is paid, and its stake goes back"),
];

/// A reading that touches a submission.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Reading {
    pub id: &'static str,
    pub title: &'static str,
}

/// What makes a reading matter to a table.
#[derive(Clone, Copy, Debug)]
enum Touches {
    Everywhere,
    Games(&'static [Game]),
    Plays(Variation),
    Unless(Variation),
    AnyWager,
    Wagers(&'static [WagerId]),
    WagersOf(Game, &'static [WagerId]),
}

/// The readings that touch a table of this game and variation with these side wagers, in the order of the document.
pub(super) fn touching(game: Game, variation: Variation, wagers: &[WagerId]) -> Vec<Reading> {
    let offered = |ids: &[WagerId]| wagers.iter().any(|wager| ids.contains(wager));
    ALL.iter()
        .filter(|(_, touches)| match touches {
            Everywhere => true,
            Games(games) => games.contains(&game),
            Plays(this) => variation == *this,
            Unless(this) => variation != *this,
            AnyWager => !wagers.is_empty(),
            Wagers(ids) => offered(ids),
            WagersOf(this, ids) => game == *this && offered(ids),
        })
        .map(|(reading, _)| match (reading.id, variation) {
            // Switch has no surrender (B8), so nothing is said about one.
            ("S11", Variation::Switch) => Reading { title: "Split aces belong to the player", ..*reading },
            _ => *reading,
        })
        .collect()
}

const SISTER_GAMES: &[Game] = &[Game::Spanish21, Game::Pontoon21, Game::PlayersEdge21];

const PROGRESSIVES: &[WagerId] = &[
    WagerId::MonsterMatch,
    WagerId::BadBeat,
    WagerId::HitAndRun,
    WagerId::Super4,
    WagerId::MustHit,
    WagerId::BonusSpin,
    WagerId::BonusSpinXtreme,
    WagerId::Blazing7s,
    WagerId::TwentyOnePlusThree,
];

const fn row(id: &'static str, title: &'static str, touches: Touches) -> (Reading, Touches) {
    (Reading { id, title }, touches)
}

const ALL: &[(Reading, Touches)] = &[
    row("B1", "Blackjack borrows the sister games' round", Games(&[Game::Blackjack])),
    row("S2", "Insurance is for an ace", Games(SISTER_GAMES)),
    row("S3", "Surrender under the reader", Unless(Variation::Switch)),
    row("S5", "One bonus a hand", Games(SISTER_GAMES)),
    row("S6", "Three suited 7s: who is paid", Games(SISTER_GAMES)),
    row("S7", "How much insurance, and until when", Everywhere),
    row("S8", "Rounding", Everywhere),
    row("S9", "Split hands get no extra payouts", Games(SISTER_GAMES)),
    row("S10", "Ace and ten-value card on a split or switched hand", Everywhere),
    row("S11", "Surrender and split aces belong to the player", Everywhere),
    row("S12", "The reader fails, or was wrong", Everywhere),
    row("S13", "Payout limits are for posting", Everywhere),
    row("P1", "Seven cards making 21", Games(&[Game::PlayersEdge21])),
    row("P3", "$50 or $100 for the others", Games(&[Game::PlayersEdge21])),
    row("P4", "Rescue after a double-double", Games(&[Game::PlayersEdge21])),
    row("P8", "Player's Edge 21 hits soft 17", Games(&[Game::PlayersEdge21])),
    row("L1", "\"Dealer has 17\"", Everywhere),
    row("S1", "Slips in Chapter 5", Everywhere),
    row("P6", "Two sections U", Games(&[Game::PlayersEdge21])),
    row("P7", "What a reshuffling device is exempt from", Everywhere),
    row("B8", "Blackjack Switch", Plays(Variation::Switch)),
    row("B9", "The electronic game of 12.C", Games(&[Game::Blackjack])),
    row("B13", "Counting decks", Everywhere),
    row("B14", "Dealt from the hand", Plays(Variation::FromTheHand)),
    row("B15", "Double shoe", Plays(Variation::DoubleShoe)),
    row("B2", "Maximum payouts in blackjack", Wagers(&[WagerId::LuckyLadies, WagerId::KingsBounty])),
    row("B3", "13.H(4) skips a letter", Wagers(&[WagerId::Super4])),
    row("B4", "Odd rows in a Bonus Spin table", WagersOf(Game::Blackjack, &[WagerId::BonusSpin])),
    row(
        "B5",
        "Is ace-king-queen a straight?",
        Wagers(&[WagerId::ThreeCardPoker, WagerId::TwentyOnePlusThree, WagerId::Trilux]),
    ),
    row("B6", "Royal Match and Crown Treasure", Wagers(&[WagerId::RoyalMatch21])),
    row("B7", "\"To 1\" and \"for 1\"", AnyWager),
    row("B10", "Random bonuses come from outside", Wagers(&[WagerId::BadBeat, WagerId::MustHit])),
    row("B11", "When Super 4 looks at the cards", Wagers(&[WagerId::Super4])),
    row(
        "B12",
        "Wagers for which the dealer plays on",
        Wagers(&[WagerId::BusterBlackjack, WagerId::HitAndRun, WagerId::BadBeat]),
    ),
    row(
        "S4",
        "What matches",
        Wagers(&[WagerId::MatchTheDealer, WagerId::MatchSuperBonus, WagerId::MatchUp, WagerId::MatchDown]),
    ),
    row(
        "P2",
        "Match-Up, Match-Down, Monster Match",
        Wagers(&[WagerId::MatchUp, WagerId::MatchDown, WagerId::MonsterMatch]),
    ),
    row("P5", "Monster Match meter", Wagers(&[WagerId::MonsterMatch])),
    row("O1", "Two slips in Pontoon 21", WagersOf(Game::Pontoon21, &[WagerId::BonusSpin, WagerId::BonusSpinXtreme])),
    row("O2", "Bonus Spin and Bonus Spin Xtreme", Wagers(&[WagerId::BonusSpin, WagerId::BonusSpinXtreme])),
    row("W1", "In Between", Wagers(&[WagerId::InBetween])),
    row("W2", "Totals of 20", Wagers(&[WagerId::LuckyLadies, WagerId::KingsBounty])),
    row("W3", "House Money", Wagers(&[WagerId::HouseMoney])),
    row("W4", "Top 3", Wagers(&[WagerId::Top3])),
    row("W5", "Lucky Lucky", Wagers(&[WagerId::LuckyLucky])),
    row("W6", "Lucky Aces", Wagers(&[WagerId::LuckyAces])),
    row("W7", "Super 4", Wagers(&[WagerId::Super4])),
    row("W8", "Blazing 7s", Wagers(&[WagerId::Blazing7s])),
    row("W9", "Upcard Luck 21", Wagers(&[WagerId::UpcardLuck21])),
    row("W10", "Hit and Run", Wagers(&[WagerId::HitAndRun])),
    row(
        "W11",
        "Wagers tied to a number of decks",
        WagersOf(Game::Blackjack, &[WagerId::MatchTheDealer, WagerId::SuperMatch, WagerId::BetTheSet21]),
    ),
    row("W12", "Monster Match", Wagers(&[WagerId::MonsterMatch, WagerId::TwentyOnePlusThree, WagerId::Super4])),
    row(
        "W13",
        "Bad Beat and the $5.00 conditions",
        Wagers(&[WagerId::BadBeat, WagerId::BusterBlackjack, WagerId::BusterBlackjackFreeBonus, WagerId::BonusSpin]),
    ),
    row("W14", "Suited insurance", Games(&[Game::PlayersEdge21])),
    row("W15", "Three-card hands", Wagers(&[WagerId::ThreeCardPoker, WagerId::TwentyOnePlusThree])),
    row("W16", "The moments of settlement", AnyWager),
    row("X1", "Which meter value is paid", Wagers(PROGRESSIVES)),
    row("X2", "Which progressive wagers count", Wagers(PROGRESSIVES)),
    row("X3", "When contributions are booked, and taken back", Wagers(PROGRESSIVES)),
    row("X4", "Every meter balances", Wagers(PROGRESSIVES)),
    row("X5", "One spot, one stake", Everywhere),
    row("D1", "21 ends the hand", Everywhere),
    row("D2", "After a double", Games(SISTER_GAMES)),
    row("D3", "Counting splits", Everywhere),
    row("D4", "Doubling for less", Everywhere),
    row("D5", "Even money", Everywhere),
    row("D6", "Face-down double card", Games(&[Game::Blackjack])),
    row("D7", "The hole card is always shown", Everywhere),
    row("D8", "Turn of an early blackjack", Everywhere),
    row(
        "D9",
        "Meter lines in \"for 1\" tables",
        Wagers(&[WagerId::HitAndRun, WagerId::BadBeat, WagerId::Super4, WagerId::Blazing7s]),
    ),
    row("D10", "Two wagers, two tables", Wagers(&[WagerId::MatchUp, WagerId::MatchDown])),
    row("D11", "Bad Beat details", Wagers(&[WagerId::BadBeat])),
    row("D12", "Order within a box", AnyWager),
    row(
        "D13",
        "Losers that wait",
        Wagers(&[
            WagerId::MatchDown,
            WagerId::MonsterMatch,
            WagerId::BadBeat,
            WagerId::HitAndRun,
            WagerId::BusterBlackjack,
        ]),
    ),
    row("D14", "Naming the wheel", Wagers(&[WagerId::BonusSpin, WagerId::BonusSpinXtreme])),
    row("H1", "A hand over 21 is collected at once", Everywhere),
    row("H2", "Words that come after their card", Everywhere),
    row("H3", "Posted limits and chips", Everywhere),
    row("H4", "Lines are confirmed, by word or by moving on", Everywhere),
    row("H5", "How far back one may go", Everywhere),
    row("H6", "Tables whose cards are not tracked", Everywhere),
    row("H7", "The submission is read strictly", Everywhere),
    row("H8", "Variations belong to Blackjack", Everywhere),
    row("H9", "Closing", Everywhere),
    row("H10", "Who cuts when the first one declines", Everywhere),
    row("H11", "Spins and claims", Everywhere),
    row("H12", "What a void round gives back", Everywhere),
    row("H13", "A dead hand beside a live one", Plays(Variation::Switch)),
    row("H14", "Variations are played with tracked cards", Games(&[Game::Blackjack])),
    row("H15", "Community Pay goes to other people", Wagers(&[WagerId::BonusSpin, WagerId::BonusSpinXtreme])),
    row("H16", "Cards that lie face down when a hand goes over 21", Plays(Variation::FromTheHand)),
    row("H17", "A reader that was wrong is out of service", Everywhere),
    row("H18", "A restart changes nothing", Everywhere),
    row("H19", "One side of a double shoe counts", Plays(Variation::DoubleShoe)),
    row("H20", "Cards found in the shoe are counted by shoe", Games(SISTER_GAMES)),
    row("H21", "A shoe that ran out is reshuffled after the round", Everywhere),
    row("H22", "How many tens are torn", Games(SISTER_GAMES)),
    row("H23", "A box that went short where cards are not tracked", Everywhere),
    row("H24", "An exposed card is the next card, whatever asks for it", Everywhere),
    row("H25", "A card that was asked for and forgotten", Everywhere),
    row("H26", "What returns a stake on one person's word", Everywhere),
    row("H27", "A card found before the wagers are locked", Everywhere),
    row("H28", "A progressive win that is not validated", Wagers(PROGRESSIVES)),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_and_the_document_have_the_same_readings_under_the_same_titles() {
        let document = include_str!("../../../../docs/rules/readings.md");
        let written: Vec<(&str, &str)> =
            document.lines().filter_map(|line| line.strip_prefix("### ")?.split_once(" — ")).collect();
        let listed: Vec<(&str, &str)> = ALL.iter().map(|(reading, _)| (reading.id, reading.title)).collect();
        assert_eq!(listed, written);
    }

    #[test]
    fn the_list_of_changes_names_what_the_document_says_has_changed() {
        let document = include_str!("../../../../docs/rules/readings.md");
        let from = document.find("- Version 2 changed ").expect("the document says what changed");
        let sentence = document[from..].split_once(". ").expect("in one sentence").0;
        let ids = ALL.iter().map(|(reading, _)| reading.id);
        let words: Vec<&str> = sentence.split(|letter: char| !letter.is_ascii_alphanumeric()).collect();
        let written: Vec<&str> = ids.clone().filter(|id| words.contains(id)).collect();
        let mut listed: Vec<&str> = CHANGED_SINCE_1.iter().map(|(id, _)| *id).collect();
        listed.sort_by_key(|id| ids.clone().position(|each| each == *id));
        assert_eq!(listed, written);
        // The project's own readings were those up to H19 in version 1: whatever came after them is new.
        let added = ids.filter(|id| id.strip_prefix('H').is_some_and(|number| number.parse::<u8>().unwrap_or(0) > 19));
        assert!(added.clone().all(|id| listed.contains(&id)), "{:?}", added.collect::<Vec<_>>());
    }

    #[test]
    fn readings_follow_the_game_the_variation_and_the_wagers() {
        let ids = |game, variation, wagers: &[WagerId]| {
            touching(game, variation, wagers).into_iter().map(|reading| reading.id).collect::<Vec<_>>()
        };
        let blackjack = ids(Game::Blackjack, Variation::Standard, &[]);
        assert!(blackjack.contains(&"B1") && !blackjack.contains(&"P8") && !blackjack.contains(&"B8"));
        assert!(!blackjack.contains(&"W16"), "no side wagers, no moments");
        let switch = ids(Game::Blackjack, Variation::Switch, &[]);
        assert!(switch.contains(&"B8") && !switch.contains(&"S3"), "Switch has no surrender (B8)");
        assert!(blackjack.contains(&"S3"));
        let pontoon = ids(Game::Pontoon21, Variation::Standard, &[WagerId::BonusSpin]);
        assert!(["O1", "O2", "X1", "W16"].iter().all(|id| pontoon.contains(id)) && !pontoon.contains(&"B4"));
    }
}
