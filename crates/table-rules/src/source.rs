//! Where a word comes from: every prompt, refusal and settlement line names a clause or a reading.
//!
//! The engine's phases speak of a [`Point`] of procedure; this module alone knows which id that point has in each
//! document. Blackjack's Chapter 7 stops early, so most of its points of procedure cite reading B1.

use std::fmt;
use std::hash::{Hash, Hasher};

use crate::game::Game;

/// A clause (`spanish-21 7.M`) or reading (`blackjack B1`) that something rests on.
///
/// Every event, order and line carries one, so that it is a small number: the game in the lowest two bits, above them
/// the place of a [`Point`] or, beyond those, in the list of clauses and readings. Whoever shows it asks for its words.
#[derive(Clone, Copy)]
pub struct Source(u16);

/// The pinned list: a game and an id on each line.
const CLAUSE_LINES: &str = include_str!("../clauses/ids.txt");
const READINGS: &str = include_str!("../../../docs/rules/readings.md");
/// What an id stands after, and what ends it.
const CLAUSE: (&str, u8) = ("\t", b'\n');
const READING: (&str, u8) = ("\n### ", b' ');

/// The ids of all clauses, line by line, and of all readings: worked out when this is compiled.
static CLAUSES: [&str; count(CLAUSE_LINES, CLAUSE.0)] = ids(CLAUSE_LINES, CLAUSE);
static READING_IDS: [&str; count(READINGS, READING.0)] = ids(READINGS, READING);

const _: () = assert!(Point::IDS.len() + CLAUSES.len() + READING_IDS.len() < (1 << (u16::BITS - GAME_BITS)));

const fn stands_at(text: &[u8], at: usize, mark: &[u8]) -> bool {
    let mut i = 0;
    while i < mark.len() {
        if at + i >= text.len() || text[at + i] != mark[i] {
            return false;
        }
        i += 1;
    }
    true
}

const fn count(text: &str, mark: &str) -> usize {
    let (mut at, mut found) = (0, 0);
    while at < text.len() {
        if stands_at(text.as_bytes(), at, mark.as_bytes()) {
            found += 1;
        }
        at += 1;
    }
    found
}

const fn ids<const N: usize>(text: &'static str, (mark, end): (&str, u8)) -> [&'static str; N] {
    let bytes = text.as_bytes();
    let mut ids = [""; N];
    let (mut at, mut found) = (0, 0);
    while at < bytes.len() {
        if stands_at(bytes, at, mark.as_bytes()) {
            let from = at + mark.len();
            let mut to = from;
            while to < bytes.len() && bytes[to] != end && bytes[to] != b'\n' {
                to += 1;
            }
            ids[found] = text.split_at(to).0.split_at(from).1;
            found += 1;
        }
        at += 1;
    }
    ids
}

impl Source {
    /// Any clause or reading. Looks its id up, which is for what is prepared once or seldom said; the engine's own words
    /// come from a [`Point`].
    ///
    /// # Panics
    /// Where the game has no such clause and there is no such reading: every id is written in this program or in the
    /// paytables that are part of it.
    pub fn new(game: Game, id: &str) -> Self {
        let Some(source) = Self::find(game, id) else { panic!("{game} {id} is neither a clause nor a reading") };
        source
    }

    /// The same for an id that is read from a file.
    pub(crate) fn find(game: Game, id: &str) -> Option<Self> {
        let point = || Point::IDS.iter().position(|ids| ids[game as usize] == id);
        let clause = || {
            let games = CLAUSE_LINES.lines().map(|line| line.split('\t').next().unwrap_or_default());
            let of_game = games.zip(&CLAUSES).position(|(name, clause)| name == game.id() && *clause == id);
            of_game.map(|place| Point::IDS.len() + place)
        };
        let reading = || {
            let place = READING_IDS.iter().position(|reading| *reading == id)?;
            Some(Point::IDS.len() + CLAUSES.len() + place)
        };
        let place = u16::try_from(point().or_else(clause).or_else(reading)?).ok()?;
        Some(Self(place << GAME_BITS | game as u16))
    }

