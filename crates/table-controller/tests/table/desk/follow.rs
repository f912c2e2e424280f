//! People who do what the screen says: the inspection, the opening, whole rounds. Deterministic; every player stands on
//! twelve and takes no insurance.

use operator_api::Action;
use table_controller::{BatchColour, Input, LayoutInput, ReaderAnswer, ReaderInput, ShufflerInput};
use table_rules::engine::StageView;
use table_rules::line::Handling;
use table_rules::prompt::Order;

use super::{DEALER, Desk, FLOOR, MANAGER, Slot, main_spot};

/// A round that needs more deeds than this does not end.
const DEEDS_MAX: usize = 400;

impl Desk {
    /// Goes through every step of the inspection and signs it.
    pub(crate) fn inspect(&mut self, full: bool) {
        self.staff(FLOOR, Action::BeginInspection { full }).unwrap();
        self.finish_inspection();
    }

    pub(crate) fn answer(&mut self, answer: &str) {
        self.staff(FLOOR, Action::InspectionAnswer { answer: answer.to_owned() }).unwrap();
    }

    /// How many seals this table has.
    pub(crate) fn seals(&self) -> usize {
        self.screen().inspection.unwrap().seals.len()
    }

    pub(crate) fn step(&self) -> String {
        let view = self.screen().inspection.unwrap();
        view.steps[view.step - 1].name.to_owned()
    }

    /// Answers the current step as a table in order does. Gives back whether the inspection goes on.
    pub(crate) fn inspection_step(&mut self) -> bool {
        if self.screen().inspection.unwrap().wrong.is_some() {
            self.answer("fail something-else");
            return true;
        }
        match self.step().as_str() {
            "seals" => {
                let numbers: Vec<String> = (17..).take(self.seals()).map(|number| format!("A-{number}")).collect();
                self.answer(&numbers.join(" "));
            }
            "housing" | "identity" | "lamps" | "view" | "shuffler" | "counters" => self.answer("pass"),
            "test cards" => self.insert_test_cards(),
            "lock-out" => {
                self.layout_says(LayoutInput::Locked);
                self.layout_says(LayoutInput::Split { accepted: vec![], late: vec![], doubtful: vec![] });
            }
            "positions" => {
                for seat in 1..=self.config.table.positions {
                    for spot in self.config.spots.clone() {
                        let spot = table_controller::Spot { seat, spot: spot.spot };
                        self.layout_says(LayoutInput::Placed(spot));
                        self.layout_says(LayoutInput::Removed(spot));
                    }
                }
            }
            "signature" => {
                let sign = Action::InspectionAnswer { answer: "sign".to_owned() };
                self.staff(FLOOR, sign).unwrap();
                return false;
            }
            other => panic!("what is {other}?"),
        }
        true
    }

    pub(crate) fn finish_inspection(&mut self) {
        while self.inspection_step() {}
    }

    pub(crate) fn insert_test_cards(&mut self) {
        let full = self.screen().inspection.unwrap().full;
        let cards = if full { self.config.full_test_cards.clone() } else { self.config.daily_test_cards.clone() };
        while self.step() == "test cards" {
            assert_eq!(self.reader, Slot::Test);
            let text = self.screen().inspection.unwrap().text;
            let number = text.rsplit('(').next().unwrap().split(' ').next().unwrap().parse::<usize>().unwrap();
            let card = &cards[number - 1];
            assert!(text.contains(&card.name), "{text}");
            self.reader_says(ReaderInput::TestAnswered { group: card.group, answer: card.expected });
        }
    }

    /// From closed to the first wagers.
    pub(crate) fn open_table(&mut self) {
        assert!(matches!(self.controller.engine().stage(), StageView::Closed), "{}", self.prompt());
        self.say_as(FLOOR, "open").unwrap_or_else(|refused| panic!("{refused:?}"));
        for _ in 0..DEEDS_MAX {
            if self.controller.engine().is_wagering() {
                return;
            }
            self.deed();
        }
        panic!("the table does not open: {}", self.prompt());
    }

    /// Chips on these seats' main spots, the amounts told, the button pressed.
    pub(crate) fn wager_and_lock(&mut self, seats: &[u8]) {
        for seat in seats {
            self.chip(main_spot(*seat));
            self.say(&format!("wager {seat} main 20")).unwrap();
        }
        self.press_lock();
        assert!(self.controller.in_round(), "{:?}", self.stops());
    }

    /// To the end of the round, one deed after the other.
    pub(crate) fn finish_round(&mut self) {
        for _ in 0..DEEDS_MAX {
            if !self.controller.in_round() {
                self.chips.clear();
                self.hole = None;
                return;
            }
            self.deed();
        }
        panic!("the round does not end: {}", self.prompt());
    }

    pub(crate) fn play_round(&mut self, seats: &[u8]) {
        self.wager_and_lock(seats);
        self.finish_round();
    }

