//! A dealer and players who do what the screen says with their hands: draw, insert, press, put, tap.
//!
//! The robot sees what people at the table see: the prompt, the cards that lie open, the chips, the reader's lamp. It
//! must never be told a card that lies face down, except as the dealer's hand carries it to the reader unseen.

mod deciding;
mod habits;
mod strategy;

use std::collections::VecDeque;

use table_rules::Prompt;
use table_rules::card::Card;
use table_rules::engine::TableView;
use table_rules::game::Direction;
use table_rules::input::{Cutter, Input, InputKind, Inspection, Packs, Text};
use table_rules::line::Handling;
use table_rules::money::Cents;
use table_rules::prompt::{CardOffer, Order};
use table_rules::seat::Seat;
use table_rules::table::Table;
use table_rules::wager::WagerId;

use crate::dice::Dice;
use deciding::LateWord;
pub use habits::Habits;

/// One thing that somebody does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    PutChip(Seat),
    TakeChip(Seat),
    PressLock,
    DrawCard,
    /// A double's card that is laid face down; the dealer says so with a key before drawing.
    DrawCardFaceDown,
    InsertHoleCard(Insertion),
    RemoveHoleCard,
    TurnHoleCard,
    /// Turns a face-down double of this seat.
    TurnCard(Seat),
    /// The shoe did not tell of the card that was just drawn: it is tapped in, or told burnt.
    TellMissedCard,
    /// All cards through the shuffler.
    Shuffle,
    /// The stack is cut this many cards from the top.
    Cut {
        by: Cutter,
        depth: u16,
    },
    /// The cover card goes in this many cards from the bottom.
    PlaceCover(u16),
    LoadShoe,
    Tap(Input),
    /// Nothing to do but look at the screen.
    Wait,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Insertion {
    Straight,
    Half,
    Askew,
    PulledEarly,
}

/// What eyes see beside the screen.
#[derive(Clone, Debug)]
pub struct Visible {
    pub reader: ReaderSight,
    pub shoe_lives: bool,
    pub cut_card_out: bool,
    /// A card has left the shoe and the screen does not show it yet; for how many milliseconds.
    pub card_waits_ms: Option<u64>,
    /// The open card that was laid last.
    pub last_open: Option<Card>,
    /// Seats with a chip on the main spot.
    pub chips: Vec<Seat>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReaderSight {
    /// Dark or not yet armed.
    NotReady,
    Armed,
    /// A card is in and there is something to wait for.
    Reading,
    /// A card is in and nothing more will come of it.
    TakeOut,
}

/// So long a dealer looks at the screen before tapping a card in by hand.
const PATIENCE_MS: u64 = 6_000;

#[derive(Debug)]
pub struct Robot {
    dice: Dice,
    habits: Habits,
    /// This round's players: where, how much, and whether they tell.
    plan: Vec<(Seat, Cents, bool)>,
    taps: VecDeque<Input>,
    /// The word that follows the card just drawn.
    late: Option<LateWord>,
    locked: bool,
    insurance_asked: bool,
    late_chip: Option<Seat>,
    new_dealer: bool,
    card_was_last: bool,
}

impl Robot {
    pub fn new(seed: u64, habits: Habits) -> Self {
        Self {
            dice: Dice::new(seed),
            habits,
            plan: Vec::new(),
            taps: VecDeque::new(),
            late: None,
            locked: false,
            insurance_asked: false,
            late_chip: None,
            new_dealer: false,
            card_was_last: false,
        }
    }

    /// New wagers are thought of. At least one box plays.
    pub fn begin_round(&mut self, table: &Table) {
        self.plan.clear();
        self.taps.clear();
        self.late = None;
        self.locked = false;
        self.insurance_asked = false;
        self.late_chip = None;
        let boxes = 1 + self.dice.below(u64::from(table.positions.min(4)));
        let mut seats: Vec<Seat> = (1..=table.positions).filter_map(Seat::new).collect();
        self.dice.shuffle(&mut seats);
        let boxes = usize::try_from(boxes).unwrap_or(1);
        for seat in seats.into_iter().take(boxes) {
            let chips = 1 + i64::try_from(self.dice.below(40)).unwrap_or(0);
            let step = table.smallest_chip.0.max(1);
            let least = table.limits.minimum.0.div_euclid(step) * step + step;
            let amount = Cents((least + chips * step).min(table.limits.maximum.0));
            let tells = !self.dice.per_mille(self.habits.unknown_amount_per_mille);
            self.plan.push((seat, amount, tells));
        }
        self.plan.sort_by_key(|(seat, ..)| *seat);
        self.new_dealer = self.dice.per_mille(self.habits.dealer_change_per_mille);
    }

