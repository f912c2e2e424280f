//! The drivers' codes and the fault book say the same.

use std::collections::BTreeSet;

use device_drivers::fault::{FaultCode, Part, all_codes};
use operator_api::fault_book::{codes, explain};

#[test]
fn every_fault_of_a_device_has_one_text_and_every_text_a_fault() {
    let mut written: Vec<FaultCode> = codes().filter(|code| code.part != Part::Controller).collect();
    written.sort_unstable();
    assert_eq!(written, all_codes());
    assert_eq!(written.iter().collect::<BTreeSet<_>>().len(), written.len());
    assert!(written.into_iter().all(|code| explain(code).is_some()));
}
