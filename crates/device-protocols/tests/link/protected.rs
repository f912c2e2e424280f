//! A paired link, case by case: what somebody with a cable can do to it, and what they could do to one in the clear.

use device_protocols::frame::BootId;
use device_protocols::link::{
    Continuity, DeviceConfig, DeviceNotice, ExpectedDevice, HostConfig, HostEvent, LinkDevice, LinkHost, LinkState,
    Millis, Mismatch,
};
use device_protocols::protection::{PairKeys, Paired, Protection, Seed};
use device_protocols::shuffler::{BatchColour, CardCount, ExpectedCount, Shuffler, ShufflerCommand, ShufflerEvent};

use crate::line::{Dice, tampered};
use crate::world::{Version, identity, protections};

type Host = LinkHost<Shuffler>;
type Device = LinkDevice<Shuffler>;

fn boot(value: u32) -> BootId {
    BootId::new(value).unwrap()
}

fn host(protection: Protection) -> Host {
    let expected = ExpectedDevice::default();
    let mut host = LinkHost::new(HostConfig { boot: boot(1), expected, last_durable: None, protection }, Millis(0));
    host.handle_port_opened(Millis(0));
    host
}

fn device(boot_id: u32, protection: Protection) -> Device {
    LinkDevice::new(DeviceConfig { boot: boot(boot_id), identity: identity(), protection }, Millis(0))
}

fn ends(version: Version) -> (Host, Device) {
    (host(protections(version, boot(1)).0), device(2, protections(version, boot(2)).1))
}

/// Carries everything both ways and gives what went from the device, frame by frame.
fn exchange(host: &mut Host, device: &mut Device, now: Millis) -> Vec<Vec<u8>> {
    let mut heard = Vec::new();
    host.handle_timeout(now);
    device.handle_timeout(now);
    for _ in 0..50 {
        let (to_device, to_host) = (host.poll_transmit(now), device.poll_transmit(now));
        if to_device.is_none() && to_host.is_none() {
            return heard;
        }
        device.handle_bytes(&to_device.unwrap_or_default(), now);
        if let Some(bytes) = to_host {
            host.handle_bytes(&bytes, now);
            heard.push(bytes.to_vec());
        }
    }
    panic!("they never fall silent");
}

fn counted(number: u16) -> ShufflerEvent {
    let count = CardCount { counted: number, expected: ExpectedCount::new(312).unwrap() };
    ShufflerEvent::Counted { count, colour: BatchColour::Blue }
}

fn numbers(host: &mut Host) -> Vec<u16> {
    let events = std::iter::from_fn(|| host.poll_event());
    let number = |event| {
        let lost = matches!(event, HostEvent::EventsMissing { .. } | HostEvent::NotUnderstood { .. });
        assert!(!lost, "{event:?}");
        if let HostEvent::Device { event: ShufflerEvent::Counted { count, .. }, .. } = event {
            Some(count.counted)
        } else {
            None
        }
    };
    events.into_iter().filter_map(number).collect()
}

/// The frame that the device sends next, taken off the line.
fn caught(device: &mut Device, now: Millis) -> Vec<u8> {
    device.poll_transmit(now).unwrap().to_vec()
}

#[test]
fn a_rewritten_event_is_believed_in_the_clear_and_turned_away_when_paired() {
    for version in [Version::Open, Version::Paired] {
        let mut believed = 0;
        for seed in 0..200 {
            let (mut host, mut device) = ends(version);
            exchange(&mut host, &mut device, Millis(0));
            numbers(&mut host);
            device.send(&counted(40), Millis(10)).unwrap();
            let rewritten = tampered(&caught(&mut device, Millis(10)), &mut Dice::new(seed));
            host.handle_bytes(&rewritten, Millis(10));
            believed += std::iter::from_fn(|| host.poll_event())
                .filter(|event| matches!(event, HostEvent::Device { event: ShufflerEvent::Counted { .. }, .. }))
                .count();
        }
        match version {
            Version::Open => assert!(believed > 20, "{believed}"),
            Version::Paired => assert_eq!(believed, 0),
        }
    }
}

#[test]
fn a_command_that_was_recorded_is_carried_out_once_whatever_comes_between() {
    let (mut host, mut device) = ends(Version::Paired);
    exchange(&mut host, &mut device, Millis(0));
    let command = ShufflerCommand::Shuffle { colour: BatchColour::Red, expected: ExpectedCount::new(288).unwrap() };
    host.send(&command, Millis(10)).unwrap();
    let recorded = host.poll_transmit(Millis(10)).unwrap();
    let mut carried_out = 0;
    let mut now = Millis(10);
    device.handle_bytes(&recorded, now);
    for round in 0..6 {
        // Again at once, after a restart of the controller, and after one of the device.
        match round {
            2 => host = self::host(protections(Version::Paired, boot(7)).0),
            4 => device = self::device(9, protections(Version::Paired, boot(9)).1),
            _ => {}
        }
        now = now + 300;
        exchange(&mut host, &mut device, now);
        device.handle_bytes(&recorded, now);
        while let Some(notice) = device.poll_notice() {
            if let DeviceNotice::Command { id, .. } = notice {
                carried_out += 1;
                device.acknowledge(id, now);
            }
        }
        exchange(&mut host, &mut device, now);
    }
    assert_eq!(carried_out, 1);
    assert!(device.counts().turned_away > 0);
}

