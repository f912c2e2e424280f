//! Sockets and connections: how many, how long, and from whom.

use std::fs;
use std::io;
use std::net::SocketAddr;
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use listenfd::ListenFd;
use thiserror::Error;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, UnixListener, UnixStream};
use tokio::time::{sleep, timeout};
use tokio_util::task::TaskTracker;

use super::connections::{Connections, Seat};
use super::guard::Via;
use super::patient::Patient;
use super::{App, Limits, routes};
use crate::config::Http;

/// Enough for a whole request head; anything longer is nobody we know.
const HEAD_BYTES_MAX: usize = 16 * 1024;
const TOO_MANY: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";

#[derive(Debug, Error)]
pub enum ListenError {
    #[error("cannot listen on {address}: {source}; is another daemon running?")]
    Tcp { address: SocketAddr, source: io::Error },
    #[error("cannot listen on {path}: {source}")]
    Unix { path: String, source: io::Error },
    #[error("the socket that systemd passed in cannot be used: {0}")]
    Passed(io::Error),
}

/// Where the daemon is listening. Bound on any thread, served by the interface's own.
#[derive(Debug, Default)]
pub struct Listeners {
    tcp: Option<std::net::TcpListener>,
    unix: Option<std::os::unix::net::UnixListener>,
    /// Removed at the end, where it was ours to make.
    made: Option<PathBuf>,
    users: Vec<u32>,
}

impl Listeners {
    /// Sockets that systemd passed in, and the configured ones for those it did not.
    pub fn bind(http: &Http) -> Result<Self, ListenError> {
        let mut passed = Passed::take()?;
        let tcp = match passed.tcp.take() {
            Some(listener) => listener,
            None => {
                let failed = |source| ListenError::Tcp { address: http.listen, source };
                let listener = std::net::TcpListener::bind(http.listen).map_err(failed)?;
                listener.set_nonblocking(true).map_err(failed)?;
                listener
            }
        };
        let (unix, made) = match passed.unix.take() {
            Some(listener) => (listener, None),
            None => (bind_unix(&http.socket)?, Some(http.socket.clone())),
        };
        let own = rustix::process::getuid().as_raw();
        let users = [0, own].into_iter().chain(http.socket_users.iter().copied()).collect();
        Ok(Self { tcp: Some(tcp), unix: Some(unix), made, users })
    }

    /// The address that was taken, where the port was left to the system.
    pub fn address(&self) -> Option<SocketAddr> {
        self.tcp.as_ref()?.local_addr().ok()
    }
}

impl Drop for Listeners {
    fn drop(&mut self) {
        if let Some(path) = &self.made {
            // Somebody may have removed it before us.
            let _ = fs::remove_file(path);
        }
    }
}

#[derive(Default)]
struct Passed {
    tcp: Option<std::net::TcpListener>,
    unix: Option<std::os::unix::net::UnixListener>,
}

impl Passed {
    fn take() -> Result<Self, ListenError> {
        let mut found = Self::default();
        let mut given = ListenFd::from_env();
        for index in 0..given.len() {
            if let Ok(Some(listener)) = given.take_tcp_listener(index) {
                listener.set_nonblocking(true).map_err(ListenError::Passed)?;
                found.tcp = Some(listener);
            } else if let Some(listener) = given.take_unix_listener(index).map_err(ListenError::Passed)? {
                listener.set_nonblocking(true).map_err(ListenError::Passed)?;
                found.unix = Some(listener);
            }
        }
        Ok(found)
    }
}

fn bind_unix(path: &Path) -> Result<std::os::unix::net::UnixListener, ListenError> {
    let failed = |source| ListenError::Unix { path: path.display().to_string(), source };
    // A socket that a killed daemon left behind; whether one still listens on it is asked first.
    if fs::symlink_metadata(path).is_ok_and(|about| about.file_type().is_socket()) {
        if std::os::unix::net::UnixStream::connect(path).is_ok() {
            return Err(failed(io::Error::new(io::ErrorKind::AddrInUse, "another daemon is listening")));
        }
        fs::remove_file(path).map_err(failed)?;
    }
    let listener = std::os::unix::net::UnixListener::bind(path).map_err(failed)?;
    listener.set_nonblocking(true).map_err(failed)?;
    fs::set_permissions(path, fs::Permissions::from_mode(0o660)).map_err(failed)?;
    Ok(listener)
}

