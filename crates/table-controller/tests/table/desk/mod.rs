//! A table as values: people and devices as simple as they can be, and the promises that every suite relies on.
//!
//! After every input a controller resumed from the checkpoint before it must have said, commanded and shown the same
//! (replay = live); a refused request must have changed nothing. Suites only talk to the controller through here.

mod follow;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Mutex, OnceLock, PoisonError};

use device_protocols::reader::ReaderCommand;
use operator_api::{Action, PersonId, Role, Screen};
use table_controller::{
    Clock, Config, Controller, Input, LampState, LayoutInput, LinkIdentity, Output, Outputs, PersonInput, ReaderAnswer,
    ReaderCondition, ReaderInput, Refused, ShoeInput, ShoeSide, ShufflerInput, Spot, SpotWager, Staff, Stamp, Started,
    encode_events, encode_input, read_input,
};
use table_rules::card::{Card, Rank};
use table_rules::game::Game;
use table_rules::money::Cents;
use table_rules::submission::RulesSubmission;
use table_rules::table::Shuffler;
use table_rules::text::PitLines;
use table_rules::wager::WagerId;
use table_rules::{Table, Tracking};

use crate::plain_words::complaint;

pub(crate) const DEALER: Staff = Staff { id: PersonId(100), role: Role::Dealer };
pub(crate) const FLOOR: Staff = Staff { id: PersonId(200), role: Role::Floorperson };
pub(crate) const OTHER_FLOOR: Staff = Staff { id: PersonId(201), role: Role::Floorperson };
pub(crate) const MANAGER: Staff = Staff { id: PersonId(300), role: Role::Manager };
pub(crate) const TECHNICIAN: Staff = Staff { id: PersonId(400), role: Role::Technician };
pub(crate) const AUDITOR: Staff = Staff { id: PersonId(500), role: Role::Auditor };

/// 2026-03-02, 12:00 UTC.
pub(crate) const NOON_MS: i64 = 1_772_452_800_000;
pub(crate) const DAY_MS: i64 = 86_400_000;
/// The gaming day turns at six.
const TURN_MS: i64 = 6 * 3_600_000;

