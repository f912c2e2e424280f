//! The shuffler as its cable and its bench know it: commands, power, words.

use device_protocols::link::Millis;
use device_protocols::message::NakReason;
use device_protocols::shuffler::{
    BatchColour, JamSeverity, Shuffler, ShufflerCommand, ShufflerEvent, ShufflerFault, ShufflerState, ShufflerStatus,
    StopCause,
};
use table_rules::card::Card;

use super::{ShufflerFirmware, UNLOAD_MS, stops_cycle};
use crate::bench::{BenchError, Word, argument, on_or_off, word};
use crate::twin::{Firmware, Outgoing};

impl Firmware for ShufflerFirmware {
    type Protocol = Shuffler;

    fn handle_command(
        &mut self,
        command: ShufflerCommand,
        now: Millis,
        out: &mut Outgoing<Self>,
    ) -> Result<(), NakReason> {
        use ShufflerState as S;
        match (command, self.state) {
            (ShufflerCommand::Shuffle { colour, expected }, S::Loaded | S::Counted | S::Ready) => {
                if self.faults.standing().iter().any(stops_cycle) {
                    return Err(NakReason::FaultPresent);
                }
                self.order = Some((colour, expected));
                self.progress = 0;
                self.jams = 0;
                self.count = None;
                self.state = S::Shuffling;
                self.reported_at = now;
                self.step_at = Some(now + self.step_ms());
                out.push(ShufflerEvent::ShuffleStarted { colour: self.seen_colour });
            }
            (ShufflerCommand::Stop, S::Shuffling) => self.stop(StopCause::Commanded, out),
            (ShufflerCommand::Unload, S::Ready | S::Counted | S::Loaded) => {
                self.state = S::Unloading;
                self.step_at = Some(now + UNLOAD_MS);
                for fault in [ShufflerFault::CountMismatch, ShufflerFault::WrongBackColour] {
                    self.set_fault(fault, false, out);
                }
            }
            (ShufflerCommand::ClearJam, S::Jammed) if self.step_at.is_none() => {
                out.push(ShufflerEvent::JamCleared);
                self.state = self.resting();
            }
            (ShufflerCommand::TakeOutOfService, S::Empty | S::Loaded | S::Counted | S::Ready | S::Faulted) => {
                self.state = S::OutOfService;
                out.push(ShufflerEvent::OutOfService);
            }
            (ShufflerCommand::ReturnToService, S::OutOfService) => {
                self.state = self.resting();
                out.push(ShufflerEvent::BackInService);
            }
            (_, S::Shuffling | S::Unloading | S::Jammed) => return Err(NakReason::Busy),
            (
                ShufflerCommand::Shuffle { .. }
                | ShufflerCommand::Stop
                | ShufflerCommand::Unload
                | ShufflerCommand::ClearJam
                | ShufflerCommand::TakeOutOfService
                | ShufflerCommand::ReturnToService,
                _,
            ) => return Err(NakReason::WrongState),
        }
        Ok(())
    }

    fn handle_timeout(&mut self, now: Millis, out: &mut Outgoing<Self>) {
        // A caller who sleeps long gets every step, at its own time.
        while let Some(at) = self.step_at.take_if(|at| *at <= now) {
            self.step(at, out);
        }
    }

    fn handle_power_lost(&mut self) {
        self.was_shuffling = match self.state {
            ShufflerState::Shuffling => true,
            // A jam that it still worked on is a cycle too.
            ShufflerState::Jammed => self.step_at.is_some(),
            ShufflerState::Booting
            | ShufflerState::Empty
            | ShufflerState::Loaded
            | ShufflerState::Counted
            | ShufflerState::Ready
            | ShufflerState::Unloading
            | ShufflerState::DoorOpen
            | ShufflerState::Service
            | ShufflerState::Faulted
            | ShufflerState::OutOfService => self.was_shuffling,
        };
        self.step_at = None;
        self.state = ShufflerState::Booting;
    }

    /// A count does not survive: the batch must be shuffled and counted again.
    fn handle_power_back(&mut self, _now: Millis, out: &mut Outgoing<Self>) {
        self.count = None;
        self.state = self.resting();
        if std::mem::take(&mut self.was_shuffling) {
            out.push(ShufflerEvent::ShuffleStopped { cause: StopCause::PowerLoss, progress: self.percent() });
        }
    }

