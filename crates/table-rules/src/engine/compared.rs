//! Hands that nothing but the two counts decides: most of them. Their lines are drawn up all at once.
//!
//! What more than the counts decides (a blackjack, a bonus, an unknown stake, a side wager that waits for its box) is
//! left to `settle`.

use std::cmp::Ordering;

use super::Engine;
use super::prepared::Prepared;
use super::settle::Ending;
use super::state::{HANDS_MAX, HandState, HandStatus};
use crate::event::Events;
use crate::game::Direction;
use crate::line::{Line, Outcome, Stake};
use crate::money::{Pay, Ratio};
use crate::seat::{SEATS_MAX, Seat};
use crate::source::Point;
use crate::table::Settlement;

/// A hand's count beside the dealer's, in the order of the bits that say so: lower is the first, tied the second.
#[derive(Clone, Copy)]
#[repr(u8)]
pub(super) enum Compared {
    Higher,
    Lower,
    Tie,
    DealerBust,
}

impl Compared {
    #[inline]
    pub(super) fn of(player: u8, dealer: u8) -> Self {
        let by_count = match player.cmp(&dealer) {
            Ordering::Less => Self::Lower,
            Ordering::Equal => Self::Tie,
            Ordering::Greater => Self::Higher,
        };
        if dealer > 21 { Self::DealerBust } else { by_count }
    }
}

/// How a hand ends that only the counts decide: one for each [`Compared`], in its order. The point of a lower hand is the
/// procedure's.
pub(super) static COMPARED: [Ending; 4] = [
    Ending { outcome: Outcome::Won, name: &"higher", pay: EVEN, point: Point::PaysEven },
    Ending { outcome: Outcome::Lost, name: &"lower", pay: None, point: Point::CollectThenPay },
    Ending { outcome: Outcome::Tied, name: &"tie", pay: None, point: Point::Tied },
    Ending { outcome: Outcome::Won, name: &"dealer bust", pay: EVEN, point: Point::PaysEven },
];

/// A hand that is not compared, but collected as soon as it is over 21 (H1).
pub(super) const BUST: Ending =
    Ending { outcome: Outcome::Lost, name: &"bust", pay: None, point: Point::BustCollected };

/// The lines that are prepared for a stake: those of [`COMPARED`], then [`BUST`], then a blackjack that wins.
pub(super) const ROWS: usize = COMPARED.len() + 2;
const BUST_ROW: usize = COMPARED.len();
const BLACKJACK_ROW: usize = BUST_ROW + 1;

const EVEN: Option<Pay> = Some(Pay::To(Ratio::EVEN));

/// One bit for each hand of the table, the lowest for the one that is settled first: from the right, and within a box
/// from the dealer's left.
type HandBits = u64;
const _: () = assert!(SEATS_MAX * HANDS_MAX == HandBits::BITS as usize && HANDS_MAX == 8);

/// The hands of a table by what they come to beside the dealer's count. A set of its own for each, and not a list of
/// them: one would wait for the one before.
struct Hands {
    /// The dealer's count; 0 where it is over 21.
    to_beat: u8,
    /// No hand above this is only compared.
    most: u8,
    unsettled: HandBits,
    lower: HandBits,
    tied: HandBits,
    /// Something else than the counts decides.
    otherwise: HandBits,
}

impl Hands {
    #[inline(always)]
    fn add(&mut self, hand: &HandState, place: usize) {
        let total = hand.cards.total();
        let otherwise = (total > self.most) | (hand.status == HandStatus::Blackjack);
        self.unsettled |= HandBits::from(!hand.settled) << place;
        self.lower |= HandBits::from(total < self.to_beat) << place;
        self.tied |= HandBits::from(total == self.to_beat) << place;
        self.otherwise |= HandBits::from(otherwise) << place;
    }
}

