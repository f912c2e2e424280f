//! `cargo xtask package`: the Debian package of a table, from the release binaries and the files of this checkout.
//!
//! Written with `dpkg-deb` alone. Two builds of one commit from two directories give the same bytes: paths of the builder
//! are mapped away, times are the commit's, owners are root.

mod sbom;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};
use sha2::{Digest, Sha256};

use crate::workspace::Workspace;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Where the package goes.
    #[arg(long, value_name = "DIR", default_value = "target/package")]
    out: PathBuf,
    /// Take the two programs from here instead of building them.
    #[arg(long, value_name = "DIR")]
    binaries: Option<PathBuf>,
    /// What the programs were built for, in Debian's words.
    #[arg(long, default_value = "amd64", value_parser = ["amd64", "arm64"])]
    arch: String,
}

const PROGRAMS: [&str; 2] = ["holecard", "holecardd"];
/// Pinned: another version could write other bytes.
const AUDITABLE: &str = "0.7.7";

pub(crate) fn run(workspace: &Workspace, args: &Args) -> Result<ExitCode> {
    let out = workspace.root().join(&args.out);
    let epoch = commit_time(workspace)?;
    let binaries = match &args.binaries {
        Some(folder) => folder.clone(),
        None => build(workspace, &epoch)?,
    };
    let root = out.join("root");
    let _ = fs::remove_dir_all(&root);
    let tree = Tree { root: root.clone() };
    lay_out(workspace, &binaries, &tree)?;
    tree.write("usr/share/holecard/sbom.cdx.json", sbom::write(workspace)?.as_bytes(), 0o644)?;
    let manifest = tree.manifest()?;
    tree.write("usr/share/holecard/manifest.sha256", manifest.as_bytes(), 0o644)?;
    control_files(workspace, &tree, &args.arch)?;
    let package = out.join(format!("holecard_{}_{}.deb", env!("CARGO_PKG_VERSION"), args.arch));
    let built = Command::new("dpkg-deb")
        .args(["--root-owner-group", "-Zxz", "--build"])
        .arg(&root)
        .arg(&package)
        .env("SOURCE_DATE_EPOCH", &epoch)
        .output()
        .context("cannot run dpkg-deb: install the package dpkg")?;
    if !built.status.success() {
        bail!("dpkg-deb: {}", String::from_utf8_lossy(&built.stderr).trim());
    }
    println!("{}", package.display());
    println!("sha256 {}", hex(&Sha256::digest(fs::read(&package)?)));
    Ok(ExitCode::SUCCESS)
}

fn commit_time(workspace: &Workspace) -> Result<String> {
    let mut git = Command::new("git");
    let said =
        git.args(["log", "-1", "--format=%ct"]).current_dir(workspace.root()).output().context("cannot run git")?;
    Ok(String::from_utf8(said.stdout)?.trim().to_owned())
}

/// The release programs as a package has them.
pub(crate) fn build_programs(workspace: &Workspace) -> Result<PathBuf> {
    build(workspace, &commit_time(workspace)?)
}

/// The release programs without a path of this machine in them.
fn build(workspace: &Workspace, epoch: &str) -> Result<PathBuf> {
    let home = |key: &str, below: &str| {
        let given = std::env::var_os(key).map(PathBuf::from);
        given.or_else(|| std::env::var_os("HOME").map(|home| Path::new(&home).join(below)))
    };
    let mut maps = vec![format!("--remap-path-prefix={}=/holecard", workspace.root().display())];
    for (folder, name) in [(home("CARGO_HOME", ".cargo"), "/cargo"), (home("RUSTUP_HOME", ".rustup"), "/rustup")] {
        maps.extend(folder.map(|folder| format!("--remap-path-prefix={}={name}", folder.display())));
    }
    // The unit separator parts flags, so that a folder's name may hold blanks.
    let flags = maps.join("\u{1f}");
    let tools = auditable(workspace)?;
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(std::iter::once(tools).chain(std::env::split_paths(&path)))?;
    // One after the other: built together, the daemon would get the demo's faults that the tool asks for.
    for package in ["table-daemon", "holecard"] {
        let mut cargo = workspace.cargo(["auditable", "build", "--release", "--locked", "--bins", "-p", package]);
        cargo.env("CARGO_ENCODED_RUSTFLAGS", &flags).env("SOURCE_DATE_EPOCH", epoch).env("PATH", &path);
        if !cargo.status().context("cannot run cargo")?.success() {
            bail!("the release build of {package} failed");
        }
    }
    let folder = workspace.root().join("target/release");
    for program in PROGRAMS {
        let bytes = fs::read(folder.join(program))?;
        let homes = [home("CARGO_HOME", ".cargo"), home("RUSTUP_HOME", ".rustup")];
        for builder in homes.into_iter().flatten().chain([workspace.root().to_owned()]) {
            let builder = builder.display().to_string();
            if bytes.windows(builder.len()).any(|window| window == builder.as_bytes()) {
                bail!("{program} holds the builder's path {builder}");
            }
        }
        if program == "holecardd" && bytes.windows(DEMO_ROUTE.len()).any(|window| window == DEMO_ROUTE) {
            bail!("{program} was built with the demo's faults");
        }
    }
    Ok(folder)
}

