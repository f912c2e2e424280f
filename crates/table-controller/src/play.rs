//! Handing inputs to the rules, and following what their events mean for devices, alerts and the day.

use operator_api::{Action, LastBox, Who};
use table_rules::Event;
use table_rules::engine::BoxView;
use table_rules::input::{Input, InputKind, KindSet};
use table_rules::prompt::CardOffer;
use table_rules::script::parse_line;
use table_rules::source::Point;
use table_rules::wager::{Bet, WagerId};

use crate::alerts::Stops;
use crate::codes::Code;
use crate::config::Spot;
use crate::controller::Controller;
use crate::input::PersonInput;
use crate::notice::{Notice, TableEvent};
use crate::output::Outputs;
use crate::people::Refused;

/// The alert that only two people with another reader end.
pub(crate) const READER_WRONG: &str = "reader wrong";
pub(crate) const READER_WRONG_TEXT: &str = "reader's answer and the hole card differ: the reader is out of service";

/// What begins a round, or the table's day: refused while something stands against a next round.
const BEGINS: KindSet = KindSet::EMPTY.with(InputKind::Lock).with(InputKind::Card).with(InputKind::Open);

/// Lines that one tap may say: every box in and out, with room to spare.
const WORDS_AT_ONCE: usize = 32;

/// So many stakes returned on one dealer's word in a stint raise an alert (H26).
const RETURNED_ON_WORD_MAX: u8 = 3;

impl Controller {
    /// A card or a lock that begins a round may come only when nothing stands against it.
    pub(crate) fn may_begin_round(&self) -> bool {
        !self.engine.is_wagering() || (self.stops().is_empty() && !self.in_inspection())
    }

    /// A line of the play script, said by a person.
    pub(crate) fn on_words(&mut self, person: &PersonInput, words: &str, out: &mut Outputs) -> Result<(), Refused> {
        let input = match parse_line(words) {
            Ok(Some(input)) => input,
            Ok(None) => return Err(Refused::by(Code::NothingThere, "nothing was said")),
            Err(error) => return Err(Refused::by(Code::NothingThere, error.to_string())),
        };
        let kind = input.kind();
        let second = self.circumstances().second_approval;
        if kind == InputKind::ManagerApprove && second && self.state.approved_by == person.by.map(|by| by.id) {
            return Err(Refused::by(Code::SecondPerson, "second person is the first one again"));
        }
        if self.in_inspection() {
            let reason = "Inspection is not finished: finish or pause it first".to_owned();
            return Err(Refused { reason, source: self.cite(Point::ReaderInspection) });
        }
        let begins = BEGINS.contains(kind) && (self.engine.is_wagering() || kind == InputKind::Open);
        if let Some(stop) = begins.then(|| self.stops().into_iter().next()).flatten() {
            return Err(Refused { reason: stop.reason, source: stop.source });
        }
        if let Input::Wager { seat, wager, .. } = &input
            && *wager != WagerId::Main
            && let Some(each) = self.config.spots.iter().find(|each| each.wager == *wager)
            && let Some(code) = self.spot_fault(Spot { seat: seat.number(), spot: each.spot })
        {
            let reason = format!("No {} at seat {seat}: sensor or lamp is out of order", Bet(*wager));
            return Err(Refused { reason, source: code.to_owned() });
        }
        if self.open_seen_card(&input, out) {
            return Ok(());
        }
        let repairs = kind == InputKind::ReaderRepaired;
        self.follow(&input, out)?;
        self.named_by_hand(&input, out);
        if let (InputKind::DealerChange, Some(dealer)) = (kind, person.by) {
            self.takes_over(dealer.id, out);
        }
        if matches!(kind, InputKind::FloorApprove) {
            self.state.approved_by = person.by.map(|by| by.id);
        }
        if repairs {
            self.state.inspections.full_needed = true;
        }
        Ok(())
    }

    /// Several lines of the play script: all of them are taken, or none. Only what the dealer's own keys say.
    fn on_all_words(&mut self, person: &PersonInput, words: &[String], out: &mut Outputs) -> Result<(), Refused> {
        if words.is_empty() || words.len() > WORDS_AT_ONCE {
            return Err(Refused::by(Code::NothingThere, format!("1 to {WORDS_AT_ONCE} steps are said at once")));
        }
        let before = (self.engine.clone(), self.state.clone(), self.moved);
        for line in words {
            let kind = self.act_kind(&Action::Play { words: line.clone() });
            let said = kind.and_then(|kind| match kind.permission().who {
                Who::DealerKey => self.on_words(person, line, out),
                Who::Named(_) | Who::Device => {
                    Err(Refused::by(Code::WhoMayAct, "what somebody else says is said by itself"))
                }
            });
            if let Err(refused) = said {
                (self.engine, self.state, self.moved) = before;
                return Err(refused);
            }
        }
        Ok(())
    }

