//! The one table of permissions, walked: every kind of act, by every role and by nobody.

use operator_api::{ActKind, Action, MeterPool, VisitEnd, Who};
use table_controller::{Clock, Input, Refused, Staff};
use table_rules::game::Game;
use table_rules::input::InputKind;

use crate::desk::{AUDITOR, DEALER, Desk, FLOOR, MANAGER, OTHER_FLOOR, TECHNICIAN, config};
use crate::people::jackpot_to_approve;

const PEOPLE: [Option<Staff>; 6] = [None, Some(DEALER), Some(FLOOR), Some(MANAGER), Some(TECHNICIAN), Some(AUDITOR)];

/// Some words of each kind.
const fn words(kind: InputKind) -> &'static str {
    match kind {
        InputKind::Link => "player 2 3",
        InputKind::Wager => "wager 1 main 25",
        InputKind::Unwager => "unwager 1 main",
        InputKind::Lock => "lock",
        InputKind::Late => "late 5 monster-match",
        InputKind::DealerChange => "dealer-change 1004",
        InputKind::Card => "card 7d",
        InputKind::Burn => "burn",
        InputKind::Cover => "cover",
        InputKind::Reveal => "reveal Kc",
        InputKind::Turn => "turn 3 7d",
        InputKind::Insure => "insure 1",
        InputKind::EvenMoney => "even-money 1",
        InputKind::InsuranceClosed => "insurance-closed",
        InputKind::Peek => "peek no",
        InputKind::ReaderRepaired => "reader-repaired",
        InputKind::Hit => "hit",
        InputKind::Stand => "stand",
        InputKind::Double => "double",
        InputKind::Redouble => "redouble",
        InputKind::Split => "split",
        InputKind::Surrender => "surrender",
        InputKind::Rescue => "rescue",
        InputKind::Seat => "seat 4",
        InputKind::Amount => "amount 3 main 25",
        InputKind::Wheel => "wheel 3 bonus-spin 1000",
        InputKind::Draw => "draw none",
        InputKind::Up => "up ace",
        InputKind::Next => "next",
        InputKind::SeatBlackjack => "blackjack 2",
        InputKind::SeatSurrender => "surrender 2",
        InputKind::Claim => "claim 4 monster-match B(c)",
        InputKind::Paid => "paid",
        InputKind::Collected => "collected",
        InputKind::Settled => "settled",
        InputKind::FloorApprove => "floor approve",
        InputKind::ManagerApprove => "manager approve",
        InputKind::FloorVoid => "floor void",
        InputKind::Payments => "payments stand \"paid before the cards were found\"",
        InputKind::Reject => "reject \"the lamp was dark\"",
        InputKind::Undo => "undo",
        InputKind::Correct => "correct \"misheard\"",
        InputKind::Open => "open",
        InputKind::Close => "close",
        InputKind::Decks => "decks 6",
        InputKind::Inspect => "inspect dealer",
        InputKind::Spread => "spread",
        InputKind::Wash => "wash",
        InputKind::Shuffle => "shuffle by-hand",
        InputKind::CutRefused => "cut refuse 6",
        InputKind::Cut => "cut 6 45",
        InputKind::PlaceCover => "place 80",
        InputKind::Load => "load",
        InputKind::Idle => "idle",
        InputKind::At => "at 14:05",
        InputKind::FloorReshuffle => "floor reshuffle",
        InputKind::FloorRecut => "floor recut",
        InputKind::Permit => "permit 4",
        InputKind::Irregularity => "irregularity 13.E",
        InputKind::Accept => "accept 5",
        InputKind::Refuse => "refuse 4",
        InputKind::Switch => "switch",
        InputKind::Cash => "cash 3",
        InputKind::ShufflerRepaired => "shuffler-repaired",
    }
}

