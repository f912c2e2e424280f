//! What a table says to programs: one JSON object for each prompt, refusal, line and event. `docs/play-script.md`
//! documents the fields, and they stay: scripts, journals and screens all read them.

use std::fmt::Display;

use serde::Serialize;
use serde_json::{Map, Value, json};
use table_rules::card::Card;
use table_rules::event::{Action, Place};
use table_rules::game::{Direction, Game};
use table_rules::input::{Cutter, Draw, Drawn};
use table_rules::line::{Approval, Line};
use table_rules::money::{Cents, Pay};
use table_rules::seat::{Seat, SeatSet};
use table_rules::source::{Point, Source};
use table_rules::table::ShoeSide;
use table_rules::text::PitLines;
use table_rules::wager::WagerId;
use table_rules::{Engine, Event, Refusal};

use crate::offers::{Offer, offers};
use crate::permission::Circumstances;

/// The objects. The name of the variant is the one key of the object.
#[derive(Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum EventJson {
    /// `situation` and `text` are the two short lines of a screen, `long` says the same for a record.
    Prompt {
        situation: String,
        text: String,
        long: String,
        clause: String,
        /// Other clauses that the order does as well.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        besides: Vec<&'static str>,
        offers: Vec<Offer>,
    },
    Refused {
        reason: String,
        clause: String,
        line: usize,
    },
    Settled(Settled),
    Event(Happened),
    Error {
        message: String,
        line: usize,
    },
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Settled {
    pub position: u8,
    pub hand: u8,
    pub wager: &'static str,
    pub outcome: &'static str,
    pub line: &'static str,
    pub odds: Option<String>,
    pub basis: Option<&'static str>,
    pub stake_cents: Option<i64>,
    pub returned_cents: Option<i64>,
    pub pays_cents: Option<i64>,
    /// In cents, what was rounded to chips (S8): of the pay, in a surrender of what goes back. Only where it differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exact_cents: Option<String>,
    pub clause: String,
    /// Who has to approve the line first, where somebody has to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approval: Option<&'static str>,
    /// What the player had received for an earlier line that this one corrects (S12).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub corrects_cents: Option<i64>,
    /// The maximum of 13.J has cut the pay to this winner's share of it (13.K).
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub share_of_maximum: bool,
}

impl From<&Line> for Settled {
    fn from(line: &Line) -> Self {
        Self {
            position: line.seat.number(),
            hand: line.hand,
            wager: line.wager.id(),
            outcome: line.outcome.word(),
            line: line.name,
            odds: line.pay.map(|pay| pay.to_string()),
            basis: line.pay.map(basis),
            stake_cents: line.stake.amount().map(|stake| stake.0),
            returned_cents: line.returned.amount().map(|returned| returned.0),
            pays_cents: line.pays.amount().map(|pays| pays.0),
            exact_cents: line.exact().map(|exact| exact.to_string()),
            clause: line.source.to_string(),
            approval: match line.approval {
                Approval::NotNeeded | Approval::Answered => None,
                Approval::Floor | Approval::Progressive => Some("floor"),
                Approval::ProgressiveBySecond => Some("floor and a second person"),
            },
            corrects_cents: line.correction.amount().map(|earlier| earlier.0),
            share_of_maximum: line.is_share,
        }
    }
}

fn basis(pay: Pay) -> &'static str {
    match pay {
        Pay::To(_) => "to",
        Pay::For(_) => "for",
        Pay::Amount(_) => "amount",
        Pay::Meter { .. } => "meter",
    }
}

#[derive(Debug, Serialize)]
pub struct Happened {
    text: String,
    clause: String,
    kind: &'static str,
    #[serde(flatten)]
    details: Map<String, Value>,
}

impl EventJson {
    pub fn event(event: &Event) -> Self {
        if let Event::Settled(line) = event { Self::Settled(line.into()) } else { Self::Event(happened(event)) }
    }

    /// `line` is the script's line that was refused.
    pub fn refused(line: usize, refusal: &Refusal) -> Self {
        Self::Refused { reason: refusal.reason.to_string(), clause: refusal.source.to_string(), line }
    }

