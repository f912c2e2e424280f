//! A table without devices and without a journal behind the real interface, for trying the dealer's page.
//!
//! `cargo run -p table-daemon --example bench_table -- SUBMISSION [cards|procedure]` prints one line of JSON with the
//! address, the key and the staff. Everything is tapped in; nothing survives the end of the program.

use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};

use operator_api::{ActKind, PersonId, Role};
use serde_json::json;
use table_controller::{
    Clock, Code, Config, Controller, Input, Outputs, PersonInput, Refused, Staff as Named, Stamp, Started,
    encode_event, encode_screen,
};
use table_daemon::config::{Chip, Http, ScreenSettings};
use table_daemon::handle::{Ask, AskError, Frame, LoopSide, Proof, Query, Reply, Request, table_channel};
use table_daemon::http::{Limits, Listeners, Parts, serve};
use table_daemon::metrics::Metrics;
use table_daemon::secret::Secret;
use table_daemon::staff::{Authenticated, Book, Person, Pin, Staff};
use table_rules::Tracking;
use table_rules::submission::RulesSubmission;
use tokio_util::sync::CancellationToken;
use zeroize::Zeroizing;

const PIN: &str = "295817";
const PEOPLE: [(u32, &str, Role); 5] = [
    (1042, "A dealer", Role::Dealer),
    (2001, "A floorperson", Role::Floorperson),
    (3001, "A manager", Role::Manager),
    (4001, "A technician", Role::Technician),
    (5001, "An auditor", Role::Auditor),
];

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let rules = PathBuf::from(args.next().ok_or("name a rules submission")?);
    let tracking = match args.next().as_deref() {
        None | Some("cards") => Tracking::Cards,
        Some("procedure") => Tracking::Procedure,
        Some(other) => return Err(format!("{other}: cards or procedure").into()),
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(run(&rules, tracking))
}

async fn run(rules: &Path, tracking: Tracking) -> Result<(), Box<dyn Error>> {
    let table = RulesSubmission::parse(&std::fs::read_to_string(rules)?).check().table;
    let table = table.map_err(|problems| format!("the submission has {} problems", problems.len()))?;
    table.check_tracking(tracking)?;
    let directory = tempfile::tempdir()?;
    let pepper = Secret::create(&directory.path().join("pepper"))?;
    for (number, name, role) in PEOPLE {
        let hash = Pin::new(Zeroizing::new(PIN.to_owned()))?.hash(&pepper)?;
        let person = Person::new(PersonId(number), name, role, hash)?;
        Book::change(directory.path(), |book| book.add(person))?;
    }
    let (token_file, socket) = (directory.path().join("token"), directory.path().join("holecard.sock"));
    let token = Secret::create(&token_file)?;
    let listeners = Listeners::bind(&Http {
        listen: "127.0.0.1:0".parse()?,
        hosts: Vec::new(),
        token_file: token_file.clone(),
        socket: socket.clone(),
        socket_users: Vec::new(),
    })?;
    let address = listeners.address().ok_or("no address")?;
    let mut config = Config::with_all_devices("BENCH-1", table, tracking);
    (config.has_reader, config.has_shuffler, config.has_layout, config.shoes) = (false, false, false, 0);
    let mut bench = Bench::new(config);
    let (handle, side) = table_channel(bench.frame());
    let parts = Parts {
        table: handle,
        staff: Staff::open(directory.path(), pepper)?,
        token,
        hosts: vec![address.to_string()],
        metrics: Metrics::default(),
        limits: Limits::default(),
        screen: ScreenSettings {
            px_per_mm: None,
            mirror: false,
            number_pad: false,
            jackpot_seat: false,
            all_lines_limit_cents: 50_000,
            reader_answer_ms: 700,
            day_starts_minute: 360,
            chips: [(500, "#a81f2d"), (2500, "#1f6f43"), (10_000, "#202428")]
                .map(|(cents, colour)| Chip { cents, colour: colour.to_owned() })
                .to_vec(),
        },
        #[cfg(feature = "demo")]
        demo: None,
    };
    let key = std::fs::read_to_string(&token_file)?;
    let people: Vec<_> = PEOPLE.iter().map(|(number, _, role)| json!({ "number": number, "role": role })).collect();
    let said = json!({
        "address": format!("http://{address}"), "socket": socket, "token": key.trim(),
        "enter": format!("http://{address}/enter#{}", key.trim()), "people": people, "pin": PIN,
    });
    writeln!(std::io::stdout(), "{said}")?;
    tokio::select! {
        () = serve(listeners, parts, CancellationToken::new()) => {}
        () = bench.turn(side) => {}
    }
    Ok(())
}

struct Bench {
    controller: Controller,
    sequence: u64,
    /// What a journal would tell of each round.
    records: Vec<(u64, serde_json::Value)>,
}

impl Bench {
    fn new(config: Config) -> Self {
        let mut bench = Self { controller: Controller::new(config), sequence: 0, records: Vec::new() };
        let clock = Clock { wall_ms: 1_800_000_000_000, monotonic_ms: 0, minute: 600, day: 20_833, trusted: true };
        let started = Input::Started(Started { clock, last_record_ms: None, foreign_round: None });
        // A start is no person's wish, so it is never refused.
        let _ = bench.apply(&started);
        bench
    }

