//! Version 1 of the content of a record: every input, as bytes.
//!
//! A line of the files beside this one never changes; a new form gets a new line. The two files whose names end in `said`
//! hold the same with the words of today, which may change.

use std::collections::BTreeSet;

use operator_api::{Action, DeviceTest, MeterPool, PersonId, Role, VisitEnd};
use table_controller::{
    BatchColour, CONTENT_VERSION, Clock, ConsoleInput, FaultInput, ForeignRound, Input, JournalInput, LayoutInput,
    LinkIdentity, LockWord, Part, PersonInput, PinsInput, ReaderAnswer, ReaderCondition, ReaderInput, ShoeInput,
    ShoeSide, ShufflerInput, ShufflerState, Spot, Staff, Started, UpCardGroup, encode_input, read_input,
};

const CLOCK: Clock =
    Clock { wall_ms: 1_772_452_800_000, monotonic_ms: 61_000, minute: 720, day: 20_514, trusted: true };

fn identity() -> LinkIdentity {
    LinkIdentity {
        model: "HC-1".to_owned(),
        serial: "R-1".to_owned(),
        firmware: "ab12".to_owned(),
        ..LinkIdentity::default()
    }
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
    all.extend(layouts().into_iter().map(Input::Layout));
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
    all.extend(parts.map(|part| Input::Fault(FaultInput::of(part, "HR-101", true))));
    all.push(Input::Fault(FaultInput {
        place: Some("0x21 on /dev/i2c-1".to_owned()),
        spots: vec![Spot { seat: 4, spot: 1 }],
        errno: Some(121),
        ..FaultInput::of(Part::Expander, "EX-001", true)
    }));
    all.extend([
        Input::Journal(JournalInput::NearlyFull),
        Input::Journal(JournalInput::RoomAgain),
        Input::Journal(JournalInput::Stalled { milliseconds: 1_200 }),
        Input::Chance { words: "draw magic Kh".to_owned() },
        Input::Console(console()),
    ]);
    for (number, action) in actions().into_iter().enumerate() {
        let role = Role::ALL[number % Role::ALL.len()];
        let by = (number % 3 != 0).then_some(Staff { id: PersonId(200), role });
        let second = (number % 4 == 1).then_some(Staff { id: PersonId(300), role: Role::Manager });
        all.push(Input::Person(PersonInput { by, second, action, key: None }));
    }
    all.extend([
        Input::Journal(JournalInput::Doubtful { why: "record 9 is missing".to_owned() }),
        Input::Journal(JournalInput::Damaged { what: "segment 3".to_owned() }),
        Input::Pins(PinsInput::TooManyWrong),
        Input::Pins(PinsInput::Quiet),
        Input::Journal(JournalInput::WitnessLost { why: "Read-only file system (os error 30)".to_owned() }),
        Input::Journal(JournalInput::WitnessKept),
        Input::Person(PersonInput { by: None, second: None, action: Action::CallFloor, key: None }),
    ]);
    let technician = Some(Staff { id: PersonId(400), role: Role::Technician });
    all.extend([DeviceTest::Reader, DeviceTest::Lamps, DeviceTest::End].map(|test| {
        let action = Action::TestDevice { test };
        Input::Person(PersonInput { by: technician, second: None, action, key: None })
    }));
    all
}

pub(crate) fn console() -> ConsoleInput {
    ConsoleInput {
        at_ms: 1_772_452_800_000,
        person: PersonId(400),
        port: "ttyAMA10 115200 8N1".to_owned(),
        mode: "down".to_owned(),
        words: "unit reset-failed".to_owned(),
        result: "done".to_owned(),
        while_down: true,
    }
}

fn readers() -> Vec<ReaderInput> {
    use ReaderCondition as S;
    let states = [S::Booting, S::Idle, S::Armed, S::Reading, S::Answered, S::Faulted, S::Testing, S::CoverOpen];
    let mut all = vec![ReaderInput::Up(identity()), ReaderInput::Down, ReaderInput::Inserted];
    all.extend([ReaderAnswer::Yes, ReaderAnswer::No, ReaderAnswer::Unread].map(ReaderInput::Answered));
    all.extend([
        ReaderInput::Removed,
        ReaderInput::WrongTimeInsertion,
        ReaderInput::HalfInserted,
        ReaderInput::RemovedEarly,
        ReaderInput::Misplaced,
        ReaderInput::NoCard,
        ReaderInput::TestAnswered { group: UpCardGroup::Ace, answer: ReaderAnswer::Yes },
        ReaderInput::TestAnswered { group: UpCardGroup::Ten, answer: ReaderAnswer::Unread },
        ReaderInput::CommandRefused,
    ]);
    all.extend(states.map(ReaderInput::State));
    all
}

fn shufflers() -> Vec<ShufflerInput> {
    let colour = || BatchColour::Red;
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
        ShufflerInput::State { state: ShufflerState::Ready, ready: true },
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
        ShoeInput::State { drawn: 10, state: String::new() },
        ShoeInput::State { drawn: 10, state: "locked".to_owned() },
        ShoeInput::Locked { by: LockWord::Hand },
        ShoeInput::Unlocked { by: LockWord::Command },
        ShoeInput::Locked { by: LockWord::Error },
    ]
}

