//! The page as a PDF, printed by a Chromium that is installed on this machine. The page has no scripts and fetches nothing.

use std::io::Write;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::files::FileError;
use crate::output::Failure;

/// What Debian and others call it.
const PROGRAMS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

pub(in crate::commands) fn print(page: &str, to: &Path) -> Result<(), Failure> {
    let mut source = tempfile::Builder::new().prefix("sign").suffix(".html").tempfile()?;
    source.write_all(page.as_bytes())?;
    let folder = tempfile::tempdir()?;
    let made = folder.path().join("sign.pdf");
    let mut said = None;
    for program in PROGRAMS {
        let mut command = Command::new(program);
        command.args(["--headless", "--disable-gpu", "--no-pdf-header-footer"]);
        command.arg(format!("--user-data-dir={}", folder.path().join("profile").display()));
        command.arg(format!("--print-to-pdf={}", made.display())).arg(source.path());
        // Chromium's sandbox does not start for root.
        if is_root() {
            command.arg("--no-sandbox");
        }
        match command.stdin(Stdio::null()).output() {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(error.into()),
            Ok(ran) => {
                said = Some((program, String::from_utf8_lossy(&ran.stderr).trim().to_owned()));
                break;
            }
        }
    }
    let Some((program, said)) = said else {
        let text = "no Chromium is installed here: leave --pdf out and print the page from any browser";
        return Err(Failure::Refused(text.to_owned()));
    };
    let pdf = std::fs::read(&made).unwrap_or_default();
    if !pdf.starts_with(b"%PDF") {
        return Err(Failure::Refused(format!("{program} printed no PDF: {said}")));
    }
    let write = |cause| FileError::Write { file: to.display().to_string(), cause };
    std::fs::write(to, pdf).map_err(write).map_err(Failure::from)
}

fn is_root() -> bool {
    std::fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0)
}
