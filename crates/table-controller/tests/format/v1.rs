//! Version 1 of the content of a record: every input, and every notice of the controller, as bytes.
//!
//! A line of the files beside this one never changes; a new form gets a new line.

use std::collections::BTreeSet;

use operator_api::{Action, DayCounts, DayView, MeterPool, PersonId, Role, Severity};
use table_controller::{
    AnswerWord, CONTENT_VERSION, Clock, FeltInput, ForeignRound, GroupWord, Input, JournalInput, LinkIdentity, Notice,
    Part, PersonInput, ReaderInput, ReaderStateWord, Said, ShoeInput, ShoeSide, ShufflerInput, Spot, Staff, Started,
    encode_events, encode_input, read_input,
};
use table_rules::meter::MeterState;
use table_rules::money::{Cents, MeterName};
use table_rules::submission::RulesSubmission;
use table_rules::wager::WagerId;
use table_rules::{Engine, Tracking};

const CLOCK: Clock =
    Clock { wall_ms: 1_772_452_800_000, monotonic_ms: 61_000, minute: 720, day: 20_514, trusted: true };

fn identity() -> LinkIdentity {
    LinkIdentity { model: "HC-1".to_owned(), serial: "R-1".to_owned(), firmware: "ab12".to_owned() }
}

fn inputs() -> Vec<Input> {
    let mut all = vec![
        Input::Started(Started { clock: CLOCK, last_record_ms: None, foreign_round: None }),
        Input::Started(Started {
            clock: CLOCK,
            last_record_ms: Some(1_772_452_799_000),
            foreign_round: Some(ForeignRound { round: 41, told: vec!["seat 1: $20.00 lies on main".to_owned()] }),
        }),
        Input::Clock(CLOCK),
    ];
    all.extend(readers().into_iter().map(Input::Reader));
    all.extend(shufflers().into_iter().map(Input::Shuffler));
    all.extend(shoes().into_iter().map(|event| Input::Shoe { side: ShoeSide::Left, event }));
    all.push(Input::Shoe { side: ShoeSide::Right, event: ShoeInput::CutCard });
    all.extend(felts().into_iter().map(Input::Felt));
    let parts = [
        Part::Reader,
        Part::Shuffler,
        Part::Shoe,
        Part::LockOut,
        Part::Sensor,
        Part::Lamp,
        Part::Expander,
        Part::Board,
    ];
    all.extend(parts.map(|part| Input::Fault { part, code: "HR-101".to_owned(), raised: true }));
    all.extend([
        Input::Journal(JournalInput::NearlyFull),
        Input::Journal(JournalInput::RoomAgain),
        Input::Journal(JournalInput::Stalled { milliseconds: 1_200 }),
        Input::Chance { words: "draw magic Kh".to_owned() },
    ]);
    for (number, action) in actions().into_iter().enumerate() {
        let role = Role::ALL[number % Role::ALL.len()];
        let by = (number % 3 != 0).then_some(Staff { id: PersonId(200), role });
        let second = (number % 4 == 1).then_some(Staff { id: PersonId(300), role: Role::Manager });
        all.push(Input::Person(PersonInput { by, second, action, key: None }));
    }
    all
}

fn readers() -> Vec<ReaderInput> {
    use ReaderStateWord as S;
    let states = [S::Booting, S::Idle, S::Armed, S::Reading, S::Answered, S::Faulted, S::Testing, S::CoverOpen];
    let mut all = vec![ReaderInput::Up(identity()), ReaderInput::Down, ReaderInput::Inserted];
    all.extend([AnswerWord::Yes, AnswerWord::No, AnswerWord::Unread].map(ReaderInput::Answered));
    all.extend([
        ReaderInput::Removed,
        ReaderInput::WrongTimeInsertion,
        ReaderInput::HalfInserted,
        ReaderInput::RemovedEarly,
        ReaderInput::Misplaced,
        ReaderInput::NoCard,
        ReaderInput::TestAnswered { group: GroupWord::Ace, answer: AnswerWord::Yes },
        ReaderInput::TestAnswered { group: GroupWord::Ten, answer: AnswerWord::Unread },
        ReaderInput::CommandRefused,
    ]);
    all.extend(states.map(ReaderInput::State));
    all
}

