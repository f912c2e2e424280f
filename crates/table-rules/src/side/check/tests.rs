//! One test a refusal.

use super::*;
use crate::card::Suit;
use crate::money::Cents;
use crate::side::answers::{MeterAnswers, RandomSource, TableAnswers};
use crate::side::visible::CrownTreasure;

const BLACKJACK: OfferContext = OfferContext { game: Game::Blackjack, decks: 6, switch: false };
const PONTOON: OfferContext = OfferContext { game: Game::Pontoon21, decks: 6, switch: false };
const PLAYERS_EDGE: OfferContext = OfferContext { game: Game::PlayersEdge21, decks: 6, switch: false };

fn legal(context: OfferContext, wager: WagerId, paytable: &str) -> Answers {
    let tables = tables_of(wager).unwrap().in_game(context.game).unwrap();
    Answers::least(tables.table(paytable).unwrap())
}

/// Exactly one problem, with this id, this answer at fault, and these words.
#[track_caller]
fn refused(context: OfferContext, wager: WagerId, answers: &Answers, id: &str, answer: &str, words: &str) {
    let problems = check_offer(context, wager, answers).unwrap_err();
    let shown: Vec<String> = problems.iter().map(ToString::to_string).collect();
    assert_eq!(problems.len(), 1, "{shown:#?}");
    assert_eq!((problems[0].id, problems[0].answer), (id, answer), "{shown:?}");
    assert!(shown[0].contains(words), "{}", shown[0]);
}

/// Legal answers with one change, which is refused.
#[track_caller]
fn changed(
    context: OfferContext,
    (wager, paytable): (WagerId, &str),
    change: impl FnOnce(&mut Answers),
    (id, answer, words): (&str, &str, &str),
) {
    let mut answers = legal(context, wager, paytable);
    check_offer(context, wager, &answers).unwrap();
    change(&mut answers);
    refused(context, wager, &answers, id, answer, words);
}

#[test]
fn the_least_answers_of_every_paytable_are_legal() {
    let mut tables_seen = 0;
    for tables in crate::side::all_tables() {
        for table in tables.games.iter().flat_map(|game| &game.tables) {
            let decks = (1..=8).find(|decks| table.decks.allow(*decks)).unwrap();
            let switch = tables.wager == WagerId::SuperMatch;
            let context = OfferContext { game: table.game, decks, switch };
            let offer = check_offer(context, tables.wager, &Answers::least(table)).unwrap();
            assert_eq!(offer.meters().len(), table.meters.len(), "{} {}", tables.wager, table.id);
            tables_seen += 1;
        }
    }
    assert_eq!(tables_seen, 71);
}

#[test]
fn what_is_not_a_side_wager() {
    refused(BLACKJACK, WagerId::Insurance, &Answers::default(), "6.G", "wager", "not an optional wager");
}

#[test]
fn a_wager_that_the_game_does_not_authorise() {
    let answers = legal(BLACKJACK, WagerId::LuckyLadies, "A");
    refused(PONTOON, WagerId::LuckyLadies, &answers, "6.G", "wager", "Pontoon 21 does not authorise Lucky Ladies");
    refused(BLACKJACK, WagerId::BonusSpinXtreme, &Answers::default(), "6.G", "wager", "does not authorise");
}

#[test]
fn super_match_without_switch() {
    let answers = legal(BLACKJACK, WagerId::SuperMatch, "6-deck");
    refused(BLACKJACK, WagerId::SuperMatch, &answers, "6.G(7)", "wager", "only with Blackjack Switch");
    check_offer(OfferContext { switch: true, ..BLACKJACK }, WagerId::SuperMatch, &answers).unwrap();
}

#[test]
fn a_paytable_that_is_not_printed() {
    let words = "Lucky Ladies has no paytable C: it has A or B";
    let change = |answers: &mut Answers| answers.table.paytable = Some("C".to_owned());
    changed(BLACKJACK, (WagerId::LuckyLadies, "A"), change, ("6.G(1)", "paytable", words));
}