#[test]
fn a_recorded_greeting_opens_no_session_and_ends_none() {
    let (mut host, mut device) = ends(Version::Paired);
    let recorded = host.poll_transmit(Millis(0)).unwrap();
    device.handle_bytes(&recorded, Millis(0));
    exchange(&mut host, &mut device, Millis(0));
    assert_eq!((host.state(), device.state()), (LinkState::Up, LinkState::Up));
    // To the same device it is answered and leads nowhere; its session goes on.
    device.handle_bytes(&recorded, Millis(50));
    device.send(&counted(1), Millis(60)).unwrap();
    exchange(&mut host, &mut device, Millis(60));
    assert_eq!(numbers(&mut host), [1]);
    // To the device after a restart it is answered, and still nobody is there.
    let mut restarted = self::device(9, protections(Version::Paired, boot(9)).1);
    restarted.handle_bytes(&recorded, Millis(100));
    while restarted.poll_transmit(Millis(100)).is_some() {}
    assert_eq!(restarted.state(), LinkState::Down);
    assert!(restarted.poll_notice().is_none());
}

#[test]
fn a_restart_of_either_side_makes_a_new_session_under_new_keys() {
    let (mut host, mut device) = ends(Version::Paired);
    let before = exchange(&mut host, &mut device, Millis(0));
    device = self::device(9, protections(Version::Paired, boot(9)).1);
    exchange(&mut host, &mut device, Millis(20));
    let restarted = |event| matches!(event, HostEvent::LinkBack { continuity: Continuity::Restarted, .. });
    assert!(std::iter::from_fn(|| host.poll_event()).any(restarted));
    for frame in &before {
        host.handle_bytes(frame, Millis(30));
    }
    assert!(numbers(&mut host).is_empty());
    assert_eq!(host.state(), LinkState::Up);
}

#[test]
fn ends_that_are_not_paired_with_one_another_say_so_and_never_speak_in_the_clear() {
    let (paired_host, paired_device) =
        (protections(Version::Paired, boot(1)).0, protections(Version::Paired, boot(2)).1);
    let stranger = || {
        let (_, keys) = PairKeys::of_two(&[0x44; 32], &[0x55; 32]);
        Protection::Paired(Paired { keys, seed: Seed::new([0x66; 32]) })
    };
    let cases = [
        ("the device is paired with another table", paired_host.clone(), stranger()),
        ("the device speaks in the clear", paired_host, Protection::None),
        ("the table speaks in the clear", Protection::None, paired_device),
    ];
    for (what, of_host, of_device) in cases {
        let (mut host, mut device) = (host(of_host), device(2, of_device));
        for step in 0..8 {
            exchange(&mut host, &mut device, Millis(step * 500));
        }
        assert_eq!(host.state(), LinkState::WrongDevice, "{what}");
        let told = std::iter::from_fn(|| host.poll_event())
            .filter(|event| matches!(event, HostEvent::WrongDevice(Mismatch::NotPaired)))
            .count();
        assert_eq!(told, 1, "{what}");
        assert!(!device.state().is_live(), "{what}");
    }
}

#[test]
fn what_nobody_vouches_for_does_not_end_a_session() {
    let (mut host, mut device) = ends(Version::Paired);
    exchange(&mut host, &mut device, Millis(0));
    let (_, mut in_the_clear) = ends(Version::Open);
    let hello = in_the_clear.poll_transmit(Millis(0)).unwrap();
    // A device of another pairing says that it cannot read the greeting.
    let mut other = self::device(8, {
        let (_, keys) = PairKeys::of_two(&[0x44; 32], &[0x55; 32]);
        Protection::Paired(Paired { keys, seed: Seed::new([0x66; 32]) })
    });
    let (mut greeter, _) = ends(Version::Paired);
    other.handle_bytes(&greeter.poll_transmit(Millis(0)).unwrap(), Millis(0));
    let unreadable = other.poll_transmit(Millis(0)).unwrap();
    for forged in [&hello, &unreadable] {
        host.handle_bytes(forged, Millis(20));
        assert_eq!(host.state(), LinkState::Up);
    }
    device.send(&counted(3), Millis(30)).unwrap();
    exchange(&mut host, &mut device, Millis(30));
    assert_eq!(numbers(&mut host), [3]);
}

#[test]
fn a_slow_answer_is_still_an_answer_and_two_of_them_are_one_session() {
    let (mut host, mut device) = ends(Version::Paired);
    let first = host.poll_transmit(Millis(0)).unwrap();
    host.handle_timeout(Millis(500));
    let second = host.poll_transmit(Millis(500)).unwrap();
    assert_eq!(*first, *second, "the same question is asked again");
    device.handle_bytes(&first, Millis(600));
    device.handle_bytes(&second, Millis(600));
    let said: Vec<_> = std::iter::from_fn(|| device.poll_transmit(Millis(600))).collect();
    for bytes in &said {
        host.handle_bytes(bytes, Millis(1_200));
    }
    exchange(&mut host, &mut device, Millis(1_200));
    assert_eq!((host.state(), device.state()), (LinkState::Up, LinkState::Up));
}
