//! Golden bytes of version 2: one session of a hole-card reader from its announcement on, with keys and seeds of its own.

use device_protocols::frame::{BootId, DeviceKind, Direction, FrameDecoder, WireFrame};
use device_protocols::link::{
    DeviceConfig, ExpectedDevice, HostConfig, HostEvent, LinkDevice, LinkHost, LinkState, Millis,
};
use device_protocols::message::{Capabilities, DeviceIdentity, IdentityText};
use device_protocols::protection::wire::{Form, ProtectedFrame};
use device_protocols::protection::{KEY_LENGTH, PairKeys, Paired, Protection, Seed};
use device_protocols::reader::{HoleCardReader, ReaderAnswer, ReaderCommand, ReaderEvent, UpCardGroup};

use crate::support::{CONTROLLER_BOOT, DEVICE_BOOT, Vector, to_hex};

const CONTROLLER_SECRET: [u8; KEY_LENGTH] = [0x11; KEY_LENGTH];
const DEVICE_SECRET: [u8; KEY_LENGTH] = [0x22; KEY_LENGTH];

type Host = LinkHost<HoleCardReader>;
type Device = LinkDevice<HoleCardReader>;

pub(crate) fn ends() -> (Host, Device) {
    let (controller, device) = PairKeys::of_two(&CONTROLLER_SECRET, &DEVICE_SECRET);
    let paired = |keys, seed| Protection::Paired(Paired { keys, seed: Seed::new([seed; KEY_LENGTH]) });
    let mut host = LinkHost::new(
        HostConfig {
            boot: BootId::new(CONTROLLER_BOOT).unwrap(),
            expected: ExpectedDevice::default(),
            last_durable: None,
            protection: paired(controller, 0xC1),
        },
        Millis(0),
    );
    let identity = DeviceIdentity {
        model: IdentityText::new("HR-1").unwrap(),
        serial: IdentityText::new("HR100042").unwrap(),
        firmware_hash: [7; 32],
        capabilities: Capabilities::TEST_MODE,
    };
    let boot = BootId::new(DEVICE_BOOT).unwrap();
    let device = LinkDevice::new(DeviceConfig { boot, identity, protection: paired(device, 0xD1) }, Millis(0));
    host.handle_port_opened(Millis(0));
    (host, device)
}

/// What both ends say at the beginning of a session, then a command and an event.
fn session() -> Vec<(&'static str, Vec<u8>)> {
    let (mut host, mut device) = ends();
    let now = Millis(0);
    let mut said = Vec::new();
    let mut next = |name, bytes: Option<zeroize::Zeroizing<Vec<u8>>>| {
        let bytes = bytes.unwrap_or_else(|| panic!("{name} is due")).to_vec();
        said.push((name, bytes.clone()));
        bytes
    };
    next("announcement", device.poll_transmit(now));
    let greeting = next("greeting-controller", host.poll_transmit(now));
    device.handle_bytes(&greeting, now);
    let greeting = next("greeting-device", device.poll_transmit(now));
    host.handle_bytes(&greeting, now);
    let query = next("sealed-query-state", host.poll_transmit(now));
    device.handle_bytes(&query, now);
    let ack = next("sealed-ack", device.poll_transmit(now));
    host.handle_bytes(&ack, now);
    let heartbeat = next("sealed-heartbeat", host.poll_transmit(now));
    device.handle_bytes(&heartbeat, now);
    host.send(&ReaderCommand::Arm { group: UpCardGroup::Ace }, now).unwrap();
    let command = next("sealed-arm", host.poll_transmit(now));
    device.handle_bytes(&command, now);
    device.send(&ReaderEvent::Answered { group: UpCardGroup::Ace, answer: ReaderAnswer::Yes }, now).unwrap();
    let event = next("sealed-answered", device.poll_transmit(now));
    host.handle_bytes(&event, now);
    assert_eq!((host.state(), device.state()), (LinkState::Up, LinkState::Up));
    let heard = std::iter::from_fn(|| host.poll_event());
    assert!(heard.into_iter().any(|event| matches!(
        event,
        HostEvent::Device { event: ReaderEvent::Answered { answer: ReaderAnswer::Yes, .. }, .. }
    )));
    said
}

