//! One input line, and what it may plausibly do.
//!
//! Three things a line does only when something is broken: it stays active for longer than any finger presses (stuck),
//! it never comes to rest (chattering: a loose contact), or it comes to rest and changes again and again (flickering: a
//! failing sensor, a shadow at its threshold). Each raises one fault; while a line chatters or flickers its last
//! believable level stands and nothing else is reported, so no broken part can flood the table.

use std::collections::VecDeque;

use crate::clock::{Span, Stamp};
use crate::fault::InputFault;

/// So many raw edges within [`CHATTER_WITHIN`] are no switch coming to rest.
const CHATTER_EDGES: usize = 16;
const CHATTER_WITHIN: Span = Span::millis(500);
/// So many settled changes within [`FLICKER_WITHIN`] are no person placing chips.
const FLICKER_CHANGES: usize = 8;
const FLICKER_WITHIN: Span = Span::millis(3_000);
/// A line is believed again after so long without an edge.
const CALM_AFTER: Span = Span::millis(1_000);

/// What is expected of one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InputRules {
    /// A level counts when it has stood for this long. Zero where the kernel or the expander's reader debounces.
    pub debounce: Span,
    /// Active for longer than this is a fault. A chip may lie for an hour; a finger does not press for five seconds.
    pub stuck_after: Option<Span>,
}

impl InputRules {
    /// The lock-out button on a line that the kernel debounces.
    pub const BUTTON: Self = Self { debounce: Span(0), stuck_after: Some(Span::millis(5_000)) };
    /// A position sensor on a line that the kernel debounces.
    pub const SENSOR: Self = Self { debounce: Span(0), stuck_after: None };

    #[must_use]
    pub const fn debounced_here(self, debounce: Span) -> Self {
        Self { debounce, ..self }
    }
}

/// What became of the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputEvent {
    /// The line came to rest at another level, at the time of its last edge.
    Changed {
        active: bool,
        at: Stamp,
    },
    Raised(InputFault),
    Cleared(InputFault),
}

/// One line. After any `handle_*` call [`poll_event`](Self::poll_event) until it gives nothing, then sleep until
/// [`poll_deadline`](Self::poll_deadline).
#[derive(Debug)]
pub struct PlausibleInput {
    rules: InputRules,
    now: Stamp,
    raw: bool,
    raw_since: Stamp,
    settled: bool,
    settled_since: Stamp,
    edges: Recent<CHATTER_EDGES>,
    changes: Recent<FLICKER_CHANGES>,
    doubt: Option<Doubt>,
    stuck: bool,
    events: VecDeque<InputEvent>,
}

/// The line is not believed until it has been calm.
#[derive(Clone, Copy, Debug)]
struct Doubt {
    fault: InputFault,
    last_edge: Stamp,
}

impl PlausibleInput {
    /// `active` is the level read when the line was requested.
    pub fn new(rules: InputRules, active: bool, now: Stamp) -> Self {
        Self {
            rules,
            now,
            raw: active,
            raw_since: now,
            settled: active,
            settled_since: now,
            edges: Recent::new(),
            changes: Recent::new(),
            doubt: None,
            stuck: false,
            events: VecDeque::new(),
        }
    }

    /// The level that can be believed.
    pub fn is_active(&self) -> bool {
        self.settled
    }

    /// When the line last moved, believed or not.
    pub fn last_edge(&self) -> Stamp {
        self.raw_since
    }

    pub fn is_believable(&self) -> bool {
        self.doubt.is_none() && !self.stuck
    }

    /// The changes so far were asked for: they speak against nothing.
    pub fn forget_changes(&mut self) {
        self.changes = Recent::new();
    }

    pub fn handle_edge(&mut self, active: bool, at: Stamp) {
        // Whatever was due before this edge happened before it.
        self.handle_time(at);
        self.edges.note(at);
        self.raw = active;
        self.raw_since = at;
        if let Some(doubt) = &mut self.doubt {
            doubt.last_edge = at;
        } else if self.edges.all_within(CHATTER_WITHIN) {
            self.begin_doubt(InputFault::Chattering, at);
        }
        self.handle_time(at);
    }

