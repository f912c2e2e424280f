//! The shuffler: its cycle with jams, doors, wrong counts and colours, over a line and a supply that fail.

use device_drivers::fault::FaultChange::{Cleared, Raised};
use device_drivers::fault::{Part, PortFault};
use device_drivers::serial::{PortReport, Refusal};
use device_protocols::link::{Continuity, Millis};
use device_protocols::message::{IdentityText, NakReason};
use device_protocols::shuffler::{
    BatchColour, CardCount, ExpectedCount, JamSeverity, Shuffler, ShufflerCommand, ShufflerEvent, ShufflerFault,
    ShufflerState, StopCause,
};
use table_simulator::port::RunningTwin;
use table_simulator::shoe::ShoeTwin;
use table_simulator::shuffler::ShufflerTwin;
use table_simulator::twin::Twin;

use crate::bench::{BAD_LINES, Driver, Humming, Socket, calm, host, say};

type ShufflerDriver = Driver<ShufflerCommand, ShufflerEvent>;

fn start(socket: &Socket) -> ShufflerDriver {
    Driver::start::<Shuffler>(Part::Shuffler, socket.connector(), host())
}

fn expected() -> ExpectedCount {
    ExpectedCount::new(312).unwrap()
}

fn shuffle() -> ShufflerCommand {
    ShufflerCommand::Shuffle { colour: BatchColour::Red, expected: expected() }
}

async fn event(driver: &mut ShufflerDriver, what: &str, wanted: ShufflerEvent) {
    driver.event(what, |event| (*event == wanted).then_some(())).await;
}

async fn started(driver: &mut ShufflerDriver, what: &str) {
    event(driver, what, ShufflerEvent::ShuffleStarted { colour: BatchColour::Red }).await;
}

/// Shuffles the batch that lies in the machine until it is ready. It must become ready exactly once: every event of
/// the cycle from its start on is looked at.
async fn whole_cycle<T: Twin + 'static>(driver: &mut ShufflerDriver, running: &RunningTwin<T>, what: &str) {
    say(running, "cycle 200");
    // The answer to a command may be lost with the line, its event may not.
    let begun = ShufflerEvent::ShuffleStarted { colour: BatchColour::Red };
    let has_begun = |report: &_, _| matches!(report, PortReport::Event { event, .. } if *event == begun);
    driver.command_until(what, shuffle(), has_begun).await;
    let count = CardCount { counted: 312, expected: expected() };
    let mut story = Vec::new();
    while !matches!(story.last(), Some(ShufflerEvent::BatchReady { .. })) {
        let next = driver.event(what, |event| Some(*event)).await;
        if !matches!(next, ShufflerEvent::State(_) | ShufflerEvent::Progressed(_)) {
            story.push(next);
        }
    }
    let colour = BatchColour::Red;
    assert_eq!(
        story,
        [ShufflerEvent::Counted { count, colour }, ShufflerEvent::BatchReady { count, colour }],
        "{what}"
    );
}

#[tokio::test]
async fn a_bad_line_loses_and_repeats_nothing_of_a_cycle() {
    for (seed, faults) in BAD_LINES {
        let what = faults.join(", ");
        let socket = Socket::new();
        let running = socket.plug_in(ShufflerTwin::new(seed, Millis(0)));
        let mut driver = start(&socket);
        driver.until_up(&what).await;
        say(&running, "load 312 red");
        for fault in faults {
            say(&running, fault);
        }
        whole_cycle(&mut driver, &running, &what).await;
        calm(&running);
        driver.end().await;
    }
}

#[tokio::test]
async fn a_power_cut_in_a_cycle_is_told_and_the_batch_is_counted_again() {
    let socket = Socket::new();
    let running = socket.plug_in(ShufflerTwin::new(7, Millis(0)));
    let mut driver = start(&socket);
    driver.until_up("the greeting").await;
    say(&running, "load 312 red");
    for words in ["reboot", "cut", "power off"] {
        say(&running, "cycle 60000");
        driver.command(shuffle()).await;
        started(&mut driver, words).await;
        say(&running, words);
        if words == "power off" {
            driver.until_fault(PortFault::Silent, Raised).await;
            say(&running, "power on");
        }
        driver.until_up(words).await;
        assert_eq!(driver.continuity, Some(Continuity::Restarted), "{words}");
        // The stop may come before or after the state that was asked for; both must come, and the state has no count.
        let (mut stopped, mut state) = (false, None);
        while !stopped || state.is_none() {
            let event = driver.event(words, |event| Some(*event)).await;
            stopped |= matches!(event, ShufflerEvent::ShuffleStopped { cause: StopCause::PowerLoss, .. });
            if let ShufflerEvent::State(status) = event {
                state = Some((status.state, status.count));
            }
        }
        assert_eq!(state, Some((ShufflerState::Loaded, None)), "{words}");
    }
    say(&running, "silent");
    driver.until_fault(PortFault::Silent, Raised).await;
    say(&running, "silent off");
    driver.until_up("speaking again").await;
    assert_eq!(driver.continuity, Some(Continuity::SameBoot));
    whole_cycle(&mut driver, &running, "after all of it").await;
    driver.end().await;
}

