//! Single cases, one after the other: what the controller is told when this or that happens on the line.

use device_protocols::frame::{BootId, DeviceKind, MessageId, Sequence};
use device_protocols::link::{
    Continuity, Degradation, DeviceConfig, DeviceNotice, EventId, ExpectedDevice, HostConfig, HostEvent, LinkDevice,
    LinkHost, LinkState, Loss, Millis, Mismatch, NOTICES_CAPACITY, NotSent, OUTBOX_CAPACITY,
};
use device_protocols::message::{DeviceProtocol, IdentityText, NakReason};
use device_protocols::protection::Protection;
use device_protocols::reader::{HoleCardReader, ReaderAnswer, ReaderCommand, ReaderEvent, UpCardGroup};
use device_protocols::shuffler::{Shuffler, ShufflerEvent};

use crate::world::identity;

type Reader = LinkDevice<HoleCardReader>;
type ReaderHost = LinkHost<HoleCardReader>;

fn boot(value: u32) -> BootId {
    BootId::new(value).unwrap()
}

fn host_expecting(expected: ExpectedDevice, last_durable: Option<EventId>) -> ReaderHost {
    let mut host =
        LinkHost::new(HostConfig { boot: boot(1), expected, last_durable, protection: Protection::None }, Millis(0));
    host.handle_port_opened(Millis(0));
    host
}

fn host() -> ReaderHost {
    host_expecting(ExpectedDevice::default(), None)
}

fn device<P: DeviceProtocol>(boot_id: u32) -> LinkDevice<P> {
    LinkDevice::new(DeviceConfig { boot: boot(boot_id), identity: identity(), protection: Protection::None }, Millis(0))
}

/// Carries everything both ways, at once and undamaged.
fn exchange<P: DeviceProtocol, Q: DeviceProtocol>(host: &mut LinkHost<P>, device: &mut LinkDevice<Q>, now: Millis) {
    host.handle_timeout(now);
    device.handle_timeout(now);
    for _ in 0..50 {
        let to_device = host.poll_transmit(now);
        let to_host = device.poll_transmit(now);
        if to_device.is_none() && to_host.is_none() {
            return;
        }
        device.handle_bytes(&to_device.unwrap_or_default(), now);
        host.handle_bytes(&to_host.unwrap_or_default(), now);
    }
    panic!("they never fall silent");
}

fn events<P: DeviceProtocol>(host: &mut LinkHost<P>) -> Vec<HostEvent<P>> {
    std::iter::from_fn(|| host.poll_event()).collect()
}

fn connected() -> (ReaderHost, Reader) {
    let (mut host, mut device) = (host(), device(2));
    exchange(&mut host, &mut device, Millis(0));
    assert!(matches!(events(&mut host)[..], [HostEvent::LinkUp { continuity: Continuity::FirstContact, .. }]));
    assert_eq!((host.state(), device.state()), (LinkState::Up, LinkState::Up));
    assert!(matches!(device.poll_notice(), Some(DeviceNotice::LinkUp { .. })));
    assert!(matches!(device.poll_notice(), Some(DeviceNotice::StateQueried)), "asked for STATE at once");
    (host, device)
}

#[test]
fn silence_degrades_after_one_and_a_half_seconds_and_loses_after_three() {
    let (mut host, _device) = connected();
    for (at, expected) in [
        (1_499, LinkState::Up),
        (1_500, LinkState::Degraded(Degradation::Quiet)),
        (2_999, LinkState::Degraded(Degradation::Quiet)),
        (3_000, LinkState::Lost(Loss::Silence)),
    ] {
        host.handle_timeout(Millis(at));
        assert_eq!(host.state(), expected, "at {at}");
    }
}

#[test]
fn bytes_without_frames_are_told_from_silence() {
    let (mut host, _device) = connected();
    let before = host.counts().line;
    for at in (0..=3_000).step_by(100) {
        host.handle_bytes(&[0x55; 300], Millis(at));
    }
    assert_eq!(host.state(), LinkState::Lost(Loss::Garbage));
    let after = host.counts().line;
    assert_eq!((after.frames, after.bytes), (before.frames, before.bytes + 31 * 300), "bytes arrive, frames do not");
    assert_eq!(after.oversize_faults, 1, "one endless run is one fault");
}

#[test]
fn three_damaged_frames_degrade_and_three_quiet_seconds_mend() {
    let (mut host, mut device) = connected();
    for at in [100, 200, 300] {
        host.handle_bytes(&[0x07, 0x07, 0x00], Millis(at));
    }
    assert_eq!(host.state(), LinkState::Degraded(Degradation::Damaged));
    for at in (500..=3_500).step_by(500) {
        exchange(&mut host, &mut device, Millis(at));
    }
    assert_eq!(host.state(), LinkState::Up);
    let seen = events(&mut host);
    assert!(matches!(seen[..], [HostEvent::LinkDegraded(Degradation::Damaged), HostEvent::LinkRecovered]), "{seen:?}");
}