    /// The level as it was read, at the start or after edges were lost. Counts as an edge only if it differs.
    pub fn handle_level(&mut self, active: bool, at: Stamp) {
        if self.raw == active {
            self.handle_time(at);
        } else {
            self.handle_edge(active, at);
        }
    }

    pub fn handle_time(&mut self, now: Stamp) {
        self.now = self.now.max(now);
        self.end_doubt();
        if self.doubt.is_none() && self.settle_due().is_some_and(|due| due <= self.now) {
            self.settle();
        }
        let stuck = self.stuck_due().is_some_and(|due| due <= self.now);
        if stuck != self.stuck && (stuck || !self.settled) {
            self.stuck = stuck;
            let fault = InputFault::Stuck;
            self.events.push_back(if stuck { InputEvent::Raised(fault) } else { InputEvent::Cleared(fault) });
        }
    }

    pub fn poll_event(&mut self) -> Option<InputEvent> {
        self.events.pop_front()
    }

    pub fn poll_deadline(&self) -> Option<Stamp> {
        let calm = self.doubt.map(|doubt| doubt.last_edge.after(CALM_AFTER));
        let settle = self.settle_due().filter(|_| self.doubt.is_none());
        let stuck = self.stuck_due().filter(|_| !self.stuck);
        [calm, settle, stuck].into_iter().flatten().min()
    }

    fn settle_due(&self) -> Option<Stamp> {
        (self.raw != self.settled).then(|| self.raw_since.after(self.rules.debounce))
    }

    fn stuck_due(&self) -> Option<Stamp> {
        let limit = self.rules.stuck_after.filter(|_| self.settled)?;
        Some(self.settled_since.after(limit))
    }

    fn settle(&mut self) {
        self.changes.note(self.raw_since);
        if self.changes.all_within(FLICKER_WITHIN) {
            return self.begin_doubt(InputFault::Flickering, self.raw_since);
        }
        self.settled = self.raw;
        self.settled_since = self.raw_since;
        self.events.push_back(InputEvent::Changed { active: self.settled, at: self.settled_since });
    }

    fn begin_doubt(&mut self, fault: InputFault, at: Stamp) {
        self.doubt = Some(Doubt { fault, last_edge: at });
        self.events.push_back(InputEvent::Raised(fault));
    }

    fn end_doubt(&mut self) {
        let calm = |doubt: &mut Doubt| doubt.last_edge.after(CALM_AFTER) <= self.now;
        if let Some(doubt) = self.doubt.take_if(calm) {
            self.edges = Recent::new();
            self.changes = Recent::new();
            self.events.push_back(InputEvent::Cleared(doubt.fault));
        }
    }
}

/// The last `N` moments.
#[derive(Debug)]
struct Recent<const N: usize> {
    moments: [Option<Stamp>; N],
}

impl<const N: usize> Recent<N> {
    const fn new() -> Self {
        Self { moments: [None; N] }
    }

    fn note(&mut self, at: Stamp) {
        self.moments.rotate_left(1);
        self.moments[N - 1] = Some(at);
    }

