//! Golden bytes of what all devices share. If one fails, the code is wrong.

use device_protocols::frame::{BootId, Direction, MessageId, Sequence};
use device_protocols::message::{
    Capabilities, Control, ControllerHello, DeviceHello, DeviceIdentity, IdentityText, NakReason,
};

use crate::support::{CONTROLLER_BOOT, DEVICE_BOOT, Vector, codes};

fn sequence(value: u16) -> Sequence {
    Sequence::new(value).unwrap()
}

fn event() -> MessageId {
    MessageId { boot: BootId::new(DEVICE_BOOT).unwrap(), sequence: sequence(258) }
}

fn command() -> MessageId {
    MessageId { boot: BootId::new(CONTROLLER_BOOT).unwrap(), sequence: sequence(7) }
}

fn device_hello(nonce: u32) -> DeviceHello {
    let mut firmware_hash = [0; 32];
    for (byte, value) in firmware_hash.iter_mut().zip(0..) {
        *byte = value;
    }
    DeviceHello {
        nonce,
        next_sequence: sequence(258),
        identity: DeviceIdentity {
            model: IdentityText::new("HR-1").unwrap(),
            serial: IdentityText::new("HR100042").unwrap(),
            firmware_hash,
            capabilities: Capabilities::TEST_MODE.with(Capabilities::TAMPER_SWITCH).with(Capabilities::LENS_CHECK),
        },
    }
}

pub(crate) fn vectors() -> Vec<Vector> {
    vec![
        Vector::control(
            "hello-controller",
            "00 07 01 01 0C 0F FE E1 01 06 01 A1 B2 C3 D4 04 07 F1 B0 00",
            Direction::FromController,
            &Control::ControllerHello(ControllerHello { nonce: 0xA1B2_C3D4, next_sequence: sequence(7) }),
        ),
        Vector::control(
            "hello-device",
            "00 07 01 01 B0 07 CA FE 01 08 81 A1 B2 C3 D4 01 02 01 01 02 07 30 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F 10 11 12 13 14 15 16 17 18 19 1A 1B 1C 1D 1E 1F 04 48 52 2D 31 08 48 52 31 30 30 30 34 32 16 93 00",
            Direction::FromDevice,
            &Control::DeviceHello(device_hello(0xA1B2_C3D4)),
        ),
        Vector::control(
            "hello-announcement",
            "00 07 01 01 B0 07 CA FE 01 02 81 01 01 01 03 01 02 01 01 02 07 30 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F 10 11 12 13 14 15 16 17 18 19 1A 1B 1C 1D 1E 1F 04 48 52 2D 31 08 48 52 31 30 30 30 34 32 6B F4 00",
            Direction::FromDevice,
            &Control::DeviceHello(device_hello(0)),
        ),
        Vector::control(
            "heartbeat-controller",
            "00 07 01 01 0C 0F FE E1 01 02 03 01 01 04 3D BA 92 00",
            Direction::FromController,
            &Control::Heartbeat { uptime_seconds: 61 },
        ),
        Vector::control(
            "heartbeat-device",
            "00 07 01 01 B0 07 CA FE 01 02 83 06 01 51 80 56 8F 00",
            Direction::FromDevice,
            &Control::Heartbeat { uptime_seconds: 86_400 },
        ),
        Vector::control(
            "ack",
            "00 07 01 01 0C 0F FE E1 01 0A 04 B0 07 CA FE 01 02 FF 4A 00",
            Direction::FromController,
            &Control::Ack(event()),
        ),
        Vector::control(
            "hold",
            "00 07 01 01 0C 0F FE E1 01 0A 05 B0 07 CA FE 01 02 9E F2 00",
            Direction::FromController,
            &Control::Hold(event()),
        ),
        Vector::control(
            "nak-format",
            "00 07 01 01 0C 0F FE E1 01 0B 06 B0 07 CA FE 01 02 21 6B AD 00",
            Direction::FromController,
            &Control::Nak { about: Some(event()), reason: NakReason::UnknownType },
        ),
        Vector::control(
            "ack-command",
            "00 07 01 01 B0 07 CA FE 01 06 84 0C 0F FE E1 04 07 BE 0E 00",
            Direction::FromDevice,
            &Control::Ack(command()),
        ),
        Vector::control(
            "hold-command",
            "00 07 01 01 B0 07 CA FE 01 06 85 0C 0F FE E1 04 07 DF B6 00",
            Direction::FromDevice,
            &Control::Hold(command()),
        ),
        Vector::control(
            "nak-state",
            "00 07 01 01 B0 07 CA FE 01 06 86 0C 0F FE E1 05 07 31 1A F6 00",
            Direction::FromDevice,
            &Control::Nak { about: Some(command()), reason: NakReason::WrongState },
        ),
        Vector::control(
            "nak-busy",
            "00 07 01 01 B0 07 CA FE 01 06 86 0C 0F FE E1 05 07 41 8D 88 00",
            Direction::FromDevice,
            &Control::Nak { about: Some(command()), reason: NakReason::Busy },
        ),
        Vector::control(
            "nak-unknown-session",
            "00 07 01 01 B0 07 CA FE 01 02 86 01 01 01 01 01 04 11 27 DE 00",
            Direction::FromDevice,
            &Control::Nak { about: None, reason: NakReason::UnknownSession },
        ),
        Vector::query_state("query-state", "00 07 01 01 0C 0F FE E1 05 07 02 9F 98 00"),
    ]
}

#[test]
fn every_message_has_its_golden_bytes() {
    crate::support::check(&vectors());
}

#[test]
fn the_reasons_have_fixed_numbers_and_their_class_in_the_high_nibble() {
    assert_eq!(
        codes(NakReason::ALL, NakReason::code),
        "UnknownSession=17 UnknownType=33 BadPayload=34 WrongState=49 FaultPresent=50 NotInTestMode=51 Busy=65"
    );
}
