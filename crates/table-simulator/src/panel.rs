//! The felt: the lock-out button with its lamp, and up to eight seats with three spots each, a sensor and a lamp to a
//! spot, wired to lines or to expanders.
//!
//! Buttons and sensors pull their pin low. A lamp shines when its pin is high.

use device_protocols::link::Millis;
use embedded_hal::digital::OutputPin;

use crate::bench::{BenchError, Word, argument, word};
use crate::gpio::{GpioChip, LineNumber};
use crate::i2c::SimI2c;
use crate::mcp23017::Port;

pub const SEATS_MAX: u8 = 8;
pub const SPOTS_MAX: u8 = 3;
/// A chip settles within this many bounces; a button a little longer.
const BOUNCES: u16 = 3;
/// Expanders carry seven usable pins a port.
const PINS_A_PORT: u8 = 7;
const FIRST_EXPANDER: u8 = 0x20;

/// A betting spot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Spot {
    pub seat: u8,
    pub spot: u8,
}

/// How the spots reach the controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wiring {
    /// Every sensor and lamp on a line of its own.
    Lines,
    /// Sensors and lamps on expanders, two ports of seven pins each; the button stays on a line.
    Expanders,
}

/// The table as hands see it.
#[derive(Debug)]
pub struct Panel {
    pub lines: GpioChip,
    pub bus: SimI2c,
    wiring: Wiring,
    seats: u8,
    spots: u8,
    chips: Vec<Spot>,
    lock_pressed: bool,
}

pub const LOCK_BUTTON: LineNumber = LineNumber(0);
pub const LOCK_LAMP: LineNumber = LineNumber(1);

impl Panel {
    /// `seats` up to eight, `spots` up to three; more is cut.
    pub fn new(wiring: Wiring, seats: u8, spots: u8) -> Self {
        let (seats, spots) = (seats.min(SEATS_MAX), spots.min(SPOTS_MAX));
        let sensors = u16::from(seats) * u16::from(spots);
        let bus = SimI2c::default();
        let lines = match wiring {
            Wiring::Lines => GpioChip::new(2 + 2 * sensors),
            Wiring::Expanders => {
                for chip in 0..expanders(sensors) * 2 {
                    bus.add(FIRST_EXPANDER + chip);
                }
                GpioChip::new(2)
            }
        };
        let panel = Self { lines, bus, wiring, seats, spots, chips: Vec::new(), lock_pressed: false };
        // Lamps are dark until somebody drives them.
        let lamps: Vec<LineNumber> = panel.spots().filter_map(|spot| panel.lamp_line(spot)).collect();
        for lamp in lamps.into_iter().chain([LOCK_LAMP]) {
            let Ok(()) = panel.lines.pin(lamp).set_low();
        }
        panel
    }

    pub fn spots(&self) -> impl Iterator<Item = Spot> + use<> {
        let spots = self.spots;
        (1..=self.seats).flat_map(move |seat| (1..=spots).map(move |spot| Spot { seat, spot }))
    }

    fn index(&self, spot: Spot) -> u16 {
        u16::from(spot.seat - 1) * u16::from(self.spots) + u16::from(spot.spot - 1)
    }

    fn exists(&self, spot: Spot) -> bool {
        (1..=self.seats).contains(&spot.seat) && (1..=self.spots).contains(&spot.spot)
    }

    pub fn sensor_line(&self, spot: Spot) -> Option<LineNumber> {
        (self.wiring == Wiring::Lines && self.exists(spot)).then(|| LineNumber(2 + self.index(spot)))
    }

    pub fn lamp_line(&self, spot: Spot) -> Option<LineNumber> {
        let sensors = u16::from(self.seats) * u16::from(self.spots);
        (self.wiring == Wiring::Lines && self.exists(spot)).then(|| LineNumber(2 + sensors + self.index(spot)))
    }

    /// Chip address, port and pin of a spot's sensor.
    pub fn sensor_pin(&self, spot: Spot) -> Option<(u8, Port, u8)> {
        (self.wiring == Wiring::Expanders && self.exists(spot)).then(|| pin(self.index(spot), 0))
    }

    /// Lamps follow on chips of their own.
    pub fn lamp_pin(&self, spot: Spot) -> Option<(u8, Port, u8)> {
        let sensors = u16::from(self.seats) * u16::from(self.spots);
        (self.wiring == Wiring::Expanders && self.exists(spot)).then(|| pin(self.index(spot), expanders(sensors)))
    }