#[test]
fn a_paytable_that_is_not_named() {
    let change = |answers: &mut Answers| answers.table.paytable = None;
    changed(BLACKJACK, (WagerId::LuckyLadies, "A"), change, ("13.A(4)(a)", "paytable", "needs its paytable: A or B"));
    changed(PLAYERS_EDGE, (WagerId::MatchDown, "A"), change, ("12.A(5)(a)", "paytable", "A, B or C"));
    let change = |answers: &mut Answers| answers.table.paytable = None;
    changed(BLACKJACK, (WagerId::RoyalMatch21, "C"), change, ("13.A(7)(c)", "paytable", "paytable: C, D or E"));
}

#[test]
fn a_paytable_that_goes_without_saying() {
    for (context, wager, id) in [
        (BLACKJACK, WagerId::InBetween, "-"),
        (BLACKJACK, WagerId::UpcardLuck21, "A"),
        (BLACKJACK, WagerId::MatchTheDealer, "6-deck"),
        (OfferContext { decks: 8, ..BLACKJACK }, WagerId::MatchTheDealer, "8-deck"),
        (OfferContext { decks: 1, ..BLACKJACK }, WagerId::HouseMoney, "single"),
        (BLACKJACK, WagerId::HouseMoney, "multiple"),
    ] {
        let mut answers = legal(context, wager, id);
        answers.table.paytable = None;
        assert_eq!(check_offer(context, wager, &answers).unwrap().table_for(None).table.id, id);
    }
}

#[test]
fn decks_that_a_paytable_is_not_printed_for() {
    for (game, wager, paytable, decks, id) in [
        (Game::Blackjack, WagerId::RoyalMatch21, "A", 6, "13.A(7)(a)"),
        (Game::Blackjack, WagerId::RoyalMatch21, "E", 1, "13.A(7)(e)"),
        (Game::Blackjack, WagerId::BetTheSet21, "A", 2, "13.A(8)(a)"),
        (Game::Blackjack, WagerId::BetTheSet21, "B", 1, "13.A(8)(b)"),
        (Game::Blackjack, WagerId::BetTheSet21, "C", 3, "13.A(8)(c)"),
        (Game::Blackjack, WagerId::HouseMoney, "single", 2, "13.A(11)(a)"),
        (Game::Blackjack, WagerId::MatchTheDealer, "6-deck", 8, "13.A(5)(a)"),
        (Game::Spanish21, WagerId::MatchTheDealer, "8-deck", 6, "12.A(4)(b)"),
        (Game::Pontoon21, WagerId::MatchSuperBonus, "8-deck", 6, "12.A(4)(b)"),
    ] {
        let context = OfferContext { game, decks, switch: false };
        let answers = legal(context, wager, paytable);
        refused(context, wager, &answers, id, "paytable", &format!("this table has {decks}"));
    }
}

#[test]
fn decks_that_no_paytable_is_printed_for() {
    for (wager, decks) in [(WagerId::MatchTheDealer, 4), (WagerId::BetTheSet21, 3), (WagerId::SuperMatch, 2)] {
        let context = OfferContext { game: Game::Blackjack, decks, switch: true };
        refused(context, wager, &Answers::default(), "W11", "paytable", "exists only for");
    }
}

#[test]
fn seeds_below_the_minimum() {
    let words = "Monster Match Progressive paytable B starts at $2,500; 12.D(6)(b)(ii) requires at least $5,000";
    let change = |answers: &mut Answers| answers.meters[0].initial = Some(Cents::dollars(2_500));
    changed(PLAYERS_EDGE, (WagerId::MonsterMatch, "B"), change, ("12.D(6)(b)(ii)", "initial", words));
    let change = |answers: &mut Answers| answers.meters[0].reset = Some(Cents(499_999));
    changed(BLACKJACK, (WagerId::BadBeat, "-"), change, ("13.C(2)", "reset", "resets to $4,999.99"));
    for tables in crate::side::all_tables() {
        for table in tables.games.iter().flat_map(|game| &game.tables) {
            for place in 0..table.meters.len() {
                let context = OfferContext { game: table.game, decks: 6, switch: false };
                let mut answers = Answers::least(table);
                let least = answers.meters[place].reset.unwrap();
                answers.meters[place].reset = Some(least - Cents(1));
                let problems = check_offer(context, table.wager, &answers).unwrap_err();
                assert_eq!(problems.len(), 1, "{} {}: {problems:?}", table.wager, table.id);
                assert_eq!(problems[0].meter, Some(answers.meters[place].name));
            }
        }
    }
}

