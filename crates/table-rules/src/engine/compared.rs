//! Hands that nothing but the two counts decides: most of them. Their lines are drawn up all at once.
//!
//! What more than the counts decides (a blackjack, a bonus, an unknown stake, a side wager that waits for its box) is
//! left to `settle`.

use std::cmp::Ordering;

use super::Engine;
use super::prepared::Prepared;
use super::state::{HANDS_MAX, HandStatus};
use crate::event::Events;
use crate::game::Direction;
use crate::line::{Approval, Due, Line, LineName, Outcome, Stake};
use crate::money::{Cents, Pay, Ratio};
use crate::seat::{SEATS_MAX, Seat};
use crate::source::Point;
use crate::table::Settlement;
use crate::wager::WagerId;

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

/// What a comparison comes to. `returns` and `pays` are 1 where the stake goes back and where it is paid even, else 0.
pub(super) struct ComparedRow {
    pub(super) outcome: Outcome,
    pub(super) name: LineName,
    pub(super) pay: Option<Pay>,
    pub(super) point: Point,
    pub(super) returns: i64,
    pub(super) pays: i64,
}

/// One row for each [`Compared`], in its order. The point of a lower hand is the procedure's.
pub(super) static COMPARED: [ComparedRow; 4] = [
    ComparedRow { outcome: Outcome::Won, name: &"higher", pay: EVEN, point: Point::PaysEven, returns: 1, pays: 1 },
    ComparedRow {
        outcome: Outcome::Lost,
        name: &"lower",
        pay: None,
        point: Point::CollectThenPay,
        returns: 0,
        pays: 0,
    },
    ComparedRow { outcome: Outcome::Tied, name: &"tie", pay: None, point: Point::Tied, returns: 1, pays: 0 },
    ComparedRow { outcome: Outcome::Won, name: &"dealer bust", pay: EVEN, point: Point::PaysEven, returns: 1, pays: 1 },
];

/// A hand that is not compared, but collected as soon as it is over 21.
pub(super) static BUST: ComparedRow =
    ComparedRow { outcome: Outcome::Lost, name: &"bust", pay: None, point: Point::BustCollected, returns: 0, pays: 0 };

/// The rows of [`COMPARED`] and, as the last, [`BUST`].
pub(super) const ROWS: usize = COMPARED.len() + 1;

const EVEN: Option<Pay> = Some(Pay::To(Ratio::EVEN));

/// One bit for each hand of the table, the lowest for the one that is settled first: from the right, and within a box
/// from the dealer's left.
type HandBits = u64;
const SETTLED: usize = 3;
const _: () = assert!(SEATS_MAX * HANDS_MAX == HandBits::BITS as usize && HANDS_MAX == 8);

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
        let mut hands_by_row: [HandBits; 4] = [0; 4];
        let mut otherwise = false;
        let (mut side_open, mut insured, mut staked) = (0, Stake::NONE, Stake::NONE);
        for seat in self.now.in_play.iter(Direction::FromLeft) {
            let each = self.now.box_at(seat);
            side_open |= each.side_open;
            insured = insured.or(each.insurance);
            let mut bit = 1 << (HANDS_MAX * (SEATS_MAX - 1 - seat.index()));
            for hand in each.hands() {
                let total = hand.cards.total();
                staked = staked.or(hand.stake);
                otherwise |= !hand.settled & ((total > most) | (hand.status == HandStatus::Blackjack));
                let row = usize::from(total < to_beat) | usize::from(total == to_beat) << 1;
                // The row that is left over takes the hands that are settled.
                hands_by_row[if hand.settled { SETTLED } else { row }] |= bit;
                bit <<= 1;
            }
        }
        if otherwise | (side_open != 0) | insured.is_placed() | staked.is_unknown() {
            return false;
        }
        let [higher, lower, tied, _] = hands_by_row;
        let (first, then) = match self.table.settlement {
            Settlement::CollectThenPay => (lower, higher | tied),
            Settlement::PayAndCollectFromRight => (0, higher | lower | tied),
        };
        for mut left in [first, then] {
            while left != 0 {
                let place = left.trailing_zeros() as usize;
                left &= left - 1;
                let row = usize::from(lower >> place & 1 != 0) | usize::from(tied >> place & 1 != 0) << 1;
                self.draw_up_prepared(row | busts, SEATS_MAX - 1 - place / HANDS_MAX, place % HANDS_MAX, out);
            }
        }
        true
    }

    /// A hand over 21 is collected at once (H1); `hand` counts from 0.
    pub(super) fn collect_bust(&mut self, seat: Seat, hand: u8, out: &mut Events) {
        let at = usize::from(hand) % HANDS_MAX;
        if self.now.boxes[seat.index()].hands[at].stake.is_unknown() {
            self.settle_hand(seat, hand, Outcome::Lost, BUST.name, BUST.pay, BUST.point, out);
        } else {
            self.draw_up_prepared(ROWS - 1, seat.index(), at, out);
        }
    }

    /// Draws up the line of this row for hand `at` of the box at this index. The stake must be known.
    #[inline(always)]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "boxes and hands are few, and lines of a round are some dozens"
    )]
    fn draw_up_prepared(&mut self, row: usize, index: usize, at: usize, out: &mut Events) {
        let hand = &mut self.now.boxes[index].hands[at];
        let Some(lines) = self.prepared.of_stake(hand.stake) else {
            self.draw_up_unprepared(row, index, at, out);
            return;
        };
        hand.settled = true;
        hand.line = self.now.lines.len() as u16;
        lines[row].draw_up(Seat::from_index(index as u8), at as u8 + 1, &mut self.now.lines, out);
    }

    #[cold]
    #[inline(never)]
    fn draw_up_unprepared(&mut self, row: usize, index: usize, at: usize, out: &mut Events) {
        self.prepare_lines_of(self.now.boxes[index].hands[at].stake);
        self.draw_up_prepared(row, index, at, out);
    }

    fn prepare_lines_of(&mut self, stake: Stake) {
        let known = stake.amount().unwrap_or_default();
        let even = self.odds_of(Ratio::EVEN, known);
        let [higher, lower, tie, dealer_bust] = &COMPARED;
        let rows = [higher, lower, tie, dealer_bust, &BUST].map(|row| {
            Prepared::new(Line {
                seat: Seat::from_index(0),
                hand: 1,
                wager: WagerId::Main,
                outcome: row.outcome,
                name: row.name,
                pay: row.pay,
                stake,
                returned: Due::of(Cents(known.0 * row.returns)),
                pays: Due::of(Cents(even.0 * row.pays)),
                source: self.cite(if std::ptr::eq(row, lower) { self.table.settlement.point() } else { row.point }),
                approval: Approval::NotNeeded,
                correction: Due::NONE,
            })
        });
        self.prepared.add(stake, rows);
    }
}
