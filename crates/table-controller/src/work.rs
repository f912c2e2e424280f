//! Work orders: what a technician has to see to. A failed inspection makes one, a test at the console may, and the
//! technician who has done the work closes it. They stop nothing by themselves: what is wrong with a device stops the
//! table, and an inspection that passes lets it open again.

use operator_api::fault_book::explain_source;
use operator_api::{FaultView, PersonId, WorkOrderView};
use serde::{Deserialize, Serialize};
use table_rules::source::Point;

use crate::alerts::Moment;
use crate::codes::Code;
use crate::controller::Controller;
use crate::input::PersonInput;
use crate::notice::Notice;
use crate::output::Outputs;
use crate::people::Refused;

/// How many may be asked for in somebody's own words and stay open; those of inspections are as many as their reasons.
const ASKED_MAX: usize = 32;

/// One thing to see to.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct WorkOrder {
    pub(crate) order: u64,
    /// The part of the table.
    pub(crate) place: String,
    pub(crate) what: String,
    /// A clause or a fault code.
    pub(crate) source: String,
    pub(crate) by: PersonId,
    pub(crate) opened: Moment,
}

/// Those that are open, oldest first.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct WorkOrders {
    /// The number of the last one ever.
    pub(crate) last: u64,
    pub(crate) open: Vec<WorkOrder>,
}

impl WorkOrders {
    pub(crate) fn views(&self) -> Vec<WorkOrderView> {
        let view = |each: &WorkOrder| WorkOrderView {
            order: each.order,
            place: each.place.clone(),
            what: each.what.clone(),
            source: each.source.clone(),
            fault: explain_source(&each.source).map(|explained| FaultView { explained, place: None, errno: None }),
            opened_by: each.by,
            opened_sequence: each.opened.sequence,
            since_ms: each.opened.wall_ms,
        };
        self.open.iter().map(view).collect()
    }
}

impl Controller {
    /// The number of the order. One that says the same of the same part stands for both: repeating a failed inspection
    /// does not send the technician twice.
    pub(crate) fn open_work_order(
        &mut self,
        place: &str,
        what: &str,
        source: &str,
        by: PersonId,
        out: &mut Outputs,
    ) -> u64 {
        let same = |each: &&WorkOrder| each.place == place && each.what == what;
        if let Some(known) = self.state.work.open.iter().find(same) {
            return known.order;
        }
        let opened = self.moment();
        self.state.work.last += 1;
        let order = self.state.work.last;
        let (place, what) = (place.to_owned(), what.to_owned());
        self.state.work.open.push(WorkOrder {
            order,
            place: place.clone(),
            what: what.clone(),
            source: source.to_owned(),
            by,
            opened,
        });
        self.say(Notice::WorkOrderOpened { order, place, what, by }, source, out);
        order
    }

    /// Somebody saw something that a technician has to see to.
    pub(crate) fn ask_for_work(
        &mut self,
        place: &str,
        what: &str,
        person: &PersonInput,
        out: &mut Outputs,
    ) -> Result<(), Refused> {
        if place.trim().is_empty() || what.trim().is_empty() {
            return Err(Refused::by(Code::NothingThere, "say which part of the table, and what is wrong with it"));
        }
        if self.state.work.open.len() >= ASKED_MAX {
            return Err(Refused::by(
                Code::NothingThere,
                format!("{ASKED_MAX} work orders are open: some are done first"),
            ));
        }
        let by = person.by.map_or(PersonId(0), |staff| staff.id);
        let source = self.cite(Point::ReaderInspection);
        self.open_work_order(place.trim(), what.trim(), &source, by, out);
        Ok(())
    }

    /// The technician says what was done.
    pub(crate) fn close_work_order(
        &mut self,
        order: u64,
        done: &str,
        person: &PersonInput,
        out: &mut Outputs,
    ) -> Result<(), Refused> {
        let at = self.state.work.open.iter().position(|each| each.order == order);
        let at = at.ok_or_else(|| Refused::by(Code::NothingThere, format!("work order {order} is not open")))?;
        if done.trim().is_empty() {
            return Err(Refused::by(Code::NothingThere, "say what was done"));
        }
        let by = person.by.map_or(PersonId(0), |staff| staff.id);
        let closed = self.state.work.open.remove(at);
        self.say(Notice::WorkOrderClosed { order, done: done.trim().to_owned(), by }, &closed.source, out);
        Ok(())
    }
}
