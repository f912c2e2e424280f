//! Prints the tables of the technician's manual of faults.

fn main() {
    print!("{}", operator_api::fault_book::manual());
}
