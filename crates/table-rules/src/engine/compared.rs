//! Hands that nothing but the two counts decides: most of them. Their lines are drawn up all at once.
//!
//! What more than the counts decides (a blackjack, a bonus, an unknown stake, a side wager that waits for its box) is
//! left to `settle`.

use std::cmp::Ordering;

use super::Engine;
use super::prepared::{ComparedLines, Prepared};
use super::state::{HANDS_MAX, HandState, HandStatus};
use crate::event::Events;
use crate::game::Direction;
use crate::line::{Approval, Line, Outcome, Stake};
use crate::money::{Cents, Pay, Ratio};
use crate::seat::{SEATS_MAX, Seat};
use crate::source::Point;
use crate::table::Settlement;
use crate::wager::WagerId;

/// A hand's count beside the dealer's.
#[derive(Clone, Copy)]
#[repr(u8)]
pub(super) enum Compared {
    Lower,
    Tie,
    Higher,
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
    pub(super) name: &'static str,
    pub(super) pay: Option<Pay>,
    pub(super) point: Point,
    pub(super) returns: i64,
    pub(super) pays: i64,
}

/// One row for each [`Compared`], in its order. The point of a lower hand is the procedure's.
pub(super) static COMPARED: [ComparedRow; 4] = [
    ComparedRow { outcome: Outcome::Lost, name: "lower", pay: None, point: Point::CollectThenPay, returns: 0, pays: 0 },
    ComparedRow { outcome: Outcome::Tied, name: "tie", pay: None, point: Point::Tied, returns: 1, pays: 0 },
    ComparedRow { outcome: Outcome::Won, name: "higher", pay: EVEN, point: Point::PaysEven, returns: 1, pays: 1 },
    ComparedRow { outcome: Outcome::Won, name: "dealer bust", pay: EVEN, point: Point::PaysEven, returns: 1, pays: 1 },
];

const EVEN: Option<Pay> = Some(Pay::To(Ratio::EVEN));

impl Engine {
    /// Draws up every main line at once where nothing but the counts decides: most rounds are such. False, and nothing
    /// done, where a box has more to settle or a hand is decided otherwise.
    ///
    /// The lines are sorted before any is written. What a hand came to is as random as the cards, so there is no
    /// branch on it: each line is filled in from its row of [`COMPARED`].
    pub(super) fn draw_up_compared_lines(&mut self, out: &mut Events) -> bool {
        // One byte a hand: seat, hand and comparison in three, three and two bits.
        const ROOM: usize = SEATS_MAX * HANDS_MAX;
        let at_once = match self.table.settlement {
            Settlement::CollectThenPay => Compared::Lower as u8,
            Settlement::PayAndCollectFromRight => u8::MAX,
        };
        let dealer = self.now.dealer.total();
        let mut lists = [[0u8; ROOM]; 2];
        let mut lengths = [0; 2];
        for seat in self.now.in_play.iter(Direction::FromRight) {
            let each = self.now.box_at(seat);
            if each.side_open != 0 || (each.insurance.is_placed() && !each.insurance_settled) {
                return false;
            }
            for (at, hand) in (0u8..).zip(each.hands()) {
                if !hand.settled && !self.only_counts_decide(hand) {
                    return false;
                }
                let compared = Compared::of(hand.cards.total(), dealer);
                let list = usize::from(compared as u8 != at_once);
                lists[list][lengths[list] & (ROOM - 1)] = (seat.number() - 1) | at << 3 | (compared as u8) << 6;
                lengths[list] += usize::from(!hand.settled);
            }
        }
        for (list, length) in lists.iter().zip(lengths) {
            for &packed in list.iter().take(length) {
                let (seat, at) = (Seat::from_index(packed & 7), packed >> 3 & 7);
                self.draw_up_compared(usize::from(packed >> 6), seat, at, out);
            }
        }
        true
    }

    /// Whether the hand is compared with the dealer's, and its stake is known.
    #[inline]
    fn only_counts_decide(&self, hand: &HandState) -> bool {
        !hand.cards.is_bust()
            && hand.status != HandStatus::Blackjack
            && !(hand.cards.total() == 21 && self.table.game.player_21_wins())
            && hand.stake.amount().is_some()
    }

    #[inline]
    fn draw_up_compared(&mut self, row: usize, seat: Seat, at: u8, out: &mut Events) {
        let line_number = u16::try_from(self.now.lines.len()).unwrap_or(u16::MAX);
        let hand = &mut self.now.box_mut(seat).hands[usize::from(at) & (HANDS_MAX - 1)];
        hand.settled = true;
        hand.line = line_number;
        let stake = hand.stake;
        if self.prepared.compared(stake).is_none() {
            self.prepare_compared(stake);
        }
        if let Some(lines) = self.prepared.compared(stake) {
            lines.rows[row & 3].draw_up(seat, at + 1, &mut self.now.lines, out);
        }
    }

    #[cold]
    #[inline(never)]
    fn prepare_compared(&mut self, stake: Stake) {
        let known = stake.amount().unwrap_or_default();
        let even = self.odds_of(Ratio::EVEN, known);
        let rows = [Compared::Lower, Compared::Tie, Compared::Higher, Compared::DealerBust].map(|compared| {
            let row = &COMPARED[compared as usize];
            let point = match compared {
                Compared::Lower => self.table.settlement.point(),
                Compared::Tie | Compared::Higher | Compared::DealerBust => row.point,
            };
            Prepared::new(Line {
                seat: Seat::from_index(0),
                hand: 1,
                wager: WagerId::Main,
                outcome: row.outcome,
                name: row.name,
                pay: row.pay,
                stake,
                returned: Some(Cents(known.0 * row.returns)),
                pays: Some(Cents(even.0 * row.pays)),
                source: self.cite(point),
                approval: Approval::NotNeeded,
                correction: None,
            })
        });
        self.prepared.add(ComparedLines { stake, rows });
    }
}
