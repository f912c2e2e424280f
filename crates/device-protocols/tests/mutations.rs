//! Hostile bytes into every decoder of the line: the worked examples of the documents as the corpus, changed by dice with a
//! fixed seed. Whatever comes, nothing panics, nothing grows, nothing spins; and a paired link believes none of it.
#![expect(clippy::unwrap_used, reason = "a test that cannot build its example should stop")]

use std::fs;
use std::path::Path;

use device_protocols::angel_eye::AngelLineDecoder;
use device_protocols::describe::Described;
use device_protocols::frame::{BootId, DeviceKind, ENCODED_LENGTH_MAX, FrameDecoder};
use device_protocols::link::{DeviceConfig, ExpectedDevice, HostConfig, HostEvent, LinkDevice, LinkHost, Millis};
use device_protocols::mask::{TrafficMask, Watching};
use device_protocols::message::{Capabilities, DeviceIdentity, DeviceProtocol, IdentityText};
use device_protocols::protection::{PairKeys, Paired, Protection, Seed};
use device_protocols::reader::HoleCardReader;
use device_protocols::shoe::Shoe;
use device_protocols::shuffler::Shuffler;

const ROUNDS: u64 = 3_000;

/// SplitMix64, so that a failing round stays one.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.roll() % (limit.max(1) as u64)).unwrap()
    }
}

/// Every block fenced as `hex` of every document.
fn corpus() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/protocols");
    let mut pages: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    pages.sort();
    let mut found = Vec::new();
    for page in pages {
        let text = fs::read_to_string(page).unwrap();
        for block in text.split("```hex ").skip(1) {
            let body = block.split_once('\n').unwrap().1.split("```").next().unwrap();
            found.push(body.split_whitespace().map(|byte| u8::from_str_radix(byte, 16).unwrap()).collect());
        }
    }
    found
}

/// One or several examples after one another, with bits, bytes and whole pieces changed; every second time with the
/// checksum put right, so that what lies behind it is reached too.
fn mutated(corpus: &[Vec<u8>], dice: &mut Dice) -> Vec<u8> {
    let mut bytes = Vec::new();
    for _ in 0..=dice.below(3) {
        let mut one = corpus[dice.below(corpus.len())].clone();
        let whole = dice.below(2) == 0 && one.first() == Some(&0) && one.last() == Some(&0) && one.len() > 5;
        if whole {
            let mut plain = one[1..one.len() - 1].to_vec();
            if let Ok(length) = cobs::decode_in_place(&mut plain) {
                plain.truncate(length.saturating_sub(2));
                change(&mut plain, dice);
                let crc = crc::Crc::<u16>::new(&crc::CRC_16_IBM_3740).checksum(&plain);
                plain.extend(crc.to_le_bytes());
                let mut encoded = vec![0; cobs::max_encoding_length(plain.len()) + 2];
                let length = cobs::encode(&plain, &mut encoded[1..]);
                encoded.truncate(length + 2);
                one = encoded;
            }
        } else {
            change(&mut one, dice);
        }
        bytes.extend(one);
    }
    bytes
}

fn change(bytes: &mut Vec<u8>, dice: &mut Dice) {
    for _ in 0..dice.below(4) {
        let place = dice.below(bytes.len());
        match dice.below(6) {
            0 if !bytes.is_empty() => bytes[place] ^= 1 << dice.below(8),
            1 if !bytes.is_empty() => bytes[place] = [0, 1, 0x7F, 0x80, 0xFF][dice.below(5)],
            2 => bytes.truncate(place),
            3 if !bytes.is_empty() => drop(bytes.remove(place)),
            4 => bytes.insert(place.min(bytes.len()), u8::try_from(dice.below(256)).unwrap()),
            _ => bytes.extend_from_within(place.min(bytes.len())..),
        }
    }
    bytes.truncate(4 * ENCODED_LENGTH_MAX);
}

