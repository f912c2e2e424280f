//! The loop of one console: keys and answers in, one command at a time on a thread of its own.
//!
//! The loop itself waits for nothing but its events: looking at the table, asking systemd, checking a PIN, writing the
//! record and carrying out a command all happen on other threads, so that whatever hangs hangs that and not the keys.

mod login;

use std::io::{self, Read};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use operator_api::{PersonId, Picture, Role};
use serde_json::Value;
use tech_console::command::{Effect, Manner};
use tech_console::output::NotDone;
use tech_console::{Access, Ask, Invocation, LoginResult, Names, Output, Request, Session, Settings, access};
use zeroize::Zeroizing;

use self::login::{NOBODY, locked_words};
use super::dialog::{OnThread, Reply};
use super::greeting::{Visit, Visits};
use super::look::number_of;
use super::people::{Login, NotIn};
use super::run::{Person, not_now, run};
use super::spool::{Note, Noted, Recorder};
use super::terminal::Terminal;
use super::world::{Now, World};

/// How often the table is looked at while nobody types.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// Commands that were let go and still hang on something.
const HANGING_MAX: usize = 8;

pub(super) enum Event {
    Bytes(Vec<u8>),
    HangUp,
    Looked(Box<Now>),
    Names(Names),
    MayTry(u64, PersonId, Option<u64>),
    LoggedIn(u64, PersonId, Box<Checked>),
    PinSet(PersonId, Result<(), String>),
    Line(u64, String, Value),
    Part(u64, String),
    Ask(u64, Ask),
    Done(u64, Box<Finished>),
    Mark(Box<Picture>),
}

/// What came of a PIN.
pub(super) struct Checked {
    pin: Zeroizing<String>,
    result: Result<(PersonId, Role), NotIn>,
    before: Option<Visit>,
}

/// What came of a command, and how the world looked after it.
pub(super) struct Finished {
    result: Result<Output, NotDone>,
    world: World,
    now: Now,
}

/// The command that runs now.
struct Job {
    number: u64,
    invocation: Invocation,
    replies: Sender<Reply>,
    stop: Arc<AtomicBool>,
}

struct Desk<'a> {
    world: World,
    /// The same, for the thread that looks.
    watched: Arc<Mutex<World>>,
    login: Arc<dyn Login>,
    visits: Visits,
    session: Session,
    terminal: &'a mut Terminal,
    events: Sender<Event>,
    recorder: Recorder,
    person: Option<Person>,
    /// The step of a login that is under way; a late answer to an earlier one is nobody's.
    checking: Option<(u64, Instant, Step)>,
    attempts: u64,
    job: Option<Job>,
    jobs: u64,
    /// Threads of commands that have not ended yet.
    hanging: Arc<AtomicUsize>,
    mark: Option<Picture>,
    /// What stood when the table was last looked at, for the notices.
    standing: Option<Vec<(String, String)>>,
    started: Instant,
    /// A port always has somebody's next session; at a terminal of one's own, logging out ends the console.
    on_port: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    MayTry(PersonId),
    Pin(PersonId),
}

/// Serves one terminal until it hangs up.
pub(crate) fn serve(world: World, login: Arc<dyn Login>, tty: Option<&Path>) -> io::Result<()> {
    let mut terminal = match tty {
        Some(path) => Terminal::port(path)?,
        None => Terminal::own()?,
    };
    let (staged, (events, received)) = (world.clone(), mpsc::channel());
    std::thread::spawn(move || super::change::finish_pending(&staged));
    read_keys(terminal.reader()?, events.clone());
    let settings = Settings { port: terminal.name.clone(), marks_noise: terminal.marks_noise };
    let spool = &world.config.console.spool_directory;
    let recorder = Recorder::start(spool, &terminal.name, tty.is_some());
    let visits = Visits::beside(spool);
    let session = Session::new(settings, 0);
    let watched = Arc::new(Mutex::new(world.clone()));
    let mut desk = Desk {
        world,
        watched,
        login,
        visits,
        session,
        terminal: &mut terminal,
        events,
        recorder,
        person: None,
        checking: None,
        attempts: 0,
        job: None,
        jobs: 0,
        hanging: Arc::new(AtomicUsize::new(0)),
        mark: None,
        standing: None,
        started: Instant::now(),
        on_port: tty.is_some(),
    };
    let served = desk.run(&received);
    desk.recorder.settle();
    served
}

fn read_keys(mut keys: impl Read + Send + 'static, events: Sender<Event>) {
    std::thread::spawn(move || {
        let mut buffer = [0; 256];
        loop {
            match keys.read(&mut buffer) {
                Ok(0) => break,
                Ok(count) => {
                    if events.send(Event::Bytes(buffer[..count].to_vec())).is_err() {
                        return;
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => break,
            }
        }
        let _gone = events.send(Event::HangUp);
    });
}

/// Looks at the table again and again, for as long as anybody wants to know.
fn watch(world: Arc<Mutex<World>>, events: Sender<Event>) {
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(LOOK_EVERY);
            let world = world.lock().unwrap_or_else(PoisonError::into_inner).clone();
            if events.send(Event::Looked(Box::new(world.now()))).is_err() {
                return;
            }
        }
    });
}

