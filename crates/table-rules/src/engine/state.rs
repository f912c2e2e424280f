//! The state of a round. Plain data of fixed size: no method here decides anything about the rules.

use crate::card::{Card, Rank, Suit};
use crate::event::Place;
use crate::hand::Hand;
use crate::input::{Answer, UpGroup};
use crate::line::{Line, Stake};
use crate::meter::Meter;
use crate::seat::{SEATS_MAX, Seat, SeatSet};
use crate::side::{Moment, Spin};
use crate::table::ShoeSide;

/// Hands one box can come to: `max_splits` is at most 7.
pub(crate) const HANDS_MAX: usize = 8;

/// Side wagers a table can offer at once: one bit each in a box's masks.
pub(crate) const SIDE_MAX: usize = 32;

/// What stands between rounds: all that a new round starts from, and all that an undo rebuilds from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Between {
    /// Rounds begun at this table; the current one's number while it is played.
    pub(crate) round: u64,
    pub(crate) burns: Burns,
    /// Boxes that sat out a round of this shoe (6.C).
    pub(crate) sat_out: SeatSet,
    /// The cover card has appeared, or a void asks for it: reshuffle after this round.
    pub(crate) cover_seen: bool,
    /// Where the table stands while no round is played.
    pub(crate) rest: Rest,
    /// Who is offered the cut, and who has refused it (5.D).
    pub(crate) cut: CutState,
    /// Blackjack's two batches alternate (3.B(4)): which one is next.
    pub(crate) batch: u8,
    /// Minutes since some midnight, as far as anybody has told.
    pub(crate) clock: Option<u32>,
    /// When the decks in use came to the table (3.C; blackjack 3.D).
    pub(crate) decks_since: Option<u32>,
    /// The shuffler is covered or has its sign up (13.S; blackjack 14.N).
    pub(crate) shuffler_out: bool,
    /// The table has had no activity and is being brought back (5.H, 5.I).
    pub(crate) idle: bool,
    /// Sides of a double shoe whose cover card has appeared, one bit each (7.E(2)).
    pub(crate) covers: u8,
    /// Sides of a double shoe that wait for their cut and cover card, one bit each.
    pub(crate) sides_to_cut: u8,
    /// Sides of a double shoe that were shuffled last and go into the shoe together, one bit each.
    pub(crate) sides_shuffled: u8,
    /// The decks leave the table after this round (13.D).
    pub(crate) decks_out: bool,
    /// The reader failed and is not repaired yet (13.Q; blackjack 14.L).
    pub(crate) reader_out: bool,
}

/// Where a table rests between rounds: the steps of Chapters 4 and 5.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) enum Rest {
    Closed,
    Receive,
    DealerInspects,
    FloorVerifies,
    TensRemoved,
    Spread,
    PlayerInspects,
    Wash,
    Shuffle,
    Cut,
    PlaceCover,
    Load,
    /// Open for wagers.
    Open,
}

/// The offer of the cut.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct CutState {
    /// The seat it is offered to first; `None`: the one farthest to the right.
    pub(crate) start: Option<Seat>,
    /// Seats with players.
    pub(crate) seated: SeatSet,
    pub(crate) refused: SeatSet,
}

impl CutState {
    /// 5.D(1): the game is just beginning; the first player is not known yet.
    pub(crate) const fn first_player() -> Self {
        Self { start: None, seated: SeatSet::EMPTY, refused: SeatSet::EMPTY }
    }
}

/// What an irregularity's clause waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ask {
    /// Does the player whose turn it is take the exposed card? (13.F, 13.G)
    AcceptExposed,
    /// Does this player want the second card of this hand now? (13.N)
    SecondCard(Seat, u8),
    /// Does this player want the missed card later, or a dead hand? (13.O)
    MissedCard(Seat),
    /// A floorperson tears the ten (13.C).
    FloorTearsTen,
    /// A floorperson is told of the insertion (13.P).
    FloorNotified,
    /// The shoe ran out: shuffle, cut and burn the discards (13.K, 13.L).
    Shuffle,
    Cut,
    Burn,
}

/// The cards that have to be burnt before the next card to a player; each burn takes one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Burns {
    /// A table joined in mid-life: whether the batch's first card was burnt is not known.
    pub(crate) unknown: bool,
    pub(crate) batch: bool,
    pub(crate) each_round: bool,
    pub(crate) new_dealer: bool,
}

