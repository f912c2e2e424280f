//! The shoe: every draw sealed until the controller opens it, counted once whatever the line does.

use device_drivers::devices::{NotOpenable, SealedShoeEvent, Shoe, ShoeControl};
use device_drivers::fault::FaultChange::{Cleared, Raised};
use device_drivers::fault::{Part, PortFault};
use device_drivers::serial::tap::TapRun;
use device_protocols::frame::Direction;
use device_protocols::link::{Continuity, Millis};
use device_protocols::mask::MaskedRun;
use device_protocols::sealed::{Card, DrawNumber, FaceUp};
use device_protocols::shoe::{DrawContext, ReversalPlace, ShoeCommand, ShoeFault, ShoeState};
use table_simulator::port::RunningTwin;
use table_simulator::shoe::ShoeTwin;
use table_simulator::shuffler::ShufflerTwin;
use table_simulator::twin::Twin;

use crate::bench::{BAD_LINES, Humming, PATIENCE, ShoeDriver, Socket, calm, on_tcp, say, start_shoe};

fn drawn(news: &SealedShoeEvent) -> Option<(DrawNumber, DrawContext)> {
    match news {
        SealedShoeEvent::CardDrawn { draw, context } => Some((*draw, *context)),
        SealedShoeEvent::CardUnread { .. }
        | SealedShoeEvent::CutCardDrawn { .. }
        | SealedShoeEvent::CardReversed { .. }
        | SealedShoeEvent::CardOverdrawn { .. }
        | SealedShoeEvent::Locked { .. }
        | SealedShoeEvent::Unlocked { .. }
        | SealedShoeEvent::FaultRaised(_)
        | SealedShoeEvent::FaultCleared(_)
        | SealedShoeEvent::State(_) => None,
    }
}

/// Pulls so many cards, which must arrive once each, in order and numbered from `first`.
async fn draw<T: Twin + 'static>(
    driver: &mut ShoeDriver,
    running: &RunningTwin<T>,
    first: u16,
    count: u16,
    what: &str,
) {
    for _ in 0..count {
        say(running, "draw");
    }
    for number in first..first + count {
        assert_eq!(driver.event(what, drawn).await, (DrawNumber(number), DrawContext::InPlay), "{what}");
    }
}

/// Breaks the seal of one draw, and finds that it breaks once.
fn open(shoe: &ShoeControl, number: u16) -> Card {
    let draw = DrawNumber(number);
    let other = FaceUp::said_by_controller(DrawNumber(number + 1));
    assert_eq!(shoe.open(draw, other), Err(NotOpenable::WrongWord(draw)));
    let card = shoe.open(draw, FaceUp::said_by_controller(draw)).unwrap();
    assert_eq!(shoe.open(draw, FaceUp::said_by_controller(draw)), Err(NotOpenable::NotHere(draw)));
    card
}

fn card(rank: u8, suit: u8) -> Card {
    Card::new(rank, suit).unwrap()
}

#[tokio::test]
async fn every_draw_is_sealed_until_it_is_opened() {
    let socket = Socket::new();
    let running = socket.plug_in(ShoeTwin::new(1, Millis(0)));
    let (mut driver, shoe) = start_shoe(socket.connector());
    driver.until_up("the greeting").await;
    say(&running, "load Ah Kd 7c Ts");
    let mut tap = driver.control.tap().unwrap();
    draw(&mut driver, &running, 1, 4, "four draws").await;
    let printed = format!("{shoe:?}");
    assert!(printed.contains("4 draws") && !printed.contains("rank"), "{printed}");
    // A technician sees that the draws went by, and no more. A line is shown after its event is handed over.
    let mut sealed = std::collections::BTreeSet::new();
    while sealed.len() < 4 {
        let line = tokio::time::timeout(PATIENCE, tap.recv()).await.expect("four lines").unwrap();
        if let TapRun::Framed(MaskedRun::Sealed { direction: Direction::FromDevice, id: Some(id), .. }) = line.run {
            sealed.insert(id.to_string());
        }
    }
    assert_eq!(open(&shoe, 2), card(13, 1));
    assert_eq!(open(&shoe, 1), card(1, 2));
    shoe.discard(DrawNumber(3));
    assert_eq!(
        shoe.open(DrawNumber(3), FaceUp::said_by_controller(DrawNumber(3))),
        Err(NotOpenable::NotHere(DrawNumber(3)))
    );
    assert_eq!(open(&shoe, 4), card(10, 3));
    driver.end().await;
}