    /// The table has come back from its snapshot. No event of the engine: it cannot tell (H18).
    pub fn restarted(game: Game) -> Self {
        let clause = Point::Restart.source(game).to_string();
        Self::Event(Happened { text: RESTARTED.to_owned(), clause, kind: "restarted", details: Map::new() })
    }

    /// What comes next, with everything that would be accepted.
    pub fn prompt(engine: &Engine) -> Self {
        let ((_, source), words) = (engine.order(), engine.order_in_words());
        let PitLines { situation, order: text } = words.lines();
        let offers = offers(engine, &Circumstances::of(engine));
        let (long, clause, besides) = (words.to_string(), source.to_string(), source.besides().collect());
        Self::Prompt { situation, text, long, clause, besides, offers }
    }
}

/// What people read when a table has come back.
pub const RESTARTED: &str = "Table restarted and stands as before";

/// The words of something that ends with its source in brackets, without them.
pub fn without_source(said: &impl Display, source: Source) -> String {
    cut_source(said.to_string(), &source.to_string())
}

fn cut_source(mut text: String, source: &str) -> String {
    let bare =
        text.strip_suffix(']').and_then(|text| text.strip_suffix(source)).and_then(|text| text.strip_suffix(" ["));
    if let Some(length) = bare.map(str::len) {
        text.truncate(length);
    }
    text
}

fn happened(event: &Event) -> Happened {
    let (kind, details) = details(event);
    let details = match details {
        Value::Object(map) => map,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => Map::new(),
    };
    let clause = event.source().to_string();
    Happened { text: cut_source(event.to_string(), &clause), clause, kind, details }
}

