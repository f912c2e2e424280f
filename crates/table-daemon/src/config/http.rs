//! `[http]`: where the daemon listens, and who may come.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

use super::layers::{Problems, Section, flag};
use super::{path, required};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Http {
    pub listen: SocketAddr,
    /// Names besides the address itself that a browser may use, each with its port.
    pub hosts: Vec<String>,
    pub token_file: PathBuf,
    pub socket: PathBuf,
    /// User ids that may use the socket besides root and the daemon's own.
    pub socket_users: Vec<u32>,
}

pub(super) fn read(root: &mut Section<'_, '_>, problems: &mut Problems, missing: &mut Problems) -> Option<Http> {
    let mut section = root.section("http", problems);
    let wanted = "an address and port such as \"127.0.0.1:8021\"";
    let listen: Option<SocketAddr> =
        required(&mut section, "listen", wanted, problems, missing, |value| value.as_str()?.parse().ok());
    let beyond = required(&mut section, "beyond_loopback", "true or false", problems, missing, flag);
    if let (Some(address), Some(false)) = (listen, beyond)
        && !is_loopback(address.ip())
    {
        let text = format!("{address} can be reached from other machines");
        section.refuse("listen", text, "use 127.0.0.1, or say beyond_loopback = true and mean it", problems);
    }
    let hosts = section.typed_list("hosts", problems);
    let token_file = required(&mut section, "token_file", "an absolute path", problems, missing, path);
    let socket = required(&mut section, "socket", "an absolute path", problems, missing, path);
    let socket_users = section.typed_list("socket_users", problems);
    section.finish(problems);
    Some(Http { listen: listen?, hosts, token_file: token_file?, socket: socket?, socket_users })
}

fn is_loopback(address: IpAddr) -> bool {
    address.to_canonical().is_loopback()
}