fn shufflers() -> Vec<ShufflerInput> {
    let colour = || "red".to_owned();
    vec![
        ShufflerInput::Up(identity()),
        ShufflerInput::Down,
        ShufflerInput::Loaded { colour: colour() },
        ShufflerInput::Started,
        ShufflerInput::Counted { cards: 312, expected: 312 },
        ShufflerInput::Ready { cards: 311, expected: 312, colour: colour() },
        ShufflerInput::Stopped,
        ShufflerInput::Jammed { stuck: true },
        ShufflerInput::JamCleared,
        ShufflerInput::Door { open: true },
        ShufflerInput::Unloaded,
        ShufflerInput::OutOfService,
        ShufflerInput::BackInService,
        ShufflerInput::State { state: "ready".to_owned(), ready: true },
    ]
}

fn shoes() -> Vec<ShoeInput> {
    vec![
        ShoeInput::Up(identity()),
        ShoeInput::Down,
        ShoeInput::Drawn { draw: 7, in_play: true },
        ShoeInput::Opened { draw: 7, card: "Th".to_owned() },
        ShoeInput::NotOpened { draw: 7 },
        ShoeInput::Unread { draw: 8 },
        ShoeInput::CutCard,
        ShoeInput::Reversed { draw: 9 },
        ShoeInput::Overdrawn { draw: 10 },
        ShoeInput::State { drawn: 10 },
    ]
}

fn felts() -> Vec<FeltInput> {
    let spot = |seat| Spot { seat, spot: 2 };
    vec![
        FeltInput::Placed(spot(1)),
        FeltInput::Removed(spot(1)),
        FeltInput::Locked,
        FeltInput::Split { accepted: vec![spot(1), spot(2)], late: vec![spot(3)], doubtful: vec![] },
        FeltInput::Late(spot(4)),
        FeltInput::LateRemoved(spot(4)),
        FeltInput::Collected(spot(1)),
        FeltInput::Reopened { occupied: vec![spot(5)] },
    ]
}

fn actions() -> Vec<Action> {
    let correct = |pool| Action::CorrectMeter {
        wager: "monster-match".to_owned(),
        meter: "main".to_owned(),
        pool,
        cents: -1_250,
        reason: "misread".to_owned(),
    };
    vec![
        Action::Play { words: "wager 3 main 25".to_owned() },
        Action::Reveal,
        Action::TurnUp { seat: 3 },
        Action::FaceDown,
        Action::SignIn,
        Action::SignOut,
        Action::Acknowledge { alert: 7 },
        Action::Clear { alert: 7 },
        Action::BeginInspection { full: true },
        Action::InspectionAnswer { answer: "pass".to_owned() },
        Action::PauseInspection,
        Action::EnterService,
        Action::LeaveService,
        Action::ConfirmClock,
        correct(MeterPool::Meter),
        correct(MeterPool::Reserve),
        correct(MeterPool::Overflow),
        Action::ReplaceReader { serial: "R-2".to_owned() },
        Action::ChipCount { chips: 5 },
        Action::SettledByHand { reason: "from the record".to_owned() },
    ]
}

