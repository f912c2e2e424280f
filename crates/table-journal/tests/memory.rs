//! The journal's key in memory: once, whatever was done with it.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::process::Command;

use table_journal::{ChainHash, Head, JournalKey, Sequence, TableId};

/// The seed's digits, each written as the next one: what this program holds itself is not to be found.
const SHIFTED: &str = "8a3f0c91d7b25e6481fa9c03b5d2e7760f1948ab3cde5027a6941db8e35f7c20";
const DIGITS: &[u8] = b"0123456789abcdef";

fn before(digit: u8) -> u8 {
    let at = DIGITS.iter().position(|each| *each == digit).unwrap();
    DIGITS[(at + DIGITS.len() - 1) % DIGITS.len()]
}

/// Whether the seed stands here, as bytes or as digits.
fn is_here(bytes: &[u8]) -> bool {
    let value = |digit: u8| u8::try_from(DIGITS.iter().position(|each| *each == digit).unwrap()).unwrap();
    let shifted = SHIFTED.as_bytes();
    let raw = |at: usize| 16 * value(before(shifted[2 * at])) + value(before(shifted[2 * at + 1]));
    (bytes.len() >= 32 && (0..32).all(|at| bytes[at] == raw(at)))
        || (bytes.len() >= 64 && (0..64).all(|at| bytes[at] == before(shifted[at])))
}

/// How often the seed is in what this process has mapped for writing.
fn copies() -> usize {
    let mut memory = File::open("/proc/self/mem").unwrap();
    // One buffer for everything, and never looked into itself.
    let mut buffer = vec![0_u8; 1 << 20];
    let own = buffer.as_ptr() as usize..buffer.as_ptr() as usize + buffer.len();
    let mut found = 0;
    for line in fs::read_to_string("/proc/self/maps").unwrap().lines() {
        let (range, rest) = line.split_once(' ').unwrap();
        if !rest.starts_with("rw") {
            continue;
        }
        let (from, to) = range.split_once('-').unwrap();
        let (mut at, to) = (usize::from_str_radix(from, 16).unwrap(), usize::from_str_radix(to, 16).unwrap());
        while at < to {
            let length = (to - at).min(buffer.len());
            if memory.seek(SeekFrom::Start(at as u64)).is_err() || memory.read_exact(&mut buffer[..length]).is_err() {
                break;
            }
            let here = |offset: &usize| !own.contains(&(at + offset)) && is_here(&buffer[*offset..length]);
            found += (0..length).filter(here).count();
            // A seed that lies across the end of a piece is seen in the next one.
            at += if length == buffer.len() { length - 64 } else { length };
        }
    }
    found
}

#[test]
fn the_seed_is_in_memory_once_after_loading_moving_and_signing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.key");
    // Written by another process.
    let script = format!(
        "umask 077; printf 'holecard-journal-key-v1 %s\\n' \"$(printf {SHIFTED} | tr 1-9a-f0 0-9a-f)\" > {}",
        path.display()
    );
    assert!(Command::new("sh").args(["-c", &script]).status().unwrap().success());
    assert_eq!(copies(), 0);
    let key = JournalKey::load(&path).unwrap();
    let table = TableId::new("T").unwrap();
    let head = Head { sequence: Sequence(7), hash: ChainHash([9; 32]) };
    let (tell, wait) = std::sync::mpsc::channel();
    let (go, gate) = std::sync::mpsc::channel::<()>();
    let signing = std::thread::spawn(move || {
        let moved = key;
        let again = Some(moved);
        for _ in 0..3 {
            let signed = again.as_ref().unwrap().sign_head(&table, head);
            assert!(again.as_ref().unwrap().public().verifies_head(&table, &signed));
        }
        tell.send(()).unwrap();
        let _ended = gate.recv();
        drop(again);
    });
    wait.recv().unwrap();
    assert_eq!(copies(), 1, "the key itself, and nothing besides");
    drop(go);
    signing.join().unwrap();
    assert_eq!(copies(), 0, "a key that goes is wiped");
}
