//! For every row of every paytable that the cards decide: a whole round that wins it, through the engine.
//!
//! The deals are searched with the second implementation, which also says which rows pay and when; what they pay is
//! computed from `figures.tsv`. The product's own tables only say which wagers there are.

use std::collections::{BTreeMap, BTreeSet};

use table_rules::card::{Card, Rank};
use table_rules::game::Game;
use table_rules::input::InputKind;
use table_rules::line::{Approval, Line, Outcome};
use table_rules::money::Cents;
use table_rules::script::parse_line;
use table_rules::side::{self, Answers, Paytable};
use table_rules::table::Variation;
use table_rules::wager::WagerId;
use table_rules::{Engine, Event, Events, Table, Tracking};

use super::deals::{answers, decks, offer};
use super::table::{Box, Done, Played, Script, engine, play};
use crate::cases::usual;
use crate::figures::{Figure, Figures, figures};
use crate::reach::CARD_WAGERS;
use crate::slow::hands::{is_blackjack, total};
use crate::slow::when::{Moment, settles_when};
use crate::slow::{CrownTreasure, Deal, SlowOptions, winning_lines};

/// Dealer hands that the drawing rules of all four games lead to: every two first cards of a choice, completed, and
/// long hands that end on 21 or bust.
fn dealer_hands(game: Game) -> Vec<Vec<Card>> {
    let read = |text: &str| -> Vec<Card> { text.split(' ').map(|card| card.parse().expect("a card")).collect() };
    let long = [
        "8c 3d Kd",
        "2c 3d 6d Ks",
        "2c 3d 2d 4s Kd",
        "2c 2d 2s 3d 2d Kd",
        "2c 2d 2s 2h 2c 3d 8d",
        "9c 7d Kd",
        "8c 3d 2d Ks",
        "2c 3d 2d 5s Kd",
        "2c 2d 2s 3d 3s Kd",
        "2c 2d 2s 2h 2c 3d Kc",
        "2c 2d 2s 2h 2c 2d 4c Kc",
    ];
    let holes = read("Ad As Kd Ks Qd Qs Jd Js 7d 7s 6c 9h");
    let ups: Vec<Card> = game.deck().filter(|card| "A236789JQK".contains(card.rank().letter())).collect();
    let mut hands: Vec<Vec<Card>> = long.iter().map(|text| read(text)).collect();
    for (up, hole) in ups.iter().flat_map(|up| holes.iter().map(move |hole| (*up, *hole))) {
        let mut hand = vec![up, hole];
        while draws(game, &hand) {
            hand.push(read("Kh")[0]);
        }
        hands.push(hand);
    }
    hands
}

/// The dealer's drawing rule of the usual tables: a soft 17 is hit in players-edge-21 alone (P8).
fn draws(game: Game, hand: &[Card]) -> bool {
    let hard: u8 = hand.iter().map(|card| if card.rank() == Rank::Ace { 1 } else { total(&[*card]) }).sum();
    let soft_17 = total(hand) == 17 && hard == 7;
    total(hand) < 17 || (soft_17 && game == Game::PlayersEdge21)
}

fn pairs(game: Game) -> Vec<[Card; 2]> {
    let chosen: Vec<Card> = game.deck().filter(|card| "A236789TJQK".contains(card.rank().letter())).collect();
    chosen.iter().flat_map(|a| chosen.iter().filter(move |b| *b >= a).map(move |b| [*a, *b])).collect()
}

fn deal_of(cards: [Card; 2], dealer: &[Card], stake: Cents) -> Deal {
    Deal { player: cards, second_hand: None, dealer: dealer.to_vec(), final_total: total(&cards), stake }
}

/// A paytable, as a table offers it, with the options of the second implementation.
struct Case {
    table: &'static Paytable,
    options: SlowOptions,
    /// What a box stakes.
    stake: Cents,
}

impl Case {
    fn rows(&self, deal: &Deal) -> Vec<String> {
        winning_lines(self.table.game, self.table.wager, self.table.id, deal, &self.options)
    }

    /// One deal for each row that can be won with these options.
    fn deals(&self) -> BTreeMap<String, ([Card; 2], Vec<Card>)> {
        let mut found = BTreeMap::new();
        let pairs = pairs(self.table.game);
        for dealer in dealer_hands(self.table.game) {
            for cards in &pairs {
                for row in self.rows(&deal_of(*cards, &dealer, self.stake)) {
                    found.entry(row).or_insert_with(|| (*cards, dealer.clone()));
                }
            }
            if found.len() == self.table.rows.len() {
                break;
            }
        }
        found
    }

