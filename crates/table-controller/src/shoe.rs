//! The shoe's handler: where each draw goes, and which seals may be broken.
//!
//! A draw has a number. Only when the procedure says that the card lies face up is its seal opened, and the card comes
//! back as an input of its own. Burnt cards and the hole card stay sealed; after a restart the seals are gone, and what
//! is turned then is named by hand.

use std::collections::{BTreeMap, VecDeque};

use device_protocols::sealed::{self, DrawNumber, FaceUp};
use device_protocols::shoe::ShoeCommand;
use serde::{Deserialize, Serialize};
use table_rules::card::{Card, Rank, Suit};
use table_rules::engine::Irregular;
use table_rules::input::{Drawn, Input, InputKind};
use table_rules::prompt::{CardOffer, Order};
use table_rules::seat::Seat;
use table_rules::table::Variation;

use crate::alerts::Stops;
use crate::codes::Code;
use crate::controller::Controller;
use crate::devices::Link;
use crate::input::{LockWord, ShoeInput, ShoeSide};
use crate::notice::Notice;
use crate::output::{Output, Outputs};
use crate::people::Refused;

/// A seal that is being opened, and what for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum Purpose {
    Deal,
    Reveal,
    Turn(Seat),
    /// A card that left the shoe out of its time and was seen (13.F, 14.C).
    Exposed,
}

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Shoe {
    pub(crate) link: Link,
    /// As it last told it.
    #[serde(default)]
    pub(crate) state: String,
    /// Draws told so far in this batch.
    pub(crate) last_draw: u16,
    pub(crate) opening: Option<(u16, Purpose)>,
    /// A card that lies face up and that the shoe could not name: a person does.
    pub(crate) unnamed: Option<u16>,
    /// Draws that cannot go anywhere yet, in their order: the card before them has no name, or nothing asks for a card.
    pub(crate) waiting: VecDeque<Pull>,
}

/// A card that left the shoe.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Pull {
    pub(crate) draw: u16,
    pub(crate) in_play: bool,
    /// The slot holds it; a card that could not be read has no seal to open.
    pub(crate) sealed: bool,
    /// It came when no card was to leave the shoe. It is the next one, once somebody asks for a card (13.E, 14.B).
    pub(crate) early: bool,
}

/// The alert about a card that nobody has named.
const UNNAMED: &str = "card unnamed";

/// Draws that lie face down, by number. `None` for one that was never told by a shoe.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct FaceDown {
    pub(crate) hole: Option<(ShoeSide, u16)>,
    pub(crate) players: BTreeMap<u8, VecDeque<(ShoeSide, u16)>>,
    /// The dealer said that the next double card goes face down.
    pub(crate) next_goes_down: bool,
}

/// The alert of a shoe that does not answer. It is kept in checkpoints.
const fn link_key(side: ShoeSide) -> &'static str {
    match side {
        ShoeSide::Left => "shoe link Left",
        ShoeSide::Right => "shoe link Right",
    }
}

/// The card that a seal held, as the rules name it: rank 1 is the ace, suits count from clubs.
pub fn card_named(card: sealed::Card) -> Card {
    Card::new(Rank::ALL[usize::from(card.rank()) - 1], Suit::ALL[usize::from(card.suit())])
}

