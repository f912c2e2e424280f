//! The daemon with a site of its own: configuration, journal, staff and ports in a folder that goes away with it.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

use operator_api::{Action, PersonId, Role};
use serde_json::Value;
use table_daemon::config::{Config, ConfigProblem};
use table_daemon::handle::{IdempotencyKey, Proof, Reply, Request, TableHandle};
use table_daemon::staff::Authenticated;
use table_daemon::table::{NotStarted, RunningTable, TableParts, start};
use table_rules::Table;
use table_simulator::floor::people::{STAFF, Who};
use table_simulator::floor::shift::{Moment, Shift};
use table_simulator::floor::site::{Site, SiteOptions};
use table_simulator::floor::world::World;
use thiserror::Error;
use tokio_util::sync::CancellationToken;

use super::layout;

#[derive(Debug, Error)]
pub(crate) enum StackError {
    #[error("the demo's folder cannot be prepared: {0}")]
    Folder(#[from] io::Error),
    #[error("the demo's configuration is wrong:\n{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Config(Vec<ConfigProblem>),
    #[error(transparent)]
    Table(#[from] NotStarted),
}

/// The demo's table, on whatever port is free.
pub(crate) const DEMO: SiteOptions<'static> =
    SiteOptions { table_id: "DEMO-1", port: 0, sensors: true, log_level: "warn", shuffler: None, day_starts: "06:00" };

/// The configuration and the rules as the daemon reads them.
pub(crate) fn load(site: &Site) -> Result<(Config, Table), StackError> {
    let config = Config::load(&[&site.config]).map_err(StackError::Config)?;
    let table = config.rules_table().map_err(StackError::Config)?;
    Ok((config, table))
}

/// A table that runs in this process.
pub(crate) struct Stack {
    pub(crate) config: Config,
    pub(crate) world: World,
    pub(crate) handle: TableHandle,
    running: Option<RunningTable>,
    cancel: CancellationToken,
    sees_layout: bool,
}

impl std::fmt::Debug for Stack {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stack").finish_non_exhaustive()
    }
}

impl Stack {
    /// The devices first, as at a real table; then the daemon.
    pub(crate) async fn start(site: &Site, seed: u64, cycle_ms: u64) -> Result<Self, StackError> {
        let (config, table) = load(site)?;
        let world = World::new(&table, site.spots.max(1), &site.ports, seed, cycle_ms)?;
        let sees_layout = site.spots > 0;
        let cancel = CancellationToken::new();
        let running = start(&config, parts(&world, sees_layout), cancel.clone()).await?;
        Ok(Self { config, world, handle: running.handle.clone(), running: Some(running), cancel, sees_layout })
    }

    /// The power goes: the loop is dropped where it stands, and the daemon starts again from its journal.
    pub(crate) async fn cut_power(&mut self) -> Result<(), StackError> {
        if let Some(running) = self.running.take() {
            running.task.abort();
            let _gone = running.task.await;
        }
        self.cancel.cancel();
        self.cancel = CancellationToken::new();
        let running = start(&self.config, parts(&self.world, self.sees_layout), self.cancel.clone()).await?;
        self.handle = running.handle.clone();
        self.running = Some(running);
        Ok(())
    }

    pub(crate) async fn stop(mut self) {
        self.cancel.cancel();
        if let Some(running) = self.running.take() {
            let _ended = running.task.await;
        }
    }

    pub(crate) fn screen(&self) -> Value {
        serde_json::from_slice(&self.handle.frame().screen()).unwrap_or(Value::Null)
    }

    /// Says something at the table.
    pub(crate) async fn say(&self, who: Who, action: Action, prompt: Option<u64>) -> Reply {
        static KEYS: AtomicU64 = AtomicU64::new(1);
        let key = format!("demo-{}", KEYS.fetch_add(1, Ordering::Relaxed));
        let Some(key) = IdempotencyKey::new(&key) else { return Reply::Stopped };
        let (person, second) = staff(who);
        self.handle.request(|reply| Request { key, prompt, person, second, proof: Proof::Pin, action, reply }).await
    }
}

fn parts(world: &World, sees_layout: bool) -> TableParts {
    TableParts {
        layout: sees_layout.then(|| layout::start_on(&world.panel())),
        alive: Box::new(|| ()),
        too_many_wrong_pins: Box::new(|| false),
    }
}

/// Who stands behind a voice.
fn staff(who: Who) -> (Option<Authenticated>, Option<Authenticated>) {
    let of = |role: Role| {
        let number = STAFF.iter().find(|(_, each, _)| *each == role).map(|(number, ..)| *number);
        number.map(|number| Authenticated { id: PersonId(number), role })
    };
    let (first, second) = who.roles();
    (first.and_then(of), second.and_then(of))
}

/// One moment of a shift against the table in this process.
pub(crate) async fn moment(shift: &mut Shift, stack: &mut Stack) -> Moment {
    let screen = stack.screen();
    let deed = shift.choose(&stack.world, &screen);
    match shift.handle(&deed, &mut stack.world, &screen) {
        Err(moment) => moment,
        Ok(None) => Moment::Done,
        Ok(Some((who, action))) => match stack.say(who, action, screen["prompt_number"].as_u64()).await {
            Reply::Accepted { .. } => Moment::Done,
            Reply::Refused { reason, clause } | Reply::NeedsPerson { reason, clause, .. } => {
                Moment::Refused { deed: Box::new(deed), reason, clause }
            }
            Reply::NeedsSignature { .. } | Reply::Stale { .. } | Reply::KeyReused | Reply::Saving | Reply::Stopped => {
                Moment::Waited
            }
        },
    }
}
