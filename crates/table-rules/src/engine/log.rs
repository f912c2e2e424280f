//! What was accepted in this round, as it is replayed.
//!
//! Nearly all of it is ordinary and takes two words; any other input, with all that it may carry, is kept aside. A round
//! stays in the processor's nearest cache that way.
//!
//! Minutes stand where they were told, so that a replay knows what time it was at every other input; but they are nothing
//! that anybody did, and going back looks past them.

use crate::card::Card;
use crate::input::{Answer, Drawn, Input, InputKind, KindSet};
use crate::money::Cents;
use crate::seat::Seat;
use crate::wager::WagerId;

/// One accepted input.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Accepted {
    pub(super) input: Input,
    /// A late word has been said about this card: which, and how many inputs it put before the card.
    pub(super) late: Option<(InputKind, u8)>,
}

/// An input that carries little and that most rounds see.
#[derive(Clone, Copy, Debug)]
pub(super) enum Ordinary {
    Wager {
        seat: Seat,
        wager: WagerId,
        amount: Cents,
    },
    Lock,
    Card(Card),
    HoleCard,
    Stand,
    Double,
    Peek(Answer),
    Split,
    Surrender,
    Reveal(Card),
    /// The `next` that says that the hole card was turned, where cards are not tracked.
    TurnedHoleCard,
    Settled,
    At(u16),
}

