//! A jackpot on a disk that fills up, and a lock-out pressed on one that stalls: what is not durable is not shown, and
//! nothing that was is lost.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::sync::mpsc;

use operator_api::{Action, PersonId, Role};
use table_controller::{
    CONTENT_VERSION, Clock, Config, Controller, Input, LayoutInput, Outputs, PersonInput, Spot, Staff, Stamp, Started,
    encode_events, encode_input, read_input,
};
use table_journal::lying::LyingStorage;
use table_journal::{
    Appender, Entry, EpochIdentity, JournalError, JournalKey, MonotonicTime, OwnedEntry, PersonId as JournalPerson,
    RecordKind, Retention, Settings, TableId, WallTime, Writer, WriterSettings,
};
use table_rules::Tracking;
use table_rules::submission::RulesSubmission;

const DEALER: Staff = Staff { id: PersonId(100), role: Role::Dealer };
const FLOOR: Staff = Staff { id: PersonId(200), role: Role::Floorperson };
const MANAGER: Staff = Staff { id: PersonId(300), role: Role::Manager };

fn config(has_layout: bool) -> Config {
    let text = include_str!("../../../firmware-config/submissions/players-edge-21-all-wagers.toml");
    let table = RulesSubmission::parse(text).check().table.unwrap();
    let all = Config::with_all_devices("PE-3", table, Tracking::Cards);
    Config { has_reader: false, has_shuffler: false, shoes: 0, has_layout, ..all }
}

fn settings() -> Settings {
    Settings {
        segment_bytes: 16 * 1024,
        segment_age_max_s: u64::MAX,
        retention: Retention { bytes_max: 1 << 30, age_min_s: 0, age_max_s: None },
        checkpoint_every_records: 1_000,
        nearly_full_records: 4,
    }
}

fn key() -> JournalKey {
    JournalKey::from_seed(&[5; 32])
}

fn table() -> TableId {
    TableId::new("PE-3").unwrap()
}

fn create(storage: &LyingStorage) -> Appender<LyingStorage> {
    let identity = EpochIdentity { software: [1; 32], rules_pack: [2; 32] };
    Appender::create(storage.clone(), table(), key(), settings(), identity, WallTime(0), MonotonicTime(0)).unwrap()
}

fn say(words: &str) -> Input {
    let by = match words {
        "open" | "floor approve" => FLOOR,
        "manager approve" => MANAGER,
        _ => DEALER,
    };
    Input::Person(PersonInput {
        by: Some(by),
        second: None,
        action: Action::Play { words: words.to_owned() },
        key: None,
    })
}

/// A plausible noon; `later_ms` after it.
fn noon(later_ms: i64) -> Clock {
    Clock { wall_ms: 1_779_969_600_000 + later_ms, monotonic_ms: 0, minute: 720, day: 20_601, trusted: true }
}

fn begin() -> Vec<Input> {
    let clock = noon(0);
    let mut inputs = vec![
        Input::Started(Started { clock, last_record_ms: None, foreign_round: None }),
        Input::Person(PersonInput { by: Some(DEALER), second: None, action: Action::SignIn, key: None }),
    ];
    inputs.extend(["open", "decks 6 preinspected", "cut dealer 130", "place 80", "load"].map(say));
    inputs
}

fn apply(controller: &mut Controller, input: &Input) -> (Vec<u8>, Vec<u8>) {
    let mut out = Outputs::default();
    let stamp = Stamp { sequence: controller.sequence() + 1 };
    controller.apply(stamp, input, &mut out).unwrap_or_else(|refused| panic!("{input:?}: {refused:?}"));
    (encode_input(input), encode_events(&out.said))
}

fn keep(appender: &mut Appender<LyingStorage>, input: &[u8], events: &[u8]) -> Result<(), JournalError> {
    let (wall, monotonic) = (WallTime(1), MonotonicTime(1));
    let person = JournalPerson(0);
    appender.append(&Entry { content_version: CONTENT_VERSION, wall, monotonic, person, input, events })?;
    appender.commit().map(drop)
}

/// The table as the disk has it.
fn recovered(storage: &LyingStorage, config: &Config) -> (Appender<LyingStorage>, Controller) {
    let mut controller = Controller::new(config.clone());
    let mut replay = |record: &table_journal::RecordView<'_>| {
        if record.kind == RecordKind::Input {
            let (_, events) = apply(&mut controller, &read_input(record.input).unwrap());
            assert_eq!(events, record.events);
        }
    };
    let (appender, _) = Appender::open(storage.clone(), table(), key(), settings(), &mut replay).unwrap();
    (appender, controller)
}

