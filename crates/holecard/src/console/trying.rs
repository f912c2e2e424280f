//! `selftest`, `reader test`, `lamp test`, the queries, and service mode: devices are tried by the daemon that holds them.

use std::fs;
use std::time::{Duration, Instant};

use operator_api::{BenchPicture, Picture};
use serde_json::json;
use table_controller::Code;
use tech_console::Output;
use tech_console::output::NotDone;
use tech_console::show::selftest::{self, Board};
use tech_console::text::{count, wrap};

use super::change::act;
use super::run::{Dialog, declined, not_now};
use super::world::World;

/// How often the picture is looked at for the reader's next answer.
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// Nobody looks for a test card for longer.
const CARD_WITHIN: Duration = Duration::from_secs(300);
/// What was asked of the daemon is in its picture by then.
const SHOWN_WITHIN: Duration = Duration::from_secs(30);

fn picture(world: &World) -> Result<Picture, NotDone> {
    world.picture().ok_or_else(|| not_now("the daemon has left no picture of the table: look: unit status"))
}

/// What the board says of itself.
fn board() -> Board {
    let faults = device_drivers::board::BoardHealth::default().look();
    let faults = faults.into_iter().map(|fault| fault.on(device_drivers::fault::Part::Board).to_string()).collect();
    let celsius = fs::read_to_string("/sys/class/thermal/thermal_zone0/temp").ok();
    let celsius = celsius.and_then(|text| text.trim().parse::<i64>().ok());
    let text = celsius.map_or_else(|| "no thermometer".to_owned(), |milli| format!("{} C", milli / 1_000));
    Board { faults, text }
}

pub(super) fn selftest(world: &World) -> Result<Output, NotDone> {
    let parts = selftest::parts(&picture(world)?, &board());
    Ok(Output::text(selftest::lines(&parts), selftest::data(&parts)))
}

/// State, counts and faults of the devices of one kind, as they last said them.
pub(super) fn query(world: &World, kind: &str) -> Result<Output, NotDone> {
    let picture = picture(world)?;
    let devices: Vec<_> = picture.devices.iter().filter(|device| device.name.ends_with(kind)).collect();
    if devices.is_empty() {
        return Err(not_now(format!("there is no {kind} at this table: look: dev list")));
    }
    let mut lines = Vec::new();
    for device in &devices {
        let link = if device.up { "up" } else { "LOST" };
        let state = if device.state.is_empty() { "unknown" } else { device.state.as_str() };
        let faults = if device.faults.is_empty() { "no fault".to_owned() } else { device.faults.join(" ") };
        let counts = device.counts;
        lines.extend(wrap(
            &format!("{:<10} ", device.name),
            11,
            &format!(
                "{link}, state {state}, {faults}; {} events, {} frames, {} damaged",
                count(counts.events),
                count(counts.frames),
                count(counts.damaged)
            ),
        ));
    }
    let all: Vec<_> = devices
        .iter()
        .map(|device| json!({ "device": device.name, "up": device.up, "state": device.state, "faults": device.faults }))
        .collect();
    Ok(Output::text(lines, json!(all)))
}

/// The inspection's test cards, one by one.
pub(super) fn reader(world: &World, dialog: &mut dyn Dialog) -> Result<Output, NotDone> {
    let person = dialog.person().ok_or_else(declined)?;
    act(world, &person, json!({ "do": "test-device", "test": "reader" }))?;
    let (mut told, mut asked, mut moved) = (0, None, Instant::now());
    // Until then the picture may show an earlier test.
    while !picture(world)?.table.bench.is_some_and(|bench| bench.runs) && moved.elapsed() < SHOWN_WITHIN {
        std::thread::sleep(LOOK_EVERY);
    }
    let bench = loop {
        let bench = picture(world)?.table.bench.unwrap_or_default();
        if dialog.stopped() || moved.elapsed() > CARD_WITHIN {
            // It may have ended by itself meanwhile.
            let _over = act(world, &person, json!({ "do": "test-device", "test": "end" }));
            return Err(not_now("the test was broken off: type reader test to begin again"));
        }
        for card in bench.tested.iter().skip(told) {
            told += 1;
            ask_for(told, &card.order, bench.cards, &mut asked, dialog);
            let verdict = if card.right { "ok" } else { "WRONG" };
            let after = moved.elapsed().as_millis();
            dialog.line(&format!("{} after {after} ms, {verdict}", card.said), json!(card));
            moved = Instant::now();
        }
        match &bench.next {
            Some(order) => ask_for(told + 1, order, bench.cards, &mut asked, dialog),
            None => break bench,
        }
        std::thread::sleep(LOOK_EVERY);
    };
    let BenchPicture { tested, cards, .. } = bench;
    let right = tested.iter().filter(|card| card.right).count();
    let data = json!({ "right": right, "cards": cards, "noted": format!("{right} of {cards} as expected") });
    Ok(Output::text(vec![format!("{right} of {cards} as expected")], data))
}

