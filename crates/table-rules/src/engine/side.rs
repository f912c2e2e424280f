//! The side wagers in a round, settled at their moment, one box after another.
//!
//! The phases know moments, not wagers (W16): at each moment every open wager is asked, and settles at the first one
//! that has an answer. Side wagers outlive their hand.

use super::Engine;
use super::side_placing::bits;
use crate::card::{Card, Rank, Suit};
use crate::event::Sink;
use crate::game::Direction;
use crate::hand::Hand;
use crate::input::PeekAnswer;
use crate::line::{Approval, Due, Line, Outcome, Stake};
use crate::money::{Cents, Pay};
use crate::seat::{SEATS_MAX, Seat};
use crate::side::{Moment, PaytableLine, Priced, Reader, Verdict, Visible, share_of_maximum};
use crate::source::{Point, Source};
use crate::table::Variation;
use crate::wager::WagerId;

/// Stands in a `Visible` until the box's own cards are looked at.
const UNSEEN: Card = Card::new(Rank::Ace, Suit::Clubs);

impl Engine {
    /// Asks every open wager that may settle at this moment, from the right (7.F, 7.O, B1).
    #[inline]
    pub(super) fn settle_side(&mut self, moment: Moment, out: &mut impl Sink) {
        self.now.moment = moment;
        if moment == Moment::DealerComplete && self.side.has_draws {
            self.ask_with_draws(moment, out);
        } else if self.side.at[moment as usize] != 0 {
            self.ask_side_wagers(moment, out);
        }
    }

    #[inline(never)]
    fn ask_side_wagers(&mut self, moment: Moment, out: &mut impl Sink) {
        let dealer = self.now.dealer;
        let mut visible = self.sight_of_dealer(moment, &dealer);
        let asking = self.asking(moment);
        for seat in self.now.in_play.iter(Direction::FromRight) {
            self.settle_side_of(seat, &asking, &mut visible, out);
        }
    }

    /// The same where a draw may have given a box something: it belongs to the box's turn, behind its wager (D12).
    #[inline(never)]
    fn ask_with_draws(&mut self, moment: Moment, out: &mut impl Sink) {
        let dealer = self.now.dealer;
        let mut visible = self.sight_of_dealer(moment, &dealer);
        let asking = self.asking(moment);
        for seat in self.now.in_play.iter(Direction::FromRight) {
            for wager in bits(self.now.box_at(seat).side_open) {
                let asking = Asking { settling: asking.settling & (1 << wager), ..asking };
                self.settle_side_of(seat, &asking, &mut visible, out);
                let settled = self.now.box_at(seat).side_open & (1 << wager) == 0;
                if settled || self.offered(wager).must_hit().is_some() {
                    self.push_drawn_lines(seat, wager, out);
                }
            }
        }
    }

    fn asking(&self, moment: Moment) -> Asking {
        let switch = self.table.variation == Variation::Switch;
        Asking {
            settling: self.side.at[moment as usize],
            by_first_cards: !switch && moment < Moment::Reveal && !self.now.dealer.is_empty(),
        }
    }

    /// Asks the open wagers of this box. `visible` knows the dealer's part; the box's is filled in here.
    #[inline(always)]
    fn settle_side_of(&mut self, seat: Seat, asking: &Asking, visible: &mut Visible<'_>, out: &mut impl Sink) {
        let index = seat.index();
        let each = &self.now.boxes[index];
        let mut open = each.side_open & asking.settling;
        if !each.first_known {
            open = self.decided_unseen(open, visible.reader);
        }
        if open == 0 {
            return;
        }
        if asking.by_first_cards {
            visible.first = each.first;
        } else {
            self.look_at_box(seat, visible);
        }
        for wager in bits(open) {
            let stake = self.side_stake_on(&self.now.boxes[index], wager);
            visible.stake = stake.amount();
            let verdict = self.offered(wager).evaluate(visible);
            self.act_on_verdict(seat, wager, verdict, out);
        }
    }

    /// Of these wagers, those that do not look at the player's cards as things stand: cards dealt face down may still lie
    /// so (B14).
    #[cold]
    fn decided_unseen(&self, open: u32, reader: Reader) -> u32 {
        bits(open)
            .filter(|&wager| !self.offered(wager).looks_at_first_cards(reader))
            .fold(0, |set, wager| set | 1 << wager)
    }

