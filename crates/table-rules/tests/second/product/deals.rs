//! Every evaluator against the slow one: the same rows at the same moment.

use table_rules::card::{Card, Rank, Suit};
use table_rules::game::Game;
use table_rules::money::Cents;
use table_rules::side::{
    self, Answers, CrownTreasure as ProductCrown, Moment, OfferContext, OfferedWager, Paytable, Reader, Verdict,
    Visible,
};
use table_rules::wager::WagerId;

use crate::cases::usual;
use crate::slow::hands::total;
use crate::slow::when::{self, settles_when};
use crate::slow::{CrownTreasure, Deal, SlowOptions, winning_lines};

struct Draws(u64);

impl Draws {
    fn next(&mut self) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 40).expect("24 bits")
    }
}

/// A deal whose cards come from few ranks and suits half of the time, so that rare lines are met.
fn deal(game: Game, draws: &mut Draws) -> Deal {
    let deck: Vec<Card> = game.deck().collect();
    let favourites: Vec<Card> = (0..3).map(|_| deck[draws.next() % deck.len()]).collect();
    let crowded = draws.next().is_multiple_of(2);
    let mut card = || {
        let pick = draws.next();
        if crowded && !pick.is_multiple_of(4) {
            favourites[pick / 4 % favourites.len()]
        } else {
            deck[pick / 4 % deck.len()]
        }
    };
    let player = [card(), card()];
    let second_hand = Some([card(), card()]);
    let mut dealer = vec![card(), card()];
    while total(&dealer) < 17 {
        dealer.push(card());
    }
    let final_total = [total(&player), 20, 21, 25][draws.next() % 4];
    let stake = Cents([100, 499, 500, 2_500][draws.next() % 4]);
    Deal { player, second_hand, dealer, final_total, stake }
}

fn sights(game: Game, deal: &Deal) -> Vec<(when::Moment, Visible<'_>)> {
    let asked = deal.up().rank().is_ace() || deal.up().rank().is_ten_value();
    let mut first = Visible::first_cards(game, deal.player, deal.up());
    first.second = deal.second_hand;
    first.stake = Some(deal.stake);
    first.first_hand_total = Some(deal.final_total);
    first.reader = if asked { Reader::Waiting } else { Reader::NotAsked };
    let mut read = Visible { moment: Moment::AfterReader, ..first };
    if asked {
        read.reader = if deal.dealer_has_blackjack() { Reader::Yes } else { Reader::No };
    }
    let reveal = Visible { moment: Moment::Reveal, hole: Some(deal.hole()), ..read };
    let complete = Visible { moment: Moment::DealerComplete, dealer_hand: Some(&deal.dealer), ..reveal };
    let turn = Visible { moment: Moment::TurnToBePaid, ..complete };
    vec![
        (when::Moment::BeforeInsurance, first),
        (when::Moment::AfterReader, read),
        (when::Moment::Reveal, reveal),
        (when::Moment::DealerComplete, complete),
        (when::Moment::TurnToBePaid, turn),
    ]
}

fn compare(game: Game, offer: &OfferedWager, options: &SlowOptions, deal: &Deal) {
    let table = offer.table_for(None).table;
    let (wager, paytable) = (offer.id(), table.id);
    let (moment, verdict) = sights(game, deal)
        .into_iter()
        .map(|(moment, visible)| (moment, offer.evaluate(&visible)))
        .find(|(_, verdict)| *verdict != Verdict::NotYet)
        .expect("every wager settles by the player's turn");
    let mut rows: Vec<String> = match verdict {
        Verdict::Lost => Vec::new(),
        Verdict::Won { line, second } => {
            let lines = [Some(line), second].into_iter().flatten();
            lines.map(|line| offer.pay(line, None).source.id().to_owned()).collect()
        }
        Verdict::NeedsWheel => vec![table.clause.to_owned()],
        Verdict::NotYet | Verdict::NeedsDraw | Verdict::NeedsAmount => panic!("{wager}: {verdict:?} on {deal:?}"),
    };
    let mut expected = winning_lines(game, wager, paytable, deal, options);
    rows.sort();
    expected.sort();
    assert_eq!(rows, expected, "{game} {wager} {paytable} {options:?} on {deal:?}");
    assert_eq!(moment, settles_when(wager, deal), "{game} {wager} {paytable} on {deal:?}");
}

