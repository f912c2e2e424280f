//! Version 1 of the rules' own events, as a record keeps them.

use table_controller::{TableEvent, encode_events};
use table_rules::Event;
use table_rules::card::Card;
use table_rules::event::{Action, Place};
use table_rules::game::Game;
use table_rules::input::{Cutter, Draw, Drawn, InputKind, PaymentsAnswer, PeekAnswer, Text};
use table_rules::line::{Approval, Due, Line, Outcome, Stake};
use table_rules::meter::Exact;
use table_rules::money::{Cents, MeterName, Pay, Ratio};
use table_rules::seat::{Seat, SeatSet};
use table_rules::source::{Point, Source};
use table_rules::table::ShoeSide;
use table_rules::wager::WagerId;

fn source() -> Source {
    Point::Peek.source(Game::Blackjack)
}

fn seat(number: u8) -> Seat {
    Seat::new(number).unwrap()
}

fn card(name: &str) -> Card {
    name.parse().unwrap()
}

fn text(words: &str) -> Text {
    Text::new(words).unwrap()
}

fn line() -> Line {
    Line {
        seat: seat(3),
        hand: 1,
        wager: WagerId::Main,
        outcome: Outcome::Won,
        name: &"blackjack",
        pay: Some(Pay::To(Ratio::new(3, 2))),
        stake: Stake::of(Cents(2_000)),
        returned: Due::of(Cents(2_000)),
        pays: Due::of(Cents(3_000)),
        source: source(),
        approval: Approval::NotNeeded,
        correction: Due::NONE,
        is_share: false,
    }
}

fn before_the_deal() -> Vec<Event> {
    let (source, wager) = (source(), WagerId::Main);
    vec![
        Event::BoxesLinked { seats: SeatSet::first(2), source },
        Event::WagerPlaced { seat: seat(3), wager, amount: Some(Cents(2_000)), source },
        Event::WagerPlaced { seat: seat(3), wager, amount: None, source },
        Event::WagerRemoved { seat: seat(3), wager, source },
        Event::CashWager { seat: seat(3), returned: true, source },
        Event::WagersLocked { by_first_card: true, source },
        Event::LateWager { seat: seat(3), wager, source },
        Event::DealerChanged { name: text("A. Smith"), source },
        Event::TableClosed { source },
        Event::DecksReceived { count: 6, preinspected: false, source },
        Event::ShuffleFailed { source },
        Event::BatchInPlay { second: true, source },
        Event::CutRefused { seat: seat(3), source },
        Event::CutMade { by: Cutter::Dealer, depth: 60, source },
        Event::CutMade { by: Cutter::Seat(seat(3)), depth: 60, source },
        Event::CoverPlaced { from_bottom: 80, source },
        Event::ShoeLoaded { in_hand: false, source },
        Event::DecksAgeing { minutes_left: 30, source },
    ]
}

fn cards() -> Vec<Event> {
    let source = source();
    let dealt = |to, card| Event::CardDealt { to, card, total: 17, soft: true, source };
    vec![
        Event::Burnt { source },
        Event::CoverCardAppeared { at: Place::Shoe, source },
        dealt(Place::Hand { seat: seat(3), hand: 1 }, Drawn::FaceUp(card("7d"))),
        dealt(Place::Hand { seat: seat(3), hand: 1 }, Drawn::FaceDown),
        dealt(Place::Dealer, Drawn::FaceUp(card("Th"))),
        dealt(Place::HoleCard, Drawn::FaceDown),
        Event::LastCardTakenBack { source },
        Event::HoleCardRevealed { card: card("Kc"), total: 20, soft: false, source },
        Event::CardTurned { seat: seat(3), hand: 1, card: card("7d"), source },
        Event::DealerStands { total: 17, soft: false, source },
        Event::DealerMayNotDraw { total: 12, source },
        Event::SideNamed { side: ShoeSide::Left, card: card("7d"), first_card: true, source },
    ]
}

fn people_and_reader() -> Vec<Event> {
    let source = source();
    let mut all = vec![
        Event::InsurancePlaced { seat: seat(3), amount: Some(Cents(1_000)), source },
        Event::InsuranceClosed { source },
        Event::ReaderAnswered { answer: PeekAnswer::Unread, source },
        Event::ReaderStopped { source },
        Event::ReaderWrong { said: PeekAnswer::Yes, source },
        Event::BlackjackAnnounced { seat: seat(3), source },
        Event::AmountTold { seat: seat(3), wager: WagerId::Main, amount: Cents(2_000), source },
        Event::Irregularity { seat: Some(seat(3)), card: Some(card("8h")), source },
        Event::Answered { seat: seat(3), accepted: false, source },
        Event::WheelStopped { seat: seat(3), wager: WagerId::BonusSpin, symbol: text("1000"), source },
        Event::Verified { lamp: true, source },
        Event::Approved { by: InputKind::FloorApprove, source },
        Event::StepDone { source },
        Event::Undone { input: InputKind::Card, source },
        Event::Corrected { input: InputKind::Card, reason: text("misread"), across_reveal: true, source },
    ];
    let acts = [
        Action::Hit,
        Action::Stand,
        Action::Double,
        Action::Redouble,
        Action::Split,
        Action::Surrender,
        Action::Rescue,
        Action::Switch,
    ];
    all.extend(acts.map(|action| Event::Acted { seat: seat(3), hand: 1, action, amount: Some(Cents(500)), source }));
    let draws = [Draw::Magic(card("Kh")), Draw::Player(seat(4)), Draw::MustHit(seat(4)), Draw::None];
    all.extend(draws.map(|draw| Event::Drawn { draw, source }));
    all
}