    /// What somebody does next.
    pub fn next(&mut self, table: &Table, prompt: &Prompt, view: &TableView, visible: &Visible) -> Deed {
        let deed = self.choose(table, prompt, view, visible);
        match deed {
            Deed::DrawCard | Deed::DrawCardFaceDown | Deed::TellMissedCard => self.card_was_last = true,
            Deed::Tap(input) => self.card_was_last = matches!(input, Input::Card(_)),
            Deed::TurnHoleCard | Deed::TurnCard(_) => self.card_was_last = false,
            Deed::PutChip(_)
            | Deed::TakeChip(_)
            | Deed::PressLock
            | Deed::InsertHoleCard(_)
            | Deed::RemoveHoleCard
            | Deed::Shuffle
            | Deed::Cut { .. }
            | Deed::PlaceCover(_)
            | Deed::LoadShoe
            | Deed::Wait => {}
        }
        deed
    }

    fn choose(&mut self, table: &Table, prompt: &Prompt, view: &TableView, visible: &Visible) -> Deed {
        if let Some(waits) = visible.card_waits_ms {
            return if waits >= PATIENCE_MS { Deed::TellMissedCard } else { Deed::Wait };
        }
        if visible.reader == ReaderSight::TakeOut {
            return Deed::RemoveHoleCard;
        }
        if let Some(seat) = self.late_chip.take_if(|seat| visible.chips.contains(seat)) {
            return Deed::TakeChip(seat);
        }
        if let Some(late) = self.late.take() {
            self.say_late(late, prompt, visible);
        }
        if let Some(tap) = self.taps.pop_front() {
            return Deed::Tap(tap);
        }
        match prompt.order {
            Order::TakeWagers { .. } => self.take_wagers(prompt, view, visible),
            Order::RepairReader => Deed::Tap(Input::ReaderRepaired),
            Order::ChangeDecks { count, wagers_lie: false } => Deed::Tap(Input::Decks { count, packs: Packs::Unsaid }),
            Order::ChangeDecks { wagers_lie: true, .. } => give_back(view, visible),
            Order::BurnForNewDealer
            | Order::BurnFirstCard
            | Order::DealFirstCard { .. }
            | Order::DealUpCard
            | Order::DealSecondCard { .. }
            | Order::DealHoleCard
            | Order::DealHit { .. }
            | Order::DealSplitCard { .. }
            | Order::DealToDealer { .. } => self.draw(prompt, visible),
            Order::DealDouble { .. } => {
                let down = prompt.offers.card == CardOffer::Either
                    && self.dice.per_mille(self.habits.face_down_double_per_mille);
                if !visible.shoe_lives {
                    Deed::Wait
                } else if down {
                    Deed::DrawCardFaceDown
                } else {
                    Deed::DrawCard
                }
            }
            Order::SettleLine { .. } => {
                let all = self.dice.per_mille(self.habits.settle_all_per_mille);
                Deed::Tap(match prompt.line.map(|line| line.handling()) {
                    Some(Handling::Take) if !all => Input::Collected,
                    Some(Handling::Give) if !all => Input::Paid,
                    Some(Handling::Take | Handling::Give) | None => Input::Settled,
                })
            }
            Order::ApproveLine => Deed::Tap(Input::FloorApprove),
            Order::ApproveLineSecond => Deed::Tap(Input::ManagerApprove),
            Order::OfferInsurance => self.insure(view, prompt, visible),
            Order::InsertHoleCard { .. } => self.insert(visible),
            Order::ReaderStopped => {
                let void = prompt.offers.offers(InputKind::FloorVoid) && self.dice.per_mille(300);
                Deed::Tap(if void { Input::FloorVoid } else { Input::ReaderRepaired })
            }
            Order::AskDecision { seat, hand, .. } => self.decide(table.game, seat, hand, prompt, view, visible),
            Order::AskAfterDouble { total, .. } => self.after_double(total, prompt),
            Order::TurnHoleCard { .. } => Deed::TurnHoleCard,
            Order::TurnCard { seat } => Deed::TurnCard(seat),
            Order::TellAmount { seat, wager } => {
                let amount = self.plan.iter().find(|(planned, ..)| *planned == seat).map(|(_, amount, _)| *amount);
                Deed::Tap(Input::Amount { seat, wager, amount: amount.unwrap_or(table.limits.minimum) })
            }
            Order::TellPersons => Deed::Tap(Input::Next),
            Order::TableClosed => Deed::Tap(Input::Open),
            Order::ReceiveDecks(count) => Deed::Tap(Input::Decks { count, packs: Packs::Unsaid }),
            Order::InspectCards => Deed::Tap(Input::Inspect(Inspection::Dealer)),
            Order::VerifyInspection => Deed::Tap(Input::Inspect(Inspection::Floor)),
            Order::ConfirmTens => Deed::Tap(Input::Inspect(Inspection::Floor)),
            Order::RemoveTens => Deed::Tap(Input::Inspect(Inspection::Tens(table.decks * 4))),
            Order::SpreadCards(_) => Deed::Tap(Input::Spread),
            Order::LetPlayerInspect { .. } => {
                let first = Seat::new(1).expect("every table has a first seat");
                Deed::Tap(Input::Inspect(Inspection::Player(first)))
            }
            Order::WashCards(_) => Deed::Tap(Input::Wash),
            Order::Shuffle(_) | Order::SwapBatches | Order::IntoShuffler => Deed::Shuffle,
            Order::OfferCut(offered) => self.cut(table, offered),
            Order::OfferCutToAnyone => self.cut(table, None),
            Order::PlaceCover { least, .. } => {
                let more = u16::try_from(self.dice.below(20)).unwrap_or(0);
                Deed::PlaceCover(least.saturating_add(more).min(stack_size(table)))
            }
            Order::LoadShoe { .. } => Deed::LoadShoe,
            // These people make no irregularity, no side wager and no spoken one, and deal from one shoe.
            Order::ChangeCash(_)
            | Order::ShuffleSide(_)
            | Order::OfferCutOfSide { .. }
            | Order::LoadSide(_)
            | Order::TakeIntoHand
            | Order::AskUnseenHand { .. }
            | Order::OfferExposedCard { .. }
            | Order::OfferSecondCard { .. }
            | Order::OfferMissedCard(_)
            | Order::TearTen
            | Order::NotifyFloor
            | Order::ShuffleDiscards
            | Order::CutDiscards(_)
            | Order::DrawDeterminant
            | Order::VerifyHand
            | Order::VerifyLamp
            | Order::TellDraw { .. }
            | Order::SpinWheel { .. } => Deed::Wait,
            // Procedure tracking: the cards are not followed; every step is one tap.
            Order::SettleFirstCardWagers
            | Order::DealAndTellUpCard
            | Order::TakeInsurance
            | Order::ServeDecisions
            | Order::MarkBlackjacks
            | Order::MarkMissedBlackjacks
            | Order::RevealStep
            | Order::DealerDrawsStep
            | Order::SettleStep
            // Nobody has anything to say about payments before a void: they stand.
            | Order::AnswerPayments => Deed::Tap(Input::Next),
        }
    }