    fn obey(&mut self, words: &[&str], now: Millis, out: &mut Outgoing<Self>) -> Option<Result<String, BenchError>> {
        let done = |result: Result<(), BenchError>| Some(result.map(|()| "done".to_owned()));
        let rate = |usage| argument::<u16>(words, 1, usage);
        match words.first().copied()? {
            "load" => done(self.load_words(words, out)),
            "take" => Some(Ok(format!("{} cards taken out", self.take_batch(out).len() + self.take_tray().len()))),
            "jam" => done(match words.get(1) {
                None => self.jam(JamSeverity::Stuck, now, out),
                Some(&"retry") => self.jam(JamSeverity::Retrying, now, out),
                Some(_) => Err(BenchError::usage(words, "jam [retry]")),
            }),
            "door" => done(match words.get(1) {
                Some(&"open") => {
                    self.set_door(true, out);
                    Ok(())
                }
                Some(&"closed") => {
                    self.set_door(false, out);
                    Ok(())
                }
                Some(_) | None => Err(BenchError::usage(words, "door open|closed")),
            }),
            "cycle" => done(argument(words, 1, "cycle MS").map(|cycle_ms| self.cycle_ms = cycle_ms)),
            "jams" => done(rate("jams N").map(|rate| self.mistakes.jam_per_mille = rate)),
            "miscount" => done(rate("miscount N").map(|rate| self.mistakes.miscount_per_mille = rate)),
            "miscolour" => done(rate("miscolour N").map(|rate| self.mistakes.wrong_colour_per_mille = rate)),
            name => {
                let (_, fault) = FAULT_NAMES.iter().find(|(known, _)| *known == name)?;
                done(on_or_off(words, 1, "motor|dirty|faceup|switch|supply|selftest [off]").map(|stands| {
                    self.set_fault(*fault, stands, out);
                }))
            }
        }
    }

    fn state(&self) -> ShufflerEvent {
        ShufflerEvent::State(ShufflerStatus {
            state: self.state,
            progress: self.percent(),
            colour: if self.batch.is_empty() { BatchColour::Unknown } else { self.seen_colour },
            count: self.count,
            jams: self.jams,
            door_open: self.door_open,
            faults: self.faults.standing(),
        })
    }

    fn words() -> &'static [Word] {
        const WORDS: &[Word] = &[
            word("load CARDS red|blue|…", "put in a batch of so many cards with backs of this colour"),
            word("take", "take the cards out by hand"),
            word("jam [retry]", "jam for good, or so that it frees itself"),
            word("door open|closed", "open or close the door"),
            word("cycle MS", "how long a whole shuffle takes"),
            word("jams N", "jam at N of a thousand steps"),
            word("miscount N", "be one card off in N of a thousand counts"),
            word("miscolour N", "take N of a thousand batches for another colour"),
            word("motor [off]", "the motor fails"),
            word("dirty [off]", "the counting sensor is dirty"),
            word("faceup [off]", "a card lies face up"),
            word("switch [off]", "the door switch fails"),
            word("supply [off]", "the supply is low"),
            word("selftest [off]", "the self-test fails"),
        ];
        WORDS
    }

    fn poll_deadline(&self) -> Option<Millis> {
        self.step_at
    }
}

impl ShufflerFirmware {
    fn load_words(&mut self, words: &[&str], out: &mut Vec<ShufflerEvent>) -> Result<(), BenchError> {
        const USAGE: &str = "load 312 red";
        let count: usize = argument(words, 1, USAGE)?;
        let colour = words.get(2).and_then(|name| COLOURS.iter().find(|(known, _)| known == name));
        let (_, colour) = colour.ok_or_else(|| BenchError::usage(words, USAGE))?;
        self.load(Card::deck().cycle().take(count.min(1_000)).collect(), *colour, out)
    }
}

const COLOURS: &[(&str, BatchColour)] = &[
    ("red", BatchColour::Red),
    ("blue", BatchColour::Blue),
    ("green", BatchColour::Green),
    ("yellow", BatchColour::Yellow),
    ("black", BatchColour::Black),
    ("purple", BatchColour::Purple),
    ("orange", BatchColour::Orange),
    ("mixed", BatchColour::Mixed),
];

const FAULT_NAMES: &[(&str, ShufflerFault)] = &[
    ("motor", ShufflerFault::Motor),
    ("dirty", ShufflerFault::SensorDirty),
    ("faceup", ShufflerFault::FaceUpCard),
    ("switch", ShufflerFault::DoorSwitch),
    ("supply", ShufflerFault::SupplyLow),
    ("selftest", ShufflerFault::SelfTestFailed),
];
