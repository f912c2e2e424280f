//! Golden bytes of the Angel Eye II-EX dialect. If one fails, the code is wrong.

use device_protocols::angel_eye::{
    AcknowledgeWhen, AngelCommand, AngelEvent, AngelNak, AngelOptions, AngelShoe, LineItem, OutboundBcc,
    encode_shoe_frame,
};
use device_protocols::frame::BootId;
use device_protocols::link::Millis;
use device_protocols::sealed::FaceUp;
use device_protocols::shoe::{DrawContext, LockCause, ShoeEvent, ShoeFault};

use crate::support::{Vector, codes, from_hex};

pub(crate) fn vectors() -> Vec<Vector> {
    let mut all = Vec::new();
    for (name, hex, command, bcc) in [
        ("lock-with-stx", "02 4F 50 4C 4B 30 32 03 31 42", AngelCommand::Lock, OutboundBcc::WithStx),
        ("lock-without-stx", "02 4F 50 4C 4B 30 32 03 31 39", AngelCommand::Lock, OutboundBcc::WithoutStx),
        ("unlock-with-stx", "02 4F 50 4C 4B 30 31 03 31 38", AngelCommand::Unlock, OutboundBcc::WithStx),
        ("unlock-without-stx", "02 4F 50 4C 4B 30 31 03 31 41", AngelCommand::Unlock, OutboundBcc::WithoutStx),
        (
            "cancel-error-4-with-stx",
            "02 4F 50 45 43 30 34 03 31 43",
            AngelCommand::CancelError(4),
            OutboundBcc::WithStx,
        ),
        (
            "cancel-error-4-without-stx",
            "02 4F 50 45 43 30 34 03 31 45",
            AngelCommand::CancelError(4),
            OutboundBcc::WithoutStx,
        ),
        ("confirm-game-with-stx", "02 4F 50 47 50 30 30 03 30 39", AngelCommand::ConfirmGame, OutboundBcc::WithStx),
        (
            "confirm-game-without-stx",
            "02 4F 50 47 50 30 30 03 30 42",
            AngelCommand::ConfirmGame,
            OutboundBcc::WithoutStx,
        ),
    ] {
        all.push(Vector { name, hex, encoded: command.encode(bcc) });
    }
    for (name, hex, sequence, data) in [
        ("start", "05 30 53 03 36 30", 0x30, &[83][..]),
        ("standby", "05 31 50 03 36 32", 0x31, &[80][..]),
        ("cut-card", "05 32 43 03 37 32", 0x32, &[67][..]),
        ("draw-ace-of-diamonds", "05 33 44 81 91 03 36 34", 0x33, &[68, 129, 145][..]),
        ("draw-king-of-clubs", "05 34 44 92 AD 03 34 43", 0x34, &[68, 146, 173][..]),
        ("draw-ten-of-spades", "05 35 44 A3 BA 03 36 42", 0x35, &[68, 163, 186][..]),
        ("draw-queen-of-hearts", "05 36 44 C4 CC 03 37 39", 0x36, &[68, 196, 204][..]),
        ("draw-unread", "05 37 44 85 80 03 37 35", 0x37, &[68, 133, 128][..]),
        ("draw-while-locked", "05 38 64 86 92 03 34 42", 0x38, &[100, 134, 146][..]),
        ("draw-during-error", "05 39 64 97 93 03 35 41", 0x39, &[100, 151, 147][..]),
        ("draw-during-setup", "05 3A 64 A8 94 03 36 31", 0x3A, &[100, 168, 148][..]),
        ("retransmitted", "05 3B 52 89 95 03 37 36", 0x3B, &[82, 137, 149][..]),
        ("result", "05 3C 47 31 03 34 39", 0x3C, &[71, 49][..]),
        ("error-raised", "05 3D 45 C4 03 42 46", 0x3D, &[69, 196][..]),
        ("error-cleared", "05 3E 65 84 03 44 43", 0x3E, &[101, 132][..]),
        ("locked", "05 3F 4C 81 03 46 31", 0x3F, &[76, 129][..]),
        ("unlocked", "05 40 4C 80 03 38 46", 0x40, &[76, 128][..]),
        ("preset-changed", "05 41 4D 30 31 30 30 30 32 03 30 43", 0x41, &[77, 48, 49, 48, 48, 48, 50][..]),
    ] {
        all.push(Vector { name, hex, encoded: encode_shoe_frame(sequence, data).to_vec() });
    }
    all
}

#[test]
fn every_message_has_its_golden_bytes() {
    for vector in vectors() {
        assert_eq!(vector.encoded, from_hex(vector.hex), "{}", vector.name);
    }
}

