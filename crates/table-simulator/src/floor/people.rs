//! A dealer, players and a floorperson who see the screen, and do what it says with hands and taps.
//!
//! They read the same JSON as any screen: the prompt, its offers, the hands, the alerts. They know nothing of the rules
//! beyond a plain strategy, so a whole shift of theirs shows that the screen says enough to deal any round.

mod answers;

use std::time::{Duration, Instant};

use answers::{answer_needed, change_decks, look_after_alerts, prepare, settle};

use super::world::Goes;
use crate::dice::Dice;
use operator_api::{Action, Role};
use serde_json::Value;
use table_rules::wager::WagerId;

/// Who says it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Who {
    /// The dealer's screen, without a PIN.
    Screen,
    Dealer,
    Floorperson,
    Manager,
    /// A technician, with the floorperson as the second person.
    TechnicianAndFloor,
    /// The floorperson, with the manager as the second person.
    FloorAndManager,
}

impl Who {
    /// Whose number and PIN it takes, and whose besides.
    pub const fn roles(self) -> (Option<Role>, Option<Role>) {
        match self {
            Self::Screen => (None, None),
            Self::Dealer => (Some(Role::Dealer), None),
            Self::Floorperson => (Some(Role::Floorperson), None),
            Self::Manager => (Some(Role::Manager), None),
            Self::TechnicianAndFloor => (Some(Role::Technician), Some(Role::Floorperson)),
            Self::FloorAndManager => (Some(Role::Floorperson), Some(Role::Manager)),
        }
    }
}

/// The people's numbers and PINs. They are printed: this is nobody's casino.
pub const STAFF: [(u32, Role, &str); 4] = [
    (1001, Role::Dealer, "100100"),
    (2001, Role::Floorperson, "200200"),
    (3001, Role::Manager, "300300"),
    (4001, Role::Technician, "400400"),
];

/// One thing that somebody does.
#[derive(Clone, PartialEq, Debug)]
pub enum Deed {
    Wait,
    Draw(Goes),
    InsertHoleCard,
    InsertTestCard(String),
    TakeCardOut,
    PutChip {
        seat: u8,
        spot: u8,
    },
    TakeChip {
        seat: u8,
        spot: u8,
    },
    PressLock,
    LoadShuffler,
    ShuffleByHand,
    ClearLayout,
    /// The card drawn last is named by hand.
    NameCard,
    /// The hole card, or a turned card of this seat, is named by hand.
    NameHole,
    NameTurned(u8),
    Act(Who, Action),
    Cut {
        words: String,
        depth: usize,
    },
    PlaceCover {
        words: String,
        from_bottom: usize,
    },
    FillShoe,
}

/// What eyes see beside the screen.
#[derive(Clone, Debug, Default)]
pub struct Visible {
    pub reader_holds_card: bool,
    pub reader_is_armed: bool,
    pub reader_is_reading: bool,
    pub reader_tests: bool,
    pub shuffler_is_empty: bool,
    pub shuffler_is_stopped: bool,
    pub shoe_is_ready: bool,
    pub cards_on_table: bool,
    pub chips: Vec<(u8, u8)>,
    /// A card left the shoe and is not on the screen yet; for how long.
    pub card_waits: Option<Duration>,
}

/// So long a dealer looks at the screen before naming a card by hand.
const PATIENCE: Duration = Duration::from_secs(8);

/// So long a test card stays in the reader without an answer.
const TEST_PATIENCE: Duration = Duration::from_secs(4);

#[derive(Debug)]
pub struct People {
    dice: Dice,
    /// This round's boxes.
    plan: Vec<(u8, i64)>,
    planned_round: Option<u64>,
    tried_side: bool,
    /// The order that the test card in the reader was inserted for, and when.
    testing: Option<(String, Instant)>,
    /// A chip to lay after the lock.
    pub late_chip: bool,
    /// The next round has one box, with this wager on it.
    pub one_box: Option<WagerId>,
}

