//! What would be accepted now, as patterns: a word, the seats it may name, the range of its amount, its cards.
//!
//! Nothing is worked out here. Ranges come from the table's own limits, and wherever seats differ the engine is asked
//! about the very input, so a pattern cannot promise what the engine would refuse.

mod closed;
mod irregular;
mod wagers;

use serde::Serialize;
use table_rules::Engine;
use table_rules::card::Card;
use table_rules::game::Direction;
use table_rules::input::{
    Cutter, Draw, Drawn, Input, InputKind, Inspection, Packs, PaymentsAnswer, PeekAnswer, ShuffleDone,
};
use table_rules::money::Cents;
use table_rules::prompt::{AmountRange, CardOffer};
use table_rules::questions::Questions;
use table_rules::seat::{Seat, SeatSet};
use table_rules::table::{ShoeSide, Variation};

use crate::permission::{ActKind, Circumstances, Permission};
pub use closed::{Closed, closed};
use irregular::irregularities;
pub use irregular::{Group, OfferedIrregularity};
use wagers::{amounts, claims, insurance, late, unwagers, wagers, wheels};

/// One pattern. Fields that do not belong to its word are left out.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Offer {
    pub word: &'static str,
    /// Who may say it, whether with a PIN, and where the screen has it.
    #[serde(flatten)]
    pub permission: Permission,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seats: Option<Vec<u8>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wager: Option<&'static str>,
    #[serde(flatten)]
    pub amount: Amount,
    /// The ranks that the deck has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cards: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub face: Option<&'static str>,
    /// The sides of a double shoe that the card may come from; one of them has to be named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sides: Option<Vec<&'static str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub values: Option<Vec<String>>,
    /// What can have happened, in plain words, with what each asks for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub irregularities: Option<Vec<OfferedIrregularity>>,
    /// So many of the seats may be named, and they lie side by side.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub neighbours_at_most: Option<u8>,
}

/// The amounts that fit: a range in steps, or a list, and whether the amount may be left out.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Amount {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_cents: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_cents: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step_cents: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub one_of_cents: Option<Vec<i64>>,
    #[serde(rename = "amount_optional", skip_serializing_if = "Option::is_none")]
    pub optional: Option<bool>,
}

impl Amount {
    fn range(range: AmountRange) -> Self {
        if range.least > range.most {
            return Self { optional: Some(range.may_be_unknown), ..Self::default() };
        }
        Self {
            min_cents: Some(range.least.0),
            max_cents: Some(range.most.0),
            step_cents: Some(range.step.0),
            one_of_cents: None,
            optional: Some(range.may_be_unknown),
        }
    }
}

impl Offer {
    /// The bare word.
    const fn of(kind: InputKind) -> Self {
        Self::by(kind, ActKind::Word(kind))
    }

    /// The word as an act that asks for somebody else than its kind does.
    const fn by(kind: InputKind, act: ActKind) -> Self {
        Self {
            word: kind.word(),
            permission: act.permission(),
            seats: None,
            wager: None,
            amount: Amount { min_cents: None, max_cents: None, step_cents: None, one_of_cents: None, optional: None },
            cards: None,
            face: None,
            sides: None,
            values: None,
            irregularities: None,
            neighbours_at_most: None,
        }
    }
}

/// Every pattern that fits now.
pub fn offers(engine: &Engine, circumstances: &Circumstances) -> Vec<Offer> {
    let now = Questions::to(engine);
    let mut list = Vec::new();
    for kind in now.offers().kinds.iter() {
        add(&now, kind, circumstances, &mut list);
    }
    list
}