#[tokio::test]
async fn a_bad_line_loses_repeats_and_reorders_nothing() {
    for (seed, faults) in BAD_LINES {
        let what = faults.join(", ");
        let socket = Socket::new();
        let running = socket.plug_in(ShoeTwin::new(seed, Millis(0)));
        let (mut driver, shoe) = start_shoe(socket.connector());
        say(&running, "load Ah Kd 7c Ts 2h 3h 4h 5h 6h 8h 9h Jh");
        for fault in faults {
            say(&running, fault);
        }
        draw(&mut driver, &running, 1, 12, &what).await;
        assert_eq!(open(&shoe, 2), card(13, 1), "{what}");
        assert_eq!(open(&shoe, 12), card(11, 2), "{what}");
        calm(&running);
        driver.end().await;
    }
}

#[tokio::test]
async fn restarts_power_cuts_and_silence_end_in_a_state_that_counts_every_card() {
    let socket = Socket::new();
    let running = socket.plug_in(ShoeTwin::new(7, Millis(0)));
    let (mut driver, shoe) = start_shoe(socket.connector());
    driver.until_up("the greeting").await;
    say(&running, "load 1");
    draw(&mut driver, &running, 1, 1, "before all").await;
    let mut count = 1;
    for words in ["reboot", "cut", "power off"] {
        say(&running, words);
        if words == "power off" {
            driver.until_fault(PortFault::Silent, Raised).await;
            say(&running, "power on");
        }
        driver.until_up(words).await;
        assert_eq!(driver.continuity, Some(Continuity::Restarted), "{words}");
        let status =
            driver.event(words, |news| if let SealedShoeEvent::State(status) = news { Some(*status) } else { None });
        assert_eq!(status.await.drawn, DrawNumber(count), "{words}: the counter is kept");
        count += 1;
        draw(&mut driver, &running, count, 1, words).await;
    }
    say(&running, "silent");
    driver.until_fault(PortFault::Silent, Raised).await;
    say(&running, "draw");
    say(&running, "silent off");
    driver.until_up("speaking again").await;
    assert_eq!(driver.continuity, Some(Continuity::SameBoot), "nothing was lost");
    count += 1;
    assert_eq!(driver.event("the draw in the silence", drawn).await.0, DrawNumber(count));
    for number in 1..=count {
        open(&shoe, number);
    }
    driver.end().await;
}

#[tokio::test]
async fn a_babbling_shoe_is_named_and_heard_again_when_it_stops() {
    let socket = Socket::new();
    let running = socket.plug_in(ShoeTwin::new(8, Millis(0)));
    let (mut driver, _shoe) = start_shoe(socket.connector());
    driver.until_up("the greeting").await;
    say(&running, "load 1");
    say(&running, "babble");
    driver.until_fault(PortFault::Babbling, Raised).await;
    say(&running, "babble off");
    driver.until_fault(PortFault::Babbling, Cleared).await;
    draw(&mut driver, &running, 1, 3, "after the babbling").await;
    driver.end().await;
}

#[tokio::test]
async fn garbage_before_every_frame_is_a_warning_and_costs_no_frame() {
    let socket = Socket::new();
    let running = socket.plug_in(Humming::new(ShoeTwin::new(9, Millis(0))));
    let (mut driver, shoe) = start_shoe(socket.connector());
    driver.until_up("the greeting through noise").await;
    say(&running, "load Ah Kd 7c Ts");
    draw(&mut driver, &running, 1, 4, "draws through noise").await;
    assert_eq!(open(&shoe, 4), card(10, 3));
    let damaged = PortFault::Damaged.on(Part::Shoe);
    driver.until_faults("the damage is told", |standing| standing.contains(&damaged)).await;
    say(&running, "hum off");
    driver.end().await;
}

#[tokio::test]
async fn another_device_on_the_port_is_refused_until_the_plugs_are_exchanged() {
    let socket = Socket::new();
    let wrong = socket.plug_in(ShufflerTwin::new(10, Millis(0)));
    let (mut driver, _shoe) = start_shoe(socket.connector());
    driver.until_fault(PortFault::WrongKind, Raised).await;
    drop(wrong);
    let right = socket.plug_in(ShoeTwin::new(10, Millis(0)));
    driver.until_up("the right device").await;
    say(&right, "load Ah");
    draw(&mut driver, &right, 1, 1, "the right device").await;
    driver.end().await;
}

