//! Somebody to play the table: picks one of the inputs that the prompt offers, by a temperament drawn from the seed.
//!
//! The driver only ever answers the prompt; it must not know the rules, or the properties would test it instead.

use table_rules::card::Card;
use table_rules::input::{Drawn, Input, InputKind};
use table_rules::prompt::{Order, Prompt};
use table_rules::table::ShoeSide;
use table_rules::{Engine, Table};

use crate::random::Random;
use crate::shoe::{Rig, Shoe};

/// How somebody plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Temper {
    Even,
    Splits,
    Doubles,
    Hits,
}

/// Of a hundred tables, how many have irregularities, and how many a life beside their rounds.
const MISHAPS: usize = 30;
const LIFE: usize = 20;

#[derive(Clone, Debug)]
pub(crate) struct Driver {
    pub(crate) random: Random,
    pub(crate) shoe: Shoe,
    pub(crate) temper: Temper,
    /// Whether the reader may lie or fail, and people change their minds.
    pub(crate) messy: bool,
    /// Whether chips may lie whose value nobody told.
    pub(crate) unknown_amounts: bool,
    /// Whether things of Chapter 13 (Blackjack: 14) happen.
    pub(crate) mishaps: bool,
    /// Whether the table idles, closes, ages and is reshuffled without need.
    pub(crate) life: bool,
    /// Boxes to fill in every round; `None`: as chance has it.
    pub(crate) always_boxes: Option<u8>,
    boxes_wanted: u32,
    sides_left: u32,
    /// The hole card as it lies face down.
    pub(crate) hole: Option<Card>,
    /// Inputs that go back or sideways are counted, so that play goes forward in the end.
    detours_left: u32,
    mishaps_left: u32,
    life_left: u32,
    /// The side a double shoe is dealt from, as far as the dealer means it.
    pub(crate) side: ShoeSide,
    pub(crate) clock: u16,
    /// Wagers lie, yet the table cannot be locked: they go back and other decks come.
    stuck: bool,
}

impl Driver {
    pub(crate) fn new(table: &Table, mut random: Random) -> Self {
        let rig = random.pick(&Rig::ALL);
        let temper = random.pick(&[Temper::Even, Temper::Splits, Temper::Doubles, Temper::Hits]);
        let shoe = Shoe::new(table.game, rig, &mut random);
        let (messy, unknown_amounts) = (random.chance(50), random.chance(30));
        let (mishaps, life) = (random.chance(MISHAPS), random.chance(LIFE));
        let mut driver = Self {
            random,
            shoe,
            temper,
            messy,
            unknown_amounts,
            mishaps,
            life,
            always_boxes: None,
            boxes_wanted: 0,
            sides_left: 0,
            hole: None,
            detours_left: 0,
            mishaps_left: 0,
            life_left: 0,
            side: ShoeSide::Left,
            clock: 600,
            stuck: false,
        };
        driver.new_round(table);
        driver
    }

    /// Nothing but rounds, one after another.
    pub(crate) fn rounds_only(&mut self, table: &Table) {
        (self.mishaps, self.life) = (false, false);
        self.new_round(table);
    }

    pub(crate) fn new_round(&mut self, table: &Table) {
        self.boxes_wanted = u32::from(self.random.between(1, table.positions.min(4)));
        if self.random.chance(10) {
            self.boxes_wanted = u32::from(table.positions);
        }
        if let Some(boxes) = self.always_boxes {
            self.boxes_wanted = u32::from(boxes);
        }
        self.sides_left = if table.wagers.is_empty() { 0 } else { u32::from(self.random.between(0, 12)) };
        self.detours_left = if self.messy { 12 } else { 0 };
        self.mishaps_left = if self.mishaps { u32::from(self.random.between(1, 6)) } else { 0 };
        self.life_left = if self.life { u32::from(self.random.between(0, 5)) } else { 0 };
    }

    /// One input that the prompt offers. Panics at a dead end: that is a property of its own.
    pub(crate) fn next(&mut self, engine: &Engine) -> Input {
        let prompt = engine.prompt();
        self.look_for_a_way_out(engine, &prompt);
        let kinds: Vec<(InputKind, u32)> =
            prompt.offers.kinds.iter().map(|kind| (kind, self.weight(kind, engine, &prompt))).collect();
        let total: u32 = kinds.iter().map(|&(_, weight)| weight).sum();
        assert!(total > 0, "dead end: nothing leads on from {prompt:#?}");
        for _ in 0..400 {
            let mut at = u32::try_from(self.random.below(total as usize)).unwrap();
            let (kind, _) = *kinds
                .iter()
                .find(|&&(_, weight)| {
                    let here = at < weight;
                    at = at.saturating_sub(weight);
                    here
                })
                .unwrap();
            if let Some(input) = self.make(kind, engine, &prompt)
                && engine.offers_input(&input)
            {
                self.count(&input, engine, &prompt);
                return input;
            }
        }
        panic!("dead end: no offered kind could be made into an offered input at {prompt:#?}");
    }

    /// Decks that are too old or a side wager without its main wager keep the table from locking.
    fn look_for_a_way_out(&mut self, engine: &Engine, prompt: &Prompt) {
        let offers = &prompt.offers;
        let answered = matches!(prompt.order, Order::ChangeCash(_) | Order::TearTen);
        let waits = engine.is_wagering() && !engine.view().boxes.is_empty() && !answered;
        if waits && !offers.offers(InputKind::Lock) && !offers.offers(InputKind::ReaderRepaired) {
            self.stuck = true;
        }
    }

