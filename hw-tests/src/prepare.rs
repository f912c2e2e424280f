//! What a virtual board is made of: QEMU and small tools from Debian's packages, its kernel and modules, the programs under
//! test and everything they load, packed as an initramfs.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::machine::{Arch, Image};

/// Program and the package that has it.
const TOOLS: &[(&str, &str)] = &[
    ("cpio", "cpio"),
    ("busybox", "busybox-static"),
    ("make", "make"),
    ("gcc", "gcc"),
    ("xz", "xz-utils"),
    ("mke2fs", "e2fsprogs"),
    ("apt-get", "apt"),
];

const fn emulator(arch: Arch) -> &'static [(&'static str, &'static str)] {
    match arch {
        Arch::X86_64 => &[("qemu-system-x86_64", "qemu-system-x86")],
        Arch::Aarch64 => {
            &[("qemu-system-aarch64", "qemu-system-arm"), ("aarch64-linux-gnu-gcc", "gcc-aarch64-linux-gnu")]
        }
    }
}

/// What makes a whole Debian for the guest with systemd.
const SYSTEM_TOOLS: &[(&str, &str)] = &[("mmdebstrap", "mmdebstrap"), ("depmod", "kmod"), ("dpkg", "dpkg")];

/// Why a virtual board cannot be had here, after installing what may be installed. `None` where it can. `system`: with a
/// whole Debian on it.
pub(crate) fn missing(arch: Arch, system: bool) -> Option<String> {
    let more = if system { SYSTEM_TOOLS } else { &[] };
    let wanted = || TOOLS.iter().chain(emulator(arch)).chain(more).filter(|(program, _)| !is_there(program));
    if wanted().next().is_some() {
        // Nobody but root may install, and elsewhere there is no apt-get: then the second question says so.
        let mut install = Command::new("apt-get");
        install.args(["install", "-y", "-qq", "--no-install-recommends"]).env("DEBIAN_FRONTEND", "noninteractive");
        let _ran = install.args(wanted().map(|(_, package)| package)).output();
    }
    let names: Vec<&str> = wanted().map(|(_, package)| *package).collect();
    (!names.is_empty()).then(|| format!("the packages {} are not installed", names.join(", ")))
}

fn is_there(program: &str) -> bool {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&paths)
        .chain(["/usr/sbin".into(), "/sbin".into()])
        .any(|folder| folder.join(program).is_file())
}

/// Whether a virtual board has a kernel.
#[derive(Debug)]
pub(crate) enum Kernel {
    /// In this folder, with its modules.
    Had(PathBuf),
    /// Its packages cannot be downloaded here, for this reason: nothing can be tried.
    CannotBeHad(String),
}

/// kernel.sh's word for packages that cannot be had; whatever else it fails at is ours, for example a module that does not compile.
const CANNOT_BE_HAD: i32 = 3;

/// The kernel and its modules, downloaded and built once for a kernel version; kept below `cache`.
pub(crate) fn kernel(root: &Path, cache: &Path, arch: Arch) -> Result<Kernel> {
    let folder = cache.join(arch.debian());
    let script = root.join("hw-tests/guest/kernel.sh");
    let ran = Command::new(script).arg(arch.debian()).arg(&folder).output().context("cannot run kernel.sh")?;
    let said = String::from_utf8_lossy(&ran.stderr).trim().to_owned();
    if ran.status.code() == Some(CANNOT_BE_HAD) {
        return Ok(Kernel::CannotBeHad(said));
    }
    if !ran.status.success() {
        bail!("the guest's kernel or its modules cannot be made: {said}");
    }
    // For the check of the overlays; a source that does not have a board's tree is no reason to try nothing.
    let trees = root.join("hw-tests/guest/trees.sh");
    let sources = fs::read_dir(folder.join("deb")).into_iter().flatten().flatten().map(|entry| entry.path());
    let is_source =
        |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("linux-source"));
    if let Some(source) = sources.into_iter().find(is_source) {
        let _ran = Command::new(trees).arg(source).arg(cache.join("trees")).output();
    }
    Ok(Kernel::Had(folder))
}