fn money() -> Vec<Event> {
    let source = source();
    let (wager, meter, amount, staked) = (WagerId::MonsterMatch, MeterName::Main, Cents(500_044), Cents(200));
    vec![
        Event::Settled(line()),
        Event::Settled(Line { stake: Stake::UNKNOWN, pay: None, returned: Due::NONE, pays: Due::NONE, ..line() }),
        Event::LineWithdrawn(line()),
        Event::LineReopened { seat: seat(3), hand: 1, wager: WagerId::Main, source },
        Event::LineConfirmed { seat: seat(3), hand: 1, wager: WagerId::Main, implied: true, source },
        Event::MeterFed { wager, meter, staked, amount, source },
        Event::MeterReversed { wager, meter, seat: seat(3), staked, amount, source },
        Event::MeterPaid { wager, meter, seat: seat(3), paid: amount, seed: Some(Cents(500_000)), amount, source },
        Event::RoundVoid { source },
        Event::RoundEnded { source },
        Event::CardsStay { seat: seat(3), source },
        Event::WagerOnCards { seat: seat(3), source },
        Event::MeterRead { wager, meter, amount, source },
        Event::MeterSeeded { wager, meter, seed: Exact::from_millionths(44_500_000), amount, source },
        Event::PaidBeforeVoid { seat: seat(3), hand: 1, wager: WagerId::Main, paid: Some(Cents(1500)), source },
        Event::PaymentsAnswered { answer: PaymentsAnswer::Back, reason: text("another deck"), source },
        Event::PaymentsLeft { source },
        Event::RoundReopened { source },
        Event::Rejected { seat: seat(3), hand: 1, wager, reason: text("the lamp was dark"), source },
    ]
}

/// A new variant does not compile before somebody has thought of its line.
fn is_listed(event: &Event) {
    match event {
        Event::BoxesLinked { .. }
        | Event::WagerPlaced { .. }
        | Event::WagerRemoved { .. }
        | Event::CashWager { .. }
        | Event::WagersLocked { .. }
        | Event::LateWager { .. }
        | Event::DealerChanged { .. }
        | Event::Burnt { .. }
        | Event::CoverCardAppeared { .. }
        | Event::CardDealt { .. }
        | Event::LastCardTakenBack { .. }
        | Event::LineWithdrawn(_)
        | Event::LineReopened { .. }
        | Event::InsurancePlaced { .. }
        | Event::InsuranceClosed { .. }
        | Event::ReaderAnswered { .. }
        | Event::ReaderStopped { .. }
        | Event::ReaderWrong { .. }
        | Event::BlackjackAnnounced { .. }
        | Event::CardsStay { .. }
        | Event::WagerOnCards { .. }
        | Event::Acted { .. }
        | Event::HoleCardRevealed { .. }
        | Event::CardTurned { .. }
        | Event::DealerStands { .. }
        | Event::DealerMayNotDraw { .. }
        | Event::AmountTold { .. }
        | Event::MeterRead { .. }
        | Event::TableClosed { .. }
        | Event::DecksReceived { .. }
        | Event::ShuffleFailed { .. }
        | Event::BatchInPlay { .. }
        | Event::CutRefused { .. }
        | Event::CutMade { .. }
        | Event::CoverPlaced { .. }
        | Event::ShoeLoaded { .. }
        | Event::DecksAgeing { .. }
        | Event::Irregularity { .. }
        | Event::Answered { .. }
        | Event::SideNamed { .. }
        | Event::MeterFed { .. }
        | Event::MeterReversed { .. }
        | Event::MeterSeeded { .. }
        | Event::MeterPaid { .. }
        | Event::WheelStopped { .. }
        | Event::Drawn { .. }
        | Event::Verified { .. }
        | Event::Settled(_)
        | Event::LineConfirmed { .. }
        | Event::Approved { .. }
        | Event::StepDone { .. }
        | Event::RoundVoid { .. }
        | Event::PaidBeforeVoid { .. }
        | Event::PaymentsAnswered { .. }
        | Event::PaymentsLeft { .. }
        | Event::Rejected { .. }
        | Event::RoundEnded { .. }
        | Event::RoundReopened { .. }
        | Event::Undone { .. }
        | Event::Corrected { .. } => {}
    }
}

const EVENT_KINDS: usize = 60;

#[test]
fn rules_events_keep_their_bytes() {
    let all: Vec<Event> = [before_the_deal(), cards(), people_and_reader(), money()].into_iter().flatten().collect();
    all.iter().for_each(is_listed);
    let kinds: std::collections::HashSet<_> = all.iter().map(std::mem::discriminant).collect();
    assert_eq!(kinds.len(), EVENT_KINDS);
    let now: Vec<String> =
        all.iter().map(|event| String::from_utf8(encode_events(&[TableEvent::Rules(*event)])).unwrap()).collect();
    crate::v1::check_said(include_str!("v1-events.jsonl"), include_str!("v1-events-said.jsonl"), &now);
}