#[test]
fn blazing_7s_with_one_meter_seeded_and_one_not() {
    let nothing = |meter: &mut MeterAnswers| (meter.initial, meter.reset) = (Some(Cents::ZERO), Some(Cents::ZERO));
    let mut answers = legal(BLACKJACK, WagerId::Blazing7s, "A");
    nothing(&mut answers.meters[0]);
    refused(BLACKJACK, WagerId::Blazing7s, &answers, "13.S(2)(a)(ii)#3", "meters", "either seeded for all");
    nothing(&mut answers.meters[1]);
    check_offer(BLACKJACK, WagerId::Blazing7s, &answers).unwrap();
    nothing(&mut answers.meters[2]);
    assert_eq!(check_offer(BLACKJACK, WagerId::Blazing7s, &answers).unwrap_err()[0].id, "13.S(2)(a)(ii)#4");
    let mut seeded = legal(BLACKJACK, WagerId::Blazing7s, "A");
    nothing(&mut seeded.meters[2]);
    assert_eq!(check_offer(BLACKJACK, WagerId::Blazing7s, &seeded).unwrap_err()[0].id, "13.S(2)(a)(ii)#2");
}

#[test]
fn a_must_hit_meter_below_every_printed_pair() {
    let ceiling =
        |dollars| move |answers: &mut Answers| answers.meters[0].must_hit_ceiling = Some(Cents::dollars(dollars));
    changed(BLACKJACK, (WagerId::MustHit, "A"), ceiling(199), ("13.U(2)(a)", "reset", "$100 and $200"));
    let missing = |answers: &mut Answers| answers.meters[0].must_hit_ceiling = None;
    changed(BLACKJACK, (WagerId::MustHit, "A"), missing, ("13.U(2)(a)", "must_hit_ceiling", "needs its reset amount"));
    let below = |answers: &mut Answers| answers.meters[0].initial = Some(Cents::dollars(99));
    changed(BLACKJACK, (WagerId::MustHit, "A"), below, ("13.U(2)(a)", "initial", "below its reset amount"));
}

#[test]
fn meters_missing_strange_or_twice() {
    let monster = (WagerId::MonsterMatch, "A");
    let none = |answers: &mut Answers| answers.meters.clear();
    changed(PLAYERS_EDGE, monster, none, ("12.D(6)(a)", "meters", "needs its main meter"));
    let strange = |answers: &mut Answers| answers.meters.push(MeterAnswers::new(MeterName::Star));
    changed(PLAYERS_EDGE, monster, strange, ("X4", "meters", "has no star meter"));
    let twice = |answers: &mut Answers| answers.meters.push(answers.meters[0]);
    changed(PLAYERS_EDGE, monster, twice, ("X4", "meters", "main meter twice"));
}

#[test]
fn meters_without_their_figures() {
    let monster = (WagerId::MonsterMatch, "A");
    let change = |answers: &mut Answers| answers.meters[0].rate_millionths = None;
    changed(PLAYERS_EDGE, monster, change, ("12.D(6)(a)", "rate_millionths", "needs its rate"));
    let change = |answers: &mut Answers| answers.meters[0].initial = None;
    changed(PLAYERS_EDGE, monster, change, ("12.D(6)(b)(i)", "initial", "needs its initial amount"));
    let change = |answers: &mut Answers| answers.meters[0].reset = None;
    changed(PLAYERS_EDGE, monster, change, ("12.D(6)(b)(i)", "reset", "needs its reset amount"));
}

#[test]
fn meters_that_cannot_work() {
    let monster = (WagerId::MonsterMatch, "A");
    let change = |answers: &mut Answers| answers.meters[0].rate_millionths = Some(1_000_001);
    changed(PLAYERS_EDGE, monster, change, ("12.D(6)(a)", "rate_millionths", "above 100 %"));
    let change = |answers: &mut Answers| answers.meters[0].reserve_rate_millionths = Some(900_001);
    changed(PLAYERS_EDGE, monster, change, ("X4", "meters", "more than the stake"));
    let change = |answers: &mut Answers| answers.meters[0].limit = Some(Cents::dollars(4_999));
    changed(PLAYERS_EDGE, monster, change, ("X4", "meters", "above its limit"));
    let change = |answers: &mut Answers| answers.meters[0].must_hit_ceiling = Some(Cents::dollars(9_999));
    changed(PLAYERS_EDGE, monster, change, ("X4", "must_hit_ceiling", "no must-hit ceiling"));
    let change = |answers: &mut Answers| {
        for meter in &mut answers.meters {
            meter.rate_millionths = Some(300_000);
        }
    };
    changed(BLACKJACK, (WagerId::Super4, "D"), change, ("X4", "meters", "together take more than the stake"));
}

