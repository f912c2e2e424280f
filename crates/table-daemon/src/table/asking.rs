//! What can be read of the table besides its screen.

use table_controller::Controller;
use table_rules::input::Input;

use super::decide::Answer;
use super::inspections;
use super::running::Loop;
use crate::handle::{Ask, AskError, Query};

impl Loop {
    pub(super) fn answer(&mut self, query: Query) {
        let text = match query.ask {
            Ask::Devices => json(&self.controller.screen().devices),
            Ask::Meters => json(&self.controller.meter_views()),
            Ask::Alerts => json(&self.controller.screen().alerts),
            Ask::Day => json(&self.controller.day_view()),
            Ask::Players { names_seat } => json(&self.controller.players_view(names_seat)),
            Ask::Head => {
                let head = self.writer.status().durable;
                json(&serde_json::json!({ "sequence": head.sequence.0, "hash": head.hash.to_string() }))
            }
            Ask::Outlook(input) => outlook(&self.controller, &input),
            Ask::Inspections => {
                json(&inspections::told(self.controller.inspection_records(), self.writer.status().durable))
            }
            Ask::Identity => json(&self.picture.identity()),
            Ask::Recall(round) => match self.ledger.rounds().find(|place| place.round == round).copied() {
                None => Err(AskError::NotFound(format!("round {round} is not among the last ones"))),
                Some(place) => {
                    let Some(reading) = self.readers.enter() else {
                        let _gone = query.reply.send(Err(AskError::Unavailable("too many are reading".to_owned())));
                        return;
                    };
                    let journal = self.durable_journal();
                    // The disk may be slow; the loop does not wait for it.
                    tokio::task::spawn_blocking(move || {
                        let read = journal.round(place);
                        drop(reading);
                        let _gone = query.reply.send(read.map_err(|error| AskError::Unavailable(error.to_string())));
                    });
                    return;
                }
            },
        };
        self.tell(Answer { text, reply: query.reply });
    }
}

/// What is refused leads to nothing.
fn outlook(controller: &Controller, input: &Input) -> Result<String, AskError> {
    let then = controller.outlook(input);
    json(&then.map_err(|refused| AskError::NotFound(format!("{} ({})", refused.reason, refused.source)))?)
}

fn json(value: &impl serde::Serialize) -> Result<String, AskError> {
    serde_json::to_string(value).map_err(|error| AskError::Unavailable(error.to_string()))
}
