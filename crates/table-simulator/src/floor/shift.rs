//! A shift at the table: somebody looks at the screen and the felt, decides, and does it.

use std::time::{Duration, Instant};

use device_protocols::reader::ReaderState;
use device_protocols::shuffler::ShufflerState;
use operator_api::Action;
use serde_json::Value;
use table_rules::card::Card;

use super::people::{Deed, People, Visible, Who, has_sensors};
use super::world::World;

/// What eyes see of the world. `waiting`: a card was drawn and nobody has seen yet where it went; for how long.
pub fn look(world: &World, screen: &Value, waiting: Option<Duration>) -> Visible {
    let state = world.reader_state();
    let shuffler = world.shuffler_state();
    Visible {
        reader_holds_card: world.reader_holds_card(),
        reader_is_armed: matches!(state, ReaderState::Armed(_)),
        reader_is_reading: matches!(state, ReaderState::Reading(_) | ReaderState::CardIn(_)),
        reader_tests: world.reader_awaits_test_card(),
        shuffler_is_empty: shuffler == Some(ShufflerState::Empty),
        shuffler_is_stopped: matches!(shuffler, Some(ShufflerState::Jammed | ShufflerState::Counted)),
        shoe_is_ready: screen["devices"]
            .as_array()
            .is_none_or(|devices| devices.iter().any(|device| device["part"] == "shoe" && device["up"] == true)),
        cards_on_table: world.cards_on_table(),
        chips: world.chips(),
        card_waits: waiting,
    }
}

/// One person's moment at the table: looks, decides, does. Says what was refused.
#[derive(Debug)]
pub struct Shift {
    pub people: People,
    /// When a card was drawn that the screen has not come to rest on.
    drawn: Option<Instant>,
    last_sequence: Option<u64>,
    /// A hand that lays a chip or presses a button is not done at once.
    busy_until: Option<Instant>,
    /// A button that was pressed is not pressed again before the screen could have answered.
    lock_rests_until: Option<Instant>,
}

/// Longer than any debounce, and about as long as a hand needs.
const HAND: Duration = Duration::from_millis(150);
/// Between two presses of the lock-out button: quicker ones look like a loose wire, which is believed again after a second of
/// calm.
const LOCK_RESTS: Duration = Duration::from_millis(1_500);

/// What a moment came to.
#[derive(Clone, PartialEq, Debug)]
pub enum Moment {
    Done,
    Waited,
    Refused { deed: Box<Deed>, reason: String, clause: String },
    NoCards,
}

impl Shift {
    pub fn new(seed: u64) -> Self {
        Self { people: People::new(seed), drawn: None, last_sequence: None, busy_until: None, lock_rests_until: None }
    }

    /// What somebody would do now.
    pub fn choose(&mut self, world: &World, screen: &Value) -> Deed {
        if let Some(until) = self.busy_until {
            if Instant::now() < until {
                return Deed::Wait;
            }
            self.busy_until = None;
            world.press_lock(false);
        }
        // The card is where it belongs when the shoe has been told so and the screen has come to rest.
        let sequence = screen["sequence"].as_u64();
        let rests = std::mem::replace(&mut self.last_sequence, sequence) == sequence;
        self.drawn = self.drawn.filter(|_| !rests || world.shoe_waits());
        let visible = look(world, screen, self.drawn.map(|drawn| drawn.elapsed()));
        self.people.next(screen, &visible)
    }

    /// Does what hands do; what has to be said comes back.
    pub fn handle(&mut self, deed: &Deed, world: &mut World, screen: &Value) -> Result<Option<(Who, Action)>, Moment> {
        let play = |words: String| Ok(Some((Who::Screen, Action::Play { words })));
        let named = |card: Option<Card>, word: &str| match card {
            Some(card) => play(format!("{word} {card}")),
            None => Err(Moment::NoCards),
        };
        match deed {
            Deed::Wait => return Err(Moment::Waited),
            Deed::Draw(goes) => {
                if !world.draw(*goes) {
                    return Err(Moment::NoCards);
                }
                self.drawn = Some(Instant::now());
                self.last_sequence = None;
            }
            Deed::InsertHoleCard => world.insert_hole_card(),
            Deed::InsertTestCard(name) => world.insert_test_card(name),
            Deed::TakeCardOut => world.take_card_out(),
            Deed::PutChip { seat, spot } => {
                world.put_chip(*seat, *spot);
                self.busy_until = Some(Instant::now() + HAND);
            }
            Deed::TakeChip { seat, spot } => {
                world.take_chip(*seat, *spot);
                self.busy_until = Some(Instant::now() + HAND);
            }
            Deed::PressLock if has_sensors(screen) => {
                let now = Instant::now();
                if self.lock_rests_until.is_some_and(|until| now < until) {
                    return Err(Moment::Waited);
                }
                world.press_lock(true);
                self.busy_until = Some(now + HAND);
                self.lock_rests_until = Some(now + LOCK_RESTS);
            }
            Deed::PressLock => return play("lock".to_owned()),
            Deed::LoadShuffler => world.load_shuffler(),
            Deed::ShuffleByHand => {
                world.shuffle_by_hand();
                return play("shuffle by-hand".to_owned());
            }
            Deed::ClearLayout => world.clear_layout(),
            Deed::NameCard => {
                self.drawn = None;
                return named(world.in_hand, "card");
            }
            Deed::NameHole => return named(world.hole, "reveal"),
            Deed::NameTurned(seat) => {
                let card = world.down.get_mut(seat).filter(|cards| !cards.is_empty()).map(|cards| cards.remove(0));
                return named(card, &format!("turn {seat}"));
            }
            Deed::Act(who, action) => return Ok(Some((*who, action.clone()))),
            Deed::Cut { words, depth } => {
                world.cut(*depth);
                return play(words.clone());
            }
            Deed::PlaceCover { words, from_bottom } => {
                world.place_cover(*from_bottom);
                return play(words.clone());
            }
            Deed::FillShoe => {
                world.fill_shoe();
                return play("load".to_owned());
            }
        }
        Ok(None)
    }
}