    fn remember_boxes(&mut self) {
        let boxes = self.engine.view().boxes;
        let as_it_lies =
            |each: &BoxView| LastBox { seat: each.seat.number(), main_cents: each.main.amount().map(|cents| cents.0) };
        self.state.last_boxes = boxes.iter().map(as_it_lies).collect();
    }

    /// The rules take an input that a device or a person gave.
    pub(crate) fn follow(&mut self, input: &Input, out: &mut Outputs) -> Result<(), Refused> {
        // The lock always closes, and the first card locks in any case (X2): what cannot stand goes back first.
        if matches!(input, Input::Lock | Input::Card(..)) && self.engine.is_wagering() {
            self.make_way_for_lock(input, None, out);
        }
        self.events.clear();
        // The rules take note of every minute; only where that changes the order does it matter to anybody.
        let before = matches!(input, Input::At(_)).then(|| self.engine.prompt());
        self.engine.apply(input, &mut self.events)?;
        self.moved |= before.is_none_or(|before| before != self.engine.prompt());
        let events = std::mem::take(&mut self.events);
        for event in &events {
            out.said.push(TableEvent::Rules(*event));
        }
        for event in &events {
            self.after(event, out);
        }
        self.events = events;
        Ok(())
    }

    /// What a device said goes to the rules; where they refuse it, that is said and nothing else changes.
    pub(crate) fn follow_device(&mut self, input: &Input, out: &mut Outputs) {
        if let Err(refused) = self.follow(input, out) {
            let text = format!("{} was not taken. {}", input.kind().spoken(), refused.reason);
            self.raise("did not fit", Stops::Nothing, &refused.source, &text, out);
        }
    }

    pub(crate) fn follow_if_offered(&mut self, input: &Input, out: &mut Outputs) {
        if self.engine.offers_input(input) {
            self.follow_device(input, out);
        }
    }

    fn after(&mut self, event: &Event, out: &mut Outputs) {
        self.state.day.count(event);
        self.note_verified(event);
        if let Event::WagersLocked { by_first_card, .. } = event {
            let (round, sequence) = (self.engine.round(), self.state.sequence);
            self.state.recall.begin(round, sequence, self.config.recall_rounds);
            self.remember_boxes();
            self.on_locked(*by_first_card, out);
        } else if let Event::RoundEnded { .. } = event {
            self.state.recall.end(self.state.sequence);
            self.state.approved_by = None;
            self.end_round_of_layout(out);
            self.end_round_of_shoe(out);
        } else if let Event::RoundReopened { .. } = event {
            self.state.recall.reopen(self.engine.round());
            self.reopen_round_of_layout();
        } else if let Event::Approved { source, .. } = event
            && *source == Point::OnOnePersonsWord.source(self.config.table.game)
        {
            self.stake_returned_on_word(&source.to_string(), out);
        } else if let Event::LineConfirmed { .. } = event {
            self.state.approved_by = None;
        } else if let Event::ShoeLoaded { .. } = event {
            self.start_batch(out);
        } else if let Event::ReaderWrong { source, .. } = event {
            self.state.inspections.counters.wrong += 1;
            self.state.inspections.full_needed = true;
            self.raise(READER_WRONG, Stops::UntilCleared, &source.to_string(), READER_WRONG_TEXT, out);
        } else if let Event::Corrected { across_reveal: true, source, .. } = event {
            let text = "correction went back past the turned hole card";
            self.raise("across reveal", Stops::Nothing, &source.to_string(), text, out);
        } else if let Event::Rejected { seat, reason, source, .. } = event {
            self.state.approved_by = None;
            let text = format!("jackpot of seat {seat} was rejected: {}", reason.as_str());
            self.raise("rejected", Stops::Nothing, &source.to_string(), &text, out);
        } else if let Event::DecksAgeing { minutes_left, source } = event {
            let minutes = if *minutes_left == 1 { "1 minute".to_owned() } else { format!("{minutes_left} minutes") };
            let text = format!("decks must change within {minutes}");
            self.raise("decks age", Stops::Nothing, &source.to_string(), &text, out);
        } else if let Event::DecksReceived { source, .. } = event {
            self.end_alert("decks age", &source.to_string(), out);
        } else if let Event::TableClosed { source } = event {
            let summary = Notice::DaySummary(self.day_view());
            self.say(summary, &source.to_string(), out);
        }
    }

