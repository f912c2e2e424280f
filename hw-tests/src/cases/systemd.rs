//! The package under real systemd: units, users, sandbox, udev, watchdog, upgrade and removal.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use operator_api::Action;
use table_simulator::floor::people::Who;

use super::{Found, Setting, shift};
use crate::table::Table;

/// The site's file with secrets as credentials, as an installation has it.
const SITE: &str = "set -e; cd /etc/holecard
sed -i -e 's#^pepper_file = .*#staff_socket = \"/run/holecard-staff/socket\"#' \
 -e 's#\"/etc/holecard/journal.key\"#\"/run/credentials/holecardd.service/journal.key\"#' \
 -e 's#\"/etc/holecard/kiosk.token\"#\"/run/credentials/holecardd.service/kiosk.token\"#' -e 's#^to = \"text\"#to = \"journald\"#' table.toml
systemd-tmpfiles --create holecard.conf; install -d -o holecard -g holecard -m 700 /var/lib/holecard /var/lib/holecard/state
cat > /etc/udev/rules.d/70-holecard-ports.rules <<'X'
SUBSYSTEM==\"tty\", ENV{ID_PATH}==\"pci-0000:00:04.0-usb-0:1:1.0\", SYMLINK+=\"holecard/reader\"
SUBSYSTEM==\"tty\", KERNELS==\"0000:00:07.0\", SYMLINK+=\"holecard/shuffler\"
SUBSYSTEM==\"tty\", KERNELS==\"0000:00:08.0\", SYMLINK+=\"holecard/shoe\"
SUBSYSTEM==\"tty\", KERNELS==\"0000:00:09.0\", SYMLINK+=\"holecard/console\"
X
udevadm control --reload; udevadm trigger --settle; ls -la /dev/holecard /dev/gpiochip* /dev/i2c-1 >&2";

fn wait_active(table: &mut Table) -> Result<()> {
    let until = Instant::now() + Duration::from_secs(180);
    loop {
        let state = table.board()?.sh("systemctl show -P ActiveState holecardd.service")?;
        match state.trim() {
            "active" => return Ok(()),
            "failed" => bail!("{}", table.board()?.sh("journalctl -u holecardd -n 40 --no-pager -o cat")?),
            _ if Instant::now() > until => bail!("holecardd is {state}"),
            _ => std::thread::sleep(Duration::from_millis(300)),
        }
    }
}

pub(super) fn installed(setting: &Setting<'_>) -> Result<Found> {
    let mut table = Table::new(setting.image, setting.folder, 47)?;
    let boot = table.power_on()?;
    let mut found = Found::says(format!("power to multi-user {:.0} s", boot.as_secs_f64()));
    // The site's files, then the units, as the guide has it.
    let site = [
        ("/etc/holecard/table.toml".to_owned(), include_str!("../../guest/table.toml").to_owned()),
        ("/etc/holecard/rules.toml".to_owned(), crate::table::rules()),
    ];
    table.board()?.ask(&serde_json::json!({ "write": site }))?;
    table.board()?.sh(SITE)?;
    table.add_people()?;
    table.board()?.sh("chown -R holecard:holecard /var/lib/holecard")?;
    // Staff file and counters are their owner's.
    table
        .board()?
        .sh("mv /var/lib/holecard/state/staff.toml /var/lib/holecard-staff/ && chown holecard-staff:holecard-staff \
         /var/lib/holecard-staff/staff.toml && systemctl enable --quiet --now holecard-staff.socket")?;
    table.board()?.sh("systemctl enable --quiet --now holecardd.socket holecardd.service")?;
    wait_active(&mut table)?;
    found = found
        .and(table.board()?.sh("systemd-analyze security holecardd.service --no-pager | tail -n 1")?.trim().to_owned());
    found = found.and(table.board()?.sh("holecard ver | head -n 1")?.trim().to_owned());
    shift::open(&mut table)?;
    shift::place_progressive(&mut table, 1)?;
    table.play_until("a settled round", |screen| shift::rounds(screen) >= 1)?;

    // A table that is open keeps its software.
    let refused = table.board()?.ask(&serde_json::json!({ "sh": "dpkg -i /opt/holecard.deb" }))?;
    let said = format!("{}{}", refused["out"].as_str().unwrap_or(""), refused["err"].as_str().unwrap_or(""));
    if refused["code"] == 0 || !said.contains("the table is open") {
        bail!("an open table was upgraded: {said}");
    }
    found = found.and("upgrade while open: refused with TC-003".to_owned());

    // The console's own unit on its own UART.
    table.board()?.sh("systemctl start holecard-console@$(basename $(readlink -f /dev/holecard/console)).service")?;
    let mut line = table.board()?.console()?;
    line.set_read_timeout(Some(Duration::from_millis(200)))?;
    super::faults::status_of_active(&mut line).context("the console's unit")?;

    // A loop that hangs: systemd's watchdog kills it and the journal brings it back.
    let before = table.screen()?;
    let began = Instant::now();
    table.board()?.sh("kill -STOP $(systemctl show -P MainPID holecardd.service)")?;
    let until = Instant::now() + Duration::from_secs(120);
    while table.board()?.sh("systemctl show -P NRestarts holecardd.service")?.trim() == "0" {
        if Instant::now() > until {
            bail!("the watchdog does not bite");
        }
        std::thread::sleep(Duration::from_millis(500));
    }
    wait_active(&mut table)?;
    let after = table.screen()?;
    if after["round"] != before["round"] {
        bail!("the round was {} and is {}", before["round"], after["round"]);
    }
    found = found.and(format!("hung daemon back after {:.0} s", began.elapsed().as_secs_f64()));

    for _ in 0..3 {
        let screen = table.screen()?;
        table.moment(&screen)?;
        let (told, last) = (table.acknowledged, table.screen()?);
        table.cut_power()?;
        table.power_on()?;
        wait_active(&mut table)?;
        let head = table.get("/api/v1/head")?;
        if head["sequence"].as_u64().unwrap_or(0) < told || table.screen()?["round"] != last["round"] {
            bail!("record {told} was acknowledged, the head is {head}");
        }
    }
    found = found.and("three power cuts: nothing acknowledged lost".to_owned());

    // Closed, it is upgraded and goes on; removed, it leaves the evidence.
    let rounds = shift::rounds(&table.screen()?);
    table.play_until("the round's end", |screen| screen["stage"] == "wagering" && shift::rounds(screen) >= rounds)?;
    let screen = table.screen()?;
    let close = Action::Play { words: "close".to_owned() };
    let (status, body) = table.act(Who::Floorperson, &close, screen["prompt_number"].as_u64())?;
    if status != 200 {
        bail!("the table does not close: {status} {body}");
    }
    table.board()?.sh("dpkg -i /opt/holecard.deb")?;
    wait_active(&mut table)?;
    found = found.and("upgrade when closed: done, the table goes on".to_owned());
    table.board()?.sh("dpkg -r holecard && test -d /var/lib/holecard/journal && test -e /etc/holecard/pepper && ! test -e /usr/bin/holecardd")?;
    Ok(found.and("removal leaves journal and secrets"))
}
