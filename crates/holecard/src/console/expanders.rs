//! `i2c scan`: the expanders that the configuration expects against those that answer the daemon.
//!
//! The bus is the daemon's while it runs: two masters in two programs would disturb a reading that decides a wager. So the
//! console tells what the daemon found, and while it is down says what nobody knows.

use std::collections::BTreeMap;

use device_drivers::config::{Devices, Place};
use operator_api::{AlertPicture, Picture};
use serde_json::json;
use tech_console::Output;
use tech_console::text::{Moment, table, wrap};

use super::world::World;

/// What hangs on each chip, by its address.
fn expected(devices: &Devices) -> BTreeMap<u8, (Vec<String>, Vec<String>)> {
    let mut chips: BTreeMap<u8, (Vec<String>, Vec<String>)> = BTreeMap::new();
    for sensor in &devices.sensor {
        if let Place::Expander { address, .. } = &sensor.at {
            chips.entry(*address).or_default().0.push(format!("{}.{}", sensor.seat, sensor.spot));
        }
    }
    for lamp in &devices.lamp {
        if let Place::Expander { address, .. } = &lamp.at {
            chips.entry(*address).or_default().1.push(format!("{}.{}", lamp.seat, lamp.spot));
        }
    }
    chips
}

/// `sensors 4.1-7.1`, by the first and the last.
fn carries((sensors, lamps): &(Vec<String>, Vec<String>)) -> String {
    let part = |what: &str, spots: &[String]| match spots {
        [] => None,
        [only] => Some(format!("{what} {only}")),
        [first, .., last] => Some(format!("{what}s {first}-{last}")),
    };
    [part("sensor", sensors), part("lamp", lamps)].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// The fault of this chip that stands, if one does.
fn fault_of(picture: &Picture, address: u8) -> Option<&AlertPicture> {
    let here = format!("{address:#04x} on ");
    let of_chip = |alert: &&AlertPicture| {
        !alert.ended
            && alert.code.as_deref().is_some_and(|code| code.starts_with("EX-"))
            && alert.place.as_deref().is_some_and(|place| place.starts_with(&here))
    };
    picture.table.alerts.iter().find(of_chip)
}

pub(super) fn scan(world: &World) -> Output {
    let now = world.now();
    let picture = now.picture.as_ref().filter(|picture| now.mode.is_up() && picture.table.closed.is_none());
    show(&world.config.devices, picture, now.moment)
}

fn show(devices: &Devices, picture: Option<&Picture>, now: Moment) -> Output {
    let (mut rows, mut all, mut next) = (Vec::new(), Vec::new(), Vec::new());
    let mut dead = 0;
    let chips = expected(devices);
    for (address, on_it) in &chips {
        let fault = picture.and_then(|picture| fault_of(picture, *address));
        // Does not answer, or not in a way that makes sense; any other fault of a chip is an answer that is wrong.
        let silent = fault.is_some_and(|alert| matches!(alert.code.as_deref(), Some("EX-001" | "EX-002")));
        let (found, set_up) = match (picture, fault) {
            (None, _) => ("?", "?"),
            (Some(_), None) => ("yes", "ok"),
            (Some(_), Some(_)) if silent => ("NO", "-"),
            (Some(_), Some(_)) => ("yes", "FAIL"),
        };
        dead += usize::from(silent);
        let since = fault.map(|alert| alert.since_ms).or_else(|| picture.map(|picture| picture.daemon.started_ms));
        let since = since.map_or_else(|| "-".to_owned(), |unix_ms| Moment { unix_ms, ..now }.time());
        let at = format!("{address:#04x}");
        if let Some(alert) = fault {
            let errno = alert.errno.as_ref().map_or_else(String::new, |errno| format!(", {errno}"));
            let code = alert.code.as_deref().unwrap_or_default();
            next.push(format!("{code} at {at}{errno}: why {code}"));
        }
        all.push(json!({
            "address": at, "expected": "MCP23017", "found": found, "set_up": set_up, "since": since,
            "carries": carries(on_it), "code": fault.and_then(|alert| alert.code.clone()),
        }));
        rows.push(vec![at, "MCP23017".to_owned(), found.to_owned(), set_up.to_owned(), since, carries(on_it)]);
    }
    let bus = devices.expanders.as_ref().map(|expanders| expanders.bus.display().to_string()).unwrap_or_default();
    if chips.is_empty() {
        return Output::text(vec!["no expander is configured at this table".to_owned()], json!([]));
    }
    let mut lines = table(&["ADDRESS", "EXPECTED", "FOUND", "SET-UP", "SINCE", "CARRIES"], &rows);
    lines.extend(next.iter().flat_map(|text| wrap("=> ", 3, text)));
    if picture.is_none() {
        lines.extend(wrap("=> ", 3, "no daemon looks at the bus: who answers is not known; look: unit status"));
    } else if dead == chips.len() {
        lines.extend(wrap("=> ", 3, &format!("no chip answers on {bus}: the bus itself, its supply or its cable")));
    } else if dead > 0 {
        lines.extend(wrap("=> ", 3, "the others answer: the bus itself works; check plug and straps of that one"));
    }
    Output::table(lines, json!(all))
}

#[cfg(test)]
mod tests {
    use super::*;
    use device_drivers::config::{ExpanderDevice, LampColour, LampEntry, SensorEntry};
    use operator_api::{DaemonPicture, Severity, TablePicture};

    fn devices() -> Devices {
        let at = |address, number: u8| Place::Expander { address, pin: format!("A{number}") };
        Devices {
            expanders: Some(ExpanderDevice { bus: "/dev/i2c-1".into(), interrupt: "GPIO4".to_owned() }),
            sensor: (4..=7).map(|seat| SensorEntry { seat, spot: 1, at: at(0x20, seat), active_low: true }).collect(),
            lamp: vec![LampEntry { seat: 4, spot: 1, colour: LampColour::Main, at: at(0x21, 0) }],
            ..Devices::default()
        }
    }

    fn alert(code: &str, address: u8) -> AlertPicture {
        AlertPicture {
            alert: 1,
            source: "TC-010".to_owned(),
            text: "an expander".to_owned(),
            severity: Severity::Attend,
            since_ms: 61_000,
            ended: false,
            code: Some(code.to_owned()),
            place: Some(format!("{address:#04x} on /dev/i2c-1")),
            errno: Some("EREMOTEIO (121)".to_owned()),
        }
    }

    fn lines(alerts: Vec<AlertPicture>) -> Vec<String> {
        let daemon = DaemonPicture { started_ms: 1_000, ..DaemonPicture::default() };
        let table = TablePicture { alerts, ..TablePicture::default() };
        let picture = Picture { daemon, table, ..Picture::default() };
        show(&devices(), Some(&picture), Moment::default()).lines
    }

    #[test]
    fn one_dead_chip_is_told_from_a_dead_bus() {
        assert_eq!(
            lines(vec![alert("EX-001", 0x21)]),
            [
                "ADDRESS  EXPECTED  FOUND  SET-UP  SINCE     CARRIES",
                "0x20     MCP23017  yes    ok      00:00:01  sensors 4.1-7.1",
                "0x21     MCP23017  NO     -       00:01:01  lamp 4.1",
                "=> EX-001 at 0x21, EREMOTEIO (121): why EX-001",
                "=> the others answer: the bus itself works; check plug and straps of that one",
            ]
        );
        let both = lines(vec![alert("EX-001", 0x20), alert("EX-001", 0x21)]);
        assert_eq!(both.last().unwrap(), "=> no chip answers on /dev/i2c-1: the bus itself, its supply or its cable");
        assert_eq!(lines(Vec::new()).len(), 3);
        let reset = lines(vec![alert("EX-101", 0x20)]);
        assert!(reset[1].contains("yes    FAIL"), "{reset:?}");
    }

    #[test]
    fn without_the_daemon_nobody_knows_who_answers() {
        let lines = show(&devices(), None, Moment::default()).lines;
        assert!(lines[1].contains("?      ?       -"), "{lines:?}");
        assert!(lines.last().unwrap().starts_with("=> no daemon looks at the bus"));
        assert!(lines.iter().all(|line| line.len() <= 80));
    }
}
