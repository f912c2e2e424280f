//! Golden bytes of the shuffler protocol. If one fails, the code is wrong.

use device_protocols::faults::FaultSet;
use device_protocols::shuffler::{
    BatchColour, CardCount, ExpectedCount, JamSeverity, Percent, Shuffler, ShufflerCommand, ShufflerEvent,
    ShufflerFault, ShufflerState, ShufflerStatus, StopCause,
};

use crate::support::{Vector, codes};

fn cards(count: u16) -> ExpectedCount {
    ExpectedCount::new(count).unwrap()
}

fn percent(value: u8) -> Percent {
    Percent::new(value).unwrap()
}

pub(crate) fn vectors() -> Vec<Vector> {
    vec![
        Vector::command::<Shuffler>(
            "shuffle",
            "00 07 01 02 0C 0F FE E1 08 07 10 01 01 20 1B 77 00",
            &ShufflerCommand::Shuffle { colour: BatchColour::Red, expected: cards(288) },
        ),
        Vector::command::<Shuffler>("stop", "00 07 01 02 0C 0F FE E1 05 07 11 B8 72 00", &ShufflerCommand::Stop),
        Vector::command::<Shuffler>("unload", "00 07 01 02 0C 0F FE E1 05 07 12 DB 42 00", &ShufflerCommand::Unload),
        Vector::command::<Shuffler>(
            "clear-jam",
            "00 07 01 02 0C 0F FE E1 05 07 13 FA 52 00",
            &ShufflerCommand::ClearJam,
        ),
        Vector::command::<Shuffler>(
            "take-out-of-service",
            "00 07 01 02 0C 0F FE E1 05 07 14 1D 22 00",
            &ShufflerCommand::TakeOutOfService,
        ),
        Vector::command::<Shuffler>(
            "return-to-service",
            "00 07 01 02 0C 0F FE E1 05 07 15 3C 32 00",
            &ShufflerCommand::ReturnToService,
        ),
        Vector::event::<Shuffler>(
            "batch-loaded",
            "00 0D 01 02 B0 07 CA FE 01 02 A0 02 26 07 00",
            &ShufflerEvent::BatchLoaded { colour: BatchColour::Blue },
        ),
        Vector::event::<Shuffler>(
            "shuffle-started",
            "00 0D 01 02 B0 07 CA FE 01 02 A1 02 17 34 00",
            &ShufflerEvent::ShuffleStarted { colour: BatchColour::Blue },
        ),
        Vector::event::<Shuffler>(
            "progressed",
            "00 0D 01 02 B0 07 CA FE 01 02 A2 28 6C E4 00",
            &ShufflerEvent::Progressed(percent(40)),
        ),
        Vector::event::<Shuffler>(
            "counted",
            "00 11 01 02 B0 07 CA FE 01 02 A3 01 37 01 38 02 F3 A3 00",
            &ShufflerEvent::Counted {
                count: CardCount { counted: 311, expected: cards(312) },
                colour: BatchColour::Blue,
            },
        ),
        Vector::event::<Shuffler>(
            "batch-ready",
            "00 11 01 02 B0 07 CA FE 01 02 A4 01 80 01 80 01 89 6C 00",
            &ShufflerEvent::BatchReady {
                count: CardCount { counted: 384, expected: cards(384) },
                colour: BatchColour::Red,
            },
        ),
        Vector::event::<Shuffler>(
            "shuffle-stopped",
            "00 0E 01 02 B0 07 CA FE 01 02 A5 02 43 B0 C5 00",
            &ShufflerEvent::ShuffleStopped { cause: StopCause::Jam, progress: percent(67) },
        ),
        Vector::event::<Shuffler>(
            "jammed-retrying",
            "00 0E 01 02 B0 07 CA FE 01 02 A6 01 01 35 A1 00",
            &ShufflerEvent::Jammed { jams: 1, severity: JamSeverity::Retrying },
        ),
        Vector::event::<Shuffler>(
            "jammed-stuck",
            "00 0E 01 02 B0 07 CA FE 01 02 A6 03 02 34 F7 00",
            &ShufflerEvent::Jammed { jams: 3, severity: JamSeverity::Stuck },
        ),
        Vector::event::<Shuffler>(
            "jam-cleared",
            "00 0C 01 02 B0 07 CA FE 01 02 A7 9C 9A 00",
            &ShufflerEvent::JamCleared,
        ),
        Vector::event::<Shuffler>(
            "door-opened",
            "00 0C 01 02 B0 07 CA FE 01 02 A8 73 6B 00",
            &ShufflerEvent::DoorOpened,
        ),
        Vector::event::<Shuffler>(
            "door-closed",
            "00 0C 01 02 B0 07 CA FE 01 02 A9 52 7B 00",
            &ShufflerEvent::DoorClosed,
        ),
        Vector::event::<Shuffler>("unloaded", "00 0C 01 02 B0 07 CA FE 01 02 AA 31 4B 00", &ShufflerEvent::Unloaded),
        Vector::event::<Shuffler>(
            "out-of-service",
            "00 0C 01 02 B0 07 CA FE 01 02 AB 10 5B 00",
            &ShufflerEvent::OutOfService,
        ),
        Vector::event::<Shuffler>(
            "back-in-service",
            "00 0C 01 02 B0 07 CA FE 01 02 AC F7 2B 00",
            &ShufflerEvent::BackInService,
        ),
        Vector::event::<Shuffler>(
            "fault-raised",
            "00 0D 01 02 B0 07 CA FE 01 02 87 05 B0 E8 00",
            &ShufflerEvent::FaultRaised(ShufflerFault::FaceUpCard),
        ),
        Vector::event::<Shuffler>(
            "fault-cleared",
            "00 0D 01 02 B0 07 CA FE 01 02 88 05 8E F8 00",
            &ShufflerEvent::FaultCleared(ShufflerFault::FaceUpCard),
        ),
        Vector::event::<Shuffler>(
            "state-empty",
            "00 0B 01 02 B0 07 CA FE 01 02 89 01 01 01 01 01 01 01 01 01 01 01 01 03 A5 91 00",
            &ShufflerEvent::State(ShufflerStatus {
                state: ShufflerState::Empty,
                progress: percent(0),
                colour: BatchColour::Unknown,
                count: None,
                jams: 0,
                door_open: false,
                faults: FaultSet::EMPTY,
            }),
        ),
        Vector::event::<Shuffler>(
            "state-shuffling",
            "00 0D 01 02 B0 07 CA FE 01 02 89 03 37 02 01 01 01 02 01 01 01 01 01 03 CB AF 00",
            &ShufflerEvent::State(ShufflerStatus {
                state: ShufflerState::Shuffling,
                progress: percent(55),
                colour: BatchColour::Blue,
                count: None,
                jams: 1,
                door_open: false,
                faults: FaultSet::EMPTY,
            }),
        ),
        Vector::event::<Shuffler>(
            "state-door-open",
            "00 0D 01 02 B0 07 CA FE 01 02 89 08 64 01 02 EF 04 F0 02 01 01 01 04 08 A3 E9 00",
            &ShufflerEvent::State(ShufflerStatus {
                state: ShufflerState::DoorOpen,
                progress: percent(100),
                colour: BatchColour::Red,
                count: Some(CardCount { counted: 239, expected: cards(240) }),
                jams: 2,
                door_open: true,
                faults: FaultSet::EMPTY.with(ShufflerFault::CountMismatch),
            }),
        ),
    ]
}

#[test]
fn every_message_has_its_golden_bytes() {
    crate::support::check(&vectors());
}

#[test]
fn the_numbers_behind_the_names_are_fixed() {
    assert_eq!(
        codes(ShufflerState::ALL, ShufflerState::code),
        "Booting=0 Empty=1 Loaded=2 Shuffling=3 Counted=4 Ready=5 Unloading=6 Jammed=7 DoorOpen=8 Service=9 Faulted=10 OutOfService=11"
    );
    assert_eq!(
        codes(BatchColour::ALL, BatchColour::code),
        "Unknown=0 Red=1 Blue=2 Green=3 Yellow=4 Black=5 Purple=6 Orange=7 Mixed=8"
    );
    assert_eq!(codes(StopCause::ALL, StopCause::code), "Commanded=1 Jam=2 Door=3 PowerLoss=4 Fault=5");
    assert_eq!(codes(JamSeverity::ALL, JamSeverity::code), "Retrying=1 Stuck=2");
    assert_eq!(
        codes(ShufflerFault::ALL, ShufflerFault::code),
        "Motor=1 SensorDirty=2 CountMismatch=3 WrongBackColour=4 FaceUpCard=5 DoorSwitch=6 SupplyLow=7 SelfTestFailed=8"
    );
}
