//! Somebody to play the table: picks one of the inputs that the prompt offers, by a temperament drawn from the seed.
//!
//! The driver only ever answers the prompt; it must not know the rules, or the properties would test it instead.

use table_rules::card::Card;
use table_rules::game::Direction;
use table_rules::input::{Answer, Drawn, Input, InputKind, Text, UpGroup};
use table_rules::money::Cents;
use table_rules::prompt::{CardOffer, Offers, Order};
use table_rules::seat::{Seat, SeatSet};
use table_rules::wager::WagerId;
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

#[derive(Clone, Debug)]
pub(crate) struct Driver {
    pub(crate) random: Random,
    pub(crate) shoe: Shoe,
    pub(crate) temper: Temper,
    /// Whether the reader may lie or fail, and people change their minds.
    pub(crate) messy: bool,
    /// Whether chips may lie whose value nobody told.
    pub(crate) unknown_amounts: bool,
    /// Boxes to fill in every round; `None`: as chance has it.
    pub(crate) always_boxes: Option<u8>,
    boxes_wanted: u32,
    /// The hole card as it lies face down.
    pub(crate) hole: Option<Card>,
    /// Inputs that go back or sideways are counted, so that play goes forward in the end.
    detours_left: u32,
}

impl Driver {
    pub(crate) fn new(table: &Table, mut random: Random) -> Self {
        let rig = random.pick(&Rig::ALL);
        let temper = random.pick(&[Temper::Even, Temper::Splits, Temper::Doubles, Temper::Hits]);
        let shoe = Shoe::new(table.game, rig, &mut random);
        let (messy, unknown_amounts) = (random.chance(50), random.chance(30));
        let mut driver = Self {
            random,
            shoe,
            temper,
            messy,
            unknown_amounts,
            always_boxes: None,
            boxes_wanted: 0,
            hole: None,
            detours_left: 0,
        };
        driver.new_round(table);
        driver
    }

    pub(crate) fn new_round(&mut self, table: &Table) {
        self.boxes_wanted = u32::from(self.random.between(1, table.positions.min(4)));
        if self.random.chance(10) {
            self.boxes_wanted = u32::from(table.positions);
        }
        if let Some(boxes) = self.always_boxes {
            self.boxes_wanted = u32::from(boxes);
        }
        self.detours_left = if self.messy { 12 } else { 0 };
    }

    /// One input that the prompt offers. Panics at a dead end: that is a property of its own.
    pub(crate) fn next(&mut self, engine: &Engine) -> Input {
        let prompt = engine.prompt();
        let kinds: Vec<(InputKind, u32)> =
            prompt.offers.kinds.iter().map(|kind| (kind, self.weight(kind, engine, &prompt.order))).collect();
        let total: u32 = kinds.iter().map(|&(_, weight)| weight).sum();
        assert!(total > 0, "dead end: nothing leads on from {prompt:#?}");
        for _ in 0..200 {
            let mut at = u32::try_from(self.random.below(total as usize)).unwrap();
            let (kind, _) = *kinds
                .iter()
                .find(|&&(_, weight)| {
                    let here = at < weight;
                    at = at.saturating_sub(weight);
                    here
                })
                .unwrap();
            if let Some(input) = self.make(kind, engine, &prompt.offers, &prompt.order)
                && engine.offers_input(&input)
            {
                if is_detour(kind) {
                    self.detours_left -= 1;
                }
                if matches!((input, prompt.order), (Input::Card(Drawn::FaceDown), Order::DealHoleCard)) {
                    self.hole = Some(self.hole_card(engine));
                }
                return input;
            }
        }
        panic!("dead end: no offered kind could be made into an offered input at {prompt:#?}");
    }