#[test]
fn a_command_into_the_void_is_given_up_after_one_and_a_quarter_seconds() {
    let (mut host, _device) = connected();
    let id = host.send(&ReaderCommand::Arm { group: UpCardGroup::Ace }, Millis(10)).unwrap();
    let (mut sendings, mut wakes) = (0, 0);
    let mut now = Millis(10);
    while host.state().is_live() {
        while let Some(bytes) = host.poll_transmit(now) {
            sendings += usize::from(bytes.len() == 15);
        }
        wakes += 1;
        assert!(wakes < 100, "it never gives up");
        now = host.poll_deadline().unwrap();
        host.handle_timeout(now);
    }
    assert_eq!((now, sendings), (Millis(1_260), 5));
    let seen = events(&mut host);
    assert!(
        matches!(seen[..], [HostEvent::LinkDegraded(Degradation::Unanswered), HostEvent::LinkLost(Loss::NoAnswer), HostEvent::CommandUnanswered { id: given_up }] if given_up == id),
        "{seen:?}"
    );
    assert_eq!(host.send(&ReaderCommand::Disarm, now), Err(NotSent::LinkNotUp));
}

#[test]
fn a_withdrawn_command_is_not_carried_out_later() {
    let (mut host, mut device) = connected();
    host.send(&ReaderCommand::Arm { group: UpCardGroup::Ten }, Millis(10)).unwrap();
    let never_arrives = host.poll_transmit(Millis(10));
    assert!(never_arrives.is_some());
    host.handle_port_closed(Millis(20));
    host.handle_port_opened(Millis(5_000));
    exchange(&mut host, &mut device, Millis(5_000));
    assert_eq!(host.state(), LinkState::Up);
    host.send(&ReaderCommand::Disarm, Millis(5_010)).unwrap();
    exchange(&mut host, &mut device, Millis(5_010));
    let commands: Vec<_> = std::iter::from_fn(|| device.poll_notice())
        .filter_map(|notice| match notice {
            DeviceNotice::Command { command, .. } => Some(command),
            DeviceNotice::LinkUp { .. }
            | DeviceNotice::LinkLost(_)
            | DeviceNotice::StateQueried
            | DeviceNotice::Paired { .. }
            | DeviceNotice::EventDurable { .. }
            | DeviceNotice::EventRefused { .. } => None,
        })
        .collect();
    assert_eq!(commands, [ReaderCommand::Disarm]);
}

#[test]
fn a_device_of_another_kind_is_named_and_the_right_one_is_taken_when_it_comes() {
    let mut host = host();
    let mut shuffler: LinkDevice<Shuffler> = device(9);
    exchange(&mut host, &mut shuffler, Millis(0));
    assert_eq!(host.state(), LinkState::WrongDevice);
    let seen = events(&mut host);
    assert!(
        matches!(seen[..], [HostEvent::WrongDevice(Mismatch::Kind { found: DeviceKind::Shuffler })]),
        "said once: {seen:?}"
    );
    let mut reader: Reader = device(2);
    exchange(&mut host, &mut reader, Millis(1_000));
    assert_eq!(host.state(), LinkState::Up);
}

#[test]
fn an_exchanged_unit_with_another_serial_number_gets_no_session() {
    let expected = ExpectedDevice { model: None, serial: IdentityText::new("S2") };
    let mut host = host_expecting(expected, None);
    let mut reader: Reader = device(2);
    reader.send(&ReaderEvent::CardRemoved, Millis(0)).unwrap();
    exchange(&mut host, &mut reader, Millis(0));
    assert_eq!(host.state(), LinkState::WrongDevice);
    let seen = events(&mut host);
    let found = IdentityText::new("S1").unwrap();
    assert!(
        matches!(&seen[..], [HostEvent::WrongDevice(Mismatch::Serial { found: serial })] if *serial == found),
        "and none of its events: {seen:?}"
    );
}

#[test]
fn our_own_frames_coming_back_are_not_a_device() {
    let mut host = host();
    for at in (0..6_000).step_by(500) {
        while let Some(bytes) = host.poll_transmit(Millis(at)) {
            host.handle_bytes(&bytes, Millis(at));
        }
        host.handle_timeout(Millis(at));
    }
    assert!(!host.state().is_live());
    assert!(host.counts().echoes >= 10);
}

