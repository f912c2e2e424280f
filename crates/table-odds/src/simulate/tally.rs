//! What a run adds up: integers only, so that no order of adding changes a digit.

use table_rules::event::{Event, Sink};
use table_rules::line::{Line, Outcome};
use table_rules::money::Cents;
use table_rules::wager::WagerId;

/// Sums over rounds.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    pub rounds: u64,
    /// Player hands settled, each split hand counted.
    pub hands: u64,
    /// What the players won less what they lost, in cents.
    pub net_cents: i128,
    /// The squares of each round's net, for the standard error.
    pub net_squares: i128,
    lines: Vec<Counted>,
    guesses: Guesses,
    /// What the round in play has come to so far.
    net: Cents,
}

const GUESSES: usize = 64;

/// Where lines were found last: a matter of speed, so that it makes no difference between two tallies.
#[derive(Clone, Copy, Debug)]
struct Guesses([u16; GUESSES]);

impl Default for Guesses {
    fn default() -> Self {
        Self([u16::MAX; GUESSES])
    }
}

impl PartialEq for Guesses {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Guesses {}

#[inline]
fn slot_of(line: &Line) -> usize {
    (line.name.as_ptr().addr() ^ (line.wager as usize) << 1 ^ (line.outcome as usize) << 4) % GUESSES
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Counted {
    wager: WagerId,
    outcome: Outcome,
    name: &'static str,
    count: u64,
}

impl Tally {
    /// Takes in one whole round.
    pub fn add_round(&mut self, events: &[Event]) {
        for event in events {
            self.take(event);
        }
    }

    #[inline(always)]
    fn take(&mut self, event: &Event) {
        if let Event::Settled(line) = event {
            self.net += net_of_line(line);
            self.count(line);
        } else if let Event::LineWithdrawn(line) = event {
            self.net -= net_of_line(line);
            self.uncount(line);
        } else if let Event::RoundEnded { .. } = event {
            let net = i128::from(std::mem::take(&mut self.net).0);
            self.rounds += 1;
            self.net_cents += net;
            self.net_squares += net * net;
        }
    }

    /// A line that was drawn up does not stand any more.
    #[cold]
    fn uncount(&mut self, line: &Line) {
        self.hands -= u64::from(line.wager == WagerId::Main);
        let counted = |each: &&mut Counted| is_same_line(each, line.wager, line.outcome) && each.name == *line.name;
        if let Some(each) = self.lines.iter_mut().find(counted) {
            each.count -= 1;
        }
    }

    #[inline]
    fn count(&mut self, line: &Line) {
        self.hands += u64::from(line.wager == WagerId::Main);
        // A line's name is one literal of the engine, so that its address says where the line was counted last.
        let slot = slot_of(line);
        let guess = usize::from(self.guesses.0[slot]);
        match self.lines.get_mut(guess) {
            Some(each) if std::ptr::eq(each.name, *line.name) && is_same_line(each, line.wager, line.outcome) => {
                each.count += 1;
            }
            Some(_) | None => {
                let place = self.count_slowly(line.wager, line.outcome, line.name, 1);
                self.guesses.0[slot] = u16::try_from(place).unwrap_or(u16::MAX);
            }
        }
    }

    /// Counts the line and gives its place.
    fn count_slowly(&mut self, wager: WagerId, outcome: Outcome, name: &'static str, count: u64) -> usize {
        let same = |each: &Counted| is_same_line(each, wager, outcome) && each.name == name;
        match self.lines.iter().position(same) {
            Some(place) => {
                self.lines[place].count += count;
                place
            }
            None => {
                self.lines.push(Counted { wager, outcome, name, count });
                self.lines.len() - 1
            }
        }
    }

    pub fn merge(&mut self, other: &Self) {
        self.rounds += other.rounds;
        self.hands += other.hands;
        self.net_cents += other.net_cents;
        self.net_squares += other.net_squares;
        for each in &other.lines {
            self.count_slowly(each.wager, each.outcome, each.name, each.count);
        }
    }

    /// Every settlement line that occurred, in the order of wagers, outcomes and names.
    pub fn lines(&self) -> Vec<(WagerId, Outcome, &'static str, u64)> {
        let mut lines: Vec<_> = self.lines.iter().map(|l| (l.wager, l.outcome, l.name, l.count)).collect();
        lines.sort_by_key(|&(wager, outcome, name, _)| (wager, outcome.word(), name));
        lines
    }

    /// How often this line fell due.
    pub fn count_of(&self, wager: WagerId, name: &str) -> u64 {
        self.lines.iter().filter(|each| each.wager == wager && each.name == name).map(|each| each.count).sum()
    }
}

fn is_same_line(each: &Counted, wager: WagerId, outcome: Outcome) -> bool {
    each.wager == wager && each.outcome == outcome
}

/// Counts a run without keeping its events.
impl Sink for Tally {
    #[inline(always)]
    fn push(&mut self, event: Event) {
        self.take(&event);
    }
}

/// What a line changes for the player: all that comes, less the stake. Every amount of a simulated round is known.
#[inline]
pub(crate) fn net_of_line(line: &Line) -> Cents {
    line.net().unwrap_or_default()
}
