//! The simulated card-reading shoe: an ordered stack of cards with a cut card in it, a lens at the exit, a lock.
//!
//! The stack is known inside the twin and to whoever loaded it. What goes out is a sealed draw; the debug form prints
//! counts only.

use std::collections::VecDeque;
use std::fmt;

use device_protocols::faults::{FaultBook, FaultChange};
use device_protocols::link::Millis;
use device_protocols::message::{Capabilities, NakReason};
use device_protocols::sealed::{self, DrawNumber, SealedCard};
use device_protocols::shoe::{
    DrawContext, LockCause, ReversalPlace, Shoe, ShoeCommand, ShoeEvent, ShoeFault, ShoeState, ShoeStatus,
};
use table_rules::card::Card;

use crate::bench::{BenchError, Word, argument, on_or_off, word};
use crate::dice::Dice;
use crate::twin::{Firmware, Outgoing, Simulated, identity};

/// The shoe with its cable and supply.
pub type ShoeTwin = Simulated<ShoeFirmware>;

impl ShoeTwin {
    pub fn new(seed: u64, now: Millis) -> Self {
        let mut dice = Dice::new(seed);
        let link_dice = dice.fork();
        let abilities = Capabilities::LOCK.with(Capabilities::LENS_CHECK).with(Capabilities::TAMPER_SWITCH);
        Self::switched_on(ShoeFirmware::new(dice), identity("SIM-SHOE", "SIM-S1", abilities), link_dice, now)
    }
}

/// What came out in the dealer's hand.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Pulled {
    Card(Card),
    CutCard,
}

impl fmt::Debug for Pulled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Card(_) => "a card",
            Self::CutCard => "the cut card",
        })
    }
}

pub struct ShoeFirmware {
    dice: Dice,
    /// The next to come out is at the front.
    stack: VecDeque<Pulled>,
    last: Option<Card>,
    drawn: u16,
    cut_card_seen: bool,
    locked: bool,
    powered: bool,
    faults: FaultBook<ShoeFault>,
    /// Thousandths of the cards that it cannot read.
    pub misread_per_mille: u16,
}

impl fmt::Debug for ShoeFirmware {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ShoeFirmware")
            .field("cards_left", &self.stack.len())
            .field("drawn", &self.drawn)
            .field("cut_card_seen", &self.cut_card_seen)
            .field("locked", &self.locked)
            .field("faults", &self.faults.standing())
            .finish_non_exhaustive()
    }
}

impl ShoeFirmware {
    fn new(dice: Dice) -> Self {
        Self {
            dice,
            stack: VecDeque::new(),
            last: None,
            drawn: 0,
            cut_card_seen: false,
            locked: false,
            powered: false,
            faults: FaultBook::default(),
            misread_per_mille: 0,
        }
    }

    /// Puts a batch in, the first card to come out first; the cut card lies after `before_cut` cards.
    pub fn load(&mut self, cards: &[Card], before_cut: Option<usize>) {
        self.stack = cards.iter().copied().map(Pulled::Card).collect();
        if let Some(place) = before_cut {
            self.stack.insert(place.min(cards.len()), Pulled::CutCard);
        }
        self.last = None;
    }

    /// Takes out everything that is left; the cut card is laid aside.
    pub fn unload(&mut self) -> Vec<Card> {
        let pulled = std::mem::take(&mut self.stack);
        pulled
            .into_iter()
            .filter_map(|item| match item {
                Pulled::Card(card) => Some(card),
                Pulled::CutCard => None,
            })
            .collect()
    }

    /// Cards before the cut card; `None` once it is out.
    pub fn before_cut(&self) -> Option<usize> {
        self.stack.iter().position(|item| matches!(item, Pulled::CutCard))
    }

    pub fn cards_left(&self) -> usize {
        self.stack.iter().filter(|item| matches!(item, Pulled::Card(_))).count()
    }

    pub fn drawn(&self) -> DrawNumber {
        DrawNumber(self.drawn)
    }

    pub fn draw(&mut self, out: &mut Vec<ShoeEvent>) -> Option<Pulled> {
        let pulled = self.stack.pop_front()?;
        if !self.powered {
            return Some(pulled);
        }
        match pulled {
            Pulled::CutCard => {
                self.cut_card_seen = true;
                out.push(ShoeEvent::CutCardDrawn { drawn: DrawNumber(self.drawn) });
            }
            Pulled::Card(card) => self.report_draw(card, out),
        }
        Some(pulled)
    }

