//! The hole-card reader: hands that do it wrong, a lens that fails, answers that lie. Restarts, silence and the pulled
//! plug are in `drivers.rs`.

use device_drivers::fault::FaultChange::{Cleared, Raised};
use device_drivers::fault::{Part, PortFault};
use device_drivers::serial::{PortReport, Refusal};
use device_protocols::link::{HostConfig, Millis};
use device_protocols::message::NakReason;
use device_protocols::protection::{PairKeys, Paired, Protection, Seed};
use device_protocols::reader::{HoleCardReader, ReaderAnswer, ReaderCommand, ReaderEvent, ReaderFault, UpCardGroup};
use table_simulator::port::RunningTwin;
use table_simulator::reader::ReaderTwin;
use table_simulator::twin::Twin;

use crate::bench::{Driver, Humming, PATIENCE, Socket, calm, host, say};

type ReaderDriver = Driver<ReaderCommand, ReaderEvent>;

const GROUP: UpCardGroup = UpCardGroup::Ace;

fn start(socket: &Socket) -> ReaderDriver {
    Driver::start::<HoleCardReader>(Part::Reader, socket.connector(), host())
}

async fn event(driver: &mut ReaderDriver, wanted: ReaderEvent) {
    driver.event(&format!("{wanted:?}"), |event| (*event == wanted).then_some(())).await;
}

async fn arm(driver: &mut ReaderDriver) {
    driver.command(ReaderCommand::Arm { group: GROUP }).await;
}

/// One peek at this card, and the one answer to it: the very next event after the answer is the removal.
async fn peek<T: Twin + 'static>(driver: &mut ReaderDriver, running: &RunningTwin<T>, card: &str) -> ReaderAnswer {
    arm(driver).await;
    say(running, &format!("insert {card}"));
    event(driver, ReaderEvent::CardInserted { group: GROUP }).await;
    let answered =
        |event: &ReaderEvent| if let ReaderEvent::Answered { answer, .. } = event { Some(*answer) } else { None };
    let answer = driver.event("the answer", answered).await;
    say(running, "remove");
    assert_eq!(driver.event("the removal", |event| Some(*event)).await, ReaderEvent::CardRemoved);
    answer
}

async fn ready(seed: u64) -> (Socket, RunningTwin<ReaderTwin>, ReaderDriver) {
    let socket = Socket::new();
    let running = socket.plug_in(ReaderTwin::new(seed, Millis(0)));
    let mut driver = start(&socket);
    driver.until_up("the greeting").await;
    driver.event("the first state", |event| matches!(event, ReaderEvent::State(_)).then_some(())).await;
    (socket, running, driver)
}

#[tokio::test]
async fn hands_that_do_it_wrong_are_told_as_what_they_did() {
    let (_socket, running, mut driver) = ready(1).await;
    say(&running, "insert Kh");
    event(&mut driver, ReaderEvent::WrongTimeInsertion).await;
    say(&running, "remove");

    arm(&mut driver).await;
    say(&running, "half Kh");
    event(&mut driver, ReaderEvent::HalfInserted).await;
    say(&running, "remove");

    // Taken out before the answer: none may come, and the reader waits for the card again.
    let removed = running.act(|twin, now| twin.obey("insert Kh", now).and_then(|_| twin.obey("remove", now)));
    removed.unwrap();
    event(&mut driver, ReaderEvent::CardInserted { group: GROUP }).await;
    assert_eq!(driver.event("removed early", |event| Some(*event)).await, ReaderEvent::RemovedEarly);
    say(&running, "insert Kh");
    assert_eq!(driver.event("again", |event| Some(*event)).await, ReaderEvent::CardInserted { group: GROUP });
    event(&mut driver, ReaderEvent::Answered { group: GROUP, answer: ReaderAnswer::Yes }).await;
    say(&running, "remove");
    event(&mut driver, ReaderEvent::CardRemoved).await;

    arm(&mut driver).await;
    say(&running, "askew");
    event(&mut driver, ReaderEvent::Misplaced).await;
    say(&running, "remove");
    driver.command(ReaderCommand::Disarm).await;
    driver.end().await;
}

