//! What was accepted in this round, as it is replayed.
//!
//! Nearly all of it is ordinary and takes two words; any other input, with all that it may carry, is kept aside. A round
//! stays in the processor's nearest cache that way.
//!
//! Minutes stand where they were told, so that a replay knows what time it was at every other input; but they are nothing
//! that anybody did, and going back looks past them.

use crate::card::Card;
use crate::input::{Drawn, Input, InputKind, PeekAnswer};
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

/// An accepted input in two words, where it carries little and most rounds see it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Entry {
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
    Peek(PeekAnswer),
    Split,
    Surrender,
    Reveal(Card),
    /// The `next` that says that the hole card was turned, where cards are not tracked.
    TurnedHoleCard,
    Settled,
    At(u16),
    /// The next of those that are kept aside.
    Aside,
}

impl Entry {
    /// The one place that chooses between two words and aside.
    #[inline(always)]
    #[expect(clippy::wildcard_enum_match_arm, reason = "an input that is added later is kept aside, whole")]
    pub(super) fn of(input: &Input) -> Self {
        match *input {
            Input::Wager { seat, wager, amount: Some(amount) } => Self::Wager { seat, wager, amount },
            Input::Lock => Self::Lock,
            Input::Card(Drawn::FaceUp(card)) => Self::Card(card),
            Input::Card(Drawn::FaceDown) => Self::HoleCard,
            Input::Stand => Self::Stand,
            Input::Double(None) => Self::Double,
            Input::Peek(answer) => Self::Peek(answer),
            Input::Split => Self::Split,
            Input::Surrender => Self::Surrender,
            Input::Reveal(card) => Self::Reveal(card),
            Input::Settled => Self::Settled,
            // Never aside: what looks past minutes knows them by their entry.
            Input::At(minute) => Self::At(minute),
            _ => Self::Aside,
        }
    }

    /// The input again; none for what is kept aside.
    fn input(self) -> Option<Input> {
        Some(match self {
            Self::Wager { seat, wager, amount } => Input::Wager { seat, wager, amount: Some(amount) },
            Self::Lock => Input::Lock,
            Self::Card(card) => Input::Card(Drawn::FaceUp(card)),
            Self::HoleCard => Input::Card(Drawn::FaceDown),
            Self::Stand => Input::Stand,
            Self::Double => Input::Double(None),
            Self::Peek(answer) => Input::Peek(answer),
            Self::Split => Input::Split,
            Self::Surrender => Input::Surrender,
            Self::Reveal(card) => Input::Reveal(card),
            Self::TurnedHoleCard => Input::Next,
            Self::Settled => Input::Settled,
            Self::At(minute) => Input::At(minute),
            Self::Aside => return None,
        })
    }

    fn is_minute(self) -> bool {
        matches!(self, Self::At(_))
    }

    fn turns_hole_card(self) -> bool {
        matches!(self, Self::TurnedHoleCard | Self::Reveal(_))
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
    pub(super) fn push(&mut self, input: &Input) {
        self.push_as(Entry::of(input), input);
    }

    /// The same where the entry is known.
    #[inline(always)]
    pub(super) fn push_as(&mut self, entry: Entry, input: &Input) {
        self.entries.push(entry);
        if let Entry::Aside = entry {
            self.aside.push(Accepted { input: *input, late: None });
        }
    }

    /// An input about which a late word may have been said.
    pub(super) fn push_accepted(&mut self, accepted: Accepted) {
        if accepted.late.is_none() {
            return self.push(&accepted.input);
        }
        self.entries.push(Entry::Aside);
        self.aside.push(accepted);
    }

    pub(super) fn push_turned_hole_card(&mut self) {
        self.entries.push(Entry::TurnedHoleCard);
    }

    /// A minute after a minute of the same day takes its place: nothing came between them, and a table that nobody plays
    /// at is told one a minute for as long as it is on. An earlier minute is the next day's.
    pub(super) fn push_minute(&mut self, minute: u16) {
        match self.entries.last_mut() {
            Some(Entry::At(before)) if *before <= minute => *before = minute,
            Some(_) | None => self.entries.push(Entry::At(minute)),
        }
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

    /// Whether the last input that is no minute turned the hole card, by a card's name or as a step.
    pub(super) fn last_turned_hole_card(&self) -> bool {
        self.entries.iter().rfind(|entry| !entry.is_minute()).is_some_and(|entry| entry.turns_hole_card())
    }

    /// Takes out the last input that is no minute. The minutes after it stay told.
    pub(super) fn take_last(&mut self) -> Option<Accepted> {
        let last = self.entries.iter().rposition(|entry| !entry.is_minute())?;
        match self.entries.remove(last).input() {
            Some(input) => Some(Accepted { input, late: None }),
            None => self.aside.pop(),
        }
    }

    /// The last input was a card, and a late word has been said about it.
    pub(super) fn mark_last_late(&mut self, word: InputKind, words: u8) {
        if let Some(card) = self.take_last() {
            self.push_accepted(Accepted { late: Some((word, words)), ..card });
        }
    }

    /// All of it, and of each whether it turned the hole card.
    pub(super) fn iter_with_turns(&self) -> impl Iterator<Item = (Accepted, bool)> + '_ {
        self.iter().zip(self.entries.iter().map(|entry| entry.turns_hole_card()))
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Accepted> + '_ {
        let mut aside = self.aside.iter();
        self.entries.iter().filter_map(move |entry| match entry.input() {
            Some(input) => Some(Accepted { input, late: None }),
            None => aside.next().copied(),
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
        for input in [Input::Lock, Input::Hit, Input::Stand, Input::Redouble, Input::Double(None)] {
            log.push(&input);
        }
        let inputs = |log: &Log| log.iter().map(|entry| entry.input).collect::<Vec<_>>();
        assert_eq!(inputs(&log), [Input::Lock, Input::Hit, Input::Stand, Input::Redouble, Input::Double(None)]);
        log.mark_last_late(InputKind::Seat, 2);
        assert_eq!(log.iter().last(), Some(Accepted { input: Input::Double(None), late: Some((InputKind::Seat, 2)) }));
        assert_eq!(log.take_last().map(|taken| taken.input), Some(Input::Double(None)));
        assert_eq!(log.take_last(), Some(accepted(Input::Redouble)));
        log.push(&Input::Rescue);
        assert_eq!(inputs(&log), [Input::Lock, Input::Hit, Input::Stand, Input::Rescue]);
        assert_eq!(log.take_last(), Some(accepted(Input::Rescue)));
        assert_eq!(log.take_last(), Some(accepted(Input::Stand)));
        assert_eq!((log.len(), inputs(&log)), (2, vec![Input::Lock, Input::Hit]));
    }

    #[test]
    fn minutes_stay_where_they_were_told_when_the_input_before_them_is_taken_out() {
        let mut log = Log::new();
        let accepted = |input| Accepted { input, late: None };
        for input in [Input::At(1), Input::Hit, Input::At(2), Input::Split, Input::At(3), Input::At(4)] {
            log.push(&input);
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
        log.push(&Input::Lock);
        for minute in [600, 601, 601, 1439, 0, 5] {
            log.push_minute(minute);
        }
        log.push(&Input::Stand);
        log.push_minute(6);
        let inputs: Vec<Input> = log.iter().map(|entry| entry.input).collect();
        assert_eq!(inputs, [Input::Lock, Input::At(1439), Input::At(5), Input::Stand, Input::At(6)]);
    }
}
