//! Golden bytes of the shoe protocol. If one fails, the code is wrong.

use device_protocols::faults::FaultSet;
use device_protocols::sealed::{Card, DrawNumber, SealedCard};
use device_protocols::shoe::{
    DrawContext, LockCause, ReversalPlace, Shoe, ShoeCommand, ShoeEvent, ShoeFault, ShoeState, ShoeStatus,
};

use crate::support::{Vector, codes};

fn sealed(draw: u16, rank: u8, suit: u8) -> SealedCard {
    SealedCard::seal(DrawNumber(draw), Card::new(rank, suit).unwrap())
}

pub(crate) fn vectors() -> Vec<Vector> {
    vec![
        Vector::command::<Shoe>("lock", "00 07 01 03 0C 0F FE E1 05 07 10 4A 25 00", &ShoeCommand::Lock),
        Vector::command::<Shoe>("unlock", "00 07 01 03 0C 0F FE E1 05 07 11 6B 35 00", &ShoeCommand::Unlock),
        Vector::command::<Shoe>(
            "clear-error",
            "00 07 01 03 0C 0F FE E1 06 07 12 04 21 18 00",
            &ShoeCommand::ClearError { fault: ShoeFault::ReversedAtExit },
        ),
        Vector::command::<Shoe>("start-batch", "00 07 01 03 0C 0F FE E1 05 07 13 29 15 00", &ShoeCommand::StartBatch),
        Vector::event::<Shoe>(
            "card-drawn",
            "00 0A 01 03 B0 07 CA FE 01 02 A0 07 11 01 0D 04 50 08 00",
            &ShoeEvent::CardDrawn { context: DrawContext::InPlay, card: sealed(17, 13, 3) },
        ),
        Vector::event::<Shoe>(
            "card-drawn-while-locked",
            "00 11 01 03 B0 07 CA FE 01 02 A0 01 2C 02 01 01 F6 FB 00",
            &ShoeEvent::CardDrawn { context: DrawContext::WhileLocked, card: sealed(300, 1, 0) },
        ),
        Vector::event::<Shoe>(
            "card-unread",
            "00 0A 01 03 B0 07 CA FE 01 02 A1 05 12 01 9E 68 00",
            &ShoeEvent::CardUnread { draw: DrawNumber(18), context: DrawContext::InPlay },
        ),
        Vector::event::<Shoe>(
            "cut-card-drawn",
            "00 0E 01 03 B0 07 CA FE 01 02 A2 01 04 15 42 00",
            &ShoeEvent::CutCardDrawn { drawn: DrawNumber(260) },
        ),
        Vector::event::<Shoe>(
            "card-reversed",
            "00 0A 01 03 B0 07 CA FE 01 02 A3 05 13 02 A4 86 00",
            &ShoeEvent::CardReversed { draw: DrawNumber(19), place: ReversalPlace::Midway },
        ),
        Vector::event::<Shoe>(
            "card-overdrawn",
            "00 0A 01 03 B0 07 CA FE 01 02 A4 04 14 B5 D1 00",
            &ShoeEvent::CardOverdrawn { draw: DrawNumber(20) },
        ),
        Vector::event::<Shoe>(
            "locked",
            "00 0D 01 03 B0 07 CA FE 01 02 A5 01 93 23 00",
            &ShoeEvent::Locked { cause: LockCause::Commanded },
        ),
        Vector::event::<Shoe>(
            "unlocked",
            "00 0D 01 03 B0 07 CA FE 01 02 A6 02 A3 46 00",
            &ShoeEvent::Unlocked { cause: LockCause::ByHand },
        ),
        Vector::event::<Shoe>(
            "fault-raised",
            "00 0D 01 03 B0 07 CA FE 01 02 87 07 D1 23 00",
            &ShoeEvent::FaultRaised(ShoeFault::DrawTimeout),
        ),
        Vector::event::<Shoe>(
            "fault-cleared",
            "00 0D 01 03 B0 07 CA FE 01 02 88 07 EF 33 00",
            &ShoeEvent::FaultCleared(ShoeFault::DrawTimeout),
        ),
        Vector::event::<Shoe>(
            "state",
            "00 0B 01 03 B0 07 CA FE 01 02 89 01 02 15 01 01 01 01 03 59 FD 00",
            &ShoeEvent::State(ShoeStatus {
                state: ShoeState::Ready,
                drawn: DrawNumber(21),
                cut_card_seen: false,
                faults: FaultSet::EMPTY,
            }),
        ),
        Vector::event::<Shoe>(
            "state-error",
            "00 0E 01 03 B0 07 CA FE 01 02 89 03 01 05 01 01 01 04 04 CF 3A 00",
            &ShoeEvent::State(ShoeStatus {
                state: ShoeState::Error,
                drawn: DrawNumber(261),
                cut_card_seen: true,
                faults: FaultSet::EMPTY.with(ShoeFault::Overdraw),
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
    assert_eq!(codes(ShoeState::ALL, ShoeState::code), "Booting=0 Ready=1 Locked=2 Error=3 Empty=4");
    assert_eq!(codes(DrawContext::ALL, DrawContext::code), "InPlay=1 WhileLocked=2 DuringError=3 DuringSetup=4");
    assert_eq!(codes(ReversalPlace::ALL, ReversalPlace::code), "AtExit=1 Midway=2");
    assert_eq!(codes(LockCause::ALL, LockCause::code), "Commanded=1 ByHand=2 AfterError=3");
    assert_eq!(
        codes(ShoeFault::ALL, ShoeFault::code),
        "CannotRead=1 Overdraw=2 ButtonStuck=3 ReversedAtExit=4 ReversedMidway=5 CardCode=6 DrawTimeout=7 LensDirty=8 Tamper=9"
    );
}