    /// Plays the deal with the winning cards at the outer boxes and others between them.
    fn play(&self, cards: [Card; 2], dealer: &[Card]) -> Vec<String> {
        let wager = self.table.wager;
        let carrier = (wager == WagerId::BusterBlackjackFreeBonus).then_some(WagerId::BusterBlackjack);
        let mut offers = vec![offer(self.table, &self.options)];
        if let Some(carrier) = carrier {
            let table = side::tables(carrier).and_then(|tables| tables.in_game(self.table.game)).expect("a carrier");
            offers.insert(0, offer(&table.tables[0], &self.options));
        }
        let between = pairs(self.table.game)[(usize::from(cards[0].rank() as u8) * 37 + 101) % 700];
        // One deck has no card twice: there the middle box wins and nobody else has the wager.
        let seats: &[(u8, [Card; 2])] =
            if decks(self.table) == 1 { &[(2, cards)] } else { &[(1, cards), (2, between), (3, cards)] };
        let placed = carrier.unwrap_or(wager);
        let boxes: Vec<Box> = seats
            .iter()
            .map(|(seat, cards)| Box { seat: *seat, cards: *cards, wagers: vec![(placed, self.stake)] })
            .collect();
        let script = Script { boxes: &boxes, dealer, symbols: &[], draws: &[] };
        let played = play(engine(self.table.game, decks(self.table), offers), &script);
        self.judge(&played, &boxes, dealer)
    }

    fn judge(&self, played: &Played, boxes: &[Box], dealer: &[Card]) -> Vec<String> {
        let (game, wager) = (self.table.game, self.table.wager);
        let figures = figures();
        let mut meters = Meters::new(&answers(self.table, &self.options), boxes.len(), self.stake);
        let mut lines = played.lines(wager);
        let mut won = Vec::new();
        // Moment by moment, and from the right: the highest seat first.
        let mut in_order: Vec<&Box> = boxes.iter().rev().collect();
        in_order.sort_by_key(|each| settles_when(wager, &deal_of(each.cards, dealer, self.stake)));
        for each in in_order {
            let deal = deal_of(each.cards, dealer, self.stake);
            let rows = self.rows(&deal);
            let what =
                format!("{game} {wager} {} seat {} {:?} against {dealer:?}", self.table.id, each.seat, each.cards);
            let moment = settles_when(wager, &deal);
            if rows.is_empty() {
                if wager == WagerId::BusterBlackjackFreeBonus {
                    continue;
                }
                let line = lines.next().unwrap_or_else(|| panic!("{what}: no line"));
                assert_eq!((line.line.seat.number(), line.line.outcome), (each.seat, Outcome::Lost), "{what}");
                assert_eq!((line.line.to_player(), line.line.stake.amount()), (Some(Cents::ZERO), Some(self.stake)));
                check_stage(played, line, moment, &deal, &what);
            }
            for (place, row) in rows.iter().enumerate() {
                let line = lines.next().unwrap_or_else(|| panic!("{what}: no line for {row}"));
                assert_eq!((line.line.seat.number(), line.line.outcome), (each.seat, Outcome::Won), "{what}");
                assert_eq!(line.line.source.id(), row, "{what}");
                let (returned, pays) = due(&figures, game, row, self.stake, &mut meters);
                // The stake goes back once, with the box's first line.
                let returned = if place == 0 { returned } else { Cents::ZERO };
                assert_eq!(
                    (line.line.returned.amount(), line.line.pays.amount()),
                    (Some(returned), Some(pays)),
                    "{what}: {row}"
                );
                check_stage(played, line, moment, &deal, &what);
                won.push(row.clone());
            }
        }
        let more = lines.next();
        assert!(more.is_none(), "{game} {wager}: a line too many: {more:?}");
        won
    }
}

/// What the meters of a wager must show, by their terms alone.
struct Meters {
    shows: BTreeMap<String, i64>,
    reset: BTreeMap<String, i64>,
}

impl Meters {
    fn new(answers: &Answers, boxes: usize, stake: Cents) -> Self {
        let boxes = i64::try_from(boxes).expect("few boxes");
        let mut shows = BTreeMap::new();
        let mut reset = BTreeMap::new();
        for meter in &answers.meters {
            let rate = i64::from(meter.rate_millionths.expect("a rate"));
            let fed = stake.0 * boxes * rate / 1_000_000;
            shows.insert(meter.name.name().to_owned(), meter.initial.expect("an initial amount").0 + fed);
            reset.insert(meter.name.name().to_owned(), meter.reset.expect("a reset amount").0);
        }
        Self { shows, reset }
    }

