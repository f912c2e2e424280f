//! Prints the tables of the technician's manual of faults.

fn main() {
    print!("{}", device_drivers::fault::book::manual());
}