#[test]
fn decoders_masks_and_descriptions_take_everything() {
    let corpus = corpus();
    assert!(corpus.len() > 60, "{} examples", corpus.len());
    let mut dice = Dice(0x5EED);
    let mut frames = 0;
    for _ in 0..ROUNDS {
        let bytes = mutated(&corpus, &mut dice);
        let mut decoder = FrameDecoder::default();
        for byte in &bytes {
            frames += usize::from(decoder.handle_wire_byte(*byte).is_some_and(|found| found.is_ok()));
            assert!(decoder.buffered() <= ENCODED_LENGTH_MAX);
        }
        for kind in DeviceKind::ALL {
            for run in TrafficMask::new(kind).handle_bytes(&bytes, Watching::InService) {
                let _described = Described::of(&run);
                assert!(!run.to_string().is_empty());
            }
        }
        let mut angel = AngelLineDecoder::default();
        for byte in &bytes {
            let _found = angel.handle_byte(*byte);
        }
    }
    assert!(frames > 1_000, "what lies behind the checksum was reached: {frames}");
}

fn identity() -> DeviceIdentity {
    let text = IdentityText::new("X").unwrap();
    DeviceIdentity { model: text.clone(), serial: text, firmware_hash: [0; 32], capabilities: Capabilities::default() }
}

/// Both ends of a link that is up, fed with hostile bytes; gives how many events the controller's end believed.
fn attacked<P: DeviceProtocol>(corpus: &[Vec<u8>], protections: (Protection, Protection), dice: &mut Dice) -> usize {
    let boot = |value| BootId::new(value).unwrap();
    let expected = ExpectedDevice::default();
    let config = HostConfig { boot: boot(0x0C0F_FEE1), expected, last_durable: None, protection: protections.0 };
    let mut host = LinkHost::<P>::new(config, Millis(0));
    let config = DeviceConfig { boot: boot(0xB007_CAFE), identity: identity(), protection: protections.1 };
    let mut device = LinkDevice::<P>::new(config, Millis(0));
    host.handle_port_opened(Millis(0));
    host.allow_pairing(true);
    let mut now = Millis(0);
    let mut believed = 0;
    for _ in 0..20 {
        for _ in 0..6 {
            let (to_device, to_host) = (host.poll_transmit(now), device.poll_transmit(now));
            device.handle_bytes(&to_device.unwrap_or_default(), now);
            host.handle_bytes(&to_host.unwrap_or_default(), now);
        }
        let bytes = mutated(corpus, dice);
        host.handle_bytes(&bytes, now);
        device.handle_bytes(&bytes, now);
        now = now + dice.roll() % 700;
        host.handle_timeout(now);
        device.handle_timeout(now);
        let said = [
            std::iter::from_fn(|| host.poll_transmit(now)).take(200).count(),
            std::iter::from_fn(|| device.poll_transmit(now)).take(200).count(),
        ];
        assert!(said.iter().all(|count| *count < 200), "polling ends");
        assert!(host.poll_deadline().unwrap() > now && device.poll_deadline().unwrap() > now, "nobody spins");
        let events = std::iter::from_fn(|| host.poll_event());
        believed += events.filter(|event| matches!(event, HostEvent::Device { .. })).count();
        while device.poll_notice().is_some() {}
    }
    believed
}

#[test]
fn links_of_both_versions_take_everything_and_a_paired_one_believes_nothing() {
    let corpus = corpus();
    let mut dice = Dice(0xC0DE);
    let paired = || {
        let (controller, device) = PairKeys::of_two(&[0x44; 32], &[0x55; 32]);
        let seed = |byte| Seed::new([byte; 32]);
        let of = |keys, byte| Protection::Paired(Paired { keys, seed: seed(byte) });
        (of(controller, 1), of(device, 2))
    };
    let open = || (Protection::None, Protection::None);
    let mut in_the_clear = 0;
    for _ in 0..40 {
        in_the_clear += attacked::<HoleCardReader>(&corpus, open(), &mut dice);
        in_the_clear += attacked::<Shuffler>(&corpus, open(), &mut dice);
        in_the_clear += attacked::<Shoe>(&corpus, open(), &mut dice);
        let believed = attacked::<HoleCardReader>(&corpus, paired(), &mut dice)
            + attacked::<Shuffler>(&corpus, paired(), &mut dice)
            + attacked::<Shoe>(&corpus, paired(), &mut dice);
        assert_eq!(believed, 0);
    }
    assert!(in_the_clear > 0, "the same bytes are believed in the clear: {in_the_clear}");
}