#[test]
fn the_refusal_codes_are_fixed() {
    assert_eq!(
        codes(AngelNak::ALL, AngelNak::code),
        "LineError=1 Bcc=2 NoEtx=3 FormatOrLength=17 Address=18 Command=19 Type=20 Busy=33 Writing=34 Other=255"
    );
}

fn shoe(acknowledge_when: AcknowledgeWhen) -> AngelShoe {
    let boot = BootId::new(9).unwrap();
    AngelShoe::new(AngelOptions { outbound_bcc: OutboundBcc::WithStx, acknowledge_when, boot }, Millis(0))
}

fn bytes_of(name: &str) -> Vec<u8> {
    vectors().into_iter().find(|vector| vector.name == name).map(|vector| from_hex(vector.hex)).unwrap()
}

/// What one frame means, with its card opened, in words.
fn meaning(name: &str) -> String {
    let mut shoe = shoe(AcknowledgeWhen::Received);
    shoe.handle_bytes(&bytes_of(name), Millis(0));
    assert_eq!(shoe.poll_transmit(Millis(0)).as_deref(), Some(&[0x06][..]), "{name} is acknowledged");
    match shoe.poll_event().unwrap() {
        AngelEvent::Shoe { event: ShoeEvent::CardDrawn { context, card }, .. } => {
            let draw = card.draw();
            let card = card.open(FaceUp::said_by_controller(draw)).unwrap();
            format!("{context:?} rank {} suit {}", card.rank(), card.suit())
        }
        AngelEvent::Shoe { event, .. } => format!("{event:?}"),
        notice @ (AngelEvent::ShoeStarted
        | AngelEvent::Standby
        | AngelEvent::PresetChanged
        | AngelEvent::ResultIgnored
        | AngelEvent::NotUnderstood
        | AngelEvent::CommandAccepted(_)
        | AngelEvent::CommandRefused(..)
        | AngelEvent::CommandUnanswered(..)) => format!("{notice:?}"),
    }
}

#[test]
fn every_event_means_what_the_table_in_the_document_says() {
    for (name, expected) in [
        ("start", "ShoeStarted".to_owned()),
        ("standby", "Standby".to_owned()),
        ("cut-card", "CutCardDrawn { drawn: DrawNumber(0) }".to_owned()),
        ("draw-ace-of-diamonds", "InPlay rank 1 suit 1".to_owned()),
        ("draw-king-of-clubs", "InPlay rank 13 suit 0".to_owned()),
        ("draw-ten-of-spades", "InPlay rank 10 suit 3".to_owned()),
        ("draw-queen-of-hearts", "InPlay rank 12 suit 2".to_owned()),
        ("draw-unread", format!("CardUnread {{ draw: DrawNumber(1), context: {:?} }}", DrawContext::InPlay)),
        ("draw-while-locked", "WhileLocked rank 2 suit 1".to_owned()),
        ("draw-during-error", "DuringError rank 3 suit 1".to_owned()),
        ("draw-during-setup", "DuringSetup rank 4 suit 1".to_owned()),
        ("retransmitted", "InPlay rank 5 suit 1".to_owned()),
        ("result", "ResultIgnored".to_owned()),
        ("error-raised", format!("FaultRaised({:?})", ShoeFault::ReversedAtExit)),
        ("error-cleared", format!("FaultCleared({:?})", ShoeFault::ReversedAtExit)),
        ("locked", format!("Locked {{ cause: {:?} }}", LockCause::ByHand)),
        ("unlocked", format!("Unlocked {{ cause: {:?} }}", LockCause::ByHand)),
        ("preset-changed", "PresetChanged".to_owned()),
    ] {
        assert_eq!(meaning(name), expected, "{name}");
    }
}

#[test]
fn a_draw_is_acknowledged_only_when_durable_and_its_repeat_is_dropped() {
    let mut shoe = shoe(AcknowledgeWhen::Durable);
    let draw = bytes_of("draw-ace-of-diamonds");
    shoe.handle_bytes(&draw, Millis(0));
    let Some(AngelEvent::Shoe { id, .. }) = shoe.poll_event() else { panic!("a draw was sent") };
    assert_eq!(shoe.poll_transmit(Millis(1)), None);

    shoe.handle_bytes(&draw, Millis(500));
    assert!(shoe.poll_event().is_none());
    assert_eq!(shoe.poll_transmit(Millis(500)), None, "the dialect has no way to say: not yet");

    assert!(shoe.acknowledge(id, Millis(900)));
    assert_eq!(shoe.poll_transmit(Millis(900)), Some(vec![0x06]));
    shoe.handle_bytes(&draw, Millis(1000));
    assert!(shoe.poll_event().is_none(), "our acknowledgement was lost; the card is still one card");
    assert_eq!(shoe.poll_transmit(Millis(1000)), Some(vec![0x06]));
    assert_eq!(shoe.duplicates(), 2);
}

