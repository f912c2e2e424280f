//! Work orders: what a technician has to see to, until a technician says what was done.

use operator_api::Action;
use table_rules::game::Game;

use crate::desk::{AUDITOR, DEALER, Desk, FLOOR, MANAGER, TECHNICIAN, config};

fn ask(place: &str, what: &str) -> Action {
    Action::OpenWorkOrder { place: place.to_owned(), what: what.to_owned() }
}

fn close(order: u64, done: &str) -> Action {
    Action::CloseWorkOrder { order, done: done.to_owned() }
}

#[test]
fn a_technician_closes_what_was_asked_for_and_nobody_else_does() {
    let mut desk = Desk::started(config(Game::Blackjack));
    for by in [DEALER, AUDITOR] {
        desk.staff(by, ask("lamps", "seat 4 stays dark")).unwrap_err();
    }
    desk.staff(FLOOR, ask("lamps", " ")).unwrap_err();
    desk.staff(FLOOR, ask("lamps", "seat 4 stays dark")).unwrap();
    desk.staff(TECHNICIAN, ask("shuffler", "door is stiff")).unwrap();
    // The same again is the same order.
    desk.staff(MANAGER, ask("lamps", "seat 4 stays dark")).unwrap();
    let orders = desk.screen().work_orders;
    assert_eq!(
        orders.iter().map(|each| (each.order, each.place.as_str())).collect::<Vec<_>>(),
        [(1, "lamps"), (2, "shuffler")]
    );
    assert_eq!((orders[0].opened_by, orders[0].source.as_str()), (FLOOR.id, "blackjack 2.G"));
    for by in [DEALER, FLOOR, MANAGER, AUDITOR] {
        desk.staff(by, close(1, "cleaned")).unwrap_err();
    }
    desk.staff(TECHNICIAN, close(1, "")).unwrap_err();
    desk.staff(TECHNICIAN, close(9, "cleaned")).unwrap_err();
    desk.staff(TECHNICIAN, close(1, "cleaned")).unwrap();
    assert_eq!(desk.said("work-order-closed").unwrap()["done"], "cleaned");
    assert_eq!(desk.screen().work_orders.len(), 1);
    desk.staff(TECHNICIAN, close(1, "cleaned")).unwrap_err();
    desk.check_replay();
}

#[test]
fn a_restart_forgets_no_work_and_no_number_is_used_twice() {
    let mut desk = Desk::started(config(Game::Blackjack));
    desk.staff(FLOOR, ask("lamps", "seat 4 stays dark")).unwrap();
    desk.staff(FLOOR, ask("shuffler", "door is stiff")).unwrap();
    desk.staff(TECHNICIAN, close(2, "oiled")).unwrap();
    let before = desk.screen().work_orders;
    desk.restart();
    assert_eq!(desk.screen().work_orders, before);
    desk.staff(FLOOR, ask("shuffler", "door is stiff")).unwrap();
    assert_eq!(desk.screen().work_orders[1].order, 3);
}