impl People {
    pub fn new(seed: u64) -> Self {
        Self {
            dice: Dice::new(seed),
            plan: Vec::new(),
            planned_round: None,
            tried_side: false,
            testing: None,
            late_chip: false,
            one_box: None,
        }
    }

    /// The next wagers are one box's, with the progressive one; those that were planned and are not laid yet are not.
    pub fn plan_one_box(&mut self, wager: WagerId) {
        self.one_box = Some(wager);
        self.planned_round = None;
    }

    /// What somebody does next, looking at this screen.
    pub fn next(&mut self, screen: &Value, visible: &Visible) -> Deed {
        if screen["signed_in"].is_null() {
            return Deed::Act(Who::Dealer, Action::SignIn);
        }
        if let Some(deed) = self.inspect(screen, visible) {
            return deed;
        }
        if shoe_cannot_name(screen) {
            return Deed::NameCard;
        }
        if let Some(waits) = visible.card_waits {
            return if waits > PATIENCE { Deed::NameCard } else { Deed::Wait };
        }
        if let Some(deed) = look_after_alerts(screen) {
            return deed;
        }
        let stage = screen["stage"].as_str().unwrap_or_default();
        let resting = ["wagering", "preparing", "closed"].contains(&stage);
        if resting && visible.cards_on_table && !offered(screen, "card").any(|_| stage == "wagering" && locked(screen))
        {
            return Deed::ClearLayout;
        }
        if stage == "wagering" {
            // What stands against a next round would be said again to whoever locks.
            let stopped = screen["stops"].as_array().is_some_and(|stops| !stops.is_empty());
            return if stopped { Deed::Wait } else { self.wager(screen, visible) };
        }
        if visible.reader_holds_card && !visible.reader_is_reading {
            return Deed::TakeCardOut;
        }
        self.follow_offers(screen, visible)
    }

    /// The floorperson's inspection, and what stands against a next round.
    fn inspect(&mut self, screen: &Value, visible: &Visible) -> Option<Deed> {
        let by = |who, action| Some(Deed::Act(who, action));
        let answer = |text: &str| Action::InspectionAnswer { answer: text.to_owned() };
        let inspection = &screen["inspection"];
        if screen["mode"] == "inspection" {
            let steps = inspection["steps"].as_array()?;
            let at = usize::try_from(inspection["step"].as_u64()?).ok()?.checked_sub(1)?;
            let text = inspection["text"].as_str().unwrap_or_default();
            return match steps.get(at)?["name"].as_str()? {
                // A card that was read wrong goes in once more.
                _ if !inspection["wrong"].is_null() && !visible.reader_holds_card => {
                    let cards = steps.get(at)?["name"] == "test cards";
                    by(Who::Floorperson, answer(if cards { "repeat" } else { "fail something-else" }))
                }
                "seals" => {
                    let seals = inspection["seals"].as_array().map_or(0, Vec::len);
                    let numbers: Vec<String> = (1041..).take(seals).map(|number| format!("A-{number}")).collect();
                    by(Who::Floorperson, answer(&numbers.join(" ")))
                }
                // Out only when the answer is there and the next card is asked for; or when nothing happens, because the
                // card was in before the reader had been told what to look for.
                _ if visible.reader_holds_card && self.tests(text) => Some(Deed::Wait),
                _ if visible.reader_holds_card => Some(Deed::TakeCardOut),
                "test cards" if visible.reader_tests => {
                    self.testing = Some((text.to_owned(), Instant::now()));
                    let name = text.strip_prefix("Insert the ").and_then(|rest| rest.split(" as if").next());
                    Some(Deed::InsertTestCard(name.unwrap_or_default().to_owned()))
                }
                "test cards" => Some(Deed::Wait),
                "lock-out" => Some(Deed::PressLock),
                "positions" => {
                    let numbers: Vec<u8> = text
                        .rsplit("Next: ")
                        .next()?
                        .split(|letter: char| !letter.is_ascii_digit())
                        .filter_map(|word| word.parse().ok())
                        .collect();
                    let (seat, spot) = (*numbers.first()?, *numbers.get(1)?);
                    if visible.chips.contains(&(seat, spot)) {
                        Some(Deed::TakeChip { seat, spot })
                    } else {
                        Some(Deed::PutChip { seat, spot })
                    }
                }
                "signature" => by(Who::Floorperson, answer("sign")),
                _ => by(Who::Floorperson, answer("pass")),
            };
        }
        let stops = screen["stops"].as_array()?;
        let in_round = !["wagering", "preparing", "closed"].contains(&screen["stage"].as_str()?);
        if in_round {
            return None;
        }
        let says =
            |part: &str| stops.iter().any(|stop| stop["reason"].as_str().is_some_and(|text| text.contains(part)));
        if says("clock") {
            return by(Who::FloorAndManager, Action::ConfirmClock);
        }
        if says("does not answer") {
            return Some(Deed::Wait);
        }
        if says("inspection") && !stops.iter().any(|stop| stop["reason"].as_str().is_some_and(|t| t.contains("differ")))
        {
            return by(Who::Floorperson, Action::BeginInspection { full: says("full inspection") });
        }
        None
    }

