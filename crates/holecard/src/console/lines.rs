//! `gpio`, `gpio watch`, `sensor`: every line of the layout, from the daemon that holds them; while it is down the inputs
//! are read once, and lamps are left alone.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use device_drivers::config::Place;
use device_drivers::gpio::backend::BoardLines;
use device_drivers::gpio::{EdgeSource, LineId};
use operator_api::LinePicture;
use serde_json::{Value, json};
use tech_console::Output;
use tech_console::output::NotDone;
use tech_console::text::{count, table, wrap};

use super::run::{Dialog, not_now};
use super::world::World;

const LOOK_EVERY: Duration = Duration::from_millis(50);
/// A line of `sensor` speaks of so much time.
const SENSOR_EVERY: Duration = Duration::from_secs(1);

/// Where a line is, and what its levels mean.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Wired {
    name: String,
    /// `GPIO17`, or `0x20 A0`.
    line: String,
    kind: Kind,
    on_expander: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Button,
    Sensor,
    Lamp,
}

impl Kind {
    const fn means(self, active: bool) -> &'static str {
        match (self, active) {
            (Self::Button, true) => "pressed",
            (Self::Button, false) => "released",
            (Self::Sensor, true) => "chip",
            (Self::Sensor, false) => "empty",
            (Self::Lamp, true) => "lit",
            (Self::Lamp, false) => "dark",
        }
    }

    /// Inputs pull their line down; a lamp is driven up.
    const fn level(self, active: bool) -> &'static str {
        match (self, active) {
            (Self::Button | Self::Sensor, true) | (Self::Lamp, false) => "low",
            (Self::Button | Self::Sensor, false) | (Self::Lamp, true) => "high",
        }
    }
}

/// Every line that the configuration names.
fn wired(world: &World) -> Vec<Wired> {
    let devices = &world.config.devices;
    let place = |place: &Place| match place {
        Place::Line(name) => (name.clone(), false),
        Place::Expander { address, pin } => (format!("0x{address:02X} {pin}"), true),
    };
    let mut all = Vec::new();
    let mut add = |name: String, (line, on_expander): (String, bool), kind: Kind| {
        all.push(Wired { name, line, kind, on_expander });
    };
    if let Some(lock) = &devices.gpio.lock_out {
        add("lock-out".to_owned(), (lock.button.clone(), false), Kind::Button);
        if let Some(lamp) = &lock.lamp {
            add("lock lamp".to_owned(), (lamp.clone(), false), Kind::Lamp);
        }
    }
    for sensor in &devices.sensor {
        add(format!("sensor {}.{}", sensor.seat, sensor.spot), place(&sensor.at), Kind::Sensor);
    }
    for lamp in &devices.lamp {
        add(format!("lamp {}.{}", lamp.seat, lamp.spot), place(&lamp.at), Kind::Lamp);
    }
    all
}

/// What the daemon sees now.
fn seen(world: &World) -> Result<BTreeMap<String, LinePicture>, NotDone> {
    let answer = world.ask("GET", "/api/v1/lines", "").ok().filter(|answer| answer.status < 300);
    let lines = answer.and_then(|answer| serde_json::from_value::<Vec<LinePicture>>(answer.body).ok());
    let lines = lines.ok_or_else(|| not_now("the daemon has no lines: look: config show"))?;
    Ok(lines.into_iter().map(|line| (line.name.clone(), line)).collect())
}

/// The inputs themselves, while they are nobody's: asked for, read and given back.
fn read_inputs(world: &World) -> BTreeMap<String, LinePicture> {
    let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else {
        return BTreeMap::new();
    };
    let _on = runtime.enter();
    let mut lines = BoardLines::open(world.config.devices.gpio.backend, &world.config.wiring.inputs);
    let levels = lines.levels().unwrap_or_default();
    let named = |line: LineId| match line {
        LineId::LockOut => Some("lock-out".to_owned()),
        LineId::Sensor(spot) => Some(format!("sensor {}.{}", spot.seat(), spot.spot())),
        LineId::ExpanderInterrupt => None,
    };
    levels
        .into_iter()
        .filter_map(|(line, active)| {
            let name = named(line)?;
            Some((name.clone(), LinePicture { name, active: Some(active), edges: None, changes: 0 }))
        })
        .collect()
}

