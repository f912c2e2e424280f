//! Every input somebody might try: each kind, each seat, good amounts and bad ones, all wagers, cards of every deck.

use table_rules::card::Card;
use table_rules::engine::Irregular;
use table_rules::input::{
    Cutter, Draw, Drawn, Input, Inspection, Packs, PaymentsAnswer, PeekAnswer, ShuffleDone, Text, UpGroup,
};
use table_rules::money::Cents;
use table_rules::seat::{Seat, SeatSet};
use table_rules::table::{ShoeSide, Table};
use table_rules::wager::WagerId;

fn seats() -> impl Iterator<Item = Seat> + Clone {
    (1..=8).filter_map(Seat::new)
}

fn set(numbers: &[u8]) -> SeatSet {
    numbers.iter().filter_map(|&number| Seat::new(number)).collect()
}

/// Amounts at and around every edge the table has.
fn amounts(table: &Table) -> Vec<Cents> {
    let (least, most, chip) = (table.limits.minimum.0, table.limits.maximum.0, table.smallest_chip.0);
    let mut all = vec![0, -1, -500, 1, 7, 500, 1250, i64::MAX, i64::MIN, Cents::LARGEST.0, Cents::LARGEST.0 + 1];
    for edge in [least, most, chip, chip * 2, chip * 10, (most / chip) * chip, (least / chip + 1) * chip, most / 2] {
        all.extend([edge - 1, edge, edge + 1]);
    }
    all.sort_unstable();
    all.dedup();
    all.into_iter().map(Cents).collect()
}

pub(crate) fn universe(table: &Table, every_card: bool) -> Vec<Input> {
    let mut all = vec![
        Input::Lock,
        Input::Burn,
        Input::Cover,
        Input::InsuranceClosed,
        Input::ReaderRepaired,
        Input::ShufflerRepaired,
        Input::Hit,
        Input::Stand,
        Input::Redouble,
        Input::Split,
        Input::Surrender,
        Input::Rescue,
        Input::Switch,
        Input::Next,
        Input::Paid,
        Input::Collected,
        Input::Settled,
        Input::FloorApprove,
        Input::ManagerApprove,
        Input::FloorVoid,
        Input::Payments { answer: PaymentsAnswer::Stand, reason: Text::new("paid rightly").unwrap() },
        Input::Payments { answer: PaymentsAnswer::Back, reason: Text::new("a wrong card").unwrap() },
        Input::Reject(Text::new("the lamp was dark").unwrap()),
        Input::Undo,
        Input::Card(Drawn::FaceDown),
        Input::Double(None),
        Input::DealerChange(Text::new("Kim").unwrap()),
        Input::DealerChange(Text::new(&"n".repeat(Text::BYTES_MAX)).unwrap()),
        Input::Correct(Text::new("misread").unwrap()),
    ];
    all.extend([PeekAnswer::Yes, PeekAnswer::No, PeekAnswer::Unread].map(Input::Peek));
    all.extend([UpGroup::Ace, UpGroup::Ten, UpGroup::Low].map(Input::Up));
    let few = ["Ac", "5d", "Th", "Kc", "6h"].map(|text| text.parse::<Card>().unwrap());
    let cards: Vec<Card> = if every_card { Card::deck().collect() } else { few.to_vec() };
    for card in cards {
        all.push(Input::Card(Drawn::FaceUp(card)));
        all.push(Input::Reveal(card));
    }
    let amounts = amounts(table);
    all.extend(amounts.iter().map(|&amount| Input::Double(Some(amount))));
    for seat in seats() {
        all.extend([
            Input::EvenMoney { seat },
            Input::Cash { seat, returned: false },
            Input::Cash { seat, returned: true },
            Input::Seat(seat),
            Input::SeatBlackjack(seat),
            Input::SeatSurrender(seat),
            Input::Insure { seat, amount: None },
        ]);
        all.extend(few.map(|card| Input::Turn { seat, card }));
        let wager = WagerId::Main;
        all.push(Input::Wager { seat, wager, amount: None });
        for &amount in &amounts {
            all.push(Input::Insure { seat, amount: Some(amount) });
            all.push(Input::Wager { seat, wager, amount: Some(amount) });
            all.push(Input::Amount { seat, wager, amount });
        }
        for other in seats() {
            all.push(Input::Link(SeatSet::EMPTY.with(seat).with(other)));
        }
        all.push(Input::Link((seat.number()..seat.number() + 3).filter_map(Seat::new).collect()));
    }
    for wager in WagerId::ALL {
        for seat in seats().step_by(3) {
            all.push(Input::Wager { seat, wager, amount: None });
            all.push(Input::Wager { seat, wager, amount: Some(Cents::dollars(25)) });
            all.push(Input::Unwager { seat, wager });
            all.push(Input::Late { seat, wager });
            all.push(Input::Amount { seat, wager, amount: Cents::dollars(25) });
        }
    }
    all.push(Input::Draw(Draw::None));
    all.push(Input::Draw(Draw::Magic(few[3])));
    for seat in seats() {
        all.extend([Draw::Player(seat), Draw::MustHit(seat)].map(Input::Draw));
        for wager in [WagerId::BonusSpin, WagerId::BonusSpinXtreme, WagerId::MonsterMatch, WagerId::Main] {
            all.push(Input::Wheel { seat, wager, symbol: Text::new("1000").unwrap() });
            all.push(Input::Claim { seat, wager, line: Text::new("B(c)").unwrap() });
        }
        all.push(Input::Unwager { seat, wager: WagerId::Main });
        all.push(Input::Late { seat, wager: WagerId::Main });
    }
    table_life(table, &mut all);
    irregularities(table, every_card, &mut all);
    side_wagers(table, &mut all);
    for side in [ShoeSide::Left, ShoeSide::Right] {
        let drawn = [Drawn::FaceDown, Drawn::FaceUp(few[0]), Drawn::FaceUp(few[1]), Drawn::FaceUp(few[2])];
        all.extend(drawn.map(|drawn| Input::CardFrom { drawn, side }));
    }
    all.extend([set(&[]), set(&[1, 3, 4]), set(&[1, 2, 3, 4]), SeatSet::first(8)].map(Input::Link));
    all
}

