//! Generated play has to reach the situations the properties are about; a property over play that never gets there
//! proves nothing.

use std::collections::{BTreeMap, BTreeSet};

use table_rules::event::Event;
use table_rules::input::{Input, InputKind, PeekAnswer};
use table_rules::line::Outcome;
use table_rules::prompt::Order;
use table_rules::table::Tracking;
use table_rules::{Engine, Game};

use crate::coverage_life::{self, Told};
use crate::random::{seeds, single_seed};
use crate::session::Session;

/// The first word of a value's debug form: a variant's name.
fn variant(value: &dyn std::fmt::Debug) -> String {
    format!("{value:?}").split([' ', '(', '{']).next().unwrap_or_default().to_owned()
}

fn situations(session: &Session, found: &mut BTreeSet<String>) {
    let game = session.table.game;
    let Some((input, events)) = session.record.last() else { return };
    let view = session.engine.view();
    found.insert(format!("{:?}: input {:?}", session.tracking, input.kind()));
    found.insert(format!("order {}", variant(&session.engine.prompt().order)));
    for event in events {
        found.insert(format!("event {}", variant(event)));
        if let Event::Settled(line) = event {
            found.insert(format!("outcome {:?}", line.outcome));
            found.insert(format!("{game} {} {}", line.wager, line.name));
            if line.correction.amount().is_some() {
                found.insert(format!("{game} correction of {}, {:?}", line.wager, line.outcome));
            }
        }
        if let Event::ReaderWrong { said, .. } = event {
            let split_and_doubled =
                view.boxes.iter().any(|each| each.hands.len() > 1 && each.hands.iter().any(|hand| hand.doubles > 0));
            found.insert(format!("{game} false {}", said.word()));
            if *said == PeekAnswer::No && split_and_doubled {
                found.insert(format!("{game} false no after a split and a double"));
            }
        }
        if let Event::Undone { input, .. } = event {
            found.insert(format!("undone {input:?}"));
        }
        if let Event::Corrected { across_reveal: true, .. } = event {
            found.insert("correction across the reveal".to_owned());
        }
        if let Event::LastCardTakenBack { .. } = event {
            found.insert(format!("late {:?}", input.kind()));
        }
    }
    for each in &view.boxes {
        found.insert(format!("{} hands in a box", each.hands.len()));
        for hand in &each.hands {
            found.insert(format!("{game} doubles {}", hand.doubles));
            if hand.doubles == 3 && *input == Input::Rescue && hand.state == "rescued" {
                found.insert("rescue after three doubles".to_owned());
            }
        }
        if each.person.len() > 1 {
            found.insert("linked boxes".to_owned());
        }
        if each.main.is_unknown() && each.hands.iter().any(|hand| hand.doubles > 0) {
            found.insert("an unknown amount doubled".to_owned());
        }
    }
    found.insert(format!("{game} boxes {}", view.boxes.len()));
}

