//! The simulated hole-card reader: a slot, a lens, a lamp, and a card that nobody but the twin knows.
//!
//! The card's true identity stays inside [`ReaderFirmware`]; what goes out is yes, no or unread, each the same time
//! after the insertion. Not even the debug form prints the card.

use std::fmt;

use device_protocols::faults::{FaultBook, FaultChange};
use device_protocols::link::Millis;
use device_protocols::message::{Capabilities, NakReason};
use device_protocols::reader::{
    ANSWER_AFTER_MS, HALF_INSERTED_AFTER_MS, HoleCardReader, NO_CARD_AFTER_MS, ReaderAnswer, ReaderCommand,
    ReaderEvent, ReaderFault, ReaderState, ReaderStatus, UpCardGroup,
};
use table_rules::card::Card;

use crate::bench::{BenchError, Word, argument, on_or_off, word};
use crate::dice::Dice;
use crate::twin::{Firmware, Outgoing, Simulated, identity};

/// The hole-card reader with its cable and supply.
pub type ReaderTwin = Simulated<ReaderFirmware>;

impl ReaderTwin {
    pub fn new(seed: u64, now: Millis) -> Self {
        let mut dice = Dice::new(seed);
        let abilities = Capabilities::TEST_MODE.with(Capabilities::TAMPER_SWITCH).with(Capabilities::LENS_CHECK);
        let link_dice = dice.fork();
        Self::switched_on(ReaderFirmware::new(dice), identity("SIM-READER", "SIM-R1", abilities), link_dice, now)
    }
}

/// How often it errs, in thousandths of its readings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReaderMistakes {
    /// It cannot read, though nothing is wrong.
    pub misread_per_mille: u16,
    /// It says yes for no, or no for yes.
    pub wrong_answer_per_mille: u16,
    /// It reports the same answer twice, as two events.
    pub double_event_per_mille: u16,
}

/// How a card lies in the slot.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Slot {
    Empty,
    /// Between the first and the last sensor.
    Half {
        card: Card,
    },
    In {
        card: Card,
    },
    /// All the way in, but with no corner under the lens.
    Askew,
}

impl fmt::Debug for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "empty",
            Self::Half { .. } => "half",
            Self::In { .. } => "in",
            Self::Askew => "askew",
        })
    }
}

#[derive(Debug)]
pub struct ReaderFirmware {
    dice: Dice,
    state: ReaderState,
    slot: Slot,
    faults: FaultBook<ReaderFault>,
    pub mistakes: ReaderMistakes,
    /// 0 clean, 100 blind: the chance in a hundred that a reading fails.
    dirt: u8,
    test_group: Option<UpCardGroup>,
    answer_at: Option<Millis>,
    no_card_at: Option<Millis>,
    half_at: Option<Millis>,
}

/// From here on the lens check finds dirt.
const DIRT_REPORTED: u8 = 50;

impl ReaderFirmware {
    fn new(dice: Dice) -> Self {
        Self {
            dice,
            state: ReaderState::Booting,
            slot: Slot::Empty,
            faults: FaultBook::default(),
            mistakes: ReaderMistakes::default(),
            dirt: 0,
            test_group: None,
            answer_at: None,
            no_card_at: None,
            half_at: None,
        }
    }

    pub fn reader_state(&self) -> ReaderState {
        self.state
    }

    /// In test mode and waiting for a test card.
    pub fn awaits_test_card(&self) -> bool {
        self.state == ReaderState::Testing && self.test_group.is_some() && self.slot == Slot::Empty
    }

    pub fn holds_card(&self) -> bool {
        self.slot != Slot::Empty
    }

    /// The card goes all the way in.
    pub fn insert(&mut self, card: Card, now: Millis, out: &mut Vec<ReaderEvent>) -> Result<(), BenchError> {
        match self.slot {
            Slot::Empty | Slot::Half { .. } => {}
            Slot::In { .. } | Slot::Askew => return Err(NOT_EMPTY),
        }
        self.slot = Slot::In { card };
        self.half_at = None;
        self.see_card(now, out);
        Ok(())
    }