#[test]
fn stakes_on_sensor_spots() {
    let monster = (WagerId::MonsterMatch, "A");
    let stakes = |stakes: &'static [i64]| {
        move |answers: &mut Answers| answers.stakes = stakes.iter().map(|dollars| Cents::dollars(*dollars)).collect()
    };
    changed(PLAYERS_EDGE, monster, stakes(&[]), ("X5", "stakes", "name the stake"));
    changed(PLAYERS_EDGE, monster, stakes(&[1, 2]), ("X5", "stakes", "one wager and one stake"));
    changed(PLAYERS_EDGE, monster, stakes(&[0]), ("X5", "stakes", "$0 is not a stake"));
    let spots = |spots| move |answers: &mut Answers| answers.spots = Some(spots);
    changed(PLAYERS_EDGE, monster, spots(2), ("X5", "spots", "2 spots but only 1"));
    changed(PLAYERS_EDGE, monster, spots(0), ("X5", "spots", "0 spots"));
    changed(PLAYERS_EDGE, monster, spots(4), ("X5", "spots", "4 spots"));
    let limits = |answers: &mut Answers| answers.min_stake = Some(Cents::dollars(1));
    changed(PLAYERS_EDGE, monster, limits, ("X5", "min_stake", "stakes are fixed"));
}

#[test]
fn stakes_in_chips() {
    let ladies = (WagerId::LuckyLadies, "A");
    let spots = |answers: &mut Answers| answers.spots = Some(1);
    changed(BLACKJACK, ladies, spots, ("X5", "spots", "no sensor spots"));
    let limits = |least, most| {
        move |answers: &mut Answers| {
            (answers.min_stake, answers.max_stake) = (Some(Cents::dollars(least)), Some(Cents::dollars(most)));
        }
    };
    changed(BLACKJACK, ladies, limits(25, 5), ("X5", "min_stake", "above the largest"));
    changed(BLACKJACK, ladies, limits(0, 5), ("X5", "min_stake", "$0 is not a stake"));
    let outside = |answers: &mut Answers| {
        answers.stakes = vec![Cents::dollars(5)];
        answers.max_stake = Some(Cents::dollars(4));
    };
    changed(BLACKJACK, ladies, outside, ("X5", "stakes", "outside its own limits"));
    let twice = |answers: &mut Answers| answers.stakes = vec![Cents::dollars(5); 2];
    changed(BLACKJACK, ladies, twice, ("X5", "stakes", "twice"));
}

#[test]
fn a_stake_for_what_has_none() {
    let stake = |answers: &mut Answers| answers.stakes = vec![Cents::dollars(5)];
    changed(BLACKJACK, (WagerId::MustHit, "A"), stake, ("X5", "stakes", "it goes with Super 4"));
    changed(BLACKJACK, (WagerId::BusterBlackjackFreeBonus, "A"), stake, ("X5", "stakes", "Buster Blackjack"));
}

#[test]
fn wheel_stakes_that_the_paytable_does_not_pay() {
    let stake = |cents| move |answers: &mut Answers| answers.stakes = vec![Cents(cents)];
    changed(BLACKJACK, (WagerId::BonusSpin, "A"), stake(500), ("13.Q(6)", "stakes", "$1 or $1.10, not $5"));
    changed(BLACKJACK, (WagerId::BonusSpin, "C"), stake(110), ("13.Q(7)", "stakes", "$5, not $1.10"));
    changed(PONTOON, (WagerId::BonusSpin, "A"), stake(100), ("6.G(2)", "stakes", "$1.10, not $1"));
    changed(PONTOON, (WagerId::BonusSpinXtreme, "A"), stake(100), ("12.E", "stakes", "$5, not $1"));
}