impl Controller {
    pub(crate) fn on_shoe(&mut self, side: ShoeSide, event: &ShoeInput, out: &mut Outputs) {
        match event {
            ShoeInput::Up(identity) => {
                self.shoe(side).link = Link { up: true, identity: identity.clone() };
                self.end_alert(link_key(side), &Code::DeviceFault.to_string(), out);
            }
            ShoeInput::Down => {
                self.shoe(side).link.up = false;
                self.shoe(side).state = "unknown".to_owned();
                let text = "shoe does not answer: enter the cards by hand";
                self.raise(link_key(side), Stops::Nothing, &Code::DeviceFault.to_string(), text, out);
            }
            ShoeInput::Drawn { draw, in_play } => {
                self.on_draw(side, Pull { draw: *draw, in_play: *in_play, sealed: true, early: false }, out);
            }
            ShoeInput::Opened { draw, card } => self.on_opened(side, *draw, card, out),
            ShoeInput::NotOpened { draw } => {
                if let Some((_, purpose)) = self.shoe(side).opening.take_if(|(opening, _)| opening == draw) {
                    self.not_named(side, *draw, purpose, out);
                }
            }
            ShoeInput::Unread { draw } => {
                self.on_draw(side, Pull { draw: *draw, in_play: true, sealed: false, early: false }, out);
            }
            ShoeInput::CutCard => {
                let input = if self.config.table.variation == Variation::DoubleShoe {
                    Input::CoverFrom(side)
                } else {
                    Input::Cover
                };
                self.follow_if_offered(&input, out);
            }
            ShoeInput::Reversed { draw } | ShoeInput::Overdrawn { draw } => {
                let source = Code::CardNotPlaced.to_string();
                let text =
                    format!("card {draw} of the shoe was pushed back or pulled at the wrong time: look at the shoe");
                self.raise("shoe draw", Stops::Nothing, &source, &text, out);
            }
            ShoeInput::Locked { by } => self.on_shoe_lock(side, true, *by, out),
            ShoeInput::Unlocked { by } => self.on_shoe_lock(side, false, *by, out),
            ShoeInput::State { drawn, state } => {
                self.shoe(side).state.clone_from(state);
                let missing = *drawn > self.shoe(side).last_draw;
                if missing {
                    let text = "shoe counted cards that the screen does not have: compare the table with the screen";
                    self.raise("shoe step", Stops::Nothing, &Code::ShoeOutOfStep.to_string(), text, out);
                }
                self.shoe(side).last_draw = *drawn;
            }
        }
    }

    /// A card that leaves past a lock is told as such; here it is only recorded who locked it.
    fn on_shoe_lock(&mut self, side: ShoeSide, locked: bool, by: LockWord, out: &mut Outputs) {
        let done = if locked { "locked" } else { "unlocked" };
        self.shoe(side).state = if locked { "locked" } else { "ready" }.to_owned();
        let by = match by {
            LockWord::Command => "by command",
            LockWord::Hand => "by hand",
            LockWord::Error => "after an error",
        };
        let what = match side {
            ShoeSide::Left if self.config.shoes < 2 => format!("shoe was {done} {by}"),
            ShoeSide::Left => format!("left shoe was {done} {by}"),
            ShoeSide::Right => format!("right shoe was {done} {by}"),
        };
        self.say(Notice::Noted { what }, &Code::ShoeLock.to_string(), out);
    }

    pub(crate) fn shoe(&mut self, side: ShoeSide) -> &mut Shoe {
        &mut self.state.shoes[side.index()]
    }

