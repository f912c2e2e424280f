//! The serial ports of a board: what is there, and by which name a device keeps its port for good.

use std::fmt;
use std::fs;
use std::path::Path;

use super::below;

/// How a port is told from others, whatever is plugged in first.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Port {
    /// A USB adapter by the socket it is plugged into: udev's ID_PATH.
    Socket(String),
    /// A UART of the header by its own name.
    Uart(String),
}

impl Port {
    /// The name of a UART of the board.
    pub(super) fn uart(&self) -> Option<&str> {
        match self {
            Self::Uart(tty) => Some(tty),
            Self::Socket(_) => None,
        }
    }

    /// `ttyAMA2`, or an ID_PATH with or without the folder that udev links it in.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let name = text.trim_start_matches("/dev/").trim_start_matches("serial/by-path/");
        let plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b":._-".contains(&byte));
        if name.is_empty() || !plain {
            return Err(format!("{text:?} is no port: write a UART as ttyAMA2, a USB socket by its ID_PATH"));
        }
        if name.starts_with("ttyAMA") || name.starts_with("ttyS") {
            return Ok(Self::Uart(name.to_owned()));
        }
        if name.starts_with("tty") {
            return Err(format!(
                "{text} is another port after the next plug: name the USB socket by its ID_PATH (udevadm info -n /dev/{name})"
            ));
        }
        Ok(Self::Socket(without_number(name).to_owned()))
    }

    /// The line of udev's rules that gives it a name below /dev/holecard.
    pub(super) fn rule(&self, name: &str) -> String {
        match self {
            Self::Socket(path) => {
                format!("SUBSYSTEM==\"tty\", ENV{{ID_PATH}}==\"{path}\", SYMLINK+=\"holecard/{name}\"")
            }
            Self::Uart(tty) => format!("SUBSYSTEM==\"tty\", KERNEL==\"{tty}\", SYMLINK+=\"holecard/{name}\""),
        }
    }
}

impl fmt::Display for Port {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Socket(path) => write!(f, "USB socket {path}"),
            Self::Uart(tty) => write!(f, "UART {tty}"),
        }
    }
}

/// udev links `ID_PATH-port0` for adapters with numbered ports.
fn without_number(link: &str) -> &str {
    match link.rsplit_once("-port") {
        Some((path, number)) if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) => path,
        Some(_) | None => link,
    }
}

/// A port that is there now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Found {
    pub(super) tty: String,
    pub(super) port: Port,
    /// The adapter's own words, or that it is the board's.
    pub(super) what: String,
}

impl Found {
    pub(super) fn is(&self, port: &Port) -> bool {
        self.port == *port
    }
}

/// Ports that a device may be on: with hardware behind them, and not the kernel's console.
pub(super) fn found(root: &Path) -> Vec<Found> {
    let ttys = fs::read_dir(below(root, "/sys/class/tty")).into_iter().flatten().flatten();
    let mut names: Vec<String> = ttys.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort_by_key(|name| (name.len(), name.clone()));
    names.into_iter().filter_map(|tty| look(root, tty)).collect()
}

fn look(root: &Path, tty: String) -> Option<Found> {
    let folder = below(root, "/sys/class/tty").join(&tty);
    let word = |path: &Path| fs::read_to_string(path).ok().map(|text| text.trim().to_owned());
    let is_console = word(&folder.join("console")).is_some_and(|word| word == "Y");
    if is_console || !folder.join("device").exists() {
        return None;
    }
    if tty.starts_with("ttyUSB") || tty.starts_with("ttyACM") {
        let links = fs::read_dir(below(root, "/dev/serial/by-path")).into_iter().flatten().flatten();
        let mut leads_here = links.filter(|link| {
            fs::read_link(link.path()).is_ok_and(|to| to.file_name().is_some_and(|name| name.to_string_lossy() == tty))
        });
        let link = leads_here.next()?.file_name().into_string().ok()?;
        // The interface's folder lies in the device's.
        let device = folder.join("device/../..");
        let said = ["manufacturer", "product", "serial"].map(|name| word(&device.join(name)));
        let said: Vec<String> = said.into_iter().flatten().collect();
        let what = if said.is_empty() { "a USB adapter".to_owned() } else { said.join(" ") };
        return Some(Found { tty, port: Port::Socket(without_number(&link).to_owned()), what });
    }
    // A PC lists UARTs that are not fitted: their type is 0.
    let fitted = word(&folder.join("type")).is_none_or(|kind| kind != "0");
    let ours = (tty.starts_with("ttyAMA") || tty.starts_with("ttyS")) && fitted;
    ours.then(|| Found { port: Port::Uart(tty.clone()), what: "the board's own".to_owned(), tty })
}
