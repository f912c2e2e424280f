//! A person at the console, key by key: what the terminal shows, and what is asked of the world.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use operator_api::{PersonId, Role};
use serde_json::{Value, json};
use tech_console::output::NotDone;
use tech_console::text::Moment;
use tech_console::{Access, Ask, LoginResult, Mode, Names, Output, Request, Session, Settings, Situation};

struct Desk {
    session: Session,
    now: u64,
    shown: String,
    asked: Vec<String>,
}

fn situation(mode: Mode) -> Situation {
    Situation { mode, round_open: mode == Mode::Round, in_service: mode == Mode::Service }
}

impl Desk {
    fn new() -> Self {
        let settings = Settings { port: "ttyAMA10 115200 8N1".to_owned(), marks_noise: true };
        let mut session = Session::new(settings, 0);
        session.handle_situation("BJ-07", situation(Mode::Open), None);
        session.handle_names(Names {
            devices: ["reader", "shuffler", "shoe"].map(str::to_owned).to_vec(),
            codes: vec!["RD-010".to_owned()],
            configurations: vec!["last-good".to_owned()],
        });
        session.begin();
        let mut desk = Self { session, now: 0, shown: String::new(), asked: Vec::new() };
        desk.look();
        desk
    }

    fn logged_in() -> Self {
        let mut desk = Self::new();
        desk.types("4711\r");
        desk.session.handle_login(PersonId(4711), LoginResult::AskPin);
        desk.types("483920\r");
        let access = Access::Person { number: PersonId(4711), role: Role::Technician };
        desk.session.handle_login(PersonId(4711), LoginResult::In { access, greeting: "4711 technician.".to_owned() });
        desk.look();
        desk.shown.clear();
        desk.asked.clear();
        desk
    }

    fn look(&mut self) {
        while let Some(request) = self.session.poll_request() {
            self.asked.push(match request {
                Request::MayTry(number) => format!("may {}", number.0),
                Request::LogIn { number, pin } => format!("login {} {}", number.0, pin.as_str()),
                Request::SetPin { number, code, pin } => format!("pin {} {} {}", number.0, code.as_str(), pin.as_str()),
                Request::Run(run) => format!("run {} {}", run.command.name(), run.argument),
                Request::Yes(yes) => format!("yes {yes}"),
                Request::Second { number, pin } => format!("second {} {}", number.0, pin.as_str()),
                Request::Text(text) => format!("text {text}"),
                Request::Stop => "stop".to_owned(),
                Request::Refused { words, reason } => format!("refused {words}: {reason}"),
                Request::LoggedOut => "out".to_owned(),
            });
        }
        let out = self.session.poll_output();
        assert!(out.iter().all(|byte| matches!(byte, b' '..=b'~' | b'\r' | b'\n' | 8 | 7)), "{out:?}");
        self.shown.push_str(std::str::from_utf8(&out).unwrap());
    }

    fn types(&mut self, keys: &str) {
        self.sends(keys.as_bytes());
    }

    fn sends(&mut self, bytes: &[u8]) {
        self.session.handle_bytes(bytes, self.now);
        self.look();
    }

    fn waits(&mut self, ms: u64) {
        let until = self.now + ms;
        while let Some(at) = self.session.poll_deadline().filter(|at| *at <= until && *at > self.now) {
            self.now = at;
            self.session.handle_time(at);
            self.look();
        }
        self.now = until;
        self.session.handle_time(until);
        self.look();
    }

    fn says(&mut self, lines: &[&str]) {
        let lines = lines.iter().map(|line| (*line).to_owned()).collect();
        self.session.handle_output(Output::text(lines, json!({ "x": 1 })), Moment::default());
        self.look();
    }

    /// What was shown since the last time.
    fn shown(&mut self) -> String {
        std::mem::take(&mut self.shown)
    }
}