    /// Whether the card in the reader is the one that is asked for, and may still be answered.
    fn tests(&self, text: &str) -> bool {
        self.testing.as_ref().is_some_and(|(asked, since)| asked == text && since.elapsed() < TEST_PATIENCE)
    }

    fn wager(&mut self, screen: &Value, visible: &Visible) -> Deed {
        if screen["prompt"]["long"].as_str().is_some_and(|text| text.contains("decks have to be changed")) {
            return change_decks(screen, visible);
        }
        let round = screen["round"].as_u64().unwrap_or_default();
        if self.planned_round != Some(round) {
            self.plan_round(screen, round);
        }
        // A shoe that has just been loaded counts from one only when it has been told.
        if !visible.shoe_is_ready {
            return Deed::Wait;
        }
        for (seat, cents) in &self.plan {
            let box_view = seat_view(screen, *seat);
            if box_view["in_play"] == false {
                let words = format!("wager {seat} main {}", dollars(*cents));
                return Deed::Act(Who::Screen, Action::Play { words });
            }
        }
        if !std::mem::replace(&mut self.tried_side, true)
            && let Some(deed) = self.side_wager(screen, visible)
        {
            return deed;
        }
        if let Some(action) = answer_needed(screen, &mut self.dice) {
            return action;
        }
        match offered(screen, "lock").next() {
            // Held closed by a start while wagers lay: the button has nothing left to close, so the dealer says it.
            Some(_) if locked(screen) => Deed::Act(Who::Screen, Action::Play { words: "lock".to_owned() }),
            Some(_) => Deed::PressLock,
            None => self.follow_offers(screen, visible),
        }
    }

    fn plan_round(&mut self, screen: &Value, round: u64) {
        self.planned_round = Some(round);
        self.tried_side = false;
        let seats: Vec<u8> = offered(screen, "wager")
            .filter(|offer| offer["wager"] == "main")
            .flat_map(|offer| numbers(&offer["seats"]))
            .collect();
        let least = offered(screen, "wager").find(|offer| offer["wager"] == "main");
        let least = least.and_then(|offer| offer["min_cents"].as_i64()).unwrap_or(500);
        let mut seats = seats;
        self.dice.shuffle(&mut seats);
        let boxes = if self.one_box.is_some() { 1 } else { 2 + self.dice.index(3) };
        self.plan = seats
            .into_iter()
            .take(boxes)
            .map(|seat| (seat, least.max(2_500) + 500 * i64::from(u8::try_from(self.dice.below(20)).unwrap_or(0))))
            .collect();
        self.plan.sort_unstable();
    }

