//! Handing inputs to the rules, and following what their events mean for devices, alerts and the day.

use operator_api::Action;
use table_rules::Event;
use table_rules::input::{Input, InputKind, KindSet};
use table_rules::script::parse_line;
use table_rules::source::Point;

use crate::codes::Code;
use crate::controller::Controller;
use crate::input::{PersonInput, Staff};
use crate::notice::{Notice, Said};
use crate::output::Outputs;
use crate::people::{self, Refused};

/// The alert that only two people with another reader end.
pub(crate) const READER_WRONG: &str = "reader wrong";
pub(crate) const READER_WRONG_TEXT: &str = "the reader's answer and the hole card differ: the reader is out of service";

/// What begins a round, or the table's day: refused while something stands against a next round.
const BEGINS: KindSet = KindSet::EMPTY.with(InputKind::Lock).with(InputKind::Card).with(InputKind::Open);

/// A device's or the clock's own words: nobody says them for it.
const NOT_FOR_PEOPLE: KindSet = KindSet::EMPTY.with(InputKind::At);

impl Controller {
    /// A card or a lock that begins a round may come only when nothing stands against it.
    pub(crate) fn may_begin_round(&self) -> bool {
        !self.engine.is_wagering() || (self.stops().is_empty() && !self.in_inspection())
    }

    /// A line of the play script, said by a person.
    pub(crate) fn on_words(&mut self, person: &PersonInput, words: &str, out: &mut Outputs) -> Result<(), Refused> {
        let input = match parse_line(words) {
            Ok(Some(input)) => input,
            Ok(None) => return Err(Refused::by(Code::NothingThere, "the line is empty")),
            Err(error) => return Err(Refused::by(Code::NothingThere, error.to_string())),
        };
        let kind = input.kind();
        let second = people::waits_for_second(&self.engine.order().0);
        let roles = people::role_for_input(&input, second);
        self.check_dealer(person.by, roles)?;
        if NOT_FOR_PEOPLE.contains(kind) {
            return Err(Refused::by(Code::WhoMayAct, "the clock tells the time"));
        }
        if kind == InputKind::Peek && self.config.has_reader {
            let reason = "the reader answers; there is no peeking by hand".to_owned();
            return Err(Refused { reason, source: self.cite(Point::ReaderMalfunction) });
        }
        if kind == InputKind::ManagerApprove && second && self.state.approved_by == person.by.map(|by| by.id) {
            return Err(Refused::by(Code::SecondPerson, "the second person is the first one again"));
        }
        if self.in_inspection() {
            let reason = "the inspection is not finished; finish or pause it first".to_owned();
            return Err(Refused { reason, source: self.cite(Point::ReaderInspection) });
        }
        let begins = BEGINS.contains(kind) && (self.engine.is_wagering() || kind == InputKind::Open);
        if let Some(stop) = begins.then(|| self.stops().into_iter().next()).flatten() {
            return Err(Refused { reason: stop.reason, source: stop.source });
        }
        if let (Input::Wager { wager, .. }, Some(code)) = (&input, self.progressives_off())
            && self
                .config
                .spots
                .iter()
                .any(|spot| spot.wager == *wager && spot.wager != table_rules::wager::WagerId::Main)
        {
            let reason = format!("{wager} cannot be taken: its sensors are out of order");
            return Err(Refused { reason, source: code.to_owned() });
        }
        let repairs = kind == InputKind::ReaderRepaired;
        self.follow(&input, out)?;
        self.named_by_hand(&input, out);
        if matches!(kind, InputKind::FloorApprove) {
            self.state.approved_by = person.by.map(|by| by.id);
        }
        if repairs {
            self.state.inspections.full_needed = true;
        }
        Ok(())
    }

    pub(crate) fn check_dealer(&self, by: Option<Staff>, roles: &[operator_api::Role]) -> Result<(), Refused> {
        people::covers(by, roles)?;
        if roles.is_empty() && by.is_none() && self.state.signed_in.is_none() {
            return Err(Refused::by(Code::NobodySignedIn, "no dealer has signed in at this table"));
        }
        Ok(())
    }

    /// The rules take an input that a device or a person gave.
    fn follow(&mut self, input: &Input, out: &mut Outputs) -> Result<(), Refused> {
        self.events.clear();
        // The rules take note of every minute; only where that changes the order does it matter to anybody.
        let before = matches!(input, Input::At(_)).then(|| self.engine.prompt());
        self.engine.apply(input, &mut self.events)?;
        self.moved |= before.is_none_or(|before| before != self.engine.prompt());
        let events = std::mem::take(&mut self.events);
        for event in &events {
            out.said.push(Said::Rules(*event));
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
            let text = format!("{} did not fit: {}", input.kind().word(), refused.reason);
            self.raise("did not fit", false, &refused.source, &text, out);
        }
    }