    /// Presses or lets go the lock-out button, bouncing as contacts do. Returns when it rests.
    pub fn press_lock(&mut self, pressed: bool, now: Millis) -> Millis {
        if self.lock_pressed == pressed {
            return now;
        }
        self.lock_pressed = pressed;
        self.lines.drive_bouncing(LOCK_BUTTON, !pressed, BOUNCES, now)
    }

    pub fn lock_is_pressed(&self) -> bool {
        self.lock_pressed
    }

    pub fn put_chip(&mut self, spot: Spot, now: Millis) -> bool {
        let lies = self.exists(spot) && !self.has_chip(spot);
        if lies {
            self.chips.push(spot);
            self.drive(spot, false, now);
        }
        lies
    }

    pub fn take_chip(&mut self, spot: Spot, now: Millis) -> bool {
        let lay = self.has_chip(spot);
        if lay {
            self.chips.retain(|chip| *chip != spot);
            self.drive(spot, true, now);
        }
        lay
    }

    pub fn has_chip(&self, spot: Spot) -> bool {
        self.chips.contains(&spot)
    }

    pub fn chips(&self) -> &[Spot] {
        &self.chips
    }

    fn drive(&self, spot: Spot, high: bool, now: Millis) {
        if let Some(line) = self.sensor_line(spot) {
            self.lines.drive_bouncing(line, high, BOUNCES, now);
        }
        if let Some((address, port, pin)) = self.sensor_pin(spot) {
            self.bus.chip(address, |chip| chip.drive(port, pin, high));
        }
    }

    /// Whether a spot's lamp shines; dark where nobody drives it.
    pub fn lamp(&self, spot: Spot) -> bool {
        if let Some(line) = self.lamp_line(spot) {
            return self.lines.level(line);
        }
        let Some((address, port, pin)) = self.lamp_pin(spot) else { return false };
        self.bus.chip(address, |chip| chip.output(port, pin)).flatten().unwrap_or(false)
    }

    pub fn lock_lamp(&self) -> bool {
        self.lines.level(LOCK_LAMP)
    }

    /// The words for `holecard sim gpio`.
    pub fn words() -> &'static [Word] {
        const WORDS: &[Word] = &[
            word("press lock", "hold the lock-out button down"),
            word("release lock", "let it go"),
            word("chip SEAT SPOT on|off", "put a chip on a spot or take it off"),
            word("stuck SEAT SPOT on|off|free", "fix a sensor's line, or let it go"),
            word("stuck lock on|off|free", "fix the button's line, or let it go"),
            word("lamps", "which lamps shine"),
            word("chips", "which spots have a chip"),
        ];
        WORDS
    }

    pub fn obey(&mut self, line: &str, now: Millis) -> Result<String, BenchError> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let done = Ok("done".to_owned());
        match words.as_slice() {
            ["press", "lock"] => {
                self.press_lock(true, now);
                done
            }
            ["release", "lock"] => {
                self.press_lock(false, now);
                done
            }
            ["chip", _, _, what @ ("on" | "off")] => {
                let spot = self.spot(&words, 1, "chip 3 1 on|off")?;
                let moved = if *what == "on" { self.put_chip(spot, now) } else { self.take_chip(spot, now) };
                if moved { done } else { Err(BenchError::NotNow { reason: "that is how it lies already" }) }
            }
            ["stuck", "lock", how @ ("on" | "off" | "free")] => {
                self.lines.stick(LOCK_BUTTON, stuck_level(how), now);
                done
            }
            ["stuck", _, _, how @ ("on" | "off" | "free")] => {
                let spot = self.spot(&words, 1, "stuck 3 1 on|off|free")?;
                let line =
                    self.sensor_line(spot).ok_or(BenchError::NotNow { reason: "its sensor is on an expander" })?;
                self.lines.stick(line, stuck_level(how), now);
                done
            }
            ["lamps"] => {
                let lit: Vec<Spot> = self.spots().filter(|spot| self.lamp(*spot)).collect();
                Ok(format!("lock {}, spots {}", if self.lock_lamp() { "lit" } else { "dark" }, list(&lit)))
            }
            ["chips"] => Ok(list(&self.chips)),
            _ => {
                Err(BenchError::UnknownWord { word: words.first().map_or_else(String::new, |word| (*word).to_owned()) })
            }
        }
    }

    fn spot(&self, words: &[&str], place: usize, usage: &'static str) -> Result<Spot, BenchError> {
        let spot = Spot { seat: argument(words, place, usage)?, spot: argument(words, place + 1, usage)? };
        if self.exists(spot) { Ok(spot) } else { Err(BenchError::usage(words, usage)) }
    }
}