    #[inline(never)]
    fn act_on_verdict(&mut self, seat: Seat, wager: u8, verdict: Verdict, out: &mut impl Sink) {
        if self.rider_needs_amount(seat, wager) {
            self.ask_side_amount(seat, wager);
            return;
        }
        match verdict {
            Verdict::NotYet | Verdict::NeedsDraw => {}
            Verdict::NeedsAmount => self.ask_side_amount(seat, self.stake_bearer(wager)),
            Verdict::NeedsWheel => self.wheel_is_due(seat, wager),
            Verdict::Lost => {
                self.close_side(seat, wager);
                if !self.is_rider(wager) {
                    self.push_side_line(seat, wager, None, self.side_stake(seat, wager), out);
                }
            }
            // A maximum is shared among all its winners: nobody is paid before every winner's stake is known (13.K).
            Verdict::Won { line, .. }
                if self.offered(wager).maximum_for(line).is_some() && self.stakes_missing(wager) => {}
            Verdict::Won { line, second } => {
                self.close_side(seat, wager);
                self.push_side_win(seat, wager, line, out);
                if let Some(second) = second {
                    let priced = self.price(seat, wager, second);
                    self.push_side_line(seat, wager, Some((second, priced)), Stake::NONE, out);
                }
            }
        }
    }

    /// Whether some box's stake on this wager decides its part of a maximum and is not known.
    fn stakes_missing(&self, wager: u8) -> bool {
        let dealer = self.now.dealer;
        self.now.in_play.iter(Direction::FromLeft).any(|seat| {
            let open = self.now.box_at(seat).side_open & (1 << wager) != 0;
            open && self.now.box_at(seat).first_known && self.verdict(seat, wager, &dealer) == Verdict::NeedsAmount
        })
    }

    pub(super) fn verdict(&self, seat: Seat, wager: u8, dealer: &Hand) -> Verdict {
        let mut visible = self.visible(seat, self.now.moment, dealer);
        visible.stake = self.side_stake(seat, wager).amount();
        self.offered(wager).evaluate(&visible)
    }

    /// Asks one wager of every box again, after something about it has been told.
    pub(super) fn settle_again(&mut self, wager: u8, out: &mut impl Sink) {
        let dealer = self.now.dealer;
        for seat in self.now.in_play.iter(Direction::FromRight) {
            let each = self.now.box_at(seat);
            let seen = each.first_known || self.decided_unseen(1 << wager, self.reader_knows(&dealer)) != 0;
            if each.side_open & (1 << wager) != 0 && seen {
                let verdict = self.verdict(seat, wager, &dealer);
                self.act_on_verdict(seat, wager, verdict, out);
            }
        }
    }

    #[inline]
    pub(super) fn close_side(&mut self, seat: Seat, wager: u8) {
        self.now.box_mut(seat).side_open &= !(1 << wager);
        self.side_amount_is_answered(seat, wager);
    }

    #[inline]
    pub(super) fn price(&self, seat: Seat, wager: u8, line: PaytableLine) -> Priced {
        self.offered(wager).pay(line, self.side_stake(seat, wager).amount())
    }

    pub(super) fn push_side_win(&mut self, seat: Seat, wager: u8, won: PaytableLine, out: &mut impl Sink) {
        let stake = if self.is_rider(wager) { Stake::NONE } else { self.side_stake(seat, wager) };
        let priced = self.price(seat, wager, won);
        self.push_side_line(seat, wager, Some((won, priced)), stake, out);
    }

    /// Draws up the line of a side wager: lost without `won`, else by its priced line.
    pub(super) fn push_side_line(
        &mut self,
        seat: Seat,
        wager: u8,
        won: Option<(PaytableLine, Priced)>,
        stake: Stake,
        out: &mut impl Sink,
    ) {
        let line = self.side_line(seat, wager, won, stake);
        self.push_line(line, out);
    }

    #[inline]
    pub(super) fn side_line(&self, seat: Seat, wager: u8, won: Option<(PaytableLine, Priced)>, stake: Stake) -> Line {
        let lost = lost_side_line(seat, self.offered(wager).id(), stake, self.side_lost_source());
        match won {
            None => lost,
            Some((won, priced)) => self.won_side_line(lost, wager, won, priced),
        }
    }