    fn see_card(&mut self, now: Millis, out: &mut Vec<ReaderEvent>) {
        if self.sensor_is_stuck() {
            return;
        }
        match self.state {
            ReaderState::Armed(group) => {
                out.push(ReaderEvent::CardInserted { group });
                self.state = ReaderState::Reading(group);
                self.no_card_at = None;
                self.answer_at = Some(now + ANSWER_AFTER_MS);
            }
            ReaderState::Testing if self.test_group.is_some() => self.answer_at = Some(now + ANSWER_AFTER_MS),
            ReaderState::Idle | ReaderState::CardOut => out.push(ReaderEvent::WrongTimeInsertion),
            ReaderState::Booting
            | ReaderState::Testing
            | ReaderState::CardIn(_)
            | ReaderState::Reading(_)
            | ReaderState::Answered(..)
            | ReaderState::Faulted
            | ReaderState::CoverOpen => {}
        }
    }

    /// The card stays between the sensors.
    pub fn insert_half(&mut self, card: Card, now: Millis) -> Result<(), BenchError> {
        if self.slot != Slot::Empty {
            return Err(NOT_EMPTY);
        }
        self.slot = Slot::Half { card };
        self.half_at = Some(now + HALF_INSERTED_AFTER_MS);
        Ok(())
    }

    /// In, but the corner is not under the lens.
    pub fn insert_askew(&mut self, out: &mut Vec<ReaderEvent>) -> Result<(), BenchError> {
        if self.slot != Slot::Empty {
            return Err(NOT_EMPTY);
        }
        self.slot = Slot::Askew;
        if matches!(self.state, ReaderState::Armed(_)) {
            out.push(ReaderEvent::Misplaced);
        }
        Ok(())
    }

    pub fn remove(&mut self, now: Millis, out: &mut Vec<ReaderEvent>) -> Result<(), BenchError> {
        if self.slot == Slot::Empty {
            return Err(BenchError::NotNow { reason: "no card is in the slot" });
        }
        self.slot = Slot::Empty;
        self.half_at = None;
        match self.state {
            ReaderState::CardIn(group) | ReaderState::Reading(group) => {
                self.answer_at = None;
                out.push(ReaderEvent::RemovedEarly);
                self.arm(group, now);
            }
            ReaderState::Answered(..) => {
                out.push(ReaderEvent::CardRemoved);
                self.state = ReaderState::CardOut;
            }
            ReaderState::Testing => self.answer_at = None,
            ReaderState::Armed(_)
            | ReaderState::Booting
            | ReaderState::Idle
            | ReaderState::CardOut
            | ReaderState::Faulted
            | ReaderState::CoverOpen => {}
        }
        self.check_lens(out);
        Ok(())
    }

    pub fn soil(&mut self, dirt: u8, out: &mut Vec<ReaderEvent>) {
        self.dirt = dirt.min(100);
        self.check_lens(out);
    }

    /// Against the white strip, with no card in.
    fn check_lens(&mut self, out: &mut Vec<ReaderEvent>) {
        if self.slot == Slot::Empty {
            self.set_fault(ReaderFault::LensDirty, self.dirt >= DIRT_REPORTED, out);
        }
    }

    pub fn set_fault(&mut self, fault: ReaderFault, stands: bool, out: &mut Vec<ReaderEvent>) {
        let change = if stands { self.faults.handle_raised(fault) } else { self.faults.handle_cleared(fault) };
        if change == FaultChange::Unpaired || self.state == ReaderState::Booting {
            return;
        }
        out.push(if stands { ReaderEvent::FaultRaised(fault) } else { ReaderEvent::FaultCleared(fault) });
        if blocks(fault) {
            self.stop();
        }
    }

    /// A fault that stands in the way came or went: whatever was going on is over.
    fn stop(&mut self) {
        let standing = self.faults.standing();
        self.answer_at = None;
        self.no_card_at = None;
        self.test_group = None;
        self.state = if standing.contains(ReaderFault::CoverOpen) {
            ReaderState::CoverOpen
        } else if standing.iter().any(blocks) {
            ReaderState::Faulted
        } else {
            ReaderState::Idle
        };
    }

    fn sensor_is_stuck(&self) -> bool {
        self.faults.standing().contains(ReaderFault::SensorStuck)
    }