/// A new variant does not compile before it has a line here; `every_form_is_there` says if it has none in the lists.
fn name(input: &Input) -> &'static str {
    match input {
        Input::Started(_) => "started",
        Input::Clock(_) => "clock",
        Input::Reader(event) => match event {
            ReaderInput::Up(_) => "reader up",
            ReaderInput::Down => "reader down",
            ReaderInput::Inserted => "inserted",
            ReaderInput::Answered(_) => "answered",
            ReaderInput::Removed => "removed",
            ReaderInput::WrongTimeInsertion => "wrong time",
            ReaderInput::HalfInserted => "half",
            ReaderInput::RemovedEarly => "early",
            ReaderInput::Misplaced => "misplaced",
            ReaderInput::NoCard => "no card",
            ReaderInput::TestAnswered { .. } => "test",
            ReaderInput::State(_) => "reader state",
            ReaderInput::CommandRefused => "command refused",
        },
        Input::Shuffler(event) => match event {
            ShufflerInput::Up(_) => "shuffler up",
            ShufflerInput::Down => "shuffler down",
            ShufflerInput::Loaded { .. } => "loaded",
            ShufflerInput::Started => "shuffle started",
            ShufflerInput::Counted { .. } => "counted",
            ShufflerInput::Ready { .. } => "ready",
            ShufflerInput::Stopped => "stopped",
            ShufflerInput::Jammed { .. } => "jammed",
            ShufflerInput::JamCleared => "jam cleared",
            ShufflerInput::Door { .. } => "door",
            ShufflerInput::Unloaded => "unloaded",
            ShufflerInput::OutOfService => "out of service",
            ShufflerInput::BackInService => "back in service",
            ShufflerInput::State { .. } => "shuffler state",
        },
        Input::Shoe { event, .. } => match event {
            ShoeInput::Up(_) => "shoe up",
            ShoeInput::Down => "shoe down",
            ShoeInput::Drawn { .. } => "drawn",
            ShoeInput::Opened { .. } => "opened",
            ShoeInput::NotOpened { .. } => "not opened",
            ShoeInput::Unread { .. } => "unread",
            ShoeInput::CutCard => "cut card",
            ShoeInput::Reversed { .. } => "reversed",
            ShoeInput::Overdrawn { .. } => "overdrawn",
            ShoeInput::State { .. } => "shoe state",
        },
        Input::Felt(event) => match event {
            FeltInput::Placed(_) => "placed",
            FeltInput::Removed(_) => "taken",
            FeltInput::Locked => "locked",
            FeltInput::Split { .. } => "split",
            FeltInput::Late(_) => "late",
            FeltInput::LateRemoved(_) => "late removed",
            FeltInput::Collected(_) => "collected",
            FeltInput::Reopened { .. } => "reopened",
        },
        Input::Fault { part, .. } => part.word(),
        Input::Journal(event) => match event {
            JournalInput::NearlyFull => "nearly full",
            JournalInput::RoomAgain => "room again",
            JournalInput::Stalled { .. } => "stalled",
        },
        Input::Chance { .. } => "chance",
        Input::Person(person) => match &person.action {
            Action::Play { .. } => "play",
            Action::Reveal => "reveal",
            Action::TurnUp { .. } => "turn up",
            Action::FaceDown => "face down",
            Action::SignIn => "sign in",
            Action::SignOut => "sign out",
            Action::Acknowledge { .. } => "acknowledge",
            Action::Clear { .. } => "clear",
            Action::BeginInspection { .. } => "begin",
            Action::InspectionAnswer { .. } => "answer",
            Action::PauseInspection => "pause",
            Action::EnterService => "enter",
            Action::LeaveService => "leave",
            Action::ConfirmClock => "confirm",
            Action::CorrectMeter { .. } => "correct",
            Action::ReplaceReader { .. } => "replace",
            Action::ChipCount { .. } => "chips",
            Action::SettledByHand { .. } => "by hand",
        },
    }
}

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
        Notice::ServiceLeft { by },
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
    ]
}

/// A meter as its submission begins it.
fn meter_state() -> MeterState {
    let text = include_str!("../../../../firmware-config/submissions/players-edge-21-all-wagers.toml");
    let table = RulesSubmission::parse(text).check().table.unwrap();
    Engine::closed(table, Tracking::Cards).meters().next().unwrap().2.state()
}

/// How many kinds of notice there are: every arm of `Notice::kind`, a match without a wildcard.
const NOTICE_KINDS: usize = 23;

pub(crate) fn check(golden: &str, now: &[String]) {
    for (number, (kept, now)) in golden.lines().zip(now).enumerate() {
        assert_eq!(now, kept, "line {}", number + 1);
    }
    assert_eq!(golden.lines().count(), now.len(), "a form without its golden line, or the other way round: {now:#?}");
}

#[test]
fn inputs_keep_their_bytes() {
    assert_eq!(CONTENT_VERSION, 1);
    let now: Vec<String> = inputs().iter().map(|input| String::from_utf8(encode_input(input)).unwrap()).collect();
    check(include_str!("v1-inputs.jsonl"), &now);
}

#[test]
fn recorded_inputs_are_read_again() {
    for (line, input) in include_str!("v1-inputs.jsonl").lines().zip(inputs()) {
        assert_eq!(read_input(line.as_bytes()).unwrap(), input);
    }
    for wrong in ["", "{}", "null", r#"{"reader":"unknown"}"#, r#"{"started":{}}"#, r#"{"clock":1,"reader":"down"}"#] {
        assert!(read_input(wrong.as_bytes()).is_err(), "{wrong}");
    }
}

#[test]
fn every_form_is_there() {
    let names: BTreeSet<&str> = inputs().iter().map(name).collect();
    let source = include_str!("v1.rs");
    let arms = source.split("fn name(").nth(1).unwrap().split("\nfn ").next().unwrap();
    let listed = arms.matches("=> \"").count();
    assert_eq!(names.len(), listed + 8, "every arm of `name`, and a word for each of the eight parts");
    let kinds: BTreeSet<&str> = notices().iter().map(Notice::kind).collect();
    assert_eq!(kinds.len(), NOTICE_KINDS);
}

#[test]
fn notices_keep_their_bytes() {
    let now: Vec<String> = notices()
        .into_iter()
        .map(|notice| {
            let said = [Said::Table { notice, source: "blackjack 2.G".to_owned() }];
            String::from_utf8(encode_events(&said)).unwrap()
        })
        .collect();
    check(include_str!("v1-notices.jsonl"), &now);
}
