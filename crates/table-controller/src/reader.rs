//! The reader's handler: armed only in its moment, its insertion closes insurance, its answer goes to the rules. It is told
//! the up card's group and says yes, no or unread; nothing here could ask for more.

use device_protocols::reader::{ReaderCommand, UpCardGroup};
use serde::{Deserialize, Serialize};
use table_rules::engine::Irregular;
use table_rules::input::{Input, InputKind, PeekAnswer, UpGroup};
use table_rules::prompt::Order;
use table_rules::source::Point;

use crate::alerts::Stops;
use crate::controller::Controller;
use crate::devices::Link;
use crate::input::{LinkIdentity, ReaderAnswer, ReaderCondition, ReaderInput};
use crate::notice::Notice;
use crate::output::{Output, Outputs};

/// The alert of a reader that does not answer.
const READER_LINK: &str = "reader link";

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) enum Known {
    #[default]
    Unknown,
    Idle,
    /// Told to arm; the reader has not answered otherwise.
    Armed,
    Reading,
    Answered,
    Testing,
}

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Reader {
    pub(crate) up: bool,
    pub(crate) identity: LinkIdentity,
    pub(crate) known: Known,
    /// A card went in and its answer has not come.
    pub(crate) answer_due: bool,
}

impl Reader {
    pub(crate) fn link(&self) -> Link {
        Link { up: self.up, identity: self.identity.clone() }
    }

    pub(crate) const fn state_word(&self) -> &'static str {
        match self.known {
            Known::Unknown => "unknown",
            Known::Idle => "idle",
            Known::Armed => "armed",
            Known::Reading => "reading",
            Known::Answered => "answered",
            Known::Testing => "testing",
        }
    }
}

impl Controller {
    pub(crate) fn on_reader(&mut self, input: &ReaderInput, out: &mut Outputs) {
        match input {
            ReaderInput::Up(identity) => {
                // A reader that comes back in service had somebody's hands on it or on its cable.
                if self.state.alerts.with_key(READER_LINK).is_some_and(|alert| alert.ended.is_none()) {
                    self.note_reader_work();
                }
                self.state.reader.up = true;
                self.state.reader.identity = identity.clone();
                let source = self.cite(Point::ReaderMalfunction);
                self.end_alert(READER_LINK, &source, out);
            }
            ReaderInput::Down => {
                self.state.reader.up = false;
                self.state.reader.known = Known::Unknown;
                self.state.reader.answer_due = false;
                self.note_reader_work();
                let source = self.cite(Point::ReaderMalfunction);
                self.raise(
                    READER_LINK,
                    Stops::Nothing,
                    &source,
                    "hole-card reader does not answer: no next round",
                    out,
                );
            }
            ReaderInput::Inserted => {
                self.state.reader.known = Known::Reading;
                self.state.reader.answer_due = true;
                if self.offers(InputKind::InsuranceClosed) {
                    self.follow_device(&Input::InsuranceClosed, out);
                }
            }
            // A second report of one reading is not a second reading.
            ReaderInput::Answered(answer) => {
                self.state.reader.known = Known::Answered;
                if std::mem::take(&mut self.state.reader.answer_due) && self.offers(InputKind::Peek) {
                    self.state.inspections.counters.read += 1;
                    let answer = match answer {
                        ReaderAnswer::Yes => PeekAnswer::Yes,
                        ReaderAnswer::No => PeekAnswer::No,
                        ReaderAnswer::Unread => {
                            self.state.inspections.counters.unread += 1;
                            PeekAnswer::Unread
                        }
                    };
                    self.follow_device(&Input::Peek(answer), out);
                }
            }
            ReaderInput::RemovedEarly => {
                self.state.reader.known = Known::Armed;
                self.state.reader.answer_due = false;
            }
            ReaderInput::Removed => self.state.reader.known = Known::Idle,
            ReaderInput::WrongTimeInsertion => {
                let clause = Irregular::ReaderOnWrongUpCard.clause(self.config.table.game).unwrap_or("13.P");
                let source = format!("{} {clause}", self.config.table.game);
                let text = "card went into the reader at the wrong time: call the floor, then report it under Problem";
                self.raise("wrong insertion", Stops::Nothing, &source, text, out);
            }
            ReaderInput::HalfInserted => self.note_reading("card is not all the way in the reader", out),
            ReaderInput::Misplaced => self.note_reading("card lies the wrong way in the reader", out),
            ReaderInput::NoCard => {
                // It disarms itself after waiting in vain.
                self.state.reader.known = Known::Idle;
                self.note_reading("reader waited and no card came", out);
            }
            ReaderInput::TestAnswered { group, answer } => self.on_test_answer(*group, *answer, out),
            ReaderInput::State(state) => {
                self.state.reader.up = true;
                self.state.reader.answer_due &= *state == ReaderCondition::Reading;
                self.state.reader.known = match state {
                    ReaderCondition::Armed => Known::Armed,
                    ReaderCondition::Reading => Known::Reading,
                    ReaderCondition::Answered => Known::Answered,
                    ReaderCondition::Idle => Known::Idle,
                    ReaderCondition::Testing => Known::Testing,
                    ReaderCondition::Booting | ReaderCondition::Faulted | ReaderCondition::CoverOpen => Known::Unknown,
                };
                if *state == ReaderCondition::CoverOpen {
                    self.note_reader_work();
                }
                self.keep_reader_test_in_step(*state, out);
            }
            ReaderInput::CommandRefused => self.state.reader.known = Known::Idle,
        }
    }

    fn note_reading(&mut self, what: &str, out: &mut Outputs) {
        let source = self.cite(Point::Peek);
        self.say(Notice::Noted { what: what.to_owned() }, &source, out);
    }

    /// Its last fault has gone. One that came up faulty said so and nothing since; without a fault it rests.
    pub(crate) fn reader_is_right_again(&mut self) {
        if self.state.reader.up && self.state.reader.known == Known::Unknown {
            self.state.reader.known = Known::Idle;
        }
    }

    /// Arms the reader when the procedure has come to it, and disarms it when the moment has passed.
    pub(crate) fn arm_reader(&mut self, out: &mut Outputs) {
        if !self.state.reader.up {
            return;
        }
        let (order, _) = self.engine.order();
        let moment = matches!(order, Order::OfferInsurance | Order::InsertHoleCard { .. } | Order::TakeInsurance);
        let group = match self.engine.up_group() {
            Some(UpGroup::Ace) => Some(UpCardGroup::Ace),
            Some(UpGroup::Ten) => Some(UpCardGroup::Ten),
            Some(UpGroup::Low) | None => None,
        };
        match (self.state.reader.known, group.filter(|_| moment)) {
            (Known::Idle, Some(group)) => {
                self.state.reader.known = Known::Armed;
                out.commands.push(Output::Reader(ReaderCommand::Arm { group }));
            }
            (Known::Armed, None) => {
                self.state.reader.known = Known::Idle;
                out.commands.push(Output::Reader(ReaderCommand::Disarm));
            }
            (Known::Testing, _) if self.state.inspections.running.is_none() && !self.state.inspections.bench.runs => {
                self.state.reader.known = Known::Idle;
                out.commands.push(Output::Reader(ReaderCommand::LeaveTest));
            }
            (Known::Unknown | Known::Idle | Known::Armed | Known::Reading | Known::Answered | Known::Testing, _) => {}
        }
    }
}
