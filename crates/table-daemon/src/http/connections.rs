//! How many connections, and whose. A place is kept free for those who matter: the control socket has places of its own,
//! whoever has shown the table's key or its cookie moves to the places of the known, and strangers share few. When a
//! stranger comes and those few are taken, the one among them that has been silent longest goes.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio_util::sync::CancellationToken;

use super::guard::Via;

/// Of all connections, these shares belong to the control socket and to strangers; the rest is for the known.
const SOCKET_SHARE: usize = 8;
const STRANGER_SHARE: usize = 4;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Standing {
    Socket,
    Stranger {
        /// A request of theirs is being answered.
        busy: bool,
    },
    Known,
}

#[derive(Debug)]
struct Open {
    standing: Standing,
    drop: CancellationToken,
    /// Grows with every request: the smallest has been silent longest.
    touched: u64,
}

#[derive(Debug, Default)]
struct Book {
    open: BTreeMap<u64, Open>,
    counted: u64,
}

#[derive(Clone, Debug)]
pub(super) struct Connections {
    book: Arc<Mutex<Book>>,
    total: usize,
}

/// One connection's place; given back when it is dropped. Cheap to clone within the connection.
#[derive(Clone, Debug)]
pub(super) struct Seat(Arc<Held>);

#[derive(Debug)]
struct Held {
    book: Arc<Mutex<Book>>,
    number: u64,
    known_max: usize,
    drop: CancellationToken,
}

impl Connections {
    pub(super) fn new(total: usize) -> Self {
        Self { book: Arc::default(), total }
    }

    const fn most(&self, standing: Standing) -> usize {
        let (socket, stranger) = (self.total.div_ceil(SOCKET_SHARE), self.total.div_ceil(STRANGER_SHARE));
        match standing {
            Standing::Socket => socket,
            Standing::Stranger { .. } => stranger,
            Standing::Known => self.total.saturating_sub(socket + stranger),
        }
    }

    /// A place for a new connection, or none.
    pub(super) fn sit(&self, via: Via) -> Option<Seat> {
        let standing = match via {
            Via::Unix => Standing::Socket,
            Via::Tcp => Standing::Stranger { busy: false },
        };
        let mut book = lock(&self.book);
        if book.of_kind(standing) >= self.most(standing) && !book.drop_idle_stranger(standing) {
            return None;
        }
        book.counted += 1;
        let (number, drop) = (book.counted, CancellationToken::new());
        book.open.insert(number, Open { standing, drop: drop.clone(), touched: number });
        let known_max = self.most(Standing::Known);
        Some(Seat(Arc::new(Held { book: Arc::clone(&self.book), number, known_max, drop })))
    }
}

impl Book {
    fn of_kind(&self, standing: Standing) -> usize {
        let same = |open: &&Open| std::mem::discriminant(&open.standing) == std::mem::discriminant(&standing);
        self.open.values().filter(same).count()
    }

    /// Makes room among the strangers, if one of them only sits there.
    fn drop_idle_stranger(&mut self, standing: Standing) -> bool {
        if matches!(standing, Standing::Socket | Standing::Known) {
            return false;
        }
        let idle = self.open.iter().filter(|(_, open)| open.standing == Standing::Stranger { busy: false });
        let Some(number) = idle.min_by_key(|(_, open)| open.touched).map(|(number, _)| *number) else { return false };
        if let Some(open) = self.open.remove(&number) {
            open.drop.cancel();
        }
        true
    }
}

impl Seat {
    /// Cancelled when somebody else needs the place more.
    pub(super) fn dropped(&self) -> CancellationToken {
        self.0.drop.clone()
    }

    /// A request begins; it is over when what is returned is dropped.
    pub(super) fn ask(&self) -> Asking {
        let mut book = lock(&self.0.book);
        book.counted += 1;
        let touched = book.counted;
        if let Some(open) = book.open.get_mut(&self.0.number) {
            open.touched = touched;
            if let Standing::Stranger { busy } = &mut open.standing {
                *busy = true;
            }
        }
        Asking(self.clone())
    }

    /// Has shown the key or the cookie: no longer a stranger. False where the known have no room for another.
    pub(super) fn is_known(&self) -> bool {
        let mut book = lock(&self.0.book);
        let room = book.of_kind(Standing::Known) < self.0.known_max;
        match book.open.get_mut(&self.0.number) {
            Some(open) if matches!(open.standing, Standing::Stranger { .. }) && room => {
                open.standing = Standing::Known;
                true
            }
            Some(open) => !matches!(open.standing, Standing::Stranger { .. }),
            None => false,
        }
    }
}

/// A request on its way.
#[derive(Debug)]
pub(super) struct Asking(Seat);

impl Drop for Asking {
    fn drop(&mut self) {
        let Held { book, number, .. } = &*self.0.0;
        if let Some(open) = lock(book).open.get_mut(number)
            && let Standing::Stranger { busy } = &mut open.standing
        {
            *busy = false;
        }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        lock(&self.book).open.remove(&self.number);
    }
}

/// Each change is made whole under the lock: whoever panicked with it in hand left nothing half done.
fn lock(book: &Mutex<Book>) -> MutexGuard<'_, Book> {
    book.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strangers_share_few_places_and_the_one_silent_longest_goes() {
        let connections = Connections::new(16);
        let strangers: Vec<Seat> = (0..4).map(|_| connections.sit(Via::Tcp).unwrap()).collect();
        // The first has asked something since.
        drop(strangers[0].ask());
        let fifth = connections.sit(Via::Tcp).unwrap();
        assert!(strangers[1].dropped().is_cancelled());
        assert!(!strangers[0].dropped().is_cancelled());
        // All are being answered: nobody is sent away for a stranger.
        let asking: Vec<Asking> = [&strangers[0], &strangers[2], &strangers[3], &fifth].map(Seat::ask).into();
        assert!(connections.sit(Via::Tcp).is_none());
        drop(asking);
        assert!(connections.sit(Via::Tcp).is_some());
    }

    #[test]
    fn a_flood_of_strangers_takes_no_place_of_the_known_or_of_the_socket() {
        let connections = Connections::new(16);
        let known: Vec<Seat> = (0..10)
            .map(|_| {
                let seat = connections.sit(Via::Tcp).unwrap();
                assert!(seat.is_known() && seat.is_known());
                seat
            })
            .collect();
        let flood: Vec<Seat> = (0..500).map(|_| connections.sit(Via::Tcp).unwrap()).collect();
        assert_eq!(flood.iter().filter(|seat| !seat.dropped().is_cancelled()).count(), 4);
        assert!(known.iter().all(|seat| !seat.dropped().is_cancelled()));
        let socket = [connections.sit(Via::Unix), connections.sit(Via::Unix)];
        assert!(socket.iter().all(Option::is_some) && connections.sit(Via::Unix).is_none());
        // The places of the known are all taken: one more stays among the strangers and can be sent away.
        let late = connections.sit(Via::Tcp).unwrap();
        assert!(!late.is_known());
        drop(flood);
        for _ in 0..4 {
            std::mem::forget(connections.sit(Via::Tcp).unwrap());
        }
        assert!(late.dropped().is_cancelled());
        drop(known);
        assert_eq!(lock(&connections.book).of_kind(Standing::Known), 0, "places are given back");
    }
}