/// A sensor that is stuck on says that a chip lies there: its line is low.
fn stuck_level(word: &str) -> Option<bool> {
    match word {
        "on" => Some(false),
        "off" => Some(true),
        _ => None,
    }
}

fn list(spots: &[Spot]) -> String {
    if spots.is_empty() {
        return "none".to_owned();
    }
    spots.iter().map(|spot| format!("{}.{}", spot.seat, spot.spot)).collect::<Vec<_>>().join(" ")
}

fn expanders(pins: u16) -> u8 {
    u8::try_from(pins.div_ceil(2 * u16::from(PINS_A_PORT))).unwrap_or(u8::MAX)
}

/// Pins 0 to 6 of port A, then of port B, then the next chip.
fn pin(index: u16, first_chip: u8) -> (u8, Port, u8) {
    let pins = u16::from(PINS_A_PORT);
    let chip = u8::try_from(index / (2 * pins)).unwrap_or(u8::MAX);
    let within = index % (2 * pins);
    let port = if within < pins { Port::A } else { Port::B };
    (FIRST_EXPANDER + first_chip + chip, port, u8::try_from(within % pins).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use embedded_hal::i2c::I2c;

    #[test]
    fn a_chip_pulls_its_own_line_and_a_lamp_shines_when_driven() {
        let mut panel = Panel::new(Wiring::Lines, 7, 3);
        let spot = Spot { seat: 3, spot: 1 };
        assert!(panel.put_chip(spot, Millis(5)));
        let low: Vec<Spot> = panel
            .spots()
            .filter(|spot| panel.sensor_line(*spot).is_some_and(|line| !panel.lines.level(line)))
            .collect();
        assert_eq!(low, [spot]);
        let Some(line) = panel.lamp_line(spot) else { panic!("a lamp to every spot") };
        assert!(!panel.lamp(spot), "dark at first");
        let Ok(()) = panel.lines.pin(line).set_high();
        assert!(panel.lamp(spot));
    }

    #[test]
    fn eight_seats_of_three_spots_fit_the_expanders_without_pin_7() {
        let panel = Panel::new(Wiring::Expanders, 8, 3);
        let mut used = std::collections::BTreeSet::new();
        for spot in panel.spots() {
            for (address, port, pin) in [panel.sensor_pin(spot), panel.lamp_pin(spot)].into_iter().flatten() {
                assert!(pin < 7 && (0x20..=0x27).contains(&address), "{address:02X} {pin}");
                assert!(used.insert((address, port as u8, pin)), "one pin, one purpose");
            }
        }
        assert_eq!(used.len(), 48);
    }

    #[test]
    fn a_chip_on_an_expander_raises_its_interrupt() {
        let mut panel = Panel::new(Wiring::Expanders, 7, 2);
        let spot = Spot { seat: 7, spot: 2 };
        let Some((address, port, _)) = panel.sensor_pin(spot) else { panic!("wired") };
        let mut bus = panel.bus.clone();
        assert_eq!(bus.write(address, &[0x04, 0x7F, 0x7F]), Ok(()));
        panel.put_chip(spot, Millis(1));
        assert_eq!(panel.bus.chip(address, |chip| chip.interrupt(port)), Some(true));
    }

    #[test]
    fn the_bench_words_move_the_same_things() {
        let mut panel = Panel::new(Wiring::Lines, 7, 3);
        assert_eq!(panel.obey("chip 3 1 on", Millis(1)).as_deref(), Ok("done"));
        assert_eq!(panel.obey("chips", Millis(1)).as_deref(), Ok("3.1"));
        assert_eq!(panel.obey("press lock", Millis(2)).as_deref(), Ok("done"));
        assert!(!panel.lines.level(LOCK_BUTTON));
        assert!(panel.obey("chip 9 1 on", Millis(1)).is_err());
        assert!(panel.obey("chip 3 1 on", Millis(1)).is_err());
        assert!(panel.obey("dance", Millis(1)).is_err());
    }
}
