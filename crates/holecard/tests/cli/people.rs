//! `holecard staff` and `holecard ctl`: people are added with the tool, and the tool speaks for them to a served table.

use std::path::Path;
use std::sync::{Arc, Mutex};

use operator_api::{Action, Role};
use table_daemon::config::Http;
use table_daemon::handle::{Ask, AskError, Frame, LoopSide, Reply, table_channel};
use table_daemon::http::{Limits, Listeners, Parts, serve};
use table_daemon::metrics::Metrics;
use table_daemon::secret::Secret;
use table_daemon::staff::{Authenticated, Staff};
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

use crate::tool::{Ran, holecard, holecard_with};

const SCREEN: &str = r#"{"table":"BJ-07","game":"blackjack","mode":"dealing","round":88,"stage":"decisions","sequence":812,
    "prompt_number":812,"prompt":{"long":"Seat 4: hard 11, ask for a decision","clause":"blackjack 7.H(2)"},"stops":[],"signed_in":1042,
    "alerts":[{"alert":3,"text":"The shuffler's door is open","source":"DV-041"}],"day":{"rounds":87}}"#;

type Heard = Arc<Mutex<Vec<(Action, Option<Authenticated>, Option<Authenticated>)>>>;

fn staff(directory: &Path, args: &[&str], pin: &str) -> Ran {
    let (state, pepper) = (directory.display().to_string(), directory.join("pepper").display().to_string());
    let mut all = vec!["staff"];
    all.extend(args);
    all.extend(["--state", &state]);
    if args[0] == "add" {
        all.extend(["--pepper", &pepper]);
    }
    holecard_with(&all, format!("{pin}\n").as_bytes())
}

#[test]
fn people_are_added_listed_disabled_and_given_new_pins() {
    let directory = TempDir::new().unwrap();
    let at = |args: &[&str], pin: &str| staff(directory.path(), args, pin);
    let added = at(&["add", "2001", "--name", "R. Vance", "--role", "floorperson"], "295817");
    assert_eq!((added.code, added.out.as_str()), (0, "2001 is R. Vance, floorperson\n"), "{}", added.err);
    let twice = at(&["add", "2001", "--name", "Another", "--role", "manager"], "295817");
    assert_eq!(twice.code, 1);
    assert!(twice.err.contains("2001 is R. Vance's already"), "{}", twice.err);
    for bad in ["", "12345", "29581a", "123456", "000000"] {
        let refused = at(&["add", "2002", "--name", "N", "--role", "dealer"], bad);
        assert_eq!(refused.code, 1, "{bad}");
        assert!(bad.is_empty() || !refused.all().contains(bad), "the PIN is repeated: {}", refused.all());
    }
    assert_eq!(at(&["add", "2002", "--name", "N", "--role", "king"], "295817").code, 2);
    assert_eq!(at(&["disable", "7"], "").code, 1);
    assert_eq!(at(&["disable", "2001"], "").code, 0);
    let listed = at(&["list", "--json"], "");
    assert_eq!(listed.out, "{\"number\":2001,\"name\":\"R. Vance\",\"role\":\"floorperson\",\"disabled\":true}\n");
    assert_eq!(at(&["add", "2001", "--replace"], "864209").code, 0);
    assert!(at(&["list"], "").out.contains("floorperson  R. Vance\n"));
    // A pepper that went lost is not quietly replaced: every PIN would be wrong.
    std::fs::remove_file(directory.path().join("pepper")).unwrap();
    assert_eq!(at(&["add", "2003", "--name", "N", "--role", "dealer"], "295817").code, 1);
}

