//! The situations beside the plain round: irregularities and what came of each, the table's day, side wagers and meters,
//! Blackjack's variations.

use std::collections::BTreeSet;

use table_rules::engine::Irregular;
use table_rules::event::Event;
use table_rules::line::Outcome;
use table_rules::prompt::Order;
use table_rules::{Game, Tracking};

use crate::session::Session;

/// What has been told in the round that is played.
#[derive(Default)]
pub(crate) struct Told {
    clauses: BTreeSet<&'static str>,
    void: bool,
}

impl Told {
    pub(crate) fn follow(&mut self, session: &Session, found: &mut BTreeSet<String>) {
        let game = session.table.game;
        let (Some((_, events)), order) = (session.record.last(), session.before.last().map(|(_, prompt)| prompt.order))
        else {
            return;
        };
        let has = |wanted: fn(&Event) -> bool| events.iter().any(wanted);
        for event in events {
            if let Event::Irregularity { source, .. } = event {
                self.clauses.insert(source.id());
                found.insert(format!("{game} irregularity {}", source.id()));
                let exposed = Irregular::DrawnExposed.clause(game) == Some(source.id());
                if exposed && matches!(order, Some(Order::OfferInsurance | Order::InsertHoleCard { .. })) {
                    found.insert(format!("{game} a card lies exposed before the reader has answered"));
                }
                if matches!(order, Some(Order::TakeWagers { .. } | Order::LoadShoe { .. })) {
                    found.insert(format!("{game} before the lock {}", source.id()));
                }
            } else if let (Event::Settled(line), Tracking::Procedure) = (event, session.tracking)
                && line.outcome == Outcome::Dead
            {
                found.insert(format!("{game} dead without card tracking {}", line.source.id()));
                let reversed = |event: &Event| matches!(event, Event::MeterReversed { .. });
                if events.iter().any(reversed) {
                    found.insert("dead without card tracking, contribution reversed".to_owned());
                }
            } else if let Event::Answered { accepted, .. } = event {
                let asked = order.map(|order| variant(&order)).unwrap_or_default();
                found.insert(format!("{game} {asked} accepted: {accepted}"));
            } else if let Event::RoundVoid { .. } = event {
                self.void = true;
            } else if let Event::SideNamed { first_card, .. } = event {
                found.insert(format!("determinant is the first card: {first_card}"));
            } else if let Event::CardTurned { source, .. } = event
                && source.id() == "12.B(10)(b)"
            {
                let asked = matches!(order, Some(Order::TurnCard { .. }));
                found.insert(format!("a card of a hand over 21 turned, asked for: {asked}"));
            } else if let Event::MeterPaid { seed, .. } = event {
                found.insert(format!("jackpot, meter reset: {}", seed.is_some()));
            } else if let Event::RoundEnded { .. } = event {
                for clause in std::mem::take(&mut self.clauses) {
                    let end = if self.void { "void" } else { "on" };
                    found.insert(format!("{game} {clause} then {end}"));
                }
                self.void = false;
            }
        }
        if has(|event| matches!(event, Event::RoundVoid { .. }))
            && has(|event| matches!(event, Event::MeterReversed { .. }))
        {
            found.insert("void with contributions reversed".to_owned());
        }
        if matches!(session.engine.prompt().order, Order::TellDraw { must_hit_falls: true }) {
            found.insert("must-hit certain".to_owned());
        }
    }
}

fn variant(order: &Order) -> String {
    format!("{order:?}").split([' ', '(', '{']).next().unwrap_or_default().to_owned()
}

/// How a round can go on after each irregularity.
fn ends_of(kind: Irregular) -> &'static [&'static str] {
    match kind {
        Irregular::FaceUpInShoe
        | Irregular::TenInShoe
        | Irregular::ReaderOnWrongUpCard
        | Irregular::ReaderMalfunction => &["on", "void"],
        Irregular::SecondFaceUpInShoe | Irregular::SecondTenInShoe => &["void"],
        Irregular::DrawnUnexposed
        | Irregular::DrawnExposed
        | Irregular::DealerDrewOn17
        | Irregular::DealerMissedOwnCard
        | Irregular::ShoeRanOut
        | Irregular::NoCardDealt
        | Irregular::OneCardDealt
        | Irregular::RequestedCardMissed
        | Irregular::WrongShoeSide
        | Irregular::ShufflerJam
        | Irregular::ShufflerOutOfOrder => &["on"],
    }
}

pub(crate) fn required() -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for game in Game::ALL {
        for kind in Irregular::ALL {
            let Some(clause) = kind.clause(game) else { continue };
            all.insert(format!("{game} irregularity {clause}"));
            all.extend(ends_of(kind).iter().map(|end| format!("{game} {clause} then {end}")));
        }
        let (short, found_early): (&[&str], &[&str]) = match game {
            Game::Blackjack => (&["14.G", "14.H", "14.J(2)"], &["14.A"]),
            Game::Spanish21 | Game::Pontoon21 | Game::PlayersEdge21 => {
                (&["13.M", "13.N", "13.O(2)"], &["13.A", "13.B", "13.C", "13.D"])
            }
        };
        all.extend(short.iter().map(|id| format!("{game} dead without card tracking {id}")));
        all.extend(found_early.iter().map(|id| format!("{game} before the lock {id}")));
        all.insert(format!("{game} a card lies exposed before the reader has answered"));
        for asked in ["OfferExposedCard", "OfferSecondCard", "OfferMissedCard"] {
            all.extend([true, false].map(|accepted| format!("{game} {asked} accepted: {accepted}")));
        }
    }
    for order in [
        "TableClosed",
        "ReceiveDecks",
        "RepairReader",
        "ChangeDecks",
        "InspectCards",
        "VerifyInspection",
        "RemoveTens",
        "SpreadCards",
        "LetPlayerInspect",
        "WashCards",
        "Shuffle",
        "OfferCut",
        "PlaceCover",
        "LoadShoe",
        "TakeIntoHand",
        "TearTen",
        "NotifyFloor",
        "ShuffleDiscards",
        "CutDiscards",
        "DrawDeterminant",
        "BurnFirstCard",
        "VerifyHand",
        "VerifyLamp",
        "ApproveLineSecond",
        "SpinWheel",
    ] {
        all.insert(format!("order {order}"));
    }
    for event in [
        "TableClosed",
        "DecksReceived",
        "ShuffleFailed",
        "BatchInPlay",
        "CutRefused",
        "CutMade",
        "CoverPlaced",
        "ShoeLoaded",
        "DecksAgeing",
        "MeterFed",
        "MeterReversed",
        "WheelStopped",
        "Drawn",
        "Verified",
    ] {
        all.insert(format!("event {event}"));
    }
    for found in [
        "determinant is the first card: true",
        "determinant is the first card: false",
        "a card of a hand over 21 turned, asked for: true",
        "a card of a hand over 21 turned, asked for: false",
        "jackpot, meter reset: true",
        "void with contributions reversed",
        "must-hit certain",
        "dead without card tracking, contribution reversed",
        "blackjack main dealer 22",
        "blackjack main switched 21",
    ] {
        all.insert(found.to_owned());
    }
    all
}