fn add(now: &Questions<'_>, kind: InputKind, circumstances: &Circumstances, list: &mut Vec<Offer>) {
    let (engine, offered) = (now.engine(), now.offers());
    let plain = Offer::of(kind);
    // One pattern for each permission among the values of a kind.
    let split = |values: Vec<(Input, String)>, list: &mut Vec<Offer>| {
        for (input, value) in values {
            let offer = Offer::by(kind, ActKind::of_input(&input, circumstances));
            let same = |each: &&mut Offer| each.word == offer.word && each.permission == offer.permission;
            match list.iter_mut().find(same) {
                Some(like) => like.values.get_or_insert_default().push(value),
                None => list.push(Offer { values: Some(vec![value]), ..offer }),
            }
        }
    };
    let at = |seats: SeatSet| -> Option<Offer> {
        (!seats.is_empty()).then(|| Offer { seats: Some(numbers(seats)), ..plain.clone() })
    };
    match kind {
        InputKind::Link => {
            let most = engine.table().adjacent_boxes;
            list.extend(at(offered.link_seats).map(|offer| Offer { neighbours_at_most: Some(most), ..offer }));
        }
        InputKind::Wager => wagers(now, list),
        InputKind::Unwager => unwagers(now, list),
        InputKind::Late => late(now, list),
        InputKind::Cash => list.extend(cash(now)),
        InputKind::Amount => amounts(now, list),
        InputKind::Insure => insurance(now, offered.insure_seats, list),
        InputKind::EvenMoney => list.extend(at(offered.even_money_seats)),
        InputKind::Seat | InputKind::SeatBlackjack => list.extend(at(offered.seats)),
        InputKind::SeatSurrender => list.extend(at(offered.surrender_seats)),
        InputKind::Turn => {
            list.extend(at(offered.turn_seats).map(|offer| Offer { cards: Some(ranks(engine)), ..offer }));
        }
        InputKind::Card => list.push(Offer {
            cards: matches!(offered.card, CardOffer::FaceUp | CardOffer::Either).then(|| ranks(engine)),
            face: Some(face(offered.card)),
            sides: card_sides(now, offered.card),
            ..plain
        }),
        InputKind::Cover => {
            list.push(Offer { sides: sides(now.engine(), |side| now.takes(&Input::CoverFrom(side))), ..plain });
        }
        InputKind::Reveal => list.push(Offer { cards: Some(ranks(engine)), ..plain }),
        InputKind::Double => list.push(Offer { amount: Amount::range(offered.double), ..plain }),
        InputKind::Peek => {
            let answers = [PeekAnswer::Yes, PeekAnswer::No, PeekAnswer::Unread];
            split(answers.map(|answer| (Input::Peek(answer), answer.word().to_owned())).into(), list);
        }
        InputKind::Up => {
            list.push(Offer { values: Some(owned(&["ace", "ten", "low"])), cards: Some(ranks(engine)), ..plain });
        }
        InputKind::Wheel => wheels(now, list),
        InputKind::Draw => draws(now, list),
        InputKind::Claim => claims(now, list),
        InputKind::Accept => list.extend(at(seats_where(now, |seat| now.takes(&Input::Accept(seat))))),
        InputKind::Refuse => list.extend(at(seats_where(now, |seat| now.takes(&Input::Refuse(seat))))),
        InputKind::Permit => list.extend(at(seats_where(now, |seat| now.takes(&Input::Permit(seat))))),
        InputKind::CutRefused => {
            list.extend(at(seats_where(now, |seat| now.takes(&Input::CutRefused(seat)))));
        }
        InputKind::Inspect => split(inspections(now), list),
        InputKind::Shuffle => split(shuffles(now), list),
        InputKind::Irregularity => {
            let told = irregularities(now);
            split(told.iter().map(|(input, each)| (*input, each.clause.to_owned())).collect(), list);
            for offer in list.iter_mut().filter(|offer| offer.word == kind.word()) {
                let values = offer.values.as_deref().unwrap_or_default();
                let named = told.iter().map(|(_, each)| each).filter(|each| values.iter().any(|it| it == each.clause));
                offer.irregularities = Some(named.cloned().collect());
            }
        }
        InputKind::ManagerApprove => {
            list.push(Offer::by(kind, ActKind::of_input(&Input::ManagerApprove, circumstances)));
        }
        InputKind::Payments => {
            list.push(Offer { values: Some(owned(&PaymentsAnswer::ALL.map(PaymentsAnswer::word))), ..plain });
        }
        InputKind::Decks => list.push(Offer { values: Some(decks(now)), ..plain }),
        InputKind::Cut => list.push(Offer { values: Some(cuts(now)), ..plain }),
        InputKind::PlaceCover => list.push(Offer { values: Some(cover_places(now)), ..plain }),
        InputKind::Open
        | InputKind::Close
        | InputKind::Spread
        | InputKind::Wash
        | InputKind::Load
        | InputKind::Idle
        | InputKind::At
        | InputKind::FloorReshuffle
        | InputKind::FloorRecut
        | InputKind::Switch
        | InputKind::Lock
        | InputKind::DealerChange
        | InputKind::Burn
        | InputKind::InsuranceClosed
        | InputKind::ReaderRepaired
        | InputKind::ShufflerRepaired
        | InputKind::Hit
        | InputKind::Stand
        | InputKind::Redouble
        | InputKind::Split
        | InputKind::Surrender
        | InputKind::Rescue
        | InputKind::Next
        | InputKind::Paid
        | InputKind::Collected
        | InputKind::Settled
        | InputKind::FloorApprove
        | InputKind::FloorVoid
        | InputKind::Reject
        | InputKind::Undo
        | InputKind::Correct => list.push(plain),
    }
}