    pub(crate) fn place_draw(&mut self, side: ShoeSide, pull: Pull, out: &mut Outputs) {
        let Pull { draw, in_play, sealed, .. } = pull;
        if in_play && self.may_begin_round() && self.engine.is_wagering() && !self.engine.burn_is_required() {
            self.make_way_for_lock(&Input::Lock, None, out);
        }
        if in_play && self.may_begin_round() && self.engine.draw_follows_lock() && !self.engine.burn_is_required() {
            // X2: the first card closes the wagers. Where a random draw has to come before it (B10), that is all it does.
            self.follow_if_offered(&Input::Lock, out);
        }
        let (order, source) = self.engine.order();
        let offers = self.engine.offers();
        let number = DrawNumber(draw);
        // Before the wagers are locked the first card of a shoe is burnt as well; nobody may see it then either.
        // A burn that may be made but need not does not take the card that a due draw holds back.
        let waits_for_draw = self.engine.draw_is_due() && !self.engine.burn_is_required();
        let burns = offers.offers(InputKind::Burn) && !offers.offers(InputKind::Card) && !waits_for_draw;
        if burns && in_play && self.may_begin_round() {
            if sealed {
                out.commands.push(Output::Discard { side, draw: number });
            }
            self.follow_if_offered(&Input::Burn, out);
            return;
        }
        let placed = in_play && offers.offers(InputKind::Card) && self.may_begin_round();
        if !placed {
            self.say(Notice::CardNotPlaced { side, draw }, &Code::CardNotPlaced.to_string(), out);
            let text = match self.stops().first() {
                Some(stop) if self.engine.is_wagering() => {
                    format!("card drawn, but no round may begin. {}", stop.reason)
                }
                Some(_) | None => {
                    format!("card {draw} of the shoe came out of turn. First: {}", self.engine.order_in_words())
                }
            };
            let source = if self.engine.is_wagering() { Code::CardNotPlaced.to_string() } else { source.to_string() };
            self.raise("card not placed", Stops::Nothing, &source, &text, out);
            return;
        }
        let down = std::mem::take(&mut self.state.down.next_goes_down);
        match offers.card {
            CardOffer::FaceDown => self.lay_down(side, pull, order, out),
            CardOffer::Either if down => self.lay_down(side, pull, order, out),
            CardOffer::FaceUp | CardOffer::Either if sealed => self.open(side, draw, Purpose::Deal, out),
            CardOffer::FaceUp | CardOffer::Either => self.not_named(side, draw, Purpose::Deal, out),
        }
    }

    /// No seal tells this card: a person names it.
    fn not_named(&mut self, side: ShoeSide, draw: u16, purpose: Purpose, out: &mut Outputs) {
        if purpose == Purpose::Deal {
            self.shoe(side).unnamed = Some(draw);
            let text = format!("shoe could not read card {draw}: look at it and enter it");
            self.raise(UNNAMED, Stops::Nothing, &Code::ShoeOutOfStep.to_string(), &text, out);
        }
        self.say(Notice::CardToBeNamed { draw }, &Code::ShoeOutOfStep.to_string(), out);
    }

    /// A person's word about a card goes before the shoe's: the seal that could have said it stays shut for good.
    pub(crate) fn named_by_hand(&mut self, input: &Input, out: &mut Outputs) {
        let purpose = if let Input::Turn { seat, .. } = input {
            Purpose::Turn(*seat)
        } else if matches!(input, Input::Reveal(_)) {
            Purpose::Reveal
        } else if let Input::Irregularity { card: Some(card), .. } = input {
            if Some(*input) != self.irregularity(Irregular::DrawnExposed, Some(*card)) {
                return;
            }
            Purpose::Exposed
        } else if matches!(input.kind(), InputKind::Card | InputKind::Burn) {
            Purpose::Deal
        } else {
            return;
        };
        for side in [ShoeSide::Left, ShoeSide::Right] {
            let opening = self.shoe(side).opening.take_if(|(_, each)| *each == purpose);
            let unnamed = self.shoe(side).unnamed.take_if(|_| purpose == Purpose::Deal);
            if let Some((draw, _)) = opening {
                out.commands.push(Output::Discard { side, draw: DrawNumber(draw) });
            }
            if unnamed.is_some() {
                self.end_alert(UNNAMED, &Code::ShoeOutOfStep.to_string(), out);
            }
            if opening.is_some() || unnamed.is_some() {
                self.place_waiting(side, out);
                return;
            }
        }
        if matches!(purpose, Purpose::Deal | Purpose::Exposed)
            && let Some((side, Pull { draw, sealed: true, .. })) = self.take_early(out)
        {
            out.commands.push(Output::Discard { side, draw: DrawNumber(draw) });
        }
    }

