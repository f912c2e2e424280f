//! A stand-in for the table controller: the rules engine, the controller's ends of the links, and the sealed slots.
//!
//! It does what the coordinator does with device events, without journal, roles or screen. A drawn card stays sealed
//! until the prompt says that it lies face up; only then the opener, which the caller lends, breaks the seal.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;

use device_protocols::frame::BootId;
use device_protocols::link::{ExpectedDevice, HostConfig, HostEvent, LinkHost, Millis};
use device_protocols::message::DeviceProtocol;
use device_protocols::protection::Protection;
use device_protocols::reader::{self, HoleCardReader, ReaderCommand, ReaderEvent, ReaderState, UpCardGroup};
use device_protocols::sealed::{self, SealedCard};
use device_protocols::shoe::{Shoe, ShoeCommand, ShoeEvent};
use device_protocols::shuffler::{Shuffler, ShufflerEvent};
use table_rules::card::{Card, Rank, Suit};
use table_rules::event::{Event, Events};
use table_rules::input::{Drawn, Input, InputKind, PeekAnswer, UpGroup};
use table_rules::prompt::{CardOffer, Order};
use table_rules::seat::Seat;
use table_rules::table::{Table, Tracking};
use table_rules::{Engine, Prompt};

use super::Stopped;

/// Breaks a seal on behalf of the controller that this stand-in replaces. This crate may not do it by itself.
pub type Opener = Box<dyn FnMut(SealedCard) -> Option<sealed::Card> + Send>;

/// What the controller knows of the reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReaderKnown {
    Unknown,
    Idle,
    Arming,
    Armed,
    Reading,
    Answered,
}

/// After a refusal the reader is asked again, not at once.
const ARM_AGAIN_MS: u64 = 1_000;

enum FromShoe {
    Card(SealedCard),
    CutCard,
}

pub(crate) struct Controller {
    pub(crate) engine: Engine,
    pub(crate) events: Events,
    pub(crate) reader: LinkHost<HoleCardReader>,
    pub(crate) shoe: LinkHost<Shoe>,
    pub(crate) shuffler: LinkHost<Shuffler>,
    pub(crate) reader_known: ReaderKnown,
    open: Opener,
    from_shoe: VecDeque<FromShoe>,
    hole: Option<SealedCard>,
    down: BTreeMap<u8, VecDeque<Option<SealedCard>>>,
    face_down_said: bool,
    /// Draws below this number have been told by hand.
    next_draw: u16,
    unread_waiting: u16,
    /// Cards that left the shoe and are on the screen.
    pub(crate) accounted: u64,
    answer_due: bool,
    arm_again_at: Millis,
    /// What the dealer's screen would alarm about; the caller checks or ignores it.
    pub(crate) anomalies: Vec<String>,
}

impl fmt::Debug for Controller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Controller").field("reader", &self.reader_known).finish_non_exhaustive()
    }
}

impl Controller {
    /// The table is closed: its day begins with the decks.
    pub(crate) fn new(table: &Table, boot: BootId, open: Opener, now: Millis) -> Self {
        fn host<P: DeviceProtocol>(boot: BootId, now: Millis) -> LinkHost<P> {
            let config = HostConfig {
                boot,
                expected: ExpectedDevice::default(),
                last_durable: None,
                protection: Protection::None,
            };
            let mut host = LinkHost::new(config, now);
            host.handle_port_opened(now);
            host
        }
        Self {
            engine: Engine::closed(table.clone(), Tracking::Cards),
            events: Events::new(),
            reader: host(boot, now),
            shoe: host(boot, now),
            shuffler: host(boot, now),
            reader_known: ReaderKnown::Unknown,
            open,
            from_shoe: VecDeque::new(),
            hole: None,
            down: BTreeMap::new(),
            face_down_said: false,
            next_draw: 1,
            unread_waiting: 0,
            accounted: 0,
            answer_due: false,
            arm_again_at: now,
            anomalies: Vec::new(),
        }
    }

    pub(crate) fn prompt(&self) -> Prompt {
        self.engine.prompt()
    }

    pub(crate) fn apply(&mut self, input: &Input) -> Result<(), Stopped> {
        let prompt = self.engine.prompt();
        self.engine.apply(input, &mut self.events).map_err(|refusal| Stopped::Refused {
            input: *input,
            refusal,
            order: Box::new(prompt.order),
        })
    }