impl Burns {
    pub(crate) const NONE: Self = Self { unknown: false, batch: false, each_round: false, new_dealer: false };

    #[inline]
    pub(crate) const fn next(self) -> BurnDue {
        if self.batch {
            BurnDue::Batch
        } else if self.each_round {
            BurnDue::EachRound
        } else if self.new_dealer {
            BurnDue::NewDealer
        } else if self.unknown {
            BurnDue::MayBe
        } else {
            BurnDue::No
        }
    }

    /// Whether a card has to be burnt, and not only may be.
    #[inline]
    pub(crate) const fn are_required(self) -> bool {
        self.batch | self.each_round | self.new_dealer
    }

    /// One card was burnt.
    pub(crate) fn one_less(&mut self) {
        match self.next() {
            BurnDue::Batch => self.batch = false,
            BurnDue::EachRound => self.each_round = false,
            BurnDue::NewDealer => self.new_dealer = false,
            BurnDue::MayBe => self.unknown = false,
            BurnDue::No => {}
        }
    }
}

/// The next burn that is due before a card goes to a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BurnDue {
    No,
    /// A table joined in mid-life: whether the batch's first card was burnt is not known, so it may be.
    MayBe,
    /// A batch went into the shoe: its first card is burnt (7.B(3)).
    Batch,
    /// Dealt from the hand: one card before every round (blackjack 12.B(7)).
    EachRound,
    NewDealer,
}

/// A round in play.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) between: Between,
    pub(crate) phase: Phase,
    /// Boxes with a main wager.
    pub(crate) in_play: SeatSet,
    /// Boxes whose spoken wager lies there as cash (6.B).
    pub(crate) cash: SeatSet,
    /// For each box, the boxes of the same person (itself included once linked).
    pub(crate) links: [SeatSet; SEATS_MAX],
    pub(crate) boxes: [BoxState; SEATS_MAX],
    pub(crate) dealer: Hand,
    pub(crate) up: Option<UpGroup>,
    pub(crate) answer: Option<Answer>,
    pub(crate) unread_count: u8,
    pub(crate) insurance_closed: bool,
    pub(crate) turn: Turn,
    /// Boxes whose turn to act is still to come.
    pub(crate) to_act: SeatSet,
    pub(crate) late: Option<LateCard>,
    pub(crate) persons_asked: bool,
    /// Lines of this round in the order they fell due; the first `confirmed` of them are done.
    pub(crate) lines: Vec<Line>,
    pub(crate) confirmed: usize,
    /// Some line of this round needs an approval.
    pub(crate) approvals: bool,
    /// How far the current line's approval has come.
    pub(crate) walk: Walk,
    /// The last moment at which side wagers were asked.
    pub(crate) moment: Moment,
    /// Boxes with a side wager whose unknown amount decides something (X5).
    pub(crate) asked: SeatSet,
    pub(crate) wheel: Option<WheelDue>,
    pub(crate) draws: Draws,
    /// A manager let a round be voided although a jackpot was paid (X3).
    pub(crate) manager_approved: bool,
    /// Where the round goes on after an irregularity or a repaired reader.
    pub(crate) held: Phase,
    pub(crate) reader_failed_in_play: bool,
    /// A card drawn in error and seen (13.F).
    pub(crate) exposed: Option<Card>,
    pub(crate) face_up_found: u8,
    pub(crate) tens_found: u8,
    pub(crate) missed_up_card: bool,
    /// Boxes with one card that may have their second after the others (13.N); Switch has two hands a box.
    pub(crate) second_later: [SeatSet; 2],
    /// Boxes whose requested card comes after all others (13.O).
    pub(crate) deferred: SeatSet,
    /// Where the cover card appeared in this round (5.D).
    pub(crate) cover_at: Option<Place>,
    /// The side that this round is dealt from (7.C).
    pub(crate) side: Option<ShoeSide>,
    /// The progressive meters, wager by wager. They outlive the round.
    pub(crate) meters: Vec<Meter>,
}

/// The steps before a progressive win is paid.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Walk {
    Start,
    HandVerified,
    LampVerified,
    FloorApproved,
    Complete,
}

/// A wheel that has to be spun.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct WheelDue {
    pub(crate) wager: u8,
    /// Boxes that spin, or among which the hot spot is.
    pub(crate) seats: SeatSet,
}

/// Where the round goes on after the wheel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AfterWheel {
    DealerGoesOn,
    MainWagers,
}