pub(super) async fn run(mut listeners: Listeners, app: Arc<App>) {
    let router = routes::router(Arc::clone(&app));
    let stop = app.stop.clone();
    let server = Server {
        router,
        connections: Connections::new(app.limits.connections),
        open: TaskTracker::new(),
        app: Arc::clone(&app),
    };
    let tcp = listeners.tcp.take().and_then(|listener| heard(TcpListener::from_std(listener)));
    let unix = listeners.unix.take().and_then(|listener| heard(UnixListener::from_std(listener)));
    let users = listeners.users.clone();
    tokio::join!(
        async {
            if let Some(listener) = tcp {
                server.accept_tcp(listener).await;
            }
        },
        async {
            if let Some(listener) = unix {
                server.accept_unix(listener, &users).await;
            }
        },
        stop.cancelled(),
    );
    server.open.close();
    if timeout(app.limits.stop_time, server.open.wait()).await.is_err() {
        tracing::warn!(connections = server.open.len(), "connections were cut off at the end");
    }
}

/// The runtime knows of every socket but the first ones.
fn heard<L>(listener: io::Result<L>) -> Option<L> {
    listener.map_err(|error| tracing::error!(%error, "a socket cannot be listened on")).ok()
}

struct Server {
    router: Router,
    connections: Connections,
    open: TaskTracker,
    app: Arc<App>,
}

impl Server {
    async fn accept_tcp(&self, listener: TcpListener) {
        loop {
            let accepted = tokio::select! {
                () = self.app.stop.cancelled() => return,
                accepted = listener.accept() => accepted,
            };
            match accepted {
                Ok((stream, _)) => {
                    // Screens are small and wanted at once.
                    let _ = stream.set_nodelay(true);
                    self.greet(stream, Via::Tcp);
                }
                Err(error) => self.stumble(&error).await,
            }
        }
    }

    async fn accept_unix(&self, listener: UnixListener, users: &[u32]) {
        loop {
            let accepted = tokio::select! {
                () = self.app.stop.cancelled() => return,
                accepted = listener.accept() => accepted,
            };
            match accepted {
                Ok((stream, _)) if is_known(&stream, users) => self.greet(stream, Via::Unix),
                Ok(_) => tracing::warn!("a user who is not in the list tried the socket"),
                Err(error) => self.stumble(&error).await,
            }
        }
    }

    /// Out of file descriptors, most likely: a pause lets others end.
    async fn stumble(&self, error: &io::Error) {
        tracing::warn!(%error, "a connection could not be accepted");
        sleep(std::time::Duration::from_millis(100)).await;
    }

    fn greet(&self, stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static, via: Via) {
        let mut stream = Patient::new(stream, self.app.limits.write_time);
        let Some(seat) = self.connections.sit(via) else {
            let help = "Connections turned away because there were too many.";
            self.app.metrics.counter("holecard_connections_refused_total", help, &[]).add(1);
            self.open.spawn(async move {
                let _ = stream.write_all(TOO_MANY).await;
            });
            return;
        };
        let (router, app) = (self.router.clone(), Arc::clone(&self.app));
        self.open.spawn(talk(stream, via, router, app, seat));
    }
}

async fn talk(
    stream: Patient<impl AsyncRead + AsyncWrite + Unpin + Send + 'static>,
    via: Via,
    router: Router,
    app: Arc<App>,
    seat: Seat,
) {
    let Limits { head_time, .. } = app.limits;
    let dropped = seat.dropped();
    let service = service_fn(move |request: hyper::Request<hyper::body::Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(via);
        request.extensions_mut().insert(seat.clone());
        let mut router = router.clone();
        let asking = seat.ask();
        async move {
            let answer = tower_service::Service::call(&mut router, request).await;
            drop(asking);
            answer
        }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(head_time)
        .max_buf_size(HEAD_BYTES_MAX)
        .serve_connection(TokioIo::new(stream), service);
    let mut connection = std::pin::pin!(connection);
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        // Somebody else needs the place more, and this one asks for nothing.
        () = dropped.cancelled() => return,
        () = app.stop.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection ended badly");
    }
}

fn is_known(stream: &UnixStream, users: &[u32]) -> bool {
    stream.peer_cred().is_ok_and(|peer| users.contains(&peer.uid()))
}
