//! The bus thread with chips that answer, vanish and forget, and plain pins.
#![expect(clippy::unwrap_used, reason = "a test that cannot set up its bench should stop")]

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex};

use device_drivers::clock::Span;
use device_drivers::gpio::plain::{PlainLamps, PlainLines};
use device_drivers::gpio::{EdgeSource, LineId};
use device_drivers::inputs::{Spot, SpotSet};
use device_drivers::lamps::{LampFrame, LampOutput};
use device_drivers::mcp23017::bus::Lamp;
use device_drivers::mcp23017::{BusLayout, BusSignal, ChipAddress, ChipLayout, InputPin, OutputPin, Port, spawn_bus};
use embedded_hal::i2c::{ErrorKind, ErrorType, I2c, NoAcknowledgeSource, Operation};
use embedded_hal_mock::eh1::digital::{Mock as Pin, State, Transaction};
use tokio::sync::mpsc;

/// Registers of the chips on a bus, as the data sheet lays them out in bank 0.
#[derive(Clone, Default)]
struct Chips {
    registers: Arc<Mutex<BTreeMap<u8, [u8; 0x16]>>>,
    opened: Arc<Mutex<u32>>,
}

impl Chips {
    fn plug_in(&self, address: u8) {
        let mut reset = [0; 0x16];
        reset[0x00] = 0xFF;
        reset[0x01] = 0xFF;
        reset[0x12] = 0xFF;
        reset[0x13] = 0xFF;
        self.registers.lock().unwrap().insert(address, reset);
    }

    fn pull_out(&self, address: u8) {
        self.registers.lock().unwrap().remove(&address);
    }

    fn set(&self, address: u8, register: usize, value: u8) {
        self.registers.lock().unwrap().get_mut(&address).unwrap()[register] = value;
    }

    fn get(&self, address: u8, register: usize) -> u8 {
        self.registers.lock().unwrap()[&address][register]
    }
}

impl ErrorType for Chips {
    type Error = ErrorKind;
}