#[test]
fn unplugged_and_replugged_a_hundred_times_nothing_is_lost_or_doubled() {
    let (mut host, mut device) = connected();
    let mut delivered = Vec::new();
    for round in 1..=100 {
        let now = Millis(round * 10_000);
        device.send(&ReaderEvent::CardRemoved, now).unwrap();
        host.handle_port_closed(now);
        assert_eq!(host.poll_deadline(), None, "a closed port wakes nobody");
        assert!(host.poll_transmit(now).is_none());
        device.handle_timeout(now + 4_000);
        host.handle_port_opened(now + 4_000);
        for step in 0..4 {
            exchange(&mut host, &mut device, now + 4_000 + step * 300);
            for event in events(&mut host) {
                if let HostEvent::Device { id, .. } = event {
                    delivered.push(id.sequence.value());
                    host.acknowledge(id, now + 4_000 + step * 300);
                }
            }
        }
        while device.poll_notice().is_some() {}
        assert_eq!(host.state(), LinkState::Up, "round {round}");
    }
    assert_eq!(delivered, (1..=100).collect::<Vec<_>>());
}

#[test]
fn events_that_our_journal_lost_are_missed_loudly() {
    let (mut first, mut reader) = connected();
    for _ in 0..3 {
        reader.send(&ReaderEvent::CardRemoved, Millis(10)).unwrap();
        exchange(&mut first, &mut reader, Millis(10));
        for event in events(&mut first) {
            if let HostEvent::Device { id, .. } = event {
                first.acknowledge(id, Millis(10));
            }
        }
        exchange(&mut first, &mut reader, Millis(10));
    }
    // A controller comes up whose journal ends at the first of the three.
    let stale = MessageId { boot: boot(2), sequence: Sequence::FIRST };
    let config = HostConfig {
        boot: boot(7),
        expected: ExpectedDevice::default(),
        last_durable: Some(stale),
        protection: Protection::None,
    };
    let mut second: ReaderHost = LinkHost::new(config, Millis(20));
    second.handle_port_opened(Millis(20));
    exchange(&mut second, &mut reader, Millis(20));
    let seen = events(&mut second);
    let missing = seen.iter().any(|event| {
        matches!(event, HostEvent::EventsMissing { expected, found } if (expected.value(), found.value()) == (2, 4))
    });
    assert!(missing, "{seen:?}");
}

#[test]
fn a_refused_command_comes_back_with_its_reason() {
    let (mut host, mut device) = connected();
    let sent = host.send(&ReaderCommand::CycleLamps, Millis(10)).unwrap();
    exchange(&mut host, &mut device, Millis(10));
    let Some(DeviceNotice::Command { id, command: ReaderCommand::CycleLamps }) = device.poll_notice() else {
        panic!("the command arrived")
    };
    assert!(device.refuse(id, NakReason::NotInTestMode, Millis(20)));
    exchange(&mut host, &mut device, Millis(20));
    let seen = events(&mut host);
    assert!(
        matches!(seen[..], [HostEvent::CommandRefused { id, reason: NakReason::NotInTestMode }] if id == sent),
        "{seen:?}"
    );
}

/// A device with newer firmware than ours: the same kind, one event more.
#[derive(Debug)]
enum NewerReader {}

impl DeviceProtocol for NewerReader {
    const KIND: DeviceKind = DeviceKind::HoleCardReader;
    type Command = ReaderCommand;
    type Event = u8;

    fn encode_command(command: &ReaderCommand) -> device_protocols::message::Body {
        HoleCardReader::encode_command(command)
    }

    fn decode_command(
        body: &device_protocols::message::Body,
    ) -> Result<ReaderCommand, device_protocols::message::BodyFault> {
        HoleCardReader::decode_command(body)
    }

    fn encode_event(event: &u8) -> device_protocols::message::Body {
        device_protocols::message::Body {
            message_type: device_protocols::frame::MessageType::new(0x2F),
            payload: device_protocols::frame::Payload::new(&[*event]).unwrap(),
        }
    }

    fn decode_event(body: &device_protocols::message::Body) -> Result<u8, device_protocols::message::BodyFault> {
        Ok(body.payload.bytes().first().copied().unwrap_or(0))
    }
}

#[test]
fn an_event_we_do_not_know_is_refused_once_and_does_not_block_the_line() {
    let mut host = host();
    let mut newer: LinkDevice<NewerReader> = device(2);
    newer.send(&5, Millis(0)).unwrap();
    newer.send(&6, Millis(0)).unwrap();
    exchange(&mut host, &mut newer, Millis(0));
    let refusals = std::iter::from_fn(|| newer.poll_notice())
        .filter(|notice| matches!(notice, DeviceNotice::EventRefused { reason: NakReason::UnknownType, .. }))
        .count();
    assert_eq!((refusals, newer.events_waiting()), (2, 0));
    assert_eq!(host.counts().not_understood, 2);
    assert_eq!(host.state(), LinkState::Up);
}