    fn cut(&mut self, table: &Table, offered: Option<Seat>) -> Deed {
        if let Some(seat) = offered.filter(|_| self.dice.per_mille(300)) {
            return Deed::Tap(Input::CutRefused(seat));
        }
        // Ten cards stay on either side.
        let room = u64::from(stack_size(table).saturating_sub(20).max(1));
        let depth = 10 + u16::try_from(self.dice.below(room)).unwrap_or(0);
        Deed::Cut { by: offered.map_or(Cutter::Dealer, Cutter::Seat), depth }
    }

    fn take_wagers(&mut self, prompt: &Prompt, view: &TableView, visible: &Visible) -> Deed {
        // The cut card came out and the screen has not said so: the floorperson orders the shuffle.
        if visible.cut_card_out && prompt.offers.offers(InputKind::FloorReshuffle) && visible.chips.is_empty() {
            return Deed::Tap(Input::FloorReshuffle);
        }
        if std::mem::take(&mut self.new_dealer)
            && prompt.offers.offers(InputKind::DealerChange)
            && let Some(name) = Text::new("Robin")
        {
            return Deed::Tap(Input::DealerChange(name));
        }
        for (seat, amount, tells) in &self.plan {
            if !visible.chips.contains(seat) {
                return Deed::PutChip(*seat);
            }
            match view.boxes.iter().find(|each| each.seat == *seat) {
                None => return Deed::Wait,
                Some(each) if *tells && each.main.is_unknown() => {
                    return Deed::Tap(Input::Wager { seat: *seat, wager: WagerId::Main, amount: Some(*amount) });
                }
                Some(_) => {}
            }
        }
        let may_draw = visible.shoe_lives && prompt.offers.offers(InputKind::Card);
        if !self.locked && may_draw && self.dice.per_mille(self.habits.forget_lock_per_mille) {
            return Deed::DrawCard;
        }
        self.locked = true;
        Deed::PressLock
    }