/// What lies under a number in the shoe's slot, and what is still in the shoe.
#[derive(Default)]
pub(crate) struct Shoe {
    pub(crate) cards: VecDeque<Card>,
    pub(crate) drawn: u16,
    pub(crate) slot: BTreeMap<u16, Card>,
    /// Seals that the controller wants open; answered at once unless `slow`.
    pub(crate) to_open: VecDeque<u16>,
    pub(crate) slow: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Slot {
    Idle,
    Armed,
    Test,
    Holds,
}

/// A table ready for its first wagers.
#[derive(Clone)]
struct Morning {
    checkpoint: Vec<u8>,
    cards: VecDeque<Card>,
    lamps: BTreeMap<Spot, LampState>,
    clock: Clock,
}

static MORNINGS: OnceLock<Mutex<BTreeMap<String, Morning>>> = OnceLock::new();

pub(crate) struct Desk {
    pub(crate) config: Config,
    pub(crate) controller: Controller,
    pub(crate) records: Vec<(Vec<u8>, Vec<u8>)>,
    checkpoint: Vec<u8>,
    started_from: Vec<u8>,
    pub(crate) clock: Clock,
    pub(crate) shoe: Shoe,
    pub(crate) reader: Slot,
    pub(crate) shuffler_told: bool,
    pub(crate) lamps: BTreeMap<Spot, LampState>,
    pub(crate) lock_lamp: bool,
    pub(crate) chips: BTreeSet<Spot>,
    /// The hole card as it lies on the table, for the hand that carries it to the reader.
    pub(crate) hole: Option<Card>,
    /// Kinds of what was said by the last input, and all commands of it in words.
    pub(crate) said: Vec<serde_json::Value>,
    pub(crate) commands: Vec<String>,
}

pub(crate) fn submission(name: &str) -> Table {
    let path = format!("{}/../../firmware-config/submissions/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    RulesSubmission::parse(&text).check().table.unwrap()
}

/// A table of this game with every device, a main spot and, where there is one, a progressive spot.
pub(crate) fn config(game: Game) -> Config {
    let name = format!("{}-all-wagers", game.id());
    let table = Table { shuffler: Shuffler::Batch, ..submission(&name) };
    let mut config = Config::with_all_devices("T-7", table, Tracking::Cards);
    if let Some((wager, stake)) = progressive(game) {
        config.spots.push(SpotWager { spot: 2, wager, stake: Some(stake) });
    }
    config
}

pub(crate) fn progressive(game: Game) -> Option<(WagerId, Cents)> {
    match game {
        Game::Blackjack => Some((WagerId::TwentyOnePlusThree, Cents(100))),
        Game::Pontoon21 => Some((WagerId::BonusSpinXtreme, Cents(500))),
        Game::PlayersEdge21 => Some((WagerId::MonsterMatch, Cents(200))),
        Game::Spanish21 => None,
    }
}

pub(crate) fn clock_at(wall_ms: i64) -> Clock {
    let minute = u16::try_from(wall_ms.rem_euclid(DAY_MS) / 60_000).unwrap();
    Clock { wall_ms, monotonic_ms: 0, minute, day: (wall_ms - TURN_MS).div_euclid(DAY_MS), trusted: true }
}

pub(crate) fn identity(serial: &str) -> LinkIdentity {
    LinkIdentity {
        model: "HC-1".to_owned(),
        serial: serial.to_owned(),
        firmware: "ab12".to_owned(),
        ..LinkIdentity::default()
    }
}

pub(crate) fn main_spot(seat: u8) -> Spot {
    Spot { seat, spot: 1 }
}

pub(crate) fn side_spot(seat: u8) -> Spot {
    Spot { seat, spot: 2 }
}

impl Desk {
    pub(crate) fn new(config: Config) -> Self {
        Self::with(Controller::new(config))
    }

    pub(crate) fn with(controller: Controller) -> Self {
        let checkpoint = controller.checkpoint();
        Self {
            config: controller.config().clone(),
            controller,
            records: Vec::new(),
            started_from: checkpoint.clone(),
            checkpoint,
            clock: clock_at(NOON_MS),
            shoe: Shoe::default(),
            reader: Slot::Idle,
            shuffler_told: false,
            lamps: BTreeMap::new(),
            lock_lamp: false,
            chips: BTreeSet::new(),
            hole: None,
            said: Vec::new(),
            commands: Vec::new(),
        }
    }

    /// A table that has started, with all links up and a dealer signed in.
    pub(crate) fn started(config: Config) -> Self {
        let mut desk = Self::new(config);
        desk.start(None);
        desk.links_up();
        desk.staff(DEALER, Action::SignIn).unwrap();
        desk
    }

    /// Inspected, opened, shuffled, cut and loaded, down to the first wagers. The same morning for every test of a table
    /// is gone through once; the others go on from its checkpoint.
    pub(crate) fn dealing(config: Config) -> Self {
        let mornings = MORNINGS.get_or_init(Mutex::default);
        let mut mornings = mornings.lock().unwrap_or_else(PoisonError::into_inner);
        let Morning { checkpoint, cards, lamps, clock } = mornings
            .entry(format!("{config:?}"))
            .or_insert_with(|| {
                let mut desk = Self::started(config.clone());
                desk.inspect(false);
                desk.open_table();
                Morning { checkpoint: desk.checkpoint, cards: desk.shoe.cards, lamps: desk.lamps, clock: desk.clock }
            })
            .clone();
        let mut desk = Self::with(Controller::resumed(config, &checkpoint).unwrap());
        desk.shoe.cards = cards;
        (desk.lamps, desk.clock) = (lamps, clock);
        desk
    }

    /// One input through the one entry, with every promise checked.
    pub(crate) fn apply(&mut self, input: Input) -> Result<(), Refused> {
        let bytes = encode_input(&input);
        assert_eq!(read_input(&bytes).unwrap(), input, "what is recorded is what was said");
        let stamp = Stamp { sequence: self.controller.sequence() + 1 };
        let mut twin = Controller::resumed(self.config.clone(), &self.checkpoint).unwrap();
        let (mut out, mut again) = (Outputs::default(), Outputs::default());
        let result = self.controller.apply(stamp, &input, &mut out);
        assert_eq!(twin.apply(stamp, &input, &mut again), result);
        assert_eq!(format!("{out:?}"), format!("{again:?}"), "replay = live");
        assert_eq!(twin.checkpoint(), self.controller.checkpoint(), "replay = live");
        let events = encode_events(&out.said);
        let checkpoint = self.controller.checkpoint();
        if let Err(refused) = &result {
            assert_eq!(complaint(&refused.reason), None);
            assert_eq!(checkpoint, self.checkpoint, "a refusal changes nothing: {input:?}");
            assert!(out.said.is_empty() && out.commands.is_empty(), "a refusal causes nothing: {input:?}");
            return result;
        }
        assert_eq!(twin.screen(), self.controller.screen());
        self.said = serde_json::from_slice(&events).unwrap();
        for said in &self.said {
            let body = said.as_object().unwrap().values().next().unwrap();
            assert!(
                body["clause"].as_str().is_some_and(|clause| !clause.is_empty()),
                "no word without a source: {said}"
            );
            assert_eq!(body["text"].as_str().and_then(complaint), None);
        }
        self.records.push((bytes, events));
        self.checkpoint = checkpoint;
        self.carry_out(out);
        Ok(())
    }

    /// Whoever plays the records again stands where this table stands.
    pub(crate) fn check_replay(&self) {
        let mut again = Controller::resumed(self.config.clone(), &self.started_from).unwrap();
        for (input, events) in &self.records {
            let stamp = Stamp { sequence: again.sequence() + 1 };
            let mut out = Outputs::default();
            again.apply(stamp, &read_input(input).unwrap(), &mut out).unwrap();
            assert_eq!(&encode_events(&out.said), events);
        }
        assert_eq!(again.checkpoint(), self.checkpoint);
        assert_eq!(again.screen(), self.controller.screen());
    }

    pub(crate) fn device(&mut self, input: Input) {
        self.apply(input).unwrap();
    }

    fn carry_out(&mut self, out: Outputs) {
        self.commands = out.commands.iter().map(|command| format!("{command:?}")).collect();
        for command in out.commands {
            match command {
                Output::Open { draw, .. } => self.shoe.to_open.push_back(draw.0),
                Output::Discard { draw, .. } => {
                    self.shoe.slot.remove(&draw.0);
                }
                Output::DiscardAll { .. } => self.shoe.slot.clear(),
                Output::Shoe { .. } => self.shoe.drawn = 0,
                Output::Reader(command) => match command {
                    ReaderCommand::Arm { .. } => self.reader = Slot::Armed,
                    ReaderCommand::Disarm | ReaderCommand::LeaveTest => self.reader = Slot::Idle,
                    ReaderCommand::EnterTest | ReaderCommand::ArmTest { .. } => self.reader = Slot::Test,
                    _ => {}
                },
                Output::Shuffler(_) => self.shuffler_told = true,
                Output::Lamp { spot, state } => {
                    self.lamps.insert(spot, state);
                }
                Output::LockLamp { locked } => self.lock_lamp = locked,
                Output::LampTest | Output::Reopen => {}
            }
        }
        if !self.shoe.slow {
            self.open_seals();
        }
    }

    /// The slot answers for every seal that may be opened.
    pub(crate) fn open_seals(&mut self) {
        while let Some(draw) = self.shoe.to_open.pop_front() {
            let event = match self.shoe.slot.remove(&draw) {
                Some(card) => ShoeInput::Opened { draw, card: card.to_string() },
                None => ShoeInput::NotOpened { draw },
            };
            self.shoe_says(event);
        }
    }

    pub(crate) fn shoe_says(&mut self, event: ShoeInput) {
        self.device(Input::Shoe { side: ShoeSide::Left, event });
    }

    pub(crate) fn reader_says(&mut self, event: ReaderInput) {
        self.device(Input::Reader(event));
    }

    pub(crate) fn layout_says(&mut self, event: LayoutInput) {
        self.device(Input::Layout(event));
    }

    /// The controller comes up at its clock.
    pub(crate) fn start(&mut self, last_record_ms: Option<i64>) {
        self.clock.monotonic_ms = 0;
        let started = Started { clock: self.clock, last_record_ms, foreign_round: None };
        self.device(Input::Started(started));
    }

    /// The power goes and comes back: everything in memory is gone, the record is not.
    pub(crate) fn restart(&mut self) {
        self.controller = Controller::resumed(self.config.clone(), &self.checkpoint).unwrap();
        self.shoe.slot.clear();
        self.shoe.to_open.clear();
        self.reader = if self.reader == Slot::Holds { Slot::Holds } else { Slot::Idle };
        self.clock.wall_ms += 30_000;
        let last = self.clock.wall_ms - 30_000;
        self.start(Some(last));
    }

    pub(crate) fn links_up(&mut self) {
        self.links_up_but_for(&[]);
    }

    /// Everything is reached again but for these sensors.
    pub(crate) fn links_up_but_for(&mut self, unread: &[Spot]) {
        if self.config.has_reader {
            self.reader_says(ReaderInput::Up(identity("R-1")));
            self.reader_says(ReaderInput::State(ReaderCondition::Idle));
        }
        if self.config.has_shuffler {
            self.device(Input::Shuffler(ShufflerInput::Up(identity("S-1"))));
        }
        if self.config.shoes > 0 {
            self.shoe_says(ShoeInput::Up(identity("D-1")));
        }
        if self.config.has_layout {
            self.read_sensors(unread);
        }
    }

    /// The sensors say what lies there, where the table does not know it.
    pub(crate) fn read_sensors(&mut self, unread: &[Spot]) {
        let occupied: Vec<Spot> = self.chips.iter().copied().filter(|spot| !unread.contains(spot)).collect();
        if self.controller.sensors_say_something(&occupied, unread) {
            self.layout_says(LayoutInput::Read { occupied, unread: unread.to_vec() });
        }
    }

    pub(crate) fn pass(&mut self, milliseconds: i64) {
        let wall_ms = self.clock.wall_ms + milliseconds;
        let monotonic_ms = self.clock.monotonic_ms + u64::try_from(milliseconds).unwrap();
        self.clock = Clock { monotonic_ms, ..clock_at(wall_ms) };
        self.device(Input::Clock(self.clock));
    }

    pub(crate) fn ask(&mut self, by: Option<Staff>, second: Option<Staff>, action: Action) -> Result<(), Refused> {
        self.apply(Input::Person(PersonInput { by, second, action, key: None }))
    }

    pub(crate) fn staff(&mut self, by: Staff, action: Action) -> Result<(), Refused> {
        self.ask(Some(by), None, action)
    }

    /// A word at the dealer's screen.
    pub(crate) fn say(&mut self, words: &str) -> Result<(), Refused> {
        self.ask(None, None, Action::Play { words: words.to_owned() })
    }

    pub(crate) fn say_as(&mut self, by: Staff, words: &str) -> Result<(), Refused> {
        self.staff(by, Action::Play { words: words.to_owned() })
    }

    pub(crate) fn script(&mut self, lines: &str) {
        for line in lines.lines().map(str::trim).filter(|line| !line.is_empty()) {
            self.say(line).unwrap_or_else(|refused| panic!("{line}: {refused:?}"));
        }
    }

    pub(crate) fn screen(&self) -> Screen {
        let screen = self.controller.screen();
        let lines = PitLines::new(screen.prompt.situation.clone(), screen.prompt.text.clone());
        let stops = self.controller.stops();
        for lines in stops.iter().map(|stop| &stop.lines).chain([&lines]) {
            assert_eq!(lines.too_long(), None, "no screen has room for it");
            assert_eq!(complaint(&lines.situation).or_else(|| complaint(&lines.order)), None);
        }
        for long in stops.iter().map(|stop| &stop.reason).chain([&screen.prompt.long]) {
            assert_eq!(complaint(long), None);
        }
        screen
    }

    pub(crate) fn prompt(&self) -> String {
        self.screen().prompt.long
    }

    pub(crate) fn stops(&self) -> Vec<String> {
        self.controller.stops().into_iter().map(|stop| stop.reason).collect()
    }

    /// The alert whose text contains this.
    pub(crate) fn alert(&self, text: &str) -> Option<operator_api::AlertView> {
        self.screen().alerts.into_iter().find(|alert| alert.text.contains(text))
    }

    pub(crate) fn said(&self, kind: &str) -> Option<serde_json::Value> {
        let body = |said: &serde_json::Value| said.as_object().unwrap().values().next().unwrap().clone();
        self.said.iter().map(body).find(|body| body["kind"] == kind)
    }

    pub(crate) fn load(&mut self, cards: &str) {
        self.shoe.cards = cards.split_whitespace().map(|card| card.parse().unwrap()).collect();
    }

    /// A card leaves the shoe.
    pub(crate) fn draw(&mut self) {
        let card = self.shoe.cards.pop_front().unwrap();
        self.shoe.drawn += 1;
        let draw = self.shoe.drawn;
        self.shoe.slot.insert(draw, card);
        let down = self.controller.engine().hole_card_lies_down();
        self.shoe_says(ShoeInput::Drawn { draw, in_play: true });
        if !down && self.controller.engine().hole_card_lies_down() {
            self.hole = Some(card);
        }
    }

    pub(crate) fn draws(&mut self, count: usize) {
        for _ in 0..count {
            self.draw();
        }
    }

    pub(crate) fn chip(&mut self, spot: Spot) {
        self.chips.insert(spot);
        self.layout_says(LayoutInput::Placed(spot));
    }

    /// The button: all chips that lie count.
    pub(crate) fn press_lock(&mut self) {
        self.layout_says(LayoutInput::Locked);
        let accepted = self.chips.iter().copied().collect();
        self.layout_says(LayoutInput::Split { accepted, late: Vec::new(), doubtful: Vec::new() });
    }

    /// Into the armed reader, its answer, and out again.
    pub(crate) fn insert(&mut self, answer: ReaderAnswer) {
        assert_eq!(self.reader, Slot::Armed, "{}", self.prompt());
        self.reader = Slot::Holds;
        self.reader_says(ReaderInput::Inserted);
        self.reader_says(ReaderInput::Answered(answer));
        self.reader = Slot::Idle;
        self.reader_says(ReaderInput::Removed);
    }

    /// What an honest reader says of the card in the dealer's hand.
    pub(crate) fn honest_answer(&self) -> ReaderAnswer {
        let up = self.controller.engine().dealer().cards()[0];
        let hole = self.hole.unwrap();
        let ten = |card: Card| matches!(card.rank(), Rank::Ten | Rank::Jack | Rank::Queen | Rank::King);
        let yes = (up.rank() == Rank::Ace && ten(hole)) || (ten(up) && hole.rank() == Rank::Ace);
        if yes { ReaderAnswer::Yes } else { ReaderAnswer::No }
    }
}
