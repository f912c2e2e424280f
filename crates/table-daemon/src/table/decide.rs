//! What one input leads to: decided by the controller, queued for the journal, and carried out only when it is durable.

use std::sync::Arc;
use std::time::{Duration, Instant};

use device_drivers::devices::{Lamps, Shoe};
use device_protocols::link::EventId;
use device_protocols::protection::PairKeys;
use table_controller::{
    CONTENT_VERSION, Input, JournalInput, Output, ShoeInput, Stamp, card_named, encode_event, encode_events,
    encode_input,
};
use table_journal::{Acknowledgement, Head, JournalError, OwnedEntry, PersonId};
use tokio::sync::{mpsc, oneshot};

use super::devices::Port;
use super::layout;
use super::ledger::{Ledger, RequestPlace};
use super::lines::LampTest;
use super::replay::acting;
use super::running::{Acknowledged, Loop, SAVING_AFTER, TableEnded, frame_of};
use crate::failures::at_record;
use crate::handle::{AskError, Frame, Reply};

/// How long the loop stays awake for a record that is on its way to the disk. A good disk answers within it, and to be
/// woken up takes longer than to look; a slow one is slept for.
const AWAKE_FOR_THE_DISK: Duration = Duration::from_millis(2);

/// A record on its way to the disk, and what is due when it is there.
pub(super) struct Waiting {
    pub(super) since: Instant,
    commands: Vec<Output>,
    /// What is shown when it is durable; `None` where another record follows at once.
    frame: Option<Frame>,
    number: u64,
    events: Vec<String>,
    pub(super) reply: Option<oneshot::Sender<Reply>>,
    device: Option<(Port, EventId)>,
    /// Comes into force when the act is on record.
    pairing: Option<(Port, PairKeys)>,
    round: Option<(u64, bool)>,
    /// What whoever asked calls the request.
    key: Option<String>,
    /// Questions that were asked when this was the newest record: what they were told may be told when it is durable.
    answers: Vec<Answer>,
}

/// An answer that waits to be true.
pub(super) struct Answer {
    pub(super) text: Result<String, AskError>,
    pub(super) reply: oneshot::Sender<Result<String, AskError>>,
}

impl Loop {
    /// One input: decided, queued for the journal, and what follows kept until it is durable.
    pub(super) fn take(
        &mut self,
        input: Input,
        reply: Option<oneshot::Sender<Reply>>,
        device: Option<(Port, EventId)>,
    ) {
        let mut entries = Vec::new();
        self.decide(input, reply, device, &mut entries);
        if entries.is_empty() {
            return;
        }
        self.set_watching();
        let numbers: Vec<u64> = entries.iter().map(|(number, _)| *number).collect();
        let entries = entries.into_iter().map(|(number, entry)| {
            let acknowledged = self.acknowledged.clone();
            let acknowledge: Acknowledgement = Box::new(move |result| {
                let _gone = acknowledged.send((number, result));
            });
            (entry, acknowledge)
        });
        let accepted = self.journal_was_doubted && !self.controller.journal_is_doubted();
        self.journal_was_doubted = self.controller.journal_is_doubted();
        let round_ended = self.has_meters && !self.controller.in_round() && self.round_was_open;
        self.round_was_open = self.controller.in_round();
        if self.writer.submit_together(entries.collect()).is_err() {
            for number in numbers {
                let _gone = self.acknowledged.send((number, Err(Arc::new(JournalError::Stopped))));
            }
        }
        if round_ended || accepted {
            self.sign_head();
        }
        // Where both threads find themselves on one core, the writer would wait for the screen to be drawn up.
        std::thread::yield_now();
        self.say_writing();
        // Made while the disk is at work: nothing else is taken in before it is there.
        let frame = frame_of(&self.controller, self.device_events);
        if let Some(newest) = self.waiting.back_mut() {
            debug_assert_eq!(frame.sequence(), newest.number, "the screen shows the newest record");
            newest.frame = Some(frame);
        }
    }

