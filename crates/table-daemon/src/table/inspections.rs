//! The last signed inspections as the floor's pages read and print them.

use operator_api::{InspectionRecord, SheetSeal};
use serde_json::{Value, json};
use table_journal::Head;

/// Newest first, each with its sheet and the head of the journal that holds it.
pub(super) fn told(records: &[InspectionRecord], head: Head) -> Value {
    let seal = SheetSeal { sequence: head.sequence.0, hash: head.hash.to_string() };
    let told = |record: &InspectionRecord| json!({ "record": record, "sheet": record.sheet(Some(&seal)) });
    json!({ "inspections": records.iter().map(told).collect::<Vec<_>>() })
}
