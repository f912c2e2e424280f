//! One end of a protected line: the handshake that is under way, and the session that it led to.
//!
//! The controller asks, the device answers. A device's answer opens nothing yet: the question may be an old one that
//! somebody repeats. The new session holds once a frame has come that only its other end can have sealed; until then the
//! old one goes on.

use std::fmt;

use snow::{HandshakeState, StatelessTransportState};
use zeroize::Zeroizing;

use super::noise::{self, Role};
use super::wire::{
    Form, GREETING_PLAIN, GREETING_TEXT, GreetingText, ProtectedFrame, SEALED_PLAIN, SEALED_TEXT, SessionId, pack,
    unpack,
};
use super::{PairKeys, Paired, Seed};
use crate::frame::{DeviceKind, Direction, Frame};

pub(crate) struct Channel {
    kind: DeviceKind,
    direction: Direction,
    keys: PairKeys,
    seed: Seed,
    handshakes: u64,
    opening: Opening,
    session: Option<Session>,
}

/// How far the next session has come.
enum Opening {
    Idle,
    /// The controller's end: the question as it was sent.
    Asked {
        state: Box<HandshakeState>,
        question: GreetingText,
    },
    /// The device's end: a question was read and waits to be answered.
    Read {
        state: Box<HandshakeState>,
        question: GreetingText,
        hello: Box<Frame>,
    },
    /// The device's end: answered, and not yet confirmed by a sealed frame.
    Answered {
        question: GreetingText,
        answer: GreetingText,
        hello: Box<Frame>,
        session: Box<Session>,
    },
}

struct Session {
    id: SessionId,
    keys: StatelessTransportState,
    /// The counter of the next frame out. It is the cipher's nonce: never twice under one key.
    next: u64,
    /// The counter of the last frame in.
    seen: Option<u64>,
}

/// Why a sealed frame was turned away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    /// Of a session that is over, or was never ours.
    OtherSession,
    /// Its counter was there before: a repeat, or out of order.
    Replayed,
    /// Its seal is broken.
    Forged,
}

/// A sealed frame that is what its seal says.
pub(crate) struct Opened {
    /// The HELLO of the session that this frame is the first of.
    pub(crate) began: Option<Box<Frame>>,
    pub(crate) frame: Frame,
}

impl fmt::Debug for Channel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Channel")
            .field("session", &self.session.as_ref().map(|session| session.id))
            .finish_non_exhaustive()
    }
}

impl Channel {
    pub(crate) fn new(kind: DeviceKind, direction: Direction, paired: Paired) -> Self {
        let Paired { keys, seed } = paired;
        Self { kind, direction, keys, seed, handshakes: 0, opening: Opening::Idle, session: None }
    }

    /// For one use beside the sessions: a pairing, or the channel that follows it.
    pub(crate) fn spare_seed(&mut self) -> Seed {
        self.handshakes += 1;
        self.seed.for_use("beside the sessions", self.handshakes)
    }

    /// Whether this end can read a greeting. Changes nothing.
    pub(crate) fn can_read(&mut self, question: &[u8; GREETING_TEXT]) -> bool {
        let mut plain = Zeroizing::new([0; GREETING_PLAIN]);
        self.handshake().is_some_and(|mut state| state.read_message(question, &mut plain[..]).is_ok())
    }

    fn handshake(&mut self) -> Option<HandshakeState> {
        let role = match self.direction {
            Direction::FromController => Role::Controller,
            Direction::FromDevice => Role::Device,
        };
        let seed = self.seed.for_use("session", self.handshakes);
        self.handshakes += 1;
        noise::session(role, self.kind, &self.keys, seed)
    }

    fn other_direction(&self) -> Direction {
        match self.direction {
            Direction::FromController => Direction::FromDevice,
            Direction::FromDevice => Direction::FromController,
        }
    }

    fn encode(&self, form: Form) -> Zeroizing<Vec<u8>> {
        ProtectedFrame { kind: self.kind, direction: self.direction, form }.encode()
    }

    pub(crate) fn announcement(&self) -> Zeroizing<Vec<u8>> {
        self.encode(Form::Announcement)
    }

    pub(crate) fn unreadable(&self) -> Zeroizing<Vec<u8>> {
        self.encode(Form::Unreadable)
    }

    /// The controller's end: a new question, with its HELLO inside.
    pub(crate) fn ask(&mut self, hello: &Frame) -> Option<Zeroizing<Vec<u8>>> {
        let mut state = Box::new(self.handshake()?);
        let mut question = Box::new([0; GREETING_TEXT]);
        let plain = pack(hello, GREETING_PLAIN)?;
        state.write_message(&plain, &mut question[..]).ok().filter(|written| *written == GREETING_TEXT)?;
        let bytes = self.encode(Form::Greeting(question.clone()));
        self.opening = Opening::Asked { state, question };
        Some(bytes)
    }

    /// The same question again: a slow answer to the first one is still an answer.
    pub(crate) fn ask_again(&self) -> Option<Zeroizing<Vec<u8>>> {
        match &self.opening {
            Opening::Asked { question, .. } => Some(self.encode(Form::Greeting(question.clone()))),
            Opening::Idle | Opening::Read { .. } | Opening::Answered { .. } => None,
        }
    }