    /// Seals belong to cards that lie face down. Where a word or an undo has changed what lies there, no seal is guessed
    /// to be the right one: they are given up, and the cards are named when they are turned.
    pub(crate) fn keep_seals_in_step(&mut self, out: &mut Outputs) {
        let opens = |shoe: &Shoe, purpose| shoe.opening.is_some_and(|(_, each)| each == purpose);
        let hole_opens = self.state.shoes.iter().any(|shoe| opens(shoe, Purpose::Reveal));
        let hole_lies = self.engine.hole_card_lies_down() && !hole_opens;
        let mut given_up: Vec<(ShoeSide, u16)> = self.state.down.hole.take_if(|_| !hole_lies).into_iter().collect();
        if !self.state.down.players.is_empty() {
            let view = self.engine.view();
            let shoes = &self.state.shoes;
            self.state.down.players.retain(|seat, draws| {
                let boxes = view.boxes.iter().filter(|each| each.seat.number() == *seat);
                let lie = boxes.flat_map(|each| &each.hands).flat_map(|hand| &hand.cards).filter(|card| card.is_none());
                let opening =
                    Seat::new(*seat).is_some_and(|seat| shoes.iter().any(|shoe| opens(shoe, Purpose::Turn(seat))));
                let in_step = lie.count() == draws.len() + usize::from(opening);
                if !in_step {
                    given_up.extend(draws.iter().copied());
                }
                in_step && !draws.is_empty()
            });
        }
        for (side, draw) in given_up {
            out.commands.push(Output::Discard { side, draw: DrawNumber(draw) });
        }
    }

    fn lay_down(&mut self, side: ShoeSide, pull: Pull, order: Order, out: &mut Outputs) {
        let seat = if let Order::DealDouble { seat, .. } = order { Some(seat) } else { dealt_to(order) };
        let input = self.card_input(side, Drawn::FaceDown);
        self.follow_device(&input, out);
        let held = pull.sealed.then_some((side, pull.draw));
        match (seat, held) {
            (Some(seat), Some(held)) => {
                self.state.down.players.entry(seat.number()).or_default().push_back(held);
            }
            (None, Some(held)) => self.state.down.hole = Some(held),
            (_, None) => self.say(Notice::CardToBeNamed { draw: pull.draw }, &Code::ShoeOutOfStep.to_string(), out),
        }
    }

    fn card_input(&self, side: ShoeSide, drawn: Drawn) -> Input {
        if self.config.table.variation == Variation::DoubleShoe {
            Input::CardFrom { drawn, side }
        } else {
            Input::Card(drawn)
        }
    }

    /// The controller's word that this card lies face up.
    pub(crate) fn open(&mut self, side: ShoeSide, draw: u16, purpose: Purpose, out: &mut Outputs) {
        self.shoe(side).opening = Some((draw, purpose));
        let number = DrawNumber(draw);
        out.commands.push(Output::Open { side, draw: number, face_up: FaceUp::said_by_controller(number) });
    }

    fn on_opened(&mut self, side: ShoeSide, draw: u16, card: &str, out: &mut Outputs) {
        // A seal that somebody's word has overtaken says nothing any more.
        let Some((_, purpose)) = self.shoe(side).opening.take_if(|(opening, _)| *opening == draw) else { return };
        let Ok(card) = card.parse::<Card>() else {
            self.not_named(side, draw, purpose, out);
            return;
        };
        let input = match purpose {
            Purpose::Deal => Some(self.card_input(side, Drawn::FaceUp(card))),
            Purpose::Reveal => Some(Input::Reveal(card)),
            Purpose::Turn(seat) => Some(Input::Turn { seat, card }),
            Purpose::Exposed => self.irregularity(Irregular::DrawnExposed, Some(card)),
        };
        if let Some(input) = input {
            self.follow_device(&input, out);
        }
        self.place_waiting(side, out);
    }

    /// The dealer turned the hole card; the shoe knows which it is.
    pub(crate) fn reveal(&mut self, out: &mut Outputs) -> Result<(), Refused> {
        if !self.offers(InputKind::Reveal) {
            return Err(self.not_now());
        }
        match self.state.down.hole.take() {
            Some((side, draw)) => {
                self.open(side, draw, Purpose::Reveal, out);
                Ok(())
            }
            None => Err(Refused::by(Code::NothingThere, "shoe does not know this card: enter it")),
        }
    }

