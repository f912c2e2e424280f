//! Files that survive a power cut: either the old content is there or the new one, never a part of either.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, fchown};
use std::path::Path;

/// Replaces a file as a whole. Only its owner may read what this writes, and that is whoever owns the directory: a file
/// that an administrator writes beside the daemon's own is the daemon's.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let directory = path.parent().ok_or_else(|| io::Error::other("the path has no directory"))?;
    let name = path.file_name().ok_or_else(|| io::Error::other("the path has no file name"))?;
    let mut temporary_name = std::ffi::OsString::from(".");
    temporary_name.push(name);
    temporary_name.push(".new");
    let temporary = directory.join(temporary_name);
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&temporary)?;
    let owner = fs::metadata(directory)?;
    if owner.uid() != file.metadata()?.uid() {
        fchown(&file, Some(owner.uid()), Some(owner.gid()))?;
    }
    file.write_all(bytes)?;
    file.sync_all()?;
    drop(file);
    fs::rename(&temporary, path)?;
    // The new name is durable only when its directory is.
    File::open(directory)?.sync_all()
}

/// For files without secrets that others on the board read.
pub(crate) fn readable_by_all(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o644))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::chown;

    #[test]
    fn what_is_written_belongs_to_the_directorys_owner_alone() {
        let folder = tempfile::tempdir().unwrap();
        // Only root can give a folder away; anybody else tests that their own files stay theirs.
        let given_away = chown(folder.path(), Some(4321), Some(4321)).is_ok();
        let path = folder.path().join("staff.toml");
        replace(&path, b"one").unwrap();
        replace(&path, b"two").unwrap();
        let (about, home) = (fs::metadata(&path).unwrap(), fs::metadata(folder.path()).unwrap());
        assert_eq!((about.uid(), about.mode() & 0o777), (home.uid(), 0o600));
        assert_eq!(about.uid() == 4321, given_away);
        assert_eq!(fs::read(&path).unwrap(), b"two");
    }
}
