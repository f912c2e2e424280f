//! A twin on a real port: a pty behind a stable name, or a TCP socket as a serial server gives it.
//!
//! The only part of this crate that waits, opens files or reads a clock. One thread a twin; it sleeps in `poll` until
//! bytes, a deadline or an order, and never spins. What nobody reads is lost, as on a real line.

mod pty;
mod socket;

use std::collections::VecDeque;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use device_protocols::link::Millis;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::pipe::{PipeFlags, pipe_with};

use crate::trace::TraceEntry;
use crate::twin::Twin;
use pty::Pty;
use socket::Socket;

/// Who looks at the ladder while the twin runs.
pub type Watcher = Box<dyn FnMut(&TraceEntry) + Send>;

/// A twin that runs until it is dropped.
#[derive(Debug)]
pub struct RunningTwin<T: Twin + 'static> {
    shared: Arc<Shared<T>>,
    place: Place,
    thread: Option<JoinHandle<()>>,
}

#[derive(Clone, Debug)]
enum Place {
    /// The stable name, or the pty itself where none was asked for.
    Path(PathBuf),
    Tcp(SocketAddr),
}

struct Shared<T> {
    twin: Mutex<T>,
    orders: Mutex<VecDeque<PlugOrder>>,
    stop: AtomicBool,
    wake: OwnedFd,
    started: Instant,
    /// When the twin last put something on the wire, newest last.
    sent: Mutex<VecDeque<Instant>>,
}

/// So many moments of sending are remembered.
const SENT_KEPT: usize = 32;

impl<T> std::fmt::Debug for Shared<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shared").finish_non_exhaustive()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PlugOrder {
    Unplug,
    Replug,
}

impl<T: Twin + 'static> RunningTwin<T> {
    /// Puts the twin on a pty. `link` is a stable name that always points to the present pty; an existing symlink there
    /// is replaced, anything else is left alone and refused.
    pub fn on_pty(twin: T, link: Option<&Path>, watcher: Option<Watcher>) -> io::Result<Self> {
        let pty = Pty::open(link)?;
        let place = Place::Path(link.map_or_else(|| pty.path().to_owned(), Path::to_owned));
        Self::start(twin, place, Socket::Pty(pty), link.map(Path::to_owned), watcher)
    }

    /// Serves one client at a time on a TCP port, raw, as serial servers do.
    pub fn on_tcp(twin: T, address: SocketAddr, watcher: Option<Watcher>) -> io::Result<Self> {
        let listener = listen(address)?;
        let place = Place::Tcp(listener.local_addr()?);
        Self::start(twin, place, Socket::Listening(listener), None, watcher)
    }

    fn start(
        mut twin: T,
        place: Place,
        socket: Socket,
        link: Option<PathBuf>,
        watcher: Option<Watcher>,
    ) -> io::Result<Self> {
        if watcher.is_some() {
            twin.turn_on_trace();
        }
        let (woken, wake) = pipe_with(PipeFlags::CLOEXEC | PipeFlags::NONBLOCK)?;
        let shared = Arc::new(Shared {
            twin: Mutex::new(twin),
            orders: Mutex::new(VecDeque::new()),
            stop: AtomicBool::new(false),
            wake,
            started: Instant::now(),
            sent: Mutex::new(VecDeque::with_capacity(SENT_KEPT)),
        });
        let tcp = match &place {
            Place::Tcp(address) => Some(*address),
            Place::Path(_) => None,
        };
        let runner = Runner { shared: Arc::clone(&shared), socket, link, tcp, woken, watcher };
        let thread = thread::Builder::new().name("simulated device".to_owned()).spawn(move || runner.run())?;
        Ok(Self { shared, place, thread: Some(thread) })
    }

    /// Where to find it: a path for a tty, `host:port` for TCP.
    pub fn place(&self) -> String {
        match &self.place {
            Place::Path(path) => path.display().to_string(),
            Place::Tcp(address) => address.to_string(),
        }
    }

    /// Does something to the device; what it says because of it goes out at once.
    pub fn act<R>(&self, deed: impl FnOnce(&mut T, Millis) -> R) -> R {
        let done = deed(&mut lock(&self.shared.twin), self.shared.now());
        self.shared.wake_up();
        done
    }

    /// Looks at the device without touching it: it does not even wake up.
    pub fn look<R>(&self, at: impl FnOnce(&T) -> R) -> R {
        at(&lock(&self.shared.twin))
    }

    /// When the device first put something on the wire at or after `moment`: from there on it is the controller's time.
    pub fn sent_since(&self, moment: Instant) -> Option<Instant> {
        lock(&self.shared.sent).iter().find(|sent| **sent >= moment).copied()
    }

    /// Pulls the cable: the port is gone, name and all. The device keeps its power.
    pub fn unplug(&self) {
        self.order(PlugOrder::Unplug);
    }

    /// Plugs it in again: another pty under the same name, or the same TCP port.
    pub fn replug(&self) {
        self.order(PlugOrder::Replug);
    }

    fn order(&self, order: PlugOrder) {
        lock(&self.shared.orders).push_back(order);
        self.shared.wake_up();
    }
}