/// Opening, shuffling, cutting and closing, with good and bad particulars.
fn table_life(table: &Table, all: &mut Vec<Input>) {
    all.extend([
        Input::Open,
        Input::Close,
        Input::Spread,
        Input::Wash,
        Input::Load,
        Input::Idle,
        Input::FloorReshuffle,
        Input::FloorRecut,
        Input::At(0),
        Input::At(719),
        Input::At(1439),
        Input::Inspect(Inspection::Dealer),
        Input::Inspect(Inspection::Floor),
    ]);
    for count in [0, 1, table.decks, table.decks * 2, u8::MAX] {
        all.extend(Packs::ALL.map(|packs| Input::Decks { count, packs }));
    }
    all.extend([0, 1, table.decks * 4, table.decks * 4 + 1].map(|tens| Input::Inspect(Inspection::Tens(tens))));
    all.extend([ShuffleDone::ByHand, ShuffleDone::Device, ShuffleDone::Jam].map(Input::Shuffle));
    let cards = u16::from(table.decks) * table.game.cards_per_deck();
    let depths = [0, 9, 10, 30, cards / 2, cards - 10, cards - 9, cards, cards + 1, u16::MAX];
    all.extend(depths.map(|depth| Input::Cut { by: Cutter::Dealer, depth }));
    for quarter in [cards / 4, cards / 8] {
        all.extend([0, 1, quarter - 1, quarter, quarter + 1, cards, cards + 1, u16::MAX].map(Input::PlaceCover));
    }
    for seat in seats() {
        all.extend([
            Input::Inspect(Inspection::Player(seat)),
            Input::CutRefused(seat),
            Input::Permit(seat),
            Input::Accept(seat),
            Input::Refuse(seat),
        ]);
        all.extend([9, 10, 30].map(|depth| Input::Cut { by: Cutter::Seat(seat), depth }));
    }
}

/// Every clause of the game's list of irregularities and some of other games, each with and without particulars.
fn irregularities(table: &Table, thorough: bool, all: &mut Vec<Input>) {
    let mut clauses: Vec<&str> = Irregular::ALL.iter().filter_map(|kind| kind.clause(table.game)).collect();
    clauses.extend(["7.E", "x", "13.G"]);
    let cards = [None, Some("Th"), Some("5d")].map(|card| card.map(|text| text.parse::<Card>().unwrap()));
    for clause in clauses {
        let clause = Text::new(clause).unwrap();
        for seat in seats().map(Some).chain([None]) {
            let some_seats = thorough || seat.is_none_or(|seat| seat.number() % 3 == 1);
            for card in cards.into_iter().filter(|_| some_seats) {
                all.extend([true, false].map(|attested| Input::Irregularity { clause, seat, card, attested }));
            }
        }
    }
}

/// Stakes, wheel symbols and claims that the offered wagers really know.
fn side_wagers(table: &Table, all: &mut Vec<Input>) {
    for offered in &table.wagers {
        let wager = offered.id();
        let stakes = offered.stakes().iter().copied().chain(offered.min_stake()).chain([Cents::dollars(5)]);
        for amount in stakes {
            for seat in seats().step_by(2) {
                all.push(Input::Wager { seat, wager, amount: Some(amount) });
                all.push(Input::Amount { seat, wager, amount });
            }
        }
        for seat in seats() {
            all.push(Input::Unwager { seat, wager });
            all.push(Input::Amount { seat, wager, amount: Cents::dollars(5) });
            for symbol in offered.spins(offered.stakes().first().copied()).iter().take(4) {
                all.push(Input::Wheel { seat, wager, symbol: Text::new(&symbol.0).unwrap() });
            }
            for row in offered.tables().flat_map(|table| table.table.rows.iter()).take(3) {
                all.push(Input::Claim { seat, wager, line: Text::new(row.key).unwrap() });
            }
            for symbol in offered.spins(offered.stakes().first().copied()).iter().rev().take(4) {
                all.push(Input::Claim { seat, wager, line: Text::new(&symbol.0).unwrap() });
            }
        }
    }
}
