//! Puts an offered kind of input into words: sensible ones, with some that the engine will not take.

use table_rules::Engine;
use table_rules::card::Card;
use table_rules::engine::{Irregular, StageView};
use table_rules::game::Direction;
use table_rules::input::{
    Cutter, Draw, Drawn, Input, InputKind, Inspection, Packs, PaymentsAnswer, PeekAnswer, ShuffleDone, Text, UpGroup,
};
use table_rules::money::Cents;
use table_rules::prompt::{CardOffer, Offers, Order, Prompt};
use table_rules::seat::{Seat, SeatSet};
use table_rules::table::{ShoeSide, Variation};
use table_rules::wager::WagerId;

use crate::driver::{Driver, makes_blackjack};

impl Driver {
    fn seat_of(&mut self, seats: SeatSet) -> Option<Seat> {
        let seats: Vec<Seat> = seats.iter(Direction::FromLeft).collect();
        (!seats.is_empty()).then(|| self.random.pick(&seats))
    }

    fn any_seat(&mut self, engine: &Engine) -> Option<Seat> {
        self.seat_of(SeatSet::first(engine.table().positions))
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

    /// A stake that a side wager may have.
    fn side_amount(&mut self, engine: &Engine, wager: WagerId) -> Cents {
        let offered = engine.table().wagers.iter().find(|offered| offered.id() == wager);
        match offered.map(|offered| (offered.stakes(), offered.min_stake())) {
            Some((stakes, _)) if !stakes.is_empty() => self.random.pick(stakes),
            Some((_, Some(least))) => least,
            Some((_, None)) | None => self.random.pick(&[Cents::dollars(1), Cents::dollars(5), Cents::dollars(25)]),
        }
    }

    fn any_wager(&mut self, engine: &Engine) -> WagerId {
        let wagers = &engine.table().wagers;
        if wagers.is_empty() || self.random.chance(30) {
            WagerId::Main
        } else {
            wagers[self.random.below(wagers.len())].id()
        }
    }

    fn wager(&mut self, engine: &Engine, offers: &Offers) -> Option<Input> {
        let known = !self.unknown_amounts || self.random.chance(50);
        let placed: SeatSet = engine.view().boxes.iter().map(|each| each.seat).collect();
        let beside = self.random.chance(40).then(|| self.seat_of(placed)).flatten();
        if let (Some(seat), false) = (beside, engine.table().wagers.is_empty()) {
            let wager = self.any_wager(engine);
            let amount = self.side_amount(engine, wager);
            return Some(Input::Wager { seat, wager, amount: known.then_some(amount) });
        }
        let seat = self.seat_of(offers.wager_seats)?;
        let amount = if known { Some(self.amount(engine)) } else { None };
        Some(Input::Wager { seat, wager: WagerId::Main, amount })
    }

    fn card(&mut self, engine: &Engine, offers: &Offers) -> Input {
        let drawn = match offers.card {
            CardOffer::FaceDown => Drawn::FaceDown,
            CardOffer::Either if self.random.chance(40) => Drawn::FaceDown,
            CardOffer::FaceUp | CardOffer::Either => Drawn::FaceUp(self.shoe.draw(&mut self.random)),
        };
        if engine.table().variation == Variation::DoubleShoe && self.random.chance(90) {
            let side =
                if self.random.chance(95) { self.side } else { self.random.pick(&[ShoeSide::Left, ShoeSide::Right]) };
            return Input::CardFrom { drawn, side };
        }
        Input::Card(drawn)
    }

    /// Anything that a floorperson might pick from the list, with particulars that fit or do not.
    pub(crate) fn irregularity(&mut self, engine: &Engine) -> Option<Input> {
        // These fit few moments, so they are picked more often.
        let stage = engine.view().stage;
        let rare: &[Irregular] = if stage == StageView::Settlement {
            &[Irregular::DealerDrewOn17]
        } else if stage == StageView::Dealing {
            &[Irregular::NoCardDealt, Irregular::OneCardDealt]
        } else {
            &[Irregular::RequestedCardMissed, Irregular::DrawnExposed]
        };
        let kind = if self.random.chance(50) { self.random.pick(rare) } else { self.random.pick(&Irregular::ALL) };
        let clause = kind.clause(engine.table().game)?;
        let turn = engine.turn().map(|turn| turn.seat);
        let seat = match self.random.below(5) {
            0 => None,
            1 => turn,
            2 => due_seat(&engine.prompt().order),
            3 => self.any_seat(engine),
            _ => self.seat_of(engine.view().boxes.iter().map(|each| each.seat).collect()),
        };
        let card = match self.random.below(4) {
            0 => None,
            1 => Some("Th".parse().unwrap()),
            _ => Some(self.shoe.draw(&mut self.random)),
        };
        Some(Input::Irregularity { clause: Text::new(clause)?, seat, card, attested: self.random.chance(60) })
    }

    fn wheel(&mut self, engine: &Engine, order: &Order) -> Option<Input> {
        let Order::SpinWheel { seat, wager } = *order else { return None };
        let placed = engine.view().boxes.iter().find(|each| each.seat == seat)?.side.clone();
        let stake = placed.iter().find(|(id, _, _)| *id == wager)?.1.amount();
        let offered = engine.table().wagers.iter().find(|offered| offered.id() == wager)?;
        let spins = offered.spins(stake);
        let symbol = Text::new(&spins[self.random.below(spins.len())].0)?;
        Some(Input::Wheel { seat, wager, symbol })
    }

    fn claim(&mut self, engine: &Engine) -> Option<Input> {
        let seats: Vec<Seat> = engine.view().boxes.iter().map(|each| each.seat).collect();
        let mut all = Vec::new();
        for offered in engine.table().wagers.iter().filter(|offered| offered.is_progressive()) {
            let rows = offered.tables().flat_map(|table| table.table.rows.iter().map(|row| row.key));
            let stakes = std::iter::once(None).chain(offered.stakes().iter().copied().map(Some));
            let symbols = stakes.flat_map(|stake| offered.spins(stake)).map(|(symbol, _)| &**symbol);
            for line in rows.chain(symbols).filter_map(Text::new) {
                all.extend(seats.iter().map(|&seat| Input::Claim { seat, wager: offered.id(), line }));
            }
        }
        all.retain(|claim| engine.offers_input(claim));
        // What is offered as a kind can be said in some way.
        assert!(!all.is_empty(), "a claim is offered and none is accepted");
        Some(self.random.pick(&all))
    }

    fn draw(&mut self, engine: &Engine) -> Option<Input> {
        Some(Input::Draw(match self.random.below(4) {
            0 => Draw::Magic(self.shoe.draw(&mut self.random)),
            1 => Draw::Player(self.any_seat(engine)?),
            2 => Draw::MustHit(self.any_seat(engine)?),
            _ => Draw::None,
        }))
    }

    fn cutter(&mut self, engine: &Engine, order: &Order) -> Option<Cutter> {
        if let Order::OfferCut(Some(seat))
        | Order::CutDiscards(Some(seat))
        | Order::OfferCutOfSide { seat: Some(seat), .. } = *order
        {
            Some(Cutter::Seat(seat))
        } else if matches!(order, Order::OfferCutToAnyone) && self.random.chance(50) {
            self.any_seat(engine).map(Cutter::Seat)
        } else {
            Some(Cutter::Dealer)
        }
    }

    pub(crate) fn make(&mut self, kind: InputKind, engine: &Engine, prompt: &Prompt) -> Option<Input> {
        let (offers, order) = (&prompt.offers, &prompt.order);
        Some(match kind {
            InputKind::Link => {
                let first = self.random.between(1, 8);
                let count = self.random.between(2, 3);
                Input::Link((first..first + count).filter_map(Seat::new).collect())
            }
            InputKind::Wager => self.wager(engine, offers)?,
            InputKind::Unwager => {
                let all = (1..=8).filter_map(Seat::new).flat_map(|seat| WagerId::ALL.map(|id| (seat, id)));
                let taken_back = all.map(|(seat, wager)| Input::Unwager { seat, wager });
                let placed: Vec<Input> = taken_back.filter(|input| engine.offers_input(input)).collect();
                self.random.pick(&placed)
            }
            InputKind::Cash => {
                let waits = if let Order::ChangeCash(seat) = *order { Some(seat) } else { None };
                match waits.filter(|_| self.random.chance(80)) {
                    Some(seat) => Input::Cash { seat, returned: true },
                    None => Input::Cash { seat: self.any_seat(engine)?, returned: false },
                }
            }
            InputKind::Lock => Input::Lock,
            InputKind::Late => Input::Late { seat: self.any_seat(engine)?, wager: self.any_wager(engine) },
            InputKind::DealerChange => Input::DealerChange(Text::new("Robin")?),
            InputKind::Card => self.card(engine, offers),
            InputKind::Burn => Input::Burn,
            InputKind::Cover => Input::Cover,
            InputKind::Reveal => Input::Reveal(self.hole.unwrap_or_else(|| self.shoe.draw(&mut self.random))),
            InputKind::Turn => {
                Input::Turn { seat: self.seat_of(offers.turn_seats)?, card: self.shoe.draw(&mut self.random) }
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
            InputKind::ShufflerRepaired => Input::ShufflerRepaired,
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
            InputKind::Switch => Input::Switch,
            InputKind::Seat => Input::Seat(self.seat_of(offers.seats)?),
            InputKind::Amount => {
                if let (Some(seat), true) = (self.seat_of(offers.amount_seats), self.random.chance(60)) {
                    Input::Amount { seat, wager: WagerId::Main, amount: self.amount(engine) }
                } else {
                    let wager = self.any_wager(engine);
                    Input::Amount { seat: self.any_seat(engine)?, wager, amount: self.side_amount(engine, wager) }
                }
            }
            InputKind::Wheel => self.wheel(engine, order)?,
            InputKind::Draw => self.draw(engine)?,
            InputKind::Claim => self.claim(engine)?,
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
            InputKind::Payments => {
                let answer = self.random.pick(&PaymentsAnswer::ALL);
                Input::Payments { answer, reason: Text::new("as the floor decided")? }
            }
            InputKind::Reject => Input::Reject(Text::new("the lamp was dark")?),
            InputKind::Undo => Input::Undo,
            InputKind::Correct => Input::Correct(Text::new("the card was misread")?),
            InputKind::Open => Input::Open,
            InputKind::Close => Input::Close,
            InputKind::Decks => {
                let decks = engine.table().decks;
                Input::Decks { count: decks * self.random.between(1, 2), packs: self.random.pick(&Packs::ALL) }
            }
            InputKind::Inspect => Input::Inspect(match self.random.below(4) {
                0 => Inspection::Dealer,
                1 => Inspection::Floor,
                2 => Inspection::Tens(self.random.between(0, 24)),
                _ => Inspection::Player(self.any_seat(engine)?),
            }),
            InputKind::Spread => Input::Spread,
            InputKind::Wash => Input::Wash,
            InputKind::Shuffle => {
                Input::Shuffle(self.random.pick(&[ShuffleDone::ByHand, ShuffleDone::Device, ShuffleDone::Jam]))
            }
            InputKind::CutRefused => Input::CutRefused(due_seat(order)?),
            InputKind::Cut => {
                let depth = u16::from(self.random.between(0, 60));
                Input::Cut { by: self.cutter(engine, order)?, depth }
            }
            InputKind::PlaceCover => Input::PlaceCover(u16::from(self.random.between(0, 200))),
            InputKind::Load => Input::Load,
            InputKind::Idle => Input::Idle,
            InputKind::At => {
                let ahead = if self.random.chance(10) { 600 } else { u16::from(self.random.between(0, 90)) };
                self.clock = (self.clock + ahead) % 1440;
                Input::At(self.clock)
            }
            InputKind::FloorReshuffle => Input::FloorReshuffle,
            InputKind::FloorRecut => Input::FloorRecut,
            InputKind::Permit => Input::Permit(self.any_seat(engine)?),
            InputKind::Irregularity => self.irregularity(engine)?,
            InputKind::Accept => Input::Accept(due_seat(order)?),
            InputKind::Refuse => Input::Refuse(due_seat(order)?),
        })
    }

    /// The hole card. Messy tables get more dealer blackjacks than chance gives, so that the reader can miss some after
    /// every kind of play.
    pub(crate) fn hole_card(&mut self, engine: &Engine) -> Card {
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
    fn answer(&mut self, engine: &Engine) -> PeekAnswer {
        let truth = match (self.hole, engine.dealer().cards()) {
            (Some(hole), &[up]) => makes_blackjack(up, hole),
            _ => self.random.chance(30),
        };
        let lies = self.messy && self.random.chance(35);
        if self.messy && self.random.chance(25) {
            PeekAnswer::Unread
        } else if truth == lies {
            PeekAnswer::No
        } else {
            PeekAnswer::Yes
        }
    }
}

/// The seat that the order is about, where it is about one.
pub(crate) fn due_seat(order: &Order) -> Option<Seat> {
    if let Order::OfferCut(seat) | Order::CutDiscards(seat) | Order::OfferCutOfSide { seat, .. } = *order {
        seat
    } else if let Order::DealFirstCard { seat, .. }
    | Order::DealSecondCard { seat, .. }
    | Order::OfferExposedCard { seat, .. }
    | Order::OfferSecondCard { seat, .. }
    | Order::OfferMissedCard(seat) = *order
    {
        Some(seat)
    } else {
        None
    }
}
