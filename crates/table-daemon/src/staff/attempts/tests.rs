use super::*;

const NIGHT_S: u64 = 8 * 60 * 60;
const MANAGER: PersonId = PersonId(7);

struct House {
    directory: tempfile::TempDir,
    staff: BTreeSet<PersonId>,
    uptime_s: u64,
    attempts: Attempts,
}

impl House {
    fn new(people: u32) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let staff: BTreeSet<PersonId> = (1..=people).map(PersonId).collect();
        let attempts = Attempts::load(directory.path(), &staff, 100).unwrap();
        Self { directory, staff, uptime_s: 100, attempts }
    }

    fn wait(&mut self, seconds: u64) {
        self.uptime_s += seconds;
        self.attempts.pass_to(self.uptime_s);
    }

    fn restart(&mut self) {
        self.attempts = Attempts::load(self.directory.path(), &self.staff, self.uptime_s).unwrap();
    }

    /// The board off and on again; nobody knows for how long it was off.
    fn power_cut(&mut self) {
        self.uptime_s = 0;
        self.restart();
    }

    fn tried(&self, id: PersonId) -> Tried {
        if self.staff.contains(&id) { Tried::Staff(id) } else { Tried::Nobody }
    }

    /// Whether the try was checked at all.
    fn wrong(&mut self, id: PersonId) -> bool {
        let tried = self.tried(id);
        let free = self.attempts.wait_s(tried).is_none();
        if free {
            let _wrong = self.attempts.count(tried).unwrap();
            self.attempts.was_wrong().unwrap();
        }
        free
    }

    fn right(&mut self, id: PersonId) -> bool {
        let tried = self.tried(id);
        let free = self.attempts.wait_s(tried).is_none();
        if free {
            let counted = self.attempts.count(tried).unwrap().unwrap();
            self.attempts.forget(counted).unwrap();
        }
        free
    }

    fn waits(&self, id: PersonId) -> Option<u64> {
        self.attempts.wait_s(self.tried(id))
    }

    fn file(&self) -> String {
        fs::read_to_string(self.directory.path().join(FILE)).unwrap()
    }
}

#[test]
fn the_wait_grows_to_half_an_hour_and_stays_there() {
    let waits: Vec<u64> = (1..=11).map(wait_s).collect();
    assert_eq!(waits, [0, 0, 30, 60, 120, 240, 480, 960, 1800, 1800, 1800]);
    assert_eq!(wait_s(u32::MAX), WAIT_MAX_S);
}

#[test]
fn a_wait_outlives_a_restart_and_a_power_cut_and_ends() {
    let mut house = House::new(10);
    for _ in 0..3 {
        assert!(house.wrong(MANAGER));
    }
    assert_eq!(house.waits(MANAGER), Some(30));
    house.uptime_s += 12;
    house.restart();
    assert_eq!(house.waits(MANAGER), Some(18), "the time between two runs counts");
    house.uptime_s += 17;
    house.restart();
    assert_eq!(house.waits(MANAGER), Some(1));
    house.power_cut();
    assert_eq!(house.waits(MANAGER), Some(30), "cutting the power shortens nothing");
    house.uptime_s = 30;
    house.restart();
    assert_eq!(house.waits(MANAGER), None, "and makes nothing last for ever");
    assert_eq!(house.waits(PersonId(8)), None, "nobody else waits");
}

#[test]
fn wrong_pins_are_forgiven_hour_by_hour() {
    let mut house = House::new(10);
    for _ in 0..3 {
        assert!(house.wrong(MANAGER));
    }
    house.wait(FORGIVEN_AFTER_S);
    assert_eq!(house.attempts.kept.people[&MANAGER].failures, 2);
    house.restart();
    house.wait(2 * FORGIVEN_AFTER_S);
    assert!(house.attempts.kept.people.is_empty(), "three hours for three");
    assert!(house.wrong(MANAGER) && house.wrong(MANAGER));
    assert_eq!(house.waits(MANAGER), None);
}

#[test]
fn numbers_nobody_has_share_a_budget_that_no_right_pin_clears() {
    let mut house = House::new(10);
    let strangers = (0..).map(|n| PersonId(900_000 + n));
    let taken = strangers.take(50).filter(|id| house.wrong(*id)).count();
    assert_eq!(u64::try_from(taken).unwrap(), NOBODYS.at_once);
    assert!(house.right(MANAGER) && house.right(PersonId(8)));
    assert_eq!(house.waits(PersonId(123_456)), Some(NOBODYS.every_s));
    house.restart();
    assert_eq!(house.waits(PersonId(654_321)), Some(NOBODYS.every_s));
    house.wait(NOBODYS.every_s);
    assert!(house.wrong(PersonId(55_555)));
    assert!(!house.wrong(PersonId(55_556)));
    assert!(house.attempts.alarm(), "and the floor knows");
}

#[test]
fn numbers_nobody_has_never_take_away_the_free_tries_of_the_staff() {
    let mut house = House::new(10);
    for _ in 0..NIGHT_S / 10 {
        house.wrong(PersonId(900_000));
        house.wait(10);
    }
    assert!(house.wrong(MANAGER) && house.wrong(MANAGER), "two typing errors");
    assert!(house.right(MANAGER));
}