impl Desk<'_> {
    fn now(&self) -> u64 {
        u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    fn run(&mut self, received: &Receiver<Event>) -> io::Result<()> {
        let now = self.world.now();
        self.take_look(&now);
        self.find_names();
        watch(Arc::clone(&self.watched), self.events.clone());
        self.session.begin();
        let mut was_in = false;
        loop {
            self.follow();
            let out = self.session.poll_output();
            if !out.is_empty() {
                self.terminal.write(&out)?;
            }
            let is_in = self.session.access().is_some();
            if was_in && !is_in && !self.on_port {
                return Ok(());
            }
            was_in = is_in;
            let deadline = self.session.poll_deadline().map(|at| Duration::from_millis(at.saturating_sub(self.now())));
            let wait = deadline.map_or(LOOK_EVERY, |deadline| deadline.min(LOOK_EVERY));
            match received.recv_timeout(wait.max(Duration::from_millis(1))) {
                Ok(Event::HangUp) => {
                    self.session.handle_hang_up(self.now());
                    self.follow();
                    return Ok(());
                }
                Ok(event) => self.take(event),
                Err(RecvTimeoutError::Timeout) => self.session.handle_time(self.now()),
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
            self.give_up_checking();
        }
    }

    fn take(&mut self, event: Event) {
        match event {
            Event::Bytes(bytes) => self.session.handle_bytes(&bytes, self.now()),
            Event::HangUp => self.session.handle_hang_up(self.now()),
            Event::Looked(now) => {
                self.take_look(&now);
                self.session.handle_time(self.now());
            }
            Event::Names(names) => self.session.handle_names(names),
            Event::MayTry(attempt, number, locked) => {
                if self.is_checking(attempt) {
                    self.checking = None;
                    let result = match locked {
                        Some(seconds) => LoginResult::Refused(locked_words(seconds)),
                        None => LoginResult::AskPin,
                    };
                    self.session.handle_login(number, result);
                }
            }
            Event::PinSet(number, set) => {
                let (who, noted) = if set.is_ok() { (number.0, "done") } else { (NOBODY, "refused") };
                self.note_as(who, "first pin", noted);
                let said = set.map_or_else(
                    |why| format!("no PIN was set: {why}"),
                    |()| "the PIN is set and the code is used up: log in with it".to_owned(),
                );
                self.session.handle_login(number, LoginResult::Refused(said));
            }
            Event::LoggedIn(attempt, number, checked) => {
                if self.is_checking(attempt) {
                    self.checking = None;
                    self.take_checked(number, *checked);
                }
            }
            Event::Line(number, text, data) => {
                if self.is_job(number) {
                    let at = self.world.moment(None);
                    self.session.handle_line(&text, &data, at);
                }
            }
            Event::Part(number, text) => {
                if self.is_job(number) {
                    self.session.handle_part(&text);
                }
            }
            Event::Ask(number, ask) => {
                if self.is_job(number) {
                    self.session.handle_ask(ask);
                }
            }
            Event::Done(number, finished) => {
                let Finished { result, world, now } = *finished;
                if self.is_job(number) {
                    self.take_world(world);
                    self.take_look(&now);
                    self.finish(result);
                }
            }
            Event::Mark(picture) => self.mark = Some(*picture),
        }
    }

    fn is_job(&self, number: u64) -> bool {
        self.job.as_ref().is_some_and(|job| job.number == number)
    }

    fn is_checking(&self, attempt: u64) -> bool {
        self.checking.is_some_and(|(number, ..)| number == attempt)
    }

    fn take_world(&mut self, world: World) {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner).clone_from(&world);
        self.world = world;
        self.find_names();
    }

    /// What arguments can name lies on a disk.
    fn find_names(&self) {
        let (world, events) = (self.world.clone(), self.events.clone());
        std::thread::spawn(move || {
            let _gone = events.send(Event::Names(world.names()));
        });
    }

    /// The prompt, and what has changed since the last look.
    fn take_look(&mut self, now: &Now) {
        let service = now.picture.as_ref().and_then(|picture| picture.table.service);
        self.session.handle_situation(self.world.table_id(), self.world.situation(now), service);
        let standing: Vec<(String, String)> = now
            .picture
            .iter()
            .flat_map(|picture| &picture.table.alerts)
            .filter(|alert| !alert.ended)
            .map(|alert| (alert.code.clone().unwrap_or_else(|| alert.source.clone()), alert.text.clone()))
            .collect();
        if let Some(before) = &self.standing {
            let time = now.moment.time();
            let raised = standing.iter().filter(|alert| !before.contains(alert));
            let cleared = before.iter().filter(|alert| !standing.contains(alert));
            let told: Vec<String> = raised
                .map(|(code, text)| format!("{time} {code} raised: {text}"))
                .chain(cleared.map(|(code, text)| format!("{time} {code} cleared: {text}")))
                .collect();
            for notice in told {
                self.session.handle_notice(&notice);
            }
        }
        self.standing = Some(standing);
    }

    /// Does what the session asks for.
    fn follow(&mut self) {
        while let Some(request) = self.session.poll_request() {
            match request {
                Request::MayTry(number) => {
                    let attempt = self.begin_check(Step::MayTry(number));
                    let (login, events) = (Arc::clone(&self.login), self.events.clone());
                    std::thread::spawn(move || {
                        let _gone = events.send(Event::MayTry(attempt, number, login.locked_for(number)));
                    });
                }
                Request::LogIn { number, pin } => self.check_pin(number, pin),
                Request::SetPin { number, code, pin } => {
                    let (login, events) = (Arc::clone(&self.login), self.events.clone());
                    std::thread::spawn(move || {
                        let _gone = events.send(Event::PinSet(number, login.set_pin(number, code, pin)));
                    });
                }
                Request::Run(invocation) => self.start(invocation),
                Request::Yes(yes) => self.reply(Reply::Yes(yes)),
                Request::Second { number, pin } => self.reply(Reply::Second(number, pin)),
                Request::Text(text) => self.reply(Reply::Text(text)),
                Request::Stop => self.stop(),
                Request::Refused { words, reason } => {
                    self.note(&words, &reason);
                }
                Request::LoggedOut => {
                    self.note("logout", "done");
                    self.person = None;
                    self.mark = None;
                }
            }
        }
    }

    fn start(&mut self, invocation: Invocation) {
        let noted = self.note(&invocation.typed, "begun");
        let at = self.world.moment(None);
        let Some(access) = self.session.access() else { return };
        if self.hanging.load(Ordering::Acquire) >= HANGING_MAX {
            let error = not_now(format!("{HANGING_MAX} commands hang on something: BREAK, then look: status"));
            return self.session.handle_not_done(&error, at);
        }
        self.jobs += 1;
        let (replies, answers) = mpsc::channel();
        let stop = Arc::new(AtomicBool::new(false));
        let mut dialog = OnThread {
            number: self.jobs,
            events: self.events.clone(),
            answers,
            stop: Arc::clone(&stop),
            person: self.person.clone(),
            login: Arc::clone(&self.login),
            mark: self.mark.clone(),
        };
        let (mut world, said) = (self.world.clone(), invocation.clone());
        let hanging = Arc::clone(&self.hanging);
        hanging.fetch_add(1, Ordering::AcqRel);
        std::thread::spawn(move || {
            let result = carry_out(&mut world, &said, access, &noted, &mut dialog);
            hanging.fetch_sub(1, Ordering::AcqRel);
            let now = world.now();
            let finished = Finished { result, world, now };
            let _gone = dialog.events.send(Event::Done(dialog.number, Box::new(finished)));
        });
        self.job = Some(Job { number: self.jobs, invocation, replies, stop });
    }

    fn reply(&mut self, reply: Reply) {
        if let Some(job) = &self.job {
            let _gone = job.replies.send(reply);
        }
    }

    /// A stream ends with its summary; anything else is let go where it stands.
    fn stop(&mut self) {
        let Some(job) = &self.job else { return };
        job.stop.store(true, Ordering::Release);
        if job.invocation.command.manner == Manner::Once {
            self.finish(Err(NotDone::new("stopped", "stopped: type it again", "")));
        }
    }

    fn finish(&mut self, result: Result<Output, NotDone>) {
        let Some(job) = self.job.take() else { return };
        let word = match &result {
            // What somebody found is on record with what they did.
            Ok(output) => {
                output.data["noted"].as_str().map_or_else(|| "done".to_owned(), |found| format!("done: {found}"))
            }
            Err(error) => error.text(),
        };
        self.note(&job.invocation.typed, &word);
        let at = self.world.moment(None);
        match result {
            Ok(output) => self.session.handle_output(output, at),
            Err(error) => self.session.handle_not_done(&error, at),
        }
    }

    fn note(&self, words: &str, result: &str) -> Noted {
        let person = number_of(self.session.access()).max(self.person.as_ref().map_or(0, |person| person.number.0));
        self.note_as(person, words, result)
    }

    fn note_as(&self, person: u32, words: &str, result: &str) -> Noted {
        let at_ms = self.world.moment(None).unix_ms;
        let mode = self.session.situation().mode.word();
        self.recorder.note(Note { at_ms, person, mode, words: words.to_owned(), result: result.to_owned() })
    }
}

/// The mode is judged again now, and what changes something is on record before it begins.
fn carry_out(
    world: &mut World,
    said: &Invocation,
    access: Access,
    noted: &Noted,
    dialog: &mut OnThread,
) -> Result<Output, NotDone> {
    let now = world.now();
    if world.may_be_outdated(&now) {
        world.reload();
    }
    access::check(said.command, access, world.situation(&now)).map_err(NotDone::from)?;
    if said.command.effect == Effect::Changes && !noted.is_durable() {
        return Err(not_now("it can be recorded nowhere durable: look: disk"));
    }
    run(world, said, dialog)
}