pub(super) fn gpio(world: &World) -> Output {
    let now = world.now();
    let down = super::mon::is_down(world).is_ok_and(|down| down);
    let seen = if down { read_inputs(world) } else { seen(world).unwrap_or_default() };
    let debounce = format!("{} ms", world.config.devices.gpio.debounce_ms.unwrap_or(25));
    let mut rows = Vec::new();
    for wire in wired(world) {
        let line = seen.get(&wire.name);
        let active = line.and_then(|line| line.active);
        let of = |word: fn(Kind, bool) -> &'static str| active.map_or("?", |active| word(wire.kind, active)).to_owned();
        let input = wire.kind != Kind::Lamp;
        let edges = line.and_then(|line| line.edges).map_or_else(|| "-".to_owned(), count);
        let consumer = match (wire.on_expander, line.is_some() && !down) {
            (true, _) => "expander",
            (false, true) => "holecard",
            (false, false) => "-",
        };
        let set_up = if input { ("pull-up", debounce.as_str()) } else { ("-", "-") };
        rows.push(vec![
            wire.name.clone(),
            wire.line.clone(),
            of(Kind::level),
            of(Kind::means),
            set_up.0.to_owned(),
            set_up.1.to_owned(),
            edges,
            consumer.to_owned(),
        ]);
    }
    let data = json!(rows);
    let header = ["NAME", "LINE", "LEVEL", "MEANS", "BIAS", "DEBOUNCE", "EDGES", "CONSUMER"];
    let mut lines = table(&header, &rows);
    let layout = now.picture.and_then(|picture| picture.table.layout).filter(|_| now.mode.is_up());
    for code in layout.iter().flat_map(|layout| &layout.faults) {
        lines.push(format!("=> {code} stands: why {code}"));
    }
    if rows.is_empty() {
        lines.push("no line is configured at this table".to_owned());
    }
    Output::table(lines, data)
}

/// Each change of an input as it comes.
pub(super) fn watch(world: &World, dialog: &mut dyn Dialog) -> Result<Output, NotDone> {
    let wired = wired(world);
    let mut before = seen(world)?;
    let debounce = world.config.devices.gpio.debounce_ms.unwrap_or(25);
    let (mut changes, mut edges) = (0_u64, 0_u64);
    while !dialog.stopped() {
        std::thread::sleep(LOOK_EVERY);
        let now = seen(world)?;
        for wire in wired.iter().filter(|wire| wire.kind != Kind::Lamp) {
            let (Some(was), Some(is)) = (before.get(&wire.name), now.get(&wire.name)) else { continue };
            edges += is.edges.unwrap_or(0).saturating_sub(was.edges.unwrap_or(0));
            changes += is.changes.saturating_sub(was.changes);
            if is == was {
                continue;
            }
            let moment = world.moment(None);
            let what = match is.active {
                None => "cannot be read".to_owned(),
                Some(active) if is.changes == was.changes => {
                    format!("moved, at rest where it was: {}", wire.kind.means(active))
                }
                Some(active) => {
                    let way = if wire.kind.level(active) == "low" { "falling" } else { "rising" };
                    format!("{way}, at rest after {debounce} ms: {}", wire.kind.means(active))
                }
            };
            let line = format!("{} {} {} {what}", moment.time_ms(), wire.name, wire.line);
            dialog
                .line(&line, json!({ "at": moment.utc(), "line": wire.name, "active": is.active, "edges": is.edges }));
        }
        before = now;
    }
    let plural = if changes == 1 { "" } else { "s" };
    let line = format!(
        "{} change{plural} of {} raw edges. Limits: 16 raw edges in 0.5 s LK-102, 8 changes in 3 s LK-103",
        count(changes),
        count(edges)
    );
    Ok(Output::text(wrap("", 0, &line), json!({ "changes": changes, "edges": edges })))
}