    /// The controller's end: the device's HELLO, if this answers the question that stands. The session is open then.
    pub(crate) fn read_answer(&mut self, answer: &[u8; GREETING_TEXT]) -> Option<Frame> {
        let Opening::Asked { state, .. } = &mut self.opening else { return None };
        let mut plain = Zeroizing::new([0; GREETING_PLAIN]);
        // An answer that cannot be read changes nothing: the true one may still come.
        state.read_message(answer, &mut plain[..]).ok()?;
        let Opening::Asked { state, .. } = std::mem::replace(&mut self.opening, Opening::Idle) else { return None };
        let hello = unpack(&plain[..], self.kind, self.other_direction());
        self.session = Session::new(*state);
        hello
    }

    /// The device's end: the controller's HELLO, if it can be read. [`answer`](Self::answer) is due then.
    pub(crate) fn read_question(&mut self, question: GreetingText) -> Option<Frame> {
        let mut state = Box::new(self.handshake()?);
        let mut plain = Zeroizing::new([0; GREETING_PLAIN]);
        state.read_message(&question[..], &mut plain[..]).ok()?;
        let hello = unpack(&plain[..], self.kind, self.other_direction())?;
        self.opening = Opening::Read { state, question, hello: Box::new(hello.clone()) };
        Some(hello)
    }

    pub(crate) fn answer(&mut self, answer: &Frame) -> Option<Zeroizing<Vec<u8>>> {
        let Opening::Read { mut state, question, hello } = std::mem::replace(&mut self.opening, Opening::Idle) else {
            return None;
        };
        let mut text = Box::new([0; GREETING_TEXT]);
        let plain = pack(answer, GREETING_PLAIN)?;
        state.write_message(&plain, &mut text[..]).ok().filter(|written| *written == GREETING_TEXT)?;
        let session = Box::new(Session::new(*state)?);
        let bytes = self.encode(Form::Greeting(text.clone()));
        self.opening = Opening::Answered { question, answer: text, hello, session };
        Some(bytes)
    }

    /// The same answer to the same question, so that two of them on their way do not lead to two sessions.
    pub(crate) fn answer_again(&self, repeated: &[u8; GREETING_TEXT]) -> Option<Zeroizing<Vec<u8>>> {
        match &self.opening {
            Opening::Answered { question, answer, .. } if **question == *repeated => {
                Some(self.encode(Form::Greeting(answer.clone())))
            }
            Opening::Idle | Opening::Asked { .. } | Opening::Read { .. } | Opening::Answered { .. } => None,
        }
    }

    /// `None` while there is no session, or for a message that is too long to be sealed.
    pub(crate) fn seal(&mut self, frame: &Frame) -> Option<Zeroizing<Vec<u8>>> {
        let session = self.session.as_mut()?;
        let plain = pack(frame, SEALED_PLAIN)?;
        let mut text = Box::new([0; SEALED_TEXT]);
        let counter = session.next;
        session.next = counter.checked_add(1)?;
        session.keys.write_message(counter, &plain, &mut text[..]).ok()?;
        let id = session.id;
        Some(self.encode(Form::Sealed { session: id, counter, text }))
    }

    pub(crate) fn open(&mut self, id: SessionId, counter: u64, text: &[u8; SEALED_TEXT]) -> Result<Opened, Refused> {
        let (kind, direction) = (self.kind, self.other_direction());
        if let Some(session) = self.session.as_mut().filter(|session| session.id == id) {
            let frame = session.open(counter, text, kind, direction)?;
            return Ok(Opened { began: None, frame });
        }
        let Opening::Answered { session, .. } = &mut self.opening else { return Err(Refused::OtherSession) };
        if session.id != id {
            return Err(Refused::OtherSession);
        }
        let frame = session.open(counter, text, kind, direction)?;
        let Opening::Answered { session, hello, .. } = std::mem::replace(&mut self.opening, Opening::Idle) else {
            return Err(Refused::OtherSession);
        };
        self.session = Some(*session);
        Ok(Opened { began: Some(hello), frame })
    }
}

impl Session {
    fn new(handshake: HandshakeState) -> Option<Self> {
        let id = SessionId(u32::from_be_bytes(*handshake.get_handshake_hash().first_chunk()?));
        Some(Self { id, keys: handshake.into_stateless_transport_mode().ok()?, next: 0, seen: None })
    }

    fn open(
        &mut self,
        counter: u64,
        text: &[u8; SEALED_TEXT],
        kind: DeviceKind,
        direction: Direction,
    ) -> Result<Frame, Refused> {
        // The line does not reorder, so an older counter is never an honest frame that came late.
        if self.seen.is_some_and(|seen| counter <= seen) {
            return Err(Refused::Replayed);
        }
        let mut plain = Zeroizing::new([0; SEALED_PLAIN]);
        self.keys.read_message(counter, text, &mut plain[..]).map_err(|_| Refused::Forged)?;
        self.seen = Some(counter);
        unpack(&plain[..], kind, direction).ok_or(Refused::Forged)
    }
}
