//! Both ways beside each other: one engine that may go the short ways and one that never does, fed the same inputs, most
//! of them what is offered and some of them anything at all.

use super::*;
use crate::engine::irregular::Irregular;
use crate::engine::state::State;
use crate::event::Events;
use crate::game::Game;
use crate::input::{Answer, Cutter, InputKind, KindSet, ShuffleDone, Text};
use crate::side::{Answers, OfferContext, check_offer, tables};
use crate::table::{HouseRestrictions, Settlement, Table, Tracking};

/// Numbers without a pattern that matters here (Knuth's constants).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    fn seat(&mut self) -> Seat {
        Seat::from_index(u8::try_from(self.below(8)).unwrap())
    }

    fn card(&mut self) -> Card {
        Card::from_index(u8::try_from(self.below(52)).unwrap()).unwrap()
    }

    fn amount(&mut self) -> Cents {
        [Cents::dollars(5), Cents::dollars(10), Cents::dollars(15), Cents(1250), Cents(33)][self.place(5)]
    }

    fn place(&mut self, bound: u64) -> usize {
        usize::try_from(self.below(bound)).unwrap()
    }

    fn irregularity(&mut self, game: Game) -> Input {
        let kinds: Vec<&str> = Irregular::ALL.iter().filter_map(|kind| kind.clause(game)).collect();
        let clause = kinds[self.place(kinds.len() as u64)];
        let seat = (self.below(2) == 0).then(|| self.seat());
        let card = (self.below(2) == 0).then(|| self.card());
        Input::Irregularity { clause: Text::new(clause).unwrap(), seat, card, attested: self.below(2) == 0 }
    }

    fn after_an_irregularity(&mut self) -> Input {
        match self.below(10) {
            0 => Input::Accept(self.seat()),
            1 => Input::Refuse(self.seat()),
            2 => Input::Shuffle(ShuffleDone::ByHand),
            3 => Input::Cut { by: Cutter::Dealer, depth: 100 },
            4 => Input::PlaceCover(100),
            5 => Input::Load,
            6 => Input::Burn,
            7 => Input::ShufflerRepaired,
            8 => Input::ManagerApprove,
            _ => Input::FloorApprove,
        }
    }

    /// What a table sees most, and some of what it should not see.
    fn input(&mut self, game: Game) -> Input {
        match self.below(62) {
            0..14 => Input::Card(Drawn::FaceUp(self.card())),
            14..16 => Input::Card(Drawn::FaceDown),
            16..20 => Input::Stand,
            20 => Input::Hit,
            21..23 => Input::Double(None),
            23 => Input::Double(Some(self.amount())),
            24 => Input::Split,
            25 => Input::Surrender,
            26 => Input::Rescue,
            27..29 => Input::Settled,
            29 => Input::Reveal(self.card()),
            30 => Input::Peek([Answer::No, Answer::No, Answer::No, Answer::Unread, Answer::Yes][self.place(5)]),
            31 => Input::Undo,
            32 => Input::Lock,
            33 => Input::Seat(self.seat()),
            34 => Input::Next,
            35 => Input::Wager { seat: self.seat(), wager: WagerId::MatchTheDealer, amount: Some(self.amount()) },
            36 => Input::Wager { seat: self.seat(), wager: WagerId::Main, amount: None },
            37 => Input::FloorVoid,
            38 => Input::ReaderRepaired,
            39 => Input::FloorApprove,
            // The decks stay young: an earlier minute would be the next day's.
            40 => Input::At(600),
            41..43 => Input::Turn { seat: self.seat(), card: self.card() },
            43 => Input::Insure { seat: self.seat(), amount: Some(Cents::dollars(5)) },
            44 => Input::EvenMoney { seat: self.seat() },
            45 => Input::InsuranceClosed,
            46 if self.below(8) == 0 => Input::Cover,
            47 => Input::Amount { seat: self.seat(), wager: WagerId::Main, amount: self.amount() },
            48 => match self.below(30) {
                0..2 => Input::Correct(Text::new("a slip").unwrap()),
                2 => self.irregularity(game),
                _ => self.after_an_irregularity(),
            },
            49..52 => self.after_an_irregularity(),
            52 => Input::Redouble,
            53 => match self.below(12) {
                0 => Input::Unwager { seat: self.seat(), wager: WagerId::Main },
                1 => Input::Unwager { seat: self.seat(), wager: WagerId::MatchTheDealer },
                2..5 => Input::Cash { seat: self.seat(), returned: true },
                5 => Input::Cash { seat: self.seat(), returned: false },
                6..9 => Input::Link(SeatSet::EMPTY.with(self.seat()).with(self.seat())),
                _ => Input::DealerChange(Text::new("another").unwrap()),
            },
            54 => Input::Burn,
            55 => Input::Paid,
            56 => Input::Collected,
            _ => Input::Wager { seat: self.seat(), wager: WagerId::Main, amount: Some(self.amount()) },
        }
    }
}

fn tables_to_play() -> Vec<Table> {
    let mut all: Vec<Table> = Game::ALL.into_iter().map(Table::usual).collect();
    for table in &mut all {
        let context = OfferContext { game: table.game, decks: table.decks, switch: false };
        let printed = tables(WagerId::MatchTheDealer).unwrap().in_game(table.game);
        let answers = printed.and_then(|printed| printed.table("6-deck")).map(Answers::least);
        table.wagers.extend(answers.and_then(|answers| check_offer(context, WagerId::MatchTheDealer, &answers).ok()));
    }
    let restrictions = HouseRestrictions { no_surrender: true, one_card_to_split_aces: true };
    let settlement = Settlement::PayAndCollectFromRight;
    all.push(Table { restrictions, settlement, ..all[0].clone() });
    all
}

