//! The two lines about a line of settlement: why, and what the dealer does with the chips.

use std::cmp::Ordering;
use std::fmt;

use super::{ORDER_MAX, OrderInWords};
use crate::line::{Handling, Line, Outcome};
use crate::money::{Cents, Pay};
use crate::wager::WagerId;

impl OrderInWords<'_> {
    /// Why the line is as it is.
    pub(super) fn reason(&self, line: &Line) -> String {
        let (seat, bet) = (line.seat, line.wager.short_title());
        if line.correction.is_known() {
            return format!("Seat {seat}: {bet} again.");
        }
        if line.wager != WagerId::Main {
            return match line.outcome {
                Outcome::Won => format!("Seat {seat}: {bet} wins."),
                Outcome::Lost => format!("Seat {seat}: {bet} loses."),
                Outcome::Tied => format!("Seat {seat}: {bet} ties."),
                Outcome::Surrendered | Outcome::Rescued | Outcome::Dead | Outcome::Void => {
                    format!("Seat {seat}: {bet} is off.")
                }
            };
        }
        let who = self.hand(seat, Some(line.hand));
        let alone = !self.several_hands && line.hand == 1;
        let doubled = if self.scene.doubled && alone { ", doubled" } else { "" };
        match (*line.name, self.scene.player, self.scene.dealer) {
            ("blackjack", ..) => format!("{who} has blackjack."),
            ("bust", Some(total), _) => format!("{who} has {total}: bust."),
            ("higher" | "lower" | "21", Some(player), Some(dealer)) => {
                format!("{who}: {player} against {dealer}{doubled}.")
            }
            ("tie", Some(player), _) => format!("{who}: {player}, a tie."),
            ("dealer bust", Some(player), _) => format!("{who}: {player}, dealer bust."),
            ("blackjack against blackjack", ..) => format!("{who}: both blackjack."),
            ("added wager returned", ..) => format!("{who}: added bet is off."),
            (name, ..) => format!("{who}: {name}."),
        }
    }
}

/// The seat and what it has won: the same for everyone who looks at it.
pub(super) fn jackpot(line: &Line) -> String {
    match line.pays.amount() {
        Some(amount) => format!("Seat {} jackpot: {}.", line.seat, WithCents(amount)),
        None => format!("Seat {}: {} jackpot.", line.seat, line.wager.short_title()),
    }
}

pub(super) fn approving(line: &Line) -> String {
    let amount = match moved(line) {
        Some((Ordering::Greater, amount)) => return format!("Floor: give {}.", WithCents(amount)),
        Some((Ordering::Less, amount)) => return format!("Floor: take {}.", WithCents(amount)),
        Some((Ordering::Equal, _)) => return "Floor: no chips move. Agree?".to_owned(),
        None => line.to_player(),
    };
    match amount {
        Some(amount) => format!("Floor: approve {}.", WithCents(amount)),
        None => "Floor: approve.".to_owned(),
    }
}

/// What the dealer does with the chips.
pub(super) fn settling(line: &Line) -> String {
    match moved(line) {
        Some((Ordering::Greater, amount)) => return format!("Give {}.", WithCents(amount)),
        Some((Ordering::Less, amount)) => return format!("Take back {}.", WithCents(amount)),
        Some((Ordering::Equal, _)) => return "No chips move.".to_owned(),
        None => {}
    }
    match (line.handling(), line.outcome) {
        (Handling::Take, _) => taking(line),
        (Handling::Give, Outcome::Won) => paying(line),
        (Handling::Give, Outcome::Tied) => amount_or("Leave", line.returned.amount(), "Leave the bet."),
        (Handling::Give, Outcome::Surrendered) => amount_or("Take half:", line.kept(), "Take half the bet."),
        (Handling::Give, Outcome::Rescued) => amount_or("Give back", line.returned.amount(), "Give back the double."),
        (Handling::Give, Outcome::Dead | Outcome::Void | Outcome::Lost) => {
            amount_or("Give back", line.to_player(), "Give the bet back.")
        }
    }
}

/// H1: the cards of a bust hand go with its wager.
fn taking(line: &Line) -> String {
    let with_cards = line.wager == WagerId::Main && *line.name == "bust";
    match (line.kept(), with_cards) {
        (Some(amount), true) => {
            let whole = format!("Take {} and the cards.", WithCents(amount));
            let shorter = format!("Take {} and cards.", WithCents(amount));
            if whole.len() <= ORDER_MAX { whole } else { shorter }
        }
        (None, true) => "Take the bet and the cards.".to_owned(),
        (amount, false) => amount_or("Take", amount, "Take the bet."),
    }
}

fn paying(line: &Line) -> String {
    match (line.pays.amount(), line.pay) {
        (Some(amount), _) => format!("Pay {}.", WithCents(amount)),
        (None, Some(pay @ (Pay::To(_) | Pay::For(_)))) => format!("Pay {pay}."),
        (None, Some(Pay::Amount(amount))) => format!("Pay {}.", WithCents(amount)),
        (None, Some(Pay::Meter { percent, .. })) => format!("Pay {percent} % of the meter."),
        (None, None) => "Pay the bet.".to_owned(),
    }
}

fn amount_or(verb: &str, amount: Option<Cents>, unknown: &str) -> String {
    match amount {
        Some(amount) => format!("{verb} {}.", WithCents(amount)),
        None => unknown.to_owned(),
    }
}

/// The chips that a correction moves, and which way: greater, to the player.
fn moved(line: &Line) -> Option<(Ordering, Cents)> {
    let (had, has) = (line.correction.amount()?, line.to_player()?);
    let difference = if has < had { had - has } else { has - had };
    Some((has.cmp(&had), difference))
}

/// An amount with its cents, also where there are none: an order is read in one look.
struct WithCents(Cents);

impl fmt::Display for WithCents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whole = self.0.0 % 100 == 0;
        write!(f, "{}{}", self.0, if whole { ".00" } else { "" })
    }
}
