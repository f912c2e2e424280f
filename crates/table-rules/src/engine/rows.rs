//! How a main wager ends against the dealer's hand (7.O to 7.R and Chapter 12; Blackjack by B1 and Chapter 13), and in which
//! order the lines are drawn up.
//!
//! Each hand has a row: one byte, and the only text of how it ends. What a row pays and cites is data of the table.

use super::Engine;
use super::state::{HANDS_MAX, HandState, HandStatus};
use crate::card::{Card, Rank};
use crate::event::Sink;
use crate::game::Direction;
use crate::hand::Hand;
use crate::line::{LineName, Outcome};
use crate::money::{Pay, Ratio};
use crate::payouts::{self, Bonus};
use crate::seat::{SEATS_MAX, Seat};
use crate::source::Point;
use crate::table::{Settlement, SevenCard21, SwitchBlackjack, Table, UnswitchedAgainst22, Variation};

/// How one hand ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ending {
    pub(super) outcome: Outcome,
    pub(super) name: LineName,
    pub(super) pay: Option<Pay>,
    pub(super) point: Point,
}

/// What the players' hands are settled against.
#[derive(Clone, Copy)]
pub(super) enum DealerHas {
    Blackjack,
    ACount,
}

/// The ways to end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum Row {
    // By the counts alone, in the order of the bits that say so: lower is the first, tied the second.
    Higher,
    Lower,
    Tie,
    DealerBust,
    /// Over 21: collected at once (H1).
    Bust,
    /// A player's blackjack that wins.
    Blackjack,
    // A 21 of the sister games.
    TwentyOne,
    TwentyOneAgainst21,
    DoubledBonus,
    DoubledBonusAgainst21,
    Mixed678,
    Suited678,
    Top678,
    Mixed777,
    Suited777,
    Top777,
    FiveCards,
    SixCards,
    SevenCards,
    // Against a dealer's blackjack.
    DealerBlackjack,
    BlackjackAgainstBlackjack,
    // Switch.
    SwitchedLost,
    SwitchTiesBlackjack,
    Against22,
    SwitchedAgainst22,
    SwitchedAgainst21,
    SwitchEvenMoney,
    SwitchAlwaysEven,
}

impl Row {
    const COUNT: usize = 28;

    const ALL: [Self; Self::COUNT] = [
        Self::Higher,
        Self::Lower,
        Self::Tie,
        Self::DealerBust,
        Self::Bust,
        Self::Blackjack,
        Self::TwentyOne,
        Self::TwentyOneAgainst21,
        Self::DoubledBonus,
        Self::DoubledBonusAgainst21,
        Self::Mixed678,
        Self::Suited678,
        Self::Top678,
        Self::Mixed777,
        Self::Suited777,
        Self::Top777,
        Self::FiveCards,
        Self::SixCards,
        Self::SevenCards,
        Self::DealerBlackjack,
        Self::BlackjackAgainstBlackjack,
        Self::SwitchedLost,
        Self::SwitchTiesBlackjack,
        Self::Against22,
        Self::SwitchedAgainst22,
        Self::SwitchedAgainst21,
        Self::SwitchEvenMoney,
        Self::SwitchAlwaysEven,
    ];

    /// By the two counts. Not by a branch: what a hand comes to is as random as the cards.
    #[inline(always)]
    fn of_counts(total: u8, dealer: &DealersCount) -> Self {
        let (lower, tied) = (usize::from(total < dealer.to_beat), usize::from(total == dealer.to_beat));
        [Self::Higher, Self::Lower, Self::Tie, Self::DealerBust][(lower | tied << 1 | dealer.bust) & 3]
    }

    fn of_bonus(bonus: &Bonus) -> Self {
        let rows = [
            Self::Mixed678,
            Self::Suited678,
            Self::Top678,
            Self::Mixed777,
            Self::Suited777,
            Self::Top777,
            Self::FiveCards,
            Self::SixCards,
            Self::SevenCards,
        ];
        let at = payouts::BONUSES.iter().position(|each| std::ptr::eq(*each, bonus)).unwrap_or(0);
        rows[at]
    }

