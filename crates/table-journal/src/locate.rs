//! Names the damaged byte inside a record or header whose checksum failed.
//!
//! A CRC is linear: the difference between the stored and the computed value, stepped back one byte at a time, shows at
//! which single byte an error would cause exactly that difference. This is a diagnosis for the person reading the alarm;
//! nothing is ever repaired by it.

use crate::record::{
    CRC32C, MARKER, RECORD_BYTES_MAX, RECORD_HEADER_BYTES, decode_record, expected_link, record_length, u32_at,
};
use crate::types::ChainHash;

/// The reflected polynomial of CRC-32C.
const POLYNOMIAL: u32 = 0x82F6_3B78;

/// The position of the one wrong byte in `bytes`, whose last four are the checksum of the rest; `None` where more than
/// one byte is wrong.
pub(crate) fn locate_bad_byte(bytes: &[u8]) -> Option<usize> {
    single_byte_error(bytes).map(|(at, _)| at)
}

/// As above with the difference of that byte. A 32-bit code cannot tell one wrong byte from every pattern of several,
/// so the caller confirms the answer with the hash.
fn single_byte_error(bytes: &[u8]) -> Option<(usize, u8)> {
    let body_end = bytes.len().checked_sub(4)?;
    let mut difference = CRC32C.checksum(&bytes[..body_end]) ^ u32_at(bytes, body_end);
    if difference == 0 {
        return None;
    }
    let stored = difference.to_le_bytes();
    if stored.iter().filter(|byte| **byte != 0).count() == 1 {
        let at = stored.iter().position(|byte| *byte != 0)?;
        return Some((body_end + at, stored[at]));
    }
    for at in (0..body_end).rev() {
        difference = step_back(difference);
        if let Ok(error) = u8::try_from(difference) {
            return Some((at, error));
        }
    }
    None
}

/// Undoes eight shifts of the CRC register.
fn step_back(mut register: u32) -> u32 {
    for _ in 0..8 {
        register = if register & 0x8000_0000 == 0 { register << 1 } else { ((register ^ POLYNOMIAL) << 1) | 1 };
    }
    register
}

/// The first wrong byte of the record at the start of `bytes` (which may run on past it), given the link before it.
/// The record's own two ways of telling its length are both tried, so a damaged length is found as well.
pub(crate) fn locate_in_record(bytes: &[u8], previous: ChainHash) -> Option<usize> {
    if bytes.len() < RECORD_HEADER_BYTES {
        return None;
    }
    let told = u32_at(bytes, 4) as usize;
    let implied = record_length(u32_at(bytes, 60) as usize, u32_at(bytes, 64) as usize);
    for length in [Some(told), implied].into_iter().flatten() {
        let Some(record) = bytes.get(..length).filter(|record| record.len() > RECORD_HEADER_BYTES) else { continue };
        if length > RECORD_BYTES_MAX {
            continue;
        }
        let Some((at, error)) = single_byte_error(record) else { continue };
        let mut mended = record.to_vec();
        mended[at] ^= error;
        let continues = |hash| hash == expected_link(previous, &mended);
        if mended[..4] == MARKER && decode_record(&mended).is_ok_and(|(view, _)| continues(view.hash)) {
            return Some(at);
        }
    }
    None
}