/// Only a daemon with the feature `demo` has this route.
const DEMO_ROUTE: &[u8] = b"/api/v1/demo";

/// The folder of `cargo-auditable`, which writes the list of dependencies into the programs. Installed once below `target`.
fn auditable(workspace: &Workspace) -> Result<PathBuf> {
    let root = workspace.root().join("target/tools");
    let folder = root.join("bin");
    if !folder.join("cargo-auditable").is_file() {
        let mut install =
            workspace.cargo(["install", "--quiet", "--locked", "cargo-auditable", "--version", AUDITABLE]);
        if !install.arg("--root").arg(&root).status().context("cannot run cargo install")?.success() {
            bail!("cargo-auditable {AUDITABLE} cannot be installed");
        }
    }
    Ok(folder)
}

/// The files of the package, below one folder.
struct Tree {
    root: PathBuf,
}

impl Tree {
    fn write(&self, to: &str, bytes: &[u8], mode: u32) -> Result<()> {
        let path = self.root.join(to);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(&path, bytes).with_context(|| format!("cannot write {to}"))?;
        fs::set_permissions(&path, fs::Permissions::from_mode(mode))?;
        Ok(())
    }

    fn files(&self) -> Result<Vec<PathBuf>> {
        let (mut files, mut folders) = (Vec::new(), vec![self.root.clone()]);
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder)? {
                let path = entry?.path();
                if path.is_dir() { folders.push(path) } else { files.push(path) }
            }
        }
        files.sort();
        Ok(files)
    }

    /// As `sha256sum -c` reads it.
    fn manifest(&self) -> Result<String> {
        let mut manifest = String::new();
        for file in self.files()? {
            let hash = hex(&Sha256::digest(fs::read(&file)?));
            let name = file.strip_prefix(&self.root)?.display();
            manifest.push_str(&format!("{hash}  /{name}\n"));
        }
        Ok(manifest)
    }
}

fn lay_out(workspace: &Workspace, binaries: &Path, tree: &Tree) -> Result<()> {
    for program in PROGRAMS {
        let bytes = fs::read(binaries.join(program)).with_context(|| format!("{program} is not built"))?;
        tree.write(&format!("usr/bin/{program}"), &bytes, 0o755)?;
    }
    for file in workspace.files()? {
        let Some(to) = place(&file) else { continue };
        tree.write(&to, &workspace.read(&file)?, 0o644)?;
    }
    let papers = tree.root.join("papers");
    let wrote = Command::new(binaries.join("holecard")).arg("papers").arg(&papers).status();
    if !wrote.context("cannot run the built holecard")?.success() {
        bail!("holecard papers failed");
    }
    for entry in fs::read_dir(&papers)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let to = match name.rsplit_once('.') {
            Some((_, "1")) => format!("usr/share/man/man1/{name}"),
            Some((_, "bash")) => "usr/share/bash-completion/completions/holecard".to_owned(),
            Some((_, "fish")) => format!("usr/share/fish/vendor_completions.d/{name}"),
            Some(_) | None => format!("usr/share/zsh/vendor-completions/{name}"),
        };
        tree.write(&to, &fs::read(&path)?, 0o644)?;
    }
    fs::remove_dir_all(&papers)?;
    Ok(())
}

