//! Device tests in service mode: the inspection's own steps, begun by a technician and signed by nobody. What they find
//! opens nothing: after work on the reader the floor passes the full inspection.

use device_protocols::reader::ReaderCommand;
use operator_api::{BenchPicture, DeviceTest, PersonId, TestedCardPicture};
use serde::{Deserialize, Serialize};
use table_rules::source::Point;

use crate::alerts::Stops;
use crate::codes::Code;
use crate::controller::Controller;
use crate::input::{ConsoleInput, PersonInput, ReaderAnswer, UpCardGroup};
use crate::notice::Notice;
use crate::output::{Output, Outputs};
use crate::people::Refused;
use crate::test_cards::{Judged, TestCard};

/// What a console's record of a login begins with where nobody's PIN could be checked.
pub const READ_ONLY_RUNG: &str = "read-only rung";

/// The reader's test of this service, as far as it came.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Bench {
    /// It waits for a card.
    pub(crate) runs: bool,
    /// What the reader said to each card so far.
    pub(crate) said: Vec<ReaderAnswer>,
    /// Somebody had the reader in hand since service began.
    pub(crate) worked_on_reader: bool,
}

impl Controller {
    pub(crate) fn test_device(&mut self, test: DeviceTest, by: &PersonInput, out: &mut Outputs) -> Result<(), Refused> {
        if self.state.service.is_none() {
            return Err(Refused::by(Code::ServiceMode, "devices are tested in service mode"));
        }
        if self.in_inspection() {
            let source = self.cite(Point::ReaderInspection);
            return Err(Refused { reason: "Inspection is already running".to_owned(), source });
        }
        let by = by.by.map_or(PersonId(0), |staff| staff.id);
        match test {
            DeviceTest::Reader => self.begin_reader_test(by, out),
            DeviceTest::Lamps => {
                if !self.config.has_layout {
                    return Err(Refused::by(Code::NothingThere, "this table has no lamps"));
                }
                out.commands.push(Output::LampTest);
                self.note_bench(format!("lamps tested by {}", by.0), out);
                Ok(())
            }
            DeviceTest::End => {
                if !self.state.inspections.bench.runs {
                    return Err(Refused::by(Code::NothingThere, "no test is running"));
                }
                self.end_reader_test(out);
                Ok(())
            }
        }
    }

    fn begin_reader_test(&mut self, by: PersonId, out: &mut Outputs) -> Result<(), Refused> {
        if !self.config.has_reader {
            return Err(Refused::by(Code::NothingThere, "this table has no reader"));
        }
        if !self.state.reader.up {
            let source = self.cite(Point::ReaderMalfunction);
            return Err(Refused { reason: "Hole-card reader does not answer".to_owned(), source });
        }
        let bench = &mut self.state.inspections.bench;
        (bench.runs, bench.worked_on_reader) = (true, true);
        bench.said.clear();
        self.note_bench(format!("reader tested by {} with the cards of the daily inspection", by.0), out);
        out.commands.push(Output::Reader(ReaderCommand::EnterTest));
        self.arm_test(out);
        Ok(())
    }

    /// Whether the answer belonged to a test of this service.
    pub(crate) fn bench_takes(&mut self, group: UpCardGroup, answer: ReaderAnswer, out: &mut Outputs) -> bool {
        if !self.state.inspections.bench.runs {
            return false;
        }
        let Some(card) = self.test_cards().get(self.state.inspections.bench.said.len()) else { return true };
        match card.judge(group, answer) {
            Judged::TooEarly => self.arm_test(out),
            Judged::Right | Judged::Wrong(_) => {
                self.state.inspections.bench.said.push(answer);
                if self.state.inspections.bench.said.len() < self.test_cards().len() {
                    self.arm_test(out);
                } else {
                    self.end_reader_test(out);
                }
            }
        }
        true
    }

    /// What became of it is on record, whoever looks.
    pub(crate) fn end_reader_test(&mut self, out: &mut Outputs) {
        if std::mem::take(&mut self.state.inspections.bench.runs) {
            out.commands.push(Output::Reader(ReaderCommand::LeaveTest));
            let said = &self.state.inspections.bench.said;
            let right = said.iter().zip(&self.config.daily_test_cards).filter(|(said, card)| **said == card.expected);
            let (right, of) = (right.count(), self.config.daily_test_cards.len());
            self.note_bench(format!("reader test of service: {right} of {of} cards as expected"), out);
        }
    }

    /// What was said at the console is on record. That somebody looked without a PIN is an alert with its time.
    pub(crate) fn on_console(&mut self, said: &ConsoleInput, out: &mut Outputs) {
        let code = Code::AtTheConsole.to_string();
        self.say(Notice::ConsoleSaid(said.clone()), &code, out);
        if said.person == PersonId(0) && said.words == "login" && said.result.starts_with(READ_ONLY_RUNG) {
            let text = format!("console was opened without a PIN: {}", said.result);
            self.raise("console without a PIN", Stops::Nothing, &code, &text, out);
        }
    }

    fn note_bench(&self, what: String, out: &mut Outputs) {
        self.say(Notice::Noted { what }, &Code::ServiceMode.to_string(), out);
    }

    /// Whatever happens to the reader in service counts as work on it.
    pub(crate) fn note_reader_work(&mut self) {
        self.state.inspections.bench.worked_on_reader |= self.state.service.is_some();
    }

    /// The reader's test of this service, for the technician's console; `None` where there was none.
    pub fn bench(&self) -> Option<BenchPicture> {
        let bench = &self.state.inspections.bench;
        if !bench.runs && bench.said.is_empty() && !bench.worked_on_reader {
            return None;
        }
        let cards = &self.config.daily_test_cards;
        let told = cards.iter().zip(&bench.said).map(|(card, said)| TestedCardPicture {
            order: card.order(),
            said: said.word().to_owned(),
            right: *said == card.expected,
        });
        let next = cards.get(bench.said.len()).filter(|_| bench.runs);
        Some(BenchPicture {
            runs: bench.runs,
            cards: u32::try_from(cards.len()).unwrap_or(u32::MAX),
            tested: told.collect(),
            next: next.map(TestCard::order),
            worked_on_reader: bench.worked_on_reader,
        })
    }
}
