//! The meters under generated play: full tables, several winners, voids, corrections, any rate from 0 to 100 %.
//!
//! After every accepted input X4 holds for each meter, and the events alone tell what each shows: a meter falls only by
//! a payment or a reversal that they name. Cards come from a shoe so poor in ranks that jackpots are common.
//! `HOLECARD_SEED=<number>` plays that seed alone.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;

use table_rules::event::Event;
use table_rules::game::Game;
use table_rules::input::Input;
use table_rules::line::Handling;
use table_rules::meter::Meter;
use table_rules::money::{Cents, MeterName};
use table_rules::prompt::Order;
use table_rules::script::parse_line;
use table_rules::side::{self, Answers, OfferContext, OfferedWager, RandomSource};
use table_rules::wager::WagerId;
use table_rules::{Engine, Events, Table, Tracking};

/// SplitMix64, as the other generated tests have it.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, count: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(count).unwrap()).unwrap()
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

/// Wagers and the letters of their paytables.
type Wagers = &'static [(WagerId, &'static [&'static str])];

/// The progressive wagers of each game, a paytable with meters each.
const PROGRESSIVES: &[(Game, Wagers)] = &[
    (
        Game::Blackjack,
        &[
            (WagerId::BadBeat, &["-"]),
            (WagerId::HitAndRun, &["-"]),
            (WagerId::Super4, &["A", "B", "C", "D"]),
            (WagerId::MustHit, &["A"]),
            (WagerId::BonusSpin, &["B"]),
            (WagerId::Blazing7s, &["A"]),
            (WagerId::TwentyOnePlusThree, &["A"]),
        ],
    ),
    (Game::Pontoon21, &[(WagerId::BonusSpin, &["B", "D"]), (WagerId::BonusSpinXtreme, &["A"])]),
    (Game::PlayersEdge21, &[(WagerId::MonsterMatch, &["A", "B", "C", "D", "E"])]),
];

fn table(random: &mut Random) -> Table {
    let (game, wagers) = *random.pick(PROGRESSIVES);
    let context = OfferContext { game, decks: 6, switch: false };
    let mut offers: Vec<OfferedWager> = wagers.iter().map(|(wager, ids)| offer(context, *wager, ids, random)).collect();
    let problems = side::check_together(context, &mut offers);
    assert!(problems.is_empty(), "{problems:?}");
    Table { wagers: offers, ..Table::usual(game) }
}

fn offer(context: OfferContext, wager: WagerId, ids: &[&str], random: &mut Random) -> OfferedWager {
    let printed = side::tables(wager).and_then(|tables| tables.in_game(context.game)).unwrap();
    let id: &str = ids[random.below(ids.len())];
    let table = printed.table(id).unwrap();
    let mut answers = Answers::least(table);
    if wager == WagerId::BadBeat {
        answers.every_n_rounds = Some(2);
        answers.random_source = Some(RandomSource::Device);
    }
    if random.chance(40) {
        answers.jackpot_threshold = Some(Cents::dollars(2_000));
    }
    // All meters that one stake feeds share its 100 %; Must Hit takes from the Super 4 stake.
    let with_super_4 = [WagerId::Super4, WagerId::MustHit].contains(&wager);
    let shared = if with_super_4 { 5 } else { u32::try_from(answers.meters.len()).unwrap().max(1) };
    for meter in &mut answers.meters {
        let whole = 1_000_000 / shared;
        let rate = [0, 1, 7, 333_333, 10_000, 220_001, 1_000_000];
        let any = u32::try_from(random.below(1_000_001)).unwrap();
        let rate = if random.chance(50) { any } else { *random.pick(&rate) }.min(whole);
        meter.rate_millionths = Some(rate);
        meter.reserve_rate_millionths = Some(if random.chance(50) { (whole - rate).min(10_007) } else { 0 });
        if meter.must_hit_ceiling.is_none() && random.chance(30) {
            meter.limit = meter.initial.map(|initial| initial + Cents(40));
        }
    }
    side::check_offer(context, wager, &answers).unwrap_or_else(|why| panic!("{wager}: {why:?}"))
}

/// What a journal's reader knows of the meters, by the events alone.
#[derive(Default)]
struct Told {
    shows: BTreeMap<(WagerId, &'static str), Cents>,
    staked: BTreeMap<(WagerId, &'static str), i64>,
    paid: BTreeMap<(WagerId, &'static str), i64>,
    /// In millionths of a cent, beyond the initial amount.
    seeds: BTreeMap<(WagerId, &'static str), i64>,
    /// The box that each meter paid last in this round.
    winner: BTreeMap<(WagerId, &'static str), u8>,
}

struct Play {
    engine: Engine,
    random: Random,
    accepted: Vec<Input>,
    told: Told,
    deck: Vec<&'static str>,
    hole: &'static str,
    up: &'static str,
    detours: u32,
    /// How far corrections may go back: to the lock or a void, or beyond them.
    beyond_the_lock: bool,
    since_lock: u32,
    jackpots: u32,
    /// Rounds in which one meter paid a second winner.
    second_winners: u32,
    voids: u32,
    corrections: u32,
}

/// Ranks and suits from which royals, sevens, twenties and long hands come often.
const DECKS: &[&[&str]] = &[
    &["7d", "7d", "7h", "7s", "7c"],
    &["As", "Ks", "Qs", "Js", "Ah", "Kd"],
    &["8d", "8d", "8h", "8c", "Kd"],
    &["2c", "2d", "3h", "Ks", "As", "6d"],
    &["6d", "Ks", "Jd", "6h", "Ad"],
    &["Kh", "Qd", "Jc", "8d", "3c", "As"],
];

impl Play {
    fn new(seed: u64, beyond_the_lock: bool) -> Self {
        let mut random = Random(seed);
        let table = table(&mut random);
        let deck = random.pick(DECKS).to_vec();
        let engine = Engine::new(table, Tracking::Cards);
        let mut told = Told::default();
        for (wager, name, meter) in engine.meters() {
            told.shows.insert((wager, name.name()), meter.amount());
        }
        let (accepted, detours, jackpots, second_winners, voids, corrections) = (Vec::new(), 0, 0, 0, 0, 0);
        let (hole, up, since_lock) = ("", "", 0);
        Self {
            engine,
            random,
            accepted,
            told,
            deck,
            hole,
            up,
            detours,
            beyond_the_lock,
            since_lock,
            jackpots,
            second_winners,
            voids,
            corrections,
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "every other input is one more to go back over")]
    fn say(&mut self, text: &str) -> bool {
        let input = parse_line(text).unwrap().unwrap();
        let mut events = Events::new();
        if self.engine.apply(&input, &mut events).is_err() {
            assert!(events.is_empty());
            return false;
        }
        self.accepted.push(input);
        self.since_lock = match input {
            Input::Lock | Input::FloorVoid => 0,
            Input::Undo | Input::Correct(_) => self.since_lock.saturating_sub(1),
            _ => self.since_lock + 1,
        };
        for event in &events {
            self.tell(event, text);
        }
        for (wager, name, meter) in self.engine.meters() {
            let key = (wager, name.name());
            assert!(meter.balance().holds(), "X4: {wager} {} after `{text}`: {:?}", key.1, meter.balance());
            assert_eq!(meter.amount(), self.told.shows[&key], "{wager} {}: not told after `{text}`", key.1);
            let staked = self.told.staked.get(&key).copied().unwrap_or(0);
            let rates = i64::from(meter.terms().progression.millionths() + meter.terms().reserve.millionths());
            let contributions = meter.balance().contributions.millionths();
            assert_eq!(contributions, staked * rates, "a contribution is stake times rate: {wager} {}", key.1);
            let paid = self.told.paid.get(&key).copied().unwrap_or(0);
            assert_eq!(meter.wins(), Cents(paid), "{wager} {}", key.1);
            let seeds = meter.terms().initial.0 * 1_000_000 + self.told.seeds.get(&key).copied().unwrap_or(0);
            assert_eq!(meter.balance().seeds.millionths(), seeds, "a seed that was not told: {wager} {}", key.1);
        }
        true
    }

    fn tell(&mut self, event: &Event, text: &str) {
        let mut shows = |wager: WagerId, meter: MeterName, amount: Cents| {
            self.told.shows.insert((wager, meter.name()), amount).unwrap()
        };
        if let Event::MeterFed { wager, meter, staked, amount, .. } = *event {
            let before = shows(wager, meter, amount);
            assert!(amount >= before, "`{text}`: feeding never lowers a meter");
            *self.told.staked.entry((wager, meter.name())).or_default() += staked.0;
        } else if let Event::MeterReversed { wager, meter, staked, amount, .. } = *event {
            let before = shows(wager, meter, amount);
            assert!(amount <= before, "`{text}`: a reversal never raises a meter");
            *self.told.staked.entry((wager, meter.name())).or_default() -= staked.0;
        } else if let Event::MeterSeeded { wager, meter, seed, .. } = *event {
            *self.told.seeds.entry((wager, meter.name())).or_default() += seed.millionths();
        } else if let Event::MeterPaid { wager, meter, seat, paid, seed, amount, .. } = *event {
            *self.told.seeds.entry((wager, meter.name())).or_default() += seed.unwrap_or_default().0 * 1_000_000;
            let before = shows(wager, meter, amount);
            assert!(paid <= before, "`{text}`: a meter pays what it shows");
            *self.told.paid.entry((wager, meter.name())).or_default() += paid.0;
            self.jackpots += 1;
            // X1: one after another, from the dealer's right.
            if let Some(earlier) = self.told.winner.insert((wager, meter.name()), seat.number()) {
                assert!(seat.number() < earlier, "`{text}`: {wager} pays seat {seat} after seat {earlier}");
                self.second_winners += 1;
            }
        } else if let Event::RoundEnded { .. } = event {
            self.told.winner.clear();
        } else if let Event::RoundVoid { .. } = event {
            self.voids += 1;
        } else if let Event::Corrected { .. } | Event::Undone { .. } = event {
            self.corrections += 1;
        }
    }

    fn card(&mut self) -> &'static str {
        self.deck[self.random.below(self.deck.len())]
    }

    fn wagers(&mut self) {
        let positions = self.engine.table().positions;
        let boxes = if self.random.chance(60) { positions } else { 1 + u8::try_from(self.random.below(3)).unwrap() };
        let offered: Vec<WagerId> = self.engine.table().wagers.iter().map(OfferedWager::id).collect();
        for seat in 1..=boxes {
            self.say(&format!("wager {seat} main 10"));
            for wager in &offered {
                if self.random.chance(75) {
                    // A rider is refused: it has no stake of its own.
                    self.say(&format!("wager {seat} {wager}"));
                }
            }
        }
        if self.random.chance(20) {
            self.say(&format!("unwager 1 {}", offered[0]));
        }
        self.say("lock");
        if self.random.chance(60) {
            let seat = 1 + self.random.below(usize::from(boxes));
            let card = self.card();
            let draw = *self.random.pick(&["must-hit", "player", "magic", "none"]);
            let text = match draw {
                "none" => "draw none".to_owned(),
                "magic" => format!("draw magic {card}"),
                other => format!("draw {other} {seat}"),
            };
            self.say(&text);
        }
    }

    fn round(&mut self) {
        self.detours = 6;
        self.wagers();
        for _ in 0..2_000 {
            if self.engine.is_wagering() {
                if self.engine.view().boxes.is_empty() {
                    return;
                }
                // A correction went back beyond the lock.
                self.say("lock");
            }
            let back = self.detours > 0 && self.random.chance(6);
            if back {
                self.detours -= 1;
                let word = *self.random.pick(&["undo", "correct \"wrong\"", "correct \"wrong\""]);
                for _ in 0..=self.random.below(4) {
                    if self.beyond_the_lock || self.since_lock > 0 {
                        self.say(word);
                    }
                }
                continue;
            }
            let text = self.answer();
            assert!(self.say(&text), "`{text}` answers the prompt {}", self.engine.prompt());
        }
        panic!("the round does not end: {}", self.engine.prompt());
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "an order that this play never meets stops the test")]
    fn answer(&mut self) -> String {
        let prompt = self.engine.prompt();
        match prompt.order {
            Order::TakeWagers { .. } => "lock".to_owned(),
            Order::RepairReader => "reader-repaired".to_owned(),
            Order::DealFirstCard { .. }
            | Order::DealSecondCard { .. }
            | Order::DealHit { .. }
            | Order::DealToDealer { .. } => {
                format!("card {}", self.card())
            }
            Order::DealUpCard => {
                self.up = self.card();
                format!("card {}", self.up)
            }
            Order::DealHoleCard => {
                self.hole = self.card();
                "card ?".to_owned()
            }
            Order::SettleLine { .. } => match (prompt.line.unwrap().handling(), self.random.chance(50)) {
                (_, true) => "settled".to_owned(),
                (Handling::Take, false) => "collected".to_owned(),
                (Handling::Give, false) => "paid".to_owned(),
            },
            Order::VerifyHand | Order::VerifyLamp | Order::AnswerPayments | Order::TellPersons => "next".to_owned(),
            Order::ApproveLine => "floor approve".to_owned(),
            Order::ApproveLineSecond => "manager approve".to_owned(),
            Order::OfferInsurance | Order::InsertHoleCard { .. } => {
                let ace = |card: &str| card.starts_with('A');
                let ten = |card: &str| card.starts_with(['K', 'Q', 'J', 'T']);
                let blackjack = (ace(self.up) && ten(self.hole)) || (ace(self.hole) && ten(self.up));
                let lies = self.random.chance(5);
                match (self.random.chance(30), blackjack != lies) {
                    (true, _) => "peek unread".to_owned(),
                    (false, true) => "peek yes".to_owned(),
                    (false, false) => "peek no".to_owned(),
                }
            }
            Order::ReaderStopped => {
                if self.random.chance(40) {
                    return "reader-repaired".to_owned();
                }
                let void = parse_line("floor void").unwrap().unwrap();
                if self.engine.offers_input(&void) { "floor void".to_owned() } else { "manager approve".to_owned() }
            }
            Order::AskDecision { .. } | Order::AskAfterDouble { .. } => {
                if self.random.chance(70) {
                    "stand".to_owned()
                } else {
                    let input = parse_line("hit").unwrap().unwrap();
                    if self.engine.offers_input(&input) { "hit".to_owned() } else { "stand".to_owned() }
                }
            }
            Order::TurnHoleCard { .. } => format!("reveal {}", self.hole),
            Order::SpinWheel { seat, wager } => {
                let offered = self.engine.table().wagers.iter().find(|offered| offered.id() == wager).unwrap();
                let symbols: Vec<String> =
                    offered.spins(offered.known_stake(None)).iter().map(|(name, _)| name.to_string()).collect();
                let jackpots = symbols.iter().position(|symbol| symbol.ends_with("jackpot")).unwrap();
                let at = if self.random.chance(30) { jackpots } else { self.random.below(symbols.len()) };
                format!("wheel {seat} {wager} {}", symbols[at])
            }
            Order::TellDraw { must_hit_falls } => {
                if !must_hit_falls && self.random.chance(90) {
                    return "draw none".to_owned();
                }
                let seats: Vec<u8> = self.engine.view().boxes.iter().map(|each| each.seat.number()).collect();
                let drawn = seats.iter().map(|seat| format!("draw must-hit {seat}"));
                let offered = |text: &String| self.engine.offers_input(&parse_line(text).unwrap().unwrap());
                drawn.into_iter().find(offered).unwrap_or_else(|| "draw none".to_owned())
            }
            order => panic!("this play has no answer to: {order:?}"),
        }
    }

    /// The same inputs on a new table lead to the same meters, hits and all.
    fn replay(&self) {
        let mut again = Engine::new(self.engine.table().clone(), Tracking::Cards);
        for input in &self.accepted {
            again.apply(input, &mut Events::new()).unwrap();
        }
        let meters = |engine: &Engine| -> Vec<Meter> { engine.meters().map(|(_, _, meter)| *meter).collect() };
        assert_eq!(meters(&self.engine), meters(&again));
    }
}

fn play_all(beyond_the_lock: bool) {
    let seeds: Vec<u64> = match std::env::var("HOLECARD_SEED") {
        Ok(one) => vec![one.parse().unwrap()],
        Err(_) => (0..2_000).collect(),
    };
    let (mut jackpots, mut second_winners, mut voids, mut corrections) = (0, 0, 0, 0);
    let several = seeds.len() > 1;
    for seed in seeds {
        println!("seed {seed}");
        let mut play = Play::new(seed, beyond_the_lock);
        for _ in 0..8 {
            play.round();
        }
        play.replay();
        jackpots += play.jackpots;
        second_winners += play.second_winners;
        voids += play.voids;
        corrections += play.corrections;
    }
    println!("{jackpots} jackpots, {second_winners} second winners, {voids} voids, {corrections} corrections");
    let enough = jackpots > 3_000 && second_winners > 300 && voids > 300 && corrections > 10_000;
    assert!(!several || enough, "{jackpots} {second_winners} {voids} {corrections}");
}

#[test]
fn meters_balance_after_every_event_and_the_events_tell_them() {
    play_all(false);
}

#[test]
fn corrections_across_the_lock_are_told() {
    play_all(true);
}