impl Engine {
    /// Draws up every main line at once where nothing but the counts decides: most rounds are such. False, and nothing
    /// done, where a box has more to settle or a hand is decided otherwise.
    ///
    /// The hands are compared before any line is written. What a hand came to is as random as the cards, so there is no
    /// branch on it: each line is copied from its row of those prepared for its stake.
    pub(super) fn draw_up_compared_lines(&mut self, out: &mut Events) -> bool {
        let dealer = self.now.dealer.total();
        // A dealer's bust is below every hand.
        let (to_beat, busts) = if dealer > 21 { (0, Compared::DealerBust as usize) } else { (dealer, 0) };
        let most = if self.table.game.player_21_wins() { 20 } else { 21 };
        let mut hands = Hands { to_beat, most, unsettled: 0, lower: 0, tied: 0, otherwise: 0 };
        let (mut side_open, mut insured, mut staked) = (0, Stake::NONE, Stake::NONE);
        for seat in self.now.in_play.iter(Direction::FromLeft) {
            let each = self.now.box_at(seat);
            side_open |= each.side_open;
            insured = insured.or(each.insurance);
            let place = HANDS_MAX * (SEATS_MAX - 1 - seat.index());
            if each.hand_count == 1 {
                staked = staked.or(each.hands[0].stake);
                hands.add(&each.hands[0], place);
                continue;
            }
            for (at, hand) in each.hands().iter().enumerate() {
                staked = staked.or(hand.stake);
                hands.add(hand, place + at);
            }
        }
        let Hands { unsettled, .. } = hands;
        let (lower, tied) = (hands.lower & unsettled, hands.tied & unsettled);
        if (hands.otherwise & unsettled != 0) | (side_open != 0) | insured.is_placed() | staked.is_unknown() {
            return false;
        }
        let (first, then) = match self.table.settlement {
            Settlement::CollectThenPay => (lower, unsettled & !lower),
            Settlement::PayAndCollectFromRight => (0, unsettled),
        };
        // One loop and not two: how many hands lose is as random as the cards, and where a loop ends is guessed.
        let (mut left, mut rest) = (first, then);
        loop {
            (left, rest) = if left == 0 { (rest, 0) } else { (left, rest) };
            if left == 0 {
                return true;
            }
            let place = left.trailing_zeros() as usize;
            left &= left - 1;
            let row = usize::from(lower >> place & 1 != 0) | usize::from(tied >> place & 1 != 0) << 1;
            self.draw_up_prepared(row | busts, SEATS_MAX - 1 - place / HANDS_MAX, place % HANDS_MAX, out);
        }
    }

    /// A hand over 21 is collected at once (H1); `hand` counts from 0.
    pub(super) fn collect_bust(&mut self, seat: Seat, hand: u8, out: &mut Events) {
        let at = usize::from(hand) % HANDS_MAX;
        if self.now.boxes[seat.index()].hands[at].stake.is_unknown() {
            self.settle_hand(seat, hand, BUST, out);
        } else {
            self.draw_up_prepared(BUST_ROW, seat.index(), at, out);
        }
    }

    /// A player's blackjack that wins is paid: the first hand of its box.
    pub(super) fn settle_blackjack_won(&mut self, seat: Seat, out: &mut Events) {
        if self.now.boxes[seat.index()].hands[0].stake.is_unknown() {
            self.settle_hand(seat, 0, self.blackjack_won(), out);
        } else {
            self.draw_up_prepared(BLACKJACK_ROW, seat.index(), 0, out);
        }
    }

    pub(super) fn blackjack_won(&self) -> Ending {
        let pays = self.table.blackjack_pays;
        Ending { outcome: Outcome::Won, name: &"blackjack", pay: Some(Pay::To(pays.ratio())), point: pays.point() }
    }

    /// Draws up the line of this row for hand `at` of the box at this index. The stake must be known.
    #[inline(always)]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "boxes and hands are few, and lines of a round are some dozens"
    )]
    fn draw_up_prepared(&mut self, row: usize, index: usize, at: usize, out: &mut Events) {
        let hand = &mut self.now.boxes[index].hands[at];
        let stake = hand.stake;
        let Some(lines) = self.prepared[index].of_stake(stake) else {
            self.draw_up_unprepared(row, index, at, out);
            return;
        };
        hand.settled = true;
        hand.line = self.now.lines.len() as u16;
        if at == 0 {
            lines[row].draw_up(&mut self.now.lines, out);
        } else {
            lines[row].draw_up_for(at as u8 + 1, &mut self.now.lines, out);
        }
        debug_assert_eq!(self.now.lines.last(), Some(&self.line_of_row(row, index, at as u8, stake)));
    }

    #[cold]
    #[inline(never)]
    fn draw_up_unprepared(&mut self, row: usize, index: usize, at: usize, out: &mut Events) {
        self.prepare_lines_of(index, self.now.boxes[index].hands[at].stake);
        self.draw_up_prepared(row, index, at, out);
    }

    fn prepare_lines_of(&mut self, index: usize, stake: Stake) {
        let rows = std::array::from_fn(|row| Prepared::new(self.line_of_row(row, index, 0, stake)));
        self.prepared[index].add(stake, rows);
    }

    /// The line of this row for hand `at` of the box at this index.
    fn line_of_row(&self, row: usize, index: usize, at: u8, stake: Stake) -> Line {
        let [higher, lower, tie, dealer_bust] = COMPARED;
        let lower = Ending { point: self.table.settlement.point(), ..lower };
        let endings: [Ending; ROWS] = [higher, lower, tie, dealer_bust, BUST, self.blackjack_won()];
        #[expect(clippy::cast_possible_truncation, reason = "boxes are few")]
        let seat = Seat::from_index(index as u8);
        self.main_line(seat, at, endings[row], stake, Stake::NONE)
    }
}