    fn arm(&mut self, group: UpCardGroup, now: Millis) {
        self.state = ReaderState::Armed(group);
        self.no_card_at = Some(now + NO_CARD_AFTER_MS);
    }

    /// All dice are rolled whatever the card is: a twin whose later mistakes depended on a card would leak it.
    fn look(&mut self, group: UpCardGroup) -> ReaderAnswer {
        let dirty = self.dice.below(100) < u64::from(self.dirt);
        let misread = self.dice.per_mille(self.mistakes.misread_per_mille);
        let wrong = self.dice.per_mille(self.mistakes.wrong_answer_per_mille);
        let Slot::In { card } = self.slot else { return ReaderAnswer::Unread };
        if dirty || misread {
            return ReaderAnswer::Unread;
        }
        let makes_blackjack = match group {
            UpCardGroup::Ace => card.rank().is_ten_value(),
            UpCardGroup::Ten => card.rank().is_ace(),
        };
        if makes_blackjack != wrong { ReaderAnswer::Yes } else { ReaderAnswer::No }
    }

    fn finish_reading(&mut self, out: &mut Vec<ReaderEvent>) {
        match (self.state, self.test_group) {
            (ReaderState::Reading(group), _) => {
                let answer = self.look(group);
                self.state = ReaderState::Answered(group, answer);
                out.push(ReaderEvent::Answered { group, answer });
                if self.dice.per_mille(self.mistakes.double_event_per_mille) {
                    out.push(ReaderEvent::Answered { group, answer });
                }
            }
            (ReaderState::Testing, Some(group)) => {
                let answer = self.look(group);
                self.test_group = None;
                out.push(ReaderEvent::TestAnswered { group, answer });
            }
            _ => {}
        }
    }
}

const NOT_EMPTY: BenchError = BenchError::NotNow { reason: "a card is in the slot already" };

/// A dirty lens and a low supply are warnings; everything else stops the reader.
fn blocks(fault: ReaderFault) -> bool {
    match fault {
        ReaderFault::LensDirty | ReaderFault::SupplyLow => false,
        ReaderFault::LampDead
        | ReaderFault::SensorStuck
        | ReaderFault::CoverOpen
        | ReaderFault::Tamper
        | ReaderFault::SelfTestFailed => true,
    }
}

fn due(deadline: &mut Option<Millis>, now: Millis) -> bool {
    deadline.take_if(|at| *at <= now).is_some()
}

impl Firmware for ReaderFirmware {
    type Protocol = HoleCardReader;

    fn handle_command(
        &mut self,
        command: ReaderCommand,
        now: Millis,
        _out: &mut Outgoing<Self>,
    ) -> Result<(), NakReason> {
        let stopped = self.faults.standing().iter().any(blocks);
        match (command, self.state) {
            (ReaderCommand::Arm { .. } | ReaderCommand::ArmTest { .. }, _) if stopped => Err(NakReason::FaultPresent),
            (ReaderCommand::Arm { group }, ReaderState::Idle | ReaderState::CardOut) if self.slot == Slot::Empty => {
                self.arm(group, now);
                Ok(())
            }
            (ReaderCommand::Disarm, ReaderState::CardIn(_) | ReaderState::Reading(_)) => Err(NakReason::Busy),
            (ReaderCommand::Disarm, ReaderState::Armed(_) | ReaderState::CardOut | ReaderState::Idle) => {
                self.no_card_at = None;
                self.state = ReaderState::Idle;
                Ok(())
            }
            (ReaderCommand::EnterTest, ReaderState::Idle) => {
                self.state = ReaderState::Testing;
                Ok(())
            }
            (ReaderCommand::LeaveTest, ReaderState::Testing) => {
                self.stop();
                Ok(())
            }
            (ReaderCommand::ArmTest { group }, ReaderState::Testing) => {
                self.test_group = Some(group);
                Ok(())
            }
            (ReaderCommand::CycleLamps, ReaderState::Testing) => Ok(()),
            (ReaderCommand::LeaveTest | ReaderCommand::ArmTest { .. } | ReaderCommand::CycleLamps, _) => {
                Err(NakReason::NotInTestMode)
            }
            (ReaderCommand::Arm { .. } | ReaderCommand::Disarm | ReaderCommand::EnterTest, _) => {
                Err(NakReason::WrongState)
            }
        }
    }