/// Where a file of the checkout goes; most go nowhere.
fn place(file: &Path) -> Option<String> {
    let name = file.to_str()?;
    let last = file.file_name()?.to_str()?;
    if let Some(unit) = name.strip_prefix("systemd/") {
        return match unit.split_once('/') {
            None => Some(format!("usr/lib/systemd/system/{unit}")),
            Some(("sysusers.d", _)) => Some(format!("usr/lib/sysusers.d/{last}")),
            Some(("tmpfiles.d", _)) => Some(format!("usr/lib/tmpfiles.d/{last}")),
            Some(("udev", _)) => Some(format!("usr/lib/udev/rules.d/{last}")),
            Some(("udev-optional", _)) => Some(format!("usr/share/holecard/udev/{last}")),
            Some(("polkit-1", _)) => Some(format!("usr/share/polkit-1/rules.d/{last}")),
            Some(("logind.conf.d", _)) => Some(format!("usr/lib/systemd/logind.conf.d/{last}")),
            Some(("sysctl.d", _)) => Some(format!("usr/lib/sysctl.d/{last}")),
            // Where Debian's chromium looks; a file of the administrator's beside it is merged.
            Some(("chromium", _)) => Some(format!("etc/chromium/policies/managed/{last}")),
            Some(("drop-ins", _)) => Some(format!("usr/share/holecard/{unit}")),
            Some(_) => None,
        };
    }
    if let Some(rest) = name.strip_prefix("firmware-config/") {
        return Some(format!("usr/share/holecard/{rest}"));
    }
    let documents = ["docs/technician/", "docs/security/", "docs/rules/"];
    if documents.iter().any(|folder| name.starts_with(folder)) || name == "docs/configuration.md" {
        return name.strip_prefix("docs/").map(|rest| format!("usr/share/doc/holecard/{rest}"));
    }
    match name {
        "CHANGELOG.md" => Some("usr/share/doc/holecard/changelog".to_owned()),
        "LICENSE" => Some("usr/share/doc/holecard/copyright".to_owned()),
        _ => None,
    }
}

fn control_files(workspace: &Workspace, tree: &Tree, arch: &str) -> Result<()> {
    let size: u64 = tree.files()?.iter().filter_map(|file| fs::metadata(file).ok()).map(|found| found.len()).sum();
    let control = format!(
        "Package: holecard\nVersion: {}\nArchitecture: {arch}\nMaintainer: The Holecard project <holecard@localhost>\n\
         Installed-Size: {}\nDepends: libc6, systemd, udev\nRecommends: cage, chromium\nSection: misc\nPriority: optional\n\
         Description: dealer-assist controller for a blackjack-family table\n \
         Drives the hole-card reader, the shuffler, the lock-out button and the sensors of a table, and\n \
         leads the dealer through the procedure of the Maryland Standard Rules.\n",
        env!("CARGO_PKG_VERSION"),
        size.div_ceil(1024),
    );
    tree.write("DEBIAN/control", control.as_bytes(), 0o644)?;
    for script in ["preinst", "postinst", "prerm", "postrm"] {
        let bytes = workspace.read(&Path::new("systemd/package").join(script))?;
        tree.write(&format!("DEBIAN/{script}"), &bytes, 0o755)?;
    }
    Ok(())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_has_the_place_where_debian_looks_for_it() {
        for (file, to) in [
            ("systemd/holecardd.service", Some("usr/lib/systemd/system/holecardd.service")),
            ("systemd/sysusers.d/holecard.conf", Some("usr/lib/sysusers.d/holecard.conf")),
            ("systemd/udev/70-holecard.rules", Some("usr/lib/udev/rules.d/70-holecard.rules")),
            (
                "systemd/polkit-1/70-holecard-console.rules",
                Some("usr/share/polkit-1/rules.d/70-holecard-console.rules"),
            ),
            ("systemd/chromium/holecard.json", Some("etc/chromium/policies/managed/holecard.json")),
            ("systemd/package/postinst", None),
            ("firmware-config/boards/cm4.toml", Some("usr/share/holecard/boards/cm4.toml")),
            ("docs/technician/install.md", Some("usr/share/doc/holecard/technician/install.md")),
            ("crates/xtask/src/main.rs", None),
        ] {
            assert_eq!(place(Path::new(file)).as_deref(), to, "{file}");
        }
    }
}