    fn report_draw(&mut self, card: Card, out: &mut Vec<ShoeEvent>) {
        self.last = Some(card);
        self.drawn = self.drawn.saturating_add(1);
        let draw = DrawNumber(self.drawn);
        let context = if self.locked {
            DrawContext::WhileLocked
        } else if self.faults.standing().iter().any(is_error) {
            DrawContext::DuringError
        } else {
            DrawContext::InPlay
        };
        let unread = self.dice.per_mille(self.misread_per_mille);
        match wire_card(card).filter(|_| !unread) {
            Some(card) => out.push(ShoeEvent::CardDrawn { context, card: SealedCard::seal(draw, card) }),
            None => {
                out.push(ShoeEvent::CardUnread { draw, context });
                self.set_fault(ShoeFault::CannotRead, true, out);
            }
        }
    }

    /// Two cards come at once. The second is pulled without being read.
    pub fn overdraw(&mut self, out: &mut Vec<ShoeEvent>) -> Vec<Pulled> {
        let first = self.draw(out);
        let second = self.stack.pop_front();
        if self.powered && second.is_some() {
            out.push(ShoeEvent::CardOverdrawn { draw: DrawNumber(self.drawn) });
            self.set_fault(ShoeFault::Overdraw, true, out);
        }
        [first, second].into_iter().flatten().collect()
    }

    /// The card last drawn is pushed back in. It comes again with a number of its own.
    pub fn push_back(&mut self, place: ReversalPlace, out: &mut Vec<ShoeEvent>) -> Result<(), BenchError> {
        let card = self.last.take().ok_or(BenchError::NotNow { reason: "no card has been drawn" })?;
        self.stack.push_front(Pulled::Card(card));
        if self.powered {
            out.push(ShoeEvent::CardReversed { draw: DrawNumber(self.drawn), place });
            let fault = match place {
                ReversalPlace::AtExit => ShoeFault::ReversedAtExit,
                ReversalPlace::Midway => ShoeFault::ReversedMidway,
            };
            self.set_fault(fault, true, out);
        }
        Ok(())
    }

    pub fn set_lock(&mut self, locked: bool, cause: LockCause, out: &mut Vec<ShoeEvent>) {
        if self.locked == locked {
            return;
        }
        self.locked = locked;
        if self.powered {
            out.push(if locked { ShoeEvent::Locked { cause } } else { ShoeEvent::Unlocked { cause } });
        }
    }

    pub fn set_fault(&mut self, fault: ShoeFault, stands: bool, out: &mut Vec<ShoeEvent>) {
        let change = if stands { self.faults.handle_raised(fault) } else { self.faults.handle_cleared(fault) };
        if change == FaultChange::Changed && self.powered {
            out.push(if stands { ShoeEvent::FaultRaised(fault) } else { ShoeEvent::FaultCleared(fault) });
        }
    }
}

/// The device's own card from the table's.
fn wire_card(card: Card) -> Option<sealed::Card> {
    sealed::Card::new(card.rank().ace_low(), card.suit() as u8)
}

/// A dirty lens is a warning; everything else must be cleared before cards count again.
fn is_error(fault: ShoeFault) -> bool {
    match fault {
        ShoeFault::LensDirty => false,
        ShoeFault::CannotRead
        | ShoeFault::Overdraw
        | ShoeFault::ButtonStuck
        | ShoeFault::ReversedAtExit
        | ShoeFault::ReversedMidway
        | ShoeFault::CardCode
        | ShoeFault::DrawTimeout
        | ShoeFault::Tamper => true,
    }
}

/// What goes away when it is acknowledged; the rest goes when its cause does.
fn clears_by_command(fault: ShoeFault) -> bool {
    match fault {
        ShoeFault::CannotRead
        | ShoeFault::Overdraw
        | ShoeFault::ReversedAtExit
        | ShoeFault::ReversedMidway
        | ShoeFault::CardCode
        | ShoeFault::DrawTimeout => true,
        ShoeFault::ButtonStuck | ShoeFault::LensDirty | ShoeFault::Tamper => false,
    }
}

impl Firmware for ShoeFirmware {
    type Protocol = Shoe;

    fn handle_command(
        &mut self,
        command: ShoeCommand,
        _now: Millis,
        out: &mut Outgoing<Self>,
    ) -> Result<(), NakReason> {
        match command {
            ShoeCommand::Lock => self.set_lock(true, LockCause::Commanded, out),
            ShoeCommand::Unlock => self.set_lock(false, LockCause::Commanded, out),
            ShoeCommand::ClearError { fault } if clears_by_command(fault) => self.set_fault(fault, false, out),
            ShoeCommand::ClearError { .. } => return Err(NakReason::FaultPresent),
            ShoeCommand::StartBatch => {
                self.drawn = 0;
                self.cut_card_seen = false;
                self.last = None;
            }
        }
        Ok(())
    }

    fn handle_timeout(&mut self, _now: Millis, _out: &mut Outgoing<Self>) {}