/// What random sources said this round.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Draws {
    pub(crate) magic: Option<Card>,
    pub(crate) player: Option<Seat>,
    pub(crate) must_hit: Option<Seat>,
    pub(crate) none: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Phase {
    Wagering,
    /// The initial deal; the next card goes to this place.
    Dealing(DealStep),
    /// First-card wagers wait for confirmation before the reader may be used (7.F).
    FirstCards,
    Insurance,
    Peek,
    /// The reader is out of service (S12).
    ReaderStopped,
    Decisions,
    Reveal,
    DealerDraws,
    /// Face-down double cards are turned before the settlement (10.C, D6).
    TurnCards,
    /// Amounts, persons or a draw that the settlement depends on.
    AskAdditional,
    Wheel(AfterWheel),
    Settlement,
    /// An irregularity's clause waits for an answer; the round goes on at `held`.
    Irregularity(Ask),
    /// No round is played and the table is not open for wagers.
    Resting(Rest),
    Procedure(Step),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DealStep {
    /// A double shoe's first card names the side (7.C).
    Determinant,
    /// Seat, and hand counted from 0: Switch deals two to a box.
    First(Seat, u8),
    UpCard,
    Second(Seat, u8),
    HoleCard,
}

impl Phase {
    #[inline]
    pub(crate) const fn is_between_rounds(self) -> bool {
        matches!(self, Self::Wagering | Self::Resting(_))
    }

    pub(crate) const fn at_rest(rest: Rest) -> Self {
        match rest {
            Rest::Open => Self::Wagering,
            Rest::Closed
            | Rest::Receive
            | Rest::DealerInspects
            | Rest::FloorVerifies
            | Rest::TensRemoved
            | Rest::Spread
            | Rest::PlayerInspects
            | Rest::Wash
            | Rest::Shuffle
            | Rest::Cut
            | Rest::PlaceCover
            | Rest::Load => Self::Resting(rest),
        }
    }
}

/// The steps of a round where cards are not tracked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    Deal,
    FirstCards,
    Insurance,
    Peek,
    /// The reader said yes: turn the hole card and mark the players' blackjacks.
    DealerBlackjack,
    Decisions,
    Reveal,
    DealerDraws,
    Settle,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Turn {
    pub(crate) seat: Seat,
    pub(crate) hand: u8,
    pub(crate) want: Want,
}

/// What the hand whose turn it is waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Want {
    Decision,
    HitCard,
    DoubleCard,
    /// The second card of a split hand (11.B).
    SplitCard,
    /// Rescue or redouble may follow a double (D2).
    AfterDouble,
}