#[test]
fn news_waits_for_the_end_of_a_line_that_a_command_has_begun() {
    let mut desk = Desk::logged_in();
    desk.session.handle_situation("BJ-07", situation(Mode::Service), None);
    desk.types("reader test\r");
    desk.shown();
    desk.session.handle_part("1/8 insert the ten as if under an ace: ");
    desk.session.handle_notice("14:12:40 RD-010 cleared: reader");
    desk.waits(2_000);
    assert_eq!(desk.shown(), "1/8 insert the ten as if under an ace: ");
    desk.session.handle_line("yes after 412 ms, ok", &json!({}), Moment::default());
    desk.waits(2_000);
    assert_eq!(desk.shown(), "yes after 412 ms, ok\r\n* 14:12:40 RD-010 cleared: reader\r\n");
}

#[test]
fn what_is_refused_or_mistyped_is_on_record_without_its_digits() {
    let mut desk = Desk::logged_in();
    desk.types("483920\r");
    assert_eq!(desk.asked, ["refused ######: unknown command \"######\": type help"]);
    desk.asked.clear();
    desk.session.handle_situation("BJ-07", situation(Mode::Down), None);
    desk.types("meters\r");
    let said = "refused meters: not now: meters needs the daemon, which is down: look: unit status";
    assert_eq!(desk.asked, [said]);
}

#[test]
fn a_check_that_takes_its_time_is_broken_off() {
    let mut desk = Desk::new();
    desk.types("4711\r");
    desk.shown.clear();
    desk.sends(&[3]);
    assert_eq!(desk.shown(), "\r\nnumber: ");
    // Its answer comes too late for anybody.
    desk.session.handle_login(PersonId(4711), LoginResult::AskPin);
    desk.look();
    assert_eq!(desk.shown(), "");
}

#[test]
fn the_banner_names_table_port_and_speed_and_the_pin_is_not_echoed() {
    let mut desk = Desk::new();
    assert_eq!(
        desk.shown(),
        "Holecard BJ-07  technician's console  ttyAMA10 115200 8N1\r\n\
         Every command is recorded with your number. BREAK starts again from here.\r\nnumber: "
    );
    // Typed in one go, as by a script: the PIN waits for its question.
    desk.types("4711\r48392?\r");
    desk.session.handle_login(PersonId(4711), LoginResult::AskPin);
    desk.look();
    assert_eq!(desk.asked, ["may 4711", "login 4711 48392?"]);
    assert_eq!(desk.shown(), "4711\r\nPIN: \r\n");
    desk.session.handle_login(PersonId(4711), LoginResult::Refused("number or PIN wrong: try again".to_owned()));
    desk.look();
    assert_eq!(desk.shown(), "% number or PIN wrong: try again\r\nnumber: ");
    desk.types("ab\r");
    assert!(desk.shown().contains("% a number has digits only"));
    desk.types("12345678901234567890123\r");
    assert!(desk.shown().contains('\u{7}'), "20 bytes before the login");
}

#[test]
fn a_prompt_shows_table_mode_and_rung_and_a_command_ends_with_the_next_prompt() {
    let mut desk = Desk::logged_in();
    desk.session.handle_situation("BJ-07", situation(Mode::Round), None);
    desk.types("status\r");
    assert_eq!(desk.asked, ["run status "]);
    desk.says(&["all is well"]);
    assert_eq!(desk.shown(), "status\r\nall is well\r\nBJ-07 round> ");
    assert_eq!(desk.session.prompt(), "BJ-07 round> ");
    desk.types("stauts\r");
    assert_eq!(desk.shown(), "stauts\r\n% unknown command \"stauts\": try status\r\nBJ-07 round> ");
    desk.session.handle_situation("BJ-07", situation(Mode::Down), None);
    desk.types("meters\r");
    assert_eq!(
        desk.shown(),
        "meters\r\n% not now: meters needs the daemon, which is down: look: unit status\r\nBJ-07 down> "
    );
    desk.session.handle_situation("BJ-07", situation(Mode::Round), None);
    desk.types("\r\n");
    assert_eq!(desk.shown(), "\r\nBJ-07 round> ");
}