    fn handle_timeout(&mut self, now: Millis, out: &mut Outgoing<Self>) {
        if due(&mut self.answer_at, now) {
            self.finish_reading(out);
        }
        if due(&mut self.no_card_at, now) && matches!(self.state, ReaderState::Armed(_)) {
            out.push(ReaderEvent::NoCard);
        }
        if due(&mut self.half_at, now) && !self.sensor_is_stuck() {
            out.push(ReaderEvent::HalfInserted);
        }
    }

    fn handle_power_lost(&mut self) {
        self.stop();
        self.state = ReaderState::Booting;
        self.half_at = None;
    }

    /// The self-test finds the faults again; what lay in the slot still does, and is not looked at.
    fn handle_power_back(&mut self, _now: Millis, _out: &mut Outgoing<Self>) {
        self.stop();
    }

    fn obey(&mut self, words: &[&str], now: Millis, out: &mut Outgoing<Self>) -> Option<Result<String, BenchError>> {
        let done = |result: Result<(), BenchError>| Some(result.map(|()| "done".to_owned()));
        let rate = |usage| argument::<u16>(words, 1, usage);
        let card = |usage| argument::<Card>(words, 1, usage);
        match words.first().copied()? {
            "insert" => done(card("insert Kh").and_then(|card| self.insert(card, now, out))),
            "half" => done(card("half Kh").and_then(|card| self.insert_half(card, now))),
            "askew" => done(self.insert_askew(out)),
            "remove" => done(self.remove(now, out)),
            "dirty" => done(argument(words, 1, "dirty 0-100").map(|dirt| self.soil(dirt, out))),
            "misread" => done(rate("misread N").map(|rate| self.mistakes.misread_per_mille = rate)),
            "wrong" => done(rate("wrong N").map(|rate| self.mistakes.wrong_answer_per_mille = rate)),
            "double" => done(rate("double N").map(|rate| self.mistakes.double_event_per_mille = rate)),
            name => {
                let (_, fault) = FAULT_NAMES.iter().find(|(known, _)| *known == name)?;
                done(on_or_off(words, 1, "stuck|lamp|cover|tamper|selftest|supply [off]").map(|stands| {
                    self.set_fault(*fault, stands, out);
                }))
            }
        }
    }

    fn state(&self) -> ReaderEvent {
        ReaderEvent::State(ReaderStatus {
            state: self.state,
            card_present: self.slot != Slot::Empty,
            faults: self.faults.standing(),
        })
    }

    fn words() -> &'static [Word] {
        const WORDS: &[Word] = &[
            word("insert Kh", "push this card all the way in"),
            word("half Kh", "push it half way"),
            word("askew", "push a card in with no corner under the lens"),
            word("remove", "pull the card out"),
            word("dirty 0-100", "soil the lens: so many of a hundred readings fail; 0 cleans it"),
            word("misread N", "fail to read N of a thousand cards"),
            word("wrong N", "give the wrong answer to N of a thousand"),
            word("double N", "report N of a thousand answers twice"),
            word("stuck [off]", "the card sensor sticks"),
            word("lamp [off]", "the lamp behind the lens is dead"),
            word("cover [off]", "the cover is open"),
            word("tamper [off]", "the tamper switch has tripped"),
            word("selftest [off]", "the self-test fails"),
            word("supply [off]", "the supply is low"),
        ];
        WORDS
    }

    fn poll_deadline(&self) -> Option<Millis> {
        [self.answer_at, self.no_card_at, self.half_at].into_iter().flatten().min()
    }
}

const FAULT_NAMES: &[(&str, ReaderFault)] = &[
    ("stuck", ReaderFault::SensorStuck),
    ("lamp", ReaderFault::LampDead),
    ("cover", ReaderFault::CoverOpen),
    ("tamper", ReaderFault::Tamper),
    ("selftest", ReaderFault::SelfTestFailed),
    ("supply", ReaderFault::SupplyLow),
];