/// Seats that may speak a wager with cash, and those whose cash may go back.
fn cash(now: &Questions<'_>) -> impl Iterator<Item = Offer> {
    let at = |returned| {
        let seats = seats_where(now, |seat| now.takes(&Input::Cash { seat, returned }));
        let values = returned.then(|| owned(&["returned"]));
        (!seats.is_empty()).then(|| Offer { seats: Some(numbers(seats)), values, ..Offer::of(InputKind::Cash) })
    };
    [at(false), at(true)].into_iter().flatten()
}

/// Who may say that the cards were inspected.
fn inspections(now: &Questions<'_>) -> Vec<(Input, String)> {
    let positions = now.engine().table().positions;
    let players = SeatSet::first(positions).iter(Direction::FromLeft);
    let players = players.map(|seat| (Inspection::Player(seat), format!("player {}", seat.number())));
    let people = [("dealer", Inspection::Dealer), ("floor", Inspection::Floor), ("tens 0", Inspection::Tens(0))];
    let people = people.into_iter().map(|(word, inspection)| (inspection, word.to_owned()));
    let inputs = people.chain(players).map(|(inspection, word)| (Input::Inspect(inspection), word));
    inputs.filter(|(input, _)| now.takes(input)).collect()
}

/// How many decks this table takes.
fn decks(now: &Questions<'_>) -> Vec<String> {
    let words = [("", Packs::Unsaid), (" 48", Packs::WithoutTens), (" 52", Packs::WithTens)];
    let each = |(count, (word, packs)): (u8, (&str, Packs))| {
        now.takes(&Input::Decks { count, packs }).then(|| format!("{count}{word}"))
    };
    (1..=16).flat_map(|count| words.map(|word| (count, word))).filter_map(each).collect()
}

/// Who may cut, each at the middle of the stack.
fn cuts(now: &Questions<'_>) -> Vec<String> {
    let depth = stack_size(now.engine()) / 2;
    let takes = |by| now.takes(&Input::Cut { by, depth });
    let seats = seats_where(now, |seat| takes(Cutter::Seat(seat)));
    let mut values: Vec<String> = numbers(seats).into_iter().map(|seat| format!("{seat} {depth}")).collect();
    if takes(Cutter::Dealer) {
        values.push(format!("dealer {depth}"));
    }
    values
}

/// The shallowest and the deepest place of the cover card.
fn cover_places(now: &Questions<'_>) -> Vec<String> {
    let takes = |&from_bottom: &u16| now.takes(&Input::PlaceCover(from_bottom));
    let places: Vec<u16> = (0..=stack_size(now.engine())).filter(takes).collect();
    [places.first(), places.last()].into_iter().flatten().map(ToString::to_string).collect()
}

fn stack_size(engine: &Engine) -> u16 {
    let table = engine.table();
    let sides = if table.variation == Variation::DoubleShoe { 2 } else { 1 };
    u16::from(table.decks) * table.game.cards_per_deck() / sides
}

fn shuffles(now: &Questions<'_>) -> Vec<(Input, String)> {
    let ways = [("by-hand", ShuffleDone::ByHand), ("device", ShuffleDone::Device), ("jam", ShuffleDone::Jam)];
    let inputs = ways.into_iter().map(|(word, done)| (Input::Shuffle(done), word.to_owned()));
    inputs.filter(|(input, _)| now.takes(input)).collect()
}