fn layouts() -> Vec<LayoutInput> {
    let spot = |seat| Spot { seat, spot: 2 };
    vec![
        LayoutInput::Placed(spot(1)),
        LayoutInput::Removed(spot(1)),
        LayoutInput::Locked,
        LayoutInput::Split { accepted: vec![spot(1), spot(2)], late: vec![spot(3)], doubtful: vec![] },
        LayoutInput::Late(spot(4)),
        LayoutInput::LateRemoved(spot(4)),
        LayoutInput::Collected(spot(1)),
        LayoutInput::Reopened { occupied: vec![spot(5)] },
        LayoutInput::Read { occupied: vec![spot(5)], unread: vec![spot(6)] },
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
        Action::AcknowledgeAll,
        Action::Words { words: vec!["wager 1 main".to_owned(), "wager 4 main 25".to_owned()] },
        Action::OpenVisit,
        Action::EndVisit { how: VisitEnd::Left },
        Action::EndVisit { how: VisitEnd::TimedOut },
        Action::EndVisit { how: VisitEnd::Replaced },
        Action::EndVisit { how: VisitEnd::Disabled },
        Action::AcceptJournal { reason: "the card was exchanged".to_owned() },
        Action::OpenWorkOrder { place: "lamps".to_owned(), what: "seat 4 stays dark".to_owned() },
        Action::CloseWorkOrder { order: 3, done: "cleaned".to_owned() },
        Action::PairDevice { device: "reader".to_owned(), code: "0123 4567 8901 2345 6789".to_owned() },
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
            ShoeInput::Locked { .. } => "shoe locked",
            ShoeInput::Unlocked { .. } => "shoe unlocked",
            ShoeInput::State { .. } => "shoe state",
        },
        Input::Layout(event) => match event {
            LayoutInput::Placed(_) => "placed",
            LayoutInput::Removed(_) => "taken",
            LayoutInput::Locked => "locked",
            LayoutInput::Split { .. } => "split",
            LayoutInput::Late(_) => "late",
            LayoutInput::LateRemoved(_) => "late removed",
            LayoutInput::Collected(_) => "collected",
            LayoutInput::Reopened { .. } => "reopened",
            LayoutInput::Read { .. } => "read",
        },
        Input::Fault(fault) => fault.part.word(),
        Input::Journal(event) => match event {
            JournalInput::NearlyFull => "nearly full",
            JournalInput::RoomAgain => "room again",
            JournalInput::Stalled { .. } => "stalled",
            JournalInput::Doubtful { .. } => "doubtful",
            JournalInput::Damaged { .. } => "damaged",
            JournalInput::WitnessLost { .. } => "witness lost",
            JournalInput::WitnessKept => "witness kept",
        },
        Input::Chance { .. } => "chance",
        Input::Console(_) => "console",
        Input::Pins(event) => match event {
            PinsInput::TooManyWrong => "too many wrong pins",
            PinsInput::Quiet => "pins quiet",
        },
        Input::Person(person) => match &person.action {
            Action::Play { .. } => "play",
            Action::Words { .. } => "words",
            Action::Reveal => "reveal",
            Action::TurnUp { .. } => "turn up",
            Action::FaceDown => "face down",
            Action::SignIn => "sign in",
            Action::SignOut => "sign out",
            Action::Acknowledge { .. } => "acknowledge",
            Action::AcknowledgeAll => "acknowledge all",
            Action::Clear { .. } => "clear",
            Action::BeginInspection { .. } => "begin",
            Action::InspectionAnswer { .. } => "answer",
            Action::PauseInspection => "pause",
            Action::EnterService => "enter",
            Action::LeaveService => "leave",
            Action::TestDevice { .. } => "test device",
            Action::ConfirmClock => "confirm",
            Action::CorrectMeter { .. } => "correct",
            Action::ReplaceReader { .. } => "replace",
            Action::PairDevice { .. } => "pair",
            Action::ChipCount { .. } => "chips",
            Action::SettledByHand { .. } => "by hand",
            Action::AcceptJournal { .. } => "accept journal",
            Action::OpenWorkOrder { .. } => "open work order",
            Action::CloseWorkOrder { .. } => "close work order",
            Action::CallFloor => "call floor",
            Action::OpenVisit => "open visit",
            Action::EndVisit { .. } => "end visit",
        },
    }
}

pub(crate) fn check(golden: &str, now: &[String]) {
    for (number, (kept, now)) in golden.lines().zip(now).enumerate() {
        assert_eq!(now, kept, "line {}", number + 1);
    }
    assert_eq!(golden.lines().count(), now.len(), "a form without its golden line, or the other way round: {now:#?}");
}

/// An event carries its sentence. Older records keep the words of their day, so a kept line holds for everything but
/// these, byte by byte; the file of today's words holds for all of it.
pub(crate) fn check_said(kept: &str, said: &str, now: &[String]) {
    check(said, now);
    let wordless: Vec<String> = now.iter().map(|line| without_words(line)).collect();
    check(&kept.lines().map(without_words).collect::<Vec<_>>().join("\n"), &wordless);
}

fn without_words(line: &str) -> String {
    const FIELD: &str = "\"text\":\"";
    let Some((before, rest)) = line.split_once(FIELD) else { return line.to_owned() };
    let ends = |at: &usize| rest[*at..].starts_with('"') && !rest[..*at].ends_with('\\');
    let end = rest.char_indices().map(|(at, _)| at).find(ends).unwrap();
    format!("{before}{FIELD}{}", &rest[end..])
}

#[test]
fn only_the_words_are_left_out() {
    let line = r#"[{"event":{"text":"taken back, \"why\"","clause":"blackjack B1"}}]"#;
    assert_eq!(without_words(line), r#"[{"event":{"text":"","clause":"blackjack B1"}}]"#);
    let line = r#"[{"settled":{"position":3}}]"#;
    assert_eq!(without_words(line), line);
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
}