    fn pay(&mut self, name: &str, percent: u32) -> Cents {
        let meter = self.shows.get_mut(name).expect("a meter of the table");
        let paid = *meter * i64::from(percent) / 100;
        *meter -= paid;
        if percent == 100 {
            *meter += self.reset[name];
        }
        Cents(paid)
    }
}

/// What a row returns of the stake and pays, by the printed figure alone; in chips of 50 cents, rounded up (S8).
fn due(figures: &Figures, game: Game, row: &str, stake: Cents, meters: &mut Meters) -> (Cents, Cents) {
    let odds = |pays: u32, stakes: u32| {
        let exact = stake.0 * i64::from(pays);
        let chips = exact.div_euclid(i64::from(stakes) * 50);
        let rest = exact % (i64::from(stakes) * 50);
        Cents((chips + i64::from(rest > 0)) * 50)
    };
    match &figures[&(game.id().to_owned(), row.to_owned())].figure {
        Figure::To(pays, stakes) => (stake, odds(*pays, *stakes)),
        Figure::For(pays, stakes) => (Cents::ZERO, odds(*pays, *stakes)),
        Figure::Amount(cents) => (Cents::ZERO, Cents(i64::from(*cents))),
        Figure::Meter(percent, name) => (Cents::ZERO, meters.pay(name, *percent)),
        figure @ (Figure::Community(..)
        | Figure::Prize
        | Figure::AtLeast(_)
        | Figure::AtLeastBoth(..)
        | Figure::Stakes(_)) => panic!("{row}: {figure:?} is not decided by cards"),
    }
}

fn check_stage(played: &Played, line: &Done, moment: Moment, deal: &Deal, what: &str) {
    let last = played.stages.len() - 1;
    let came_with = played.stages[line.stage];
    let right = match moment {
        // The hole card is the last card of the deal; a reader or a decision comes after it.
        Moment::BeforeInsurance => {
            came_with == InputKind::Card && !played.stages[..line.stage].contains(&InputKind::Peek)
        }
        // On a "yes" the dealer turns the hole card before anything else.
        Moment::AfterReader if deal.dealer_has_blackjack() => came_with == InputKind::Reveal,
        Moment::AfterReader => came_with == InputKind::Peek,
        Moment::Reveal => came_with == InputKind::Reveal,
        Moment::DealerComplete | Moment::TurnToBePaid => line.stage == last,
    };
    assert!(right, "{what}: settled with {came_with:?}, stage {} of {last}, expected {moment:?}", line.stage);
    if moment == Moment::BeforeInsurance {
        assert!(!played.stages[..line.stage].contains(&InputKind::Stand), "{what}: after a decision");
    }
    // Before the main wagers, but for a blackjack that was paid at once.
    let main_first = played
        .done
        .iter()
        .take_while(|each| !(each.line.seat == line.line.seat && each.line.wager == line.line.wager))
        .any(|each| each.line.wager == WagerId::Main && each.stage == line.stage && !is_blackjack(&deal.player));
    assert!(!main_first, "{what}: a main wager was settled first");
    let meter_line = line.line.approval != Approval::NotNeeded;
    let paid_by_meter = matches!(line.line.pay, Some(table_rules::money::Pay::Meter { .. }));
    assert_eq!(meter_line, paid_by_meter, "{what}: a meter line walks 7.O(1), others do not");
}

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for (game, wager, ids, _) in CARD_WAGERS {
        // Insurance is no paytable; Super Match has a round of its own below.
        if [WagerId::Insurance, WagerId::SuperMatch].contains(wager) {
            continue;
        }
        let tables = side::tables(*wager).and_then(|tables| tables.in_game(*game)).expect("a table");
        for id in *ids {
            let table = tables.table(id).expect("a printed paytable");
            let stake = offer(table, &usual()).known_stake(None).unwrap_or(Cents::dollars(5));
            cases.push(Case { table, options: usual(), stake });
            if *wager == WagerId::RoyalMatch21 {
                let additional = SlowOptions { crown_treasure: CrownTreasure::Additional, ..usual() };
                cases.push(Case { table, options: additional, stake });
            }
        }
    }
    cases
}