impl<T: Twin + 'static> Drop for RunningTwin<T> {
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::Release);
        self.shared.wake_up();
        if let Some(thread) = self.thread.take() {
            // A runner that panicked has said so; there is nothing more to do for it.
            let _ = thread.join();
        }
    }
}

impl<T> Shared<T> {
    fn now(&self) -> Millis {
        Millis(u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX))
    }

    /// Before the bytes go out, so that nobody can have read them earlier.
    fn note_sending(&self) {
        let mut sent = lock(&self.sent);
        while sent.len() >= SENT_KEPT {
            sent.pop_front();
        }
        sent.push_back(Instant::now());
    }

    fn wake_up(&self) {
        // A full pipe wakes as well as one more byte would.
        let _ = rustix::io::write(&self.wake, &[1]);
    }
}

/// A twin stays usable after a panic in a deed: it is a test's own.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let listener = TcpListener::bind(address)?;
    listener.set_nonblocking(true)?;
    Ok(listener)
}

struct Runner<T> {
    shared: Arc<Shared<T>>,
    socket: Socket,
    link: Option<PathBuf>,
    tcp: Option<SocketAddr>,
    woken: OwnedFd,
    watcher: Option<Watcher>,
}

impl<T: Twin> Runner<T> {
    fn run(mut self) {
        while !self.shared.stop.load(Ordering::Acquire) {
            self.obey_orders();
            let deadline = self.step();
            self.sleep(deadline);
            self.receive();
        }
    }

    fn obey_orders(&mut self) {
        loop {
            let order = lock(&self.shared.orders).pop_front();
            match order {
                None => return,
                Some(PlugOrder::Unplug) => self.socket = Socket::Unplugged,
                // Without a port to be had the cable stays out; the next order may find one.
                Some(PlugOrder::Replug) => {
                    self.socket = match self.tcp {
                        Some(address) => listen(address).map_or(Socket::Unplugged, Socket::Listening),
                        None => Pty::open(self.link.as_deref()).map_or(Socket::Unplugged, Socket::Pty),
                    };
                }
            }
        }
    }

    /// Lets the twin do what is due and writes out what it says. Returns how long nothing will be due.
    fn step(&mut self) -> Option<Duration> {
        let now = self.shared.now();
        let mut twin = lock(&self.shared.twin);
        twin.handle_timeout(now);
        while let Some(bytes) = twin.poll_transmit(now) {
            self.shared.note_sending();
            self.socket.write(&bytes);
        }
        if let Some(watcher) = &mut self.watcher {
            while let Some(entry) = twin.poll_trace() {
                watcher(&entry);
            }
        }
        twin.poll_deadline().map(|deadline| Duration::from_millis(deadline.since(now)))
    }

    fn sleep(&mut self, for_at_most: Option<Duration>) {
        // At least a millisecond: a deadline that rounds to now must not make a busy loop.
        let timeout = for_at_most.map(|time| time.max(Duration::from_millis(1)));
        let timeout = timeout.and_then(|time| Timespec::try_from(time).ok());
        let mut waits = vec![PollFd::new(&self.woken, PollFlags::IN)];
        if let Some(fd) = self.socket.fd() {
            waits.push(PollFd::from_borrowed_fd(fd, PollFlags::IN));
        }
        // An interrupted sleep is only a short one.
        let _ = poll(&mut waits, timeout.as_ref());
        let mut drained = [0; 64];
        while rustix::io::read(self.woken.as_fd(), &mut drained).is_ok_and(|count| count == drained.len()) {}
    }

    fn receive(&mut self) {
        let mut buffer = [0; 512];
        while let Some(count) = self.socket.read(&mut buffer) {
            lock(&self.shared.twin).handle_bytes(&buffer[..count], self.shared.now());
        }
    }
}