/// What two states may differ in and still be equal, but not where both have come the same way.
fn marks(engine: &Engine) -> impl PartialEq + std::fmt::Debug {
    let State { surrendered, to_act, asked, moment, approvals, dealt_down, ref boxes, .. } = engine.now;
    let after_reader = boxes.map(|each| each.side_after_reader);
    (surrendered, to_act, asked, moment, approvals, dealt_down, after_reader)
}

#[test]
fn the_short_ways_lead_where_the_general_way_leads() {
    let mut kinds_taken = KindSet::EMPTY;
    for table in tables_to_play() {
        let mut numbers = Numbers(u64::from(table.decks) + table.game as u64);
        let mut short = Engine::new(table.clone(), Tracking::Cards);
        let mut general = short.clone();
        let (mut events, mut expected) = (Events::new(), Events::new());
        let (mut taken, mut rounds) = (0, 0);
        for step in 0..12_000 {
            // Cards that were found wrong may end the day of these decks.
            if step % 250 == 0 {
                short = Engine::new(table.clone(), Tracking::Cards);
                general = short.clone();
            }
            let mut input = numbers.input(table.game);
            // Without some order no round would ever come to its end.
            for _ in 0..200 {
                if step % 8 == 0 || short.offers_input(&input) {
                    break;
                }
                input = numbers.input(table.game);
            }
            events.clear();
            expected.clear();
            if short.clone().take(&input, &mut Events::discarding(), |_| ()).is_some() {
                taken += 1;
                kinds_taken = kinds_taken.with(input.kind());
            }
            let answer = short.advance(&input, &mut events, |answer| answer);
            assert_eq!(answer, general.leave(input, &mut expected), "{input:?}");
            assert!(answer.is_err() || answer == Ok(short.order()), "{answer:?} after {input:?}, {:?}", short.order());
            assert_eq!(short.offers(), general.offers_in_general(), "after {input:?}");
            let decision = general.turn().map(|turn| (turn, general.offers_in_general().kinds));
            assert_eq!(short.to_decide(), decision, "after {input:?}");
            assert_eq!(events.as_slice(), expected.as_slice(), "{input:?}");
            assert!(short.now == general.now, "after {input:?}: {:?} and {:?}", short.now, general.now);
            assert_eq!((short.now.late, short.barrier), (general.now.late, general.barrier), "{input:?}");
            assert_eq!(marks(&short), marks(&general), "{input:?}");
            let log = |engine: &Engine| engine.log.iter().map(|each| (each.input, each.late)).collect::<Vec<_>>();
            assert_eq!(log(&short), log(&general), "{input:?}");
            assert_eq!(short.base, general.base, "{input:?}");
            rounds += u32::from(events.iter().any(|event| matches!(event, Event::RoundEnded { .. })));
        }
        assert!(taken > 2_000 && rounds > 200, "{}: {taken} inputs by a short way in {rounds} rounds", table.game);
    }
    let all = [
        InputKind::Wager,
        InputKind::Lock,
        InputKind::Card,
        InputKind::Peek,
        InputKind::Stand,
        InputKind::Double,
        InputKind::Split,
        InputKind::Surrender,
        InputKind::Reveal,
        InputKind::Settled,
    ];
    assert_eq!(kinds_taken, all.into_iter().fold(KindSet::EMPTY, KindSet::with));
}

#[test]
fn wagers_that_are_placed_together_lie_as_if_they_had_come_one_by_one() {
    for table in tables_to_play() {
        let mut numbers = Numbers(u64::from(table.decks) * 3 + table.game as u64);
        let (mut placed, mut refused) = (0, 0);
        for _ in 0..400 {
            let mut together = Engine::new(table.clone(), Tracking::Cards);
            let mut one_by_one = together.clone();
            let (mut events, mut expected) = (Events::new(), Events::new());
            for _ in 0..4 {
                let wagers: Vec<Placing> = (0..numbers.below(9))
                    .map(|_| {
                        let wager = if numbers.below(3) == 0 { WagerId::MatchTheDealer } else { WagerId::Main };
                        // Amounts that nobody may stake would end most of it at once.
                        let amount = if numbers.below(6) == 0 { numbers.amount() } else { Cents::dollars(10) };
                        Placing { seat: numbers.seat(), wager, amount }
                    })
                    .collect();
                let answer = together.place(&wagers, &mut events);
                let first_refused = wagers.iter().find_map(|&wager| {
                    one_by_one.leave(wager.into(), &mut expected).err().map(|refusal| (wager, refusal))
                });
                assert_eq!(answer.err(), first_refused, "{wagers:?}");
                assert_eq!(events.as_slice(), expected.as_slice(), "{wagers:?}");
                assert!(together.now == one_by_one.now, "after {wagers:?}");
                assert_eq!(together.log.len(), one_by_one.log.len(), "{wagers:?}");
                placed += together.log.len();
                refused += usize::from(first_refused.is_some());
            }
        }
        assert!(placed > 3_000 && refused > 100, "{}: {placed} placed, {refused} refused", table.game);
    }
}
