//! Money balances to the cent: what was placed is what the lines return and keep, and nothing is paid twice.
//!
//! The books below are kept from the events alone, with arithmetic of their own.

use std::collections::BTreeMap;

use table_rules::event::{Action, Event, Events};
use table_rules::line::{Line, Outcome, Stake};
use table_rules::money::{Cents, Pay, Ratio, Rounding};
use table_rules::seat::Seat;
use table_rules::table::{Table, Tracking, Variation};
use table_rules::wager::WagerId;

use crate::random::{seeds, single_seed};
use crate::session::Session;
use crate::side_money::SideBooks;

/// What one box has put on the table; `None` where nobody told an amount.
#[derive(Clone, Debug, Default)]
struct Placed {
    main: Option<Cents>,
    /// The amount came after the wager: lines drawn up before it stay without money.
    told_later: bool,
    insurance: Option<Option<Cents>>,
    /// Doubles, redoubles and splits, in order: which hand, and how much.
    added: Vec<(Action, u8, Option<Cents>)>,
}

impl Placed {
    fn hands(&self) -> usize {
        1 + self.added.iter().filter(|(kind, _, _)| *kind == Action::Split).count()
    }

    /// All of it. A split adds the original wager, even if that was told only afterwards.
    fn total(&self) -> Option<Cents> {
        let main = self.main?;
        self.added.iter().try_fold(main, |sum, (kind, _, amount)| match (kind, amount) {
            (_, Some(amount)) => Some(sum + *amount),
            (Action::Split, None) => Some(sum + main),
            (_, None) => None,
        })
    }
}

#[derive(Default, Debug)]
struct Books {
    boxes: BTreeMap<Seat, Placed>,
    /// The line that stands for each wager.
    finals: BTreeMap<(Seat, u8, WagerId), Line>,
    /// Fixed payments of 12.C: several may go to one box.
    additional: Vec<Line>,
    /// What each line hands over beyond what its forerunner already did.
    handed_over: Vec<Option<Cents>>,
    missed_blackjack: bool,
    void: bool,
    sides: SideBooks,
}

impl Books {
    fn follow(&mut self, event: &Event) {
        if self.sides.follow(event) {
            return;
        }
        if let Event::WagerPlaced { seat, amount, .. } = *event {
            self.boxes.insert(seat, Placed { main: amount, ..Placed::default() });
        } else if let Event::WagerRemoved { seat, .. } = *event {
            self.boxes.remove(&seat);
        } else if let Event::AmountTold { seat, amount, .. } = *event {
            let told = self.boxes.get_mut(&seat).unwrap();
            assert_eq!(told.main, None, "an amount that is known is not asked for");
            told.main = Some(amount);
            told.told_later = true;
        } else if let Event::InsurancePlaced { seat, amount, .. } = *event {
            let before = self.boxes.get_mut(&seat).unwrap().insurance.replace(amount);
            assert_eq!(before, None, "one insurance a box");
        } else if let Event::Acted { seat, hand, action, amount, .. } = *event {
            if matches!(action, Action::Double | Action::Redouble | Action::Split) {
                self.boxes.get_mut(&seat).unwrap().added.push((action, hand, amount));
            }
        } else if let Event::ReaderWrong { said, .. } = *event {
            self.missed_blackjack |= said == table_rules::input::PeekAnswer::No;
        } else if let Event::RoundVoid { .. } = *event {
            self.void = true;
        } else if let Event::Settled(line) = *event {
            self.settle(line);
        } else if let Event::LineWithdrawn(line) = *event {
            assert_eq!(self.finals.remove(&(line.seat, line.hand, line.wager)), Some(line), "withdrawn as it was due");
            let at = self.handed_over.iter().rposition(|&handed| handed == line.to_player());
            self.handed_over.remove(at.expect("a withdrawn line had been counted"));
        }
    }