fn example(kind: ActKind) -> Action {
    let play = |words: &str| Action::Play { words: words.to_owned() };
    let answer = |answer: &str| Action::InspectionAnswer { answer: answer.to_owned() };
    match kind {
        ActKind::Word(kind) => play(words(kind)),
        ActKind::InspectByFloor => play("inspect floor"),
        ActKind::ShufflerOutOfOrder => play("irregularity 13.S covered"),
        ActKind::ShuffleForDevice => play("shuffle device"),
        ActKind::PeekForReader => play("peek no"),
        ActKind::SecondApproval => play("manager approve"),
        ActKind::Words => Action::Words { words: vec!["wager 1 main".to_owned()] },
        ActKind::Reveal => Action::Reveal,
        ActKind::TurnUp => Action::TurnUp { seat: 1 },
        ActKind::FaceDown => Action::FaceDown,
        ActKind::ChipCount => Action::ChipCount { chips: 1 },
        ActKind::SignIn => Action::SignIn,
        ActKind::SignOut => Action::SignOut,
        ActKind::Acknowledge => Action::Acknowledge { alert: 1 },
        ActKind::AcknowledgeAll => Action::AcknowledgeAll,
        ActKind::Clear => Action::Clear { alert: 1 },
        ActKind::BeginInspection => Action::BeginInspection { full: false },
        ActKind::AnswerInspection => answer("pass"),
        ActKind::SignInspection => answer("sign"),
        ActKind::PauseInspection => Action::PauseInspection,
        ActKind::EnterService => Action::EnterService,
        ActKind::LeaveService => Action::LeaveService,
        ActKind::TestDevice => Action::TestDevice { test: operator_api::DeviceTest::End },
        ActKind::ConfirmClock | ActKind::ConfirmSteppedClock => Action::ConfirmClock,
        ActKind::CorrectMeter => Action::CorrectMeter {
            wager: "monster-match".to_owned(),
            meter: "main".to_owned(),
            pool: MeterPool::Meter,
            cents: 1,
            reason: "misread".to_owned(),
        },
        ActKind::ReplaceReader => Action::ReplaceReader { serial: "R-2".to_owned() },
        ActKind::PairDevice => Action::PairDevice { device: "reader".to_owned(), code: "0".repeat(20) },
        ActKind::SettledByHand => Action::SettledByHand { reason: "from the record".to_owned() },
        ActKind::AcceptJournal => Action::AcceptJournal { reason: "the card was exchanged".to_owned() },
        ActKind::OpenWorkOrder => {
            Action::OpenWorkOrder { place: "lamps".to_owned(), what: "seat 4 stays dark".to_owned() }
        }
        ActKind::CloseWorkOrder => Action::CloseWorkOrder { order: 1, done: "cleaned".to_owned() },
        ActKind::CallFloor => Action::CallFloor,
        ActKind::OpenVisit => Action::OpenVisit,
        ActKind::EndVisit => Action::EndVisit { how: VisitEnd::Left },
    }
}

/// A table at which the example belongs to this row.
fn table_for(kind: ActKind) -> Desk {
    let mut config = config(Game::PlayersEdge21);
    if kind == ActKind::Word(InputKind::Peek) {
        config.has_reader = false;
    }
    if kind == ActKind::SecondApproval {
        let mut desk = jackpot_to_approve();
        desk.say_as(OTHER_FLOOR, "floor approve").unwrap();
        return desk;
    }
    let mut desk = Desk::dealing(config);
    if kind == ActKind::PairDevice {
        desk.staff(TECHNICIAN, Action::EnterService).unwrap();
    }
    if kind == ActKind::ConfirmSteppedClock {
        desk.clock = Clock { wall_ms: desk.clock.wall_ms + 600_000, ..desk.clock };
        desk.device(Input::Clock(desk.clock));
    }
    desk
}

/// Refused because of who asks, whatever the moment.
fn by_permission(result: &Result<(), Refused>) -> bool {
    let codes = ["TC-005", "TC-006", "TC-007"];
    result.as_ref().err().is_some_and(|refused| {
        codes.contains(&refused.source.as_str()) || refused.reason.contains("The reader answers")
    })
}

