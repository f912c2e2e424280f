//! Patterns that name a wager: stakes, amounts, insurance, wheels and claims. The engine is asked for each.

use table_rules::Engine;
use table_rules::game::Direction;
use table_rules::input::{Input, InputKind, Text};
use table_rules::money::Cents;
use table_rules::prompt::AmountRange;
use table_rules::questions::Questions;
use table_rules::seat::{Seat, SeatSet};
use table_rules::side::OfferedWager;
use table_rules::wager::WagerId;

use super::{Amount, Offer, numbers, seats_where};

/// The wagers that this table knows: the main one and those of its submission.
fn known_wagers(engine: &Engine) -> impl Iterator<Item = WagerId> {
    std::iter::once(WagerId::Main).chain(engine.table().wagers.iter().map(OfferedWager::id))
}

/// What may be staked on a wager, by the table's limits or the submission's stakes.
fn stakes(engine: &Engine, wager: WagerId) -> Amount {
    let table = engine.table();
    let (least, most) = (table.limits.minimum, table.limits.maximum);
    let range = |least: Cents, most: Cents| {
        Amount::range(AmountRange { least, most, step: table.smallest_chip, may_be_unknown: true })
    };
    match table.wagers.iter().find(|offer| offer.id() == wager) {
        None => range(least, most),
        Some(offer) if !offer.stakes().is_empty() => Amount {
            one_of_cents: Some(offer.stakes().iter().map(|stake| stake.0).collect()),
            optional: Some(true),
            ..Amount::default()
        },
        Some(offer) => range(offer.min_stake().unwrap_or(table.smallest_chip), offer.max_stake().unwrap_or(most)),
    }
}

impl Amount {
    /// Some amount that fits the pattern.
    fn least(&self) -> Option<Cents> {
        let listed = self.one_of_cents.as_ref().and_then(|list| list.first().copied());
        self.min_cents.or(listed).map(Cents)
    }
}

pub(super) fn wagers(now: &Questions<'_>, list: &mut Vec<Offer>) {
    for wager in known_wagers(now.engine()) {
        let mut amount = stakes(now.engine(), wager);
        let takes = |seat, amount| now.takes(&Input::Wager { seat, wager, amount });
        // A spot that holds one stake takes no other, so every stake has to fit.
        let stakes: Vec<Option<Cents>> = match &amount.one_of_cents {
            Some(list) => list.iter().map(|&stake| Some(Cents(stake))).collect(),
            None => vec![amount.least()],
        };
        let seats = seats_where(now, |seat| stakes.iter().all(|&stake| takes(seat, stake)));
        let Some(first) = seats.lowest() else { continue };
        amount.optional = Some(takes(first, None));
        list.push(Offer {
            seats: Some(numbers(seats)),
            wager: Some(wager.id()),
            amount,
            ..Offer::of(InputKind::Wager)
        });
    }
}

pub(super) fn unwagers(now: &Questions<'_>, list: &mut Vec<Offer>) {
    by_wager(now, InputKind::Unwager, list, |seat, wager| Input::Unwager { seat, wager });
}

pub(super) fn late(now: &Questions<'_>, list: &mut Vec<Offer>) {
    by_wager(now, InputKind::Late, list, |seat, wager| Input::Late { seat, wager });
}

fn by_wager(now: &Questions<'_>, kind: InputKind, list: &mut Vec<Offer>, input: impl Fn(Seat, WagerId) -> Input) {
    for wager in known_wagers(now.engine()) {
        let seats = seats_where(now, |seat| now.takes(&input(seat, wager)));
        if !seats.is_empty() {
            list.push(Offer { seats: Some(numbers(seats)), wager: Some(wager.id()), ..Offer::of(kind) });
        }
    }
}