    fn settle(&mut self, line: Line) {
        if self.void {
            let goes_back = matches!(line.outcome, Outcome::Dead | Outcome::Void);
            assert!(
                goes_back && line.returned.amount() == line.stake.amount(),
                "after a void wagers only go back: {line:?}"
            );
        }
        if line.wager == WagerId::AdditionalPayout {
            self.additional.push(line);
            return;
        }
        let earlier = self.finals.insert((line.seat, line.hand, line.wager), line);
        match (earlier, line.correction.amount()) {
            (None, None) => self.handed_over.push(line.to_player()),
            (Some(earlier), Some(received)) => {
                assert_eq!(
                    received,
                    earlier.to_player().unwrap_or(Cents::ZERO),
                    "a correction knows what was received"
                );
                let same = line.stake == earlier.stake || earlier.stake.is_unknown();
                assert!(same, "a correction is about the same chips: {line:?} after {earlier:?}");
                self.handed_over.push(line.to_player().map(|now| now - received));
            }
            (Some(earlier), None) => panic!("settled twice: {earlier:?} and {line:?}"),
            (None, Some(_)) => panic!("corrects nothing: {line:?}"),
        }
    }

    fn balance(&self, table: &Table, tracking: Tracking) {
        self.sides.balance(table, tracking, self.void);
        for line in self.finals.values() {
            check_line(line, table);
            // H12: nobody leaves a void round with less than they staked.
            let whole = matches!(line.outcome, Outcome::Won | Outcome::Tied | Outcome::Dead | Outcome::Void);
            assert!(!self.void || whole, "a void round keeps nothing: {line:?}");
            let placed = self.boxes.get(&line.seat).expect("only wagers are settled");
            if line.wager == WagerId::Insurance {
                assert_eq!(Some(line.stake.amount()), placed.insurance, "insurance as it was placed");
            } else {
                assert_eq!(line.wager, WagerId::Main);
            }
        }
        for line in &self.additional {
            assert_eq!(
                (line.stake, line.returned.amount()),
                (Stake::NONE, Some(Cents::ZERO)),
                "nothing is staked on 12.C"
            );
            assert_eq!(line.pay, line.pays.amount().map(Pay::Amount));
        }
        if tracking == Tracking::Cards {
            for (&seat, placed) in &self.boxes {
                self.balance_box(seat, placed, if table.variation == Variation::Switch { 2 } else { 1 });
            }
        }
        let last: Option<Cents> = self.finals.values().map(Line::to_player).sum();
        let handed: Option<Cents> = self.handed_over.iter().copied().sum();
        if let (Some(last), Some(handed)) = (last, handed) {
            assert_eq!(last, handed, "with corrections, every player holds what the final lines say");
        }
    }

    fn balance_box(&self, seat: Seat, placed: &Placed, hands_dealt: usize) {
        let lines_of = |wager| -> Vec<&Line> {
            self.finals.iter().filter(|((at, _, id), _)| (*at, *id) == (seat, wager)).map(|(_, line)| line).collect()
        };
        let insurance = lines_of(WagerId::Insurance);
        assert_eq!(insurance.len(), usize::from(placed.insurance.is_some()), "one line for each insurance");
        let main = lines_of(WagerId::Main);
        let numbers: Vec<usize> = main.iter().map(|line| usize::from(line.hand)).collect();
        let expected: Vec<usize> = (1..=placed.hands() + hands_dealt - 1).collect();
        assert_eq!(numbers, expected, "one line for each hand of seat {seat}");
        let staked: Option<Cents> = main.iter().map(|line| line.stake.amount()).sum();
        if staked.is_none() && placed.told_later {
            return;
        }
        let extra = if hands_dealt == 2 { placed.main } else { Some(Cents::ZERO) };
        let total = placed.total().zip(extra).map(|(total, extra)| total + extra);
        assert_eq!(staked, total, "the lines of seat {seat} settle what was placed there");
        let (Some(staked), Some(original)) = (staked, placed.main) else { return };
        let returned: Cents = main.iter().map(|line| line.returned.amount().unwrap()).sum();
        let kept: Cents = main.iter().map(|line| line.kept().unwrap()).sum();
        assert_eq!(staked, returned + kept, "seat {seat}");
        let blackjack = main.iter().any(|line| line.outcome == Outcome::Won || line.outcome == Outcome::Tied);
        let dead = main.iter().any(|line| line.outcome == Outcome::Dead);
        if self.missed_blackjack && !blackjack && !dead {
            let original = if hands_dealt == 2 { original + original } else { original };
            assert_eq!(kept, original, "against a missed blackjack seat {seat} loses its original wager (S12)");
        }
        for line in &main {
            if line.outcome == Outcome::Rescued {
                // Hands move to the right when one before them is split, but none after a double: the last added
                // wager of this hand is the last one anybody reported for it.
                let last = placed.added.iter().rfind(|(kind, hand, _)| *kind != Action::Split && *hand == line.hand);
                assert_eq!(line.returned.amount(), last.unwrap().2, "a rescue returns the last added wager (P4)");
            }
        }
    }
}