/// The code of the pairing in the document.
const CODE: &str = "0257 2629 4162 2335 9607";

/// A whole pairing of a device that has nobody's keys.
fn pairing() -> Vec<(&'static str, Vec<u8>)> {
    let seed = Seed::new([0xC2; KEY_LENGTH]);
    let config = HostConfig {
        boot: BootId::new(CONTROLLER_BOOT).unwrap(),
        expected: ExpectedDevice::default(),
        last_durable: None,
        protection: Protection::Paired(Paired { keys: PairKeys::of_nobody(&seed), seed }),
    };
    let mut host: Host = LinkHost::new(config, Millis(0));
    let (_, mut device) = ends();
    let now = Millis(0);
    host.handle_port_opened(now);
    host.allow_pairing(true);
    device.open_pairing(Seed::new([0xD2; KEY_LENGTH]), now);
    let mut said = Vec::new();
    // What else both have to say is not carried over.
    let mut next = |name, transmit: &mut dyn FnMut() -> Option<zeroize::Zeroizing<Vec<u8>>>| {
        let bytes = std::iter::from_fn(transmit).find(|bytes| bytes[4..].first().is_some_and(|form| form & 0x7F == 5));
        let bytes = bytes.unwrap_or_else(|| panic!("{name} is due")).to_vec();
        said.push((name, bytes.clone()));
        bytes
    };
    let willing = next("pairing-willing", &mut || device.poll_transmit(now));
    host.handle_bytes(&willing, now);
    let first = next("pairing-first", &mut || host.poll_transmit(now));
    device.handle_bytes(&first, now);
    let second = next("pairing-second", &mut || device.poll_transmit(now));
    host.handle_bytes(&second, now);
    let third = next("pairing-third", &mut || host.poll_transmit(now));
    device.handle_bytes(&third, now);
    let done = next("pairing-done", &mut || device.poll_transmit(now));
    host.handle_bytes(&done, now);
    let code = host.pairing_offer().unwrap().code;
    assert_eq!(Some(code), device.pairing_code());
    assert_eq!(code.to_string(), CODE);
    said
}

pub(crate) fn vectors() -> Vec<Vector> {
    let unreadable =
        ProtectedFrame { kind: DeviceKind::HoleCardReader, direction: Direction::FromDevice, form: Form::Unreadable };
    let mut made = session();
    made.extend(pairing());
    made.push(("unreadable", unreadable.encode().to_vec()));
    // Their golden bytes stand in the document.
    made.into_iter().map(|(name, encoded)| Vector { name, hex: "", encoded }).collect()
}

#[test]
fn every_frame_is_read_back_as_it_was_written() {
    for vector in vectors() {
        let mut decoder = FrameDecoder::default();
        let found: Vec<_> = vector.encoded.iter().filter_map(|byte| decoder.handle_wire_byte(*byte)).collect();
        let [Ok(WireFrame::Protected(frame))] = &found[..] else { panic!("{}: {found:?}", vector.name) };
        assert_eq!(to_hex(&frame.encode()), to_hex(&vector.encoded), "{}", vector.name);
    }
}

#[test]
fn frames_of_one_form_have_one_length_whatever_they_say() {
    for (name, bytes) in session().into_iter().chain(pairing()) {
        let expected = match name.split('-').next() {
            Some("announcement") => 8,
            Some("greeting") => 176,
            Some("sealed") => 76,
            Some("pairing") => 105,
            other => panic!("{other:?}"),
        };
        assert_eq!(bytes.len(), expected, "{name}");
    }
}

#[test]
fn every_message_of_every_device_fits_under_a_seal() {
    use device_protocols::protection::wire::SEALED_PAYLOAD_MAX;
    let all = [crate::reader::vectors(), crate::shuffler::vectors(), crate::shoe::vectors(), crate::common::vectors()];
    for vector in all.into_iter().flatten() {
        let mut decoder = FrameDecoder::default();
        let Some(Ok(frame)) = vector.encoded.iter().find_map(|byte| decoder.handle_byte(*byte)) else {
            continue;
        };
        let length = frame.payload.bytes().len();
        assert!(length <= SEALED_PAYLOAD_MAX || vector.name.starts_with("hello"), "{}: {length}", vector.name);
    }
}