    fn weight(&self, kind: InputKind, engine: &Engine, order: &Order) -> u32 {
        if is_detour(kind) {
            return u32::from(self.detours_left > 0);
        }
        let boxes = if engine.is_wagering() { u32::try_from(engine.view().boxes.len()).unwrap() } else { 0 };
        let ready = boxes >= self.boxes_wanted;
        let by_temper = |temper, high, low| if self.temper == temper { high } else { low };
        match kind {
            InputKind::Wager => {
                if ready && engine.is_wagering() {
                    0
                } else {
                    30
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
                if matches!(order, Order::BurnForNewDealer) {
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
            InputKind::Surrender => 3,
            InputKind::Rescue => 6,
            InputKind::Seat => 3,
            InputKind::Insure | InputKind::EvenMoney | InputKind::Amount => 8,
            InputKind::InsuranceClosed => 3,
            InputKind::Peek => 12,
            InputKind::Paid | InputKind::Collected => 4,
            InputKind::Settled => 5,
            InputKind::SeatBlackjack | InputKind::SeatSurrender => 3,
            InputKind::Reveal
            | InputKind::Turn
            | InputKind::ReaderRepaired
            | InputKind::Up
            | InputKind::Next
            | InputKind::FloorApprove
            | InputKind::ManagerApprove
            | InputKind::FloorVoid => 10,
            // Detours are weighed above; these tables offer no side wagers.
            InputKind::Unwager
            | InputKind::Late
            | InputKind::DealerChange
            | InputKind::Undo
            | InputKind::Correct
            | InputKind::Wheel
            | InputKind::Draw
            | InputKind::Claim => 0,
        }
    }

    fn seat_of(&mut self, seats: SeatSet) -> Option<Seat> {
        let seats: Vec<Seat> = seats.iter(Direction::FromLeft).collect();
        (!seats.is_empty()).then(|| self.random.pick(&seats))
    }

    pub(crate) fn amount(&mut self, engine: &Engine) -> Cents {
        let table = engine.table();
        let chip = table.smallest_chip.0;
        let least = ((table.limits.minimum.0 + chip - 1) / chip).max(1);
        let most = (table.limits.maximum.0 / chip).max(least);
        let spread = usize::try_from((most - least).min(40)).unwrap() + 1;
        let units = match self.random.below(8) {
            0 => most,
            1 => least,
            _ => least + i64::try_from(self.random.below(spread)).unwrap(),
        };
        Cents(units * chip)
    }

    fn make(&mut self, kind: InputKind, engine: &Engine, offers: &Offers, order: &Order) -> Option<Input> {
        Some(match kind {
            InputKind::Link => {
                let first = self.random.between(1, 8);
                let count = self.random.between(2, 3);
                Input::Link((first..first + count).filter_map(Seat::new).collect())
            }
            InputKind::Wager => {
                let seat = self.seat_of(offers.wager_seats)?;
                let known = !self.unknown_amounts || self.random.chance(50);
                let amount = if known { Some(self.amount(engine)) } else { None };
                Input::Wager { seat, wager: WagerId::Main, amount }
            }
            InputKind::Unwager => {
                let placed = engine.view().boxes.iter().map(|each| each.seat).collect();
                Input::Unwager { seat: self.seat_of(placed)?, wager: WagerId::Main }
            }
            InputKind::Lock => Input::Lock,
            InputKind::Late => {
                Input::Late { seat: self.seat_of(SeatSet::first(engine.table().positions))?, wager: WagerId::Main }
            }
            InputKind::DealerChange => Input::DealerChange(Text::new("Robin")?),
            InputKind::Card => Input::Card(match offers.card {
                CardOffer::FaceDown => Drawn::FaceDown,
                CardOffer::Either if self.random.chance(40) => Drawn::FaceDown,
                CardOffer::FaceUp | CardOffer::Either => Drawn::FaceUp(self.shoe.draw(&mut self.random)),
            }),
            InputKind::Burn => Input::Burn,
            InputKind::Cover => Input::Cover,
            InputKind::Reveal => Input::Reveal(self.hole.unwrap_or_else(|| self.shoe.draw(&mut self.random))),
            InputKind::Turn => {
                Input::Turn { seat: self.seat_of(offers.seats)?, card: self.shoe.draw(&mut self.random) }
            }
            InputKind::Insure => {
                let seat = self.seat_of(offers.insure_seats)?;
                let chip = engine.table().smallest_chip;
                let main = engine.view().boxes.iter().find(|each| each.seat == seat)?.main.amount();
                let amount = main.map(|main| {
                    let units = usize::try_from(main.0 / 2 / chip.0).unwrap() + 1;
                    Cents(chip.0 * i64::try_from(self.random.below(units) + 1).unwrap())
                });
                Input::Insure { seat, amount }
            }
            InputKind::EvenMoney => Input::EvenMoney { seat: self.seat_of(offers.even_money_seats)? },
            InputKind::InsuranceClosed => Input::InsuranceClosed,
            InputKind::Peek => Input::Peek(self.answer(engine)),
            InputKind::ReaderRepaired => Input::ReaderRepaired,
            InputKind::Hit => Input::Hit,
            InputKind::Stand => Input::Stand,
            InputKind::Double => {
                let (least, most, step) = (offers.double.least.0, offers.double.most.0, offers.double.step.0);
                if most < least || self.random.chance(60) {
                    Input::Double(None)
                } else {
                    let steps = usize::try_from((most - least) / step).unwrap() + 1;
                    let amount = least + step * i64::try_from(self.random.below(steps)).unwrap();
                    Input::Double(Some(Cents(amount)))
                }
            }
            InputKind::Redouble => Input::Redouble,
            InputKind::Split => Input::Split,
            InputKind::Surrender => Input::Surrender,
            InputKind::Rescue => Input::Rescue,
            InputKind::Seat => Input::Seat(self.seat_of(offers.seats)?),
            InputKind::Amount => {
                let amount = self.amount(engine);
                Input::Amount { seat: self.seat_of(offers.amount_seats)?, wager: WagerId::Main, amount }
            }
            InputKind::Wheel | InputKind::Draw | InputKind::Claim => return None,
            InputKind::Up => Input::Up(self.random.pick(&[UpGroup::Ace, UpGroup::Ten, UpGroup::Low])),
            InputKind::Next => Input::Next,
            InputKind::SeatBlackjack => Input::SeatBlackjack(self.seat_of(offers.seats)?),
            InputKind::SeatSurrender => Input::SeatSurrender(self.seat_of(offers.surrender_seats)?),
            InputKind::Paid => Input::Paid,
            InputKind::Collected => Input::Collected,
            InputKind::Settled => Input::Settled,
            InputKind::FloorApprove => {
                if matches!(order, Order::BurnForNewDealer) && self.random.chance(50) {
                    return None;
                }
                Input::FloorApprove
            }
            InputKind::ManagerApprove => Input::ManagerApprove,
            InputKind::FloorVoid => Input::FloorVoid,
            InputKind::Undo => Input::Undo,
            InputKind::Correct => Input::Correct(Text::new("the card was misread")?),
        })
    }

    /// The hole card. Messy tables get more dealer blackjacks than chance gives, so that the reader can miss some after
    /// every kind of play.
    fn hole_card(&mut self, engine: &Engine) -> Card {
        let wants_blackjack = self.messy && self.random.chance(40);
        let mut card = self.shoe.draw(&mut self.random);
        for _ in 0..30 {
            let made = engine.dealer().cards().first().is_some_and(|&up| makes_blackjack(up, card));
            if made || !wants_blackjack {
                break;
            }
            card = self.random.pick(&engine.table().game.deck().collect::<Vec<_>>());
        }
        card
    }

    /// What the reader says: the truth, unless this table is messy.
    fn answer(&mut self, engine: &Engine) -> Answer {
        let truth = match (self.hole, engine.dealer().cards()) {
            (Some(hole), &[up]) => makes_blackjack(up, hole),
            _ => self.random.chance(30),
        };
        let lies = self.messy && self.random.chance(35);
        if self.messy && self.random.chance(25) {
            Answer::Unread
        } else if truth == lies {
            Answer::No
        } else {
            Answer::Yes
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
        InputKind::Unwager | InputKind::Late | InputKind::DealerChange | InputKind::Undo | InputKind::Correct
    )
}
