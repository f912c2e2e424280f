//! A table with chosen side wagers, driven by the engine's own prompts, and a record of what it settled and when.

use table_rules::input::InputKind;
use table_rules::line::{Handling, Line};
use table_rules::money::MeterName;
use table_rules::prompt::Order;
use table_rules::script::parse_line;
use table_rules::side::{OfferContext, OfferedWager, check_together};
use table_rules::wager::WagerId;
use table_rules::{Engine, Events, Table, Tracking};

use table_rules::card::Card;
use table_rules::game::Game;
use table_rules::money::Cents;

/// One box of a round: its seat, its first two cards, and its side wagers with their stakes.
pub(super) struct Box {
    pub(super) seat: u8,
    pub(super) cards: [Card; 2],
    pub(super) wagers: Vec<(WagerId, Cents)>,
}

/// A line as the dealer did it, and after which input of the procedure, counted from 0.
#[derive(Clone, Debug)]
pub(super) struct Done {
    pub(super) line: Line,
    pub(super) stage: usize,
}

/// What a round showed.
pub(super) struct Played {
    pub(super) done: Vec<Done>,
    /// The inputs that moved the round on; confirmations, wheels and draws belong to the input before them.
    pub(super) stages: Vec<InputKind>,
    pub(super) engine: Engine,
}

impl Played {
    pub(super) fn lines(&self, wager: WagerId) -> impl Iterator<Item = &Done> {
        self.done.iter().filter(move |each| each.line.wager == wager)
    }
}

/// What is said when the table asks.
pub(super) struct Script<'a> {
    pub(super) boxes: &'a [Box],
    /// Up card, hole card, drawn cards; unused ones stay in the shoe.
    pub(super) dealer: &'a [Card],
    /// What the wheels show, in the order of the prompts.
    pub(super) symbols: &'a [&'a str],
    /// Draws, said right after the lock.
    pub(super) draws: &'a [&'a str],
}

pub(super) fn engine(game: Game, decks: u8, mut offers: Vec<OfferedWager>) -> Engine {
    let problems = check_together(OfferContext { game, decks, switch: false }, &mut offers);
    assert!(problems.is_empty(), "{problems:?}");
    Engine::new(Table { decks, wagers: offers, ..Table::usual(game) }, Tracking::Cards)
}

#[expect(clippy::wildcard_enum_match_arm, reason = "an order that no script answers stops the test")]
pub(super) fn play(engine: Engine, script: &Script<'_>) -> Played {
    let mut round = Round { engine, events: Events::new(), done: Vec::new(), stages: Vec::new() };
    for each in script.boxes {
        round.say(&format!("wager {} main 10", each.seat));
        for (wager, stake) in &each.wagers {
            round.say(&format!("wager {} {wager} {}", each.seat, stake.to_string().trim_start_matches('$')));
        }
    }
    round.say("lock");
    for draw in script.draws {
        round.say(&format!("draw {draw}"));
    }
    let mut symbols = script.symbols.iter();
    let mut dealer = script.dealer.iter();
    loop {
        let prompt = round.engine.prompt();
        let text = match prompt.order {
            Order::TakeWagers { .. } => break,
            Order::DealFirstCard { seat, .. } => card(&cards_of(script, seat.number())[0]),
            Order::DealSecondCard { seat, .. } => card(&cards_of(script, seat.number())[1]),
            Order::DealUpCard | Order::DealToDealer { .. } => card(dealer.next().expect("a card for the dealer")),
            Order::DealHoleCard => "card ?".to_owned(),
            Order::SettleLine { .. } => {
                let line = prompt.line.expect("the order is about a line");
                round.done.push(Done { line, stage: round.stages.len() - 1 });
                match line.handling() {
                    Handling::Take => "collected".to_owned(),
                    Handling::Give => "paid".to_owned(),
                }
            }
            Order::VerifyHand | Order::VerifyLamp | Order::AnswerPayments => "next".to_owned(),
            Order::ApproveLine => "floor approve".to_owned(),
            Order::ApproveLineSecond => "manager approve".to_owned(),
            Order::OfferInsurance | Order::InsertHoleCard { .. } => {
                let yes = crate::slow::hands::is_blackjack(&[script.dealer[0], script.dealer[1]]);
                format!("peek {}", if yes { "yes" } else { "no" })
            }
            Order::AskDecision { .. } => "stand".to_owned(),
            Order::TurnHoleCard { .. } => {
                let hole = dealer.next().expect("a hole card");
                format!("reveal {hole}")
            }
            Order::SpinWheel { seat, wager } => {
                format!("wheel {seat} {wager} {}", symbols.next().expect("a symbol for each spin"))
            }
            order => panic!("the round does not know what to answer: {order:?}"),
        };
        round.say(&text);
    }
    Played { done: round.done, stages: round.stages, engine: round.engine }
}

fn card(card: &Card) -> String {
    format!("card {card}")
}

fn cards_of(script: &Script<'_>, seat: u8) -> [Card; 2] {
    script.boxes.iter().find(|each| each.seat == seat).expect("a box in play").cards
}

struct Round {
    engine: Engine,
    events: Events,
    done: Vec<Done>,
    stages: Vec<InputKind>,
}

impl Round {
    fn say(&mut self, text: &str) {
        let input = parse_line(text).expect("a word of the script").expect("an input");
        let confirms = [
            InputKind::Paid,
            InputKind::Collected,
            InputKind::Next,
            InputKind::FloorApprove,
            InputKind::ManagerApprove,
            InputKind::Wheel,
            InputKind::Draw,
        ];
        if !confirms.contains(&input.kind()) {
            self.stages.push(input.kind());
        }
        self.events.clear();
        if let Err(refusal) = self.engine.apply(&input, &mut self.events) {
            panic!("`{text}` was refused: {refusal}");
        }
        for (wager, name, meter) in self.engine.meters() {
            assert!(meter.balance().holds(), "{wager} {} after `{text}`: {:?}", name.name(), meter.balance());
        }
    }
}

/// What a meter shows.
pub(super) fn shows(engine: &Engine, wager: WagerId, name: MeterName) -> Cents {
    let found = engine.meters().find(|(of, called, _)| (*of, *called) == (wager, name));
    found.map(|(_, _, meter)| meter.amount()).expect("a meter of that name")
}