/// The event's stable name and what it carries.
fn details(event: &Event) -> (&'static str, Value) {
    match *event {
        Event::BoxesLinked { seats, .. } => ("boxes-linked", json!({ "positions": positions(seats) })),
        Event::WagerPlaced { seat, wager, amount, .. } => ("wager-placed", wagered(seat, wager, amount)),
        Event::WagerRemoved { seat, wager, .. } => ("wager-removed", wager_at(seat, wager)),
        Event::CashWager { seat, returned, .. } => {
            ("cash-wager", json!({ "position": seat.number(), "returned": returned }))
        }
        Event::WagersLocked { by_first_card, .. } => ("wagers-locked", json!({ "by_first_card": by_first_card })),
        Event::LateWager { seat, wager, .. } => ("late-wager", wager_at(seat, wager)),
        Event::DealerChanged { ref name, .. } => ("dealer-changed", json!({ "name": name.as_str() })),
        Event::Burnt { .. } => ("burnt", Value::Null),
        Event::CoverCardAppeared { at, .. } => ("cover-card-appeared", json!({ "before": place(at) })),
        Event::CardDealt { to, card, total, soft, .. } => ("card-dealt", dealt(to, card, total, soft)),
        Event::LastCardTakenBack { .. } => ("last-card-taken-back", Value::Null),
        Event::LineWithdrawn(ref line) => ("line-withdrawn", json!({ "line": Settled::from(line) })),
        Event::LineReopened { seat, hand, wager, .. } => ("line-reopened", at_hand(seat, hand, wager)),
        Event::InsurancePlaced { seat, amount, .. } => ("insurance-placed", wagered(seat, WagerId::Insurance, amount)),
        Event::InsuranceClosed { .. } => ("insurance-closed", Value::Null),
        Event::ReaderAnswered { answer, .. } => ("reader-answered", json!({ "answer": answer.word() })),
        Event::ReaderStopped { .. } => ("reader-stopped", Value::Null),
        Event::ReaderWrong { said, .. } => ("reader-wrong", json!({ "answer": said.word() })),
        Event::BlackjackAnnounced { seat, .. } => ("blackjack-announced", json!({ "position": seat.number() })),
        Event::CardsStay { seat, .. } => ("cards-stay", json!({ "position": seat.number() })),
        Event::WagerOnCards { seat, .. } => ("wager-on-cards", json!({ "position": seat.number() })),
        Event::Acted { seat, hand, action: done, amount, .. } => (
            "acted",
            json!({ "position": seat.number(), "hand": hand, "action": action(done), "amount_cents": cents(amount) }),
        ),
        Event::HoleCardRevealed { card, total, soft, .. } => {
            ("hole-card-revealed", json!({ "card": spelt(card), "total": total, "soft": soft }))
        }
        Event::CardTurned { seat, hand, card, .. } => {
            ("card-turned", json!({ "position": seat.number(), "hand": hand, "card": spelt(card) }))
        }
        Event::DealerStands { total, soft, .. } => ("dealer-stands", json!({ "total": total, "soft": soft })),
        Event::DealerMayNotDraw { total, .. } => ("dealer-may-not-draw", json!({ "total": total })),
        Event::AmountTold { seat, wager, amount, .. } => ("amount-told", wagered(seat, wager, Some(amount))),
        Event::MeterRead { wager, meter, amount, .. } => {
            ("meter-read", json!({ "wager": wager.id(), "meter": meter.name(), "meter_cents": amount.0 }))
        }
        Event::TableClosed { .. } => ("table-closed", Value::Null),
        Event::DecksReceived { count, preinspected, .. } => {
            ("decks-received", json!({ "decks": count, "preinspected": preinspected }))
        }
        Event::ShuffleFailed { .. } => ("shuffle-failed", Value::Null),
        Event::BatchInPlay { second, .. } => ("batch-in-play", json!({ "batch": if second { 2 } else { 1 } })),
        Event::CutRefused { seat, .. } => ("cut-refused", json!({ "position": seat.number() })),
        Event::CutMade { by: Cutter::Seat(seat), depth, .. } => {
            ("cut-made", json!({ "position": seat.number(), "depth": depth }))
        }
        Event::CutMade { by: Cutter::Dealer, depth, .. } => ("cut-made", json!({ "position": null, "depth": depth })),
        Event::CoverPlaced { from_bottom, .. } => ("cover-placed", json!({ "from_bottom": from_bottom })),
        Event::ShoeLoaded { in_hand: false, .. } => ("shoe-loaded", Value::Null),
        Event::ShoeLoaded { in_hand: true, .. } => ("shoe-loaded", json!({ "in_hand": true })),
        Event::DecksAgeing { minutes_left, .. } => ("decks-ageing", json!({ "minutes_left": minutes_left })),
        Event::Irregularity { seat, card, .. } => {
            ("irregularity", json!({ "position": seat.map(Seat::number), "card": card.map(spelt) }))
        }
        Event::Answered { seat, accepted, .. } => {
            ("answered", json!({ "position": seat.number(), "accepted": accepted }))
        }
        Event::SideNamed { side, card, first_card, .. } => {
            ("side-named", json!({ "side": side_word(side), "card": spelt(card), "first_card": first_card }))
        }
        Event::MeterFed { wager, meter, staked, amount, .. } => (
            "meter-fed",
            json!({
                "wager": wager.id(), "meter": meter.name(), "staked_cents": staked.0, "meter_cents": amount.0,
            }),
        ),
        Event::MeterReversed { wager, meter, seat, staked, amount, .. } => (
            "meter-reversed",
            json!({
                "position": seat.number(), "wager": wager.id(), "meter": meter.name(), "staked_cents": staked.0,
                "meter_cents": amount.0,
            }),
        ),
        Event::MeterSeeded { wager, meter, seed, amount, .. } => (
            "meter-seeded",
            json!({
                "wager": wager.id(), "meter": meter.name(), "seed_cents": seed.whole_cents().0,
                "seed_millionths": seed.sub_cent().millionths(), "meter_cents": amount.0,
            }),
        ),
        Event::MeterPaid { wager, meter, seat, paid, seed, amount, .. } => (
            "meter-paid",
            json!({
                "position": seat.number(), "wager": wager.id(), "meter": meter.name(), "paid_cents": paid.0,
                "seed_cents": cents(seed), "meter_cents": amount.0,
            }),
        ),
        Event::WheelStopped { seat, wager, ref symbol, .. } => {
            ("wheel-stopped", json!({ "position": seat.number(), "wager": wager.id(), "symbol": symbol.as_str() }))
        }
        Event::Drawn { draw, .. } => ("drawn", drawn(draw)),
        Event::Verified { lamp, .. } => ("verified", json!({ "what": if lamp { "lamp" } else { "hand" } })),
        // Settled lines have an object of their own; the name is here so that the match stays complete.
        Event::Settled(ref line) => ("settled", json!({ "line": Settled::from(line) })),
        Event::LineConfirmed { seat, hand, wager, implied, .. } => (
            "line-confirmed",
            json!({ "position": seat.number(), "hand": hand, "wager": wager.id(), "implied": implied }),
        ),
        Event::Approved { by, .. } => ("approved", json!({ "by": by.word() })),
        Event::StepDone { .. } => ("step-done", Value::Null),
        Event::RoundVoid { .. } => ("round-void", Value::Null),
        Event::PaidBeforeVoid { seat, hand, wager, paid, .. } => (
            "paid-before-void",
            json!({ "position": seat.number(), "hand": hand, "wager": wager.id(), "paid_cents": cents(paid) }),
        ),
        Event::PaymentsAnswered { answer, ref reason, .. } => {
            ("payments-answered", json!({ "answer": answer.word(), "reason": reason.as_str() }))
        }
        Event::PaymentsLeft { .. } => ("payments-left", Value::Null),
        Event::Rejected { seat, hand, wager, ref reason, .. } => (
            "rejected",
            json!({ "position": seat.number(), "hand": hand, "wager": wager.id(), "reason": reason.as_str() }),
        ),
        Event::RoundEnded { .. } => ("round-ended", Value::Null),
        Event::RoundReopened { .. } => ("round-reopened", Value::Null),
        Event::Undone { input, .. } => ("undone", json!({ "input": input.word() })),
        Event::Corrected { input, ref reason, across_reveal, .. } => {
            ("corrected", json!({ "input": input.word(), "reason": reason.as_str(), "across_reveal": across_reveal }))
        }
    }
}

