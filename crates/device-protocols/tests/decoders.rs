//! Decoders against everything a line can bring: random bytes, flipped bits, cut frames, frames run together.
//! They never panic, never hold more than one frame, and are back in step within one good frame.
#![expect(clippy::unwrap_used, reason = "a test that cannot build its example should stop")]

use device_protocols::angel_eye::{
    AcknowledgeWhen, AngelLineDecoder, AngelOptions, AngelShoe, DATA_LENGTH_MAX, LineItem, OutboundBcc,
    encode_shoe_frame,
};
use device_protocols::frame::{
    BootId, DeviceKind, Direction, ENCODED_LENGTH_MAX, Frame, FrameDecoder, MessageType, PAYLOAD_LENGTH_MAX, Payload,
    Sequence,
};
use device_protocols::link::{DeviceConfig, HostConfig, LinkDevice, LinkHost, Millis};
use device_protocols::message::{
    Body, Capabilities, Control, DeviceHello, DeviceIdentity, DeviceProtocol, IdentityText,
};
use device_protocols::protection::Protection;
use device_protocols::reader::HoleCardReader;
use device_protocols::shoe::Shoe;
use device_protocols::shuffler::Shuffler;
use proptest::collection::vec;
use proptest::prelude::*;

fn frame() -> impl Strategy<Value = Frame> {
    (0..3_usize, any::<bool>(), 1..=u32::MAX, any::<u16>(), 0..0x80_u8, vec(any::<u8>(), 0..=PAYLOAD_LENGTH_MAX))
        .prop_map(|(kind, from_device, boot, sequence, message_type, payload)| Frame {
            kind: DeviceKind::ALL[kind],
            direction: if from_device { Direction::FromDevice } else { Direction::FromController },
            boot: BootId::new(boot).unwrap(),
            sequence: Sequence::new(sequence),
            message_type: MessageType::new(message_type),
            payload: Payload::new(&payload).unwrap(),
        })
}

/// Bytes as they come off a bad line: pure noise, or a good frame cut, flipped or doubled.
fn garbage() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        vec(any::<u8>(), 0..600),
        vec(prop_oneof![Just(0_u8), Just(1), Just(0xFF)], 0..600),
        (frame(), any::<prop::sample::Index>()).prop_map(|(frame, cut)| {
            let bytes = frame.encode();
            bytes[..cut.index(bytes.len())].to_vec()
        }),
        (frame(), any::<prop::sample::Index>(), 0..8_u8).prop_map(|(frame, place, bit)| {
            let mut bytes = frame.encode().to_vec();
            let place = place.index(bytes.len());
            bytes[place] ^= 1 << bit;
            bytes
        }),
    ]
}

fn same(one: &Frame, other: &Frame) -> bool {
    one.encode() == other.encode()
}

fn check_body<P: DeviceProtocol>(body: &Body) {
    if let Ok(command) = P::decode_command(body) {
        let again = P::encode_command(&command);
        assert_eq!((again.message_type, again.payload.bytes()), (body.message_type, body.payload.bytes()));
    }
    if let Ok(event) = P::decode_event(body) {
        let again = P::encode_event(&event);
        assert_eq!((again.message_type, again.payload.bytes()), (body.message_type, body.payload.bytes()));
    }
}