#[test]
fn every_kind_by_every_role_and_by_nobody_goes_by_the_table() {
    for kind in ActKind::all() {
        let (row, action) = (kind.permission(), example(kind));
        let mut desk = table_for(kind);
        for who in PEOPLE {
            assert_eq!(desk.controller.act_kind(&action), Ok(kind), "the example is another row's");
            let may = match row.who {
                Who::Device => false,
                Who::DealerKey => who.is_none_or(|staff| row.who.roles().contains(&staff.role)),
                Who::Named(roles) => who.is_some_and(|staff| roles.contains(&staff.role)),
            };
            let told = format!("{kind:?} by {who:?}");
            if may && row.second.is_some() {
                for (second, wrong) in [(None, "nobody"), (who, "the first again"), (Some(AUDITOR), "an auditor")] {
                    let refused = desk.ask(who, second, action.clone()).unwrap_err();
                    assert_eq!(refused.source, "TC-006", "{told} with {wrong}");
                }
            }
            let second = row.second.map(|_| OTHER_FLOOR);
            let result = desk.ask(who, second, action.clone());
            assert_eq!(!by_permission(&result), may, "{told}: {result:?}");
            if result.is_ok() {
                desk = table_for(kind);
            }
        }
    }
}

#[test]
fn without_a_dealer_no_key_works_for_nobody() {
    let mut desk = Desk::dealing(config(Game::PlayersEdge21));
    desk.staff(DEALER, Action::SignOut).unwrap();
    for kind in ActKind::all().filter(|kind| kind.permission().who == Who::DealerKey) {
        let action = example(kind);
        // Some rows are another's at this table; none of those is a key.
        if desk.controller.act_kind(&action) == Ok(kind) {
            assert_eq!(desk.ask(None, None, action).unwrap_err().source, "TC-007", "{kind:?}");
        }
    }
}

#[test]
fn a_dealer_alone_does_not_bypass_a_healthy_shuffler() {
    let words = ["irregularity 14.N covered", "shuffle device", "shuffler-repaired"];
    for who in [None, Some(DEALER), Some(TECHNICIAN), Some(AUDITOR)] {
        let mut desk = at_the_shuffle();
        for words in words {
            let action = Action::Play { words: words.to_owned() };
            assert_eq!(desk.ask(who, None, action).unwrap_err().source, "TC-005", "{words} by {who:?}");
        }
        // The engine's own word: nothing is shuffled by hand while the device is at work.
        assert!(desk.say("shuffle by-hand").unwrap_err().reason.contains("Cover the shuffler"), "{}", desk.prompt());
    }
    let mut desk = at_the_shuffle();
    desk.say_as(FLOOR, "irregularity 14.N covered").unwrap();
    desk.say("shuffle by-hand").unwrap();
    desk.say("shuffler-repaired").unwrap_err();
    desk.say_as(MANAGER, "shuffler-repaired").unwrap();
}

/// Decks at the table, inspected, and the shuffler next.
fn at_the_shuffle() -> Desk {
    let mut desk = Desk::started(config(Game::Blackjack));
    desk.inspect(false);
    desk.say_as(FLOOR, "open").unwrap();
    while !desk.prompt().contains("huffle") {
        desk.deed();
    }
    desk
}

#[test]
fn the_screen_says_who_may_say_what_it_offers() {
    let desk = at_the_shuffle();
    let offers = serde_json::to_value(desk.screen().prompt.offers).unwrap();
    let find = |word: &str, value: &str| {
        let holds = |offer: &&serde_json::Value| {
            offer["word"] == word && offer["values"].as_array().is_some_and(|list| list.iter().any(|v| v == value))
        };
        offers.as_array().unwrap().iter().find(holds).unwrap().clone()
    };
    for (word, value, roles, signature, place) in [
        ("shuffle", "device", &["floorperson", "manager"][..], true, "devices"),
        ("shuffle", "jam", &["dealer", "floorperson", "manager"][..], false, "amber"),
        ("irregularity", "14.N", &["floorperson", "manager"][..], true, "problem"),
        ("irregularity", "14.M", &["dealer", "floorperson", "manager"][..], false, "problem"),
    ] {
        let offer = find(word, value);
        assert_eq!(offer["roles"], serde_json::json!(roles), "{offer}");
        assert_eq!((&offer["signature"], &offer["place"]), (&signature.into(), &place.into()), "{offer}");
    }
}