#[test]
fn question_mark_and_tab_answer_at_once() {
    let mut desk = Desk::logged_in();
    desk.types("m?");
    assert_eq!(
        desk.shown(),
        "m?\r\nmon     watch a device: raw bytes, frames, events    meters  progressive meters\r\nBJ-07 open> m"
    );
    desk.types("\x15sta\t");
    assert!(desk.shown().ends_with("status "));
    desk.types("\x15d\t");
    assert!(desk.shown().ends_with('\u{7}'));
    desk.types("\t");
    assert!(desk.shown().contains("disk"), "a second Tab is ?");
    desk.types("\x0c");
    assert_eq!(desk.shown(), "\r\nBJ-07 open> d");
}

#[test]
fn pages_end_after_23_lines_and_their_question_is_erased() {
    let mut desk = Desk::logged_in();
    let lines: Vec<String> = (1..=60).map(|number| format!("line {number}")).collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    desk.types("err\r");
    desk.says(&lines);
    let shown = desk.shown();
    assert!(shown.ends_with("line 23\r\n-- more: Space page, Enter line, q quit --"), "{shown}");
    let erased = format!("\r{}\r", " ".repeat(42));
    desk.types("\r");
    assert_eq!(desk.shown(), format!("{erased}line 24\r\n-- more: Space page, Enter line, q quit --"));
    desk.types("x");
    assert_eq!(desk.shown(), "\u{7}");
    desk.types(" ");
    assert!(desk.shown().ends_with("line 47\r\n-- more: Space page, Enter line, q quit --"));
    desk.types("q");
    assert_eq!(desk.shown(), format!("{erased}BJ-07 open> "));
    desk.types("err -a\r");
    desk.says(&lines);
    assert!(desk.shown().ends_with("line 60\r\nBJ-07 open> "));
    desk.types("err -j\r");
    desk.says(&lines);
    assert!(desk.shown().contains("{\"at\":\"1970-01-01T00:00:00Z\",\"cmd\":\"err\",\"data\":{\"x\":1},\"v\":1}\r\n"));
}

#[test]
fn a_stream_stops_at_any_key_which_is_swallowed_and_leaves_out_what_is_too_much() {
    let mut desk = Desk::logged_in();
    desk.types("mon raw reader\r");
    assert_eq!(desk.asked, ["run mon raw reader"]);
    desk.shown();
    for number in 0..50 {
        desk.session.handle_line(&format!("byte {number}"), &Value::Null, Moment::default());
    }
    desk.waits(1_000);
    desk.session.handle_line("later", &Value::Null, Moment::default());
    desk.look();
    let shown = desk.shown();
    assert!(shown.contains("byte 39\r\n... 10 lines left out\r\nlater"), "{shown}");
    desk.types("x");
    desk.types("y");
    assert_eq!(desk.asked[1..], ["stop"]);
    desk.says(&["ladder: raw ok"]);
    assert_eq!(desk.shown(), "ladder: raw ok\r\nBJ-07 open> ");
    desk.types("mon raw reader\r");
    desk.waits(10 * 60_000);
    assert_eq!(desk.asked.last().unwrap(), "stop", "after ten minutes by itself");
}

