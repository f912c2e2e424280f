//! Golden bytes of the reader protocol. If one fails, the code is wrong.

use device_protocols::faults::FaultSet;
use device_protocols::reader::{
    HoleCardReader, ReaderAnswer, ReaderCommand, ReaderEvent, ReaderFault, ReaderState, ReaderStatus, UpCardGroup,
};

use crate::support::Vector;

pub(crate) fn vectors() -> Vec<Vector> {
    vec![
        Vector::command::<HoleCardReader>(
            "arm-ace",
            "00 07 01 01 0C 0F FE E1 06 07 10 01 81 E8 00",
            &ReaderCommand::Arm { group: UpCardGroup::Ace },
        ),
        Vector::command::<HoleCardReader>(
            "arm-ten",
            "00 07 01 01 0C 0F FE E1 06 07 10 02 E2 D8 00",
            &ReaderCommand::Arm { group: UpCardGroup::Ten },
        ),
        Vector::command::<HoleCardReader>(
            "disarm",
            "00 07 01 01 0C 0F FE E1 05 07 11 CD BA 00",
            &ReaderCommand::Disarm,
        ),
        Vector::command::<HoleCardReader>(
            "enter-test",
            "00 07 01 01 0C 0F FE E1 05 07 12 AE 8A 00",
            &ReaderCommand::EnterTest,
        ),
        Vector::command::<HoleCardReader>(
            "leave-test",
            "00 07 01 01 0C 0F FE E1 05 07 13 8F 9A 00",
            &ReaderCommand::LeaveTest,
        ),
        Vector::command::<HoleCardReader>(
            "arm-test-ten",
            "00 07 01 01 0C 0F FE E1 06 07 14 02 26 14 00",
            &ReaderCommand::ArmTest { group: UpCardGroup::Ten },
        ),
        Vector::command::<HoleCardReader>(
            "cycle-lamps",
            "00 07 01 01 0C 0F FE E1 05 07 15 49 FA 00",
            &ReaderCommand::CycleLamps,
        ),
        Vector::event::<HoleCardReader>(
            "card-inserted",
            "00 0D 01 01 B0 07 CA FE 01 02 A0 01 01 1A 00",
            &ReaderEvent::CardInserted { group: UpCardGroup::Ace },
        ),
        Vector::event::<HoleCardReader>(
            "answered-ace-yes",
            "00 0E 01 01 B0 07 CA FE 01 02 A1 01 01 6A 95 00",
            &ReaderEvent::Answered { group: UpCardGroup::Ace, answer: ReaderAnswer::Yes },
        ),
        Vector::event::<HoleCardReader>(
            "answered-ace-no",
            "00 0E 01 01 B0 07 CA FE 01 02 A1 01 02 09 A5 00",
            &ReaderEvent::Answered { group: UpCardGroup::Ace, answer: ReaderAnswer::No },
        ),
        Vector::event::<HoleCardReader>(
            "answered-ace-unread",
            "00 0E 01 01 B0 07 CA FE 01 02 A1 01 03 28 B5 00",
            &ReaderEvent::Answered { group: UpCardGroup::Ace, answer: ReaderAnswer::Unread },
        ),
        Vector::event::<HoleCardReader>(
            "answered-ten-yes",
            "00 0E 01 01 B0 07 CA FE 01 02 A1 02 01 39 C0 00",
            &ReaderEvent::Answered { group: UpCardGroup::Ten, answer: ReaderAnswer::Yes },
        ),
        Vector::event::<HoleCardReader>(
            "answered-ten-no",
            "00 0E 01 01 B0 07 CA FE 01 02 A1 02 02 5A F0 00",
            &ReaderEvent::Answered { group: UpCardGroup::Ten, answer: ReaderAnswer::No },
        ),
        Vector::event::<HoleCardReader>(
            "answered-ten-unread",
            "00 0E 01 01 B0 07 CA FE 01 02 A1 02 03 7B E0 00",
            &ReaderEvent::Answered { group: UpCardGroup::Ten, answer: ReaderAnswer::Unread },
        ),
        Vector::event::<HoleCardReader>(
            "card-removed",
            "00 0C 01 01 B0 07 CA FE 01 02 A2 4C 02 00",
            &ReaderEvent::CardRemoved,
        ),
        Vector::event::<HoleCardReader>(
            "wrong-time-insertion",
            "00 0C 01 01 B0 07 CA FE 01 02 A3 6D 12 00",
            &ReaderEvent::WrongTimeInsertion,
        ),
        Vector::event::<HoleCardReader>(
            "half-inserted",
            "00 0C 01 01 B0 07 CA FE 01 02 A4 8A 62 00",
            &ReaderEvent::HalfInserted,
        ),
        Vector::event::<HoleCardReader>(
            "removed-early",
            "00 0C 01 01 B0 07 CA FE 01 02 A5 AB 72 00",
            &ReaderEvent::RemovedEarly,
        ),
        Vector::event::<HoleCardReader>(
            "misplaced",
            "00 0C 01 01 B0 07 CA FE 01 02 A6 C8 42 00",
            &ReaderEvent::Misplaced,
        ),
        Vector::event::<HoleCardReader>("no-card", "00 0C 01 01 B0 07 CA FE 01 02 A7 E9 52 00", &ReaderEvent::NoCard),
        Vector::event::<HoleCardReader>(
            "test-answered",
            "00 0E 01 01 B0 07 CA FE 01 02 A8 02 02 CB 6E 00",
            &ReaderEvent::TestAnswered { group: UpCardGroup::Ten, answer: ReaderAnswer::No },
        ),
        Vector::event::<HoleCardReader>(
            "fault-raised",
            "00 0D 01 01 B0 07 CA FE 01 02 87 01 70 85 00",
            &ReaderEvent::FaultRaised(ReaderFault::LensDirty),
        ),
        Vector::event::<HoleCardReader>(
            "fault-cleared",
            "00 0D 01 01 B0 07 CA FE 01 02 88 05 CA D5 00",
            &ReaderEvent::FaultCleared(ReaderFault::Tamper),
        ),
        Vector::event::<HoleCardReader>(
            "state-booting-card-in",
            "00 0A 01 01 B0 07 CA FE 01 02 89 01 01 02 01 01 01 01 03 37 09 00",
            &ReaderEvent::State(ReaderStatus {
                state: ReaderState::Booting,
                card_present: true,
                faults: FaultSet::EMPTY,
            }),
        ),
        Vector::event::<HoleCardReader>(
            "state-idle",
            "00 0B 01 01 B0 07 CA FE 01 02 89 01 01 01 01 01 01 01 03 B5 E4 00",
            &ReaderEvent::State(ReaderStatus {
                state: ReaderState::Idle,
                card_present: false,
                faults: FaultSet::EMPTY,
            }),
        ),
        Vector::event::<HoleCardReader>(
            "state-armed",
            "00 0C 01 01 B0 07 CA FE 01 02 89 02 02 01 01 01 01 01 03 23 4C 00",
            &ReaderEvent::State(ReaderStatus {
                state: ReaderState::Armed(UpCardGroup::Ten),
                card_present: false,
                faults: FaultSet::EMPTY,
            }),
        ),
        Vector::event::<HoleCardReader>(
            "state-card-in",
            "00 0C 01 01 B0 07 CA FE 01 02 89 03 01 02 01 01 01 01 03 23 79 00",
            &ReaderEvent::State(ReaderStatus {
                state: ReaderState::CardIn(UpCardGroup::Ace),
                card_present: true,
                faults: FaultSet::EMPTY,
            }),
        ),
        Vector::event::<HoleCardReader>(
            "state-reading",
            "00 0C 01 01 B0 07 CA FE 01 02 89 04 01 02 01 01 01 01 03 3B BE 00",
            &ReaderEvent::State(ReaderStatus {
                state: ReaderState::Reading(UpCardGroup::Ace),
                card_present: true,
                faults: FaultSet::EMPTY,
            }),
        ),
        Vector::event::<HoleCardReader>(
            "state-answered",
            "00 0E 01 01 B0 07 CA FE 01 02 89 05 01 02 01 01 01 01 03 A8 72 00",
            &ReaderEvent::State(ReaderStatus {
                state: ReaderState::Answered(UpCardGroup::Ace, ReaderAnswer::No),
                card_present: true,
                faults: FaultSet::EMPTY,
            }),
        ),
        Vector::event::<HoleCardReader>(
            "state-card-out",
            "00 0B 01 01 B0 07 CA FE 01 02 89 06 01 01 01 01 01 01 03 AD 23 00",
            &ReaderEvent::State(ReaderStatus {
                state: ReaderState::CardOut,
                card_present: false,
                faults: FaultSet::EMPTY,
            }),
        ),
        Vector::event::<HoleCardReader>(
            "state-faulted",
            "00 0B 01 01 B0 07 CA FE 01 02 89 07 01 01 01 01 01 04 82 B4 D5 00",
            &ReaderEvent::State(ReaderStatus {
                state: ReaderState::Faulted,
                card_present: false,
                faults: FaultSet::EMPTY.with(ReaderFault::LensDirty).with(ReaderFault::SupplyLow),
            }),
        ),
        Vector::event::<HoleCardReader>(
            "state-testing",
            "00 0B 01 01 B0 07 CA FE 01 02 89 08 01 01 01 01 01 01 03 BC BD 00",
            &ReaderEvent::State(ReaderStatus {
                state: ReaderState::Testing,
                card_present: false,
                faults: FaultSet::EMPTY,
            }),
        ),
        Vector::event::<HoleCardReader>(
            "state-cover-open",
            "00 0B 01 01 B0 07 CA FE 01 02 89 09 01 01 01 01 01 04 10 5E E8 00",
            &ReaderEvent::State(ReaderStatus {
                state: ReaderState::CoverOpen,
                card_present: false,
                faults: FaultSet::EMPTY.with(ReaderFault::CoverOpen),
            }),
        ),
    ]
}

#[test]
fn every_message_has_its_golden_bytes() {
    crate::support::check(&vectors());
}

#[test]
fn the_fault_numbers_are_fixed() {
    let codes: Vec<_> = ReaderFault::ALL.iter().map(|fault| (*fault, fault.code())).collect();
    assert_eq!(
        codes,
        [
            (ReaderFault::LensDirty, 1),
            (ReaderFault::LampDead, 2),
            (ReaderFault::SensorStuck, 3),
            (ReaderFault::CoverOpen, 4),
            (ReaderFault::Tamper, 5),
            (ReaderFault::SelfTestFailed, 6),
            (ReaderFault::SupplyLow, 7),
        ]
    );
}