    /// What it pays and cites at this table.
    fn ending(self, table: &Table) -> Ending {
        let won = |name, ratio, point| Ending { outcome: Outcome::Won, name, pay: Some(Pay::To(ratio)), point };
        let even = |name, point| won(name, Ratio::EVEN, point);
        let lost = |name, point| Ending { outcome: Outcome::Lost, name, pay: None, point };
        let tied = |name, point| Ending { outcome: Outcome::Tied, name, pay: None, point };
        let bonus = |bonus: &'static Bonus| won(&bonus.name, bonus.ratio, bonus.point);
        match self {
            Self::Higher => even(&"higher", Point::PaysEven),
            Self::Lower => lost(&"lower", table.settlement.point()),
            Self::Tie => tied(&"tie", Point::Tied),
            Self::DealerBust => even(&"dealer bust", Point::PaysEven),
            Self::Bust => lost(&"bust", Point::BustCollected),
            Self::Blackjack => won(&"blackjack", table.blackjack_pays.ratio(), table.blackjack_pays.point()),
            Self::TwentyOne => even(&"21", Point::PaysEven),
            Self::TwentyOneAgainst21 => even(&"21 against 21", Point::PaysEven),
            Self::DoubledBonus => even(&"21", Point::BonusNotOnDoubles),
            Self::DoubledBonusAgainst21 => even(&"21 against 21", Point::BonusNotOnDoubles),
            Self::Mixed678 => bonus(&payouts::SIX_SEVEN_EIGHT_MIXED),
            Self::Suited678 => bonus(&payouts::SIX_SEVEN_EIGHT_SUITED),
            Self::Top678 => bonus(&payouts::SIX_SEVEN_EIGHT_TOP),
            Self::Mixed777 => bonus(&payouts::THREE_SEVENS_MIXED),
            Self::Suited777 => bonus(&payouts::THREE_SEVENS_SUITED),
            Self::Top777 => bonus(&payouts::THREE_SEVENS_TOP),
            Self::FiveCards => bonus(&payouts::FIVE_CARDS),
            Self::SixCards => bonus(&payouts::SIX_CARDS),
            Self::SevenCards => bonus(&payouts::SEVEN_CARDS),
            Self::DealerBlackjack => lost(&"dealer blackjack", Point::DealerBlackjack),
            Self::BlackjackAgainstBlackjack => tied(&"blackjack against blackjack", Point::Tied),
            Self::SwitchedLost => lost(&"dealer blackjack", Point::SwitchedLost),
            Self::SwitchTiesBlackjack => tied(&"blackjack against blackjack", Point::SwitchTiesBlackjack),
            Self::Against22 => tied(&"dealer 22", Point::Against22),
            Self::SwitchedAgainst22 => tied(&"dealer 22", Point::SwitchedTied),
            Self::SwitchedAgainst21 => tied(&"switched 21", Point::SwitchedTied),
            Self::SwitchEvenMoney => even(&"blackjack", Point::SwitchEvenMoney),
            Self::SwitchAlwaysEven => even(&"blackjack", Point::SwitchAlwaysEven),
        }
    }
}

/// The endings of all rows at one table.
#[derive(Clone, Debug)]
pub(super) struct Endings([Ending; Row::COUNT]);

impl Endings {
    pub(super) fn new(table: &Table) -> Self {
        Self(Row::ALL.map(|row| row.ending(table)))
    }

    #[inline(always)]
    pub(super) fn of(&self, row: Row) -> Ending {
        self.0[row as usize]
    }
}

/// The dealer's count as hands are compared with it.
struct DealersCount {
    /// What a hand has to beat: nothing where the dealer is over 21.
    to_beat: u8,
    /// The bits of [`Row::DealerBust`] where the dealer is over 21.
    bust: usize,
    /// The highest count that is decided by the two counts alone; none where more than the counts decides about all.
    most: Option<u8>,
}

/// One bit for each place where lines are drawn up, the lowest for the one that comes first: from the right; in a box its
/// side wagers and insurance, then its hands from the dealer's left.
type Places = u128;
const PLACES_OF_BOX: usize = 16;
const _: () = assert!(SEATS_MAX * PLACES_OF_BOX == Places::BITS as usize && HANDS_MAX < PLACES_OF_BOX);

#[inline(always)]
fn first_place(seat: Seat) -> usize {
    PLACES_OF_BOX * (SEATS_MAX - 1 - seat.index())
}