#[test]
fn only_yes_is_yes_and_nothing_typed_ahead_confirms() {
    let mut desk = Desk::logged_in();
    desk.types("service enter\ryes\r");
    desk.session.handle_ask(Ask::Yes("Closes the table.".to_owned()));
    desk.look();
    assert_eq!(desk.shown(), "service enter\r\nCloses the table. type yes: ");
    desk.types("yes\r");
    assert_eq!(desk.asked, ["run service enter ", "yes true"]);
    desk.says(&["done"]);
    for keys in ["y\r", "YES\r", "yes please\r", "\r", "\x03", "yes\u{7f}\u{7f}\u{7f}\r"] {
        desk.asked.clear();
        desk.types("service enter\r");
        desk.session.handle_ask(Ask::Yes("Closes the table.".to_owned()));
        desk.types(keys);
        assert_eq!(desk.asked, ["run service enter ", "yes false"], "{keys:?}");
        desk.session.handle_not_done(&NotDone::new("not-now", "nothing was done", ""), Moment::default());
    }
    desk.asked.clear();
    desk.types("service enter\r");
    desk.session.handle_ask(Ask::Yes("Closes the table.".to_owned()));
    desk.sends(b"y\xffes\r");
    assert_eq!(desk.asked, ["run service enter ", "yes false"], "noise confirms nothing");
    desk.session.handle_not_done(&NotDone::new("not-now", "nothing was done", ""), Moment::default());
    desk.asked.clear();
    desk.types("service enter\r");
    desk.session.handle_ask(Ask::Yes("Closes the table.".to_owned()));
    desk.waits(30_000);
    assert_eq!(desk.asked, ["run service enter ", "yes false"], "30 s are no");
}

#[test]
fn a_second_person_gives_number_and_pin() {
    let mut desk = Desk::logged_in();
    desk.types("config stage last-good\r");
    desk.session.handle_ask(Ask::Second("Check: good. 1 line goes back, loaded at the next start.".to_owned()));
    desk.look();
    desk.shown();
    desk.types("3001\r");
    assert_eq!(desk.shown(), "3001\r\nPIN: ");
    desk.types("295817\r");
    assert_eq!(desk.shown(), "\r\n");
    assert_eq!(desk.asked, ["run config stage last-good", "second 3001 295817"]);
}

#[test]
fn log_lines_never_break_the_line_being_typed() {
    let mut desk = Desk::logged_in();
    desk.types("dev sh");
    desk.shown();
    desk.session.handle_notice("14:01:02 RD-010 raised");
    desk.look();
    let erased = format!("\r{}\r", " ".repeat(18));
    assert_eq!(desk.shown(), format!("{erased}* 14:01:02 RD-010 raised\r\nBJ-07 open> dev sh"));
    desk.session.handle_notice("second");
    desk.look();
    assert_eq!(desk.shown(), "", "one a second");
    for number in 0..40 {
        desk.session.handle_notice(&format!("flood {number}"));
    }
    desk.waits(60_000);
    let shown = desk.shown();
    assert!(shown.contains("* second\r\n") && shown.contains("* 25 more\r\n"), "{shown}");
    desk.types("\x15service enter\r");
    desk.session.handle_ask(Ask::Yes("Closes the table.".to_owned()));
    desk.look();
    desk.shown();
    desk.session.handle_notice("held back");
    desk.waits(5_000);
    assert_eq!(desk.shown(), "");
    desk.types("no\r");
    desk.session.handle_not_done(&NotDone::new("not-now", "nothing was done", ""), Moment::default());
    desk.look();
    assert!(desk.shown().contains("* held back\r\n"));
}

#[test]
fn noise_drops_its_line_and_names_the_speed() {
    let mut desk = Desk::logged_in();
    desk.sends(b"sta\x80\x81tus1234\r");
    assert_eq!(desk.shown(), "sta\r\n% line noise: 12 bytes dropped\r\nBJ-07 open> ");
    desk.sends(b"\x80\r\x80\r");
    let shown = desk.shown();
    assert_eq!(shown.matches("115200 8N1").count(), 1, "{shown}");
    desk.sends(&[0x80; 64]);
    assert_eq!(desk.shown().matches("115200 8N1").count(), 0, "one banner in 5 s");
    desk.waits(5_000);
    desk.sends(&[0x80; 64]);
    assert_eq!(desk.shown().matches("115200 8N1").count(), 1);
    assert!(desk.asked.is_empty());
}

