//! A plain dealer who wants to go home: answers each prompt with the first thing that leads on.

use table_rules::Engine;
use table_rules::card::Card;
use table_rules::event::{Event, Events};
use table_rules::input::{Answer, Drawn, Input, InputKind, UpGroup};
use table_rules::money::Cents;
use table_rules::prompt::{CardOffer, Order};
use table_rules::wager::WagerId;

/// No round of eight boxes, eight hands each, takes more answers than this.
const ANSWERS_MAX: usize = 400;

/// The first sensible answer to the prompt of a round in play.
pub(crate) fn plain_answer(engine: &Engine, card: Card) -> Input {
    let prompt = engine.prompt();
    let offers = &prompt.offers;
    let table = engine.table();
    let amount = Cents((table.limits.minimum.0 / table.smallest_chip.0 + 1) * table.smallest_chip.0);
    let candidates = [
        (InputKind::FloorApprove, Some(Input::FloorApprove)),
        (InputKind::Burn, matches!(prompt.order, Order::BurnForNewDealer).then_some(Input::Burn)),
        (InputKind::Settled, Some(Input::Settled)),
        (InputKind::Peek, Some(Input::Peek(Answer::No))),
        (InputKind::Stand, Some(Input::Stand)),
        (InputKind::ReaderRepaired, Some(Input::ReaderRepaired)),
        (
            InputKind::Card,
            Some(Input::Card(match offers.card {
                CardOffer::FaceDown => Drawn::FaceDown,
                CardOffer::FaceUp | CardOffer::Either => Drawn::FaceUp(card),
            })),
        ),
        (InputKind::Reveal, Some(Input::Reveal(card))),
        (InputKind::Turn, offers.seats.lowest().map(|seat| Input::Turn { seat, card })),
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
        if engine.is_wagering() {
            return out.as_slice().to_vec();
        }
        let input = plain_answer(engine, card);
        if let Err(refusal) = engine.apply(&input, &mut out) {
            panic!("the plain answer {input:?} is refused: {refusal}");
        }
    }
    panic!("after {ANSWERS_MAX} answers the round has not ended: {:#?}", engine.prompt());
}