/// Deals that were not searched for a row: mostly lost wagers, which must settle at their moment too.
#[test]
fn wagers_on_any_deal_settle_at_their_moment_and_from_the_right() {
    for (place, case) in cases().iter().enumerate() {
        let (hands, pairs) = (dealer_hands(case.table.game), pairs(case.table.game));
        for at in 0..40 {
            let dealer = &hands[(at * 97 + place * 31) % hands.len()];
            case.play(pairs[(at * 89 + place * 53) % pairs.len()], dealer);
        }
    }
}

/// Super Match looks at both hands of a Switch box as they were dealt.
#[test]
fn every_row_of_super_match_is_won_in_a_round_of_switch() {
    let tables = side::tables(WagerId::SuperMatch).and_then(|tables| tables.in_game(Game::Blackjack)).expect("tables");
    let pairs: Vec<[Card; 2]> = pairs(Game::Blackjack);
    for table in &tables.tables {
        let mut rows: BTreeMap<String, [[Card; 2]; 2]> = BTreeMap::new();
        for first in pairs.iter().step_by(3) {
            for second in pairs.iter().step_by(7).chain([first]) {
                let mut deal = deal_of(*first, &pairs[0], Cents::dollars(5));
                deal.second_hand = Some(*second);
                for row in winning_lines(Game::Blackjack, WagerId::SuperMatch, table.id, &deal, &usual()) {
                    rows.entry(row).or_insert([*first, *second]);
                }
            }
        }
        assert_eq!(rows.len(), 4, "{rows:?}");
        for (row, [first, second]) in rows {
            let line = switch_round(table, first, second);
            assert_eq!((line.outcome, line.source.id()), (Outcome::Won, row.as_str()), "{first:?} {second:?}");
            let mut none = Meters { shows: BTreeMap::new(), reset: BTreeMap::new() };
            let due = due(&figures(), Game::Blackjack, &row, Cents::dollars(5), &mut none);
            assert_eq!((line.returned.amount(), line.pays.amount()), (Some(due.0), Some(due.1)), "{row}");
        }
    }
}

/// The line that a Super Match wager of $5 comes to, before anybody insures or acts.
#[expect(clippy::wildcard_enum_match_arm, reason = "one event is looked for")]
fn switch_round(table: &Paytable, first: [Card; 2], second: [Card; 2]) -> Line {
    let switch = Table {
        variation: Variation::Switch,
        decks: decks(table),
        wagers: vec![offer(table, &usual())],
        ..Table::usual(Game::Blackjack)
    };
    let mut engine = Engine::new(switch, Tracking::Cards);
    let mut events = Events::new();
    let deal = [first[0], second[0]].map(|card| format!("card {card}"));
    let then = [first[1], second[1]].map(|card| format!("card {card}"));
    let script = ["wager 1 main 10", "wager 1 super-match 5", "lock"].map(str::to_owned);
    let whole = script.into_iter().chain(deal).chain(["card 9c".to_owned()]).chain(then).chain(["card ?".to_owned()]);
    for text in whole {
        events.clear();
        let input = parse_line(&text).expect("a word of the script").expect("an input");
        engine.apply(&input, &mut events).unwrap_or_else(|refusal| panic!("`{text}`: {refusal}"));
    }
    let settled = events.iter().find_map(|event| match event {
        Event::Settled(line) if line.wager == WagerId::SuperMatch => Some(*line),
        _ => None,
    });
    settled.unwrap_or_else(|| panic!("no line with the hole card: {events:?}"))
}

#[test]
fn every_row_that_the_cards_decide_is_won_in_a_round() {
    let mut won: BTreeSet<(&str, String)> = BTreeSet::new();
    for case in cases() {
        let deals = case.deals();
        for (row, (cards, dealer)) in &deals {
            let rows = case.play(*cards, dealer);
            assert!(rows.contains(row), "{row} was to be won");
            won.extend(rows.into_iter().map(|row| (case.table.game.id(), row)));
        }
    }
    // Every printed row of these wagers, as figures.tsv has them.
    for (game, wager, _, sections) in CARD_WAGERS {
        if [WagerId::Insurance, WagerId::SuperMatch].contains(wager) {
            continue;
        }
        for ((of, clause), _) in figures() {
            let below = |section: &&str| {
                clause == **section || clause.strip_prefix(*section).is_some_and(|rest| rest.starts_with('('))
            };
            if of == game.id() && sections.iter().any(below) {
                assert!(won.contains(&(game.id(), clause.clone())), "{game} {wager}: no round wins {clause}");
            }
        }
    }
}