    pub(crate) fn turn_up(&mut self, seat: u8, out: &mut Outputs) -> Result<(), Refused> {
        let Some(seat) = Seat::new(seat).filter(|seat| self.engine.prompt().offers.turn_seats.contains(*seat)) else {
            return Err(self.not_now());
        };
        let held = self.state.down.players.get_mut(&seat.number()).and_then(VecDeque::pop_front);
        match held {
            Some((side, draw)) => {
                self.open(side, draw, Purpose::Turn(seat), out);
                Ok(())
            }
            None => Err(Refused::by(Code::NothingThere, "shoe does not know this card: enter it")),
        }
    }

    /// Whether a tap is enough, because a shoe can name the card.
    pub(crate) fn shoe_knows_next_turn(&self) -> bool {
        let (order, _) = self.engine.order();
        if let Order::TurnCard { seat } = order {
            return self.state.down.players.get(&seat.number()).is_some_and(|draws| !draws.is_empty());
        }
        matches!(order, Order::TurnHoleCard { .. } | Order::RevealStep) && self.state.down.hole.is_some()
    }

    /// Seals do not outlive the process: what was sealed before a start has to be named.
    pub(crate) fn forget_seals(&mut self, out: &mut Outputs) {
        self.state.down.hole = None;
        self.state.down.players.clear();
        for side in [ShoeSide::Left, ShoeSide::Right] {
            if let Some((draw, purpose)) = self.shoe(side).opening.take() {
                self.not_named(side, draw, purpose, out);
            }
            for pull in &mut self.shoe(side).waiting {
                pull.sealed = false;
            }
        }
    }

    /// The round is over: nothing of it will be turned any more.
    pub(crate) fn end_round_of_shoe(&mut self, out: &mut Outputs) {
        let down = std::mem::take(&mut self.state.down);
        let mut left: Vec<_> = down.hole.into_iter().chain(down.players.into_values().flatten()).collect();
        for side in [ShoeSide::Left, ShoeSide::Right] {
            let shoe = self.shoe(side);
            left.extend(shoe.opening.take().map(|(draw, _)| (side, draw)));
            let unnamed = shoe.unnamed.take();
            let early = shoe.waiting.front().is_some_and(|pull| pull.early);
            for pull in std::mem::take(&mut shoe.waiting) {
                left.extend(pull.sealed.then_some((side, pull.draw)));
                self.say(Notice::CardNotPlaced { side, draw: pull.draw }, &Code::CardNotPlaced.to_string(), out);
            }
            if unnamed.is_some() {
                self.end_alert(UNNAMED, &Code::ShoeOutOfStep.to_string(), out);
            }
            if early {
                self.early_card_is_out(side, out);
            }
        }
        for (side, draw) in left {
            out.commands.push(Output::Discard { side, draw: DrawNumber(draw) });
        }
    }

    /// A new batch is in the shoe: draws count from one again.
    pub(crate) fn start_batch(&mut self, out: &mut Outputs) {
        for side in [ShoeSide::Left, ShoeSide::Right].into_iter().take(usize::from(self.config.shoes)) {
            let shoe = self.shoe(side);
            let (link, state) = (std::mem::take(&mut shoe.link), std::mem::take(&mut shoe.state));
            *shoe = Shoe { link, state, ..Shoe::default() };
            out.commands.push(Output::DiscardAll { side });
            out.commands.push(Output::Shoe { side, command: ShoeCommand::StartBatch });
        }
    }
}

/// The seat that a card of the initial deal goes to.
const fn dealt_to(order: Order) -> Option<Seat> {
    if let Order::DealFirstCard { seat, .. } | Order::DealSecondCard { seat, .. } = order { Some(seat) } else { None }
}
