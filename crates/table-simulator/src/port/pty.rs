//! One pty with a stable name.

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{OpenOptionsExt, symlink};
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};

#[derive(Debug)]
pub(crate) struct Pty {
    master: OwnedFd,
    /// Held open, or the master reads errors whenever the controller closes its end.
    _slave: File,
    path: PathBuf,
    link: Option<PathBuf>,
}

impl Pty {
    pub(crate) fn open(link: Option<&Path>) -> io::Result<Self> {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC)?;
        grantpt(&master)?;
        unlockpt(&master)?;
        let path = PathBuf::from(OsStr::from_bytes(ptsname(&master, Vec::new())?.as_bytes()));
        let noctty = i32::try_from(OFlags::NOCTTY.bits()).unwrap_or_default();
        let slave = OpenOptions::new().read(true).write(true).custom_flags(noctty).open(&path)?;
        // A fresh tty echoes: the controller would hear itself.
        let mut settings = tcgetattr(&slave)?;
        settings.make_raw();
        tcsetattr(&slave, OptionalActions::Now, &settings)?;
        rustix::io::ioctl_fionbio(&master, true)?;
        if let Some(link) = link {
            point(link, &path)?;
        }
        Ok(Self { master, _slave: slave, path, link: link.map(Path::to_owned) })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn fd(&self) -> BorrowedFd<'_> {
        self.master.as_fd()
    }
}

impl Drop for Pty {
    fn drop(&mut self) {
        if let Some(link) = &self.link {
            // Only our own name goes: somebody may have pointed it elsewhere.
            if fs::read_link(link).is_ok_and(|target| target == self.path) {
                let _ = fs::remove_file(link);
            }
        }
    }
}

/// Makes `link` point to `target` in one step, so that nobody ever finds half of it.
fn point(link: &Path, target: &Path) -> io::Result<()> {
    match fs::symlink_metadata(link) {
        Ok(found) if !found.file_type().is_symlink() => {
            let text = format!("{} exists and is no symbolic link; choose another path", link.display());
            return Err(io::Error::new(ErrorKind::AlreadyExists, text));
        }
        Ok(_) | Err(_) => {}
    }
    let mut beside = link.as_os_str().to_owned();
    beside.push(format!(".{}", std::process::id()));
    let beside = PathBuf::from(beside);
    match fs::remove_file(&beside) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        Ok(()) | Err(_) => {}
    }
    symlink(target, &beside)?;
    fs::rename(&beside, link)
}