/// The last input was a card taken as a hit without the word: it may still turn out to be something else (H2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct LateCard {
    pub(crate) seat: Seat,
    pub(crate) hand: u8,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct BoxState {
    pub(crate) main: Stake,
    pub(crate) insurance: Stake,
    pub(crate) insurance_settled: bool,
    /// Splits of each original hand; Switch has two.
    pub(crate) splits: [u8; 2],
    pub(crate) switched: bool,
    pub(crate) hand_count: u8,
    pub(crate) opened_with_seven: bool,
    /// The first two cards as dealt: side wagers look at these whatever becomes of the hand.
    pub(crate) first: [Card; 2],
    /// Switch: the same of the second hand.
    pub(crate) second: [Card; 2],
    /// Both first cards have been seen: side wagers may look at them.
    pub(crate) first_known: bool,
    pub(crate) spin: Option<Spin>,
    /// Side wagers on this box, one bit each in the submission's order.
    pub(crate) side_placed: u32,
    /// Those of this round that are not settled yet, riders included.
    pub(crate) side_open: u32,
    /// Those whose unknown amount decides something (X5).
    pub(crate) side_asked: u32,
    /// Those that the reader's "no" settled (S12).
    pub(crate) side_after_reader: u32,
    pub(crate) side: [Stake; SIDE_MAX],
    pub(crate) hands: [HandState; HANDS_MAX],
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct HandState {
    pub(crate) cards: Hand,
    /// All that lies on this hand.
    pub(crate) stake: Stake,
    pub(crate) last_added: Stake,
    pub(crate) doubles: u8,
    pub(crate) status: HandStatus,
    pub(crate) from_split: bool,
    /// Which of the box's original hands it came from: 0, or 1 in Switch.
    pub(crate) origin: u8,
    /// Its second card comes after everybody else's (13.N).
    pub(crate) second_late: bool,
    /// Its main line has been drawn up.
    pub(crate) settled: bool,
    /// What the house kept of it in that line, for S12's corrections.
    pub(crate) line: u16,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum HandStatus {
    Open,
    Done,
    Bust,
    /// The wager sits on the cards until the hole card is turned, or was halved at once (9.C).
    Surrendered,
    Rescued,
    /// An original ace and ten-value card.
    Blackjack,
    EvenMoney,
    /// Called dead by an irregularity's clause.
    Dead,
}

impl HandState {
    pub(crate) const EMPTY: Self = Self {
        cards: Hand::EMPTY,
        stake: Stake::NONE,
        last_added: Stake::NONE,
        doubles: 0,
        status: HandStatus::Open,
        from_split: false,
        origin: 0,
        second_late: false,
        settled: false,
        line: 0,
    };
}

impl BoxState {
    pub(crate) const EMPTY: Self = Self {
        main: Stake::NONE,
        insurance: Stake::NONE,
        insurance_settled: false,
        splits: [0; 2],
        switched: false,
        hand_count: 0,
        opened_with_seven: false,
        second: [Card::new(Rank::Ace, Suit::Clubs); 2],
        first: [Card::new(Rank::Ace, Suit::Clubs); 2],
        first_known: false,
        spin: None,
        side_placed: 0,
        side_open: 0,
        side_asked: 0,
        side_after_reader: 0,
        side: [Stake::NONE; SIDE_MAX],
        hands: [HandState::EMPTY; HANDS_MAX],
    };

    /// Back to an empty box. The hands beyond `hand_count` are never read, so they need no clearing.
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.main = Stake::NONE;
        self.insurance = Stake::NONE;
        self.insurance_settled = false;
        self.splits = [0; 2];
        self.switched = false;
        self.hand_count = 0;
        self.opened_with_seven = false;
        self.first_known = false;
        self.spin = None;
        // Stakes lie where a wager is placed and nowhere else.
        let mut placed = self.side_placed;
        while placed != 0 {
            self.side[placed.trailing_zeros() as usize & (SIDE_MAX - 1)] = Stake::NONE;
            placed &= placed - 1;
        }
        debug_assert!(self.side == [Stake::NONE; SIDE_MAX], "a stake without its wager");
        self.side_placed = 0;
        self.side_open = 0;
        self.side_asked = 0;
        self.side_after_reader = 0;
    }

    #[inline]
    pub(crate) fn hands(&self) -> &[HandState] {
        &self.hands[..usize::from(self.hand_count)]
    }

    /// Opens the only hand of a wagered box with its first card face up.
    #[inline(always)]
    pub(crate) fn open_hand_with(&mut self, card: Card) {
        self.hands[0] = HandState { cards: Hand::of(card), stake: self.main, ..HandState::EMPTY };
        self.hand_count = 1;
        self.opened_with_seven = card.rank() == Rank::Seven;
        self.first[0] = card;
        self.first_known = false;
    }

    /// Opens the next hand of a wagered box.
    #[inline]
    pub(crate) fn open_hand(&mut self) {
        let at = usize::from(self.hand_count);
        self.hands[at] = HandState::EMPTY;
        self.hands[at].stake = self.main;
        self.hands[at].origin = self.hand_count;
        self.hand_count += 1;
    }
}

impl PartialEq for BoxState {
    fn eq(&self, other: &Self) -> bool {
        self.main == other.main
            && self.insurance == other.insurance
            && self.insurance_settled == other.insurance_settled
            && self.splits == other.splits
            && self.switched == other.switched
            && self.opened_with_seven == other.opened_with_seven
            && self.spin == other.spin
            && self.side_placed == other.side_placed
            && self.side_open == other.side_open
            && self.side_asked == other.side_asked
            && self.side == other.side
            && self.hands() == other.hands()
    }
}

impl Eq for BoxState {}

impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        self.between == other.between
            && self.phase == other.phase
            && self.in_play == other.in_play
            && self.cash == other.cash
            && self.links == other.links
            && self.boxes == other.boxes
            && self.dealer == other.dealer
            && self.up == other.up
            && self.answer == other.answer
            && self.unread_count == other.unread_count
            && self.insurance_closed == other.insurance_closed
            && (!matches!(self.phase, Phase::Decisions) || self.turn == other.turn)
            && self.late == other.late
            && self.persons_asked == other.persons_asked
            && self.lines == other.lines
            && self.confirmed == other.confirmed
            && self.walk == other.walk
            && self.wheel == other.wheel
            && self.draws == other.draws
            && self.meters == other.meters
            && self.exposed == other.exposed
            && self.face_up_found == other.face_up_found
            && self.tens_found == other.tens_found
            && self.missed_up_card == other.missed_up_card
            && self.second_later == other.second_later
            && self.deferred == other.deferred
            && self.cover_at == other.cover_at
            && self.side == other.side
    }
}