    /// Counter, lock and errors are kept over a power cut; the stack is made of paper.
    fn handle_power_lost(&mut self) {
        self.powered = false;
    }

    fn handle_power_back(&mut self, _now: Millis, _out: &mut Outgoing<Self>) {
        self.powered = true;
    }

    fn obey(&mut self, words: &[&str], _now: Millis, out: &mut Outgoing<Self>) -> Option<Result<String, BenchError>> {
        let done = |result: Result<(), BenchError>| Some(result.map(|()| "done".to_owned()));
        let empty = || Err(BenchError::NotNow { reason: "the shoe is empty" });
        match words.first().copied()? {
            // The technician holds the card in the hand, as a dealer would; it is named nowhere else.
            "draw" => Some(self.draw(out).map_or_else(empty, |pulled| {
                Ok(match pulled {
                    Pulled::Card(card) => format!("out came {card}"),
                    Pulled::CutCard => "out came the cut card".to_owned(),
                })
            })),
            "overdraw" => Some(Ok(format!("{} cards came", self.overdraw(out).len()))),
            "reverse" => done(match words.get(1) {
                None | Some(&"exit") => self.push_back(ReversalPlace::AtExit, out),
                Some(&"midway") => self.push_back(ReversalPlace::Midway, out),
                Some(_) => Err(BenchError::usage(words, "reverse [midway]")),
            }),
            "load" => Some(self.load_words(words)),
            "lock" => {
                self.set_lock(true, LockCause::ByHand, out);
                done(Ok(()))
            }
            "unlock" => {
                self.set_lock(false, LockCause::ByHand, out);
                done(Ok(()))
            }
            "misread" => done(argument(words, 1, "misread N").map(|rate| self.misread_per_mille = rate)),
            name => {
                let (_, fault) = FAULT_NAMES.iter().find(|(known, _)| *known == name)?;
                done(on_or_off(words, 1, "button|code|timeout|dirty|tamper [off]").map(|stands| {
                    self.set_fault(*fault, stands, out);
                }))
            }
        }
    }

    fn state(&self) -> ShoeEvent {
        let state = if !self.powered {
            ShoeState::Booting
        } else if self.faults.standing().iter().any(is_error) {
            ShoeState::Error
        } else if self.locked {
            ShoeState::Locked
        } else if self.stack.is_empty() {
            ShoeState::Empty
        } else {
            ShoeState::Ready
        };
        ShoeEvent::State(ShoeStatus {
            state,
            drawn: DrawNumber(self.drawn),
            cut_card_seen: self.cut_card_seen,
            faults: self.faults.standing(),
        })
    }

    fn words() -> &'static [Word] {
        const WORDS: &[Word] = &[
            word("load DECKS [CUT]", "put in so many shuffled decks, the cut card after CUT cards"),
            word("load Ah Kd …", "put in these cards; `cut` stands for the cut card"),
            word("draw", "pull the next card"),
            word("overdraw", "pull two at once"),
            word("reverse [midway]", "push the last card back in"),
            word("lock, unlock", "turn the key"),
            word("misread N", "fail to read N of a thousand cards"),
            word("button [off]", "a button sticks"),
            word("code [off]", "a card code error stands"),
            word("timeout [off]", "a draw took too long"),
            word("dirty [off]", "the lens is dirty"),
            word("tamper [off]", "the tamper switch has tripped"),
        ];
        WORDS
    }

    fn poll_deadline(&self) -> Option<Millis> {
        None
    }
}

impl ShoeFirmware {
    fn load_words(&mut self, words: &[&str]) -> Result<String, BenchError> {
        const USAGE: &str = "load DECKS [CUT], or load Ah Kd cut …";
        if let Ok(decks) = argument::<u8>(words, 1, USAGE) {
            let mut cards: Vec<Card> = (0..decks.min(8)).flat_map(|_| Card::deck()).collect();
            self.dice.shuffle(&mut cards);
            let cut = words.get(2).map(|_| argument(words, 2, USAGE)).transpose()?;
            self.load(&cards, cut);
            return Ok(format!("{} cards", cards.len()));
        }
        let mut stack = VecDeque::new();
        for (place, item) in words.iter().enumerate().skip(1) {
            stack.push_back(match *item {
                "cut" => Pulled::CutCard,
                _ => Pulled::Card(argument(words, place, USAGE)?),
            });
        }
        self.stack = stack;
        self.last = None;
        Ok(format!("{} cards", self.cards_left()))
    }
}

const FAULT_NAMES: &[(&str, ShoeFault)] = &[
    ("button", ShoeFault::ButtonStuck),
    ("code", ShoeFault::CardCode),
    ("timeout", ShoeFault::DrawTimeout),
    ("dirty", ShoeFault::LensDirty),
    ("tamper", ShoeFault::Tamper),
];