    /// The line of a wager that was lost, had it won by this priced line.
    fn won_side_line(&self, lost: Line, wager: u8, won: PaytableLine, priced: Priced) -> Line {
        let (offered, Line { seat, stake, .. }) = (self.offered(wager), lost);
        let mut line = lost;
        line.outcome = Outcome::Won;
        line.name = priced.key;
        line.pay = Some(priced.pay);
        line.source = priced.source;
        let staked = self.side_stake(seat, wager).amount();
        match priced.pay {
            Pay::To(ratio) => {
                line.returned = if stake.is_placed() { stake.amount().into() } else { Due::NOTHING };
                line.pays = staked.map(|staked| self.odds_of(ratio, staked)).into();
            }
            Pay::For(ratio) => line.pays = staked.map(|staked| self.odds_of(ratio, staked)).into(),
            Pay::Amount(amount) => line.pays = Due::of(amount),
            // Priced when its turn to be paid comes (X1).
            Pay::Meter { .. } => {
                line.pays = Due::NONE;
                line.approval = Approval::Progressive;
            }
        }
        if priced.is_prize {
            line.approval = Approval::Progressive;
        }
        if let (Some(maximum), Some(due)) = (offered.maximum_for(won), line.pays.amount()) {
            let share = share_of_maximum(maximum, self.due_in_all(wager, won), due, self.table.smallest_chip);
            if share != due {
                line.pays = Due::of(share);
                line.is_share = true;
                line.source = self.cite(Point::ShareOfMaximum);
            }
        }
        if line.pays.amount().is_some_and(|pays| offered.needs_second_person(pays)) {
            line.approval = Approval::ProgressiveBySecond;
        }
        line
    }

    #[inline]
    fn side_lost_source(&self) -> Source {
        let point = match self.now.moment {
            Moment::FirstCards => Point::SettleFirstCardWagers,
            Moment::AfterReader | Moment::Reveal | Moment::DealerComplete | Moment::TurnToBePaid => {
                Point::SettleOtherWagers
            }
        };
        self.cite(point)
    }

    /// What this line of this wager would pay the whole table together, for the maximum of 13.J and 13.K.
    fn due_in_all(&self, wager: u8, line: PaytableLine) -> Cents {
        let dealer = self.now.dealer;
        let due = |seat: Seat| -> Option<Cents> {
            if self.now.box_at(seat).side_placed & (1 << wager) == 0 {
                return None;
            }
            let mut visible = self.visible(seat, self.now.moment, &dealer);
            let stake = self.side_stake(seat, wager).amount();
            visible.stake = stake;
            match self.offered(wager).evaluate(&visible) {
                Verdict::Won { line: won, .. } if won == line => match self.offered(wager).pay(line, stake).pay {
                    Pay::To(ratio) | Pay::For(ratio) => Some(self.odds_of(ratio, stake?)),
                    Pay::Amount(_) | Pay::Meter { .. } => None,
                },
                Verdict::NotYet
                | Verdict::Lost
                | Verdict::Won { .. }
                | Verdict::NeedsWheel
                | Verdict::NeedsDraw
                | Verdict::NeedsAmount => None,
            }
        };
        self.now.in_play.iter(Direction::FromLeft).filter_map(due).sum()
    }