/// Odds on a stake in whole chips, worked out once more.
fn odds(ratio: Ratio, stake: Cents, table: &Table) -> Cents {
    let (over, under) = (i128::from(stake.0) * i128::from(ratio.pays), i128::from(ratio.stakes));
    let unit = under * i128::from(table.smallest_chip.0);
    let chips = match table.rounding {
        Rounding::Down => over / unit,
        Rounding::Up => (over + unit - 1) / unit,
    };
    Cents(i64::try_from(chips).unwrap() * table.smallest_chip.0)
}

fn check_line(line: &Line, table: &Table) {
    let Some(stake) = line.stake.amount() else {
        assert!(line.stake.is_unknown(), "a settled wager was placed: {line:?}");
        let lost = line.outcome == Outcome::Lost && line.returned.amount() == Some(Cents::ZERO);
        assert!(lost || line.to_player().is_none(), "an unknown stake gives unknown money: {line:?}");
        return;
    };
    let undecided = *line.name == "dealer blackjack, suit decides";
    if undecided {
        assert_eq!((line.returned.amount(), line.pays.amount()), (None, None), "{line:?}");
        return;
    }
    let (Some(returned), Some(pays), Some(kept)) = (line.returned.amount(), line.pays.amount(), line.kept()) else {
        panic!("a known stake gives known money: {line:?}");
    };
    assert_eq!(stake, returned + kept, "{line:?}");
    assert!(returned >= Cents::ZERO && kept >= Cents::ZERO && pays >= Cents::ZERO, "{line:?}");
    assert!(returned.is_multiple_of(table.smallest_chip) && pays.is_multiple_of(table.smallest_chip), "{line:?}");
    let expected = match line.outcome {
        Outcome::Won => match line.pay {
            Some(Pay::To(ratio)) => (stake, odds(ratio, stake, table)),
            other => panic!("main and insurance pay X to Y, not {other:?}"),
        },
        Outcome::Tied | Outcome::Dead | Outcome::Void => (stake, Cents::ZERO),
        Outcome::Surrendered => (odds(Ratio::new(1, 2), stake, table), Cents::ZERO),
        // What goes back is checked box by box.
        Outcome::Lost | Outcome::Rescued => (returned, Cents::ZERO),
    };
    assert_eq!((returned, pays), expected, "{line:?}");
    let missed = *line.name == "dealer blackjack";
    assert!(line.outcome != Outcome::Lost || missed || returned == Cents::ZERO, "a lost wager is kept whole: {line:?}");
}

/// Keeps the books over the inputs that count (what was undone is out of them) and balances every round that ended.
/// Returns how many rounds had an unknown amount.
pub(crate) fn assert_books_balance(session: &Session) -> usize {
    let mut engine = session.fresh();
    let mut out = Events::new();
    let mut books = Books::default();
    let mut unknown = 0;
    if session.unrepeatable {
        return unknown;
    }
    for input in &session.effective {
        out.clear();
        engine.apply(input, &mut out).unwrap();
        for event in &out {
            books.follow(event);
            if let Event::RoundEnded { .. } = event {
                unknown += usize::from(books.boxes.values().any(|placed| placed.total().is_none()));
                books.balance(&session.table, session.tracking);
                books = Books::default();
            }
        }
    }
    unknown
}

#[test]
fn money_balances_to_the_cent_over_whole_rounds() {
    let mut unknown = 0;
    for seed in seeds("money", 900) {
        let mut session = Session::new("money", seed);
        for _ in 0..3 {
            session.round(&mut |_| ());
        }
        unknown += assert_books_balance(&session);
    }
    assert!(unknown > 20 || single_seed(), "rounds with unknown amounts: {unknown}");
}