    /// A new batch is in the shoe.
    pub(crate) fn start_batch(&mut self) {
        self.next_draw = 1;
        self.unread_waiting = 0;
    }

    pub(crate) fn handle_lock_pressed(&mut self) -> Result<(), Stopped> {
        // A second press means nothing; neither does one with no wagers down.
        if self.prompt().offers.offers(InputKind::Lock) { self.apply(&Input::Lock) } else { Ok(()) }
    }

    pub(crate) fn handle_chip(&mut self, seat: Seat, lies: bool) -> Result<(), Stopped> {
        use table_rules::wager::WagerId::Main;
        let input = match (lies, self.engine.is_wagering()) {
            (true, true) => Input::Wager { seat, wager: Main, amount: None },
            (true, false) => Input::Late { seat, wager: Main },
            (false, true) => Input::Unwager { seat, wager: Main },
            (false, false) => return Ok(()),
        };
        if self.engine.offers_input(&input) { self.apply(&input) } else { Ok(()) }
    }

    /// Takes everything the links have to say and lets the engine follow.
    pub(crate) fn work(&mut self, now: Millis) -> Result<bool, Stopped> {
        let mut busy = false;
        while let Some(event) = self.shoe.poll_event() {
            busy = true;
            self.on_shoe(event, now);
        }
        while let Some(event) = self.reader.poll_event() {
            busy = true;
            self.on_reader(event, now)?;
        }
        while let Some(event) = self.shuffler.poll_event() {
            busy = true;
            self.on_shuffler(event, now);
        }
        self.take_cards()?;
        self.arm(now);
        Ok(busy)
    }

    fn on_shoe(&mut self, event: HostEvent<Shoe>, now: Millis) {
        let HostEvent::Device { id, event } = event else { return };
        self.shoe.acknowledge(id, now);
        match event {
            ShoeEvent::CardDrawn { card, .. } => {
                if card.draw().0 >= self.next_draw {
                    self.next_draw = card.draw().0 + 1;
                    self.from_shoe.push_back(FromShoe::Card(card));
                }
            }
            ShoeEvent::CardUnread { draw, .. } => {
                if draw.0 >= self.next_draw {
                    self.next_draw = draw.0 + 1;
                    self.unread_waiting += 1;
                }
            }
            ShoeEvent::CutCardDrawn { .. } => self.from_shoe.push_back(FromShoe::CutCard),
            ShoeEvent::FaultRaised(fault) => {
                // Physical cards govern: the dealer has seen it, play goes on. A lost command is repeated by STATE.
                let _ = self.shoe.send(&ShoeCommand::ClearError { fault }, now);
            }
            ShoeEvent::State(status) => {
                self.next_draw = status.drawn.0 + 1;
                for fault in status.faults.iter() {
                    let _ = self.shoe.send(&ShoeCommand::ClearError { fault }, now);
                }
            }
            ShoeEvent::CardReversed { .. } | ShoeEvent::CardOverdrawn { .. } => {
                self.anomalies.push(format!("{event:?}"));
            }
            ShoeEvent::Locked { .. } | ShoeEvent::Unlocked { .. } | ShoeEvent::FaultCleared(_) => {}
        }
    }

    /// Each card goes where the prompt says, and only a card that lies face up is opened.
    fn take_cards(&mut self) -> Result<(), Stopped> {
        while let Some(item) = self.from_shoe.pop_front() {
            match item {
                FromShoe::CutCard => {
                    if self.prompt().offers.offers(InputKind::Cover) {
                        self.apply(&Input::Cover)?;
                    }
                }
                FromShoe::Card(sealed) => {
                    self.accounted += 1;
                    self.take_card(Some(sealed), None)?;
                }
            }
        }
        Ok(())
    }

    /// One card that left the shoe: sealed as the shoe told it, or as the dealer's hand shows it.
    fn take_card(&mut self, sealed: Option<SealedCard>, shown: Option<Card>) -> Result<(), Stopped> {
        let prompt = self.prompt();
        if matches!(prompt.order, Order::BurnForNewDealer | Order::BurnFirstCard) {
            return self.apply(&Input::Burn);
        }
        let down = std::mem::take(&mut self.face_down_said);
        match prompt.offers.card {
            CardOffer::FaceDown => {
                self.hole = sealed;
                self.apply(&Input::Card(Drawn::FaceDown))
            }
            CardOffer::Either if down => {
                let Order::DealDouble { seat, .. } = prompt.order else {
                    return Err(Stopped::Unexpected(Box::new(prompt.order)));
                };
                self.down.entry(seat.number()).or_default().push_back(sealed);
                self.apply(&Input::Card(Drawn::FaceDown))
            }
            CardOffer::FaceUp | CardOffer::Either => {
                let card = self.open_card(sealed, shown)?;
                self.apply(&Input::Card(Drawn::FaceUp(card)))
            }
        }
    }

