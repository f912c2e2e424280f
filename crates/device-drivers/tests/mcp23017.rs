//! The expander, transaction by transaction, as its data sheet writes them.
#![expect(clippy::unwrap_used, reason = "a test that cannot build its example should stop")]

use device_drivers::mcp23017::{ChipAddress, ChipFault, InputPin, Mcp23017, OutputPin, PinSetup, Port, PortSample};
use embedded_hal::i2c::{ErrorKind, NoAcknowledgeSource};
use embedded_hal_mock::eh1::i2c::{Mock, Transaction};

const ADDRESS: u8 = 0x21;

/// Sensors on A0 to A2 and B0, lamps on A7, B6 and B7.
fn chip() -> Mcp23017 {
    let inputs = [(Port::A, 0), (Port::A, 1), (Port::A, 2), (Port::B, 0)];
    let inputs = inputs.map(|(port, number)| InputPin::new(port, number).unwrap());
    let outputs = [(Port::A, 7), (Port::B, 6), (Port::B, 7)];
    let outputs = outputs.map(|(port, number)| OutputPin::new(port, number).unwrap());
    Mcp23017::new(ChipAddress::new(ADDRESS).unwrap(), PinSetup::new(&inputs, &outputs).unwrap())
}

fn setting_up(latch_a: u8, latch_b: u8) -> Vec<Transaction> {
    let writes: [&[u8]; 9] = [
        &[0x05, 0x00],                     // out of bank 1
        &[0x0A, 0x44, 0x44],               // IOCON: MIRROR, ODR
        &[0x14, latch_a, latch_b],         // OLAT, before the pins drive
        &[0x00, 0b0000_0111, 0b0000_0001], // IODIR: 1 is input; A7 and B7 are outputs
        &[0x02, 0, 0],                     // IPOL
        &[0x06, 0, 0],                     // DEFVAL
        &[0x08, 0, 0],                     // INTCON: against the previous level
        &[0x0C, 0b0000_0111, 0b0000_0001], // GPPU
        &[0x04, 0b0000_0111, 0b0000_0001], // GPINTEN
    ];
    writes.iter().map(|bytes| Transaction::write(ADDRESS, bytes.to_vec())).collect()
}

fn reading(bytes: [u8; 6]) -> Transaction {
    Transaction::write_read(ADDRESS, vec![0x0E], bytes.to_vec())
}

fn check(transactions: Vec<Transaction>, act: impl FnOnce(&mut Mcp23017, &mut Mock)) {
    let mut bus = Mock::new(&transactions);
    act(&mut chip(), &mut bus);
    bus.done();
}

#[test]
fn the_first_reading_sets_the_chip_up() {
    let mut transactions = setting_up(0, 0);
    // A1 changed; it was high at the change and is low now. Pins that are no inputs are masked.
    transactions.push(reading([0b0000_0010, 0, 0b0000_0111, 0xFF, 0b1000_0101, 0b1100_0001]));
    transactions.push(reading([0, 0, 0, 0, 0, 0]));
    check(transactions, |chip, bus| {
        let sample = PortSample { flagged: 0x0002, captured: 0x0107, levels: 0x0105 };
        assert_eq!(chip.sample(bus), Ok(sample));
        assert_eq!(chip.sample(bus), Ok(PortSample::default()));
    });
}

#[test]
fn lamps_are_written_to_both_latches_and_only_to_outputs() {
    let mut transactions = setting_up(0x80, 0x40);
    transactions.push(Transaction::write(ADDRESS, vec![0x14, 0x80, 0x40]));
    transactions.push(Transaction::write(ADDRESS, vec![0x14, 0x00, 0xC0]));
    check(transactions, |chip, bus| {
        assert_eq!(chip.write(bus, 0x4080), Ok(()));
        assert_eq!(chip.write(bus, 0xFF07 & 0xC707), Ok(()), "input pins are not driven");
    });
}

#[test]
fn a_bus_error_is_told_and_the_next_call_sets_the_chip_up_again_with_the_lamps_as_they_should_be() {
    let mut transactions = setting_up(0x80, 0);
    transactions.push(Transaction::write(ADDRESS, vec![0x14, 0x80, 0]));
    transactions.push(reading([0; 6]).with_error(ErrorKind::ArbitrationLoss));
    transactions.extend(setting_up(0x80, 0));
    transactions.push(reading([0, 0, 0, 0, 7, 0]));
    check(transactions, |chip, bus| {
        chip.write(bus, 0x0080).unwrap();
        let fault = ChipFault::Bus { address: ADDRESS, kind: ErrorKind::ArbitrationLoss, errno: None };
        assert_eq!(chip.sample(bus), Err(fault));
        assert!(!chip.is_set_up());
        assert_eq!(chip.sample(bus).unwrap().levels, 7);
    });
}

#[test]
fn an_absent_chip_is_told_from_a_disturbed_bus() {
    let nobody = ErrorKind::NoAcknowledge(NoAcknowledgeSource::Address);
    let transactions = vec![Transaction::write(ADDRESS, vec![0x05, 0x00]).with_error(nobody)];
    check(transactions, |chip, bus| {
        assert_eq!(chip.sample(bus), Err(ChipFault::NoAnswer { address: ADDRESS, errno: None }));
    });
}

#[test]
fn a_chip_that_went_through_a_brown_out_is_found_by_its_reset_values_and_set_up_again() {
    let set_up = [7, 1, 0, 0, 7, 1, 0, 0, 0, 0, 0x44, 0x44, 7, 1];
    // Table 3-3: after a reset IODIR is all ones, the rest is zero.
    let reset = [0xFF, 0xFF, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    let look = |found: [u8; 14]| Transaction::write_read(ADDRESS, vec![0x00], found.to_vec());
    let mut transactions = setting_up(0, 0);
    transactions.push(look(set_up));
    transactions.push(look(reset));
    transactions.extend(setting_up(0, 0));
    transactions.push(look(set_up));
    check(transactions, |chip, bus| {
        assert_eq!(chip.verify(bus), Ok(()));
        assert_eq!(chip.verify(bus), Err(ChipFault::LostConfiguration { address: ADDRESS }));
        assert_eq!(chip.verify(bus), Ok(()));
    });
}