fn required() -> BTreeSet<String> {
    let mut all: BTreeSet<String> = BTreeSet::new();
    let mut need = |text: String| {
        all.insert(text);
    };
    for outcome in Outcome::ALL {
        need(format!("outcome {outcome:?}"));
    }
    let cards_only = [
        InputKind::Card,
        InputKind::Turn,
        InputKind::EvenMoney,
        InputKind::Hit,
        InputKind::Stand,
        InputKind::Double,
        InputKind::Redouble,
        InputKind::Split,
        InputKind::Surrender,
        InputKind::Rescue,
        InputKind::Seat,
        InputKind::Switch,
        InputKind::Wheel,
        InputKind::Payments,
        InputKind::Reject,
    ];
    let procedure_only = [InputKind::Up, InputKind::SeatBlackjack, InputKind::SeatSurrender, InputKind::Claim];
    for kind in InputKind::ALL {
        if !procedure_only.contains(&kind) {
            need(format!("{:?}: input {kind:?}", Tracking::Cards));
        }
        if !cards_only.contains(&kind) {
            need(format!("{:?}: input {kind:?}", Tracking::Procedure));
        }
    }
    for order in [
        "TakeWagers",
        "ChangeCash",
        "BurnForNewDealer",
        "DealFirstCard",
        "DealUpCard",
        "DealSecondCard",
        "DealHoleCard",
        "SettleLine",
        "ApproveLine",
        "OfferInsurance",
        "InsertHoleCard",
        "ReaderStopped",
        "AskDecision",
        "AskAfterDouble",
        "DealHit",
        "DealDouble",
        "DealSplitCard",
        "TurnHoleCard",
        "DealToDealer",
        "TurnCard",
        "TellAmount",
        "TellPersons",
        "DealAndTellUpCard",
        "TakeInsurance",
        "ServeDecisions",
        "MarkBlackjacks",
        "MarkMissedBlackjacks",
        "RevealStep",
        "DealerDrawsStep",
        "SettleStep",
        "AnswerPayments",
    ] {
        need(format!("order {order}"));
    }
    for event in [
        "BoxesLinked",
        "WagerRemoved",
        "CashWager",
        "LateWager",
        "DealerChanged",
        "Burnt",
        "CoverCardAppeared",
        "LastCardTakenBack",
        "LineWithdrawn",
        "LineReopened",
        "InsuranceClosed",
        "ReaderStopped",
        "BlackjackAnnounced",
        "CardTurned",
        "DealerStands",
        "DealerMayNotDraw",
        "AmountTold",
        "Approved",
        "RoundVoid",
        "PaidBeforeVoid",
        "PaymentsAnswered",
        "PaymentsLeft",
        "Rejected",
        "RoundEnded",
        "RoundReopened",
        "Undone",
        "Corrected",
    ] {
        need(format!("event {event}"));
    }
    for game in Game::ALL {
        for line in [
            "main blackjack",
            "main bust",
            "main dealer blackjack",
            "main higher",
            "main lower",
            "main tie",
            "main dealer bust",
            "main surrender",
            "main added wager returned",
            "main dead hand",
            "insurance returned",
            "insurance no dealer blackjack",
            "insurance dealer blackjack",
            "false yes",
            "false no",
            "false no after a split and a double",
            "correction of main, Lost",
            "correction of insurance, Won",
            "doubles 1",
        ] {
            need(format!("{game} {line}"));
        }
        need(format!("{game} boxes {}", game.positions_max()));
        if game.is_sister_game() {
            for line in [
                "rescue",
                "21",
                "21 against 21",
                "7-7-7 top suit",
                "7-7-7 suited",
                "7-7-7 mixed",
                "6-7-8 top suit",
                "6-7-8 suited",
                "6-7-8 mixed",
                "five-card 21",
                "six-card 21",
                "seven-card 21",
            ] {
                need(format!("{game} main {line}"));
            }
            need(format!("{game} additional-payout 7-7-7 suited against a 7"));
            need(format!("{game} additional-payout another player's 7-7-7 suited"));
        }
    }
    need("blackjack main even money".to_owned());
    need("blackjack main blackjack against blackjack".to_owned());
    need("blackjack correction of main, Tied".to_owned());
    need("players-edge-21 insurance suited dealer blackjack".to_owned());
    need("players-edge-21 insurance dealer blackjack, suit decides".to_owned());
    need("players-edge-21 doubles 3".to_owned());
    need("rescue after three doubles".to_owned());
    need("linked boxes".to_owned());
    need("an unknown amount doubled".to_owned());
    need("correction across the reveal".to_owned());
    for kind in [InputKind::Seat, InputKind::Double, InputKind::Split] {
        need(format!("late {kind:?}"));
        need(format!("undone {kind:?}"));
    }
    for hands in 1..=8 {
        need(format!("{hands} hands in a box"));
    }
    all
}

/// The order in which a round's stages follow each other, per game and tracking level.
fn stage_orders(engine: &Engine, last: &mut String, found: &mut BTreeSet<String>) {
    let stage = format!("{:?}", engine.view().stage);
    if *last != stage {
        found.insert(format!("{:?}: {last} to {stage}", engine.tracking()));
        *last = stage;
    }
}

const STAGES: [&str; 18] = [
    "Cards: Wagering to Dealing",
    "Cards: Dealing to Insurance",
    "Cards: Dealing to Reader",
    "Cards: Dealing to Decisions",
    "Cards: Dealing to Reveal",
    "Cards: Insurance to Reader",
    "Cards: Insurance to Decisions",
    "Cards: Insurance to Reveal",
    "Cards: Reader to ReaderStopped",
    "Cards: ReaderStopped to Reader",
    "Cards: ReaderStopped to Settlement",
    "Cards: ReaderStopped to Decisions",
    "Cards: Reveal to DealerDraws",
    "Cards: Reveal to Settlement",
    "Cards: DealerDraws to Settlement",
    "Cards: Settlement to Wagering",
    "Cards: Settlement to Preparing",
    "Procedure: Reader to ReaderStopped",
];

#[test]
fn generated_play_reaches_every_situation() {
    let mut found = BTreeSet::new();
    let mut rounds: BTreeMap<Game, usize> = BTreeMap::new();
    for seed in seeds("coverage", 6000) {
        let mut session = Session::new("coverage", seed);
        let mut stage = format!("{:?}", session.engine.view().stage);
        let mut told = Told::default();
        for _ in 0..3 {
            session.round(&mut |session| {
                situations(session, &mut found);
                told.follow(session, &mut found);
                stage_orders(&session.engine, &mut stage, &mut found);
            });
            *rounds.entry(session.table.game).or_default() += 1;
        }
        if let Order::ApproveLine = session.engine.prompt().order {
            panic!("between rounds nothing waits for an approval");
        }
    }
    let mut wanted = required();
    wanted.extend(STAGES.map(str::to_owned));
    wanted.extend(coverage_life::required());
    let missing: Vec<&String> = wanted.difference(&found).collect();
    assert!(missing.is_empty() || single_seed(), "never reached in {rounds:?}: {missing:#?}");
}
