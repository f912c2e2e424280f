//! Every notice of the controller in version 1 of a record's content, as bytes.

use std::collections::BTreeSet;

use operator_api::{
    DayCounts, DayView, InspectionRecord, MeterPool, PersonId, RecordCard, RecordPause, RecordStep, Role, Severity,
    VisitEnd,
};
use table_controller::{Notice, ShoeSide, TableEvent, encode_events};
use table_rules::meter::MeterState;
use table_rules::money::{Cents, MeterName};
use table_rules::submission::RulesSubmission;
use table_rules::wager::WagerId;
use table_rules::{Engine, Tracking};

use crate::v1::{check_said, console};

fn notices() -> Vec<Notice> {
    let (by, second) = (PersonId(200), PersonId(300));
    let day = DayView {
        day: 20_514,
        inspected: true,
        counts: DayCounts {
            rounds: 7,
            voids: 1,
            jackpots: 1,
            jackpot_cents: 512_345,
            late_wagers: 2,
            irregularities: 3,
            corrections: 1,
            paid_cents: 12_000,
            collected_cents: 15_050,
        },
    };
    vec![
        Notice::AlertRaised { alert: 7, severity: Severity::Stop, text: "the reader is not reached".to_owned() },
        Notice::AlertRaised { alert: 8, severity: Severity::Attend, text: "a chip came late".to_owned() },
        Notice::AlertEnded { alert: 7 },
        Notice::AlertAcknowledged { alert: 7, by },
        Notice::AlertCleared { alert: 7, by: Some(by) },
        Notice::AlertCleared { alert: 7, by: None },
        Notice::DealerSignedIn { person: PersonId(100) },
        Notice::DealerSignedOut { person: PersonId(100) },
        Notice::DayTurned { day: 20_515, ended: day.clone() },
        Notice::DaySummary(day),
        Notice::ClockConfirmed { by, second: None },
        Notice::ClockConfirmed { by, second: Some(second) },
        Notice::InspectionBegun { day: 20_514, full: true, by },
        Notice::InspectionStep { step: "seals", passed: true, note: "seals A-17".to_owned() },
        Notice::InspectionPaused,
        Notice::InspectionFinished { day: 20_514, passed: false, by },
        Notice::ServiceEntered { by },
        Notice::ServiceLeft { by, full: false },
        Notice::ReaderReplaced { serial: "R-2".to_owned(), by, second },
        Notice::MeterCorrected {
            wager: WagerId::MonsterMatch,
            meter: MeterName::Main,
            pool: MeterPool::Reserve,
            delta: Cents(-1_250),
            reason: "misread".to_owned(),
            people: [second, by],
        },
        Notice::MeterStates(vec![(WagerId::MonsterMatch, MeterName::Main, meter_state())]),
        Notice::ChipsCounted { accepted: 2, counted: 3 },
        Notice::CardNotPlaced { side: ShoeSide::Right, draw: 9 },
        Notice::CardToBeNamed { draw: 9 },
        Notice::RoundSettledByHand { round: 41, reason: "from the record".to_owned(), by },
        Notice::Noted { what: "the card lies the wrong way".to_owned() },
        Notice::VisitOpened { by, role: Role::Floorperson },
        Notice::VisitEnded { by, how: VisitEnd::TimedOut },
        Notice::ConsoleSaid(console()),
        Notice::JournalAccepted {
            why: "record 9 is missing".to_owned(),
            reason: "the card was exchanged".to_owned(),
            people: [second, by],
        },
        Notice::ServiceLeft { by, full: true },
        Notice::WorkOrderOpened { order: 3, place: "reader".to_owned(), what: "wrong answer".to_owned(), by },
        Notice::WorkOrderClosed { order: 3, done: "cleaned".to_owned(), by: PersonId(400) },
        Notice::InspectionResumed { step: "test cards", by },
        Notice::InspectionRepeated { step: "test cards" },
        Notice::InspectionRecord(Box::new(inspection_record())),
        Notice::DevicePaired { device: "reader".to_owned(), by, second },
    ]
}

fn inspection_record() -> InspectionRecord {
    let text = |text: &str| text.to_owned();
    InspectionRecord {
        table: text("BJ-07"),
        game: text("blackjack"),
        day: 20_514,
        full: false,
        passed: false,
        sequence: 41,
        by: PersonId(200),
        began: Some(524),
        signed: Some(541),
        steps: vec![RecordStep { name: text("seals"), result: text("passed"), note: text("reader housing A-17") }],
        cards: vec![RecordCard {
            name: text("nine"),
            under: text("ace"),
            expected: text("no"),
            read: vec![text("unread"), text("no")],
        }],
        repeated: 1,
        pauses: vec![RecordPause { step: 4, from: Some(531), to: None, restart: true }],
        work_orders: vec![3],
        source: text("blackjack 2.G"),
    }
}

/// A meter as its submission begins it.
fn meter_state() -> MeterState {
    let text = include_str!("../../../../firmware-config/submissions/players-edge-21-all-wagers.toml");
    let table = RulesSubmission::parse(text).check().table.unwrap();
    Engine::closed(table, Tracking::Cards).meters().next().unwrap().2.state()
}

/// How many kinds of notice there are: every arm of `Notice::kind`, a match without a wildcard.
const NOTICE_KINDS: usize = 33;

#[test]
fn notices_keep_their_bytes() {
    let all = notices();
    let kinds: BTreeSet<&str> = all.iter().map(Notice::kind).collect();
    assert_eq!(kinds.len(), NOTICE_KINDS);
    let now: Vec<String> = all
        .into_iter()
        .map(|notice| {
            let said = [TableEvent::Table { notice, source: "blackjack 2.G".to_owned() }];
            String::from_utf8(encode_events(&said)).unwrap()
        })
        .collect();
    check_said(include_str!("v1-notices.jsonl"), include_str!("v1-notices-said.jsonl"), &now);
}
