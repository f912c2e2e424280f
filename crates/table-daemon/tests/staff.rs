//! People and PINs through the door that the daemon uses.
#![expect(clippy::unwrap_used, reason = "a test that cannot build its example should stop")]

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use operator_api::{PersonId, Role};
use table_daemon::secret::Secret;
use table_daemon::staff::{AuthError, Authenticated, Book, BookError, Person, Pin, Staff};
use tempfile::TempDir;
use zeroize::Zeroizing;

const FLOOR: PersonId = PersonId(2001);
const RIGHT: &str = "295817";
const WRONG: &str = "295818";

struct House {
    directory: TempDir,
    clock: Arc<AtomicU64>,
}

impl House {
    fn new() -> Self {
        let directory = TempDir::new().unwrap();
        Secret::create(&directory.path().join("pepper")).unwrap();
        let house = Self { directory, clock: Arc::new(AtomicU64::new(1_800_000_000)) };
        house.add(FLOOR, "R. \"Bob\" O\\Neill", Role::Floorperson);
        house
    }

    fn path(&self) -> &Path {
        self.directory.path()
    }

    fn pepper(&self) -> Secret {
        Secret::read(&self.path().join("pepper")).unwrap()
    }

    fn add(&self, number: PersonId, name: &str, role: Role) {
        let hash = Pin::new(Zeroizing::new(RIGHT.to_owned())).unwrap().hash(&self.pepper()).unwrap();
        let person = Person::new(number, name, role, hash).unwrap();
        Book::change(self.path(), |book| book.add(person)).unwrap();
    }

    /// As after a restart: nothing but the files.
    fn staff(&self) -> Staff {
        let clock = Arc::clone(&self.clock);
        Staff::with_clock(self.path(), self.pepper(), Arc::new(move || clock.load(Ordering::SeqCst))).unwrap()
    }

    fn wait(&self, seconds: u64) {
        self.clock.fetch_add(seconds, Ordering::SeqCst);
    }
}

async fn ask(staff: &Staff, id: PersonId, pin: &str) -> Result<Authenticated, AuthError> {
    staff.authenticate(id, Zeroizing::new(pin.to_owned())).await
}

#[tokio::test]
async fn the_right_pin_gives_the_role_of_the_staff_file() {
    let house = House::new();
    let staff = house.staff();
    let floor = ask(&staff, FLOOR, RIGHT).await.unwrap();
    assert_eq!(floor, Authenticated { id: FLOOR, role: Role::Floorperson });
    assert!(matches!(ask(&staff, FLOOR, WRONG).await, Err(AuthError::WrongNumberOrPin)));
    assert!(matches!(ask(&staff, PersonId(9), RIGHT).await, Err(AuthError::WrongNumberOrPin)));
}

#[tokio::test]
async fn wrong_pins_lock_for_longer_each_time_and_a_restart_does_not_help() {
    let house = House::new();
    for _ in 0..3 {
        assert!(matches!(ask(&house.staff(), FLOOR, WRONG).await, Err(AuthError::WrongNumberOrPin)));
    }
    let mut delay = 30;
    for _ in 0..4 {
        let locked = ask(&house.staff(), FLOOR, RIGHT).await;
        assert!(matches!(locked, Err(AuthError::LockedOut { seconds }) if seconds == delay), "{delay}: {locked:?}");
        house.wait(delay);
        assert!(matches!(ask(&house.staff(), FLOOR, WRONG).await, Err(AuthError::WrongNumberOrPin)));
        delay *= 2;
    }
    house.wait(delay);
    assert!(ask(&house.staff(), FLOOR, RIGHT).await.is_ok());
    assert!(matches!(ask(&house.staff(), FLOOR, WRONG).await, Err(AuthError::WrongNumberOrPin)), "forgotten");
}

#[tokio::test]
async fn numbers_that_nobody_has_lock_like_the_others() {
    let house = House::new();
    let staff = house.staff();
    for _ in 0..3 {
        assert!(matches!(ask(&staff, PersonId(77), WRONG).await, Err(AuthError::WrongNumberOrPin)));
    }
    assert!(matches!(ask(&staff, PersonId(77), WRONG).await, Err(AuthError::LockedOut { seconds: 30 })));
    assert!(ask(&staff, FLOOR, RIGHT).await.is_ok(), "one number's lock is another's");
}

#[tokio::test]
async fn whoever_is_disabled_is_out_at_once_and_looks_like_nobody() {
    let house = House::new();
    let staff = house.staff();
    assert!(ask(&staff, FLOOR, RIGHT).await.is_ok());
    Book::change(house.path(), |book| book.disable(FLOOR)).unwrap();
    assert!(matches!(ask(&staff, FLOOR, RIGHT).await, Err(AuthError::WrongNumberOrPin)));
    let book = Book::load(house.path()).unwrap();
    assert_eq!(book.people().len(), 1, "records name this number, so it stays");
    assert!(book.people()[0].disabled);
    assert_eq!(book.people()[0].name, "R. \"Bob\" O\\Neill");
}

#[tokio::test]
async fn counters_that_cannot_be_kept_let_nobody_in() {
    let house = House::new();
    let staff = house.staff();
    // A directory in the place of the file: neither a superuser nor anybody else can replace it by one.
    fs::create_dir_all(house.path().join("wrong-pins.json/x")).unwrap();
    assert!(matches!(ask(&staff, FLOOR, RIGHT).await, Err(AuthError::Unavailable(_))));
}

#[tokio::test]
async fn a_crowd_is_turned_away_instead_of_queueing_without_end() {
    let house = House::new();
    let staff = house.staff();
    let crowd: Vec<_> = (0..40)
        .map(|number| {
            let staff = staff.clone();
            tokio::spawn(async move { ask(&staff, PersonId(3000 + number), WRONG).await })
        })
        .collect();
    let mut busy = 0;
    for each in crowd {
        busy += u32::from(matches!(each.await.unwrap(), Err(AuthError::Busy)));
    }
    assert!(busy > 0, "all of them waited");
    assert!(ask(&staff, FLOOR, RIGHT).await.is_ok(), "and afterwards the door is open");
}

#[test]
fn a_number_belongs_to_one_person() {
    let house = House::new();
    let hash = Pin::new(Zeroizing::new(RIGHT.to_owned())).unwrap().hash(&house.pepper()).unwrap();
    let twin = Person::new(FLOOR, "Somebody else", Role::Manager, hash.clone()).unwrap();
    assert!(matches!(Book::change(house.path(), |book| book.add(twin)), Err(BookError::Taken { .. })));
    assert!(matches!(Book::change(house.path(), |book| book.disable(PersonId(1))), Err(BookError::Nobody(_))));
    assert!(matches!(Person::new(FLOOR, "two\nlines", Role::Dealer, hash.clone()), Err(BookError::Name)));
    assert!(matches!(Person::new(PersonId(0), "Nobody", Role::Dealer, hash), Err(BookError::Number)));
    assert!(!fs::read_to_string(house.path().join("staff.toml")).unwrap().contains(RIGHT));
}

#[test]
fn a_damaged_staff_file_is_an_error() {
    let house = House::new();
    let path = house.path().join("staff.toml");
    let good = fs::read_to_string(&path).unwrap();
    for bad in
        [good.replace("version = 1", "version = 2"), good.replace("role", "rolle"), good.replace("$argon2id", "")]
    {
        fs::write(&path, bad).unwrap();
        assert!(matches!(Book::load(house.path()), Err(BookError::Unreadable { .. })));
    }
}