fn both_stakes() -> Answers {
    let mut answers = legal(PONTOON, WagerId::BonusSpin, "B");
    answers.second_table = Some(TableAnswers {
        paytable: Some("D".to_owned()),
        community_pay: Some("D".to_owned()),
        ..TableAnswers::default()
    });
    answers.stakes = vec![Cents(110), Cents(500)];
    answers.spots = Some(2);
    answers.meters[0].initial = Some(Cents::dollars(5_000));
    answers.meters[0].reset = Some(Cents::dollars(5_000));
    answers
}

#[test]
fn bonus_spin_with_both_stakes_pays_each_by_its_own_table() {
    let offer = check_offer(PONTOON, WagerId::BonusSpin, &both_stakes()).unwrap();
    let (small, large) = (Some(Cents(110)), Some(Cents(500)));
    assert_eq!((offer.table_for(small).table.id, offer.table_for(large).table.id), ("B", "D"));
    assert_eq!(offer.meters().len(), 1, "both tables pay from one meter");
    let community = offer.spin("30+3", small).unwrap().others.unwrap();
    assert_eq!(offer.pay_others(community, small).unwrap().source.id(), "12.D(9)(b)(iii)");
    assert_eq!(offer.pay_others(community, large).unwrap().source.id(), "12.D(10)(b)(iii)");
    assert_eq!(offer.spin("30+3", large), None);
}

#[test]
fn bonus_spin_with_both_stakes_wrongly() {
    let mut answers = both_stakes();
    answers.spots = None;
    refused(PONTOON, WagerId::BonusSpin, &answers, "X5", "stakes", "one wager and one stake");
    let mut answers = both_stakes();
    answers.stakes = vec![Cents(110)];
    answers.spots = None;
    refused(PONTOON, WagerId::BonusSpin, &answers, "6.G(2)", "stakes", "paytable D but no stake of $5");
    let mut answers = both_stakes();
    answers.meters[0].reset = Some(Cents::dollars(1_000));
    refused(PONTOON, WagerId::BonusSpin, &answers, "12.D(6)(b)(iv)", "reset", "paytable D resets to $1,000");
    let mut answers = both_stakes();
    answers.second_table = Some(answers.table.clone());
    answers.stakes = vec![Cents(110)];
    answers.spots = None;
    refused(PONTOON, WagerId::BonusSpin, &answers, "O2", "second_table", "same stake");
    let second = |answers: &mut Answers| answers.second_table = Some(TableAnswers::default());
    changed(BLACKJACK, (WagerId::LuckyLadies, "A"), second, ("O2", "second_table", "one paytable"));
}

#[test]
fn prizes_missing_too_small_or_out_of_place() {
    let spin = (WagerId::BonusSpin, "A");
    let none = |answers: &mut Answers| answers.table.prize_value = None;
    changed(BLACKJACK, spin, none, ("O2", "prize_value", "needs the value"));
    let small = |answers: &mut Answers| answers.table.prize_value = Some(Cents::dollars(4_999));
    changed(BLACKJACK, spin, small, ("13.Q(5)(b)(i)", "prize_value", "requires at least $5,000"));
    let nameless = |answers: &mut Answers| answers.table.prize_name = Some(" ".to_owned());
    changed(BLACKJACK, spin, nameless, ("O2", "prize_name", "empty name"));
    let stray = |answers: &mut Answers| answers.table.prize_value = Some(Cents::dollars(5_000));
    changed(BLACKJACK, (WagerId::BonusSpin, "B"), stray, ("O2", "prize_value", "no fixed prize"));
}

#[test]
fn community_tables_of_another_stake() {
    let table = |id: &'static str| move |answers: &mut Answers| answers.table.community_pay = Some(id.to_owned());
    changed(PONTOON, (WagerId::BonusSpin, "C"), table("A"), ("12.D(8)(b)", "community_pay", "C or D, not A"));
    changed(BLACKJACK, (WagerId::LuckyLadies, "A"), table("A"), ("O2", "community_pay", "no community pay"));
    let mut answers = legal(PONTOON, WagerId::BonusSpin, "C");
    answers.table.community_pay = Some("D".to_owned());
    let offer = check_offer(PONTOON, WagerId::BonusSpin, &answers).unwrap();
    assert!(offer.spin("500+100", None).is_some());
}

