//! The virtual board as a process: QEMU with serial lines to the twins, two disks, and the agent inside. Killing it is the
//! power cut.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

/// For an emulated processor on a machine that builds something else meanwhile.
pub(crate) const PATIENCE: Duration = Duration::from_secs(180);

#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub(crate) enum Arch {
    #[value(name = "x86_64")]
    X86_64,
    Aarch64,
}

impl Arch {
    /// In Debian's words.
    pub(crate) const fn debian(self) -> &'static str {
        match self {
            Self::X86_64 => "amd64",
            Self::Aarch64 => "arm64",
        }
    }
}

/// What is booted.
#[derive(Clone, Debug)]
pub(crate) struct Image {
    pub(crate) arch: Arch,
    pub(crate) kernel: PathBuf,
    pub(crate) initrd: PathBuf,
    /// A disk with a whole system; without one everything is in the initramfs.
    pub(crate) root: Option<PathBuf>,
}

/// Where the serial lines lead: the twins' addresses.
#[derive(Clone, Debug)]
pub(crate) struct Lines {
    pub(crate) reader: String,
    pub(crate) shuffler: String,
    pub(crate) shoe: String,
}

#[derive(Debug)]
pub(crate) struct Machine {
    child: Child,
    agent: BufReader<UnixStream>,
    folder: PathBuf,
    /// From power-on to the agent's first word, as the host counts.
    pub(crate) boot: Duration,
}

