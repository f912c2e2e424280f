//! Where events go: the caller of the engine chooses. There is one text of every rule, whoever listens to it.

use super::Event;

/// Takes events as they happen. A table keeps them ([`Events`]), a replay forgets them ([`Discard`]), a simulation counts
/// them.
pub trait Sink {
    fn push(&mut self, event: Event);

    /// Several at once, for a sink that has to look for room.
    #[inline]
    fn extend(&mut self, events: impl ExactSizeIterator<Item = Event>) {
        for event in events {
            self.push(event);
        }
    }
}

/// Keeps events. One buffer serves forever: `clear` keeps its room, so steady play allocates nothing.
#[derive(Clone, Debug, Default)]
pub struct Events {
    list: Vec<Event>,
}

impl Sink for Events {
    #[inline]
    fn push(&mut self, event: Event) {
        self.list.push(event);
    }

    #[inline]
    fn extend(&mut self, events: impl ExactSizeIterator<Item = Event>) {
        self.list.extend(events);
    }
}

impl Events {
    pub fn new() -> Self {
        Self { list: Vec::with_capacity(256) }
    }

    pub fn clear(&mut self) {
        self.list.clear();
    }

    pub fn iter(&self) -> std::slice::Iter<'_, Event> {
        self.list.iter()
    }

    pub fn as_slice(&self) -> &[Event] {
        &self.list
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

impl<'a> IntoIterator for &'a Events {
    type Item = &'a Event;
    type IntoIter = std::slice::Iter<'a, Event>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.iter()
    }
}

/// Keeps nothing: for replays, whose events are already known.
#[derive(Clone, Copy, Debug, Default)]
pub struct Discard;

impl Sink for Discard {
    #[inline(always)]
    fn push(&mut self, _: Event) {}

    #[inline(always)]
    fn extend(&mut self, _: impl ExactSizeIterator<Item = Event>) {}
}