#[tokio::test]
async fn a_dirty_lens_is_unread_and_a_lying_reader_is_passed_on_as_it_spoke() {
    let (_socket, running, mut driver) = ready(2).await;
    assert_eq!(peek(&mut driver, &running, "Kh").await, ReaderAnswer::Yes);
    assert_eq!(peek(&mut driver, &running, "7c").await, ReaderAnswer::No);
    say(&running, "dirty 100");
    event(&mut driver, ReaderEvent::FaultRaised(ReaderFault::LensDirty)).await;
    assert_eq!(peek(&mut driver, &running, "Kh").await, ReaderAnswer::Unread);
    say(&running, "dirty 0");
    event(&mut driver, ReaderEvent::FaultCleared(ReaderFault::LensDirty)).await;
    say(&running, "wrong 1000");
    assert_eq!(peek(&mut driver, &running, "Kh").await, ReaderAnswer::No);
    assert_eq!(peek(&mut driver, &running, "7c").await, ReaderAnswer::Yes);
    say(&running, "wrong 0");
    say(&running, "misread 1000");
    assert_eq!(peek(&mut driver, &running, "7c").await, ReaderAnswer::Unread);
    say(&running, "misread 0");

    // A device that answers twice is heard twice: the driver drops repeated messages, never a second event.
    say(&running, "double 1000");
    arm(&mut driver).await;
    say(&running, "insert Kh");
    for _ in 0..2 {
        event(&mut driver, ReaderEvent::Answered { group: GROUP, answer: ReaderAnswer::Yes }).await;
    }
    driver.end().await;
}

#[tokio::test]
async fn tampering_stops_the_reader_until_it_is_over() {
    let (_socket, running, mut driver) = ready(3).await;
    for (word, fault) in [("tamper", ReaderFault::Tamper), ("cover", ReaderFault::CoverOpen)] {
        arm(&mut driver).await;
        say(&running, word);
        event(&mut driver, ReaderEvent::FaultRaised(fault)).await;
        let sent = driver.control.command(ReaderCommand::Arm { group: GROUP }).unwrap();
        let refused = driver.until("refused", |report| {
            if let PortReport::CommandRefused { ticket, refusal } = report {
                (*ticket == sent).then_some(*refusal)
            } else {
                None
            }
        });
        assert_eq!(refused.await, Refusal::ByDevice(NakReason::FaultPresent), "{word}");
        say(&running, &format!("{word} off"));
        event(&mut driver, ReaderEvent::FaultCleared(fault)).await;
        assert_eq!(peek(&mut driver, &running, "Kh").await, ReaderAnswer::Yes);
    }
    driver.end().await;
}

#[tokio::test]
async fn a_bad_line_noise_and_babbling_change_no_answer() {
    let socket = Socket::new();
    let running = socket.plug_in(Humming::new(ReaderTwin::new(4, Millis(0))));
    let mut driver = start(&socket);
    driver.until_up("the greeting through noise").await;
    assert_eq!(peek(&mut driver, &running, "Kh").await, ReaderAnswer::Yes);
    say(&running, "hum off");
    for words in ["drop 100", "duplicate 200", "garble 100", "delay 300 200"] {
        say(&running, words);
        assert_eq!(peek(&mut driver, &running, "Kh").await, ReaderAnswer::Yes, "{words}");
        assert_eq!(peek(&mut driver, &running, "7c").await, ReaderAnswer::No, "{words}");
        calm(&running);
        driver.until_faults("calm", <[_]>::is_empty).await;
    }
    say(&running, "babble");
    driver.until_fault(PortFault::Babbling, Raised).await;
    say(&running, "babble off");
    driver.until_fault(PortFault::Babbling, Cleared).await;
    driver.until_faults("calm", <[_]>::is_empty).await;
    assert_eq!(peek(&mut driver, &running, "Kh").await, ReaderAnswer::Yes);
    driver.end().await;
}

#[tokio::test]
async fn a_reader_is_paired_over_its_port_and_comes_back_under_the_same_keys() {
    let socket = Socket::new();
    let running = socket.plug_in(ReaderTwin::new(11, Millis(0)));
    let seed = Seed::new([0xA7; 32]);
    let protection = Protection::Paired(Paired { keys: PairKeys::of_nobody(&seed), seed });
    let config = HostConfig { protection, ..host() };
    let mut driver: ReaderDriver = Driver::start::<HoleCardReader>(Part::Reader, socket.connector(), config);
    driver.until_fault(PortFault::NotPaired, Raised).await;
    driver.control.allow_pairing(true);
    say(&running, "pair");
    let mut control = driver.control.clone();
    let offer = loop {
        if let Some(offer) = control.status().pairing {
            break offer;
        }
        tokio::time::timeout(PATIENCE, control.status_changed()).await.unwrap().unwrap();
    };
    assert!(offer.code.is(&say(&running, "code")), "the display and the table show one code");
    driver.control.set_keys(offer.keys);
    driver.until_fault(PortFault::NotPaired, Cleared).await;
    driver.until_up("the greeting under the new keys").await;
    assert_eq!(peek(&mut driver, &running, "Kh").await, ReaderAnswer::Yes);
    say(&running, "reboot");
    driver.until_up("the greeting after a restart").await;
    assert_eq!(peek(&mut driver, &running, "9h").await, ReaderAnswer::No);
    assert!(driver.control.status().pairing.is_none());
}