    /// Now and then somebody plays a side wager: a chip where there is a sensor, a tap where there is none.
    fn side_wager(&mut self, screen: &Value, visible: &Visible) -> Option<Deed> {
        let sides: Vec<&Value> = offered(screen, "wager").filter(|offer| offer["wager"] != "main").collect();
        let wanted = |offer: &&&Value| self.one_box.is_some_and(|wager| offer["wager"] == wager.id());
        let offer = match sides.iter().find(wanted) {
            Some(wanted) => *wanted,
            None => *sides.get(self.dice.index(sides.len()))?,
        };
        let wager = offer["wager"].as_str()?;
        let boxes: Vec<u8> = self.plan.iter().map(|(seat, _)| *seat).collect();
        let seat = numbers(&offer["seats"]).into_iter().find(|seat| boxes.contains(seat))?;
        let lamps = seat_view(screen, seat)["lamps"].as_array()?;
        if let Some(lamp) = lamps.iter().find(|lamp| lamp["wager"] == wager) {
            let spot = u8::try_from(lamp["spot"].as_u64()?).ok()?;
            return (!visible.chips.contains(&(seat, spot))).then_some(Deed::PutChip { seat, spot });
        }
        let stake = offer["one_of_cents"][0].as_i64().or_else(|| offer["min_cents"].as_i64())?;
        Some(Deed::Act(Who::Screen, Action::Play { words: format!("wager {seat} {wager} {}", dollars(stake)) }))
    }

    /// What the prompt offers decides what is done.
    fn follow_offers(&mut self, screen: &Value, visible: &Visible) -> Deed {
        let has = |word: &str| offered(screen, word).next().is_some();
        let play = |words: &str| Deed::Act(Who::Screen, Action::Play { words: words.to_owned() });
        let stage = screen["stage"].as_str().unwrap_or_default();
        match stage {
            "closed" if has("open") => {
                return Deed::Act(Who::Floorperson, Action::Play { words: "open".to_owned() });
            }
            "closed" => return Deed::Wait,
            "preparing" => return prepare(screen, visible),
            "insurance" | "reader" => {
                if visible.reader_holds_card || !visible.reader_is_armed {
                    // Without a reader in its moment the lines, if any, come first.
                    return settle(screen).unwrap_or(Deed::Wait);
                }
                return settle(screen).unwrap_or(Deed::InsertHoleCard);
            }
            _ => {}
        }
        if self.late_chip && stage == "dealing" {
            self.late_chip = false;
            if let Some(offer) = offered(screen, "late").find(|_| !has_sensors(screen)) {
                let (seat, wager) = (numbers(&offer["seats"]).first().copied(), offer["wager"].as_str());
                return play(&format!("late {} {}", seat.unwrap_or(1), wager.unwrap_or_default()));
            }
            let free = screen["seats"].as_array().into_iter().flatten().find(|seat| {
                seat["lamps"].as_array().is_some_and(|lamps| lamps.iter().any(|lamp| lamp["state"] == "dark"))
            });
            if let Some(seat) = free.and_then(|seat| seat["seat"].as_u64()).and_then(|seat| u8::try_from(seat).ok()) {
                return Deed::PutChip { seat, spot: 1 };
            }
        }
        if let Some(line) = settle(screen) {
            return line;
        }
        if let Some(asked) = answer_needed(screen, &mut self.dice) {
            return asked;
        }
        if has("stand") {
            return self.decide(screen);
        }
        if let Some(offer) = offered(screen, "card").next() {
            return Deed::Draw(where_it_goes(screen, offer));
        }
        if has("burn") {
            return Deed::Draw(Goes::Up);
        }
        if has("reveal") {
            let knows = screen["prompt"]["shoe_knows"] == true;
            return if knows { Deed::Act(Who::Screen, Action::Reveal) } else { Deed::NameHole };
        }
        if let Some(seat) = offered(screen, "turn").flat_map(|offer| numbers(&offer["seats"])).next() {
            let knows = screen["prompt"]["shoe_knows"] == true;
            return if knows { Deed::Act(Who::Screen, Action::TurnUp { seat }) } else { Deed::NameTurned(seat) };
        }
        if has("reader-repaired") {
            return Deed::Act(Who::Floorperson, Action::Play { words: "reader-repaired".to_owned() });
        }
        for (word, who) in
            [("next", Who::Screen), ("floor approve", Who::Floorperson), ("manager approve", Who::Manager)]
        {
            if has(word) {
                return Deed::Act(who, Action::Play { words: word.to_owned() });
            }
        }
        if let Some(seat) = offered(screen, "refuse").flat_map(|offer| numbers(&offer["seats"])).next() {
            return play(&format!("refuse {seat}"));
        }
        prepare(screen, visible)
    }