    fn count(&mut self, input: &Input, engine: &Engine, prompt: &Prompt) {
        let kind = input.kind();
        if is_detour(kind) && !self.stuck {
            self.detours_left = self.detours_left.saturating_sub(1);
        }
        if kind == InputKind::Irregularity {
            self.mishaps_left -= 1;
        }
        if is_life(kind, prompt) {
            self.life_left = self.life_left.saturating_sub(1);
        }
        if kind == InputKind::Decks {
            self.stuck = false;
        }
        if matches!(input, Input::Wager { wager, .. } if *wager != table_rules::wager::WagerId::Main) {
            self.sides_left = self.sides_left.saturating_sub(1);
        }
        let face_down = matches!(input, Input::Card(Drawn::FaceDown) | Input::CardFrom { drawn: Drawn::FaceDown, .. });
        if face_down && matches!(prompt.order, Order::DealHoleCard) {
            self.hole = Some(self.hole_card(engine));
        }
    }

    fn weight(&self, kind: InputKind, engine: &Engine, prompt: &Prompt) -> u32 {
        if self.stuck && engine.is_wagering() {
            return u32::from(matches!(kind, InputKind::Unwager | InputKind::Decks));
        }
        if kind == InputKind::Cash && matches!(prompt.order, Order::ChangeCash(_)) {
            return 20;
        }
        if is_detour(kind) {
            return u32::from(self.detours_left > 0);
        }
        if is_life(kind, prompt) {
            return if self.life_left > 0 { 4 } else { 0 };
        }
        let boxes = if engine.is_wagering() { u32::try_from(engine.view().boxes.len()).unwrap() } else { 0 };
        let ready = boxes >= self.boxes_wanted;
        let by_temper = |temper, high, low| if self.temper == temper { high } else { low };
        match kind {
            InputKind::Irregularity => {
                if self.mishaps_left > 0 && (boxes > 0 || !engine.is_wagering()) {
                    5
                } else {
                    0
                }
            }
            InputKind::Wager => {
                if !engine.is_wagering() || !ready {
                    30
                } else if self.sides_left > 0 {
                    20
                } else {
                    0
                }
            }
            InputKind::Link => 2,
            InputKind::Lock => {
                if ready {
                    20
                } else {
                    1
                }
            }
            InputKind::Card if engine.is_wagering() => {
                if ready {
                    10
                } else {
                    1
                }
            }
            InputKind::Card => 12,
            InputKind::Burn => {
                if matches!(prompt.order, Order::BurnForNewDealer | Order::BurnFirstCard) {
                    30
                } else {
                    3
                }
            }
            InputKind::Cover => 1,
            InputKind::Hit => by_temper(Temper::Hits, 25, 6),
            InputKind::Stand => by_temper(Temper::Hits, 2, 6),
            InputKind::Double => by_temper(Temper::Doubles, 30, 4),
            InputKind::Redouble => by_temper(Temper::Doubles, 40, 10),
            InputKind::Split => by_temper(Temper::Splits, 60, 10),
            InputKind::Surrender | InputKind::SeatBlackjack | InputKind::SeatSurrender | InputKind::Seat => 3,
            InputKind::Rescue => 6,
            InputKind::Insure | InputKind::EvenMoney | InputKind::Amount => 8,
            InputKind::InsuranceClosed | InputKind::Draw | InputKind::Claim => 3,
            InputKind::Peek => 12,
            InputKind::Paid | InputKind::Collected => 4,
            InputKind::Settled => 5,
            InputKind::Switch | InputKind::CutRefused => 4,
            InputKind::Reveal
            | InputKind::Turn
            | InputKind::ReaderRepaired
            | InputKind::Up
            | InputKind::Next
            | InputKind::FloorApprove
            | InputKind::ManagerApprove
            | InputKind::FloorVoid
            | InputKind::Payments
            | InputKind::Reject
            | InputKind::Wheel
            | InputKind::Open
            | InputKind::Decks
            | InputKind::Inspect
            | InputKind::Spread
            | InputKind::Wash
            | InputKind::Shuffle
            | InputKind::Cut
            | InputKind::PlaceCover
            | InputKind::Load
            | InputKind::Accept
            | InputKind::Refuse => 10,
            // Detours and the table's life are weighed above.
            InputKind::Unwager
            | InputKind::Cash
            | InputKind::Late
            | InputKind::DealerChange
            | InputKind::Undo
            | InputKind::Correct
            | InputKind::Close
            | InputKind::Idle
            | InputKind::At
            | InputKind::FloorReshuffle
            | InputKind::FloorRecut
            | InputKind::ShufflerRepaired
            | InputKind::Permit => 0,
        }
    }
}

pub(crate) fn makes_blackjack(up: Card, hole: Card) -> bool {
    let (up, hole) = (up.rank(), hole.rank());
    (up.is_ace() && hole.is_ten_value()) || (up.is_ten_value() && hole.is_ace())
}

fn is_detour(kind: InputKind) -> bool {
    matches!(
        kind,
        InputKind::Unwager
            | InputKind::Cash
            | InputKind::Late
            | InputKind::DealerChange
            | InputKind::Undo
            | InputKind::Correct
    )
}

/// What a table does beside its rounds. Decks that are waited for are no choice.
fn is_life(kind: InputKind, prompt: &Prompt) -> bool {
    let choice = matches!(
        kind,
        InputKind::Close
            | InputKind::Idle
            | InputKind::At
            | InputKind::FloorReshuffle
            | InputKind::FloorRecut
            | InputKind::ShufflerRepaired
            | InputKind::Permit
    );
    choice || (kind == InputKind::Decks && !matches!(prompt.order, Order::ReceiveDecks(_) | Order::ChangeDecks { .. }))
}