fn side_word(side: ShoeSide) -> &'static str {
    match side {
        ShoeSide::Left => "left",
        ShoeSide::Right => "right",
    }
}

fn cents(amount: Option<Cents>) -> Option<i64> {
    amount.map(|amount| amount.0)
}

fn spelt(card: Card) -> String {
    card.to_string()
}

fn positions(seats: SeatSet) -> Vec<u8> {
    seats.iter(Direction::FromLeft).map(Seat::number).collect()
}

fn wager_at(seat: Seat, wager: WagerId) -> Value {
    json!({ "position": seat.number(), "wager": wager.id() })
}

fn wagered(seat: Seat, wager: WagerId, amount: Option<Cents>) -> Value {
    json!({ "position": seat.number(), "wager": wager.id(), "amount_cents": cents(amount) })
}

fn at_hand(seat: Seat, hand: u8, wager: WagerId) -> Value {
    json!({ "position": seat.number(), "hand": hand, "wager": wager.id() })
}

fn place(place: Place) -> Value {
    match place {
        Place::Hand { seat, hand } => json!({ "position": seat.number(), "hand": hand }),
        Place::Dealer => json!("dealer"),
        Place::HoleCard => json!("hole-card"),
        Place::Shoe => json!("shoe"),
    }
}

/// A face-down card has no total to tell.
fn dealt(to: Place, card: Drawn, total: u8, soft: bool) -> Value {
    match card {
        Drawn::FaceUp(card) => json!({ "to": place(to), "card": spelt(card), "total": total, "soft": soft }),
        Drawn::FaceDown => json!({ "to": place(to), "card": "?" }),
    }
}

fn drawn(draw: Draw) -> Value {
    match draw {
        Draw::Magic(card) => json!({ "draw": "magic", "card": spelt(card) }),
        Draw::Player(seat) => json!({ "draw": "player", "position": seat.number() }),
        Draw::MustHit(seat) => json!({ "draw": "must-hit", "position": seat.number() }),
        Draw::None => json!({ "draw": "none" }),
    }
}

fn action(action: Action) -> &'static str {
    match action {
        Action::Hit => "hit",
        Action::Stand => "stand",
        Action::Double => "double",
        Action::Redouble => "redouble",
        Action::Split => "split",
        Action::Surrender => "surrender",
        Action::Rescue => "rescue",
        Action::Switch => "switch",
    }
}