pub(super) fn amounts(now: &Questions<'_>, list: &mut Vec<Offer>) {
    for wager in known_wagers(now.engine()) {
        let mut amount = stakes(now.engine(), wager);
        amount.optional = None;
        let Some(least) = amount.least() else { continue };
        let seats = seats_where(now, |seat| now.takes(&Input::Amount { seat, wager, amount: least }));
        if !seats.is_empty() {
            list.push(Offer {
                seats: Some(numbers(seats)),
                wager: Some(wager.id()),
                amount,
                ..Offer::of(InputKind::Amount)
            });
        }
    }
}

/// One pattern a seat: the limit is half of that seat's wager. The engine is asked for it by halving.
pub(super) fn insurance(now: &Questions<'_>, seats: SeatSet, list: &mut Vec<Offer>) {
    let table = now.engine().table();
    let chip = table.smallest_chip;
    for seat in seats.iter(Direction::FromLeft) {
        let takes = |amount| now.takes(&Input::Insure { seat, amount });
        let fits = |chips: i64| takes(Some(Cents(chip.0 * chips)));
        let mut range = AmountRange { may_be_unknown: takes(None), ..AmountRange::UNKNOWN_ONLY };
        if fits(1) {
            let (mut low, mut high) = (1, table.limits.maximum.0 / chip.0.max(1) + 1);
            while low < high {
                let middle = low + (high - low + 1) / 2;
                if fits(middle) { low = middle } else { high = middle - 1 }
            }
            range = AmountRange { least: chip, most: Cents(chip.0 * low), step: chip, ..range };
        }
        list.push(Offer {
            seats: Some(vec![seat.number()]),
            amount: Amount::range(range),
            ..Offer::of(InputKind::Insure)
        });
    }
}

/// One pattern a wager and seat: the symbols its wheel may stop at.
pub(super) fn wheels(now: &Questions<'_>, list: &mut Vec<Offer>) {
    let symbols = |offer: &OfferedWager| distinct(symbols(offer));
    by_text(now, InputKind::Wheel, list, symbols, |seat, wager, symbol| Input::Wheel { seat, wager, symbol });
}

fn symbols(offer: &OfferedWager) -> impl Iterator<Item = String> {
    let stakes = std::iter::once(None).chain(offer.stakes().iter().copied().map(Some));
    stakes.flat_map(|stake| offer.spins(stake)).map(|(name, _)| name.to_string())
}

/// One pattern a wager and seat: the lines that may be claimed, as the paytable or the wheel calls them.
pub(super) fn claims(now: &Questions<'_>, list: &mut Vec<Offer>) {
    let lines = |offer: &OfferedWager| -> Vec<String> {
        let tables = offer.tables().map(|offered| offered.table);
        let rows = tables.flat_map(|table| table.rows.iter().map(|row| row.key.to_owned()));
        distinct(rows.chain(symbols(offer)))
    };
    by_text(now, InputKind::Claim, list, lines, |seat, wager, line| Input::Claim { seat, wager, line });
}

fn by_text(
    now: &Questions<'_>,
    kind: InputKind,
    list: &mut Vec<Offer>,
    values: impl Fn(&OfferedWager) -> Vec<String>,
    input: impl Fn(Seat, WagerId, Text) -> Input,
) {
    let table = now.engine().table();
    for offer in &table.wagers {
        let values = values(offer);
        for seat in SeatSet::first(table.positions).iter(Direction::FromLeft) {
            let takes =
                |value: &&String| Text::new(value).is_some_and(|text| now.takes(&input(seat, offer.id(), text)));
            let values: Vec<String> = values.iter().filter(takes).cloned().collect();
            if !values.is_empty() {
                list.push(Offer {
                    seats: Some(vec![seat.number()]),
                    wager: Some(offer.id().id()),
                    values: Some(values),
                    ..Offer::of(kind)
                });
            }
        }
    }
}

fn distinct(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut list: Vec<String> = Vec::new();
    for name in names {
        if !list.contains(&name) {
            list.push(name);
        }
    }
    list
}