impl Eq for State {}

impl State {
    pub(crate) fn new(between: Between, meters: Vec<Meter>) -> Self {
        let seat = Seat::from_index(0);
        Self {
            between,
            phase: Phase::at_rest(between.rest),
            in_play: SeatSet::EMPTY,
            cash: SeatSet::EMPTY,
            links: [SeatSet::EMPTY; SEATS_MAX],
            boxes: [BoxState::EMPTY; SEATS_MAX],
            dealer: Hand::EMPTY,
            up: None,
            answer: None,
            unread_count: 0,
            insurance_closed: false,
            turn: Turn { seat, hand: 0, want: Want::Decision },
            to_act: SeatSet::EMPTY,
            late: None,
            persons_asked: false,
            lines: Vec::with_capacity(256),
            confirmed: 0,
            approvals: false,
            walk: Walk::Start,
            moment: Moment::FirstCards,
            asked: SeatSet::EMPTY,
            wheel: None,
            draws: Draws::default(),
            manager_approved: false,
            held: Phase::Wagering,
            reader_failed_in_play: false,
            exposed: None,
            face_up_found: 0,
            tens_found: 0,
            missed_up_card: false,
            second_later: [SeatSet::EMPTY; 2],
            deferred: SeatSet::EMPTY,
            cover_at: None,
            side: None,
            meters,
        }
    }

    /// An empty table again, with the given standing between rounds. Keeps its buffers, and the meters as they are.
    pub(crate) fn reset(&mut self, between: Between) {
        self.between = between;
        self.phase = Phase::at_rest(between.rest);
        self.in_play = SeatSet::EMPTY;
        self.cash = SeatSet::EMPTY;
        self.links = [SeatSet::EMPTY; SEATS_MAX];
        for each in &mut self.boxes {
            if each.main.is_placed() || each.side_placed != 0 || each.hand_count != 0 {
                each.clear();
            }
        }
        self.dealer = Hand::EMPTY;
        self.up = None;
        self.answer = None;
        self.unread_count = 0;
        self.insurance_closed = false;
        self.late = None;
        self.persons_asked = false;
        self.lines.clear();
        self.confirmed = 0;
        self.approvals = false;
        self.walk = Walk::Start;
        self.moment = Moment::FirstCards;
        self.asked = SeatSet::EMPTY;
        self.wheel = None;
        self.draws = Draws::default();
        self.manager_approved = false;
        self.held = Phase::Wagering;
        self.reader_failed_in_play = false;
        self.exposed = None;
        self.face_up_found = 0;
        self.tens_found = 0;
        self.missed_up_card = false;
        self.second_later = [SeatSet::EMPTY; 2];
        self.deferred = SeatSet::EMPTY;
        self.cover_at = None;
        self.side = None;
    }

    #[inline]
    pub(crate) fn box_at(&self, seat: Seat) -> &BoxState {
        &self.boxes[seat.index()]
    }

    #[inline]
    pub(crate) fn box_mut(&mut self, seat: Seat) -> &mut BoxState {
        &mut self.boxes[seat.index()]
    }

    #[inline]
    pub(crate) fn turn_hand(&self) -> &HandState {
        &self.boxes[self.turn.seat.index()].hands[usize::from(self.turn.hand) & (HANDS_MAX - 1)]
    }

    #[inline]
    pub(crate) fn turn_hand_mut(&mut self) -> &mut HandState {
        &mut self.boxes[self.turn.seat.index()].hands[usize::from(self.turn.hand) & (HANDS_MAX - 1)]
    }

    #[inline]
    pub(crate) fn has_open_lines(&self) -> bool {
        self.confirmed < self.lines.len()
    }

    #[inline]
    pub(crate) fn current_line(&self) -> Option<&Line> {
        self.lines.get(self.confirmed)
    }

    /// The up card itself, once dealt. `None` too where cards are not tracked.
    #[inline]
    pub(crate) fn up_card(&self) -> Option<Card> {
        self.dealer.cards().first().copied()
    }
}
