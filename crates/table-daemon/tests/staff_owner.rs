//! The owner of the staff file as a process: one set of counters for everybody who asks, across restarts, and nobody let in
//! where they cannot be written.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use operator_api::{PersonId, Role};
use table_daemon::secret::Secret;
use table_daemon::staff::{AuthError, Book, MayDeal, Person, Pin, Staff, StaffClient};
use zeroize::Zeroizing;

const SOMEBODY: PersonId = PersonId(4001);
const PIN: &str = "295817";
const PATIENCE: Duration = Duration::from_secs(300);

struct Owner {
    folder: PathBuf,
    child: Child,
}

impl Owner {
    fn start(folder: &Path) -> Self {
        let mut program = Command::new(env!("CARGO_BIN_EXE_holecardd"));
        program.arg("--staff").arg(folder.join("staff")).arg("--pepper").arg(folder.join("pepper"));
        let child = program.arg("--socket").arg(folder.join("socket")).stderr(Stdio::null()).spawn().unwrap();
        let owner = Self { folder: folder.to_owned(), child };
        until(|| std::os::unix::net::UnixStream::connect(owner.folder.join("socket")).is_ok());
        owner
    }

    fn client(&self) -> StaffClient {
        StaffClient::new(&self.folder.join("socket"))
    }

    fn end(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

fn until(holds: impl Fn() -> bool) {
    let give_up = Instant::now() + PATIENCE;
    while !holds() {
        assert!(Instant::now() < give_up, "it stays so");
        std::thread::park_timeout(Duration::from_millis(20));
    }
}

/// A table's staff of one, who is a technician.
fn staffed() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("staff")).unwrap();
    let pepper = Secret::create(&folder.path().join("pepper")).unwrap();
    let hash = Pin::new(Zeroizing::new(PIN.to_owned())).unwrap().hash(&pepper).unwrap();
    let person = Person::new(SOMEBODY, "T. Echnician", Role::Technician, hash).unwrap();
    Book::change(&folder.path().join("staff"), |book| book.add(person.clone())).unwrap();
    folder
}

#[test]
fn wrong_pins_count_once_for_daemon_and_console_and_across_a_restart() {
    let folder = staffed();
    let owner = Owner::start(folder.path());
    let (console, daemon) = (owner.client(), owner.client());
    assert_eq!(console.check(SOMEBODY, PIN).unwrap().role, Role::Technician);
    assert!(matches!(console.check(SOMEBODY, "000001"), Err(AuthError::WrongNumberOrPin)));
    assert!(matches!(daemon.check(SOMEBODY, "000001"), Err(AuthError::WrongNumberOrPin)));
    assert_eq!(console.locked_for(SOMEBODY), None);
    assert!(matches!(console.check(SOMEBODY, "000001"), Err(AuthError::WrongNumberOrPin)));
    let wait = daemon.locked_for(SOMEBODY).unwrap();
    assert!((1..=30).contains(&wait), "{wait}");
    assert!(matches!(daemon.check(SOMEBODY, PIN), Err(AuthError::LockedOut { .. })), "also with the right PIN");
    owner.end();
    let again = Owner::start(folder.path());
    assert!(again.client().locked_for(SOMEBODY).is_some(), "a restart forgets no wrong PIN");
    again.end();
    assert!(matches!(console.check(SOMEBODY, PIN), Err(AuthError::Unavailable(_))), "nobody answers");
}

#[test]
fn counters_that_cannot_be_written_let_nobody_in() {
    let folder = staffed();
    let owner = Owner::start(folder.path());
    // In the place of the file that would become the counters: no write can succeed.
    fs::create_dir(folder.path().join("staff/.wrong-pins.json.new")).unwrap();
    assert!(matches!(owner.client().check(SOMEBODY, PIN), Err(AuthError::Unavailable(_))));
    fs::remove_dir(folder.path().join("staff/.wrong-pins.json.new")).unwrap();
    assert_eq!(owner.client().check(SOMEBODY, PIN).unwrap().id, SOMEBODY);
    owner.end();
}

#[test]
fn a_daemon_that_asks_knows_at_once_who_was_disabled_and_deals_on_without_the_owner() {
    let folder = staffed();
    let owner = Owner::start(folder.path());
    let staff = Staff::ask_at(&folder.path().join("socket")).unwrap();
    let person = owner.client().check(SOMEBODY, PIN).unwrap();
    until(|| staff.still_is(person));
    assert_eq!(staff.may_deal(SOMEBODY), MayDeal::No, "a technician deals nowhere");
    Book::change(&folder.path().join("staff"), |book| book.disable(SOMEBODY)).unwrap();
    until(|| !staff.still_is(person));
    owner.end();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let checked = runtime.block_on(staff.authenticate(SOMEBODY, Zeroizing::new(PIN.to_owned())));
    assert!(matches!(checked, Err(AuthError::Unavailable(_))));
}

#[test]
fn a_first_pin_is_set_through_the_owner() {
    let folder = staffed();
    let pepper = Secret::read(&folder.path().join("pepper")).unwrap();
    let code = "1357902468";
    let hash = Pin::new(Zeroizing::new(code.to_owned())).unwrap().hash(&pepper).unwrap();
    let new = Person::new(PersonId(2001), "N. Ew", Role::Floorperson, hash).unwrap().with_code();
    Book::change(&folder.path().join("staff"), |book| book.add(new.clone())).unwrap();
    let owner = Owner::start(folder.path());
    let client = owner.client();
    assert!(matches!(client.check(PersonId(2001), code), Err(AuthError::OneTimeCode)));
    let easy = client.set_first_pin(PersonId(2001), code, "123456").unwrap_err().to_string();
    assert!(easy.contains("among the first that anybody tries"), "{easy}");
    assert_eq!(client.set_first_pin(PersonId(2001), code, "204060").unwrap().id, PersonId(2001));
    assert_eq!(client.check(PersonId(2001), "204060").unwrap().role, Role::Floorperson);
    owner.end();
}