    fn all_within(&self, span: Span) -> bool {
        match (self.moments[0], self.moments[N - 1]) {
            (Some(oldest), Some(newest)) => newest.since(oldest) < span,
            (None, _) | (_, None) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEBOUNCE: Span = Span::millis(25);

    fn ms(milliseconds: u64) -> Stamp {
        Stamp::millis(milliseconds)
    }

    fn button() -> PlausibleInput {
        PlausibleInput::new(InputRules::BUTTON.debounced_here(DEBOUNCE), false, ms(0))
    }

    fn events(input: &mut PlausibleInput) -> Vec<InputEvent> {
        std::iter::from_fn(|| input.poll_event()).collect()
    }

    #[test]
    fn a_bouncing_press_is_one_press_at_its_last_edge() {
        let mut input = button();
        for (time, active) in [(100, true), (101, false), (103, true), (104, false), (106, true)] {
            input.handle_edge(active, ms(time));
        }
        assert_eq!(events(&mut input), []);
        assert_eq!(input.poll_deadline(), Some(ms(131)));
        input.handle_time(ms(131));
        assert_eq!(events(&mut input), [InputEvent::Changed { active: true, at: ms(106) }]);
    }

    #[test]
    fn a_spark_shorter_than_the_debounce_is_nothing() {
        let mut input = button();
        input.handle_edge(true, ms(100));
        input.handle_edge(false, ms(110));
        input.handle_time(ms(10_000));
        assert_eq!(events(&mut input), []);
        assert_eq!(input.poll_deadline(), None);
    }

    #[test]
    fn a_change_that_was_due_is_not_swallowed_by_the_edge_that_follows_it() {
        let mut input = button();
        input.handle_edge(true, ms(100));
        input.handle_edge(false, ms(200));
        input.handle_time(ms(300));
        let changed = |active, at| InputEvent::Changed { active, at: ms(at) };
        assert_eq!(events(&mut input), [changed(true, 100), changed(false, 200)]);
    }

    #[test]
    fn a_button_held_for_more_than_five_seconds_is_stuck_until_released() {
        let mut input = button();
        input.handle_edge(true, ms(0));
        input.handle_time(ms(30));
        input.handle_time(ms(4_999));
        assert_eq!(events(&mut input).len(), 1);
        assert_eq!(input.poll_deadline(), Some(ms(5_000)));
        input.handle_time(ms(5_000));
        input.handle_time(ms(9_000));
        assert_eq!(events(&mut input), [InputEvent::Raised(InputFault::Stuck)]);
        assert_eq!(input.poll_deadline(), None, "a stuck line wakes nobody");
        input.handle_edge(false, ms(10_000));
        input.handle_time(ms(10_030));
        let released = InputEvent::Changed { active: false, at: ms(10_000) };
        assert_eq!(events(&mut input), [released, InputEvent::Cleared(InputFault::Stuck)]);
    }

    #[test]
    fn a_button_that_is_down_at_the_start_is_stuck_too() {
        let mut input = PlausibleInput::new(InputRules::BUTTON, true, ms(0));
        input.handle_time(ms(5_000));
        assert_eq!(events(&mut input), [InputEvent::Raised(InputFault::Stuck)]);
    }

    #[test]
    fn a_storm_of_edges_is_one_fault_and_the_level_after_it_is_told() {
        let mut input = button();
        let mut time = 0;
        for edge in 0..100_001_u64 {
            time = edge;
            input.handle_edge(edge % 2 == 0, ms(time));
        }
        assert_eq!(events(&mut input), [InputEvent::Raised(InputFault::Chattering)]);
        assert!(!input.is_active() && !input.is_believable());
        input.handle_time(ms(time + 1_000));
        let settled = InputEvent::Changed { active: true, at: ms(time) };
        assert_eq!(events(&mut input), [InputEvent::Cleared(InputFault::Chattering), settled]);
    }

    #[test]
    fn a_sensor_that_changes_its_mind_all_the_time_flickers() {
        let mut input = PlausibleInput::new(InputRules::SENSOR, false, ms(0));
        for change in 0..1_000_u64 {
            input.handle_edge(change % 2 == 0, ms(change * 100));
        }
        let seen = events(&mut input);
        assert_eq!(seen.len(), 8, "{seen:?}");
        assert_eq!(seen[7], InputEvent::Raised(InputFault::Flickering));
        input.handle_time(ms(101_000));
        let after = events(&mut input);
        assert_eq!(after[0], InputEvent::Cleared(InputFault::Flickering));
    }

    #[test]
    fn ordinary_chips_raise_nothing() {
        let mut input = PlausibleInput::new(InputRules::SENSOR, false, ms(0));
        for round in 0..500_u64 {
            input.handle_edge(true, ms(round * 30_000));
            input.handle_edge(false, ms(round * 30_000 + 800));
            input.handle_edge(true, ms(round * 30_000 + 1_500));
            input.handle_edge(false, ms(round * 30_000 + 20_000));
        }
        let faults = events(&mut input).into_iter().filter(|event| !matches!(event, InputEvent::Changed { .. }));
        assert_eq!(faults.count(), 0);
    }
}