    /// A card that the shoe names comes back as an input of its own: both records go to the disk at once, or the prompt
    /// would wait for two syncs.
    fn decide(
        &mut self,
        input: Input,
        reply: Option<oneshot::Sender<Reply>>,
        device: Option<(Port, EventId)>,
        entries: &mut Vec<(u64, OwnedEntry)>,
    ) {
        let number = self.controller.sequence() + 1;
        if matches!(input, Input::Reader(_) | Input::Shuffler(_) | Input::Shoe { .. } | Input::Layout(_)) {
            self.device_events += 1;
        }
        let mut outputs = std::mem::take(&mut self.outputs);
        outputs.clear();
        at_record(self.writer.status().durable.sequence.0 + 1);
        let pairing = self.pairing_of(&input);
        let applied = match &pairing {
            Err(refused) => Err(refused.clone()),
            Ok(_) => self.controller.apply(Stamp { sequence: number }, &input, &mut outputs),
        };
        if let Err(refused) = applied {
            self.outputs = outputs;
            match reply {
                Some(reply) => {
                    let _gone = reply.send(self.refusal(&input, refused));
                }
                None => tracing::warn!(reason = %refused.reason, "an input was refused"),
            }
            return;
        }
        let events = encode_events(&outputs.said);
        let record = match device {
            Some((port, id)) => Ledger::with_link(port, id, &events),
            None => events.clone(),
        };
        let (wall, monotonic) = self.clock.stamps();
        let entry = OwnedEntry {
            content_version: CONTENT_VERSION,
            wall,
            monotonic,
            person: PersonId(u64::from(acting(&self.controller, &input))),
            input: encode_input(&input),
            events: record,
        };
        let opens: Vec<Output> =
            outputs.commands.extract_if(.., |output| matches!(output, Output::Open { .. })).collect();
        let round = self.controller.rounds().next().map(|place| (place.round, place.last_sequence.is_some()));
        self.waiting.push_back(Waiting {
            since: Instant::now(),
            commands: outputs.commands.drain(..).collect(),
            frame: None,
            number,
            events: if reply.is_some() { each_event(&outputs.said) } else { Vec::new() },
            reply,
            device,
            pairing: pairing.ok().flatten(),
            round,
            key: Ledger::key_of(&input).map(str::to_owned),
            answers: Vec::new(),
        });
        self.outputs = outputs;
        entries.push((number, entry));
        for open in opens {
            self.open_seal(open, entries);
        }
    }

    /// Tells what is so now, as soon as all that it rests on is durable.
    pub(super) fn tell(&mut self, answer: Answer) {
        match self.waiting.back_mut() {
            Some(newest) => newest.answers.push(answer),
            None => {
                let _gone = answer.reply.send(answer.text);
            }
        }
    }

    /// The controller said that the card lies face up: the seal is broken and the card comes back as an input.
    fn open_seal(&mut self, open: Output, entries: &mut Vec<(u64, OwnedEntry)>) {
        let Output::Open { side, draw, face_up } = open else { return };
        let opened = self.ports.shoe(side).and_then(|shoe| shoe.open(draw, face_up).ok());
        let event = match opened {
            Some(card) => ShoeInput::Opened { draw: draw.0, card: card_named(card).to_string() },
            None => ShoeInput::NotOpened { draw: draw.0 },
        };
        self.decide(Input::Shoe { side, event }, None, None, entries);
    }

    /// Until when the loop stays awake for the disk.
    pub(super) fn awake_until(&self) -> Option<Instant> {
        self.waiting.front().map(|oldest| oldest.since + AWAKE_FOR_THE_DISK)
    }

    /// Everything that one sync made durable: the screens first, then what else follows, then the devices, which are in
    /// no hurry.
    pub(super) async fn on_acknowledgements(
        &mut self,
        first: Acknowledged,
        more: &mut mpsc::UnboundedReceiver<Acknowledged>,
    ) -> Result<(), TableEnded> {
        let (mut next, mut shown) = (Some(first), Ok(()));
        while let Some((number, result)) = next
            && shown.is_ok()
        {
            shown = self.show_saved(number, result);
            next = more.try_recv().ok();
        }
        // Somebody looks at the screen: the streams have their turn before the rest.
        tokio::task::yield_now().await;
        let mut saved = std::mem::take(&mut self.saved);
        for (waiting, head) in saved.drain(..) {
            self.follow_saved(waiting, head);
        }
        self.saved = saved;
        for (port, id) in self.saved_events.drain(..) {
            self.ports.durable(port, id);
        }
        shown
    }

    fn show_saved(&mut self, number: u64, result: Result<Head, Arc<JournalError>>) -> Result<(), TableEnded> {
        let head = result.map_err(TableEnded::Journal)?;
        let Some(mut waiting) = self.waiting.pop_front() else { return Err(TableEnded::JournalGone) };
        debug_assert_eq!(waiting.number, number, "records become durable in their order");
        if let Some(frame) = waiting.frame.take() {
            self.frames.send_replace(frame);
        }
        self.saved.push((waiting, head));
        Ok(())
    }

    fn follow_saved(&mut self, waiting: Waiting, head: Head) {
        if let Some((port, id)) = waiting.device {
            self.ledger.note_link(port, id);
            self.saved_events.push((port, id));
        }
        if let Some((round, ended)) = waiting.round {
            self.ledger.note_round(round, ended, head.sequence.0, self.controller.config().recall_rounds);
        }
        if let Some(key) = waiting.key {
            self.ledger.note_request(RequestPlace { number: waiting.number, record: head.sequence.0 }, key);
        }
        for command in waiting.commands {
            self.carry_out(command);
        }
        if let Some((port, keys)) = waiting.pairing {
            self.bring_into_force(port, keys);
        }
        let stalled = waiting.since.elapsed();
        self.last_save_ms = u64::try_from(stalled.as_millis()).unwrap_or(u64::MAX);
        self.say_writing();
        if let Some(reply) = waiting.reply {
            let (sequence, record) = (waiting.number, head.sequence.0);
            let _gone = reply.send(Reply::Accepted { sequence, record, events: waiting.events });
        }
        for Answer { text, reply } in waiting.answers {
            let _gone = reply.send(text);
        }
        if stalled > SAVING_AFTER && !std::mem::replace(&mut self.stall_told, true) {
            let milliseconds = u64::try_from(stalled.as_millis()).unwrap_or(u64::MAX);
            self.take(Input::Journal(JournalInput::Stalled { milliseconds }), None, None);
        }
    }