    /// A plain strategy over what lies open.
    fn decide(&mut self, screen: &Value) -> Deed {
        let play = |words: &str| Deed::Act(Who::Screen, Action::Play { words: words.to_owned() });
        let has = |word: &str| offered(screen, word).next().is_some();
        let hands = screen["seats"]
            .as_array()
            .into_iter()
            .flatten()
            .flat_map(|seat| seat["hands"].as_array().into_iter().flatten());
        let Some(hand) = hands.into_iter().find(|hand| hand["turn"] == true) else { return play("stand") };
        let total = hand["total"].as_u64().unwrap_or(12);
        let soft = hand["soft"] == true;
        let cards: Vec<&str> = hand["cards"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let pair = matches!(cards.as_slice(), [first, second] if first.get(..1) == second.get(..1));
        if has("split") && pair && cards.len() == 2 && self.dice.per_mille(600) {
            return play("split");
        }
        let fresh = cards.len() == 2;
        if has("double") && fresh && !soft && (9..=11).contains(&total) {
            return play("double");
        }
        if has("surrender") && fresh && !soft && total == 16 && self.dice.per_mille(300) {
            return play("surrender");
        }
        let stands = if soft { total >= 18 } else { total >= 15 };
        if stands || !has("card") { play("stand") } else { Deed::Draw(Goes::Up) }
    }
}

/// Where the card goes that this offer asks for.
pub fn where_it_goes(screen: &Value, offer: &Value) -> Goes {
    let text = screen["prompt"]["text"].as_str().unwrap_or_default();
    match offer["face"].as_str() {
        Some("down") if text.contains("hole") => Goes::Hole,
        Some("down") => seat_named(screen).map_or(Goes::Hole, Goes::Down),
        Some(_) | None => Goes::Up,
    }
}

pub fn offered<'a>(screen: &'a Value, word: &'a str) -> impl Iterator<Item = &'a Value> {
    screen["prompt"]["offers"].as_array().into_iter().flatten().filter(move |offer| offer["word"] == word)
}

/// The felt tells of chips and of the lock-out; without sensors somebody says so.
pub fn has_sensors(screen: &Value) -> bool {
    screen["seats"][0]["lamps"].as_array().is_some_and(|lamps| !lamps.is_empty())
}

/// A card lies open that the shoe could not name, after a start for example.
fn shoe_cannot_name(screen: &Value) -> bool {
    let mut alerts = screen["alerts"].as_array().into_iter().flatten();
    alerts.any(|alert| {
        alert["ended"] == false && alert["text"].as_str().is_some_and(|text| text.contains("look at it and enter it"))
    })
}

fn locked(screen: &Value) -> bool {
    screen["locked"] == true
}

fn seat_view(screen: &Value, seat: u8) -> &Value {
    let seats = screen["seats"].as_array().into_iter().flatten();
    seats.into_iter().find(|each| each["seat"] == seat).unwrap_or(&Value::Null)
}

/// The first number in the prompt, which is the seat that it speaks of.
fn seat_named(screen: &Value) -> Option<u8> {
    let text = screen["prompt"]["text"].as_str()?;
    text.split(|letter: char| !letter.is_ascii_digit()).find_map(|word| word.parse().ok())
}

fn numbers(value: &Value) -> Vec<u8> {
    let list = value.as_array().into_iter().flatten();
    list.filter_map(|each| each.as_u64().and_then(|number| u8::try_from(number).ok())).collect()
}

fn dollars(cents: i64) -> String {
    format!("{}.{:02}", cents / 100, cents % 100)
}