impl Engine {
    /// Lines for every unsettled hand, from the right, in the procedure the submission names.
    pub(super) fn draw_up_main_lines(&mut self, against: DealerHas, out: &mut impl Sink) {
        let dealer = self.dealers_count(against);
        let mut rows = [[Row::Higher; HANDS_MAX]; SEATS_MAX];
        let (mut lost, mut others, mut besides): (Places, Places, Places) = (0, 0, 0);
        for seat in self.now.in_play.iter(Direction::FromLeft) {
            let each = self.now.box_at(seat);
            let place = first_place(seat);
            let insured = each.insurance.is_placed() & !each.insurance_settled;
            besides |= Places::from((each.side_open != 0) | insured) << place;
            for (at, hand) in each.hands().iter().enumerate() {
                let row = self.row(hand, against, &dealer);
                rows[seat.index()][at & (HANDS_MAX - 1)] = row;
                let is_lost = self.endings.of(row).outcome == Outcome::Lost;
                lost |= Places::from(!hand.settled & is_lost) << (place + 1 + at);
                others |= Places::from(!hand.settled & !is_lost) << (place + 1 + at);
            }
        }
        // Two passes over the boxes, one after the other, or one with all of them.
        let two_passes = self.table.settlement == Settlement::CollectThenPay;
        let (mut left, mut rest) =
            if two_passes { (lost | besides, others | besides) } else { (0, lost | others | besides) };
        // One loop and not two: how many hands lose is as random as the cards, and where a loop ends is guessed.
        loop {
            let collects = left != 0;
            (left, rest) = if collects { (left, rest) } else { (rest, 0) };
            if left == 0 {
                return;
            }
            let place = left.trailing_zeros() as usize;
            left &= left - 1;
            let (index, at) = (SEATS_MAX - 1 - place / PLACES_OF_BOX, place % PLACES_OF_BOX);
            #[expect(clippy::cast_possible_truncation, reason = "boxes and hands are few")]
            let (seat, hand) = (Seat::from_index(index as u8), at as u8);
            if hand > 0 {
                let row = rows[index][(at - 1) & (HANDS_MAX - 1)];
                self.settle_hand(seat, hand - 1, self.endings.of(row), out);
            } else {
                let wanted: fn(Outcome) -> bool = match (two_passes, rest != 0) {
                    (false, _) => |_| true,
                    (true, true) => |outcome| outcome == Outcome::Lost,
                    (true, false) => |outcome| outcome != Outcome::Lost,
                };
                self.settle_beside_hands(seat, wanted, out);
            }
        }
    }

    /// What a box has to be settled besides its hands, as far as this pass wants it.
    #[inline(never)]
    fn settle_beside_hands(&mut self, seat: Seat, wanted: fn(Outcome) -> bool, out: &mut impl Sink) {
        if self.now.box_at(seat).side_open != 0 {
            self.push_spin_lines(seat, wanted, out);
        }
        let each = self.now.box_at(seat);
        if each.insurance.is_placed() && !each.insurance_settled && wanted(Outcome::Won) {
            self.settle_insurance(seat, Outcome::Won, out);
        }
    }

    fn dealers_count(&self, against: DealerHas) -> DealersCount {
        let total = self.now.dealer.total();
        // A dealer's bust is below every hand.
        let (to_beat, bust) = if total > 21 { (0, Row::DealerBust as usize) } else { (total, 0) };
        let most = match (against, self.table.variation) {
            (DealerHas::Blackjack, _) | (DealerHas::ACount, Variation::Switch) => None,
            (DealerHas::ACount, _) if self.table.game.player_21_wins() => Some(20),
            (DealerHas::ACount, _) => Some(21),
        };
        DealersCount { to_beat, bust, most }
    }

    /// How this hand ends.
    #[inline(always)]
    fn row(&self, hand: &HandState, against: DealerHas, dealer: &DealersCount) -> Row {
        let total = hand.cards.total();
        if (hand.status == HandStatus::Blackjack) | dealer.most.is_none_or(|most| total > most) {
            return self.row_by_more_than_counts(hand, against, dealer);
        }
        Row::of_counts(total, dealer)
    }

    #[inline(never)]
    fn row_by_more_than_counts(&self, hand: &HandState, against: DealerHas, dealer: &DealersCount) -> Row {
        match against {
            DealerHas::Blackjack => self.row_against_blackjack(hand),
            DealerHas::ACount if hand.cards.is_bust() => Row::Bust,
            DealerHas::ACount => {
                let switch = self.table.variation == Variation::Switch;
                if let Some(row) = if switch { self.row_in_switch(hand) } else { None } {
                    row
                } else if hand.status == HandStatus::Blackjack {
                    Row::Blackjack
                } else if hand.cards.total() == 21 && self.table.game.player_21_wins() {
                    self.row_of_21(hand)
                } else {
                    Row::of_counts(hand.cards.total(), dealer)
                }
            }
        }
    }

    /// A 21 of the sister games: a bonus of 12.B where it is neither doubled nor split (S9), else even. Of doubled hands
    /// 12.B itself says so.
    fn row_of_21(&self, hand: &HandState) -> Row {
        let bonus = if hand.from_split { None } else { self.bonus(&hand.cards) };
        let against_21 = self.now.dealer.total() == 21;
        match bonus {
            Some(bonus) if hand.doubles == 0 => Row::of_bonus(bonus),
            Some(_) if against_21 => Row::DoubledBonusAgainst21,
            Some(_) => Row::DoubledBonus,
            None if against_21 => Row::TwentyOneAgainst21,
            None => Row::TwentyOne,
        }
    }

