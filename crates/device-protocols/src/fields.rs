//! Small tools for reading and writing payloads field by field. Big-endian throughout, like the frame header.

use crate::frame::{MessageType, PAYLOAD_LENGTH_MAX, Payload};
use crate::message::{Body, BodyFault};

/// Reads fields off the front of a payload. `finish` insists that nothing is left over: a longer message is another
/// message, not this one with something to ignore.
pub(crate) struct FieldReader<'a> {
    whole: usize,
    rest: &'a [u8],
}

impl<'a> FieldReader<'a> {
    pub(crate) fn new(payload: &'a Payload) -> Self {
        Self { whole: payload.bytes().len(), rest: payload.bytes() }
    }

    pub(crate) fn bytes(&mut self, count: usize) -> Result<&'a [u8], BodyFault> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or(BodyFault::WrongLength { found: self.whole })?;
        self.rest = rest;
        Ok(taken)
    }

    pub(crate) fn array<const N: usize>(&mut self) -> Result<[u8; N], BodyFault> {
        let mut array = [0; N];
        array.copy_from_slice(self.bytes(N)?);
        Ok(array)
    }

    pub(crate) fn u8(&mut self) -> Result<u8, BodyFault> {
        Ok(u8::from_be_bytes(self.array()?))
    }

    pub(crate) fn u16(&mut self) -> Result<u16, BodyFault> {
        Ok(u16::from_be_bytes(self.array()?))
    }

    pub(crate) fn u32(&mut self) -> Result<u32, BodyFault> {
        Ok(u32::from_be_bytes(self.array()?))
    }

    /// A byte that stands for a value of a closed list.
    pub(crate) fn code<T>(&mut self, field: &'static str, from_code: impl Fn(u8) -> Option<T>) -> Result<T, BodyFault> {
        from_code(self.u8()?).ok_or(BodyFault::UnknownValue { field })
    }

    pub(crate) fn flag(&mut self, field: &'static str) -> Result<bool, BodyFault> {
        match self.u8()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(BodyFault::UnknownValue { field }),
        }
    }

    /// A length byte, then that many printable ASCII characters.
    pub(crate) fn text(&mut self, field: &'static str, length_max: usize) -> Result<String, BodyFault> {
        let length = usize::from(self.u8()?);
        if length > length_max {
            return Err(BodyFault::UnknownValue { field });
        }
        let bytes = self.bytes(length)?;
        if !bytes.iter().all(|byte| (0x20..0x7F).contains(byte)) {
            return Err(BodyFault::UnknownValue { field });
        }
        Ok(bytes.iter().map(|byte| char::from(*byte)).collect())
    }

    pub(crate) fn finish<T>(self, value: T) -> Result<T, BodyFault> {
        if self.rest.is_empty() { Ok(value) } else { Err(BodyFault::WrongLength { found: self.whole }) }
    }
}

/// Builds a body of fixed fields. All our messages are far below the payload limit; a test sends the longest.
pub(crate) fn body(message_type: MessageType, fields: &[&[u8]]) -> Body {
    let mut bytes = zeroize::Zeroizing::new(Vec::with_capacity(PAYLOAD_LENGTH_MAX));
    for field in fields {
        bytes.extend_from_slice(field);
    }
    assert!(bytes.len() <= PAYLOAD_LENGTH_MAX, "a message longer than a frame can carry");
    Body { message_type, payload: Payload::new(&bytes).unwrap_or_default() }
}

/// A closed list of values with a byte for each: the enum, its codes both ways, and the whole list for tests and docs.
macro_rules! coded_enum {
    ($(#[$meta:meta])* pub enum $name:ident { $($(#[$variant_meta:meta])* $variant:ident = $code:literal,)+ }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name { $($(#[$variant_meta])* $variant,)+ }

        impl $name {
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            pub const fn code(self) -> u8 {
                match self { $(Self::$variant => $code,)+ }
            }

            pub const fn from_code(code: u8) -> Option<Self> {
                match code { $($code => Some(Self::$variant),)+ _ => None }
            }
        }
    };
}
pub(crate) use coded_enum;