impl From<Ordinary> for Input {
    fn from(ordinary: Ordinary) -> Self {
        match ordinary {
            Ordinary::Wager { seat, wager, amount } => Self::Wager { seat, wager, amount: Some(amount) },
            Ordinary::Lock => Self::Lock,
            Ordinary::Card(card) => Self::Card(Drawn::FaceUp(card)),
            Ordinary::HoleCard => Self::Card(Drawn::FaceDown),
            Ordinary::Stand => Self::Stand,
            Ordinary::Double => Self::Double(None),
            Ordinary::Peek(answer) => Self::Peek(answer),
            Ordinary::Split => Self::Split,
            Ordinary::Surrender => Self::Surrender,
            Ordinary::Reveal(card) => Self::Reveal(card),
            Ordinary::TurnedHoleCard => Self::Next,
            Ordinary::Settled => Self::Settled,
            Ordinary::At(minute) => Self::At(minute),
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Entry {
    Ordinary(Ordinary),
    /// The next of those that are kept aside.
    Aside,
}

impl Entry {
    fn is_minute(self) -> bool {
        matches!(self, Self::Ordinary(Ordinary::At(_)))
    }

    fn turns_hole_card(self) -> bool {
        matches!(self, Self::Ordinary(Ordinary::TurnedHoleCard | Ordinary::Reveal(_)))
    }
}

#[derive(Clone, Debug)]
pub(super) struct Log {
    entries: Vec<Entry>,
    /// One for each [`Entry::Aside`], in their order.
    aside: Vec<Accepted>,
}

impl Log {
    pub(super) fn new() -> Self {
        Self { entries: Vec::with_capacity(512), aside: Vec::with_capacity(64) }
    }

    /// Without room: for the moment in which the log itself is replayed.
    pub(super) const fn empty() -> Self {
        Self { entries: Vec::new(), aside: Vec::new() }
    }

    #[inline(always)]
    pub(super) fn push_ordinary(&mut self, input: Ordinary) {
        self.entries.push(Entry::Ordinary(input));
    }

    #[inline(always)]
    pub(super) fn extend(&mut self, inputs: impl Iterator<Item = Ordinary>) {
        self.entries.extend(inputs.map(Entry::Ordinary));
    }

    /// A minute after a minute of the same day takes its place: nothing came between them, and a table that nobody plays
    /// at is told one a minute for as long as it is on. An earlier minute is the next day's.
    pub(super) fn push_minute(&mut self, minute: u16) {
        match self.entries.last_mut() {
            Some(Entry::Ordinary(Ordinary::At(before))) if *before <= minute => *before = minute,
            Some(_) | None => self.push_ordinary(Ordinary::At(minute)),
        }
    }

    pub(super) fn push(&mut self, accepted: Accepted) {
        // Never aside: what looks past minutes knows them by their entry.
        if let Input::At(minute) = accepted.input {
            return self.push_ordinary(Ordinary::At(minute));
        }
        self.entries.push(Entry::Aside);
        self.aside.push(accepted);
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub(super) fn clear(&mut self) {
        self.entries.clear();
        self.aside.clear();
    }

    /// `end`, moved on over the minutes that stand there.
    pub(super) fn with_minutes_after(&self, end: usize) -> usize {
        end + self.entries[end..].iter().take_while(|entry| entry.is_minute()).count()
    }

    pub(super) fn holds_minutes_only(&self) -> bool {
        self.with_minutes_after(0) == self.len()
    }

    /// How many inputs there are up to the last one of these kinds, or that turned the hole card.
    pub(super) fn len_up_to_last(&self, kinds: KindSet) -> usize {
        let found = |(at, (entry, accepted)): (usize, (&Entry, Accepted))| {
            (entry.turns_hole_card() || kinds.contains(accepted.input.kind())).then_some(at + 1)
        };
        self.entries.iter().zip(self.iter()).enumerate().filter_map(found).last().unwrap_or(0)
    }

    /// Whether the last input that is no minute turned the hole card, by a card's name or as a step.
    pub(super) fn last_turned_hole_card(&self) -> bool {
        let last = self.entries.iter().rposition(|entry| !entry.is_minute());
        let aside = || self.aside.last().is_some_and(|accepted| accepted.input.kind() == InputKind::Reveal);
        last.is_some_and(|at| match self.entries[at] {
            Entry::Ordinary(_) => self.entries[at].turns_hole_card(),
            Entry::Aside => aside(),
        })
    }

    /// Takes out the last input that is no minute. The minutes after it stay told.
    pub(super) fn take_last(&mut self) -> Option<Accepted> {
        let last = self.entries.iter().rposition(|entry| !entry.is_minute())?;
        match self.entries.remove(last) {
            Entry::Ordinary(ordinary) => Some(Accepted { input: ordinary.into(), late: None }),
            Entry::Aside => self.aside.pop(),
        }
    }

    /// The last input was a card, and a late word has been said about it.
    pub(super) fn mark_last_late(&mut self, word: InputKind, words: u8) {
        if let Some(card) = self.take_last() {
            self.push(Accepted { late: Some((word, words)), ..card });
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Accepted> + '_ {
        let mut aside = self.aside.iter();
        self.entries.iter().filter_map(move |entry| match *entry {
            Entry::Ordinary(ordinary) => Some(Accepted { input: ordinary.into(), late: None }),
            Entry::Aside => aside.next().copied(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_aside_stays_in_its_place() {
        let mut log = Log::new();
        let accepted = |input| Accepted { input, late: None };
        log.push_ordinary(Ordinary::Lock);
        log.push(accepted(Input::Hit));
        log.push_ordinary(Ordinary::Stand);
        log.push(accepted(Input::Split));
        log.push_ordinary(Ordinary::Double);
        let inputs = |log: &Log| log.iter().map(|entry| entry.input).collect::<Vec<_>>();
        assert_eq!(inputs(&log), [Input::Lock, Input::Hit, Input::Stand, Input::Split, Input::Double(None)]);
        log.mark_last_late(InputKind::Seat, 2);
        assert_eq!(log.iter().last(), Some(Accepted { input: Input::Double(None), late: Some((InputKind::Seat, 2)) }));
        assert_eq!(log.take_last().map(|taken| taken.input), Some(Input::Double(None)));
        assert_eq!(log.take_last(), Some(accepted(Input::Split)));
        log.push(accepted(Input::Surrender));
        assert_eq!(inputs(&log), [Input::Lock, Input::Hit, Input::Stand, Input::Surrender]);
        assert_eq!(log.take_last(), Some(accepted(Input::Surrender)));
        assert_eq!(log.take_last(), Some(accepted(Input::Stand)));
        assert_eq!((log.len(), inputs(&log)), (2, vec![Input::Lock, Input::Hit]));
    }

    #[test]
    fn minutes_stay_where_they_were_told_when_the_input_before_them_is_taken_out() {
        let mut log = Log::new();
        let accepted = |input| Accepted { input, late: None };
        for input in [Input::At(1), Input::Hit, Input::At(2), Input::Split, Input::At(3), Input::At(4)] {
            log.push(accepted(input));
        }
        let inputs = |log: &Log| log.iter().map(|entry| entry.input).collect::<Vec<_>>();
        assert_eq!([0, 1, 2, 4].map(|end| log.with_minutes_after(end)), [1, 1, 3, 6]);
        assert_eq!(log.take_last(), Some(accepted(Input::Split)));
        assert_eq!(inputs(&log), [Input::At(1), Input::Hit, Input::At(2), Input::At(3), Input::At(4)]);
        assert!(!log.holds_minutes_only());
        assert_eq!(log.take_last(), Some(accepted(Input::Hit)));
        assert_eq!(inputs(&log), [1, 2, 3, 4].map(Input::At));
        assert!(log.holds_minutes_only());
        assert_eq!((log.take_last(), log.len()), (None, 4));
    }

    #[test]
    fn minutes_on_end_are_kept_as_the_last_of_their_day() {
        let mut log = Log::new();
        log.push_ordinary(Ordinary::Lock);
        for minute in [600, 601, 601, 1439, 0, 5] {
            log.push_minute(minute);
        }
        log.push_ordinary(Ordinary::Stand);
        log.push_minute(6);
        let inputs: Vec<Input> = log.iter().map(|entry| entry.input).collect();
        assert_eq!(inputs, [Input::Lock, Input::At(1439), Input::At(5), Input::Stand, Input::At(6)]);
    }
}