    /// The card lies face up: the seal is broken. What hand and shoe say must be the same card.
    fn open_card(&mut self, sealed: Option<SealedCard>, shown: Option<Card>) -> Result<Card, Stopped> {
        let opened = match sealed {
            Some(sealed) => {
                let draw = sealed.draw();
                let card = (self.open)(sealed).and_then(table_card).ok_or(Stopped::SealKept { draw })?;
                Some(card)
            }
            None => None,
        };
        match (opened, shown) {
            (Some(opened), Some(shown)) if opened != shown => Err(Stopped::OtherCard { opened, shown }),
            (Some(card), _) | (None, Some(card)) => Ok(card),
            (None, None) => Err(Stopped::NoCard),
        }
    }

    /// The dealer says before the draw that a double's card goes face down.
    pub(crate) fn say_face_down(&mut self) {
        self.face_down_said = true;
    }

    /// The shoe has not told of a card: the dealer does.
    pub(crate) fn tell_missed_card(&mut self, card: Card) -> Result<(), Stopped> {
        self.accounted += 1;
        if self.unread_waiting > 0 {
            self.unread_waiting -= 1;
        } else {
            self.next_draw = self.next_draw.saturating_add(1);
        }
        self.take_card(None, Some(card))
    }

    pub(crate) fn turn_hole_card(&mut self, shown: Card) -> Result<(), Stopped> {
        let sealed = self.hole.take();
        let card = self.open_card(sealed, Some(shown))?;
        self.apply(&Input::Reveal(card))
    }

    pub(crate) fn turn_card(&mut self, seat: Seat, shown: Card) -> Result<(), Stopped> {
        let sealed = self.down.get_mut(&seat.number()).and_then(VecDeque::pop_front).flatten();
        let card = self.open_card(sealed, Some(shown))?;
        self.apply(&Input::Turn { seat, card })
    }

    pub(crate) fn end_round(&mut self) {
        self.hole = None;
        self.down.clear();
        self.face_down_said = false;
        self.answer_due = false;
    }

    fn on_reader(&mut self, event: HostEvent<HoleCardReader>, now: Millis) -> Result<(), Stopped> {
        match event {
            HostEvent::Device { id, event } => {
                self.reader.acknowledge(id, now);
                self.on_reader_event(event)
            }
            HostEvent::CommandAccepted { .. } => {
                if self.reader_known == ReaderKnown::Arming {
                    self.reader_known = ReaderKnown::Armed;
                }
                Ok(())
            }
            HostEvent::CommandRefused { .. } | HostEvent::CommandUnanswered { .. } => {
                if self.reader_known == ReaderKnown::Arming {
                    self.reader_known = ReaderKnown::Idle;
                    self.arm_again_at = now + ARM_AGAIN_MS;
                }
                Ok(())
            }
            HostEvent::LinkLost(_) => {
                self.reader_known = ReaderKnown::Unknown;
                Ok(())
            }
            HostEvent::LinkUp { .. }
            | HostEvent::LinkBack { .. }
            | HostEvent::LinkDegraded(_)
            | HostEvent::LinkRecovered
            | HostEvent::WrongDevice(_)
            | HostEvent::EventsMissing { .. }
            | HostEvent::NotUnderstood { .. } => Ok(()),
        }
    }

