//! A person deals: hands act on the simulated felt when the page's rail says so, and what nobody has to think about follows
//! by itself: the card out of the reader, cards into the rack, cards into the shoe.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use device_protocols::reader::ReaderState;
use device_protocols::shuffler::ShufflerState;
use operator_api::Action;
use serde_json::Value;
use table_daemon::http::HandAct;
use table_simulator::floor::people::{Who, has_sensors, offered, where_it_goes};

use super::stack::Stack;

/// Longer than any debounce, and about as long as a finger stays on a button.
const PRESS: Duration = Duration::from_millis(150);

/// So long a test card waits for its answer; where none comes, it is taken out and goes in once more.
const TEST_PATIENCE: Duration = Duration::from_secs(3);

#[derive(Debug, Default)]
pub(crate) struct ByHand {
    /// What the screen offered a moment ago.
    before: Value,
    /// When the finger leaves the lock-out button.
    lock_until: Option<Instant>,
    /// The test card in the reader: what was asked for, and since when it is in.
    test_card: Option<(String, Instant)>,
    /// The chips on each box, as far as hands have laid them.
    stakes: BTreeMap<u8, i64>,
}

impl ByHand {
    /// What follows by itself.
    pub(crate) fn follow(&mut self, stack: &mut Stack, screen: &Value) {
        if self.lock_until.is_some_and(|until| Instant::now() >= until) {
            self.lock_until = None;
            stack.world.press_lock(false);
        }
        let world = &mut stack.world;
        let reading = matches!(world.reader_state(), ReaderState::Reading(_) | ReaderState::CardIn(_));
        // A test card stays until the reader has answered, which asks for the next one.
        let asked = screen["inspection"]["text"].as_str().unwrap_or_default();
        let tested = |(text, since): &(String, Instant)| text == asked && since.elapsed() < TEST_PATIENCE;
        let testing = self.test_card.as_ref().is_some_and(tested);
        if world.reader_holds_card() && !reading && !testing {
            world.take_card_out();
        }
        let resting = ["wagering", "preparing", "closed"].iter().any(|stage| screen["stage"] == *stage);
        if resting && screen["locked"] == false && world.cards_on_table() {
            world.clear_layout();
            self.stakes.clear();
        }
        if world.shuffler_state() == Some(ShufflerState::Empty) && offered(screen, "shuffle").next().is_some() {
            world.load_shuffler();
        }
        let done = |word: &'static str| {
            let before = offered(&self.before, word).next();
            before.filter(|_| offered(screen, word).next().is_none())
        };
        if done("shuffle").is_some() && world.shuffler_state().is_none() {
            world.shuffle_by_hand();
        }
        if let Some(offer) = done("place") {
            let from_bottom = offer["values"][0].as_str().and_then(|least| least.parse().ok());
            world.place_cover(from_bottom.unwrap_or(60));
        }
        if done("load").is_some() {
            world.fill_shoe();
        }
        self.before = screen.clone();
    }

    /// One thing that somebody's hand does. What the table would not expect is left undone.
    pub(crate) async fn act(&mut self, hand: HandAct, stack: &mut Stack, screen: &Value) {
        match hand {
            HandAct::Chip { seat, cents } => {
                let laid = self.laid(seat, screen) + cents.clamp(0, 1_000_000);
                let words = format!("wager {seat} main {}.{:02}", laid / 100, laid % 100);
                self.stakes.insert(seat, laid);
                let _answer = stack.say(Who::Screen, Action::Play { words }, None).await;
            }
            HandAct::TakeBack { seat } => {
                self.stakes.remove(&seat);
                let words = format!("unwager {seat} main");
                let _answer = stack.say(Who::Screen, Action::Play { words }, None).await;
            }
            HandAct::Progressive { seat } => {
                if stack.world.chips().contains(&(seat, 1)) {
                    stack.world.take_chip(seat, 1);
                } else {
                    stack.world.put_chip(seat, 1);
                }
            }
            HandAct::LockOut if has_sensors(screen) => {
                stack.world.press_lock(true);
                self.lock_until = Some(Instant::now() + PRESS);
            }
            HandAct::LockOut => {
                let _answer = stack.say(Who::Screen, Action::Play { words: "lock".to_owned() }, None).await;
            }
            HandAct::Draw => {
                let card = offered(screen, "card").next();
                let wanted = card.is_some() || offered(screen, "burn").next().is_some();
                if wanted && !stack.world.shoe_waits() {
                    let _drawn = stack.world.draw(where_it_goes(screen, card.unwrap_or(&Value::Null)));
                }
            }
            HandAct::Insert if stack.world.reader_awaits_test_card() => {
                // The card alone: the sentence also names the one that it lies under.
                let text = screen["inspection"]["text"].as_str().unwrap_or_default();
                let name = text.strip_prefix("Insert the ").and_then(|rest| rest.split(" as if").next());
                self.test_card = Some((text.to_owned(), Instant::now()));
                stack.world.insert_test_card(name.unwrap_or_default());
            }
            HandAct::Insert => stack.world.insert_hole_card(),
        }
    }

    /// What lies on a box: as the table shows it, or as hands have laid it since.
    fn laid(&self, seat: u8, screen: &Value) -> i64 {
        let view = screen["seats"].as_array().into_iter().flatten().find(|each| each["seat"] == seat);
        let shown = view.filter(|view| view["in_play"] == true).and_then(|view| view["main_cents"].as_i64());
        shown.unwrap_or(0).max(self.stakes.get(&seat).copied().unwrap_or(0))
    }
}