/// Once for each card.
fn ask_for(number: usize, order: &str, of: u32, asked: &mut Option<usize>, dialog: &mut dyn Dialog) {
    if *asked != Some(number) {
        *asked = Some(number);
        let mut order = order.to_owned();
        if let Some(first) = order.get_mut(..1) {
            first.make_ascii_lowercase();
        }
        dialog.part(&format!("{number}/{of} {order}: "));
    }
}

pub(super) fn lamps(world: &World, dialog: &mut dyn Dialog) -> Result<Output, NotDone> {
    let person = dialog.person().ok_or_else(declined)?;
    let lamps = super::lines::lamps(world);
    if lamps == 0 {
        return Err(not_now("no lamp is configured at this table: look: gpio"));
    }
    if !dialog.confirm("Lights each lamp for 1 s, then all, then as they were.") {
        return Err(declined());
    }
    act(world, &person, json!({ "do": "test-device", "test": "lamps" }))?;
    let until = Instant::now() + super::lines::lamp_test_takes(lamps);
    while Instant::now() < until && !dialog.stopped() {
        std::thread::sleep(LOOK_EVERY);
    }
    let plural = if lamps == 1 { "" } else { "s" };
    let said = dialog.words(&format!("{lamps} lamp{plural} written. Which stayed dark? seat.spot or Enter: "));
    let said = said.unwrap_or_default();
    let said = said.trim();
    if said.is_empty() {
        return Ok(Output::text(vec!["every lamp was lit".to_owned()], json!({ "lamps": lamps, "noted": "all lit" })));
    }
    let Some(dark) = super::lines::lamp_of(world, said) else {
        return Err(not_now(format!("{said} is no lamp of this table: type lamp test again, and look: gpio")));
    };
    let place = format!("lamp {said} on {}", dark["line"].as_str().unwrap_or("?"));
    // It waits for whoever brings a lamp; at a daemon that keeps no work orders it is on record all the same.
    let order = json!({ "do": "open-work-order", "place": place, "what": "stays dark in the lamp test" });
    let kept = if act(world, &person, order).is_ok() { "a work order waits" } else { "on record" };
    let lines = vec![format!("{place} stays dark: {kept}")];
    Ok(Output::text(lines, json!({ "lamps": lamps, "dark": dark, "noted": format!("lamp {said} stays dark") })))
}

pub(super) fn service_enter(world: &World, dialog: &mut dyn Dialog) -> Result<Output, NotDone> {
    let person = dialog.person().ok_or_else(declined)?;
    let text = format!("Closes the table; the dealer's screen says \"service, {}\".", person.number.0);
    if !dialog.confirm(&text) {
        return Err(declined());
    }
    act(world, &person, json!({ "do": "enter-service" }))?;
    wait_for_service(world, true);
    Ok(Output::default())
}

/// Runs the self-test, and says what still waits. A device may be away for repair: what it stops stays stopped by itself.
pub(super) fn service_leave(world: &World, dialog: &mut dyn Dialog) -> Result<Output, NotDone> {
    let person = dialog.person().ok_or_else(declined)?;
    let before = picture(world)?;
    let worked = before.table.bench.as_ref().is_some_and(|bench| bench.worked_on_reader);
    let mut text = "Runs the self-test.".to_owned();
    if worked {
        text.push_str(
            " You worked on the reader: closed until a floorperson has passed the full inspection at the screen.",
        );
    }
    if !dialog.confirm(&text) {
        return Err(declined());
    }
    let parts = selftest::parts(&before, &board());
    act(world, &person, json!({ "do": "leave-service" }))?;
    wait_for_service(world, false);
    let stops = picture(world)?.table.stops;
    let left: Vec<String> = stops
        .iter()
        .filter(|stop| stop.source != Code::ServiceMode.to_string())
        .map(|stop| format!("{} [{}]", stop.reason, stop.source))
        .collect();
    let tested = selftest::summary(&parts);
    let waits = match left.as_slice() {
        [] => "nothing stops the next round".to_owned(),
        _ if worked => "waits for the full inspection".to_owned(),
        left => format!("waits: {}", left.join("; ")),
    };
    let line = format!("{tested}; service ended; {waits}");
    let data = json!({ "selftest": selftest::data(&parts), "stops": left, "noted": tested });
    Ok(Output::text(wrap("", 0, &line), data))
}

/// The prompt behind this shows the new mode: the picture follows the record.
fn wait_for_service(world: &World, wanted: bool) {
    let until = Instant::now() + SHOWN_WITHIN;
    while Instant::now() < until {
        if world.picture().is_none_or(|picture| picture.table.service.is_some() == wanted) {
            return;
        }
        std::thread::sleep(LOOK_EVERY);
    }
}