/// The image with these programs: `holecard`, `holecardd` and `board-agent`.
pub(crate) fn image(root: &Path, kernel: &Path, programs: &[PathBuf], arch: Arch, to: &Path) -> Result<Image> {
    let tree = to.join("initramfs");
    let _old = fs::remove_dir_all(&tree);
    for folder in ["bin", "dev", "proc", "sys", "etc/holecard", "usr/bin", "modules", "var/lib"] {
        fs::create_dir_all(tree.join(folder))?;
    }
    install(&kernel.join("busybox"), &tree.join("bin/busybox"))?;
    install(&root.join("hw-tests/guest/init"), &tree.join("init"))?;
    install(&root.join("hw-tests/guest/header.sh"), &tree.join("header.sh"))?;
    for module in fs::read_dir(kernel.join("modules"))? {
        let module = module?;
        fs::copy(module.path(), tree.join("modules").join(module.file_name()))?;
    }
    fs::copy(root.join("hw-tests/guest/table.toml"), tree.join("etc/holecard/table.toml"))?;
    fs::write(tree.join("etc/holecard/rules.toml"), crate::table::rules())?;
    let mut libraries = BTreeSet::new();
    for program in programs {
        let name = program.file_name().context("a program without a name")?;
        install(program, &tree.join("usr/bin").join(name))?;
        if arch == Arch::X86_64 {
            libraries.extend(loads(program)?);
        }
    }
    for library in libraries {
        let to = tree.join(library.strip_prefix("/").unwrap_or(&library));
        fs::create_dir_all(to.parent().context("a library without a folder")?)?;
        install(&library, &to)?;
    }
    let initrd = to.join("initramfs.cpio.gz");
    let pack =
        format!("cd '{}' && find . | cpio -o -H newc --quiet | gzip -1 > '{}'", tree.display(), initrd.display());
    run("/bin/sh", &["-c", &pack])?;
    Ok(Image { arch, kernel: kernel.join("kernel"), initrd, root: None })
}

/// A whole Debian with the package in it. Needs root, for the package's own scripts run there.
pub(crate) fn system(root: &Path, kernel: &Path, package: &Path, agent: &Path, to: &Path) -> Result<Image> {
    let script = root.join("hw-tests/guest/systemd-root.sh");
    let ran = Command::new(script).arg(package).arg(agent).arg(kernel).arg(to).output().context("systemd-root.sh")?;
    if !ran.status.success() {
        bail!("the guest's system cannot be made: {}", String::from_utf8_lossy(&ran.stderr).trim());
    }
    let image = |name: &str| to.join(name);
    Ok(Image {
        arch: Arch::X86_64,
        kernel: kernel.join("kernel"),
        initrd: image("first.cpio.gz"),
        root: Some(image("root.img")),
    })
}

fn install(from: &Path, to: &Path) -> Result<()> {
    fs::copy(from, to).with_context(|| format!("{} cannot be copied", from.display()))?;
    fs::set_permissions(to, fs::Permissions::from_mode(0o755))?;
    Ok(())
}

/// The shared libraries of a program, by what the loader says.
fn loads(program: &Path) -> Result<Vec<PathBuf>> {
    let ran = Command::new("ldd").arg(program).output().context("cannot run ldd")?;
    let text = String::from_utf8_lossy(&ran.stdout).into_owned();
    let paths = text.lines().filter_map(|line| {
        let line = line.trim();
        let path = line.split_once("=> ").map_or(line, |(_, path)| path).split(' ').next()?;
        path.starts_with('/').then(|| PathBuf::from(path))
    });
    Ok(paths.collect())
}

/// A disk of this many MiB with an empty file system.
pub(crate) fn empty_disk(file: &Path, mib: u32) -> Result<()> {
    let _old = fs::remove_file(file);
    run("mke2fs", &["-q", "-t", "ext4", &file.display().to_string(), &format!("{mib}M")])
}

pub(crate) fn run(program: &str, args: &[&str]) -> Result<()> {
    let paths = std::env::var("PATH").unwrap_or_default();
    let ran = Command::new(program).args(args).env("PATH", format!("{paths}:/usr/sbin:/sbin")).output();
    let ran = ran.with_context(|| format!("cannot run {program}"))?;
    if !ran.status.success() {
        bail!("{program} {}: {}", args.join(" "), String::from_utf8_lossy(&ran.stderr).trim());
    }
    Ok(())
}
