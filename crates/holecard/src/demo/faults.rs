//! What somebody at the demo can make go wrong, from a key or from the page: each at the next moment where it can happen.
//!
//! The faults are made in the world: a card that cannot be read, a machine that jams. What the table makes of them is its
//! own affair, and the people's at it.

use operator_api::Action;
use serde_json::Value;
use table_rules::game::Game;
use table_rules::wager::WagerId;
use table_simulator::floor::people::{Who, offered};
use table_simulator::floor::shift::Shift;
use table_simulator::floor::site::has_shuffler;

use super::stack::Stack;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fault {
    Unread,
    ReaderFails,
    Jam,
    LateChip,
    Jackpot,
    PowerCut,
}

impl Fault {
    pub(crate) const ALL: [Self; 6] =
        [Self::Unread, Self::ReaderFails, Self::Jam, Self::LateChip, Self::Jackpot, Self::PowerCut];

    pub(crate) const fn key(self) -> char {
        match self {
            Self::Unread => 'u',
            Self::ReaderFails => 'f',
            Self::Jam => 'j',
            Self::LateChip => 'l',
            Self::Jackpot => 'k',
            Self::PowerCut => 'p',
        }
    }

    /// The word that the page sends.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Unread => "unread",
            Self::ReaderFails => "reader-fault",
            Self::Jam => "jam",
            Self::LateChip => "late-chip",
            Self::Jackpot => "jackpot",
            Self::PowerCut => "power-cut",
        }
    }

    pub(crate) const fn label(self) -> &'static str {
        match self {
            Self::Unread => "unread card",
            Self::ReaderFails => "reader fault",
            Self::Jam => "shuffler jam",
            Self::LateChip => "late chip",
            Self::Jackpot => "jackpot",
            Self::PowerCut => "power cut",
        }
    }

    /// Whether this game's table has what it takes.
    pub(crate) fn is_for(self, game: Game) -> bool {
        match self {
            Self::Unread | Self::ReaderFails | Self::PowerCut => true,
            Self::Jam => has_shuffler(game),
            // Its spots have no sensors.
            Self::LateChip => game != Game::Spanish21,
            // Monster Match, whose four cards can be sorted into a shoe.
            Self::Jackpot => game == Game::PlayersEdge21,
        }
    }
}

/// What was asked for and has not happened yet, or waits for somebody's hands.
#[derive(Debug, Default)]
pub(crate) struct Trouble {
    jam: bool,
    reader_fails: bool,
    jackpot: Jackpot,
}

/// A jackpot that somebody wants to see: one box with the progressive wager, and a shoe sorted for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Jackpot {
    #[default]
    Not,
    Wanted,
    /// The box is planned; the cards are sorted when the first of them is due.
    Planned,
}

impl Trouble {
    /// Everything but the power cut, which ends the page as well.
    pub(crate) fn bring(&mut self, fault: Fault, shift: &mut Shift, stack: &Stack) {
        match fault {
            Fault::Unread => stack.world.make_reader_unread(),
            Fault::ReaderFails => {
                self.reader_fails = true;
                stack.world.reader_fault(true);
            }
            Fault::Jam => self.jam = true,
            Fault::LateChip => shift.people.late_chip = true,
            Fault::Jackpot => self.jackpot = Jackpot::Wanted,
            Fault::PowerCut => {}
        }
    }

    /// Looks whether the moment has come. `by_hand`: a person deals, and orders no shuffle for a jam's sake.
    pub(crate) async fn go_on(&mut self, screen: &Value, by_hand: bool, shift: &mut Shift, stack: &mut Stack) {
        if self.reader_fails && somebody_saw_the_reader(screen) {
            // Whoever was called has cleaned the sensor.
            self.reader_fails = false;
            stack.world.reader_fault(false);
        }
        if self.jam && stack.world.jam() {
            self.jam = false;
        }
        let rests = screen["stage"] == "wagering"
            && screen["seats"].as_array().is_some_and(|seats| seats.iter().all(|seat| seat["in_play"] == false));
        if self.jam && rests && !by_hand && offered(screen, "floor reshuffle").next().is_some() {
            // A machine jams while it works.
            let reshuffle = Action::Play { words: "floor reshuffle".to_owned() };
            let _answer = stack.say(Who::Floorperson, reshuffle, screen["prompt_number"].as_u64()).await;
        }
        self.jackpot = match self.jackpot {
            Jackpot::Wanted if rests => {
                shift.people.plan_one_box(WagerId::MonsterMatch);
                Jackpot::Planned
            }
            // A first card may be burnt before: those that matter come next.
            Jackpot::Planned if screen["stage"] == "dealing" && deals_first_card(screen) => {
                shift.people.one_box = None;
                // A shoe that no longer has four alike: at the next round, perhaps from the next shoe.
                if stack.world.sort_shoe_alike(4) { Jackpot::Not } else { Jackpot::Wanted }
            }
            same @ (Jackpot::Not | Jackpot::Wanted | Jackpot::Planned) => same,
        };
    }
}

fn deals_first_card(screen: &Value) -> bool {
    screen["prompt"]["long"].as_str().is_some_and(|text| text.starts_with("Deal a first card"))
}

fn somebody_saw_the_reader(screen: &Value) -> bool {
    let alerts = screen["alerts"].as_array();
    alerts.into_iter().flatten().any(|alert| alert["fault"]["part"] == "reader" && !alert["acknowledged_by"].is_null())
}
