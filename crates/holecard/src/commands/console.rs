//! `holecard console`: the technician's console on a serial port, or on the terminal it is started from.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use table_daemon::staff::StaffClient;

use crate::console::{self, StaffLogin, TableLogin, World};
use crate::output::{Failure, Outcome};

/// The technician's console: what the table is doing, what stops it, and what to do about it.
///
/// Asks for a number and a PIN, then for commands; `help` lists them. It needs no network and no screen, works while the
/// daemon is down and then says why. With --tty it serves a serial port at 115200 8N1, as holecard-console@.service does.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  holecard console\n  holecard console --tty /dev/ttyAMA10\n\n\
    docs/technician/console.md is a page to keep in the toolbox.")]
pub(crate) struct Console {
    /// The serial port to serve; this terminal if left out.
    #[arg(long, value_name = "PORT")]
    tty: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) place: Place,
}

/// Where a table's parts are found.
#[derive(Debug, Args)]
pub(crate) struct Place {
    /// The table's configuration.
    #[arg(long, value_name = "FILE", default_value = "/etc/holecard/table.toml", global = true)]
    pub(crate) config: PathBuf,
    /// The last configuration that was loaded, for when that one is wrong.
    #[arg(long, value_name = "FILE", hide = true, global = true)]
    last_good: Option<PathBuf>,
    /// The program that asks systemd.
    #[arg(long, value_name = "PROGRAM", default_value = "systemctl", hide = true, global = true)]
    systemctl: PathBuf,
    /// The program that reads the log.
    #[arg(long, value_name = "PROGRAM", default_value = "journalctl", hide = true, global = true)]
    journalctl: PathBuf,
}

/// The same, where somebody wrote them behind a command's words.
#[derive(Debug, Default)]
pub(crate) struct PlaceBehind {
    pub(crate) config: Option<PathBuf>,
    pub(crate) last_good: Option<PathBuf>,
    pub(crate) systemctl: Option<PathBuf>,
    pub(crate) journalctl: Option<PathBuf>,
}

impl Place {
    /// What stands behind the words decides.
    pub(crate) fn or(&self, behind: &PlaceBehind) -> Self {
        let PlaceBehind { config, last_good, systemctl, journalctl } = behind;
        Self {
            config: config.as_ref().unwrap_or(&self.config).clone(),
            last_good: last_good.as_ref().or(self.last_good.as_ref()).cloned(),
            systemctl: systemctl.as_ref().unwrap_or(&self.systemctl).clone(),
            journalctl: journalctl.as_ref().unwrap_or(&self.journalctl).clone(),
        }
    }

    pub(crate) fn of_this_board() -> Self {
        Self {
            config: "/etc/holecard/table.toml".into(),
            last_good: None,
            systemctl: "systemctl".into(),
            journalctl: "journalctl".into(),
        }
    }

    pub(crate) fn world(&self) -> World {
        World::new(&self.config, &self.systemctl, &self.journalctl, self.last_good.as_deref())
    }
}

/// Whoever checks PINs at this table.
pub(crate) fn login(world: &World) -> TableLogin {
    let staff = StaffLogin {
        state_directory: world.config.state_directory.clone(),
        pepper_file: world.config.pepper_file.clone(),
    };
    let owner = world.config.staff_socket.as_deref().map(StaffClient::new);
    TableLogin { world: world.clone(), owner, staff }
}

pub(crate) fn run(args: &Console) -> Result<Outcome, Failure> {
    let world = args.place.world();
    let login = Arc::new(login(&world));
    let place = args.tty.as_ref().map_or_else(|| "this terminal".to_owned(), |tty| tty.display().to_string());
    console::serve(world, login, args.tty.as_deref()).map_err(|error| Failure::Refused(format!("{place}: {error}")))?;
    Ok(Outcome::Success)
}