    /// The best single line of 12.B for a 21 (S5).
    fn bonus(&self, hand: &Hand) -> Option<&'static Bonus> {
        match hand.len() {
            3 => {
                let &[a, b, c] = hand.cards() else { return None };
                let suited = a.suit() == b.suit() && b.suit() == c.suit();
                let top = suited && Some(a.suit()) == self.table.game.top_suit();
                if is_three_sevens(a, b, c) {
                    Some(match (suited, top) {
                        (_, true) => &payouts::THREE_SEVENS_TOP,
                        (true, false) => &payouts::THREE_SEVENS_SUITED,
                        (false, false) => &payouts::THREE_SEVENS_MIXED,
                    })
                } else if is_six_seven_eight(a, b, c) {
                    Some(match (suited, top) {
                        (_, true) => &payouts::SIX_SEVEN_EIGHT_TOP,
                        (true, false) => &payouts::SIX_SEVEN_EIGHT_SUITED,
                        (false, false) => &payouts::SIX_SEVEN_EIGHT_MIXED,
                    })
                } else {
                    None
                }
            }
            5 => Some(&payouts::FIVE_CARDS),
            6 => Some(&payouts::SIX_CARDS),
            7 => Some(&payouts::SEVEN_CARDS),
            8.. if self.table.seven_card_21 == SevenCard21::OrMore => Some(&payouts::SEVEN_CARDS),
            _ => None,
        }
    }

    /// Against a dealer blackjack that the reader announced: nobody has acted.
    fn row_against_blackjack(&self, hand: &HandState) -> Row {
        let switch = self.table.variation == Variation::Switch;
        if hand.status == HandStatus::Blackjack {
            match (self.table.game.player_21_wins(), switch) {
                (true, _) => Row::Blackjack,
                (false, true) => Row::SwitchTiesBlackjack,
                (false, false) => Row::BlackjackAgainstBlackjack,
            }
        } else if switch && hand.cards.is_ace_and_ten() {
            Row::SwitchedLost
        } else {
            Row::DealerBlackjack
        }
    }

    /// Where 12.A(5) departs from the usual ending.
    fn row_in_switch(&self, hand: &HandState) -> Option<Row> {
        let rules = self.table.switch_rules;
        let dealer = self.now.dealer.total();
        let natural = hand.status == HandStatus::Blackjack;
        let switched = !natural && hand.cards.is_ace_and_ten() && !hand.from_split;
        if dealer == 22 && !(natural && rules.unswitched_against_22 == UnswitchedAgainst22::Win) {
            return Some(if switched { Row::SwitchedAgainst22 } else { Row::Against22 });
        }
        if natural {
            return Some(match rules.blackjack {
                SwitchBlackjack::EvenMoney | SwitchBlackjack::AsPrinted if dealer == 21 => Row::SwitchEvenMoney,
                SwitchBlackjack::EvenMoney => Row::SwitchAlwaysEven,
                SwitchBlackjack::AsPrinted => Row::Blackjack,
            });
        }
        (switched && dealer == 21).then_some(Row::SwitchedAgainst21)
    }

    /// A hand over 21 is collected at once (H1); `hand` counts from 0.
    pub(super) fn collect_bust(&mut self, seat: Seat, hand: u8, out: &mut impl Sink) {
        self.settle_hand(seat, hand, self.endings.of(Row::Bust), out);
    }

    /// A player's blackjack that wins is paid: the first hand of its box.
    pub(super) fn settle_blackjack_won(&mut self, seat: Seat, out: &mut impl Sink) {
        self.settle_hand(seat, 0, self.endings.of(Row::Blackjack), out);
    }
}

fn is_three_sevens(a: Card, b: Card, c: Card) -> bool {
    [a, b, c].iter().all(|card| card.rank() == Rank::Seven)
}

fn is_six_seven_eight(a: Card, b: Card, c: Card) -> bool {
    let seen = [a, b, c].iter().fold(0u16, |seen, card| seen | 1 << card.rank() as u8);
    seen == 1 << Rank::Six as u8 | 1 << Rank::Seven as u8 | 1 << Rank::Eight as u8
}

/// Three sevens of one suit, the hand of 12.C.
pub(super) fn is_suited_three_sevens(hand: &Hand) -> bool {
    matches!(*hand.cards(), [a, b, c]
        if is_three_sevens(a, b, c) && a.suit() == b.suit() && b.suit() == c.suit() && hand.cards_down() == 0)
}