    /// What lies open for this box at this moment.
    pub(super) fn visible<'d>(&self, seat: Seat, moment: Moment, dealer: &'d Hand) -> Visible<'d> {
        let mut visible = self.sight_of_dealer(moment, dealer);
        self.look_at_box(seat, &mut visible);
        visible
    }

    /// The part of it that is the same for every box: the dealer's cards.
    fn sight_of_dealer<'d>(&self, moment: Moment, dealer: &'d Hand) -> Visible<'d> {
        let hole = dealer.cards().get(1).copied();
        let complete = moment >= Moment::DealerComplete || (hole.is_some() && dealer.is_ace_and_ten());
        Visible {
            moment,
            reader: self.reader_knows(dealer),
            hole,
            dealer_hand: if complete { Some(dealer.cards()) } else { None },
            ..Visible::first_cards(self.table.game, [UNSEEN; 2], self.now.up_card().unwrap_or(UNSEEN))
        }
    }

    /// Fills in what is this box's.
    #[inline(always)]
    fn look_at_box(&self, seat: Seat, visible: &mut Visible<'_>) {
        let each = self.now.box_at(seat);
        let first_hand = &each.hands[0].cards;
        let total_is_final = visible.moment >= Moment::Reveal && first_hand.cards_down() == 0;
        visible.first = each.first;
        if self.table.variation == Variation::Switch {
            visible.second = Some(each.second);
        }
        visible.up = self.now.up_card().unwrap_or(each.first[0]);
        visible.first_hand_total = if total_is_final { Some(first_hand.total()) } else { None };
    }

    /// What the reader has told, or what the open cards show.
    pub(super) fn reader_knows(&self, dealer: &Hand) -> Reader {
        if !self.now.up.is_some_and(crate::input::UpGroup::peeks) {
            return Reader::NotAsked;
        }
        if dealer.len() > 1 {
            return if is_ace_and_ten([dealer.cards()[0], dealer.cards()[1]]) { Reader::Yes } else { Reader::No };
        }
        match self.now.answer {
            Some(PeekAnswer::Yes) => Reader::Yes,
            Some(PeekAnswer::No) => Reader::No,
            Some(PeekAnswer::Unread) | None => Reader::Waiting,
        }
    }

    /// B12: whether a wager that lives on the dealer's hand is still open.
    pub(super) fn side_needs_dealer(&self) -> bool {
        if self.side.needs_dealer == 0 {
            return false;
        }
        let dealer = self.now.dealer;
        self.now.in_play.iter(Direction::FromLeft).any(|seat| {
            let open = self.now.box_at(seat).side_open & self.side.needs_dealer;
            if open == 0 {
                return false;
            }
            let visible = self.visible(seat, Moment::Reveal, &dealer);
            bits(open).any(|wager| self.offered(wager).needs_dealer_hand(&visible))
        })
    }

    /// S12: a "no" that was wrong decided these wagers; their right lines are listed for the floorperson.
    pub(super) fn correct_side_wagers(&mut self, seat: Seat, out: &mut impl Sink) {
        let dealer = self.now.dealer;
        for wager in bits(self.now.box_at(seat).side_after_reader) {
            let mut visible = self.visible(seat, Moment::Reveal, &dealer);
            visible.stake = self.side_stake(seat, wager).amount();
            let won = match self.offered(wager).evaluate(&visible) {
                Verdict::Won { line, .. } => Some((line, self.price(seat, wager, line))),
                Verdict::NotYet | Verdict::Lost | Verdict::NeedsWheel | Verdict::NeedsDraw | Verdict::NeedsAmount => {
                    None
                }
            };
            let id = self.offered(wager).id();
            let Some(earlier) = self.now.lines.iter().find(|line| line.seat == seat && line.wager == id).copied()
            else {
                continue;
            };
            let mut line = self.side_line(seat, wager, won, earlier.stake);
            if (line.outcome, line.name) == (earlier.outcome, earlier.name) {
                continue;
            }
            line.correction = Due::of(earlier.to_player().unwrap_or(Cents::ZERO));
            if line.approval == Approval::NotNeeded {
                line.approval = Approval::Floor;
            }
            self.push_line(line, out);
        }
    }

    /// Remembers which wagers of a box the reader's "no" decides, so that a wrong one can be corrected.
    pub(super) fn settle_side_after_no(&mut self, seat: Seat, out: &mut impl Sink) {
        let open = self.now.box_at(seat).side_open;
        if open & self.side.at[Moment::AfterReader as usize] == 0 {
            return;
        }
        let dealer = self.now.dealer;
        let asking = self.asking(Moment::AfterReader);
        let mut visible = self.sight_of_dealer(Moment::AfterReader, &dealer);
        self.settle_side_of(seat, &asking, &mut visible, out);
        let each = self.now.box_mut(seat);
        each.side_after_reader |= open & !each.side_open;
    }

    /// The same where the cards were turned only after the "no": what it may have decided is remembered.
    pub(super) fn settle_turned_after_no(&mut self, out: &mut impl Sink) {
        let reader_decides = self.side.at[Moment::AfterReader as usize];
        for moment in [Moment::FirstCards, Moment::AfterReader] {
            let open: [u32; SEATS_MAX] = std::array::from_fn(|at| self.now.boxes[at].side_open);
            self.settle_side(moment, out);
            for (each, before) in self.now.boxes.iter_mut().zip(open) {
                each.side_after_reader |= before & !each.side_open & reader_decides;
            }
        }
    }
}

/// What is the same for every wager that is asked at a moment.
struct Asking {
    /// The wagers that may settle now, one bit each.
    settling: u32,
    /// Nothing but the first cards differs from box to box.
    by_first_cards: bool,
}

#[inline(always)]
fn lost_side_line(seat: Seat, wager: WagerId, stake: Stake, source: Source) -> Line {
    Line {
        seat,
        hand: 1,
        wager,
        outcome: Outcome::Lost,
        name: &"lost",
        pay: None,
        stake,
        returned: Due::NOTHING,
        pays: Due::NOTHING,
        source,
        approval: Approval::NotNeeded,
        correction: Due::NONE,
        is_share: false,
    }
}

#[inline]
pub(super) fn is_ace_and_ten([a, b]: [Card; 2]) -> bool {
    (a.is_ace() & b.is_ten_value()) | (b.is_ace() & a.is_ten_value())
}
