//! People and PINs through the door that the daemon uses.
#![expect(clippy::unwrap_used, reason = "a test that cannot build its example should stop")]

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use operator_api::{PersonId, Role};
use table_daemon::secret::Secret;
use table_daemon::staff::{
    AuthError, Authenticated, Book, BookError, FirstPinError, MayDeal, Person, Pin, Staff, one_time_code,
};
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
        let house = Self { directory, clock: Arc::new(AtomicU64::new(5_000)) };
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
        Staff::with_uptime(self.path(), self.pepper(), Arc::new(move || clock.load(Ordering::SeqCst))).unwrap()
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
async fn numbers_that_nobody_has_share_a_budget_and_are_written_nowhere() {
    let house = House::new();
    let staff = house.staff();
    let wrong = |number: u32| ask(&staff, PersonId(number), WRONG);
    for number in 0..10 {
        assert!(matches!(wrong(483_920 + number).await, Err(AuthError::WrongNumberOrPin)), "{number}");
    }
    assert!(ask(&staff, FLOOR, RIGHT).await.is_ok(), "one number's lock is another's");
    assert!(matches!(wrong(77).await, Err(AuthError::LockedOut { seconds: 720 })), "a right PIN has cleared it");
    assert_eq!((staff.locked_for(PersonId(78)), staff.locked_for(FLOOR)), (Some(720), None));
    assert!(staff.has_too_many_wrong_pins() && house.staff().has_too_many_wrong_pins());
    for entry in fs::read_dir(house.path()).unwrap() {
        let path = entry.unwrap().path();
        assert!(!String::from_utf8_lossy(&fs::read(&path).unwrap()).contains("48392"), "{}", path.display());
    }
    house.wait(3_600);
    assert!(!staff.has_too_many_wrong_pins());
}

/// Three wrong PINs for a number that nobody has used to lock out a manager.
#[tokio::test]
async fn beyond_the_limit_a_right_pin_is_let_in_and_a_wrong_one_waits_long() {
    let house = House::new();
    let other = PersonId(2002);
    house.add(other, "Ann", Role::Manager);
    let crowd: Vec<PersonId> = (3000..3010).map(PersonId).collect();
    crowd.iter().for_each(|id| house.add(*id, "Somebody", Role::Dealer));
    let staff = house.staff();
    for id in crowd.iter().cycle().take(20) {
        assert!(matches!(ask(&staff, *id, WRONG).await, Err(AuthError::WrongNumberOrPin)));
    }
    assert!(staff.has_too_many_wrong_pins());
    assert!(ask(&staff, other, RIGHT).await.is_ok());
    assert!(matches!(ask(&staff, FLOOR, WRONG).await, Err(AuthError::WrongNumberOrPin)));
    assert!(matches!(ask(&staff, FLOOR, RIGHT).await, Err(AuthError::LockedOut { seconds: 1800 })));
    house.wait(1_800);
    assert!(ask(&staff, FLOOR, RIGHT).await.is_ok(), "longer than the longest wait");
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

#[tokio::test]
async fn a_one_time_code_sets_a_pin_and_does_nothing_else_and_only_once() {
    let house = House::new();
    let (number, code) = (PersonId(3001), one_time_code().unwrap());
    assert!(code.len() == 10 && code.bytes().all(|byte| byte.is_ascii_digit()) && *code != *one_time_code().unwrap());
    let hash = Pin::new(code.clone()).unwrap().hash(&house.pepper()).unwrap();
    let person = Person::new(number, "M. Manager", Role::Manager, hash).unwrap().with_code();
    Book::change(house.path(), |book| book.add(person)).unwrap();
    let staff = house.staff();
    let set = async |code: &str, pin: &str| {
        staff.set_first_pin(number, Zeroizing::new(code.to_owned()), Zeroizing::new(pin.to_owned())).await
    };
    assert!(matches!(ask(&staff, number, &code).await, Err(AuthError::OneTimeCode)), "a code lets nobody act");
    // A wrong code counts like a wrong PIN.
    let wrong = set(WRONG, RIGHT).await.unwrap_err();
    assert!(matches!(wrong, FirstPinError::Code(AuthError::WrongNumberOrPin)), "{wrong}");
    assert!(matches!(set(&code, "123456").await, Err(FirstPinError::Pin(_))));
    assert!(matches!(set(&code, &code).await, Err(FirstPinError::SameAsCode)));
    let now = set(&code, RIGHT).await.unwrap();
    assert_eq!(now, Authenticated { id: number, role: Role::Manager });
    assert_eq!(ask(&staff, number, RIGHT).await.unwrap(), now);
    assert!(matches!(ask(&staff, number, &code).await, Err(AuthError::WrongNumberOrPin)));
    assert!(matches!(set(&code, WRONG).await, Err(FirstPinError::Code(AuthError::WrongNumberOrPin))));
    // Whoever has a PIN has no code.
    assert!(matches!(set(RIGHT, WRONG).await, Err(FirstPinError::NoCode)));
    let file = fs::read_to_string(house.path().join("staff.toml")).unwrap();
    assert!(!file.contains("one_time"), "{file}");
}

#[tokio::test]
async fn a_staff_list_that_cannot_be_read_lets_nobody_deal() {
    let house = House::new();
    let staff = house.staff();
    assert_eq!(staff.may_deal(FLOOR), MayDeal::Yes);
    assert_eq!(staff.may_deal(PersonId(9)), MayDeal::No);
    let list = house.path().join("staff.toml");
    let kept = fs::read(&list).unwrap();
    fs::write(&list, "[[person]]\nnumber = ").unwrap();
    assert_eq!(staff.may_deal(FLOOR), MayDeal::Unknown);
    fs::write(&list, kept).unwrap();
    assert_eq!(staff.may_deal(FLOOR), MayDeal::Yes, "and again once it is mended");
}