#[test]
fn the_community_table_has_to_be_designated() {
    let unsaid = |answers: &mut Answers| answers.table.community_pay = None;
    let none = |answers: &mut Answers| answers.table.community_pay = Some("none".to_owned());
    for (context, wager, table, clause) in [
        (PONTOON, WagerId::BonusSpin, "B", "12.D(8)(b)"),
        (PONTOON, WagerId::BonusSpinXtreme, "A", "12.E(5)(b)"),
        (BLACKJACK, WagerId::BonusSpin, "D", "13.Q(5)(b)#2"),
    ] {
        changed(context, (wager, table), unsaid, (clause, "community_pay", "needs its community_pay"));
        changed(context, (wager, table), none, (clause, "community_pay", "none cannot"));
    }
}

#[test]
fn required_options_unanswered() {
    let change = |answers: &mut Answers| answers.ace_high_straight = None;
    changed(BLACKJACK, (WagerId::ThreeCardPoker, "A"), change, ("B5", "ace_high_straight", "needs an answer"));
    let change = |answers: &mut Answers| answers.crown_treasure = None;
    changed(BLACKJACK, (WagerId::RoyalMatch21, "C"), change, ("B6", "crown_treasure", "needs an answer"));
    let change = |answers: &mut Answers| answers.star_suit = None;
    changed(BLACKJACK, (WagerId::Super4, "D"), change, ("W7", "star_suit", "needs an answer"));
    let change = |answers: &mut Answers| answers.random_source = None;
    changed(BLACKJACK, (WagerId::MustHit, "A"), change, ("B10", "random_source", "needs an answer"));
    let change = |answers: &mut Answers| answers.every_n_rounds = Some(20);
    changed(BLACKJACK, (WagerId::BadBeat, "-"), change, ("B10", "random_source", "needs an answer"));
}

#[test]
fn options_that_the_wager_does_not_have() {
    type Change = fn(&mut Answers);
    let changes: [(Change, &str, &str); 7] = [
        (|answers| answers.ace_high_straight = Some(true), "B5", "ace_high_straight"),
        (|answers| answers.crown_treasure = Some(CrownTreasure::Line), "B6", "crown_treasure"),
        (|answers| answers.star_suit = Some(Suit::Spades), "W7", "star_suit"),
        (|answers| answers.random_source = Some(RandomSource::Os), "B10", "random_source"),
        (|answers| answers.busted_hands_count = Some(true), "W10", "busted_hands_count"),
        (|answers| answers.every_n_rounds = Some(5), "W13", "every_n_rounds"),
        (|answers| answers.jackpot_threshold = Some(Cents::dollars(1)), "X1", "jackpot_threshold"),
    ];
    for (change, id, answer) in changes {
        changed(BLACKJACK, (WagerId::LuckyLadies, "A"), change, (id, answer, "has no option"));
    }
    let star = |answers: &mut Answers| answers.star_suit = Some(Suit::Spades);
    changed(BLACKJACK, (WagerId::Super4, "A"), star, ("W7", "star_suit", "has no option"));
}

#[test]
fn options_out_of_range() {
    let zero = |answers: &mut Answers| {
        answers.every_n_rounds = Some(0);
        answers.random_source = Some(RandomSource::Device);
    };
    changed(BLACKJACK, (WagerId::BadBeat, "-"), zero, ("W13", "every_n_rounds", "counts from 1"));
    let negative = |answers: &mut Answers| answers.jackpot_threshold = Some(Cents(-1));
    changed(BLACKJACK, (WagerId::BadBeat, "-"), negative, ("X1", "jackpot_threshold", "not an amount"));
}