#[test]
fn break_logs_out_of_any_state_and_prints_the_banner() {
    for keys in ["", "sta", "mon raw reader\r", "service enter\r"] {
        let mut desk = Desk::logged_in();
        desk.types(keys);
        desk.session.handle_ask(Ask::Yes("Closes the table.".to_owned()));
        desk.sends(b"\xff\x00\x00");
        assert!(desk.shown().ends_with("starts again from here.\r\nnumber: "), "{keys}");
        assert_eq!(desk.asked.last().unwrap(), "out");
        assert_eq!(desk.session.access(), None);
    }
}

#[test]
fn five_minutes_without_a_key_log_out_with_a_warning_at_four() {
    let mut desk = Desk::logged_in();
    desk.waits(4 * 60_000);
    assert!(desk.shown().contains("* logout in 60 s without a key"));
    desk.types("x");
    desk.waits(4 * 60_000 + 30_000);
    assert!(desk.session.access().is_some());
    desk.waits(30_000);
    assert!(desk.shown().ends_with("number: "));
    assert_eq!(desk.asked, ["out"]);
    let mut pulled = Desk::logged_in();
    pulled.session.handle_hang_up(1);
    pulled.look();
    assert_eq!(pulled.asked, ["out"]);
}

#[test]
fn ctrl_s_holds_what_is_printed_for_a_minute_at_most() {
    let mut desk = Desk::logged_in();
    desk.sends(b"\x13err");
    assert_eq!(desk.shown(), "");
    desk.sends(b"\x11");
    assert_eq!(desk.shown(), "err");
    desk.sends(b"\x13 clear");
    desk.waits(60_000);
    assert_eq!(desk.shown(), " clear");
}

#[test]
fn exit_and_ctrl_d_log_out_and_the_banner_says_who_has_the_table_in_service() {
    for keys in ["exit\r", "\x04"] {
        let mut desk = Desk::logged_in();
        desk.session.handle_situation("BJ-07", situation(Mode::Service), Some(PersonId(4711)));
        desk.types(keys);
        assert!(desk.shown().contains("In service mode: 4711.\r\n"));
        assert_eq!(desk.asked, ["out"]);
    }
}

#[test]
fn help_comes_from_the_table_and_filters_apply() {
    let mut desk = Desk::logged_in();
    desk.types("help\r");
    let shown = desk.shown();
    assert!(shown.contains("look    status why dev mon ports gpio i2c err disk health clock ver who\r\n"), "{shown}");
    desk.types("help | count\r");
    assert!(desk.shown().contains("3 lines\r\n"));
    desk.types("help mon | find rung\r");
    assert!(desk.shown().contains("The first rung that fails names the part."));
}

#[test]
fn a_one_time_code_is_followed_by_a_pin_of_ones_own_typed_twice() {
    let begin = || {
        let mut desk = Desk::new();
        desk.types("4711\r");
        desk.session.handle_login(PersonId(4711), LoginResult::AskPin);
        desk.types("1029384756\r");
        desk.session.handle_login(PersonId(4711), LoginResult::AskNewPin);
        desk.look();
        desk.asked.clear();
        desk
    };
    let mut desk = begin();
    desk.types("483920\r");
    assert_eq!(desk.asked, Vec::<String>::new(), "nothing is asked for before the second time");
    desk.types("483920\r");
    assert_eq!(desk.asked, ["pin 4711 1029384756 483920"]);
    assert!(!desk.shown.contains("483920") && !desk.shown.contains("1029384756"), "{}", desk.shown);
    desk.session.handle_login(PersonId(4711), LoginResult::Refused("the PIN is set".to_owned()));
    desk.look();
    assert!(desk.shown.ends_with("% the PIN is set\r\nnumber: "), "{}", desk.shown);
    // A slip starts again and sends nothing.
    let mut slip = begin();
    slip.types("483920\r483921\r");
    assert!(slip.asked.is_empty() && slip.shown.ends_with("number: "), "{:?} {}", slip.asked, slip.shown);
}