#[test]
fn a_controller_that_collects_nothing_is_not_buried() {
    let (mut host, mut device) = connected();
    for round in 0..500_u64 {
        let now = Millis(1_000 + round * 4_000);
        host.handle_port_closed(now);
        host.handle_port_opened(now + 100);
        device.handle_timeout(now + 100);
        exchange(&mut host, &mut device, now + 100);
        let _ = device.send(&ReaderEvent::CardRemoved, now + 100);
        exchange(&mut host, &mut device, now + 200);
    }
    assert!(host.counts().notices_dropped > 0);
    assert!(device.events_waiting() <= OUTBOX_CAPACITY);
    assert!(events(&mut host).len() <= NOTICES_CAPACITY);
}

#[test]
fn an_idle_link_wakes_a_handful_of_times_a_second() {
    let (mut host, mut device) = connected();
    let mut wakes = 0;
    let mut now = Millis(0);
    while now < Millis(60_000) {
        exchange(&mut host, &mut device, now);
        now = host.poll_deadline().unwrap().min(device.poll_deadline().unwrap());
        wakes += 1;
    }
    assert!(wakes <= 60 * 2, "{wakes} wakes in a minute");
    assert_eq!(host.state(), LinkState::Up);
}

#[test]
fn sequence_numbers_wrap_without_a_hitch() {
    let mut host: LinkHost<Shuffler> = LinkHost::new(
        HostConfig {
            boot: boot(1),
            expected: ExpectedDevice::default(),
            last_durable: None,
            protection: Protection::None,
        },
        Millis(0),
    );
    host.handle_port_opened(Millis(0));
    let mut shuffler: LinkDevice<Shuffler> = device(2);
    exchange(&mut host, &mut shuffler, Millis(0));
    let mut delivered = 0_u32;
    for _ in 0..66_000 {
        shuffler.send(&ShufflerEvent::DoorOpened, Millis(1)).unwrap();
        exchange(&mut host, &mut shuffler, Millis(1));
        for event in events(&mut host) {
            if let HostEvent::Device { id, .. } = event {
                delivered += 1;
                assert!(host.acknowledge(id, Millis(1)));
            } else {
                assert!(matches!(event, HostEvent::LinkUp { .. }), "{event:?}");
            }
        }
        exchange(&mut host, &mut shuffler, Millis(1));
        while shuffler.poll_notice().is_some() {}
    }
    assert_eq!((delivered, shuffler.events_waiting()), (66_000, 0));
}

#[test]
fn an_answer_given_while_the_controller_restarts_arrives_once() {
    let (mut first, mut reader) = connected();
    let answered = ReaderEvent::Answered { group: UpCardGroup::Ace, answer: ReaderAnswer::Yes };
    reader.send(&answered, Millis(10)).unwrap();
    exchange(&mut first, &mut reader, Millis(10));
    let Some(HostEvent::Device { id, .. }) = first.poll_event() else { panic!("delivered") };
    // It became durable, and then the controller died before it could say so.
    drop(first);
    let config = HostConfig {
        boot: boot(3),
        expected: ExpectedDevice::default(),
        last_durable: Some(id),
        protection: Protection::None,
    };
    let mut second: ReaderHost = LinkHost::new(config, Millis(20));
    second.handle_port_opened(Millis(20));
    exchange(&mut second, &mut reader, Millis(20));
    exchange(&mut second, &mut reader, Millis(270));
    let seen = events(&mut second);
    assert!(matches!(seen[..], [HostEvent::LinkUp { continuity: Continuity::SameBoot, .. }]), "{seen:?}");
    assert_eq!(reader.events_waiting(), 0, "acknowledged from the journal");
}

#[test]
fn an_answer_to_somebody_elses_greeting_opens_no_session() {
    // The controller that died a moment ago had greeted a device that has been exchanged since.
    let config = HostConfig {
        boot: boot(77),
        expected: ExpectedDevice::default(),
        last_durable: None,
        protection: Protection::None,
    };
    let mut dead: ReaderHost = LinkHost::new(config, Millis(0));
    dead.handle_port_opened(Millis(0));
    let mut gone: Reader = device(66);
    gone.handle_bytes(&dead.poll_transmit(Millis(0)).unwrap(), Millis(0));
    let stale = gone.poll_transmit(Millis(0)).unwrap();

    let mut host = host();
    assert!(host.poll_transmit(Millis(0)).is_some(), "it has greeted");
    host.handle_bytes(&stale, Millis(1));
    assert_eq!(host.state(), LinkState::Down);
    assert!(events(&mut host).is_empty());
}