    fn on_reader_event(&mut self, event: ReaderEvent) -> Result<(), Stopped> {
        match event {
            ReaderEvent::CardInserted { .. } => {
                self.reader_known = ReaderKnown::Reading;
                self.answer_due = true;
                if self.prompt().offers.offers(InputKind::InsuranceClosed) {
                    self.apply(&Input::InsuranceClosed)?;
                }
            }
            // A second report of one reading is not a second reading.
            ReaderEvent::Answered { answer, .. } => {
                self.reader_known = ReaderKnown::Answered;
                if std::mem::take(&mut self.answer_due) && self.prompt().offers.offers(InputKind::Peek) {
                    self.apply(&Input::Peek(match answer {
                        reader::ReaderAnswer::Yes => PeekAnswer::Yes,
                        reader::ReaderAnswer::No => PeekAnswer::No,
                        reader::ReaderAnswer::Unread => PeekAnswer::Unread,
                    }))?;
                }
            }
            ReaderEvent::RemovedEarly => {
                self.reader_known = ReaderKnown::Armed;
                self.answer_due = false;
            }
            ReaderEvent::CardRemoved => self.reader_known = ReaderKnown::Idle,
            ReaderEvent::State(status) => {
                self.answer_due &= matches!(status.state, ReaderState::Reading(_));
                self.reader_known = match status.state {
                    ReaderState::Armed(_) => ReaderKnown::Armed,
                    ReaderState::CardIn(_) | ReaderState::Reading(_) => ReaderKnown::Reading,
                    ReaderState::Answered(..) => ReaderKnown::Answered,
                    ReaderState::Idle | ReaderState::CardOut => ReaderKnown::Idle,
                    ReaderState::Booting | ReaderState::Faulted | ReaderState::Testing | ReaderState::CoverOpen => {
                        ReaderKnown::Unknown
                    }
                };
            }
            // A fault disarms; its end is a reason to ask again.
            ReaderEvent::FaultRaised(_) | ReaderEvent::FaultCleared(_) => {
                if self.reader_known == ReaderKnown::Unknown || matches!(event, ReaderEvent::FaultRaised(_)) {
                    self.reader_known = ReaderKnown::Idle;
                }
            }
            ReaderEvent::WrongTimeInsertion
            | ReaderEvent::HalfInserted
            | ReaderEvent::Misplaced
            | ReaderEvent::NoCard
            | ReaderEvent::TestAnswered { .. } => {}
        }
        Ok(())
    }

    /// Arms the reader when the procedure has come to it.
    fn arm(&mut self, now: Millis) {
        if self.reader_known != ReaderKnown::Idle || now < self.arm_again_at {
            return;
        }
        if !matches!(self.prompt().order, Order::OfferInsurance | Order::InsertHoleCard { .. }) {
            return;
        }
        let Some(&up) = self.engine.dealer().cards().first() else { return };
        let group = match UpGroup::of(up) {
            UpGroup::Ace => UpCardGroup::Ace,
            UpGroup::Ten => UpCardGroup::Ten,
            UpGroup::Low => return,
        };
        if self.reader.send(&ReaderCommand::Arm { group }, now).is_ok() {
            self.reader_known = ReaderKnown::Arming;
        }
    }

    /// When it wants to try arming again, besides what the links want.
    pub(crate) fn poll_deadline(&self, now: Millis) -> Option<Millis> {
        (self.reader_known == ReaderKnown::Idle && self.arm_again_at > now).then_some(self.arm_again_at)
    }

    fn on_shuffler(&mut self, event: HostEvent<Shuffler>, now: Millis) {
        let HostEvent::Device { id, event } = event else { return };
        self.shuffler.acknowledge(id, now);
        match event {
            ShufflerEvent::ShuffleStopped { .. } | ShufflerEvent::Jammed { .. } | ShufflerEvent::FaultRaised(_) => {
                self.anomalies.push(format!("{event:?}"));
            }
            ShufflerEvent::BatchLoaded { .. }
            | ShufflerEvent::ShuffleStarted { .. }
            | ShufflerEvent::Progressed(_)
            | ShufflerEvent::Counted { .. }
            | ShufflerEvent::BatchReady { .. }
            | ShufflerEvent::JamCleared
            | ShufflerEvent::DoorOpened
            | ShufflerEvent::DoorClosed
            | ShufflerEvent::Unloaded
            | ShufflerEvent::OutOfService
            | ShufflerEvent::BackInService
            | ShufflerEvent::FaultCleared(_)
            | ShufflerEvent::State(_) => {}
        }
    }

    pub(crate) fn take_events(&mut self) -> Vec<Event> {
        let events = self.events.as_slice().to_vec();
        self.events.clear();
        events
    }
}

fn table_card(card: sealed::Card) -> Option<Card> {
    let rank = Rank::ALL.get(usize::from(card.rank()).checked_sub(1)?)?;
    let suit = Suit::ALL.get(usize::from(card.suit()))?;
    Some(Card::new(*rank, *suit))
}