#[test]
fn numbers_nobody_has_are_not_kept() {
    let mut house = House::new(10);
    for number in [4_839_201, 77_777, 31_337] {
        assert!(house.wrong(PersonId(number)));
        assert!(house.wrong(MANAGER));
        assert!(!house.file().contains(&number.to_string()), "{}", house.file());
    }
    assert!(house.file().contains("\"7\":"), "{}", house.file());
}

#[test]
fn a_file_of_the_first_version_keeps_the_counters_of_the_staff_and_loses_all_other_numbers() {
    let house = House::new(10);
    let path = house.directory.path().join(FILE);
    let first = r#"{"7":{"failures":5,"locked_until_s":1800000000},"483920":{"failures":1,"locked_until_s":0}}"#;
    fs::write(&path, first).unwrap();
    let attempts = Attempts::load(house.directory.path(), &house.staff, 100).unwrap();
    assert_eq!(attempts.wait_s(Tried::Staff(MANAGER)), Some(120));
    assert_eq!(attempts.kept.nobodys, Used(NOBODYS.every_s));
    assert!(!house.file().contains("483920"), "{}", house.file());
}

#[test]
fn nobody_can_lock_out_everybody() {
    let mut house = House::new(40);
    let victims: Vec<PersonId> = (1..=39).map(PersonId).collect();
    for id in victims.iter().cycle().take(400) {
        house.wrong(*id);
        house.wrong(PersonId(900_000));
    }
    assert!(house.attempts.alarm());
    assert!(house.right(PersonId(40)), "the right PIN of somebody whom nobody has tried");
    for id in &victims {
        assert!(house.waits(*id).is_some_and(|left| left <= WAIT_MAX_S), "{id:?}");
    }
    // They are all tried again the moment that they can be; whoever has their turn then is in.
    house.wait(WAIT_MAX_S);
    for id in victims {
        assert!(house.right(id), "{id:?} after the longest wait");
    }
}

#[test]
fn the_floor_is_told_until_it_is_quiet() {
    let mut house = House::new(40);
    for id in 1..=u32::try_from(IN_ALL.at_once).unwrap() {
        assert!(!house.attempts.alarm(), "{id}");
        assert!(house.right(PersonId(40)), "a right PIN is no wrong one");
        assert!(house.wrong(PersonId(id)));
    }
    assert!(house.attempts.alarm());
    house.restart();
    assert!(house.attempts.alarm());
    house.wait(IN_ALL.at_once / 2 * IN_ALL.every_s - 1);
    assert!(house.attempts.alarm());
    house.wait(1);
    assert!(!house.attempts.alarm());
}

/// The figure of `docs/security/threats.md`. The attacker knows every number, types as fast as there are seconds, restarts
/// the daemon, and the staff log in all the time, which forgives their own wrong PINs.
#[test]
fn a_night_of_guessing_reaches_no_more_than_the_page_says() {
    const PEOPLE: u32 = 40;
    let mut house = House::new(PEOPLE);
    let mut guesses = vec![0_u64; usize::try_from(PEOPLE).unwrap() + 1];
    for second in 0..NIGHT_S {
        for id in 1..=PEOPLE {
            // Counted only where they may be checked, so most of these cost no disk.
            while house.attempts.wait_s(Tried::Staff(PersonId(id))).is_none() {
                assert!(house.wrong(PersonId(id)));
                guesses[usize::try_from(id).unwrap()] += 1;
            }
        }
        house.wait(1);
        if second % 3_600 == 1_799 {
            house.restart();
        }
        if second % 600 == 0 {
            let id = PersonId(u32::try_from(second / 600).unwrap() % PEOPLE + 1);
            house.right(id);
        }
    }
    let (all, most) = (guesses.iter().sum::<u64>(), guesses.iter().max().copied().unwrap());
    // Free tries within the limit, and one each half hour for everybody beyond it.
    let bound = IN_ALL.at_once + NIGHT_S / IN_ALL.every_s + u64::from(PEOPLE) * (NIGHT_S / WAIT_MAX_S + 1);
    assert_eq!(bound, 780);
    assert!(all <= bound, "{all} guesses");
    assert!(all > u64::from(PEOPLE) * (NIGHT_S / WAIT_MAX_S - 1), "{all}: the attacker is not trying");
    assert!(most <= 100, "{most} guesses at one person");
    let page = include_str!("../../../../../docs/security/threats.md");
    for figure in ["at most 780 guesses", "one in 1,280 nights", "half an hour"] {
        assert!(page.contains(figure), "{figure}");
    }
}

#[test]
fn a_file_that_makes_no_sense_is_an_error_and_no_clean_slate() {
    let directory = tempfile::tempdir().unwrap();
    for nonsense in ["{\"7\":{\"failures\":", "{\"version\":3}", "[]"] {
        fs::write(directory.path().join(FILE), nonsense).unwrap();
        let loaded = Attempts::load(directory.path(), &BTreeSet::new(), 0);
        assert!(matches!(loaded, Err(AttemptsError::Unreadable { .. })), "{nonsense}");
    }
}