proptest! {
    #[test]
    fn every_frame_survives_the_line(sent in frame()) {
        let mut decoder = FrameDecoder::default();
        let received: Vec<_> = decoder.handle_bytes(&sent.encode()).collect();
        prop_assert_eq!(received.len(), 1);
        prop_assert!(same(received[0].as_ref().unwrap(), &sent));
        prop_assert_eq!(sent.encode().len(), sent.payload.bytes().len() + 14, "the length depends on the length alone");
    }

    #[test]
    fn noise_never_panics_never_grows_and_costs_no_good_frame(
        parts in vec((garbage(), frame()), 1..6),
        piece in 1..64_usize,
    ) {
        let mut line = Vec::new();
        for (noise, good) in &parts {
            line.extend_from_slice(noise);
            line.extend_from_slice(&good.encode());
        }
        let mut decoder = FrameDecoder::default();
        let mut received = Vec::new();
        for chunk in line.chunks(piece) {
            received.extend(decoder.handle_bytes(chunk).flatten());
            prop_assert!(decoder.buffered() <= ENCODED_LENGTH_MAX);
        }
        // Every good frame is among those received, in order: noise before a frame does not cost it.
        let mut rest = received.iter();
        for (_, good) in &parts {
            prop_assert!(rest.any(|frame| same(frame, good)));
        }
        let counts = decoder.counts();
        prop_assert_eq!(counts.bytes, line.len() as u64);
        prop_assert_eq!(counts.frames, received.len() as u64);
    }

    #[test]
    fn bodies_are_understood_in_one_way_only_or_refused(
        message_type in 0..0x80_u8,
        payload in prop_oneof![vec(any::<u8>(), 0..=20), vec(0..6_u8, 0..=20)],
    ) {
        let body = Body { message_type: MessageType::new(message_type), payload: Payload::new(&payload).unwrap() };
        check_body::<HoleCardReader>(&body);
        check_body::<Shuffler>(&body);
        check_body::<Shoe>(&body);
        if let Ok(control) = Control::decode_from_controller(&body) {
            let again = control.encode();
            prop_assert_eq!(again.payload.bytes(), &payload[..]);
        }
    }

    #[test]
    fn a_greeting_is_read_whole_or_not_at_all(
        nonce in any::<u32>(),
        next in 1..=u16::MAX,
        hash in any::<[u8; 32]>(),
        model in "[ -~]{0,32}",
        serial in "[ -~]{0,32}",
        capabilities in any::<u32>(),
        cut in any::<prop::sample::Index>(),
    ) {
        let identity = DeviceIdentity {
            model: IdentityText::new(&model).unwrap(),
            serial: IdentityText::new(&serial).unwrap(),
            firmware_hash: hash,
            capabilities: Capabilities(capabilities),
        };
        let next_sequence = Sequence::new(next).unwrap();
        let hello = Control::DeviceHello(DeviceHello { nonce, next_sequence, identity });
        let body = hello.encode();
        prop_assert_eq!(Control::decode_from_device(&body), Ok(hello));
        let whole = body.payload.bytes();
        let with_payload = |bytes: &[u8]| Body { message_type: body.message_type, payload: Payload::new(bytes).unwrap() };
        prop_assert!(Control::decode_from_device(&with_payload(&whole[..cut.index(whole.len())])).is_err());
        prop_assert!(Control::decode_from_device(&with_payload(&[whole, &[0]].concat())).is_err());
    }

    #[test]
    fn links_take_any_bytes(chunks in vec((garbage(), 0..2_000_u64), 1..12)) {
        let boot = BootId::new(1).unwrap();
        let mut host = LinkHost::<Shoe>::new(
            HostConfig { boot, expected: Default::default(), last_durable: None, protection: Protection::None },
            Millis(0),
        );
        let text = IdentityText::new("X").unwrap();
        let identity = DeviceIdentity {
            model: text.clone(), serial: text, firmware_hash: [0; 32], capabilities: Capabilities::default(),
        };
        let mut device = LinkDevice::<Shoe>::new(DeviceConfig { boot, identity, protection: Protection::None }, Millis(0));
        host.handle_port_opened(Millis(0));
        let mut now = Millis(0);
        for (bytes, pause) in chunks {
            now = now + pause;
            host.handle_bytes(&bytes, now);
            device.handle_bytes(&bytes, now);
            host.handle_timeout(now);
            device.handle_timeout(now);
            let from_host = std::iter::from_fn(|| host.poll_transmit(now)).take(100).count();
            let from_device = std::iter::from_fn(|| device.poll_transmit(now)).take(100).count();
            prop_assert!(from_host < 100 && from_device < 100, "polling ends");
            prop_assert!(host.poll_deadline().unwrap() > now, "the host does not spin");
            prop_assert!(device.poll_deadline().unwrap() > now, "the device does not spin");
        }
    }

    #[test]
    fn the_angel_eye_decoder_is_in_step_after_one_good_frame(
        noise in vec(prop_oneof![any::<u8>(), Just(0x05), Just(0x03), Just(0x15), Just(b'0')], 0..100),
        sequence in any::<u8>(),
        data in vec(0x80..=0xFF_u8, 1..8),
    ) {
        let mut decoder = AngelLineDecoder::default();
        let mut bytes = noise;
        bytes.extend_from_slice(&encode_shoe_frame(sequence, &data));
        let fresh = bytes.len();
        bytes.extend_from_slice(&encode_shoe_frame(sequence.wrapping_add(1), &data));
        let mut found = false;
        for (place, byte) in bytes.iter().enumerate() {
            if let Some(LineItem::Event(frame)) = decoder.handle_byte(*byte) {
                found |= place >= fresh && frame.sequence == sequence.wrapping_add(1);
            }
            prop_assert!(decoder.buffered() <= DATA_LENGTH_MAX);
        }
        prop_assert!(found);
    }

    #[test]
    fn the_angel_eye_session_takes_any_bytes(bytes in vec(any::<u8>(), 0..400), framed in vec((any::<u8>(), vec(any::<u8>(), 1..6)), 0..80)) {
        let options = AngelOptions {
            outbound_bcc: OutboundBcc::default(),
            acknowledge_when: AcknowledgeWhen::default(),
            boot: BootId::new(1).unwrap(),
        };
        let mut shoe = AngelShoe::new(options, Millis(0));
        shoe.handle_bytes(&bytes, Millis(0));
        for (sequence, data) in framed {
            shoe.handle_bytes(&encode_shoe_frame(sequence, &data), Millis(0));
        }
        prop_assert!(std::iter::from_fn(|| shoe.poll_transmit(Millis(0))).take(100).count() < 100);
        prop_assert!(std::iter::from_fn(|| shoe.poll_event()).take(1_000).count() < 1_000);
    }
}

/// Every bit of a frame, delimiters included, with another frame behind it. Fixed frames and not random ones: a flip that
/// makes or breaks a zero cuts the frame elsewhere, and one such cut in 65536 has a good CRC by chance.
#[test]
fn one_flipped_bit_is_never_another_frame() {
    let mut next_byte = (0_u32..).map(|step| step.wrapping_mul(0x9E37_79B1).to_be_bytes()[0]);
    for length in 0..=40 {
        let payload: Vec<u8> = next_byte.by_ref().take(length).collect();
        let sent = Frame {
            kind: DeviceKind::Shoe,
            direction: Direction::FromDevice,
            boot: BootId::new(0xB007_CAFE).unwrap(),
            sequence: Sequence::new(258),
            message_type: MessageType::new(0x20),
            payload: Payload::new(&payload).unwrap(),
        };
        let bytes = sent.encode();
        let line = [&bytes[..], &bytes[..]].concat();
        for place in 0..bytes.len() {
            for bit in 0..8 {
                let mut damaged = line.clone();
                damaged[place] ^= 1 << bit;
                for frame in FrameDecoder::default().handle_bytes(&damaged).flatten() {
                    assert!(same(&frame, &sent), "length {length} byte {place} bit {bit}");
                }
            }
        }
    }
}