impl I2c for Chips {
    fn transaction(&mut self, address: u8, operations: &mut [Operation<'_>]) -> Result<(), ErrorKind> {
        let mut chips = self.registers.lock().unwrap();
        let nobody = ErrorKind::NoAcknowledge(NoAcknowledgeSource::Address);
        let registers = chips.get_mut(&address).ok_or(nobody)?;
        let mut pointer = 0;
        for operation in operations {
            match operation {
                Operation::Write(bytes) => {
                    pointer = usize::from(bytes[0]);
                    for byte in &bytes[1..] {
                        registers[pointer] = *byte;
                        pointer += 1;
                    }
                }
                Operation::Read(bytes) => {
                    for byte in bytes.iter_mut() {
                        *byte = registers[pointer];
                        pointer += 1;
                    }
                }
            }
        }
        Ok(())
    }
}

fn spot(seat: u8) -> Spot {
    Spot::new(seat, 1).unwrap()
}

fn layout() -> BusLayout {
    let chip = |address, seat| ChipLayout {
        address: ChipAddress::new(address).unwrap(),
        sensors: vec![(InputPin::new(Port::A, 0).unwrap(), spot(seat))],
        lamps: vec![(OutputPin::new(Port::B, 7).unwrap(), Lamp::Main(spot(seat)))],
    };
    BusLayout { chips: vec![chip(0x20, 1), chip(0x21, 2)] }
}

fn told(signals: &mut mpsc::Receiver<BusSignal>) -> Vec<String> {
    std::iter::from_fn(|| signals.try_recv().ok())
        .map(|BusSignal { address, signal }| format!("{:02x} {} {:?}", address.value(), signal.code, signal.change))
        .collect()
}

#[tokio::test]
async fn one_dead_chip_does_not_take_the_others_with_it_and_returns_with_its_lamps() {
    let chips = Chips::default();
    chips.plug_in(0x20);
    chips.plug_in(0x21);
    let bus = chips.clone();
    let (mut handle, mut signals, thread) = spawn_bus(layout(), move || Ok::<_, io::Error>(bus.clone())).unwrap();
    chips.set(0x20, 0x12, 0xFE);
    let read = handle.read().await.unwrap();
    assert_eq!((read.covers, read.present), (SpotSet::from_iter([spot(1), spot(2)]), SpotSet::EMPTY.with(spot(1))));

    let frame = LampFrame { main: SpotSet::from_iter([spot(1), spot(2)]), ..LampFrame::default() };
    handle.write(frame, None).await.unwrap();
    assert_eq!((chips.get(0x20, 0x15), chips.get(0x21, 0x15)), (0x80, 0x80));

    chips.pull_out(0x21);
    assert_eq!(handle.read().await.unwrap().covers, SpotSet::EMPTY.with(spot(1)));
    assert!(handle.write(frame, Some(frame)).await.is_err());
    chips.plug_in(0x21);
    assert_eq!(handle.read().await.unwrap().covers, read.covers);
    assert_eq!(chips.get(0x21, 0x15), 0x80, "the lamp is lit again without being asked");
    assert_eq!(chips.get(0x21, 0x01), 0x00, "B7 is an output");
    handle.verify().await.unwrap();
    assert_eq!(told(&mut signals), ["21 EX-001 Raised", "21 EX-001 Cleared"]);

    // A brown-out: the chip answers, with everything forgotten.
    chips.plug_in(0x20);
    handle.verify().await.unwrap();
    handle.verify().await.unwrap();
    handle.verify().await.unwrap();
    assert_eq!(told(&mut signals), ["20 EX-101 Raised", "20 EX-101 Cleared"]);
    assert_eq!(chips.get(0x20, 0x15), 0x80);
    drop(handle);
    thread.join().unwrap();
}

#[tokio::test]
async fn a_bus_that_cannot_be_opened_is_tried_again() {
    let chips = Chips::default();
    chips.plug_in(0x20);
    chips.plug_in(0x21);
    let (bus, opened) = (chips.clone(), Arc::clone(&chips.opened));
    let open = move || {
        *opened.lock().unwrap() += 1;
        if *opened.lock().unwrap() < 3 { Err(io::Error::other("not yet")) } else { Ok(bus.clone()) }
    };
    let (handle, mut signals, _thread) = spawn_bus(layout(), open).unwrap();
    assert!(handle.read().await.unwrap().covers.is_empty());
    assert!(handle.read().await.unwrap().covers.is_empty());
    assert_eq!(handle.read().await.unwrap().covers.len(), 2);
    handle.verify().await.unwrap();
    assert_eq!(told(&mut signals).len(), 4, "raised and cleared for both chips");
    // All chips gone three times in a row: the bus itself is closed and opened again.
    chips.pull_out(0x20);
    chips.pull_out(0x21);
    for _ in 0..4 {
        handle.read().await.unwrap();
    }
    assert_eq!(*chips.opened.lock().unwrap(), 4);
}

#[tokio::test(start_paused = true)]
async fn plain_pins_are_looked_at_and_only_changes_are_edges() {
    let looks = [State::High, State::High, State::High, State::Low].map(Transaction::get);
    let pin = Pin::new(&looks);
    let mut lines = PlainLines::new(vec![(LineId::LockOut, pin.clone(), true)], Span::millis(25));
    assert_eq!(lines.levels().unwrap(), [(LineId::LockOut, false)]);
    let edge = lines.next_edge().await.unwrap();
    assert_eq!((edge.line, edge.active), (LineId::LockOut, true));
    let mut pin = pin;
    pin.done();
}

#[tokio::test]
async fn plain_lamps_write_only_what_changed_and_everything_when_nothing_is_known() {
    let mut first = Pin::new(&[Transaction::set(State::High), Transaction::set(State::Low)]);
    let mut second = Pin::new(&[Transaction::set(State::High)]);
    let pins = vec![(Lamp::Main(spot(1)), first.clone(), false), (Lamp::LockOut, second.clone(), true)];
    let mut lamps = PlainLamps::new(pins);
    let lit = LampFrame { main: SpotSet::EMPTY.with(spot(1)), ..LampFrame::default() };
    lamps.write(lit, None).await.unwrap();
    lamps.write(LampFrame::default(), Some(lit)).await.unwrap();
    first.done();
    second.done();
}