    pub const fn game(self) -> Game {
        Game::ALL[(self.0 & ((1 << GAME_BITS) - 1)) as usize]
    }

    /// The point that was cited, where the engine cited one: it tells apart what one clause says of several.
    pub(crate) fn point(self) -> Option<Point> {
        Point::ALL.get(usize::from(self.0 >> GAME_BITS)).copied()
    }

    /// The ids of what an order that rests on this does besides.
    pub fn besides(self) -> impl Iterator<Item = &'static str> {
        let with = self.point().and_then(|point| BESIDES.iter().find(|(each, _)| *each == point));
        with.into_iter().flat_map(|(_, points)| *points).map(move |point| point.id(self.game()))
    }

    pub fn id(self) -> &'static str {
        let place = usize::from(self.0 >> GAME_BITS);
        match Point::IDS.get(place) {
            Some(ids) => ids[self.game() as usize],
            None => {
                let place = place - Point::IDS.len();
                CLAUSES.get(place).copied().unwrap_or_else(|| READING_IDS[place - CLAUSES.len()])
            }
        }
    }
}

const GAME_BITS: u32 = 2;

/// Two points may cite the same clause.
impl PartialEq for Source {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0 || (self.game() == other.game() && self.id() == other.id())
    }
}

impl Eq for Source {}

impl Hash for Source {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.game(), self.id()).hash(state);
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.game(), self.id())
    }
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Source").field("game", &self.game()).field("id", &self.id()).finish()
    }
}

