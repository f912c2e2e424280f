//! The wiring as a person writes it.
#![expect(clippy::unwrap_used, reason = "a test that cannot build its example should stop")]

use std::fs;
use std::path::PathBuf;

use device_drivers::clock::Span;
use device_drivers::config::{Devices, GpioBackend, SerialLink, WiringProblem};
use device_drivers::inputs::Spot;

fn parse(text: &str) -> Devices {
    toml::from_str(text).unwrap()
}

fn problems(text: &str) -> Vec<String> {
    parse(text).wiring().unwrap_err().iter().map(ToString::to_string).collect()
}

/// The blocks of `docs/technician/wiring.md`, in order, make one configuration; a table's file has it under `devices`.
fn documented() -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/technician/wiring.md");
    let page = fs::read_to_string(path).unwrap();
    let blocks: Vec<&str> = page.split("```toml\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert!(blocks.len() >= 3);
    blocks.concat().replace("[devices.", "[")
}

#[test]
fn the_documented_table_can_be_driven() {
    let devices = parse(&documented());
    assert_eq!(devices.gpio.backend, GpioBackend::Gpiocdev);
    assert!(matches!(devices.reader.as_ref().unwrap().link, SerialLink::Tty { baud: 115_200, .. }));
    let wiring = devices.wiring().unwrap();
    assert!(wiring.split.wired.contains(Spot::new(1, 1).unwrap()));
    assert!(wiring.split.on_expander.contains(Spot::new(7, 1).unwrap()));
    assert!(!wiring.split.on_expander.contains(Spot::new(1, 1).unwrap()));
    assert!(wiring.split.settle <= Span::millis(50), "in force within 50 ms");
    assert_eq!(wiring.bus.chips.len(), 1);
    assert!(wiring.inputs.iter().any(|(_, line)| line.name == "GPIO22" && line.debounce == Span(0)));
}

#[test]
fn every_problem_is_told_at_once_with_its_remedy() {
    let told = problems(
        r#"
        [gpio]
        debounce_ms = 5
        lock_out = { button = "LOCK" }
        [[sensor]]
        seat = 9
        spot = 1
        at = { line = "S1" }
        [[sensor]]
        seat = 1
        spot = 1
        at = { line = "LOCK" }
        [[sensor]]
        seat = 2
        spot = 1
        at = { expander = { address = 0x20, pin = "A7" } }
        [[sensor]]
        seat = 3
        spot = 1
        at = { expander = { address = 0x30, pin = "B0" } }
        [[lamp]]
        seat = 3
        spot = 1
        at = { expander = { address = 0x21, pin = "C1" } }
        [[lamp]]
        seat = 4
        spot = 1
        at = { expander = { address = 0x21, pin = "B1" } }
        [[lamp]]
        seat = 4
        spot = 1
        at = { expander = { address = 0x21, pin = "B1" } }
        "#,
    );
    let expected = [
        "debounce_ms = 5: write 20 to 30",
        "seat 9 spot 1 does not exist: seats are 1 to 8, spots 1 to 3",
        "line LOCK is used twice: give one of them another line",
        "A7 cannot be a sensor: pins A7 and B7 of this chip are outputs only; use it for a lamp",
        "0x30 is no address of this chip: write 0x20 to 0x27",
        "C1 is no pin: write A0 to A7 or B0 to B7",
        "spot 4.1 has two lamps: remove one",
        "pin B1 of the expander at 0x21 is used twice: give one of them another pin",
        "a sensor or lamp is on an expander, but there is no [expanders] with the bus and the interrupt line",
    ];
    assert_eq!(told, expected);
}

#[test]
fn sensors_without_a_lock_out_are_refused() {
    let devices = parse("[[sensor]]\nseat = 1\nspot = 1\nat = { line = \"S\" }\n");
    assert_eq!(devices.wiring(), Err(vec![WiringProblem::NoLockOut]));
}

#[test]
fn an_unknown_key_is_an_error() {
    assert!(toml::from_str::<Devices>("[gpio]\nbackend = \"gpiocdev\"\ndebounce = 25\n").is_err());
}
