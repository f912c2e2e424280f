//! Reading the operator's files: bounded, and with errors that name the file and the remedy.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use table_rules::submission::{RulesSubmission, TEXT_BYTES_MAX, Verdict};
use table_rules::table::TrackingRefused;
use table_rules::{Table, Tracking};

#[derive(Debug, thiserror::Error)]
pub(crate) enum FileError {
    #[error("{file}: cannot be opened: {cause}\n    check the path")]
    Open { file: String, cause: io::Error },
    #[error("{file}: is a directory\n    name a file in it")]
    Directory { file: String },
    #[error("{file}: cannot be read: {cause}")]
    Read { file: String, cause: io::Error },
    #[error("{file}: cannot be written: {cause}\n    check the folder and its permissions")]
    Write { file: String, cause: io::Error },
    #[error("{file}: more than {most} bytes\n    a rules submission is a short text file")]
    TooLarge { file: String, most: usize },
    #[error("{file}:{line}: not UTF-8 text\n    save the file as UTF-8")]
    NotText { file: String, line: usize },
    #[error("{problems}\n{file}: refused for {count}; `holecard check {file}` shows everything about it")]
    Illegal { file: String, problems: String, count: String },
    #[error("{file}: {refused}\n    {}", refused.remedy())]
    Tracking { file: String, refused: TrackingRefused },
}

/// Opens a file for reading; a directory is refused here, where the message can say so.
pub(crate) fn open(path: &Path) -> Result<File, FileError> {
    let file = path.display().to_string();
    let opened = File::open(path).map_err(|cause| FileError::Open { file: file.clone(), cause })?;
    match opened.metadata() {
        Ok(about) if about.is_dir() => Err(FileError::Directory { file }),
        Ok(_) => Ok(opened),
        Err(cause) => Err(FileError::Read { file, cause }),
    }
}

/// A rules submission's text.
pub(crate) fn read_submission(path: &Path) -> Result<String, FileError> {
    let file = path.display().to_string();
    // One byte more than is allowed is enough to know that it is too much.
    let limit = u64::try_from(TEXT_BYTES_MAX).unwrap_or(u64::MAX).saturating_add(1);
    let mut bytes = Vec::new();
    open(path)?.take(limit).read_to_end(&mut bytes).map_err(|cause| FileError::Read { file: file.clone(), cause })?;
    if bytes.len() > TEXT_BYTES_MAX {
        return Err(FileError::TooLarge { file, most: TEXT_BYTES_MAX });
    }
    String::from_utf8(bytes).map_err(|error| {
        let before = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..before].iter().filter(|byte| **byte == b'\n').count() + 1;
        FileError::NotText { file, line }
    })
}

/// Reads and checks a submission. Says everything that can be said of it.
pub(crate) fn check(path: &Path) -> Result<Verdict, FileError> {
    Ok(RulesSubmission::parse(&read_submission(path)?).check())
}

/// A submission's table, or all reasons against it as one error.
pub(crate) fn load_table(path: &Path) -> Result<Table, FileError> {
    Ok(load(path)?.1)
}

/// The same, with the submission as it was written: its keys know their lines.
pub(crate) fn load(path: &Path) -> Result<(RulesSubmission, Table), FileError> {
    let submission = RulesSubmission::parse(&read_submission(path)?);
    let table = submission.check().table.map_err(|problems| {
        let file = path.display().to_string();
        let count = match problems.len() {
            1 => "one reason".to_owned(),
            many => format!("{many} reasons"),
        };
        let problems: Vec<String> = problems.iter().map(|problem| problem.render(&file)).collect();
        FileError::Illegal { file, problems: problems.join("\n"), count }
    })?;
    Ok((submission, table))
}

/// A submission's table, to be played at this tracking level.
pub(crate) fn load_table_for(path: &Path, tracking: Tracking) -> Result<Table, FileError> {
    let table = load_table(path)?;
    let file = || path.display().to_string();
    table.check_tracking(tracking).map_err(|refused| FileError::Tracking { file: file(), refused })?;
    Ok(table)
}
