//! The one owner of staff file, pepper and counters of wrong PINs: a process of its own that the daemon and the technician's
//! console ask over a socket. It knows nothing of the table, so it answers while the table's configuration is wrong.

use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use listenfd::ListenFd;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::unix::UCred;
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::Semaphore;
use zeroize::Zeroizing;

use super::Staff;
use super::wire::{Answer, LINE_BYTES_MAX, Question};

/// Each asks one thing and goes, but for the daemon.
const CONNECTIONS_MAX: usize = 32;
/// Whoever has not asked by then has nothing to ask.
const ASKED_WITHIN: Duration = Duration::from_secs(10);
const LOOK_EVERY: Duration = Duration::from_millis(500);
/// Said again though nothing changed, so that silence means something.
const SAID_EVERY: u32 = 8;

/// The socket that systemd passed in, or one that is made here.
pub(crate) fn listener(socket: Option<&Path>) -> io::Result<std::os::unix::net::UnixListener> {
    let listener = match (ListenFd::from_env().take_unix_listener(0)?, socket) {
        (Some(passed), _) => passed,
        (None, Some(path)) => {
            // One that was killed left it behind.
            if std::os::unix::net::UnixStream::connect(path).is_err() && path.exists() {
                std::fs::remove_file(path)?;
            }
            let made = std::os::unix::net::UnixListener::bind(path)?;
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o660))?;
            made
        }
        (None, None) => return Err(io::Error::other("systemd passed no socket in; name one with --socket")),
    };
    listener.set_nonblocking(true)?;
    Ok(listener)
}

/// Answers for ever.
pub(crate) async fn serve(staff: Staff, listener: std::os::unix::net::UnixListener) -> io::Result<()> {
    // Whom the socket belongs to is the daemon; everybody else who may connect is a console.
    let path = listener.local_addr()?.as_pathname().map(Path::to_owned);
    let owner = path.and_then(|path| std::fs::metadata(path).ok()).map(|about| about.uid());
    let own = rustix::process::getuid().as_raw();
    let listener = UnixListener::from_std(listener)?;
    let places = Arc::new(Semaphore::new(CONNECTIONS_MAX));
    loop {
        let (stream, _) = listener.accept().await?;
        let Ok(place) = Arc::clone(&places).try_acquire_owned() else { continue };
        let is_daemon = |peer: &UCred| [Some(0), Some(own), owner].contains(&Some(peer.uid()));
        let may_watch = stream.peer_cred().is_ok_and(|peer| is_daemon(&peer));
        let staff = staff.clone();
        tokio::spawn(async move {
            // Whoever has gone needs no answer.
            let _gone = converse(&staff, stream, may_watch).await;
            drop(place);
        });
    }
}

async fn converse(staff: &Staff, stream: UnixStream, may_watch: bool) -> io::Result<()> {
    let (input, mut output) = stream.into_split();
    let mut line = Zeroizing::new(Vec::with_capacity(LINE_BYTES_MAX));
    let most = u64::try_from(LINE_BYTES_MAX).unwrap_or(u64::MAX);
    let mut input = BufReader::new(input.take(most));
    tokio::time::timeout(ASKED_WITHIN, input.read_until(b'\n', &mut line)).await??;
    let answer = match serde_json::from_slice::<Question>(&line) {
        Ok(Question::Watch) if may_watch => return watch(staff, &mut output).await,
        Ok(question) => answer(staff, &question).await,
        Err(_) => Answer::NotYours,
    };
    say(&mut output, &answer).await
}

async fn answer(staff: &Staff, question: &Question) -> Answer {
    let secret = |text: &str| Zeroizing::new(text.to_owned());
    match question {
        Question::Check { person, pin } => staff.authenticate(*person, secret(pin)).await.into(),
        Question::FirstPin { person, code, pin } => {
            staff.set_first_pin(*person, secret(code), secret(pin)).await.into()
        }
        Question::Locked { person } => Answer::Locked { seconds: staff.locked_for(*person) },
        Question::Watch => Answer::NotYours,
    }
}

async fn watch(staff: &Staff, output: &mut (impl AsyncWriteExt + Unpin)) -> io::Result<()> {
    let (mut said, mut quiet) = (None, 0);
    loop {
        let now = match staff.active() {
            Ok(active) => Answer::Roles { active, alarm: staff.has_too_many_wrong_pins() },
            // What cannot be read is not said: it grows old at the other end.
            Err(error) => {
                tracing::warn!(%error, "the staff file cannot be read");
                tokio::time::sleep(LOOK_EVERY).await;
                continue;
            }
        };
        quiet += 1;
        if said.as_ref() != Some(&now) || quiet >= SAID_EVERY {
            quiet = 0;
            say(output, &now).await?;
            said = Some(now);
        }
        tokio::time::sleep(LOOK_EVERY).await;
    }
}

async fn say(output: &mut (impl AsyncWriteExt + Unpin), answer: &Answer) -> io::Result<()> {
    let mut line = serde_json::to_vec(answer).map_err(io::Error::other)?;
    line.push(b'\n');
    output.write_all(&line).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::secret::Secret;

    async fn said(staff: &Staff, question: &[u8], may_watch: bool) -> String {
        let (mut near, far) = UnixStream::pair().unwrap();
        let staff = staff.clone();
        let serving = tokio::spawn(async move { converse(&staff, far, may_watch).await });
        near.write_all(question).await.unwrap();
        let mut line = String::new();
        BufReader::new(near).read_line(&mut line).await.unwrap();
        serving.abort();
        line.trim_end().to_owned()
    }

    #[tokio::test]
    async fn who_is_active_is_told_to_the_daemon_alone_and_nonsense_to_nobody() {
        let folder = tempfile::tempdir().unwrap();
        let pepper = Secret::create(&folder.path().join("pepper")).unwrap();
        let staff = Staff::open(folder.path(), pepper).unwrap();
        assert_eq!(said(&staff, b"{\"ask\":\"watch\"}\n", true).await, r#"{"roles":{"active":[],"alarm":false}}"#);
        let not_yours = r#""not-yours""#;
        assert_eq!(said(&staff, b"{\"ask\":\"watch\"}\n", false).await, not_yours);
        assert_eq!(said(&staff, b"\xff\x00\n", true).await, not_yours);
        assert_eq!(said(&staff, &[b'x'; 4 * LINE_BYTES_MAX], true).await, not_yours);
        assert_eq!(said(&staff, b"{\"ask\":\"staff\"}\n", true).await, not_yours);
        let wrong = b"{\"ask\":\"check\",\"person\":7,\"pin\":\"295817\"}\n";
        assert_eq!(said(&staff, wrong, false).await, r#""wrong""#);
    }
}
