//! A plain dealer who wants to go home: answers each prompt with the first thing that leads on.

use table_rules::Engine;
use table_rules::card::Card;
use table_rules::event::{Event, Events};
use table_rules::input::{Cutter, Draw, Drawn, Input, InputKind, PeekAnswer, ShuffleDone, Text, UpGroup};
use table_rules::money::Cents;
use table_rules::prompt::{CardOffer, Order};
use table_rules::seat::Seat;
use table_rules::table::ShoeSide;
use table_rules::wager::WagerId;

use crate::making::due_seat;
use crate::session::in_round;

/// No round of eight boxes, eight hands each with every side wager, takes more answers than this.
const ANSWERS_MAX: usize = 600;

/// What the order itself asks for, where the kinds alone do not say it.
fn asked_for(engine: &Engine, order: &Order, card: Card) -> Option<Input> {
    let view = engine.view();
    if let Order::TellAmount { seat, wager } = *order {
        return Some(Input::Amount { seat, wager, amount: plain_amount(engine, wager) });
    }
    if let Order::SpinWheel { seat, wager } = *order {
        let each = view.boxes.iter().find(|each| each.seat == seat)?;
        let stake = each.side.iter().find(|(id, _, _)| *id == wager)?.1.amount();
        let offered = engine.table().wagers.iter().find(|offered| offered.id() == wager)?;
        return Some(Input::Wheel { seat, wager, symbol: Text::new(&offered.spins(stake).first()?.0)? });
    }
    let cutter = due_seat(order).map_or(Cutter::Dealer, Cutter::Seat);
    let candidates = [
        (matches!(order, Order::BurnForNewDealer | Order::BurnFirstCard), Input::Burn),
        (matches!(order, Order::ApproveLineSecond), Input::ManagerApprove),
        (matches!(order, Order::VerifyHand | Order::VerifyLamp | Order::AnswerPayments), Input::Next),
        (matches!(order, Order::CutDiscards(_)), Input::Cut { by: cutter, depth: 15 }),
        (matches!(order, Order::ShuffleDiscards), Input::Shuffle(ShuffleDone::ByHand)),
        (matches!(order, Order::ShuffleDiscards), Input::Shuffle(ShuffleDone::Device)),
        (matches!(order, Order::DrawDeterminant), Input::CardFrom { drawn: Drawn::FaceUp(card), side: ShoeSide::Left }),
    ];
    let draws = (1..=8).filter_map(Seat::new).map(|seat| Input::Draw(Draw::MustHit(seat)));
    let due = candidates.into_iter().filter(|&(asked, _)| asked).map(|(_, input)| input);
    let draws = std::iter::once(Input::Draw(Draw::None)).chain(draws);
    let drawn = draws.filter(|_| matches!(order, Order::TellDraw { .. }));
    due.chain(drawn).find(|input| engine.offers_input(input))
}

fn plain_amount(engine: &Engine, wager: WagerId) -> Cents {
    let table = engine.table();
    let side = table.wagers.iter().find(|offered| offered.id() == wager);
    match side.map(|offered| (offered.stakes().first(), offered.min_stake())) {
        Some((Some(&stake), _) | (None, Some(stake))) => stake,
        Some((None, None)) => Cents::dollars(5),
        None => Cents((table.limits.minimum.0 / table.smallest_chip.0 + 1) * table.smallest_chip.0),
    }
}

/// The first sensible answer to the prompt of a round in play.
pub(crate) fn plain_answer(engine: &Engine, card: Card) -> Input {
    let prompt = engine.prompt();
    let offers = &prompt.offers;
    let amount = plain_amount(engine, WagerId::Main);
    if let Some(input) = asked_for(engine, &prompt.order, card) {
        return input;
    }
    let candidates = [
        (InputKind::FloorApprove, Some(Input::FloorApprove)),
        (InputKind::Settled, Some(Input::Settled)),
        (InputKind::Peek, Some(Input::Peek(PeekAnswer::No))),
        (InputKind::Stand, Some(Input::Stand)),
        (InputKind::ReaderRepaired, Some(Input::ReaderRepaired)),
        (InputKind::Refuse, due_seat(&prompt.order).map(Input::Refuse)),
        (
            InputKind::Card,
            Some(Input::Card(match offers.card {
                CardOffer::FaceDown => Drawn::FaceDown,
                CardOffer::FaceUp | CardOffer::Either => Drawn::FaceUp(card),
            })),
        ),
        (InputKind::Reveal, Some(Input::Reveal(card))),
        (InputKind::Turn, offers.turn_seats.lowest().map(|seat| Input::Turn { seat, card })),
        (InputKind::Up, Some(Input::Up(UpGroup::Low))),
        (InputKind::Next, Some(Input::Next)),
        (
            InputKind::Amount,
            offers.amount_seats.lowest().map(|seat| Input::Amount { seat, wager: WagerId::Main, amount }),
        ),
    ];
    let answer = candidates.into_iter().filter(|&(kind, _)| offers.offers(kind)).find_map(|(_, input)| input);
    answer.unwrap_or_else(|| panic!("dead end: no plain answer to {prompt:#?}"))
}

/// Plays the round to its end; gives back all events.
pub(crate) fn finish(engine: &mut Engine, card: Card) -> Vec<Event> {
    let mut out = Events::new();
    for _ in 0..ANSWERS_MAX {
        if !in_round(engine) {
            return out.as_slice().to_vec();
        }
        let input = plain_answer(engine, card);
        if let Err(refusal) = engine.apply(&input, &mut out) {
            panic!("the plain answer {input:?} is refused: {refusal}\n{:#?}", engine.prompt());
        }
    }
    panic!("after {ANSWERS_MAX} answers the round has not ended: {:#?}", engine.prompt());
}
