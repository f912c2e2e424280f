//! `[console]`: what the technician's console reads without asking the daemon.

use std::path::PathBuf;

use super::layers::{Problems, Section, text};
use super::{path, required};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Console {
    /// The picture of the table, on a file system that is no disk.
    pub picture_file: PathBuf,
    /// The table's file as it was last loaded.
    pub last_good_file: PathBuf,
    /// What the console said and did; the daemon enters it in the journal.
    pub spool_directory: PathBuf,
    /// A line that a jumper pulls down, read once where nobody's PIN can be checked. The daemon never claims it.
    pub jumper: Option<String>,
}

pub(super) fn read(root: &mut Section<'_, '_>, problems: &mut Problems, missing: &mut Problems) -> Option<Console> {
    let mut section = root.section("console", problems);
    let mut absolute = |key| required(&mut section, key, "an absolute path", problems, missing, path);
    let (picture_file, last_good_file) = (absolute("picture_file"), absolute("last_good_file"));
    let spool_directory = absolute("spool_directory");
    let jumper = section.read("jumper", "the name of a line", problems, text);
    section.finish(problems);
    Some(Console {
        picture_file: picture_file?,
        last_good_file: last_good_file?,
        spool_directory: spool_directory?,
        jumper,
    })
}
