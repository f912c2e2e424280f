//! Closed mode: the daemon after it has failed again and again. No journal, no device and no rule is touched; screen and
//! console are alive and say what failed and what to do.

use std::time::Duration;

use jiff::Timestamp;
use operator_api::{
    ClosedPicture, DaemonPicture, Mode, PICTURE_VERSION, Picture, PromptView, Screen, StopView, StoragePicture,
    TablePicture,
};
use table_controller::{Code, Controller, encode_screen};
use tokio_util::sync::CancellationToken;

use crate::config::Config;
use crate::failures::Failure;
use crate::handle::{AskError, Frame, LoopSide, Query, Reply, Request, TableHandle, table_channel};
use crate::secret::hex;
use crate::table::{NotStarted, controller_config, replace_picture, software_hash};

const TICK: Duration = Duration::from_millis(250);

/// What is said everywhere.
struct Said {
    reason: String,
    closed: ClosedPicture,
}

impl Said {
    fn of(failures: &[Failure]) -> Self {
        let last = failures.last().map_or("unknown", |failure| failure.what.as_str()).to_owned();
        let within_s = failures.first().zip(failures.last()).map_or(0, |(first, last)| last.at_s - first.at_s);
        let same = failures.iter().all(|failure| failure.what == last);
        let again = if same { ", the same each time" } else { "" };
        let reason = format!(
            "closed mode after {} failures in {within_s} s{again}: {last}. Type `log export` at the console and call support with `ver`; \
             a restart tries once more",
            failures.len()
        );
        let failures = u32::try_from(failures.len()).unwrap_or(u32::MAX);
        Self { reason, closed: ClosedPicture { failures, within_s: u64::try_from(within_s).unwrap_or(0), last } }
    }
}

/// A table that answers everything with why it is closed.
#[derive(Debug)]
pub(crate) struct ClosedTable {
    pub(crate) handle: TableHandle,
    pub(crate) task: tokio::task::JoinHandle<()>,
}

pub(crate) fn start(
    config: &Config,
    failures: &[Failure],
    alive: Box<dyn Fn() + Send>,
    stop: CancellationToken,
) -> Result<ClosedTable, NotStarted> {
    let said = Said::of(failures);
    tracing::error!("{}", said.reason);
    let screen = screen(config, &said)?;
    let text = encode_screen(&screen);
    let (handle, side) = table_channel(Frame::new(screen.sequence, &text));
    let picture = picture(config, &said, &screen);
    let path = config.console.picture_file.clone();
    let zone = config.day.clone();
    let task = tokio::spawn(async move {
        let LoopSide { frames: _held, writing: _kept, mut requests, mut queries } = side;
        let mut ticks = tokio::time::interval(TICK);
        let mut complained = false;
        loop {
            tokio::select! {
                () = stop.cancelled() => return,
                _ = ticks.tick() => {
                    alive();
                    let at_ms = Timestamp::now().as_millisecond();
                    let picture = Picture { at_ms, offset_s: zone.offset_s(at_ms), ..picture.clone() };
                    if let Err(error) = replace_picture(&path, &picture) && !std::mem::replace(&mut complained, true) {
                        tracing::warn!(%error, file = %path.display(), "the console's picture cannot be written");
                    }
                }
                Some(Request { reply, .. }) = requests.recv() => {
                    let clause = Code::ClosedMode.to_string();
                    let _gone = reply.send(Reply::Refused { reason: said.reason.clone(), clause });
                }
                Some(Query { reply, .. }) = queries.recv() => {
                    let _gone = reply.send(Err(AskError::Unavailable(said.reason.clone())));
                }
            }
        }
    });
    Ok(ClosedTable { handle, task })
}

/// A table that has never run, with the reason in the place of everything else.
fn screen(config: &Config, said: &Said) -> Result<Screen, NotStarted> {
    let table = config.rules_table().map_err(NotStarted::Rules)?;
    let clause = Code::ClosedMode.to_string();
    let prompt = PromptView {
        situation: "CLOSED: the table failed.".to_owned(),
        text: "Call the technician.".to_owned(),
        long: said.reason.clone(),
        clause: clause.clone(),
        besides: Vec::new(),
        offers: Vec::new(),
        paraphrase: None,
        closed: Vec::new(),
        waits_for: None,
        wanted: None,
        shoe_knows: false,
    };
    let stops = vec![StopView { reason: said.reason.clone(), source: clause }];
    let empty = Controller::new(controller_config(config, table, false)).screen();
    Ok(Screen { mode: Mode::Faulted, prompt, stops, devices: Vec::new(), meters: Vec::new(), ..empty })
}

fn picture(config: &Config, said: &Said, screen: &Screen) -> Picture {
    Picture {
        version: PICTURE_VERSION,
        at_ms: 0,
        offset_s: 0,
        clock_trusted: false,
        daemon: DaemonPicture {
            pid: std::process::id(),
            started_ms: Timestamp::now().as_millisecond(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            software: software_hash().map(|hash| hex(&hash)).unwrap_or_default(),
            ..DaemonPicture::default()
        },
        table: TablePicture {
            id: config.table_id.clone(),
            game: screen.game.to_owned(),
            faulted: true,
            closed: Some(said.closed.clone()),
            stops: screen.stops.clone(),
            ..TablePicture::default()
        },
        devices: Vec::new(),
        storage: StoragePicture {
            journal_directory: config.journal.directory.display().to_string(),
            bytes_max: config.journal.settings.retention.bytes_max,
            ..StoragePicture::default()
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_says_how_often_in_which_time_and_whether_it_is_always_the_same() {
        let failure = |at_s, what: &str| Failure { at_s, what: what.to_owned() };
        let panics = [10, 12, 14, 18].map(|at_s| failure(at_s, "PANIC at record 9: meter.rs:212: limit"));
        let said = Said::of(&panics);
        assert!(said.reason.starts_with(
            "closed mode after 4 failures in 8 s, the same each time: PANIC at record 9: meter.rs:212: limit."
        ));
        assert_eq!((said.closed.failures, said.closed.within_s), (4, 8));
        let mixed = [failure(1, "one"), failure(5, "two")];
        assert!(Said::of(&mixed).reason.contains("in 4 s: two."));
    }
}
