//! The state of a round. Plain data of fixed size: no method here decides anything about the rules.

pub(crate) use super::between::{Between, BurnDue, Burns, CutAfter, CutState, Rest};
pub(crate) use super::boxes::{BoxState, HandState, HandStatus};
pub(crate) use super::pending::Pending;
use crate::card::Card;
use crate::event::Place;
use crate::hand::Hand;
use crate::input::{PeekAnswer, UpGroup};
use crate::line::Line;
use crate::meter::Meter;
use crate::seat::{SEATS_MAX, Seat, SeatSet};
use crate::side::Moment;
use crate::table::ShoeSide;

/// Hands one box can come to: `max_splits` is at most 7.
pub(crate) const HANDS_MAX: usize = 8;

/// Side wagers a table can offer at once: one bit each in a box's masks.
pub(crate) const SIDE_MAX: usize = 32;

/// What an irregularity's clause waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ask {
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

/// A round in play.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) between: Between,
    /// What of the following, and of `between`, waits for somebody.
    pub(crate) pending: Pending,
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
    pub(crate) answer: Option<PeekAnswer>,
    pub(crate) unread_count: u8,
    pub(crate) insurance_closed: bool,
    /// Where cards are not tracked: the hole card was turned and told.
    pub(crate) hole_told: bool,
    pub(crate) turn: Turn,
    /// Boxes whose turn to act is still to come.
    pub(crate) to_act: SeatSet,
    pub(crate) late: Option<LateCard>,
    pub(crate) persons_asked: bool,
    /// A player's card was dealt face down in this round: some may still lie so.
    pub(crate) dealt_down: bool,
    /// This box has just gone over 21 with cards face down: they may be turned until play goes on (H16).
    pub(crate) bust_down: Option<Seat>,
    /// A wager was surrendered in this round: some may wait for the hole card (9.C(2)).
    pub(crate) surrendered: bool,
    /// Lines of this round in the order they fell due; the first `confirmed` of them are done.
    pub(crate) lines: Vec<Line>,
    pub(crate) confirmed: usize,
    /// How far the current line's approval has come.
    pub(crate) walk: Walk,
    /// The last moment at which side wagers were asked.
    pub(crate) moment: Moment,
    /// Boxes with a side wager whose unknown amount decides something (X5).
    pub(crate) asked: SeatSet,
    pub(crate) wheel: Option<WheelDue>,
    pub(crate) draws: Draws,
    /// Something had been paid when the round became void, and nobody has said what becomes of it (H12).
    pub(crate) payments_asked: bool,
    /// A manager let a round be voided although a jackpot was paid (X3).
    pub(crate) manager_approved: bool,
    /// Where the round goes on after an irregularity or a repaired reader.
    pub(crate) held: Phase,
    pub(crate) reader_failed_in_play: bool,
    /// A card drawn in error and seen: the next card of the shoe (13.F).
    pub(crate) exposed: Option<Card>,
    /// Boxes whose player refused an exposed card: no further one in this round (13.G).
    pub(crate) refused: SeatSet,
    pub(crate) missed_up_card: bool,
    /// Boxes with one card that may have their second after the others (13.N); Switch has two hands a box.
    pub(crate) second_later: [SeatSet; 2],
    /// Boxes whose requested card comes after all others (13.O).
    pub(crate) deferred: SeatSet,
    /// Where the cover card appeared in this round (5.D).
    pub(crate) cover_at: Option<Place>,
    /// The side that this round is dealt from (7.C).
    pub(crate) side: Option<ShoeSide>,
    /// The side that the cards really come from: another one after a slip, and then this is the one that runs out (14.I).
    pub(crate) drawn_from: Option<ShoeSide>,
    /// Before the lock: the burn that was done last (H27).
    pub(crate) burnt: Option<BurnDue>,
    /// Before the lock: a ten that was found waits for a floorperson (13.C, H27).
    pub(crate) ten_waits: bool,
    /// This round was told to come from the incorrect side (14.I).
    pub(crate) wrong_side: bool,
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
    /// Nothing more is drawn.
    pub(crate) none: bool,
    /// Except the must-hit winner, since the wager of the one who was drawn went back.
    pub(crate) must_hit_again: bool,
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
    /// The hand whose turn it was is over 21, and a side wager waits for those of its cards that lie face down (H16).
    BustCards,
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

    /// The first cards lie there and the dealer has not begun to draw: a card that leaves the shoe now was asked for by a
    /// player, or is out of its time (13.E to 13.H).
    pub(crate) const fn is_before_dealer_draws(self) -> bool {
        match self {
            Self::FirstCards | Self::Insurance | Self::Peek | Self::Decisions | Self::BustCards | Self::Reveal => true,
            Self::Wagering
            | Self::Dealing(_)
            | Self::ReaderStopped
            | Self::DealerDraws
            | Self::TurnCards
            | Self::AskAdditional
            | Self::Wheel(_)
            | Self::Settlement
            | Self::Irregularity(_)
            | Self::Resting(_)
            | Self::Procedure(_) => false,
        }
    }

    pub(crate) const fn at_rest(rest: Rest) -> Self {
        match rest {
            Rest::Open => Self::Wagering,
            Rest::Closed
            | Rest::Receive
            | Rest::DealerInspects
            | Rest::FloorVerifies
            | Rest::TensRemoved
            | Rest::TensConfirmed
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
    /// The reader said yes, or its no turned out to be wrong: turn the hole card and mark the players' blackjacks.
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
    /// The hand was passed over and waits for the card that it has asked for (13.O(1); blackjack 14.J(1)).
    pub(crate) missed: bool,
}

impl Turn {
    #[inline]
    pub(crate) const fn new(seat: Seat, hand: u8, want: Want) -> Self {
        Self { seat, hand, want, missed: false }
    }

    /// What the same hand waits for next; a card that it had missed has come.
    #[inline]
    pub(crate) fn waits_for(&mut self, want: Want) {
        self.want = want;
        self.missed = false;
    }
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

impl State {
    pub(crate) fn new(between: Between, meters: Vec<Meter>, of_table: Pending) -> Self {
        let seat = Seat::from_index(0);
        let mut new = Self {
            between,
            pending: of_table,
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
            hole_told: false,
            turn: Turn::new(seat, 0, Want::Decision),
            to_act: SeatSet::EMPTY,
            late: None,
            persons_asked: false,
            dealt_down: false,
            bust_down: None,
            surrendered: false,
            lines: Vec::with_capacity(256),
            confirmed: 0,
            walk: Walk::Start,
            moment: Moment::FirstCards,
            asked: SeatSet::EMPTY,
            wheel: None,
            draws: Draws::default(),
            payments_asked: false,
            manager_approved: false,
            held: Phase::Wagering,
            reader_failed_in_play: false,
            exposed: None,
            refused: SeatSet::EMPTY,
            missed_up_card: false,
            second_later: [SeatSet::EMPTY; 2],
            deferred: SeatSet::EMPTY,
            cover_at: None,
            side: None,
            drawn_from: None,
            burnt: None,
            ten_waits: false,
            wrong_side: false,
            meters,
        };
        new.note_between();
        new
    }

    /// An empty table again, with the given standing between rounds. Keeps its buffers, and the meters as they are.
    pub(crate) fn reset(&mut self, between: Between) {
        self.between = between;
        self.clear_round();
        self.note_between();
    }

    /// The same where the standing between rounds is already right.
    pub(crate) fn clear_round(&mut self) {
        self.phase = Phase::at_rest(self.between.rest);
        self.in_play = SeatSet::EMPTY;
        self.cash = SeatSet::EMPTY;
        self.links = [SeatSet::EMPTY; SEATS_MAX];
        for each in &mut self.boxes {
            each.clear();
        }
        self.dealer = Hand::EMPTY;
        self.up = None;
        self.answer = None;
        self.unread_count = 0;
        self.insurance_closed = false;
        self.hole_told = false;
        self.late = None;
        self.persons_asked = false;
        self.dealt_down = false;
        self.bust_down = None;
        self.surrendered = false;
        self.lines.clear();
        self.confirmed = 0;
        self.nothing_of_round_is_pending();
        self.walk = Walk::Start;
        self.moment = Moment::FirstCards;
        self.asked = SeatSet::EMPTY;
        self.wheel = None;
        self.draws = Draws::default();
        self.payments_asked = false;
        self.manager_approved = false;
        self.held = Phase::Wagering;
        self.reader_failed_in_play = false;
        self.exposed = None;
        self.refused = SeatSet::EMPTY;
        self.missed_up_card = false;
        self.second_later = [SeatSet::EMPTY; 2];
        self.deferred = SeatSet::EMPTY;
        self.cover_at = None;
        self.side = None;
        self.drawn_from = None;
        self.burnt = None;
        self.ten_waits = false;
        self.wrong_side = false;
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
        self.pending.has(Pending::LINES)
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