    fn frame(&self) -> Frame {
        let screen = encode_screen(&self.controller.screen());
        Frame::new(self.sequence, &screen)
    }

    fn apply(&mut self, input: &Input) -> Result<Vec<String>, Refused> {
        let mut out = Outputs::default();
        let round = self.controller.screen().round;
        self.controller.apply(Stamp { sequence: self.sequence + 1 }, input, &mut out)?;
        self.sequence += 1;
        let wall_us = 1_800_000_000_000_000 + self.sequence * 4_000_000;
        let by = if let Input::Person(said) = input { said.by.map(|by| by.id) } else { None };
        let person = by.or(self.controller.screen().signed_in).map_or(0, |person| person.0);
        self.records.push((
            round,
            json!({ "sequence": self.sequence, "wall_us": wall_us, "person": person, "input": input, "events": out.said }),
        ));
        Ok(out.said.iter().map(encode_event).collect())
    }

    async fn turn(&mut self, mut side: LoopSide) {
        loop {
            tokio::select! {
                Some(request) = side.requests.recv() => {
                    self.take(request);
                    side.frames.send_replace(self.frame());
                }
                Some(Query { ask, reply }) = side.queries.recv() => {
                    let _ = reply.send(self.tell(ask));
                }
                else => return,
            }
        }
    }

    fn take(&mut self, request: Request) {
        let Request { prompt, person, second, proof, action, reply, .. } = request;
        let number = self.controller.prompt_number();
        if prompt.is_some_and(|seen| seen < number) {
            let _ = reply.send(Reply::Stale { prompt_number: number });
            return;
        }
        let named = |person: Authenticated| Named { id: person.id, role: person.role };
        let row = self.controller.act_kind(&action).map(ActKind::permission);
        let roles = row.as_ref().map_or(&[][..], |row| row.who.roles());
        let seconds = row.as_ref().ok().and_then(|row| row.second).unwrap_or_default();
        // Two people sign in either order.
        let (person, second) = match (person, second) {
            (Some(one), Some(other)) if !roles.contains(&one.role) && roles.contains(&other.role) => (second, person),
            (person, second) => (person, second),
        };
        if proof == Proof::Visit && row.as_ref().is_ok_and(|row| row.signature) {
            let _ = reply.send(Reply::NeedsSignature { reason: "this takes your PIN".to_owned() });
            return;
        }
        let input = Input::Person(PersonInput { by: person.map(named), second: second.map(named), action, key: None });
        let answer = match self.apply(&input) {
            Ok(events) => Reply::Accepted { sequence: self.sequence, record: self.sequence, events },
            Err(Refused { reason, source }) => {
                let lacks_person = source == Code::WhoMayAct.to_string() && person.is_none();
                let lacks_second = source == Code::SecondPerson.to_string() && second.is_none();
                if lacks_person || lacks_second {
                    let roles = if lacks_second { seconds } else { roles }.to_vec();
                    Reply::NeedsPerson { roles, second: lacks_second, reason, clause: source }
                } else {
                    Reply::Refused { reason, clause: source }
                }
            }
        };
        let _ = reply.send(answer);
    }

    fn tell(&self, ask: Ask) -> Result<String, AskError> {
        let screen = self.controller.screen();
        let text = match ask {
            Ask::Devices => serde_json::to_string(&screen.devices),
            Ask::Meters => serde_json::to_string(&screen.meters),
            Ask::Alerts => serde_json::to_string(&screen.alerts),
            Ask::Day => serde_json::to_string(&screen.day),
            Ask::Players { names_seat } => serde_json::to_string(&self.controller.players_view(names_seat)),
            Ask::Outlook(input) => {
                let refused = |refused: Refused| AskError::NotFound(refused.reason);
                serde_json::to_string(&self.controller.outlook(&input).map_err(refused)?)
            }
            Ask::Head => Ok(json!({ "sequence": self.sequence }).to_string()),
            Ask::Inspections => {
                let told =
                    |record: &operator_api::InspectionRecord| json!({ "record": record, "sheet": record.sheet(None) });
                let all: Vec<_> = self.controller.inspection_records().iter().map(told).collect();
                Ok(json!({ "inspections": all }).to_string())
            }
            Ask::Identity => {
                let hash = "0123456789abcdef".repeat(4);
                Ok(json!({ "version": "1.0.0", "software": hash, "rules": hash, "configuration": hash, "epoch": 1 })
                    .to_string())
            }
            Ask::Recall(round) => {
                let records: Vec<_> =
                    self.records.iter().filter(|(of, _)| *of == round).map(|(_, each)| each).collect();
                if records.is_empty() {
                    return Err(AskError::NotFound(format!("round {round}")));
                }
                let rests = ["wagering", "closed", "preparing"].contains(&screen.stage);
                let finished = screen.round > round || rests;
                Ok(json!({ "round": round, "finished": finished, "records": records }).to_string())
            }
        };
        text.map_err(|error| AskError::Unavailable(error.to_string()))
    }
}