    fn draw(&mut self, prompt: &Prompt, visible: &Visible) -> Deed {
        let free = || (1..=3).rev().filter_map(Seat::new).find(|seat| !visible.chips.contains(seat));
        if matches!(prompt.order, Order::DealUpCard)
            && self.dice.per_mille(self.habits.late_chip_per_mille)
            && let Some(seat) = free()
        {
            self.late_chip = Some(seat);
            return Deed::PutChip(seat);
        }
        // A shoe whose link is down is not drawn from: nobody would see the card.
        if visible.shoe_lives { Deed::DrawCard } else { Deed::Wait }
    }

    fn insure(&mut self, view: &TableView, prompt: &Prompt, visible: &Visible) -> Deed {
        if !std::mem::replace(&mut self.insurance_asked, true) {
            for seat in prompt.offers.insure_seats.iter(Direction::FromLeft) {
                if !self.dice.per_mille(self.habits.insure_per_mille) {
                    continue;
                }
                let known = view.boxes.iter().any(|each| each.seat == seat && each.main.amount().is_some());
                let even = prompt.offers.even_money_seats.contains(seat) && known && self.dice.per_mille(500);
                // Half the wager is at least a chip, whatever the wager is.
                let half = self.plan.iter().find(|(planned, ..)| *planned == seat).map(|(_, amount, _)| amount.0 / 2);
                let amount = half.map(|half| Cents(half - half.rem_euclid(100))).filter(|half| known && half.0 > 0);
                self.taps.push_back(if even { Input::EvenMoney { seat } } else { Input::Insure { seat, amount } });
            }
            if let Some(tap) = self.taps.pop_front() {
                return Deed::Tap(tap);
            }
        }
        self.insert(visible)
    }

    fn insert(&mut self, visible: &Visible) -> Deed {
        if visible.reader != ReaderSight::Armed {
            return Deed::Wait;
        }
        if !self.dice.per_mille(self.habits.fumble_per_mille) {
            return Deed::InsertHoleCard(Insertion::Straight);
        }
        Deed::InsertHoleCard(match self.dice.below(3) {
            0 => Insertion::Half,
            1 => Insertion::Askew,
            _ => Insertion::PulledEarly,
        })
    }
}

/// The chips first, then what was told without one.
fn give_back(view: &TableView, visible: &Visible) -> Deed {
    if let Some(seat) = visible.chips.first() {
        return Deed::TakeChip(*seat);
    }
    let placed = view.boxes.first().map(|each| {
        let side = each.side.first().map(|(wager, ..)| *wager);
        Input::Unwager { seat: each.seat, wager: side.unwrap_or(WagerId::Main) }
    });
    placed.map_or(Deed::Wait, Deed::Tap)
}

fn stack_size(table: &Table) -> u16 {
    u16::from(table.decks) * table.game.cards_per_deck()
}
