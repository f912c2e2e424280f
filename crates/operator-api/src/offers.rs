//! What would be accepted now, as patterns: a word, the seats it may name, the range of its amount, its cards.
//!
//! Nothing is worked out here. Ranges come from the table's own limits, and wherever seats differ the engine is asked
//! about the very input, so a pattern cannot promise what the engine would refuse.

mod wagers;

use serde::Serialize;
use table_rules::Engine;
use table_rules::card::Card;
use table_rules::game::Direction;
use table_rules::input::{Cutter, Draw, Drawn, Input, InputKind, Inspection, ShuffleDone};
use table_rules::money::Cents;
use table_rules::prompt::{AmountRange, CardOffer};
use table_rules::questions::Questions;
use table_rules::seat::{Seat, SeatSet};
use table_rules::table::{ShoeSide, Variation};

use wagers::{amounts, claims, insurance, late, unwagers, wagers, wheels};

/// One pattern. Fields that do not belong to its word are left out.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Offer {
    pub word: &'static str,
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

/// Every pattern that fits now.
pub fn offers(engine: &Engine) -> Vec<Offer> {
    let now = Questions::to(engine);
    let mut list = Vec::new();
    for kind in now.offers().kinds.iter() {
        add(&now, kind, &mut list);
    }
    list
}

fn add(now: &Questions<'_>, kind: InputKind, list: &mut Vec<Offer>) {
    let (engine, offered) = (now.engine(), now.offers());
    let plain = Offer { word: kind.word(), ..Offer::default() };
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
        InputKind::Peek => list.push(Offer { values: Some(owned(&["yes", "no", "unread"])), ..plain }),
        InputKind::Up => list.push(Offer { values: Some(owned(&["ace", "ten", "low"])), ..plain }),
        InputKind::Wheel => wheels(now, list),
        InputKind::Draw => draws(now, list),
        InputKind::Claim => claims(now, list),
        InputKind::Accept => list.extend(at(seats_where(now, |seat| now.takes(&Input::Accept(seat))))),
        InputKind::Refuse => list.extend(at(seats_where(now, |seat| now.takes(&Input::Refuse(seat))))),
        InputKind::Permit => list.extend(at(seats_where(now, |seat| now.takes(&Input::Permit(seat))))),
        InputKind::CutRefused => {
            list.extend(at(seats_where(now, |seat| now.takes(&Input::CutRefused(seat)))));
        }
        InputKind::Inspect => list.push(Offer { values: Some(inspections(now)), ..plain }),
        InputKind::Shuffle => list.push(Offer { values: Some(shuffles(now)), ..plain }),
        InputKind::Irregularity => list.push(Offer { values: Some(irregularities(engine)), ..plain }),
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
        | InputKind::ManagerApprove
        | InputKind::FloorVoid
        | InputKind::Undo
        | InputKind::Correct => list.push(plain),
    }
}

/// Seats that may speak a wager with cash, and those whose cash may go back.
fn cash(now: &Questions<'_>) -> impl Iterator<Item = Offer> {
    let at = |returned| {
        let seats = seats_where(now, |seat| now.takes(&Input::Cash { seat, returned }));
        let values = returned.then(|| owned(&["returned"]));
        (!seats.is_empty()).then(|| Offer {
            word: InputKind::Cash.word(),
            seats: Some(numbers(seats)),
            values,
            ..Offer::default()
        })
    };
    [at(false), at(true)].into_iter().flatten()
}

/// Who may say that the cards were inspected.
fn inspections(now: &Questions<'_>) -> Vec<String> {
    let takes = |inspection| now.takes(&Input::Inspect(inspection));
    let mut values = Vec::new();
    for (word, inspection) in
        [("dealer", Inspection::Dealer), ("floor", Inspection::Floor), ("tens 0", Inspection::Tens(0))]
    {
        if takes(inspection) {
            values.push(word.to_owned());
        }
    }
    let seats = seats_where(now, |seat| takes(Inspection::Player(seat)));
    values.extend(numbers(seats).into_iter().map(|seat| format!("player {seat}")));
    values
}

/// How many decks this table takes.
fn decks(now: &Questions<'_>) -> Vec<String> {
    let takes = |&count: &u8| now.takes(&Input::Decks { count, preinspected: false });
    (1..=16).filter(takes).map(|count| count.to_string()).collect()
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

fn shuffles(now: &Questions<'_>) -> Vec<String> {
    let ways = [("by-hand", ShuffleDone::ByHand), ("device", ShuffleDone::Device), ("jam", ShuffleDone::Jam)];
    ways.into_iter().filter(|&(_, done)| now.takes(&Input::Shuffle(done))).map(|(word, _)| word.to_owned()).collect()
}

/// The clauses of what can have happened now; what each asks for besides, its refusal says.
fn irregularities(engine: &Engine) -> Vec<String> {
    engine.possible_irregularities().filter_map(|kind| kind.clause(engine.table().game)).map(str::to_owned).collect()
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
    let plain = |kind: &str| Offer { word: InputKind::Draw.word(), values: Some(owned(&[kind])), ..Offer::default() };
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
