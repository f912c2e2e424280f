//! Full seven-seat rounds as records: the controller decides, the record is encoded and joins the chain, no disk. The
//! yardstick encodes and chains the same records again, decided beforehand.
//!
//! Both are measured in short turns, so that a machine's moods fall on both.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use operator_api::{Action, PersonId, Role};
use table_controller::{
    CONTENT_VERSION, Clock, Config, Controller, Input, Outputs, PersonInput, Staff, Stamp, Started, TableEvent,
    encode_events, encode_input,
};
use table_journal::{
    ChainHash, EpochNumber, MonotonicTime, PersonId as JournalPerson, RecordKind, RecordView, Sequence, WallTime,
    encode_record,
};
use table_rules::Tracking;
use table_rules::game::Game;
use table_rules::table::Table;

const TURNS: u32 = 40;
const ROUNDS_A_TURN: u32 = 50;

/// A chain without a disk.
struct Chain {
    link: ChainHash,
    sequence: u64,
    bytes: Vec<u8>,
}

impl Chain {
    fn take(&mut self, input: &Input, said: &[TableEvent]) {
        let (input, events) = (encode_input(input), encode_events(said));
        self.sequence += 1;
        let record = RecordView {
            kind: RecordKind::Input,
            content_version: CONTENT_VERSION,
            epoch: EpochNumber::FIRST,
            sequence: Sequence(self.sequence),
            durable: Sequence(self.sequence - 1),
            wall: WallTime(0),
            monotonic: MonotonicTime(0),
            person: JournalPerson(0),
            run: 1,
            input: &input,
            events: &events,
            hash: ChainHash::ZERO,
        };
        self.bytes.clear();
        if let Some(link) = encode_record(&record, self.link, &mut self.bytes) {
            self.link = link;
        }
    }
}

/// One round with every seat taken, nobody drawing.
fn round() -> Vec<Input> {
    let mut words: Vec<String> = (1..=7).map(|seat| format!("wager {seat} main 20")).collect();
    words.push("lock".to_owned());
    words.extend((0..7).map(|_| "card 9c".to_owned()));
    words.push("card 9d".to_owned());
    words.extend((0..7).map(|_| "card 8c".to_owned()));
    words.push("card ?".to_owned());
    words.extend((0..7).map(|_| "stand".to_owned()));
    words.extend(["reveal 8d".to_owned(), "settled".to_owned()]);
    words.into_iter().map(say).collect()
}

fn say(words: String) -> Input {
    Input::Person(PersonInput { by: None, second: None, action: Action::Play { words }, key: None })
}

fn opened() -> Option<Controller> {
    let table = Table::usual(Game::Blackjack);
    let config = Config {
        has_reader: false,
        has_shuffler: false,
        shoes: 0,
        has_layout: false,
        ..Config::with_all_devices("BENCH", table, Tracking::Cards)
    };
    let mut controller = Controller::new(config);
    let clock = Clock { wall_ms: 0, monotonic_ms: 0, minute: 0, day: 0, trusted: true };
    let by = Some(Staff { id: PersonId(1), role: Role::Dealer });
    let mut inputs = vec![
        Input::Started(Started { clock, last_record_ms: None, foreign_round: None }),
        Input::Person(PersonInput { by, second: None, action: Action::SignIn, key: None }),
    ];
    let floor = Some(Staff { id: PersonId(2), role: Role::Floorperson });
    let open = Action::Play { words: "open".to_owned() };
    inputs.push(Input::Person(PersonInput { by: floor, second: None, action: open, key: None }));
    let opening = ["decks 6 preinspected", "cut dealer 130", "place 80", "load", "burn"];
    inputs.extend(opening.map(|words| say(words.to_owned())));
    for input in &inputs {
        apply(&mut controller, input, &mut Outputs::default())?;
    }
    Some(controller)
}

fn apply(controller: &mut Controller, input: &Input, out: &mut Outputs) -> Option<()> {
    out.clear();
    let stamp = Stamp { sequence: controller.sequence() + 1 };
    let result = controller.apply(stamp, input, out);
    if let Err(refused) = &result {
        eprintln!("{input:?} was refused: {}", refused.reason);
    }
    result.ok()
}

fn measure() -> Option<()> {
    let mut controller = opened()?;
    let round = round();
    let mut out = Outputs::default();
    let mut decided: Vec<Vec<TableEvent>> = Vec::new();
    for input in &round {
        apply(&mut controller, input, &mut out)?;
        decided.push(out.said.clone());
    }
    let chain = || Chain { link: ChainHash::ZERO, sequence: 0, bytes: Vec::new() };
    let (mut live, mut bare) = (chain(), chain());
    let (mut deciding, mut encoding) = (Duration::ZERO, Duration::ZERO);
    for _ in 0..TURNS {
        let began = Instant::now();
        for _ in 0..ROUNDS_A_TURN {
            for input in &round {
                apply(&mut controller, input, &mut out)?;
                live.take(input, &out.said);
            }
        }
        deciding += began.elapsed();
        let began = Instant::now();
        for _ in 0..ROUNDS_A_TURN {
            for (input, said) in round.iter().zip(&decided) {
                bare.take(input, said);
            }
        }
        encoding += began.elapsed();
    }
    let rate = |chain: &Chain, time: Duration| u128::from(chain.sequence) * 1_000_000 / time.as_micros().max(1);
    println!("controller {} records a second", rate(&live, deciding));
    println!("encoding   {} records a second", rate(&bare, encoding));
    println!("ratio      {} thousandths", encoding.as_micros() * 1_000 / deciding.as_micros().max(1));
    Some(())
}

fn main() -> ExitCode {
    if measure().is_some() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