/// Asked with a card of each face that the pattern allows.
fn card_sides(now: &Questions<'_>, offered: CardOffer) -> Option<Vec<&'static str>> {
    let drawn = match offered {
        CardOffer::FaceDown => Drawn::FaceDown,
        CardOffer::FaceUp | CardOffer::Either => Drawn::FaceUp(Card::deck().next()?),
    };
    sides(now.engine(), |side| now.takes(&Input::CardFrom { drawn, side }))
}

/// `None` where there is one shoe.
fn sides(engine: &Engine, takes: impl Fn(ShoeSide) -> bool) -> Option<Vec<&'static str>> {
    let double = engine.table().variation == Variation::DoubleShoe;
    let words = [("left", ShoeSide::Left), ("right", ShoeSide::Right)];
    double.then(|| words.into_iter().filter(|(_, side)| takes(*side)).map(|(word, _)| word).collect())
}

fn face(card: CardOffer) -> &'static str {
    match card {
        CardOffer::FaceUp => "up",
        CardOffer::FaceDown => "down",
        CardOffer::Either => "either",
    }
}

fn numbers(seats: SeatSet) -> Vec<u8> {
    seats.iter(Direction::FromLeft).map(Seat::number).collect()
}

/// `A23456789TJQK`, without the T where the game plays without tens.
fn ranks(engine: &Engine) -> String {
    let in_deck = |card: &Card| engine.table().game.plays_with(card.rank());
    let mut letters: Vec<char> = Vec::new();
    for letter in Card::deck().filter(in_deck).map(|card| card.rank().letter()) {
        if !letters.contains(&letter) {
            letters.push(letter);
        }
    }
    letters.into_iter().collect()
}

/// The seats of the table where the engine would take this input.
fn seats_where(now: &Questions<'_>, mut takes: impl FnMut(Seat) -> bool) -> SeatSet {
    SeatSet::first(now.engine().table().positions).iter(Direction::FromLeft).filter(|seat| takes(*seat)).collect()
}

/// What a random source may say: one pattern a kind of draw.
fn draws(now: &Questions<'_>, list: &mut Vec<Offer>) {
    let takes = |draw| now.takes(&Input::Draw(draw));
    let plain = |kind: &str| Offer { values: Some(owned(&[kind])), ..Offer::of(InputKind::Draw) };
    if Card::deck().any(|card| takes(Draw::Magic(card))) {
        list.push(Offer { cards: Some(ranks(now.engine())), ..plain("magic") });
    }
    let players = seats_where(now, |seat| takes(Draw::Player(seat)));
    if !players.is_empty() {
        list.push(Offer { seats: Some(numbers(players)), ..plain("player") });
    }
    let winners = seats_where(now, |seat| takes(Draw::MustHit(seat)));
    if !winners.is_empty() {
        list.push(Offer { seats: Some(numbers(winners)), ..plain("must-hit") });
    }
    if takes(Draw::None) {
        list.push(plain("none"));
    }
}

fn owned(values: &[&str]) -> Vec<String> {
    values.iter().map(|value| (*value).to_owned()).collect()
}

/// The pattern as a person would type it: `wager [1 2 3] main $5 to $500`.
pub fn describe(offer: &Offer) -> String {
    let mut words = vec![offer.word.to_owned()];
    if let Some(seats) = &offer.seats {
        let numbers: Vec<String> = seats.iter().map(u8::to_string).collect();
        words.push(format!("[{}]", numbers.join(" ")));
    }
    words.extend(offer.wager.map(str::to_owned));
    let amount = &offer.amount;
    match (amount.min_cents, amount.max_cents, &amount.one_of_cents) {
        (Some(least), Some(most), _) if least == most => words.push(Cents(least).to_string()),
        (Some(least), Some(most), _) => words.push(format!("{} to {}", Cents(least), Cents(most))),
        (_, _, Some(stakes)) => {
            let stakes: Vec<String> = stakes.iter().map(|stake| Cents(*stake).to_string()).collect();
            words.push(stakes.join(" or "));
        }
        (None, _, None) | (Some(_), None, None) => {}
    }
    match offer.face {
        Some("down") => words.push("?".to_owned()),
        Some("either") => words.push("7d or ?".to_owned()),
        Some(_) | None if offer.cards.is_some() => words.push("7d".to_owned()),
        Some(_) | None => {}
    }
    words.extend(offer.sides.as_ref().map(|sides| sides.join("|")));
    words.extend(offer.values.as_ref().map(|values| values.join("|")));
    words.join(" ")
}