    fn carry_out(&mut self, command: Output) {
        let failed = match command {
            Output::Open { .. } => Ok(()),
            Output::Discard { side, draw } => {
                self.ports.shoe(side).iter().for_each(|shoe| shoe.discard(draw));
                Ok(())
            }
            Output::DiscardAll { side } => {
                self.ports.shoe(side).iter().for_each(|shoe| shoe.discard_all());
                Ok(())
            }
            Output::Reader(command) => {
                self.ports.reader.as_ref().map_or(Ok(()), |(control, _)| control.command(command).map(drop))
            }
            Output::Shuffler(command) => {
                self.ports.shuffler.as_ref().map_or(Ok(()), |(control, _)| control.command(command).map(drop))
            }
            Output::Shoe { side, command } => {
                self.ports.shoe(side).map_or(Ok(()), |shoe| Shoe::command(shoe, command).map(drop))
            }
            Output::Lamp { spot, state } => {
                self.end_lamp_test();
                if let (Some(layout), Some(spot)) = (&self.layout, layout::driver_spot(spot)) {
                    layout.lamps.show(spot, state);
                }
                Ok(())
            }
            Output::LockLamp { locked } => {
                self.end_lamp_test();
                self.layout.iter().for_each(|layout| layout.lamps.show_locked(locked));
                Ok(())
            }
            Output::LampTest => {
                self.end_lamp_test();
                self.lamp_test = self.lines.as_ref().map(LampTest::start);
                Ok(())
            }
            Output::Reopen => self.layout.as_ref().map_or(Ok(()), |layout| layout.control.reopen()),
        };
        if let Err(error) = failed {
            tracing::warn!(%error, "a command could not be given");
        }
    }

    /// What the table has to say comes before a test.
    fn end_lamp_test(&mut self) {
        if let Some(test) = self.lamp_test.take() {
            test.end();
        }
    }
}

/// Waits for the disk: awake for a moment, while everybody else has their turn too, and then asleep. A card's prompt
/// waits for nothing else, and a core that sleeps wakes up slowly.
pub(super) async fn next_acknowledgement(
    from: &mut mpsc::UnboundedReceiver<Acknowledged>,
    awake_until: Option<Instant>,
) -> Option<Acknowledged> {
    while awake_until.is_some_and(|until| Instant::now() < until) {
        if let Ok(first) = from.try_recv() {
            return Some(first);
        }
        // The journal's own thread may be waiting for this very core.
        std::thread::yield_now();
        tokio::task::yield_now().await;
    }
    from.recv().await
}

/// Each thing that was said, as JSON on one line.
fn each_event(said: &[table_controller::TableEvent]) -> Vec<String> {
    said.iter().map(encode_event).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use table_journal::{ChainHash, Sequence};

    fn acknowledged(number: u64) -> Acknowledged {
        (number, Ok(Head { sequence: Sequence(number), hash: ChainHash::ZERO }))
    }

    async fn received(channel: &mut mpsc::UnboundedReceiver<Acknowledged>, awake_until: Option<Instant>) -> u64 {
        next_acknowledgement(channel, awake_until).await.unwrap().0
    }

    #[tokio::test(start_paused = true)]
    async fn an_acknowledgement_is_heard_awake_and_asleep_and_others_have_their_turn() {
        let (sender, mut channel) = mpsc::unbounded_channel();
        let long = || Some(Instant::now() + Duration::from_secs(3_600));
        sender.send(acknowledged(1)).unwrap();
        assert_eq!(received(&mut channel, long()).await, 1);
        // Sent by another task of the same thread, which the waiting one must not keep from running.
        let told = sender.clone();
        tokio::spawn(async move { told.send(acknowledged(2)).unwrap() });
        assert_eq!(received(&mut channel, long()).await, 2);
        // The clock of a paused test moves only when everybody sleeps.
        for awake_until in [None, Some(Instant::now())] {
            let told = sender.clone();
            tokio::spawn(async move {
                tokio::time::sleep(Duration::from_secs(10)).await;
                told.send(acknowledged(3)).unwrap();
            });
            assert_eq!(received(&mut channel, awake_until).await, 3);
        }
        drop(sender);
        assert!(next_acknowledgement(&mut channel, None).await.is_none());
    }
}