#[test]
fn ctl_shows_the_table_and_speaks_for_people() {
    let directory = TempDir::new().unwrap();
    for (number, role) in [("2001", "floorperson"), ("3001", "manager")] {
        assert_eq!(staff(directory.path(), &["add", number, "--name", "N", "--role", role], "295817").code, 0);
    }
    let heard = Heard::default();
    let stop = CancellationToken::new();
    let server = {
        let (path, heard, stop) = (directory.path().to_owned(), Arc::clone(&heard), stop.clone());
        let (ready, wait) = std::sync::mpsc::channel();
        let server = std::thread::spawn(move || serve_table(&path, &heard, stop, &ready));
        wait.recv().unwrap();
        server
    };
    let socket = directory.path().join("s").display().to_string();
    let ctl = |args: &[&str], input: &str| {
        let mut all = vec!["ctl", "--socket", &socket];
        all.extend(args);
        holecard_with(&all, input.as_bytes())
    };
    assert_eq!(
        ctl(&["meters"], "").err,
        "error: not now: meters needs the daemon, which is down: look: unit status\n",
        "without a picture of the table nobody knows that a daemon runs"
    );
    let acted = ctl(&["act", "stand"], "");
    assert_eq!(acted.code, 0);
    assert_eq!(acted.out, "  seat 4 stands on 18 [spanish-21 7.H(2)(d)]\ndone, record 813\n");
    assert_eq!(ctl(&["act", "--person", "2001", "floor", "approve"], "295818\n").code, 1);
    assert_eq!(ctl(&["act", "--person", "2001", "--second", "3001", "floor", "approve"], "295817\n295817\n").code, 0);
    assert_eq!(ctl(&["act", "--action", r#"{"do":"acknowledge","alert":3}"#], "").code, 0);
    assert_eq!(ctl(&["act", "--action", "{"], "").code, 2);
    let heard = heard.lock().unwrap();
    assert_eq!(heard.len(), 3);
    assert_eq!(heard[0], (Action::Play { words: "stand".to_owned() }, None, None));
    assert_eq!(heard[1].1.unwrap().role, Role::Floorperson);
    assert_eq!(heard[1].2.unwrap().role, Role::Manager);
    assert_eq!(heard[2].0, Action::Acknowledge { alert: 3 });
    stop.cancel();
    server.join().unwrap();
    let gone = ctl(&["act", "stand"], "");
    assert_eq!(gone.code, 1);
    assert!(gone.err.contains("no daemon answers"), "{}", gone.err);
    assert_eq!(ctl(&["stauts"], "").code, 2);
    assert_eq!(holecard(&["ctl"]).code, 2);
}

fn serve_table(directory: &Path, heard: &Heard, stop: CancellationToken, ready: &std::sync::mpsc::Sender<()>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let pepper = Secret::read(&directory.join("pepper")).unwrap();
        let token = Secret::create(&directory.join("token")).unwrap();
        let listeners = Listeners::bind(&Http {
            listen: "127.0.0.1:0".parse().unwrap(),
            hosts: Vec::new(),
            token_file: directory.join("token"),
            socket: directory.join("s"),
            socket_users: Vec::new(),
        })
        .unwrap();
        let (table, side) = table_channel(Frame::new(812, &SCREEN.replace('\n', "")));
        tokio::spawn(answer(side, Arc::clone(heard)));
        let staff = Staff::open(directory, pepper).unwrap();
        let (metrics, limits) = (Metrics::default(), Limits::default());
        ready.send(()).unwrap();
        let screen = table_daemon::config::ScreenSettings {
            px_per_mm: None,
            mirror: false,
            number_pad: false,
            jackpot_seat: false,
            all_lines_limit_cents: 50_000,
            reader_answer_ms: 700,
            day_starts_minute: 360,
            chips: Vec::new(),
        };
        let parts = Parts { table, staff, token, hosts: Vec::new(), metrics, limits, screen, demo: None };
        serve(listeners, parts, stop).await;
    });
}

const EVENT: &str = r#"{"event":{"text":"seat 4 stands on 18","clause":"spanish-21 7.H(2)(d)","kind":"acted"}}"#;
const DEVICES: &str = r#"[{"part":"reader","present":true,"up":false,"state":"idle","model":"R-2","serial":"17",
    "faults":["RD-010"]},{"part":"shuffler","present":false}]"#;
const METERS: &str = r#"[{"wager":"monster-match","meter":"grand","amount_cents":123456,"reserve_cents":100,
    "overflow_cents":0,"hits":2,"wins_cents":50000,"balanced":false}]"#;

async fn answer(mut side: LoopSide, heard: Heard) {
    loop {
        tokio::select! {
            Some(request) = side.requests.recv() => {
                heard.lock().unwrap().push((request.action, request.person, request.second));
                let _ = request.reply.send(Reply::Accepted { sequence: 790, record: 813, events: vec![EVENT.to_owned()] });
            }
            Some(query) = side.queries.recv() => {
                let _ = query.reply.send(match query.ask {
                    Ask::Devices => Ok(DEVICES.to_owned()),
                    Ask::Meters => Ok(METERS.to_owned()),
                    Ask::Alerts => Ok("[]".to_owned()),
                    Ask::Day | Ask::Head | Ask::Identity | Ask::Outlook(_) | Ask::Players { .. } => Ok("{}".to_owned()),
                    Ask::Recall(88) => Ok(format!(
                        r#"{{"round":88,"finished":true,"records":[{{"events":[{EVENT}],"person":3001,"sequence":9}}]}}"#
                    )),
                    Ask::Inspections => Ok("{\"inspections\":[]}".to_owned()),
                    Ask::Recall(round) => Err(AskError::NotFound(format!("round {round}"))),
                });
            }
            else => return,
        }
    }
}
