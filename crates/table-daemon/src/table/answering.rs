//! The reader's answer goes on at a fixed time after the insertion, whatever it is and however long the reading took: from
//! here on nothing that is shown, sent or lit can tell one answer from another by its delay.

use std::time::Duration;

use device_drivers::devices::ReaderReports;
use device_drivers::serial::PortReport;
use device_protocols::reader::ReaderEvent;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep_until};

/// As many reports as may wait behind an answer.
const WAITING_MAX: usize = 64;

/// Passes the reader's reports on in their order. An answer waits until `after` has passed since the insertion, and what
/// comes behind it waits with it. One that is later than that goes on at once.
pub(super) fn hold_answers(mut reports: ReaderReports, after: Duration) -> (ReaderReports, JoinHandle<()>) {
    let (send, held) = mpsc::channel(WAITING_MAX);
    let task = tokio::spawn(async move {
        let mut inserted: Option<Instant> = None;
        while let Some(report) = reports.recv().await {
            match &report {
                PortReport::Event { event: ReaderEvent::CardInserted { .. }, .. } => inserted = Some(Instant::now()),
                PortReport::Event { event: ReaderEvent::Answered { .. }, .. } => {
                    if let Some(at) = inserted.take() {
                        sleep_until(at + after).await;
                    }
                }
                PortReport::Event { .. }
                | PortReport::LinkUp { .. }
                | PortReport::LinkDown
                | PortReport::CommandAccepted { .. }
                | PortReport::CommandRefused { .. }
                | PortReport::CommandUnanswered { .. }
                | PortReport::Fault(_)
                | PortReport::Occurred(_) => {}
            }
            if send.send(report).await.is_err() {
                return;
            }
        }
    });
    (held, task)
}

#[cfg(test)]
mod tests {
    use super::*;
    use device_protocols::frame::{BootId, Sequence};
    use device_protocols::link::EventId;
    use device_protocols::reader::{ReaderAnswer, UpCardGroup};

    /// By tokio's own clock, which stands still until everybody waits: exact, and no real time passes.
    #[tokio::test(start_paused = true)]
    async fn each_answer_comes_at_the_same_time_after_the_insertion() {
        let answers =
            [(ReaderAnswer::Yes, 5), (ReaderAnswer::No, 40), (ReaderAnswer::Unread, 699), (ReaderAnswer::No, 900)];
        let (send, reports) = mpsc::channel(8);
        let (mut held, task) = hold_answers(reports, Duration::from_millis(700));
        let group = UpCardGroup::Ace;
        for (number, (answer, takes_ms)) in (0u16..).zip(answers) {
            let event = |offset: u16, event| {
                let (boot, sequence) = (BootId::new(1).unwrap(), Sequence::new(number * 3 + offset).unwrap());
                PortReport::Event { id: EventId { boot, sequence }, event }
            };
            let at = Instant::now();
            send.send(event(1, ReaderEvent::CardInserted { group })).await.unwrap();
            held.recv().await.unwrap();
            assert_eq!(at.elapsed(), Duration::ZERO, "an insertion is told at once");
            tokio::time::sleep(Duration::from_millis(takes_ms)).await;
            send.send(event(2, ReaderEvent::Answered { group, answer })).await.unwrap();
            send.send(event(3, ReaderEvent::HalfInserted)).await.unwrap();
            let told = held.recv().await.unwrap();
            assert!(matches!(told, PortReport::Event { event: ReaderEvent::Answered { .. }, .. }), "in their order");
            assert_eq!(at.elapsed(), Duration::from_millis(takes_ms.max(700)), "{answer:?} after {takes_ms} ms");
            held.recv().await.unwrap();
        }
        drop(send);
        assert!(held.recv().await.is_none());
        task.await.unwrap();
    }
}
