//! Each fault of the demo on its stack: the table says what it is about, the people resolve it, and play goes on.

use std::time::{Duration, Instant};

use serde_json::Value;
use table_rules::game::Game;
use table_simulator::floor::shift::Shift;
use table_simulator::floor::site::Site;

use super::faults::{Fault, Trouble};
use super::stack::{DEMO, Stack, moment};
use super::tests::PATIENCE;

/// A table, its people, and what goes wrong.
struct Floor {
    stack: Stack,
    shift: Shift,
    trouble: Trouble,
    /// Every prompt and every alert that was to be read, in their order.
    read: Vec<String>,
    _folder: tempfile::TempDir,
}

impl Floor {
    async fn open(game: Game) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let site = Site::write(folder.path(), game, DEMO).unwrap();
        let stack = Stack::start(&site, 7, 300).await.unwrap();
        Self { stack, shift: Shift::new(11), trouble: Trouble::default(), read: Vec::new(), _folder: folder }
    }

    /// Plays until the screen is as wanted.
    async fn until(&mut self, what: &str, wanted: impl Fn(&Value) -> bool) {
        let until = Instant::now() + PATIENCE;
        loop {
            let screen = self.stack.screen();
            self.note(&screen);
            if wanted(&screen) {
                return;
            }
            assert!(Instant::now() < until, "{what} never came: {screen:#}\n{:#?}", self.read);
            self.trouble.go_on(&screen, false, &mut self.shift, &mut self.stack).await;
            moment(&mut self.shift, &mut self.stack).await;
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    fn note(&mut self, screen: &Value) {
        let prompt = screen["prompt"]["long"].as_str();
        let alerts = screen["alerts"].as_array().into_iter().flatten();
        for text in prompt.into_iter().chain(alerts.filter_map(|alert| alert["text"].as_str())) {
            if !self.read.iter().rev().take(8).any(|read| read == text) {
                self.read.push(text.to_owned());
            }
        }
    }

    async fn rounds(&mut self, more: u64) {
        let rounds = |screen: &Value| screen["day"]["rounds"].as_u64().unwrap_or(0);
        let wanted = rounds(&self.stack.screen()) + more;
        self.until("the end of a round", |screen| rounds(screen) >= wanted).await;
    }

    fn bring(&mut self, fault: Fault) {
        self.read.clear();
        self.trouble.bring(fault, &mut self.shift, &self.stack);
    }

    fn was_read(&self, part: &str) {
        assert!(self.read.iter().any(|text| text.contains(part)), "nobody read {part:?}: {:#?}", self.read);
    }

    async fn end(self) {
        self.stack.stop().await;
    }
}

#[tokio::test]
async fn a_jackpot_is_walked_from_the_hand_to_the_second_person_whenever_it_is_asked_for() {
    let mut floor = Floor::open(Game::PlayersEdge21).await;
    let jackpots = |screen: &Value| screen["day"]["jackpots"].as_u64().unwrap_or(0);
    // Before the first round, whose first card is burnt; while players decide; while wagers are laid.
    for (number, moment) in ["closed", "decisions", "wagering"].into_iter().enumerate() {
        if moment != "closed" {
            floor.until(moment, |screen| screen["stage"] == moment).await;
        }
        floor.bring(Fault::Jackpot);
        let wanted = u64::try_from(number).unwrap() + 1;
        floor.until("the jackpot", |screen| jackpots(screen) >= wanted).await;
        for part in ["Verify the hand", "Verify that the lamp", "Floorperson: approve", "Second person: approve"] {
            floor.was_read(part);
        }
        floor.rounds(1).await;
    }
    floor.end().await;
}

#[tokio::test]
async fn a_late_chip_is_told_and_does_not_count() {
    let mut floor = Floor::open(Game::Blackjack).await;
    floor.rounds(1).await;
    floor.bring(Fault::LateChip);
    floor.until("the late chip", |screen| screen["day"]["late_wagers"].as_u64() > Some(0)).await;
    floor.rounds(2).await;
    floor.end().await;
}

#[tokio::test]
async fn a_jam_is_told_and_the_cards_are_shuffled_all_the_same() {
    let mut floor = Floor::open(Game::PlayersEdge21).await;
    floor.rounds(1).await;
    floor.bring(Fault::Jam);
    floor
        .until("the jam", |screen| {
            let mut alerts = screen["alerts"].as_array().into_iter().flatten();
            alerts.any(|alert| alert["text"].as_str().is_some_and(|text| text.contains("jam")))
        })
        .await;
    floor.rounds(2).await;
    floor.end().await;
}

#[tokio::test]
async fn an_unread_card_is_read_again_and_the_round_goes_on() {
    let mut floor = Floor::open(Game::Blackjack).await;
    floor.rounds(1).await;
    floor.bring(Fault::Unread);
    floor
        .until("an unread card", |screen| {
            screen["prompt"]["long"].as_str().is_some_and(|text| text.contains("nread") || text.contains("again"))
        })
        .await;
    floor.rounds(2).await;
    floor.end().await;
}

#[tokio::test]
async fn a_reader_fault_stops_the_next_round_until_somebody_has_been_there() {
    let mut floor = Floor::open(Game::PlayersEdge21).await;
    floor.rounds(1).await;
    floor.bring(Fault::ReaderFails);
    floor.until("the alert", |screen| !screen["alerts"].as_array().unwrap().is_empty()).await;
    floor.rounds(2).await;
    let stopped = |text: &String| text.starts_with("No next round: Reader (") && text.contains("slot sensor stuck");
    assert!(floor.read.iter().any(stopped), "nobody read what stopped it: {:#?}", floor.read);
    floor.end().await;
}

#[tokio::test]
async fn after_a_power_cut_in_a_round_the_round_is_played_on() {
    let mut floor = Floor::open(Game::PlayersEdge21).await;
    floor.rounds(1).await;
    floor.until("decisions", |screen| screen["stage"] == "decisions").await;
    let round = floor.stack.screen()["round"].as_u64();
    floor.read.clear();
    floor.stack.cut_power().await.unwrap();
    assert_eq!(floor.stack.screen()["round"].as_u64(), round);
    floor.rounds(2).await;
    floor.was_read("restarted in the middle of a round");
    floor.end().await;
}