#[test]
fn a_disk_that_fills_up_in_mid_jackpot_pays_it_once() {
    const ROUND: &str = "wager 2 main 25\nwager 2 monster-match 2\nlock\nburn\ncard 7h\ncard 7h\ncard 7h\ncard ?\nstand\n\
        reveal 7h\ncard 5c\nnext\nnext\nfloor approve\nmanager approve\npaid\nsettled";
    let config = config(false);
    let round: Vec<Input> = ROUND.lines().map(say).collect();
    // Full at each moment of the round, in turn.
    for full_at in 0..round.len() {
        let storage = LyingStorage::new();
        let (mut appender, mut controller) = (create(&storage), Controller::new(config.clone()));
        for input in begin().iter().chain(&round[..full_at]) {
            let (input, events) = apply(&mut controller, input);
            keep(&mut appender, &input, &events).unwrap();
        }
        let (shown, meters) = (controller.screen().prompt.text, controller.meter_views());
        storage.set_capacity(Some(0));
        // The clock goes on until no record fits any more; the round's next input is the one that does not.
        let mut told = 0;
        let lost = loop {
            told += 1;
            let input = Input::Clock(noon(told));
            let before = controller.checkpoint();
            let (bytes, events) = apply(&mut controller, &input);
            if keep(&mut appender, &bytes, &events).is_err() {
                break before;
            }
            assert!(told < 10_000, "the disk never fills up");
        };
        drop(appender);
        let disk = storage.after_power_cut(u64::try_from(full_at).unwrap());
        let (mut appender, mut controller) = recovered(&disk, &config);
        assert_eq!(controller.checkpoint(), lost, "{full_at}: what was acknowledged, and nothing else");
        assert_eq!((controller.screen().prompt.text, controller.meter_views()), (shown, meters), "{full_at}");
        for input in &round[full_at..] {
            let (input, events) = apply(&mut controller, input);
            keep(&mut appender, &input, &events).unwrap();
        }
        let meter = &controller.meter_views()[0];
        assert_eq!((meter.hits, meter.balanced, controller.day_view().counts.jackpots), (1, true, 1), "{full_at}");
    }
}

#[test]
fn a_lock_out_pressed_while_the_disk_stalls_is_kept_when_it_goes_on() {
    let config = config(true);
    let storage = LyingStorage::new();
    let mut controller = Controller::new(config.clone());
    let mut appender = create(&storage);
    for input in &begin() {
        let (input, events) = apply(&mut controller, input);
        keep(&mut appender, &input, &events).unwrap();
    }
    let writer = Writer::start(appender, WriterSettings::default()).unwrap();
    let spot = Spot { seat: 2, spot: 1 };
    let split = LayoutInput::Split { accepted: vec![spot], late: vec![Spot { seat: 3, spot: 1 }], doubtful: vec![] };
    storage.stall();
    let (told, acknowledged) = mpsc::channel();
    let pressed = [LayoutInput::Placed(spot), LayoutInput::Locked, split];
    for (number, event) in pressed.into_iter().enumerate() {
        let (input, events) = apply(&mut controller, &Input::Layout(event));
        let (wall, monotonic, person) = (WallTime(1), MonotonicTime(1), JournalPerson(0));
        let entry = OwnedEntry { content_version: CONTENT_VERSION, wall, monotonic, person, input, events };
        let told = told.clone();
        writer.submit(entry, Box::new(move |result| told.send((number, result.is_ok())).unwrap())).unwrap();
    }
    storage.wait_until_stalled();
    assert!(acknowledged.try_recv().is_err(), "nothing is said to be safe while the disk stands still");
    assert!(controller.in_round(), "the table does not wait: the wagers are locked");
    storage.resume();
    let order: Vec<_> = (0..3).map(|_| acknowledged.recv().unwrap()).collect();
    assert_eq!(order, [(0, true), (1, true), (2, true)]);
    writer.stop().unwrap();
    let (_, again) = recovered(&storage.after_power_cut(1), &config);
    assert_eq!(again.checkpoint(), controller.checkpoint());
    assert!(again.screen().locked);
}