#[test]
fn a_retransmitted_card_that_we_have_is_not_drawn_twice() {
    let mut shoe = shoe(AcknowledgeWhen::Received);
    shoe.handle_bytes(&bytes_of("draw-ace-of-diamonds"), Millis(0));
    assert!(shoe.poll_event().is_some());
    shoe.handle_bytes(&encode_shoe_frame(0x34, &[b'R', 0x81, 0x91]), Millis(10));
    assert!(shoe.poll_event().is_none());
}

#[test]
fn the_shoe_restarting_with_the_same_sequence_number_is_not_mistaken_for_a_repeat() {
    let mut shoe = shoe(AcknowledgeWhen::Received);
    shoe.handle_bytes(&encode_shoe_frame(0x30, b"C"), Millis(0));
    shoe.handle_bytes(&encode_shoe_frame(0x30, b"S"), Millis(10));
    assert!(matches!(shoe.poll_event(), Some(AngelEvent::Shoe { .. })));
    assert!(matches!(shoe.poll_event(), Some(AngelEvent::ShoeStarted)));
}

#[test]
fn a_command_is_repeated_then_given_up() {
    let mut shoe = shoe(AcknowledgeWhen::Durable);
    shoe.send(AngelCommand::Lock, Millis(0)).unwrap();
    assert!(shoe.send(AngelCommand::Unlock, Millis(0)).is_err());
    for second in 0..3 {
        assert_eq!(shoe.poll_transmit(Millis(second * 1000)), Some(bytes_of("lock-with-stx")));
        assert_eq!(shoe.poll_transmit(Millis(second * 1000)), None);
        assert_eq!(shoe.poll_deadline(), Some(Millis((second + 1) * 1000)));
        shoe.handle_timeout(Millis((second + 1) * 1000));
    }
    assert!(matches!(shoe.poll_event(), Some(AngelEvent::CommandUnanswered(AngelCommand::Lock, _))));
    assert_eq!(shoe.poll_deadline(), None);
}

#[test]
fn a_lock_that_follows_our_command_is_told_from_one_by_hand() {
    let mut shoe = shoe(AcknowledgeWhen::Received);
    shoe.send(AngelCommand::Lock, Millis(0)).unwrap();
    assert!(shoe.poll_transmit(Millis(0)).is_some());
    shoe.handle_bytes(&[0x06], Millis(50));
    assert!(matches!(shoe.poll_event(), Some(AngelEvent::CommandAccepted(AngelCommand::Lock))));
    shoe.handle_bytes(&bytes_of("locked"), Millis(60));
    assert!(matches!(
        shoe.poll_event(),
        Some(AngelEvent::Shoe { event: ShoeEvent::Locked { cause: LockCause::Commanded }, .. })
    ));
    shoe.handle_bytes(&bytes_of("unlocked"), Millis(70));
    assert!(matches!(
        shoe.poll_event(),
        Some(AngelEvent::Shoe { event: ShoeEvent::Unlocked { cause: LockCause::ByHand }, .. })
    ));
}

#[test]
fn a_refusal_is_read_as_a_raw_byte_or_as_two_digits() {
    for bytes in [&[0x15, 0x21][..], &[0x15, b'2', b'1'][..]] {
        let mut decoder = device_protocols::angel_eye::AngelLineDecoder::default();
        let items: Vec<_> = decoder.handle_bytes(bytes).collect();
        assert!(matches!(items[..], [LineItem::Nak(AngelNak::Busy)]), "{bytes:?}");
    }
}

#[test]
fn damage_is_answered_by_a_refusal_so_that_the_shoe_sends_again() {
    let mut shoe = shoe(AcknowledgeWhen::Received);
    let mut draw = bytes_of("draw-ace-of-diamonds");
    draw[4] ^= 0x02;
    shoe.handle_bytes(&draw, Millis(0));
    assert!(shoe.poll_event().is_none());
    assert_eq!(shoe.poll_transmit(Millis(0)), Some(vec![0x15, 0x02]));
}

#[test]
fn raw_traffic_of_two_different_cards_is_shown_alike() {
    let shown = device_protocols::angel_eye::mask_raw(&encode_shoe_frame(0x33, &[b'D', 0x81, 0x91]));
    assert_eq!(shown, device_protocols::angel_eye::mask_raw(&encode_shoe_frame(0x33, &[b'D', 0x81, 0xCD])));
    assert_eq!(shown, "ENQ [4] ETX [2]");
}