/// One seat's sensors, or one of them, a line a second: how much of the time a chip was seen.
pub(super) fn sensor(world: &World, wanted: &str, dialog: &mut dyn Dialog) -> Result<Output, NotDone> {
    let fits = |wire: &&Wired| {
        let place = wire.name.strip_prefix("sensor ").unwrap_or_default();
        wire.kind == Kind::Sensor && (place == wanted || place.split('.').next() == Some(wanted))
    };
    let all = wired(world);
    let watched: Vec<&Wired> = all.iter().filter(fits).collect();
    if watched.is_empty() {
        return Err(not_now(format!("{wanted} has no sensor here: look: gpio")));
    }
    let began = seen(world)?;
    let mut last_change: BTreeMap<String, Instant> = BTreeMap::new();
    let mut doubtful = false;
    while !dialog.stopped() {
        let (second, mut looks, mut on) = (Instant::now(), 0_u32, BTreeMap::<String, u32>::new());
        let mut now = seen(world)?;
        while second.elapsed() < SENSOR_EVERY && !dialog.stopped() {
            let fresh = seen(world)?;
            looks += 1;
            for wire in &watched {
                let line = fresh.get(&wire.name);
                *on.entry(wire.name.clone()).or_default() += u32::from(line.and_then(|line| line.active) == Some(true));
                if line.map(|line| line.changes) != now.get(&wire.name).map(|line| line.changes) {
                    last_change.insert(wire.name.clone(), Instant::now());
                }
            }
            now = fresh;
            std::thread::sleep(LOOK_EVERY);
        }
        for wire in &watched {
            let line = now.get(&wire.name);
            let per_cent = on.get(&wire.name).copied().unwrap_or(0) * 100 / looks.max(1);
            doubtful |= per_cent > 0 && per_cent < 100;
            let changes = |lines: &BTreeMap<String, LinePicture>| lines.get(&wire.name).map_or(0, |line| line.changes);
            let (level, means) = match line.and_then(|line| line.active) {
                Some(active) => (wire.kind.level(active), wire.kind.means(active)),
                None => ("?", "?"),
            };
            let change = last_change.get(&wire.name).map_or_else(
                || "none".to_owned(),
                |at| {
                    let tenths = at.elapsed().as_millis() / 100;
                    format!("{}.{} s", tenths / 10, tenths % 10)
                },
            );
            let moment = world.moment(None);
            let place = wire.name.strip_prefix("sensor ").unwrap_or_default();
            let text = format!(
                "{} {place} {} {level:<4} {means:<5}  on {per_cent:>3} %  last change {change}  changes {}",
                moment.time_ms(),
                wire.line,
                changes(&now).saturating_sub(changes(&began)),
            );
            dialog.line(&text, json!({ "at": moment.utc(), "sensor": place, "on_per_cent": per_cent, "level": level }));
        }
    }
    let end = if doubtful {
        "=> at the threshold: turn the sensor's screw until 100 % (chip) and 0 % stand"
    } else {
        "=> each level stood: nothing to turn"
    };
    Ok(Output::text(vec![end.to_owned()], json!({ "at_threshold": doubtful })))
}

/// For the test of the lamps.
pub(super) fn lamps(world: &World) -> usize {
    wired(world).iter().filter(|wire| wire.kind == Kind::Lamp).count()
}

/// The lock lamp beside the others has its own second.
pub(super) const fn lamp_test_takes(lamps: usize) -> Duration {
    Duration::from_secs(lamps as u64 + 2)
}

/// What somebody said stayed dark, if it is a lamp.
pub(super) fn lamp_of(world: &World, said: &str) -> Option<Value> {
    let name = format!("lamp {said}");
    wired(world).iter().find(|wire| wire.name == name).map(|wire| json!({ "lamp": said, "line": wire.line }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_means_what_the_wiring_makes_of_it() {
        let cases = [
            (Kind::Button, true, "low", "pressed"),
            (Kind::Button, false, "high", "released"),
            (Kind::Sensor, true, "low", "chip"),
            (Kind::Sensor, false, "high", "empty"),
            (Kind::Lamp, true, "high", "lit"),
            (Kind::Lamp, false, "low", "dark"),
        ];
        for (kind, active, level, means) in cases {
            assert_eq!((kind.level(active), kind.means(active)), (level, means));
        }
    }
}
