//! How a device and a table come to be paired, what people see of it, and somebody in the middle.

use device_protocols::frame::BootId;
use device_protocols::link::{
    DeviceConfig, DeviceNotice, ExpectedDevice, HostConfig, LinkDevice, LinkHost, LinkState, Millis,
};
use device_protocols::protection::pairing::WILLING_FOR_MS;
use device_protocols::protection::{PairKeys, Paired, Protection, Seed};
use device_protocols::reader::HoleCardReader;

use crate::world::identity;

type Host = LinkHost<HoleCardReader>;
type Device = LinkDevice<HoleCardReader>;

/// A table that is to be paired and has nobody's keys yet.
fn table(seed: u8) -> Host {
    let seed = Seed::new([seed; 32]);
    let protection = Protection::Paired(Paired { keys: PairKeys::of_nobody(&seed), seed });
    let boot = BootId::new(1).unwrap();
    let expected = ExpectedDevice::default();
    let mut host = LinkHost::new(HostConfig { boot, expected, last_durable: None, protection }, Millis(0));
    host.handle_port_opened(Millis(0));
    host
}

/// As it comes out of its box.
fn device() -> Device {
    let boot = BootId::new(2).unwrap();
    LinkDevice::new(DeviceConfig { boot, identity: identity(), protection: Protection::None }, Millis(0))
}

fn exchange(host: &mut Host, device: &mut Device, now: Millis) {
    host.handle_timeout(now);
    device.handle_timeout(now);
    for _ in 0..50 {
        let (to_device, to_host) = (host.poll_transmit(now), device.poll_transmit(now));
        if to_device.is_none() && to_host.is_none() {
            return;
        }
        device.handle_bytes(&to_device.unwrap_or_default(), now);
        host.handle_bytes(&to_host.unwrap_or_default(), now);
    }
    panic!("they never fall silent");
}

fn kept(device: &mut Device) -> Option<PairKeys> {
    std::iter::from_fn(|| device.poll_notice())
        .find_map(|notice| if let DeviceNotice::Paired { keys } = notice { Some(keys) } else { None })
}

#[test]
fn a_device_and_a_table_are_paired_when_the_people_say_that_the_codes_are_one() {
    let (mut host, mut device) = (table(0xA1), device());
    exchange(&mut host, &mut device, Millis(0));
    assert_eq!(host.state(), LinkState::WrongDevice, "it speaks in the clear, and nobody listens");
    host.allow_pairing(true);
    device.open_pairing(Seed::new([0xD1; 32]), Millis(100));
    exchange(&mut host, &mut device, Millis(100));
    let offer = host.pairing_offer().unwrap().clone();
    let shown = device.pairing_code().unwrap();
    assert_eq!(offer.code, shown);
    let text = shown.to_string();
    assert_eq!(text.len(), 24, "{text}");
    assert!(offer.code.is(&text) && offer.code.is(&text.replace(' ', "")) && !offer.code.is("1234"));
    // Nothing is agreed before the people say so.
    assert!(kept(&mut device).is_none() && !host.state().is_live());
    host.set_keys(offer.keys, Millis(200));
    exchange(&mut host, &mut device, Millis(200));
    assert_eq!((host.state(), device.state()), (LinkState::Up, LinkState::Up));
    let keys = kept(&mut device).unwrap();
    // After a loss of power the device comes back with what it kept.
    let protection = Protection::Paired(Paired { keys, seed: Seed::new([0xD2; 32]) });
    let boot = BootId::new(3).unwrap();
    let mut device = LinkDevice::new(DeviceConfig { boot, identity: identity(), protection }, Millis(300));
    exchange(&mut host, &mut device, Millis(300));
    assert_eq!((host.state(), device.state()), (LinkState::Up, LinkState::Up));
}