#[tokio::test]
async fn babbling_and_noise_end_and_the_cycle_is_whole() {
    let socket = Socket::new();
    let running = socket.plug_in(Humming::new(ShufflerTwin::new(8, Millis(0))));
    let mut driver = start(&socket);
    driver.until_up("the greeting through noise").await;
    say(&running, "load 312 red");
    whole_cycle(&mut driver, &running, "through noise").await;
    say(&running, "hum off");
    say(&running, "babble");
    driver.until_fault(PortFault::Babbling, Raised).await;
    say(&running, "babble off");
    driver.until_fault(PortFault::Babbling, Cleared).await;
    driver.until_faults("calm", <[_]>::is_empty).await;
    whole_cycle(&mut driver, &running, "after the babbling").await;
    driver.end().await;
}

#[tokio::test]
async fn the_wrong_kind_and_the_wrong_unit_are_told_apart() {
    let socket = Socket::new();
    let mut config = host();
    config.expected.serial = IdentityText::new("SIM-H2");
    let wrong_kind = socket.plug_in(ShoeTwin::new(9, Millis(0)));
    let mut driver: ShufflerDriver = Driver::start::<Shuffler>(Part::Shuffler, socket.connector(), config);
    driver.until_fault(PortFault::WrongKind, Raised).await;
    drop(wrong_kind);
    let wrong_unit = socket.plug_in(ShufflerTwin::new(9, Millis(0)));
    driver.until_fault(PortFault::WrongSerial, Raised).await;
    assert_eq!(driver.continuity, None, "no session with a stranger");
    drop(wrong_unit);
    driver.until_fault(PortFault::WrongSerial, Cleared).await;
}

#[tokio::test]
async fn jams_are_counted_and_only_a_stuck_one_needs_a_hand() {
    let socket = Socket::new();
    let running = socket.plug_in(ShufflerTwin::new(10, Millis(0)));
    let mut driver = start(&socket);
    driver.until_up("the greeting").await;
    say(&running, "load 312 red");
    driver.command(shuffle()).await;
    started(&mut driver, "the cycle").await;
    say(&running, "jam retry");
    event(&mut driver, "a jam", ShufflerEvent::Jammed { jams: 1, severity: JamSeverity::Retrying }).await;
    event(&mut driver, "freed by itself", ShufflerEvent::JamCleared).await;
    say(&running, "jam");
    event(&mut driver, "stuck", ShufflerEvent::Jammed { jams: 2, severity: JamSeverity::Stuck }).await;
    driver
        .event("stopped", |event| {
            matches!(event, ShufflerEvent::ShuffleStopped { cause: StopCause::Jam, .. }).then_some(())
        })
        .await;
    let refused = driver.control.command(shuffle()).unwrap();
    let busy = driver.until("refused while jammed", |report| {
        if let PortReport::CommandRefused { ticket, refusal } = report {
            (*ticket == refused).then_some(*refusal)
        } else {
            None
        }
    });
    assert_eq!(busy.await, Refusal::ByDevice(NakReason::Busy));
    driver.command(ShufflerCommand::ClearJam).await;
    event(&mut driver, "cleared", ShufflerEvent::JamCleared).await;
    whole_cycle(&mut driver, &running, "after the jam").await;
    driver.end().await;
}

#[tokio::test]
async fn a_count_that_is_one_off_or_a_strange_colour_is_never_a_ready_batch() {
    let socket = Socket::new();
    let running = socket.plug_in(ShufflerTwin::new(11, Millis(0)));
    let mut driver = start(&socket);
    driver.until_up("the greeting").await;
    say(&running, "load 312 red");
    say(&running, "cycle 100");
    say(&running, "miscount 1000");
    driver.command(shuffle()).await;
    let counted = driver.event("the count", |event| {
        assert!(!matches!(event, ShufflerEvent::BatchReady { .. }), "not counted yet");
        if let ShufflerEvent::Counted { count, .. } = event { Some(*count) } else { None }
    });
    assert_eq!(counted.await.counted.abs_diff(312), 1);
    // The very next event is the fault: nothing called the batch ready in between.
    let next = driver.event("the fault", |event| Some(*event)).await;
    assert_eq!(next, ShufflerEvent::FaultRaised(ShufflerFault::CountMismatch));
    say(&running, "miscount 0");
    driver.command(shuffle()).await;
    event(&mut driver, "counted right", ShufflerEvent::FaultCleared(ShufflerFault::CountMismatch)).await;
    driver.event("ready", |event| matches!(event, ShufflerEvent::BatchReady { .. }).then_some(())).await;

    say(&running, "take");
    event(&mut driver, "the door", ShufflerEvent::DoorOpened).await;
    event(&mut driver, "the door", ShufflerEvent::DoorClosed).await;
    say(&running, "load 312 blue");
    driver.command(shuffle()).await;
    event(&mut driver, "wrong colour", ShufflerEvent::FaultRaised(ShufflerFault::WrongBackColour)).await;
    say(&running, "take");
    event(&mut driver, "taken out", ShufflerEvent::FaultCleared(ShufflerFault::WrongBackColour)).await;
    say(&running, "load 312 red");
    say(&running, "cycle 60000");
    driver.command(shuffle()).await;
    started(&mut driver, "a cycle").await;
    say(&running, "motor");
    event(&mut driver, "the motor", ShufflerEvent::FaultRaised(ShufflerFault::Motor)).await;
    say(&running, "motor off");
    event(&mut driver, "the motor", ShufflerEvent::FaultCleared(ShufflerFault::Motor)).await;
    whole_cycle(&mut driver, &running, "after all of it").await;
    driver.end().await;
}