    pub(crate) fn follow_if_offered(&mut self, input: &Input, out: &mut Outputs) {
        if self.engine.offers_input(input) {
            self.follow_device(input, out);
        }
    }

    fn after(&mut self, event: &Event, out: &mut Outputs) {
        self.state.day.count(event);
        if let Event::WagersLocked { by_first_card, .. } = event {
            let (round, sequence) = (self.engine.round(), self.state.sequence);
            self.state.recall.begin(round, sequence, self.config.recall_rounds);
            self.on_locked(*by_first_card, out);
        } else if let Event::RoundEnded { .. } = event {
            self.state.recall.end(self.state.sequence);
            self.state.approved_by = None;
            self.end_round_of_felt(out);
            self.end_round_of_shoe(out);
        } else if let Event::LineConfirmed { .. } = event {
            self.state.approved_by = None;
        } else if let Event::ShoeLoaded { .. } = event {
            self.start_batch(out);
        } else if let Event::ReaderWrong { source, .. } = event {
            self.state.inspections.counters.wrong += 1;
            self.state.inspections.full_needed = true;
            self.raise(READER_WRONG, true, &source.to_string(), READER_WRONG_TEXT, out);
        } else if let Event::Corrected { across_reveal: true, source, .. } = event {
            let text = "a correction went back across the reveal of the hole card";
            self.raise("across reveal", false, &source.to_string(), text, out);
        } else if let Event::DecksAgeing { minutes_left, source } = event {
            let text = format!("the decks must be changed within {minutes_left} minutes");
            self.raise("decks age", false, &source.to_string(), &text, out);
        } else if let Event::DecksReceived { source, .. } = event {
            self.end_alert("decks age", &source.to_string(), out);
        } else if let Event::TableClosed { source } = event {
            let summary = Notice::DaySummary(self.day_view());
            self.say(summary, &source.to_string(), out);
        }
    }

    /// The exact content of the meters that moved while this input was handled, for whoever goes on from the record.
    pub(crate) fn record_meters(&self, out: &mut Outputs) {
        let moved = |said: &Said| match said {
            Said::Rules(
                Event::MeterFed { wager, meter, .. }
                | Event::MeterPaid { wager, meter, .. }
                | Event::MeterReversed { wager, meter, .. }
                | Event::MeterSeeded { wager, meter, .. },
            )
            | Said::Table { notice: Notice::MeterCorrected { wager, meter, .. }, .. } => Some((*wager, *meter)),
            Said::Rules(_) | Said::Table { .. } => None,
        };
        let moved: Vec<_> = out.said.iter().filter_map(moved).collect();
        if !moved.is_empty() {
            let meters = self.engine.meters().filter(|(wager, name, _)| moved.contains(&(*wager, *name)));
            let states = meters.map(|(wager, name, meter)| (wager, name, meter.state())).collect();
            let source = self.cite(Point::ContributionsAtLock);
            out.said.push(Said::Table { notice: Notice::MeterStates(states), source });
        }
    }

    /// What a random source said; the same words as a person's, under the device's own name.
    pub(crate) fn on_chance(&mut self, words: &str, out: &mut Outputs) {
        if let Ok(Some(input @ (Input::Draw(_) | Input::Wheel { .. }))) = parse_line(words) {
            self.follow_device(&input, out);
        }
    }

    pub(crate) fn play_action(&mut self, person: &PersonInput, out: &mut Outputs) -> Option<Result<(), Refused>> {
        let dealer = self.check_dealer(person.by, &[]);
        Some(match &person.action {
            Action::Play { words } => self.on_words(person, words, out),
            Action::Reveal => dealer.and_then(|()| self.reveal(out)),
            Action::TurnUp { seat } => dealer.and_then(|()| self.turn_up(*seat, out)),
            Action::FaceDown => dealer.map(|()| self.state.down.next_goes_down = true),
            Action::ChipCount { chips } => dealer.map(|()| self.chips_counted(*chips, out)),
            Action::SignIn
            | Action::SignOut
            | Action::Acknowledge { .. }
            | Action::Clear { .. }
            | Action::BeginInspection { .. }
            | Action::InspectionAnswer { .. }
            | Action::PauseInspection
            | Action::EnterService
            | Action::LeaveService
            | Action::ConfirmClock
            | Action::CorrectMeter { .. }
            | Action::ReplaceReader { .. }
            | Action::SettledByHand { .. } => return None,
        })
    }
}