macro_rules! points {
    ($($(#[$doc:meta])* $point:ident: $bj:literal $sp:literal $po:literal $pe:literal;)*) => {
        /// A point of procedure that the engine cites.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[repr(u8)]
        pub enum Point { $($(#[$doc])* $point,)* }

        impl Point {
            pub const ALL: &[Self] = &[$(Self::$point,)*];

            /// The id of this point in each game, in the order of [`Game::ALL`].
            const IDS: &'static [[&'static str; 4]] = &[$([$bj, $sp, $po, $pe],)*];
        }
    };
}

/// What an order does besides the point that it rests on: its words carry these clauses too.
const BESIDES: &[(Point, &[Point])] = &[
    (Point::SpreadCards, &[Point::SpreadInFans]),
    (Point::IdleInspection, &[Point::IdleTable]),
    (Point::ShuffleCards, &[Point::OneStack]),
    (Point::SwapBatches, &[Point::IdleDevice, Point::BatchNotSpread]),
    (Point::CutOrder, &[Point::OfferStack]),
    (Point::CutByFirstPlayer, &[Point::OfferStack, Point::CutOrder]),
    (Point::CutAtCoverCard, &[Point::OfferStack, Point::CutOrder]),
    (Point::CutAfterDealer, &[Point::OfferStack, Point::CutOrder]),
    (Point::CutGoesOnAfterDealer, &[Point::OfferStack, Point::CutOrder]),
    (Point::CutAfterFloor, &[Point::OfferStack, Point::CutOrder]),
    (Point::CutGoesOnAfterFloor, &[Point::OfferStack, Point::CutOrder]),
    (Point::CutGoesOn, &[Point::OfferStack, Point::CutOrder]),
    (Point::RecutBy, &[Point::OfferStack, Point::CutOrder]),
    (Point::CoverDepth, &[Point::TopToBottom]),
    (Point::LoadAfterRecut, &[Point::LoadShoe]),
];

impl Point {
    #[inline]
    pub fn id(self, game: Game) -> &'static str {
        Self::IDS[self as usize][game as usize]
    }

    #[inline]
    pub const fn source(self, game: Game) -> Source {
        Source((self as u16) << GAME_BITS | game as u16)
    }
}

// Columns: blackjack, spanish-21, pontoon-21, players-edge-21.
points! {
    // Chapter 2: what the layout and the sign say.
    InscribedThreeToTwo: "2.B(3)(a)" "2.B(3)(a)" "2.B(3)(a)" "2.B(3)(a)";
    InscribedSixToFive: "2.B(3)(b)" "2.B(3)(a)" "2.B(3)(a)" "2.B(3)(a)";
    InscribedInsurance: "2.B(3)(b)#2" "2.B(3)(b)" "2.B(3)(b)" "2.B(3)(b)";
    InscribedSwitch: "2.B(5)" "H8" "H8" "H8";
    PostedOdds: "2.B(6)(a)" "2.B(6)(a)" "2.B(6)(a)" "2.B(5)(a)";
    PostedLimit: "2.B(6)(b)" "2.B(6)(b)" "2.B(6)(b)" "2.B(5)(b)";
    PostedSign: "2.B(7)" "2.B(6)(b)" "2.B(6)(b)" "2.B(6)";
    DoubledHandsSign: "B1" "2.B(5)" "2.B(5)" "10.G";
    // Chapter 6: wagers.
    PlaceWagers: "6.A" "6.A" "6.A" "6.A";
    SpokenWager: "6.B" "6.B" "6.B" "6.B";
    MidShoeEntry: "6.C" "6.C" "6.C" "6.C";
    WagersBeforeFirstCard: "6.D" "6.D" "6.D" "6.D";
    WagersUntouched: "6.E" "6.E" "6.E" "6.E";
    MainWagerFirst: "6.F" "6.F" "6.F" "6.F";
    OptionalWagers: "6.G" "6.G" "6.G" "6.G";
    AdjacentBoxes: "6.H" "6.H" "6.H" "6.H";
    TableLimits: "H3" "H3" "H3" "H3";
    SensorLitAtLock: "X2" "X2" "X2" "X2";
    Positions: "2.A" "2.A" "2.A" "2.A";
    // Chapter 2: equipment, which the controller watches.
    ReaderInspection: "2.G" "2.F" "2.F" "2.G";
    PositionTakesWager: "2.C(2)" "X2" "2.B(7)(a)" "2.C(2)";
    PositionAcknowledges: "2.C(3)" "X2" "2.B(8)(a)" "2.C(3)";
    LockOut: "2.C(4)" "X2" "2.B(7)(b)" "2.C(4)";
    // Chapter 7: the deal.
    BurnAfterBatch: "7.B(3)" "7.B(3)" "7.B(3)" "7.B(3)";
    BurnForNewDealer: "7.B(4)" "7.B(4)" "7.B(4)" "7.B(4)";
    CoverCard: "7.D" "7.C" "7.C" "7.C";
    Reshuffle: "7.E" "7.D" "7.D" "7.D";
    DealFirstCards: "B1" "7.E(1)" "7.E(1)" "7.E(1)";
    DealUpCard: "B1" "7.E(2)" "7.E(2)" "7.E(2)";
    DealSecondCards: "B1" "7.E(3)" "7.E(3)" "7.E(3)";
    DealHoleCard: "B1" "7.E(4)" "7.E(4)" "7.E(4)";
    StrayTen: "3.E" "13.C" "13.C" "13.C";
    SettleFirstCardWagers: "B1" "7.F" "7.F" "7.F";
    AfterFirstCardWagers: "B1" "7.G" "7.G" "7.G";
    // Chapter 8: insurance.
    OfferInsurance: "8.B" "8.A" "8.A" "8.A";
    InsuranceOnAceOnly: "8.B" "S2" "S2" "S2";
    InsuranceAtMostHalf: "8.A" "8.B" "8.B" "8.B";
    InsuranceClosed: "8.A(2)" "8.D" "8.D" "8.D";
    InsuranceLost: "8.D" "8.F" "8.F" "8.F";
    InsurancePays: "13.A(3)" "12.A(3)" "12.A(3)" "12.A(3)";
    InsurancePaysSuited: "13.A(3)" "12.A(3)" "12.A(3)" "12.A(4)";
    EvenMoney: "8.E(1)" "8.A" "8.A" "8.A";
    EvenMoneyPays: "8.E(2)" "8.A" "8.A" "8.A";
    EvenMoneyNotOffered: "8.F" "8.A" "8.A" "8.A";
    AmountAsked: "X5" "X5" "X5" "X5";
    // The reader.
    Peek: "B1" "7.G(2)" "7.G(2)" "7.G(2)";
    PeekUpCards: "14.K" "13.P" "13.P" "13.P";
    DealerBlackjack: "B1" "7.G(3)" "7.G(3)" "7.G(3)";
    ReaderMalfunction: "14.L" "13.Q" "13.Q" "13.Q";
    ReaderWrong: "S12" "S12" "S12" "S12";
    // Player blackjacks and decisions.
    BlackjackOnLowUpCard: "B1" "7.H(1)(a)" "7.H(1)(a)" "7.H(1)(a)";
    BlackjackAfterNo: "B1" "7.H(1)(b)" "7.H(1)(b)" "7.H(1)(b)(i)";
    BlackjackStaysOnLowUpCard: "B1" "7.H(1)(a)" "7.H(1)(a)" "7.H(1)(a)(i)";
    BlackjackStaysAfterNo: "B1" "7.H(1)(b)" "7.H(1)(b)" "7.H(1)(b)(ii)";
    Decide: "B1" "7.H(2)" "7.H(2)" "7.H(2)";
    DecisionOrder: "B1" "7.H" "7.H" "7.H";
    Stand: "B1" "7.H(2)(d)" "7.H(2)(d)" "7.H(2)(e)";
    Draw: "B1" "7.H(2)(e)" "7.H(2)(e)" "7.H(2)(f)";
    DealRequestedCards: "B1" "7.I" "7.I" "7.I";
    TwentyOneStands: "D1" "7.J" "7.J" "7.J";
    HitLate: "H2" "H2" "H2" "H2";
    // Chapter 9: surrender.
    Surrender: "9.A" "9.A" "9.A" "9.A";
    SurrenderFirst: "9.B" "9.B" "9.B" "9.B";
    SurrenderAtOnce: "9.C(1)" "9.C(1)" "9.C(1)" "9.C(1)";
    SurrenderWaits: "9.C(2)" "9.C(2)" "9.C(2)" "9.C(2)";
    SurrenderHalf: "9.C(2)" "9.C(2)(b)" "9.C(2)(b)" "9.C(2)(b)";
    SurrenderLost: "9.C(2)" "9.C(2)(a)" "9.C(2)(a)" "9.C(2)(a)";
    HouseRestriction: "S11" "S11" "S11" "S11";
    SplitHandMayNotSurrender: "D3" "D3" "D3" "D3";
    // Chapter 10: doubles.
    Double: "10.A" "10.A" "10.A" "10.A";
    DoubleOnTheseCards: "10.A" "10.B" "10.B" "10.B";
    DoubleAtMostOriginal: "10.A(1)" "10.A" "10.A" "10.A";
    DoubleForLess: "D4" "D4" "D4" "10.L";
    OneCardOnly: "10.A(2)" "10.C" "10.C" "10.C";
    DoubleCardDown: "10.C" "10.D" "10.D" "10.D";
    Redouble: "B1" "10.A" "10.A" "10.J";
    RedoubleOffered: "B1" "10.A" "10.A" "10.I";
    ThreeDoubles: "B1" "10.C" "10.C" "10.K";
    Rescue: "B1" "10.H" "10.H" "10.H";
    RescueAfterRedouble: "B1" "10.H" "10.H" "P4";
    DoubleAgainstBlackjack: "10.B" "10.E" "10.E" "10.E";
    // Chapter 11: splits.
    Split: "11.A" "11.A" "11.A" "11.A";
    SplitHandsInTurn: "11.B" "11.B" "11.B" "11.B";
    SplitDecision: "11.C" "11.C" "11.C" "11.C";
    SplitsAtMost: "11.D" "11.D" "11.D" "11.D";
    SplitAgainstBlackjack: "11.E" "11.E" "11.E" "11.E";
    // The dealer's hand.
    Reveal: "B1" "7.L(1)" "7.L(1)" "7.L(1)";
    DealerDraws: "B1" "7.M" "7.M" "7.M";
    DealerMayNotDraw: "B1" "7.N" "7.N" "7.N";
    // Settlement.
    BustCollected: "H1" "H1" "H1" "H1";
    Tied: "B1" "7.P" "7.P" "7.Q";
    LostToBlackjack: "B1" "7.Q" "7.Q" "7.R";
    CollectThenPay: "B1" "7.R(1)" "7.R(1)" "7.S(1)";
    PayAndCollect: "B1" "7.R(2)" "7.R(2)" "7.S(2)";
    LosersToInventory: "B1" "7.S" "7.S" "7.T";
    Discard: "B1" "7.T" "7.T" "7.U";
    PaysEven: "13.A(1)" "12.A(1)" "12.A(1)" "12.A(1)";
    PaysBlackjackThreeToTwo: "13.A(2)(a)" "12.A(2)" "12.A(2)" "12.A(2)";
    PaysBlackjackSixToFive: "13.A(2)(b)" "12.A(2)" "12.A(2)" "12.A(2)";
    Bonus678Mixed: "B1" "12.B(1)" "12.B(1)" "12.B(1)";
    Bonus678Suited: "B1" "12.B(2)" "12.B(2)" "12.B(2)";
    Bonus678Top: "B1" "12.B(3)" "12.B(3)" "12.B(3)";
    Bonus777Mixed: "B1" "12.B(4)" "12.B(4)" "12.B(4)";
    Bonus777Suited: "B1" "12.B(5)" "12.B(5)" "12.B(5)";
    Bonus777Top: "B1" "12.B(6)" "12.B(6)" "12.B(6)";
    BonusFiveCards: "B1" "12.B(7)" "12.B(7)" "12.B(7)";
    BonusSixCards: "B1" "12.B(8)" "12.B(8)" "12.B(8)";
    BonusSevenCards: "B1" "12.B(9)" "12.B(9)" "12.B(9)";
    BonusNotOnDoubles: "B1" "12.B" "12.B" "12.B";
    AdditionalSmall: "B1" "12.C(1)" "12.C(1)" "12.C(1)";
    AdditionalLarge: "B1" "12.C(2)" "12.C(2)" "12.C(2)";
    AdditionalOthers: "B1" "12.C(3)" "12.C(3)" "12.C(3)";
    AdditionalOthersWithSeven: "B1" "12.C(3)" "12.C(3)" "12.C(4)";
    OnePersonOnePayment: "S6" "S6" "S6" "S6";
    // Side wagers and meters.
    SettleOtherWagers: "W16" "W16" "W16" "7.O";
    ShareOfMaximum: "13.K" "S13" "S13" "S13";
    ContributionsAtLock: "X3" "X3" "X3" "X3";
    WheelDecides: "13.Q(4)#2" "O2" "12.D(5)" "O2";
    XtremeWheelDecides: "O2" "O2" "12.E(2)" "O2";
    RandomDraws: "B10" "B10" "B10" "B10";
    ClaimsFit: "W16" "W16" "W16" "W16";
    VerifyHand: "X1" "X1" "X1" "7.O(1)(a)";
    VerifyLamp: "X1" "X1" "X1" "7.O(1)(b)";
    FloorValidates: "X1" "X1" "X1" "7.O(1)(c)";
    JackpotPaid: "X3" "X3" "X3" "X3";
    NotValidated: "H28" "H28" "H28" "H28";
    // The table's life.
    OpenTable: "4.A" "4.A" "4.A" "4.A";
    CloseTable: "H9" "H9" "H9" "H9";
    ReceiveDecks: "4.A" "4.A" "4.A" "4.A";
    Preinspected: "4.I" "4.G" "4.G" "4.G";
    DecksInUse: "3.A" "3.A" "3.A" "3.A";
    DealerInspects: "4.A" "4.A" "4.A" "4.A";
    TensRemoved: "4.A" "4.B" "4.B" "4.B";
    TensCounted: "4.A" "H22" "H22" "H22";
    SpreadSides: "4.F" "H8" "H8" "H8";
    WashSides: "4.G" "H8" "H8" "H8";
    BatchesApart: "4.H" "H8" "H8" "H8";
    SwapBatches: "5.I(2)(a)" "5.I(2)(a)" "5.I(2)(a)" "5.I(2)(a)";
    SpreadCards: "4.B" "4.C" "4.C" "4.C";
    SpreadInFans: "4.C" "4.D" "4.D" "4.D";
    PlayerInspects: "4.D" "4.E" "4.E" "4.E";
    WashCards: "4.D" "4.E" "4.E" "4.E";
    ShuffleCards: "5.A" "5.A" "5.A" "5.A";
    OneStack: "5.A(1)" "5.A(1)" "5.A(1)" "5.A(1)";
    OfferStack: "5.B" "5.B" "5.B" "5.B";
    OfferCut: "5.C" "5.C" "5.C" "5.C";
    CutOrder: "5.D" "5.D" "5.D" "5.D";
    CutByFirstPlayer: "5.D(1)" "5.D(1)" "5.D(1)" "5.D(1)";
    CutAtCoverCard: "5.D(2)" "5.D(2)" "5.D(2)" "5.D(2)";
    CutAfterDealer: "5.D(3)" "5.D(3)" "5.D(3)" "5.D(3)";
    CutGoesOnAfterDealer: "5.D(4)" "5.D(4)" "5.D(4)" "5.D(4)";
    CutAfterFloor: "5.D(5)" "5.D(5)" "5.D(5)" "5.D(5)";
    CutGoesOnAfterFloor: "5.D(6)" "5.D(6)" "5.D(6)" "5.D(6)";
    CutGoesOn: "H10" "H10" "H10" "H10";
    CutDepth: "5.E" "5.E" "5.E" "5.E";
    TopToBottom: "5.E(1)" "5.E(1)" "5.E(1)" "5.E(1)";
    CoverDepth: "5.E(2)" "5.E(2)" "5.E(2)" "5.E(2)";
    LoadShoe: "5.E(3)" "5.E(3)" "5.E(3)" "5.E(3)";
    Recut: "5.F" "5.F" "5.F" "5.F";
    RecutBy: "5.F(1)" "5.F(1)" "5.F(1)" "5.F(1)";
    LoadAfterRecut: "5.F(2)" "5.F(2)" "5.F(2)" "5.F(2)";
    FloorReshuffle: "5.G" "5.G" "5.G" "5.G";
    IdleInspection: "5.I" "5.I" "5.I" "5.I";
    IdleWash: "5.I(1)" "5.I(1)" "5.I(1)" "5.I(1)";
    IdleDevice: "5.I(2)" "5.I(2)" "5.I(2)" "5.I(2)";
    BatchNotSpread: "5.I(2)(b)" "5.I(2)(b)" "5.I(2)(b)" "5.I(2)(b)";
    BatchDecks: "3.B(1)" "3.A" "3.A" "3.A";
    SideDecks: "3.C" "3.A" "3.A" "3.A";
    IdleTable: "5.H" "5.H" "5.H" "5.H";
    TwoBatches: "3.B(4)" "3.A" "3.A" "3.A";
    DecksChanged: "3.D" "3.C" "3.C" "3.C";
    MidShoePermit: "6.C(1)" "6.C(1)" "6.C(1)" "6.C(1)";
    // Irregularities.
    SecondFaceUp: "14.A" "13.B" "13.B" "13.B";
    TenTorn: "3.E" "13.C" "13.C" "13.C";
    SecondTen: "3.E" "13.D" "13.D" "13.D";
    AcceptExposed: "14.C" "13.F" "13.F" "13.F";
    ExposedRefused: "14.C(1)" "13.G" "13.G" "13.G";
    ExposedDiscarded: "14.C(2)" "13.H" "13.H" "13.H";
    ShortShoe: "14.F(1)" "13.K" "13.K" "13.K";
    ShortShoeBurn: "14.F(2)" "13.L" "13.L" "13.L";
    NoCardsDead: "14.G" "13.M" "13.M" "13.M";
    SecondCardRefused: "14.H" "13.N" "13.N" "13.N";
    MissedCardLater: "14.J" "13.O" "13.O" "13.O";
    MissedCardComes: "14.J(1)" "13.O(1)" "13.O(1)" "13.O(1)";
    MissedCardDead: "14.J(2)" "13.O(2)" "13.O(2)" "13.O(2)";
    ShufflerJam: "14.M" "13.R" "13.R" "13.R";
    ShufflerOutOfOrder: "14.N" "13.S" "13.S" "13.S";
    // Blackjack's variations.
    SwitchCards: "12.A(4)(a)" "H8" "H8" "H8";
    SwitchEvenMoney: "12.A(5)(a)" "H8" "H8" "H8";
    SwitchAlwaysEven: "B8" "H8" "H8" "H8";
    SwitchTiesBlackjack: "12.A(5)(b)" "H8" "H8" "H8";
    SwitchedLost: "12.A(5)(c)" "H8" "H8" "H8";
    SwitchedTied: "12.A(5)(d)" "H8" "H8" "H8";
    Against22: "12.A(5)(e)" "H8" "H8" "H8";
    FaceDownFirstCards: "12.B(7)(a)" "H8" "H8" "H8";
    FaceDownUpCard: "12.B(7)(b)" "H8" "H8" "H8";
    FaceDownSecondCards: "12.B(7)(c)" "H8" "H8" "H8";
    FaceDownHoleCard: "12.B(7)(d)" "H8" "H8" "H8";
    FaceDownDecision: "12.B(9)" "H8" "H8" "H8";
    BurnEachRound: "12.B(7)" "H8" "H8" "H8";
    TakeIntoHand: "12.B(3)" "H8" "H8" "H8";
    TurnForDecision: "12.B(10)(a)" "H8" "H8" "H8";
    ShowBust: "12.B(10)(b)" "H8" "H8" "H8";
    TurnAllCards: "12.B(14)" "H8" "H8" "H8";
    ReshuffleSide: "7.E(2)" "H8" "H8" "H8";
    Determinant: "7.C(1)" "H8" "H8" "H8";
    DeterminantFits: "7.C(2)" "H8" "H8" "H8";
    DeterminantAside: "7.C(3)" "H8" "H8" "H8";
    WrongSide: "14.I" "H8" "H8" "H8";
    // The table's own discipline.
    ConfirmFirst: "H4" "H4" "H4" "H4";
    UndoReach: "H5" "H5" "H5" "H5";
    VoidReturnsWagers: "14.K(1)" "13.P(1)" "13.P(1)" "13.P(1)";
    VoidGivesBack: "H12" "H12" "H12" "H12";
    FoundBeforeWagers: "H27" "H27" "H27" "H27";
    OnOnePersonsWord: "H26" "H26" "H26" "H26";
    ProcedureSteps: "H6" "H6" "H6" "H6";
    VariationsTracked: "H14" "H14" "H14" "H14";
    FloorAction: "S12" "S12" "S12" "S12";
    Restart: "H18" "H18" "H18" "H18";
}

impl Point {
    /// Whether the game has this at all. Where it has not, the id says what a refusal rests on.
    pub const fn is_of(self, game: Game) -> bool {
        match game {
            Game::PlayersEdge21 => true,
            Game::Spanish21 | Game::Pontoon21 => !self.is_of_double_double(),
            Game::Blackjack => !(self.is_of_double_double() || self.is_of_the_sister_games()),
        }
    }

    const fn is_of_double_double(self) -> bool {
        matches!(self, Self::Redouble | Self::RedoubleOffered | Self::ThreeDoubles | Self::RescueAfterRedouble)
    }

    const fn is_of_the_sister_games(self) -> bool {
        matches!(
            self,
            Self::DoubledHandsSign
                | Self::Rescue
                | Self::Bonus678Mixed
                | Self::Bonus678Suited
                | Self::Bonus678Top
                | Self::Bonus777Mixed
                | Self::Bonus777Suited
                | Self::Bonus777Top
                | Self::BonusFiveCards
                | Self::BonusSixCards
                | Self::BonusSevenCards
                | Self::BonusNotOnDoubles
                | Self::AdditionalSmall
                | Self::AdditionalLarge
                | Self::AdditionalOthers
                | Self::AdditionalOthersWithSeven
                | Self::OnePersonOnePayment
        )
    }
}

#[cfg(test)]
mod tests;