#[tokio::test]
async fn what_goes_wrong_with_cards_is_told_as_it_is() {
    let socket = Socket::new();
    let running = socket.plug_in(ShoeTwin::new(11, Millis(0)));
    let (mut driver, shoe) = start_shoe(socket.connector());
    driver.until_up("the greeting").await;
    say(&running, "load Ah cut Kd 7c Ts 5h 6h 8h");
    draw(&mut driver, &running, 1, 1, "the first").await;
    say(&running, "draw");
    let cut = driver.event("the cut card", |news| {
        matches!(news, SealedShoeEvent::CutCardDrawn { drawn: DrawNumber(1) }).then_some(())
    });
    cut.await;

    say(&running, "overdraw");
    assert_eq!(driver.event("overdraw", drawn).await.0, DrawNumber(2));
    driver
        .event("overdraw", |news| (*news == SealedShoeEvent::CardOverdrawn { draw: DrawNumber(2) }).then_some(()))
        .await;
    clear(&mut driver, ShoeFault::Overdraw).await;

    say(&running, "draw");
    assert_eq!(driver.event("the fourth", drawn).await, (DrawNumber(3), DrawContext::InPlay));
    say(&running, "reverse");
    let reversed = SealedShoeEvent::CardReversed { draw: DrawNumber(3), place: ReversalPlace::AtExit };
    driver.event("reversed", |news| (*news == reversed).then_some(())).await;
    driver
        .event("reversed", |news| (*news == SealedShoeEvent::FaultRaised(ShoeFault::ReversedAtExit)).then_some(()))
        .await;
    say(&running, "draw");
    assert_eq!(driver.event("again", drawn).await, (DrawNumber(4), DrawContext::DuringError));
    assert_eq!(open(&shoe, 3), open(&shoe, 4), "the same card under a number of its own");
    clear(&mut driver, ShoeFault::ReversedAtExit).await;

    say(&running, "misread 1000");
    say(&running, "draw");
    let unread = SealedShoeEvent::CardUnread { draw: DrawNumber(5), context: DrawContext::InPlay };
    driver.event("unread", |news| (*news == unread).then_some(())).await;
    let gone = shoe.open(DrawNumber(5), FaceUp::said_by_controller(DrawNumber(5)));
    assert_eq!(gone, Err(NotOpenable::NotHere(DrawNumber(5))), "nothing to open");
    say(&running, "misread 0");
    clear(&mut driver, ShoeFault::CannotRead).await;

    driver.command(ShoeCommand::Lock).await;
    say(&running, "draw");
    assert_eq!(driver.event("while locked", drawn).await, (DrawNumber(6), DrawContext::WhileLocked));
    driver.command(ShoeCommand::Unlock).await;
    say(&running, "tamper");
    driver.event("tamper", |news| (*news == SealedShoeEvent::FaultRaised(ShoeFault::Tamper)).then_some(())).await;
    say(&running, "tamper off");
    driver.event("tamper", |news| (*news == SealedShoeEvent::FaultCleared(ShoeFault::Tamper)).then_some(())).await;
    driver.end().await;
}

async fn clear(driver: &mut ShoeDriver, fault: ShoeFault) {
    driver.command(ShoeCommand::ClearError { fault }).await;
    driver.event("the fault is cleared", |news| (*news == SealedShoeEvent::FaultCleared(fault)).then_some(())).await;
}

#[tokio::test]
async fn over_a_serial_server_it_is_the_same_shoe() {
    let (running, connector) = on_tcp(ShoeTwin::new(12, Millis(0)));
    let (mut driver, shoe) = start_shoe(connector);
    driver.until_up("the greeting").await;
    say(&running, "load Ah Kd 7c Ts");
    say(&running, "drop 100");
    draw(&mut driver, &running, 1, 3, "over TCP").await;
    say(&running, "drop 0");
    say(&running, "reboot");
    loop {
        driver.until_up("after a restart").await;
        if driver.continuity == Some(Continuity::Restarted) {
            break;
        }
    }
    let state =
        driver.event("state", |news| if let SealedShoeEvent::State(status) = news { Some(status.state) } else { None });
    assert_eq!(state.await, ShoeState::Ready);
    draw(&mut driver, &running, 4, 1, "over TCP").await;
    assert_eq!(open(&shoe, 4), card(10, 3));
    driver.end().await;
}