    /// What somebody does next.
    #[expect(clippy::wildcard_enum_match_arm, reason = "what no test leads to ends it")]
    pub(crate) fn deed(&mut self) {
        let (order, _) = self.controller.engine().order();
        let table = self.config.table.clone();
        match order {
            Order::BurnFirstCard
            | Order::BurnForNewDealer
            | Order::DealFirstCard { .. }
            | Order::DealUpCard
            | Order::DealSecondCard { .. }
            | Order::DealHoleCard
            | Order::DealHit { .. }
            | Order::DealDouble { .. }
            | Order::DealSplitCard { .. }
            | Order::DealToDealer { .. } => self.draw(),
            Order::AskDecision { total, .. } if total < 12 => self.draw(),
            Order::AskDecision { .. } | Order::AskAfterDouble { .. } => self.say("stand").unwrap(),
            Order::OfferInsurance | Order::InsertHoleCard { .. } => {
                let answer = self.honest_answer();
                self.insert(answer);
            }
            Order::TurnHoleCard { .. } => self.turn_hole_card(),
            Order::TurnCard { seat } => {
                self.ask(None, None, Action::TurnUp { seat: seat.number() }).unwrap();
            }
            Order::SettleLine { .. } => {
                let line = self.controller.engine().prompt().line.unwrap();
                let word = if line.handling() == Handling::Take { "collected" } else { "paid" };
                self.say(word).unwrap();
            }
            Order::VerifyHand | Order::VerifyLamp | Order::AnswerPayments | Order::TellPersons => {
                self.say("next").unwrap();
            }
            Order::ApproveLine | Order::NotifyFloor => self.say_as(FLOOR, "floor approve").unwrap(),
            Order::ApproveLineSecond => self.say_as(MANAGER, "manager approve").unwrap(),
            Order::TellAmount { seat, wager } => self.say(&format!("amount {seat} {wager} 20")).unwrap(),
            Order::TellDraw { .. } => self.device(Input::Chance { words: "draw none".to_owned() }),
            Order::ReaderStopped | Order::RepairReader => self.say_as(FLOOR, "reader-repaired").unwrap(),
            Order::ReceiveDecks(count) => self.say(&format!("decks {count}")).unwrap(),
            Order::InspectCards => self.say_as(DEALER, "inspect dealer").unwrap(),
            Order::VerifyInspection => self.say_as(FLOOR, "inspect floor").unwrap(),
            Order::ConfirmTens => self.say("inspect floor").unwrap(),
            Order::RemoveTens => self.say(&format!("inspect tens {}", table.decks * 4)).unwrap(),
            Order::SpreadCards(_) => self.say("spread").unwrap(),
            Order::LetPlayerInspect { .. } => self.say("inspect player 1").unwrap(),
            Order::WashCards(_) => self.say("wash").unwrap(),
            Order::Shuffle(_) | Order::SwapBatches | Order::IntoShuffler => self.shuffle(),
            Order::OfferCut(Some(seat)) => self.say(&format!("cut {seat} 60")).unwrap(),
            Order::OfferCut(None) | Order::OfferCutToAnyone => self.say("cut dealer 60").unwrap(),
            Order::PlaceCover { least, .. } => self.say(&format!("place {least}")).unwrap(),
            Order::LoadShoe { .. } | Order::TakeIntoHand => {
                self.say("load").unwrap();
                if self.shoe.cards.is_empty() {
                    self.shoe.cards = shoe_of(&table);
                }
            }
            other => panic!("nobody here knows what to do: {other:?}"),
        }
    }

    fn turn_hole_card(&mut self) {
        if self.screen().prompt.shoe_knows {
            self.ask(None, None, Action::Reveal).unwrap();
        } else {
            let hole = self.hole.unwrap();
            self.say(&format!("reveal {hole}")).unwrap();
        }
        self.hole = None;
    }

    /// The cards go through the machine.
    pub(crate) fn shuffle(&mut self) {
        if !self.config.has_shuffler {
            self.say("shuffle").unwrap();
            return;
        }
        let cards = u16::from(self.config.table.decks) * self.config.table.game.cards_per_deck();
        let colour = BatchColour::Red;
        self.shuffler_told = false;
        self.device(Input::Shuffler(ShufflerInput::Loaded { colour }));
        assert!(self.shuffler_told, "the shuffler was not told to shuffle");
        self.device(Input::Shuffler(ShufflerInput::Started));
        self.device(Input::Shuffler(ShufflerInput::Counted { cards, expected: cards }));
        self.device(Input::Shuffler(ShufflerInput::Ready { cards, expected: cards, colour }));
    }

    /// An answer that a reader in order gives, and one that it does not.
    pub(crate) fn wrong_answer(&self) -> ReaderAnswer {
        match self.honest_answer() {
            ReaderAnswer::Yes => ReaderAnswer::No,
            ReaderAnswer::No | ReaderAnswer::Unread => ReaderAnswer::Yes,
        }
    }
}

/// All cards in an order that no seed is needed for: every seventeenth, round and round.
fn shoe_of(table: &table_rules::Table) -> std::collections::VecDeque<table_rules::card::Card> {
    let all: Vec<_> = (0..table.decks).flat_map(|_| table.game.deck()).collect();
    (0..all.len()).map(|at| all[(at * 17) % all.len()]).collect()
}
