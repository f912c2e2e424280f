//! `work`: what waits for a technician, as the daemon keeps it.

use serde_json::{Value, json};
use tech_console::Output;
use tech_console::output::NotDone;
use tech_console::text::{Moment, count, wrap};

use super::change::act;
use super::run::{Dialog, declined, not_now};
use super::world::World;

/// One order of the screen's list.
struct Order {
    number: u64,
    text: String,
}

fn orders(world: &World) -> Result<Vec<Order>, NotDone> {
    let answer = world.ask("GET", "/api/v1/screen", "");
    let screen = answer.map_err(|_| not_now("the daemon does not answer: look: unit status"))?.body;
    let Some(orders) = screen["work_orders"].as_array() else {
        return Err(not_now("this daemon keeps no work orders: look: ver"));
    };
    Ok(orders.iter().map(|order| told(world, order)).collect())
}

fn told(world: &World, order: &Value) -> Order {
    let word = |key: &str| order[key].as_str().unwrap_or_default();
    let since = order["since_ms"].as_i64().map_or_else(String::new, |unix_ms| {
        let moment = Moment { unix_ms, ..world.moment(None) };
        format!(", since {}", moment.date_time())
    });
    let text = format!("{}: {} [{}], by {}{since}", word("place"), word("what"), word("source"), order["opened_by"]);
    Order { number: order["order"].as_u64().unwrap_or(0), text }
}

pub(super) fn list(world: &World) -> Result<Output, NotDone> {
    let orders = orders(world)?;
    let mut lines: Vec<String> =
        orders.iter().flat_map(|order| wrap(&format!("{:>4} ", count(order.number)), 5, &order.text)).collect();
    if lines.is_empty() {
        lines.push("nothing waits for a technician".to_owned());
    }
    let all: Vec<Value> = orders.iter().map(|order| json!({ "order": order.number, "text": order.text })).collect();
    Ok(Output::text(lines, json!(all)))
}

pub(super) fn close(world: &World, number: &str, dialog: &mut dyn Dialog) -> Result<Output, NotDone> {
    let person = dialog.person().ok_or_else(declined)?;
    let number: u64 = number.parse().map_err(|_| not_now("an order is a number: work list"))?;
    let order = orders(world)?.into_iter().find(|order| order.number == number);
    let order = order.ok_or_else(|| not_now(format!("there is no order {}: look: work list", count(number))))?;
    for line in wrap("", 0, &order.text) {
        dialog.line(&line, json!({ "order": number }));
    }
    let done = dialog.words("What was done? ").map(|words| words.trim().to_owned()).filter(|words| !words.is_empty());
    let done = done.ok_or_else(declined)?;
    if !dialog.confirm(&format!("Closes order {} with these words.", count(number))) {
        return Err(declined());
    }
    act(world, &person, json!({ "do": "close-work-order", "order": number, "done": done }))?;
    let line = format!("order {} closed", count(number));
    Ok(Output::text(vec![line.clone()], json!({ "order": number, "noted": line })))
}
