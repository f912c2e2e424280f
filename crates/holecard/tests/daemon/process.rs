//! Where the built `holecardd` is.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::SystemTime;

/// The program beside the tool that is tested. `cargo test --workspace` has built it; whoever tests this package alone
/// gets it built here, if it is missing or older than its sources.
pub(crate) fn program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let path = Path::new(env!("CARGO_BIN_EXE_holecard")).with_file_name("holecardd");
        if !is_fresh(&path) {
            let mut build = Command::new(env!("CARGO"));
            build.args(["build", "--quiet", "--package", "table-daemon", "--bin", "holecardd"]);
            if path.components().any(|part| part.as_os_str() == "release") {
                build.arg("--release");
            }
            let status = build.current_dir(env!("CARGO_MANIFEST_DIR")).status().unwrap();
            assert!(status.success(), "holecardd cannot be built");
        }
        path
    })
}

/// Cargo keeps the list of sources beside the program.
fn is_fresh(path: &Path) -> bool {
    let changed = |path: &Path| fs::metadata(path).and_then(|about| about.modified()).ok();
    let (Some(built), Ok(sources)) = (changed(path), fs::read_to_string(path.with_extension("d"))) else {
        return false;
    };
    let sources = sources.split_once(": ").map_or("", |(_, sources)| sources);
    let younger = |source: &str| changed(Path::new(source)).is_none_or(|time: SystemTime| time > built);
    !sources.is_empty() && !sources.split_whitespace().any(younger)
}