    /// The card of a double goes face down (10.C): said while such a card is due, and of no other.
    fn next_goes_down(&mut self) -> Result<(), Refused> {
        if self.engine.offers().card != CardOffer::Either || !self.offers(InputKind::Card) {
            return Err(self.not_now());
        }
        self.state.down.next_goes_down = true;
        Ok(())
    }

    /// The chips of the progressive spots are counted between the lock and the end of its round.
    fn count_chips(&mut self, chips: u8, out: &mut Outputs) -> Result<(), Refused> {
        if !self.in_round() {
            return Err(self.not_now());
        }
        self.chips_counted(chips, out);
        Ok(())
    }

    /// H26: from the third in one stint on, somebody looks at it.
    fn stake_returned_on_word(&mut self, source: &str, out: &mut Outputs) {
        self.state.returned_on_word = self.state.returned_on_word.saturating_add(1);
        let count = self.state.returned_on_word;
        if count >= RETURNED_ON_WORD_MAX {
            let text = format!("{count} hands called dead and their bets returned since this dealer came");
            self.raise("returned on word", Stops::Nothing, source, &text, out);
        }
    }

    /// The exact content of the meters that moved while this input was handled, for whoever goes on from the record.
    pub(crate) fn record_meters(&self, out: &mut Outputs) {
        let moved = |said: &TableEvent| match said {
            TableEvent::Rules(
                Event::MeterFed { wager, meter, .. }
                | Event::MeterPaid { wager, meter, .. }
                | Event::MeterReversed { wager, meter, .. }
                | Event::MeterSeeded { wager, meter, .. },
            )
            | TableEvent::Table { notice: Notice::MeterCorrected { wager, meter, .. }, .. } => Some((*wager, *meter)),
            TableEvent::Rules(_) | TableEvent::Table { .. } => None,
        };
        let moved: Vec<_> = out.said.iter().filter_map(moved).collect();
        if !moved.is_empty() {
            let meters = self.engine.meters().filter(|(wager, name, _)| moved.contains(&(*wager, *name)));
            let states = meters.map(|(wager, name, meter)| (wager, name, meter.state())).collect();
            let source = self.cite(Point::ContributionsAtLock);
            out.said.push(TableEvent::Table { notice: Notice::MeterStates(states), source });
        }
    }

    /// What a random source said; the same words as a person's, under the device's own name.
    pub(crate) fn on_chance(&mut self, words: &str, out: &mut Outputs) {
        if let Ok(Some(input @ (Input::Draw(_) | Input::Wheel { .. }))) = parse_line(words) {
            self.follow_device(&input, out);
        }
    }

    pub(crate) fn play_action(&mut self, person: &PersonInput, out: &mut Outputs) -> Option<Result<(), Refused>> {
        Some(match &person.action {
            Action::Play { words } => self.on_words(person, words, out),
            Action::Words { words } => self.on_all_words(person, words, out),
            Action::Reveal => self.reveal(out),
            Action::TurnUp { seat } => self.turn_up(*seat, out),
            Action::FaceDown => self.next_goes_down(),
            Action::ChipCount { chips } => self.count_chips(*chips, out),
            Action::SignIn
            | Action::SignOut
            | Action::Acknowledge { .. }
            | Action::AcknowledgeAll
            | Action::Clear { .. }
            | Action::BeginInspection { .. }
            | Action::InspectionAnswer { .. }
            | Action::PauseInspection
            | Action::EnterService
            | Action::LeaveService
            | Action::TestDevice { .. }
            | Action::ConfirmClock
            | Action::CorrectMeter { .. }
            | Action::ReplaceReader { .. }
            | Action::PairDevice { .. }
            | Action::SettledByHand { .. }
            | Action::AcceptJournal { .. }
            | Action::OpenWorkOrder { .. }
            | Action::CloseWorkOrder { .. }
            | Action::CallFloor
            | Action::OpenVisit
            | Action::EndVisit { .. } => return None,
        })
    }
}