#[test]
fn maximum_payouts() {
    let ladies = (WagerId::LuckyLadies, "A");
    let set = |maximum, most: Option<i64>| {
        move |answers: &mut Answers| {
            answers.maximum_payout = Some(Cents::dollars(maximum));
            answers.max_stake = most.map(Cents::dollars);
        }
    };
    changed(BLACKJACK, ladies, set(25_000, None), ("13.L", "max_stake", "name `max_stake`"));
    changed(BLACKJACK, ladies, set(24_999, Some(5)), ("13.L", "maximum_payout", "at least $25,000"));
    changed(BLACKJACK, ladies, set(99_999, Some(100)), ("13.L", "maximum_payout", "at least $100,000"));
    changed(BLACKJACK, (WagerId::Top3, "A"), set(25_000, Some(5)), ("B2", "maximum_payout", "only Lucky Ladies"));
    let mut answers = legal(BLACKJACK, WagerId::KingsBounty, "-");
    set(100_000, Some(100))(&mut answers);
    let offer = check_offer(BLACKJACK, WagerId::KingsBounty, &answers).unwrap();
    let capped = offer.line_named("king-of-spades-pair-dealer-blackjack").unwrap();
    assert_eq!(offer.maximum_for(capped), Some(Cents::dollars(100_000)));
    assert_eq!(offer.maximum_for(offer.line_named("king-of-spades-pair").unwrap()), None);
}

#[test]
fn all_problems_come_together() {
    let mut answers = legal(PLAYERS_EDGE, WagerId::MonsterMatch, "B");
    answers.meters[0].initial = Some(Cents::dollars(2_500));
    answers.meters[0].rate_millionths = None;
    answers.stakes = vec![Cents::dollars(1), Cents::dollars(2)];
    answers.star_suit = Some(Suit::Clubs);
    let problems = check_offer(PLAYERS_EDGE, WagerId::MonsterMatch, &answers).unwrap_err();
    let found: Vec<_> = problems.iter().map(|problem| problem.answer).collect();
    assert_eq!(found, ["stakes", "star_suit", "initial", "rate_millionths"]);
}

fn offers(wagers: &[(WagerId, &str)]) -> Vec<OfferedWager> {
    let offer =
        |(wager, table): &(WagerId, &str)| check_offer(BLACKJACK, *wager, &legal(BLACKJACK, *wager, table)).unwrap();
    wagers.iter().map(offer).collect()
}

#[test]
fn riders_need_their_carrier() {
    for (rider, carrier, id) in [
        ((WagerId::MustHit, "A"), (WagerId::Super4, "A"), "6.G(13)(a)"),
        ((WagerId::BusterBlackjackFreeBonus, "A"), (WagerId::BusterBlackjack, "A"), "6.G(16)"),
    ] {
        let problems = check_together(BLACKJACK, &mut offers(&[rider]));
        assert_eq!((problems.len(), problems[0].id), (1, id));
        assert_eq!(check_together(BLACKJACK, &mut offers(&[rider, carrier])), []);
    }
}

#[test]
fn a_wager_offered_twice() {
    let problems = check_together(BLACKJACK, &mut offers(&[(WagerId::Top3, "A"), (WagerId::Top3, "B")]));
    assert_eq!((problems.len(), problems[0].id), (1, "6.G(21)"));
}

#[test]
fn a_free_bonus_that_nobody_could_win_and_one_that_needs_no_question() {
    let bonus = offers(&[(WagerId::BusterBlackjackFreeBonus, "A")]).remove(0);
    let mut buster = legal(BLACKJACK, WagerId::BusterBlackjack, "A");
    buster.max_stake = Some(Cents::dollars(4));
    let small = check_offer(BLACKJACK, WagerId::BusterBlackjack, &buster).unwrap();
    let problems = check_together(BLACKJACK, &mut [small, bonus.clone()]);
    assert_eq!((problems.len(), problems[0].id), (1, "6.G(16)"));
    buster.max_stake = None;
    buster.min_stake = Some(Cents::dollars(5));
    let mut offers = [check_offer(BLACKJACK, WagerId::BusterBlackjack, &buster).unwrap(), bonus];
    assert_eq!(check_together(BLACKJACK, &mut offers), []);
    assert_eq!(offers[1].options().least_stake, Cents::dollars(5));
}

#[test]
fn super_4_and_must_hit_that_take_more_than_the_stake() {
    let mut must_hit = legal(BLACKJACK, WagerId::MustHit, "A");
    must_hit.meters[0].rate_millionths = Some(900_001);
    let must_hit = check_offer(BLACKJACK, WagerId::MustHit, &must_hit).unwrap();
    let super_4 = offers(&[(WagerId::Super4, "A")]).remove(0);
    let problems = check_together(BLACKJACK, &mut [super_4, must_hit]);
    assert_eq!((problems.len(), problems[0].id), (1, "X4"));
}