#[test]
fn lost_messages_and_repeats_come_to_the_same_code() {
    for lost in 0..12 {
        let (mut host, mut device) = (table(0xA1), device());
        host.allow_pairing(true);
        device.open_pairing(Seed::new([0xD1; 32]), Millis(0));
        let mut carried = 0;
        for step in 0..40 {
            let now = Millis(step * 250);
            host.handle_timeout(now);
            device.handle_timeout(now);
            let (to_device, to_host): (Vec<_>, Vec<_>) = (
                std::iter::from_fn(|| host.poll_transmit(now)).collect(),
                std::iter::from_fn(|| device.poll_transmit(now)).collect(),
            );
            for bytes in to_device {
                carried += 1;
                if carried != lost {
                    device.handle_bytes(&bytes, now);
                }
            }
            for bytes in to_host {
                carried += 1;
                if carried != lost {
                    host.handle_bytes(&bytes, now);
                    host.handle_bytes(&bytes, now);
                }
            }
        }
        let code = host.pairing_offer().map(|offer| offer.code);
        assert!(code.is_some() && code == device.pairing_code(), "{lost}: {code:?}");
    }
}

#[test]
fn somebody_in_the_middle_of_a_pairing_shows_in_the_codes() {
    let (mut host, mut device) = (table(0xA1), device());
    let (mut as_device, mut as_table) = (self::device(), table(0xE1));
    host.allow_pairing(true);
    as_table.allow_pairing(true);
    device.open_pairing(Seed::new([0xD1; 32]), Millis(0));
    as_device.open_pairing(Seed::new([0xE2; 32]), Millis(0));
    exchange(&mut host, &mut as_device, Millis(0));
    exchange(&mut as_table, &mut device, Millis(0));
    assert_ne!(host.pairing_offer().unwrap().code, device.pairing_code().unwrap());
}

#[test]
fn nobody_is_paired_outside_of_service_or_without_the_button() {
    let (mut host, mut device) = (table(0xA1), device());
    device.open_pairing(Seed::new([0xD1; 32]), Millis(0));
    exchange(&mut host, &mut device, Millis(0));
    assert!(host.pairing_offer().is_none(), "not in service");
    host.allow_pairing(true);
    exchange(&mut host, &mut device, Millis(WILLING_FOR_MS));
    assert!(host.pairing_offer().is_none(), "the button was pressed too long ago");
    let (mut host, mut device) = (table(0xA1), self::device());
    host.allow_pairing(true);
    exchange(&mut host, &mut device, Millis(0));
    assert!(host.pairing_offer().is_none(), "nobody pressed the button");
    // An offer goes with the service mode.
    device.open_pairing(Seed::new([0xD1; 32]), Millis(10));
    exchange(&mut host, &mut device, Millis(10));
    assert!(host.pairing_offer().is_some());
    host.allow_pairing(false);
    assert!(host.pairing_offer().is_none());
}

#[test]
fn a_paired_device_is_taken_over_by_the_table_that_it_is_paired_with_anew() {
    let (mut first, mut second, mut device) = (table(0xA1), table(0xB1), device());
    let mut now = Millis(0);
    for host in [&mut first, &mut second] {
        now = now + 1_000;
        host.allow_pairing(true);
        device.open_pairing(Seed::new([u8::try_from(now.0 / 1_000).unwrap(); 32]), now);
        exchange(host, &mut device, now);
        let keys = host.pairing_offer().unwrap().keys.clone();
        host.set_keys(keys, now);
        exchange(host, &mut device, now);
        assert_eq!((host.state(), device.state()), (LinkState::Up, LinkState::Up));
        host.handle_port_closed(now);
    }
    // The first table has nothing to say to it any more.
    first.handle_port_opened(now);
    exchange(&mut first, &mut device, now + 10_000);
    assert!(!first.state().is_live());
}

#[test]
fn a_button_pressed_again_in_the_middle_begins_a_new_pairing() {
    for carried in 1..8 {
        let (mut host, mut device) = (table(0xA1), device());
        host.allow_pairing(true);
        device.open_pairing(Seed::new([0xD1; 32]), Millis(0));
        for step in 0..carried {
            let bytes = if step % 2 == 0 { device.poll_transmit(Millis(0)) } else { host.poll_transmit(Millis(0)) };
            let bytes = bytes.unwrap_or_default();
            if step % 2 == 0 {
                host.handle_bytes(&bytes, Millis(0));
            } else {
                device.handle_bytes(&bytes, Millis(0));
            }
        }
        device.open_pairing(Seed::new([0xD9; 32]), Millis(600));
        exchange(&mut host, &mut device, Millis(600));
        exchange(&mut host, &mut device, Millis(1_700));
        let code = host.pairing_offer().map(|offer| offer.code);
        assert!(code.is_some() && code == device.pairing_code(), "{carried}: {code:?}");
    }
}