impl Machine {
    /// Returns when the agent answers. Disks, sockets and the console's log are below the folder.
    pub(crate) fn start(image: &Image, lines: &Lines, folder: &Path) -> Result<Self> {
        let socket = |name: &str| folder.join(name);
        for name in ["agent", "monitor", "console"] {
            let _old = fs::remove_file(socket(name));
        }
        let began = Instant::now();
        let mut command = Command::new(match image.arch {
            Arch::X86_64 => "qemu-system-x86_64",
            Arch::Aarch64 => "qemu-system-aarch64",
        });
        let (machine, cpu, console) = match image.arch {
            Arch::X86_64 => ("q35", "max", "ttyS0"),
            Arch::Aarch64 => ("virt", "cortex-a72", "ttyAMA0"),
        };
        command.args(["-M", machine, "-accel", "tcg", "-cpu", cpu, "-smp", "1", "-m", "768"]);
        command.args(["-nodefaults", "-no-user-config", "-display", "none", "-no-reboot"]);
        command.arg("-kernel").arg(&image.kernel).arg("-initrd").arg(&image.initrd);
        let append = format!(
            "console={console},115200 quiet panic=-1 mitigations=off nokaslr no_timer_check tsc=reliable 8250.nr_uarts=12 \
             random.trust_cpu=on systemd.show_status=0"
        );
        command.arg("-append").arg(append);
        command.arg("-serial").arg(format!("file:{}", socket("kernel.log").display()));
        let mut disks = vec![("journal", 2, folder.join("journal.img")), ("state", 3, folder.join("state.img"))];
        disks.extend(image.root.clone().map(|root| ("root", 6, root)));
        for (name, slot, file) in disks {
            // What the guest has synced is on the host's disk; what it has not dies with it.
            command.arg("-drive").arg(format!("file={},format=raw,if=none,id={name},cache=none", file.display()));
            command.arg("-device").arg(format!("virtio-blk-pci,drive={name},addr={slot}"));
        }
        command.args(["-device", "qemu-xhci,id=usb,addr=4", "-device", "virtio-serial-pci,addr=5"]);
        command.arg("-chardev").arg(format!("socket,id=agent,path={},server=on,wait=off", socket("agent").display()));
        command.args(["-device", "virtserialport,chardev=agent,name=agent"]);
        for (name, address) in [("reader", &lines.reader), ("shuffler", &lines.shuffler), ("shoe", &lines.shoe)] {
            let (host, port) = address.rsplit_once(':').context("a twin without a port")?;
            command.arg("-chardev").arg(format!("socket,id={name},host={host},port={port},reconnect=1"));
        }
        command.args(["-device", USB_READER]);
        command
            .arg("-chardev")
            .arg(format!("socket,id=console,path={},server=on,wait=off", socket("console").display()));
        for (name, slot) in [("shuffler", 7), ("shoe", 8), ("console", 9)] {
            command.arg("-device").arg(format!("pci-serial,chardev={name},addr={slot}"));
        }
        command.arg("-monitor").arg(format!("unix:{},server=on,wait=off", socket("monitor").display()));
        let log = fs::File::create(socket("qemu.log"))?;
        let child = command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log).spawn();
        let mut child = child.context("cannot run QEMU")?;
        let agent = loop {
            if let Ok(stream) = UnixStream::connect(socket("agent")) {
                break stream;
            }
            if child.try_wait()?.is_some() || began.elapsed() > PATIENCE {
                let _gone = child.kill();
                bail!("QEMU does not start: {}", fs::read_to_string(socket("qemu.log")).unwrap_or_default());
            }
            std::thread::sleep(Duration::from_millis(20));
        };
        agent.set_read_timeout(Some(PATIENCE))?;
        let mut machine = Self { child, agent: BufReader::new(agent), folder: folder.to_owned(), boot: Duration::ZERO };
        let first = machine.line().with_context(|| format!("the board does not start:\n{}", machine.kernel_log()))?;
        if first.get("up").is_none() {
            bail!("the agent began with {first}");
        }
        machine.boot = began.elapsed();
        Ok(machine)
    }

    fn line(&mut self) -> Result<Value> {
        let mut line = String::new();
        if self.agent.read_line(&mut line).context("no word from the agent")? == 0 {
            bail!("the agent is gone");
        }
        serde_json::from_str(&line).with_context(|| format!("the agent said {line:?}"))
    }

    /// One request to the agent; an error in the guest is an error here.
    pub(crate) fn ask(&mut self, request: &Value) -> Result<Value> {
        writeln!(self.agent.get_mut(), "{request}")?;
        let answer = self.line().with_context(|| format!("asked {request}"))?;
        match answer.get("error").and_then(Value::as_str) {
            Some(error) => bail!("{error}, asked {request}"),
            None => Ok(answer),
        }
    }

    /// A shell's line; its output. Another exit code than 0 is an error.
    pub(crate) fn sh(&mut self, line: &str) -> Result<String> {
        let answer = self.ask(&json!({ "sh": line }))?;
        let text = |key: &str| answer[key].as_str().unwrap_or_default().to_owned();
        if answer["code"] != 0 {
            bail!("{line}: code {}: {}{}", answer["code"], text("out"), text("err"));
        }
        Ok(text("out"))
    }

    pub(crate) fn kernel_log(&self) -> String {
        let log = fs::read_to_string(self.folder.join("kernel.log")).unwrap_or_default();
        let lines: Vec<&str> = log.lines().rev().take(30).collect();
        lines.into_iter().rev().collect::<Vec<_>>().join("\n")
    }

    /// The machine's monitor: plugs that are pulled and put back.
    pub(crate) fn monitor(&self, order: &str) -> Result<()> {
        let mut stream = UnixStream::connect(self.folder.join("monitor"))?;
        stream.set_read_timeout(Some(Duration::from_millis(500)))?;
        writeln!(stream, "{order}")?;
        let mut said = String::new();
        // Ends with a timeout: the monitor stays open.
        let _until_quiet = stream.read_to_string(&mut said);
        if said.contains("Error") {
            bail!("{order}: {said}");
        }
        Ok(())
    }

    pub(crate) fn unplug_reader(&self) -> Result<()> {
        self.monitor("device_del usb-reader")
    }

    pub(crate) fn plug_reader(&self) -> Result<()> {
        self.monitor(&format!("device_add {USB_READER}"))
    }

    pub(crate) fn console(&self) -> Result<UnixStream> {
        UnixStream::connect(self.folder.join("console")).context("the console's line")
    }

    /// No goodbye of any kind.
    pub(crate) fn cut_power(mut self) -> Result<()> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }
}

const USB_READER: &str = "usb-serial,id=usb-reader,bus=usb.0,port=1,chardev=reader,always-plugged=on";

impl Drop for Machine {
    fn drop(&mut self) {
        let _gone = self.child.kill();
        let _gone = self.child.wait();
    }
}
