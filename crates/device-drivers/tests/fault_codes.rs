//! Codes are in journals for years: none may change its meaning or go.

use device_drivers::fault::all_codes;

#[test]
fn the_codes_are_these() {
    let codes: Vec<String> = all_codes().iter().map(ToString::to_string).collect();
    let expected = include_str!("fault_codes.txt");
    assert_eq!(codes, expected.split_whitespace().collect::<Vec<_>>());
}
