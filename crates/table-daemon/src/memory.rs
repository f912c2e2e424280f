//! What keeps secrets in this process: no other process of the same user looks into it, no core file is left of it, and
//! nothing of it goes to a swap. What it frees is wiped by the allocator of `holecardd`.

use rustix::mm::{MlockAllFlags, mlockall};
use rustix::process::{DumpableBehavior, Resource, getrlimit, set_dumpable_behavior};

/// Before the first secret is read. What the system does not allow is told in the log and no reason not to start.
pub(crate) fn guard() {
    if let Err(error) = set_dumpable_behavior(DumpableBehavior::NotDumpable) {
        tracing::warn!(%error, "the process stays dumpable");
    }
    // With a limit, memory beyond it would not be given: only a unit that sets none can lock.
    if getrlimit(Resource::Memlock).current.is_some() {
        tracing::info!("memory is not locked: the unit sets LimitMEMLOCK=infinity");
        return;
    }
    // Only what is touched: stacks that are reserved and never used stay where they are.
    let all = MlockAllFlags::CURRENT | MlockAllFlags::FUTURE | MlockAllFlags::ONFAULT;
    if let Err(error) = mlockall(all) {
        tracing::warn!(%error, "memory cannot be locked and may go to a swap");
    }
}