/// The options that change a verdict of this wager, in each of their values.
fn options(wager: WagerId, star: bool) -> Vec<SlowOptions> {
    let usual = usual();
    let mut all = vec![usual.clone()];
    if wager == WagerId::ThreeCardPoker {
        all.push(SlowOptions { ace_high_straight: false, ..usual });
    } else if wager == WagerId::RoyalMatch21 {
        all.push(SlowOptions { crown_treasure: CrownTreasure::Additional, ..usual });
    } else if wager == WagerId::HitAndRun {
        all.push(SlowOptions { busted_hands_count: false, ..usual });
    } else if star {
        all.extend(Suit::ALL.map(|star_suit| SlowOptions { star_suit, ..usual.clone() }));
    }
    all
}

pub(super) fn offer(table: &Paytable, options: &SlowOptions) -> OfferedWager {
    let answers = answers(table, options);
    let switch = table.wager == WagerId::SuperMatch;
    let context = OfferContext { game: table.game, decks: decks(table), switch };
    side::check_offer(context, table.wager, &answers).expect("a legal offer")
}

pub(super) fn decks(table: &Paytable) -> u8 {
    (1..=8).rev().find(|decks| table.decks.allow(*decks)).expect("a number of decks")
}

pub(super) fn answers(table: &Paytable, options: &SlowOptions) -> Answers {
    let mut answers = Answers::least(table);
    answers.ace_high_straight = answers.ace_high_straight.map(|_| options.ace_high_straight);
    answers.star_suit = answers.star_suit.map(|_| options.star_suit);
    answers.crown_treasure = answers.crown_treasure.map(|_| match options.crown_treasure {
        CrownTreasure::Line => ProductCrown::Line,
        CrownTreasure::Additional => ProductCrown::Additional,
    });
    if table.wager == WagerId::HitAndRun {
        answers.busted_hands_count = Some(options.busted_hands_count);
    }
    answers
}

fn card_tables() -> impl Iterator<Item = &'static Paytable> {
    let tables = side::all_tables().iter().filter(|tables| tables.wager != WagerId::MustHit);
    tables.flat_map(|tables| &tables.games).flat_map(|game| &game.tables)
}

#[test]
fn the_evaluators_pay_the_rows_that_the_clauses_name_at_the_moment_of_w16() {
    let mut draws = Draws(20);
    for table in card_tables() {
        let star = table.rows.iter().any(|row| row.key.ends_with("chosen-suit"));
        for options in options(table.wager, star) {
            let offer = offer(table, &options);
            for _ in 0..10_000 {
                let mut deal = deal(table.game, &mut draws);
                deal.stake = offer.known_stake(None).unwrap_or(deal.stake);
                compare(table.game, &offer, &options, &deal);
            }
        }
    }
}

/// All of them: every two cards of the box with every up card, for the wagers on these three.
#[test]
fn every_deal_of_three_cards_is_judged_alike() {
    for table in card_tables() {
        let ace_low = SlowOptions { ace_high_straight: false, ..usual() };
        let options = if table.wager == WagerId::ThreeCardPoker { ace_low } else { usual() };
        let (offer, sister) = (offer(table, &options), table.game != Game::Blackjack);
        let deck: Vec<Card> = table.game.deck().collect();
        // Wagers of more cards are drawn above; those of three settle before insurance whatever the hole card is.
        let hole = deck.iter().copied().find(|card| card.rank() == Rank::Five).expect("a five");
        let three = |player: [Card; 2], up: Card| {
            let mut dealer = vec![up, hole];
            while total(&dealer) < 17 {
                dealer.push(hole);
            }
            let final_total = total(&player);
            Deal { player, second_hand: Some(player), dealer, final_total, stake: Cents::dollars(5) }
        };
        let sample = three([deck[0], deck[0]], deck[0]);
        if settles_when(table.wager, &sample) != when::Moment::BeforeInsurance || table.wager == WagerId::Super4 {
            continue;
        }
        for (at, first) in deck.iter().enumerate() {
            for second in &deck[at..] {
                // The sister games' match wagers look at one card at a time: one suit of the second is enough.
                if sister && second.suit() != Suit::ALL[0] && second.suit() != first.suit() {
                    continue;
                }
                for up in &deck {
                    let mut deal = three([*first, *second], *up);
                    deal.stake = offer.known_stake(None).unwrap_or(deal.stake);
                    compare(table.game, &offer, &options, &deal);
                }
            }
        }
    }
}
