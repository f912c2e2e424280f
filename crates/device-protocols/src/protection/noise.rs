//! The handshakes, as the crate `snow` makes them, with randomness that is given and not taken.

use sha2::{Digest, Sha256};
use snow::params::{CipherChoice, DHChoice, HashChoice};
use snow::resolvers::{CryptoResolver, DefaultResolver};
use snow::types::{Cipher, Dh, Hash, Random};
use snow::{Builder, HandshakeState};
use zeroize::Zeroizing;

use super::{KEY_LENGTH, PairKeys, Seed};
use crate::frame::DeviceKind;

/// Both ends know one another; each adds a key of this session alone.
const SESSION: &str = "Noise_KK_25519_ChaChaPoly_SHA256";

/// Neither knows the other yet.
const PAIRING: &str = "Noise_XX_25519_ChaChaPoly_SHA256";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Controller,
    Device,
}

/// What both ends put before the handshake: a device of another kind, or another version, has another session.
fn prologue(purpose: &[u8], kind: DeviceKind) -> Vec<u8> {
    [b"holecard link 2 ", purpose, &[kind.code()]].concat()
}

/// `None` only for a build of `snow` without these ciphers.
pub(super) fn session(role: Role, kind: DeviceKind, keys: &PairKeys, seed: Seed) -> Option<HandshakeState> {
    let prologue = prologue(b"session", kind);
    let builder = Builder::with_resolver(SESSION.parse().ok()?, Box::new(Given(seed)))
        .prologue(&prologue)
        .and_then(|builder| builder.local_private_key(keys.own_secret()))
        .and_then(|builder| builder.remote_public_key(keys.peer_public()))
        .ok()?;
    match role {
        Role::Controller => builder.build_initiator().ok(),
        Role::Device => builder.build_responder().ok(),
    }
}

pub(super) fn pairing(role: Role, kind: DeviceKind, own: &Seed, seed: Seed) -> Option<HandshakeState> {
    let prologue = prologue(b"pairing", kind);
    let builder = Builder::with_resolver(PAIRING.parse().ok()?, Box::new(Given(seed)))
        .prologue(&prologue)
        .and_then(|builder| builder.local_private_key(own.bytes()))
        .ok()?;
    match role {
        Role::Controller => builder.build_initiator().ok(),
        Role::Device => builder.build_responder().ok(),
    }
}

/// The public half of a secret.
pub(super) fn public_of(secret: &[u8; KEY_LENGTH]) -> [u8; KEY_LENGTH] {
    let mut public = [0; KEY_LENGTH];
    if let Some(mut keys) = DefaultResolver.resolve_dh(&DHChoice::Curve25519) {
        keys.set(secret);
        public.copy_from_slice(keys.pubkey());
    }
    public
}

/// The default ciphers, and as much randomness as can be made of one seed.
struct Given(Seed);

impl CryptoResolver for Given {
    fn resolve_rng(&self) -> Option<Box<dyn Random>> {
        Some(Box::new(Stretched { seed: self.0.clone(), block: 0 }))
    }

    fn resolve_dh(&self, choice: &DHChoice) -> Option<Box<dyn Dh>> {
        DefaultResolver.resolve_dh(choice)
    }

    fn resolve_hash(&self, choice: &HashChoice) -> Option<Box<dyn Hash>> {
        DefaultResolver.resolve_hash(choice)
    }

    fn resolve_cipher(&self, choice: &CipherChoice) -> Option<Box<dyn Cipher>> {
        DefaultResolver.resolve_cipher(choice)
    }
}

/// SHA-256 over the seed and the number of the block.
struct Stretched {
    seed: Seed,
    block: u64,
}

impl Random for Stretched {
    fn try_fill_bytes(&mut self, wanted: &mut [u8]) -> Result<(), snow::Error> {
        for chunk in wanted.chunks_mut(KEY_LENGTH) {
            let mut hash = Sha256::new();
            hash.update(self.seed.bytes());
            hash.update(self.block.to_be_bytes());
            self.block += 1;
            let block: Zeroizing<[u8; KEY_LENGTH]> = Zeroizing::new(hash.finalize().into());
            chunk.copy_from_slice(&block[..chunk.len()]);
        }
        Ok(())
    }
}
