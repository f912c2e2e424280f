//! The meter against its rules by hand, and against a plain second model under generated play.

use proptest::prelude::*;

use super::*;
use crate::game::Game;
use crate::source::Point;

const VOID: Source = Point::PeekUpCards.source(Game::PlayersEdge21);

fn terms() -> MeterTerms {
    MeterTerms {
        initial: Cents::dollars(5_000),
        reset: Cents::dollars(5_000),
        progression: rate(220_000),
        reserve: rate(10_000),
        limit: None,
        must_hit: None,
        stake_max: None,
    }
}

fn rate(millionths: u32) -> Rate {
    Rate::from_millionths(millionths).unwrap()
}

fn meter(terms: MeterTerms) -> Meter {
    let mut meter = Meter::new(CheckedTerms::new(terms).unwrap());
    meter.open_round(1).unwrap();
    meter
}

fn two_people() -> TwoPeople {
    TwoPeople::new(StaffNumber(4), StaffNumber(9)).unwrap()
}

fn assert_balances(meter: &Meter) {
    assert!(meter.balance().holds(), "{:?}", meter.balance());
}

#[test]
fn a_two_dollar_stake_at_22_and_1_percent_gives_44_cents_and_2() {
    let mut meter = meter(terms());
    let posted = meter.contribute(Cents::dollars(2)).unwrap();
    assert_eq!(posted.to_meter.whole_cents(), Cents(44));
    assert_eq!(posted.to_reserve.whole_cents(), Cents(2));
    assert_eq!((meter.amount(), meter.reserve()), (Cents(500_044), Cents(2)));
    assert_balances(&meter);
}

#[test]
fn fractions_of_a_cent_wait_until_they_make_one() {
    // 15.5 % of a dollar is 15.5 cents.
    let mut meter = meter(MeterTerms { progression: rate(155_000), reserve: Rate::ZERO, ..terms() });
    meter.contribute(Cents::dollars(1)).unwrap();
    assert_eq!(meter.amount(), Cents(500_015));
    assert_eq!(meter.balance().remainder, Exact::from_millionths(500_000));
    meter.contribute(Cents::dollars(1)).unwrap();
    assert_eq!(meter.amount(), Cents(500_031));
    assert_eq!(meter.balance().remainder, Exact::ZERO);
}

#[test]
fn the_second_winner_of_a_round_is_paid_from_the_meter_after_the_first() {
    let mut meter = meter(terms());
    meter.contribute(Cents::dollars(2)).unwrap();
    let tenth = meter.pay(10, 7).unwrap();
    assert_eq!(tenth, Payment { paid: Cents(50_004), reset: None });
    assert_eq!(meter.amount(), Cents(450_040));
    let whole = meter.pay(100, 3).unwrap();
    assert_eq!(whole.paid, Cents(450_040));
    assert_eq!(whole.reset, Some(Reset { from_reserve: Cents(2), seed: Cents(499_998) }));
    let after_reset = meter.pay(100, 1).unwrap();
    assert_eq!(after_reset.paid, Cents::dollars(5_000));
    assert_eq!((meter.hits(), meter.wins()), (3, Cents(1_000_044)));
    assert_balances(&meter);
}

#[test]
fn the_fraction_stays_in_the_meter_when_all_of_it_is_paid() {
    let mut meter = meter(MeterTerms { progression: rate(155_000), reserve: Rate::ZERO, ..terms() });
    meter.contribute(Cents::dollars(1)).unwrap();
    assert_eq!(meter.pay(100, 2).unwrap().paid, Cents(500_015));
    assert_eq!(meter.amount(), Cents::dollars(5_000));
    assert_eq!(meter.balance().remainder, Exact::from_millionths(500_000));
}

#[test]
fn a_reserve_above_the_reset_amount_restarts_the_meter_by_itself() {
    let mut meter = meter(MeterTerms { reset: Cents::dollars(1), reserve: rate(500_000), ..terms() });
    meter.contribute(Cents::dollars(25)).unwrap();
    let payment = meter.pay(100, 1).unwrap();
    assert_eq!(payment.reset, Some(Reset { from_reserve: Cents(1_250), seed: Cents::ZERO }));
    assert_eq!((meter.amount(), meter.reserve()), (Cents(1_250), Cents::ZERO));
    assert_balances(&meter);
}

#[test]
fn what_comes_in_above_the_limit_goes_to_the_overflow_and_comes_back_from_there() {
    let limit = Some(Cents(500_050));
    let mut meter = meter(MeterTerms { limit, ..terms() });
    meter.contribute(Cents::dollars(2)).unwrap();
    let posted = meter.contribute(Cents::dollars(2)).unwrap();
    assert_eq!((posted.to_meter.whole_cents(), posted.to_overflow.whole_cents()), (Cents(6), Cents(38)));
    assert_eq!((meter.amount(), meter.overflow()), (Cents(500_050), Cents(38)));
    let reversed = meter.reverse(Cents::dollars(2), VOID).unwrap();
    assert_eq!(reversed.from_overflow.whole_cents(), Cents(38));
    assert_eq!((meter.amount(), meter.overflow(), reversed.source), (Cents(500_044), Cents::ZERO, VOID));
    assert_balances(&meter);
}

#[test]
fn overflow_of_earlier_rounds_is_not_touched_by_a_reversal() {
    let mut meter = meter(MeterTerms { limit: Some(Cents::dollars(5_000)), ..terms() });
    meter.contribute(Cents::dollars(2)).unwrap();
    assert_eq!(meter.overflow(), Cents(44));
    meter.pay(10, 1).unwrap();
    meter.close_round().unwrap();
    meter.open_round(2).unwrap();
    meter.contribute(Cents::dollars(2)).unwrap();
    meter.reverse(Cents::dollars(2), VOID).unwrap();
    assert_eq!((meter.amount(), meter.overflow()), (Cents::dollars(4_500), Cents(44)));
}

#[test]
fn a_void_after_a_jackpot_is_made_good_by_the_house_and_not_by_the_new_meter() {
    let mut meter = meter(terms());
    meter.contribute(Cents::dollars(2)).unwrap();
    meter.pay(100, 1).unwrap();
    let seeds_before = meter.balance().seeds;
    let reversed = meter.reverse(Cents::dollars(2), VOID).unwrap();
    assert_eq!(meter.amount(), Cents::dollars(5_000));
    // 44 cents that were paid with the jackpot, and 2 cents of the reserve that went into the reset.
    assert_eq!(reversed.seeded.whole_cents(), Cents(46));
    assert_eq!(meter.balance().seeds.millionths() - seeds_before.millionths(), reversed.seeded.millionths());
    assert_balances(&meter);
}

#[test]
fn a_reversal_takes_back_no_more_than_the_round_posted() {
    let mut meter = meter(terms());
    meter.contribute(Cents::dollars(2)).unwrap();
    let before = meter;
    let too_much = meter.reverse(Cents::dollars(3), VOID);
    assert_eq!(
        too_much,
        Err(MeterRefusal::ReversalAboveStakes { stake: Cents::dollars(3), staked: Cents::dollars(2) })
    );
    assert_eq!(meter, before);
    meter.reverse(Cents::dollars(2), VOID).unwrap();
    assert!(meter.reverse(Cents(1), VOID).is_err());
}

#[test]
fn terms_change_only_between_rounds() {
    let lower = CheckedTerms::new(MeterTerms { limit: Some(Cents::dollars(5_000)), ..terms() }).unwrap();
    let mut meter = meter(terms());
    meter.contribute(Cents::dollars(2)).unwrap();
    assert!(matches!(meter.between_rounds(), Err(MeterRefusal::TermsWhileRoundOpen)));
    meter.close_round().unwrap();
    meter.between_rounds().unwrap().set_terms(lower);
    assert_eq!(meter.amount(), Cents(500_044), "a lower limit takes nothing away");
    meter.open_round(2).unwrap();
    meter.contribute(Cents::dollars(2)).unwrap();
    assert_eq!((meter.amount(), meter.overflow()), (Cents(500_044), Cents(44)));
}

#[test]
fn nothing_moves_between_rounds_but_a_correction() {
    let mut meter = Meter::new(CheckedTerms::new(terms()).unwrap());
    assert_eq!(meter.contribute(Cents(1)), Err(MeterRefusal::NoRoundOpen));
    assert_eq!(meter.reverse(Cents(1), VOID), Err(MeterRefusal::NoRoundOpen));
    assert_eq!(meter.pay(100, 1), Err(MeterRefusal::NoRoundOpen));
    assert_eq!(meter.close_round(), Err(MeterRefusal::NoRoundOpen));
    meter.correct(Pool::Meter, Cents(-1), two_people(), "read from the display of 3 May").unwrap();
    assert_eq!(meter.amount(), Cents(499_999));
    assert_balances(&meter);
}

#[test]
fn a_correction_needs_two_people_a_reason_and_money_that_is_there() {
    assert_eq!(TwoPeople::new(StaffNumber(4), StaffNumber(4)), Err(MeterRefusal::SamePersonTwice));
    let mut meter = meter(MeterTerms { limit: Some(Cents::dollars(6_000)), ..terms() });
    let before = meter;
    let mut refused = |pool, delta, reason| meter.correct(pool, delta, two_people(), reason).unwrap_err();
    assert_eq!(refused(Pool::Meter, Cents(5), " "), MeterRefusal::CorrectionWithoutReason);
    assert_eq!(refused(Pool::Meter, Cents(0), "why"), MeterRefusal::CorrectionOfNothing);
    assert_eq!(
        refused(Pool::Overflow, Cents(-1), "why"),
        MeterRefusal::CorrectionBelowZero { holds: Cents::ZERO, delta: Cents(-1) }
    );
    assert_eq!(
        refused(Pool::Meter, Cents::dollars(1_001), "why"),
        MeterRefusal::CorrectionAboveLimit { delta: Cents::dollars(1_001) }
    );
    assert_eq!(refused(Pool::Reserve, Cents(i64::MAX), "why"), MeterRefusal::OutOfRange);
    assert_eq!(meter, before);
}

#[test]
fn no_correction_brings_a_meter_near_the_end_of_its_range() {
    let people = TwoPeople::new(StaffNumber(1), StaffNumber(2)).unwrap();
    let start = Cents::dollars(5_000);
    for (limit, most) in [(None, Cents::dollars(5_000_000)), (Some(Cents::dollars(20_000)), Cents::dollars(20_000_000))]
    {
        let terms = MeterTerms { initial: start, reset: start, limit, must_hit: None, stake_max: None, ..terms() };
        let mut meter = meter(terms);
        for pool in [Pool::Meter, Pool::Reserve, Pool::Overflow] {
            for delta in [Cents(most.0 + 1), Cents::dollars(90_000_000_000), Cents(9_223_372_036_854)] {
                assert!(meter.correct(pool, delta, people, "typed wrong").is_err(), "{pool:?} by {delta}");
            }
            let room = if pool == Pool::Meter { limit.unwrap_or(most) - start } else { most };
            meter.correct(pool, room, people, "brought over").unwrap();
            let refused = meter.correct(pool, Cents(1), people, "one more").unwrap_err();
            assert!(!refused.to_string().is_empty(), "{refused:?}");
            assert!(meter.has_room());
        }
        assert!(meter.contribute(Cents::LARGEST).is_ok(), "the next lock");
        assert_balances(&meter);
    }
}

#[test]
fn an_unreasonable_stake_does_not_feed_the_meter() {
    let mut meter = meter(MeterTerms { stake_max: Some(Cents::dollars(5)), ..terms() });
    for stake in [Cents(-1), Cents(0), Cents(501), Cents(i64::MAX)] {
        assert!(matches!(meter.contribute(stake), Err(MeterRefusal::UnreasonableStake { .. })), "{stake}");
    }
    assert!(meter.contribute(Cents::dollars(5)).is_ok());
}

#[test]
fn a_total_beyond_the_range_is_refused_and_changes_nothing() {
    let mut meter = meter(MeterTerms { progression: Rate::WHOLE, reserve: Rate::ZERO, ..terms() });
    let refused = (0..2_000).find_map(|_| {
        let before = meter;
        meter.contribute(Cents::LARGEST).err().map(|refusal| (refusal, before == meter && !before.has_room()))
    });
    assert_eq!(refused, Some((MeterRefusal::OutOfRange, true)));
    assert_balances(&meter);
}

#[test]
fn the_last_25_hits_are_kept_newest_first() {
    let mut meter = meter(terms());
    for seat in 0..30 {
        meter.pay(1, seat).unwrap();
    }
    let seats: Vec<u8> = meter.last_hits().map(|hit| hit.seat).collect();
    assert_eq!(seats, (5..30).rev().collect::<Vec<u8>>());
    assert_eq!(meter.hits(), 30);
}

#[test]
fn every_fault_of_the_terms_is_listed() {
    let bad = MeterTerms {
        initial: Cents(-1),
        reset: Cents::dollars(600),
        progression: rate(999_999),
        reserve: rate(2),
        limit: Some(Cents::dollars(400)),
        must_hit: Some(Cents::dollars(500)),
        stake_max: None,
    };
    let starts = Cents::dollars(600);
    let (limit, must_hit) = (Cents::dollars(400), Cents::dollars(500));
    let faults: Vec<TermsFault> = bad.faults().collect();
    assert_eq!(
        faults,
        [
            TermsFault::AmountOutOfRange(Cents(-1)),
            TermsFault::RatesAboveWhole,
            TermsFault::StartsAboveLimit { starts, limit },
            TermsFault::NoRoomBelowMustHit { starts, must_hit },
            TermsFault::LimitBelowMustHit { limit, must_hit },
        ]
    );
    assert_eq!(CheckedTerms::new(bad), Err(faults[0]));
}

fn must_hit_terms() -> MeterTerms {
    MeterTerms {
        initial: Cents::dollars(100),
        reset: Cents::dollars(100),
        progression: rate(100_000),
        reserve: Rate::ZERO,
        must_hit: Some(Cents::dollars(500)),
        ..terms()
    }
}

#[test]
fn must_hit_odds_are_this_rounds_growth_over_the_way_to_the_ceiling() {
    let mut meter = meter(must_hit_terms());
    assert_eq!(meter.must_hit_odds().unwrap(), Some(DrawOdds::NEVER));
    meter.contribute(Cents::dollars(5)).unwrap();
    let odds = meter.must_hit_odds().unwrap().unwrap();
    assert_eq!((odds.numerator(), odds.denominator()), (1, 800));
    assert_eq!((odds.falls(0), odds.falls(1), odds.falls(800)), (Some(true), Some(false), None));
    meter.contribute(Cents::dollars(4_000)).unwrap();
    assert_eq!(meter.must_hit_odds().unwrap(), Some(DrawOdds::CERTAIN));
    assert_eq!(meter.pay(100, 4).unwrap().paid, Cents::dollars(500), "never above the ceiling");
    assert_eq!(meter.overflow(), Cents(50));
}

#[test]
fn a_must_hit_meter_that_is_missed_every_time_still_falls_by_its_ceiling() {
    // The chance that the meter survives all rounds is the product of the misses: it telescopes to zero exactly.
    let mut meter = meter(must_hit_terms());
    let mut rounds = 1_u32;
    loop {
        meter.contribute(Cents(100_000)).unwrap();
        let odds = meter.must_hit_odds().unwrap().unwrap();
        if odds == DrawOdds::CERTAIN {
            break;
        }
        assert_eq!((odds.numerator(), odds.denominator()), (1, u64::from(5 - rounds)));
        meter.close_round().unwrap();
        rounds += 1;
        meter.open_round(rounds).unwrap();
    }
    assert_eq!(rounds, 4);
}

/// What may happen to a meter.
#[derive(Clone, Debug)]
enum Act {
    Contribute(i64),
    Reverse(i64),
    Pay(u8),
    Correct(Pool, i64),
    NextRound,
    SetRates(u32, u32),
}

fn act() -> impl Strategy<Value = Act> {
    let pool = prop_oneof![Just(Pool::Meter), Just(Pool::Reserve), Just(Pool::Overflow)];
    prop_oneof![
        6 => (1..=10_000_i64).prop_map(Act::Contribute),
        2 => (1..=10_000_i64).prop_map(Act::Reverse),
        2 => prop_oneof![Just(10), Just(100), 1..=100_u8].prop_map(Act::Pay),
        1 => (pool, -500_000..=500_000_i64).prop_map(|(pool, delta)| Act::Correct(pool, delta)),
        3 => Just(Act::NextRound),
        1 => (0..=1_000_000_u32, 0..=1_000_000_u32).prop_map(|(rate, reserve)| Act::SetRates(rate, reserve)),
    ]
}

fn any_terms() -> impl Strategy<Value = MeterTerms> {
    (0..=1_000_000_u32, 0..=1_000_000_u32, 0..=1_000_000_i64, 0..=1_000_000_i64, proptest::option::of(0..=20_000_i64))
        .prop_map(|(progression, reserve, initial, reset, headroom)| MeterTerms {
            initial: Cents(initial),
            reset: Cents(reset),
            progression: rate(progression),
            reserve: rate(reserve.min(1_000_000 - progression)),
            limit: headroom.map(|cents| Cents(initial.max(reset) + cents)),
            must_hit: None,
            stake_max: None,
        })
}

/// All money that went in and out, by the receipts alone: stakes at the rates of their time, never the meter's ledger.
#[derive(Default)]
struct Receipts {
    contributed: i128,
    seeded: i128,
    corrected: i128,
    paid: i128,
}

fn play(meter: &mut Meter, act: &Act, receipts: &mut Receipts) -> Result<(), MeterRefusal> {
    let millionths = |cents: i64| i128::from(cents) * 1_000_000;
    let terms = *meter.terms();
    let both_rates = i128::from(terms.progression.millionths() + terms.reserve.millionths());
    match *act {
        Act::Contribute(stake) => {
            meter.contribute(Cents(stake))?;
            receipts.contributed += i128::from(stake) * both_rates;
        }
        Act::Reverse(stake) => {
            let reversal = meter.reverse(Cents(stake), VOID)?;
            receipts.contributed -= i128::from(stake) * both_rates;
            receipts.seeded += i128::from(reversal.seeded.millionths());
        }
        Act::Pay(percent) => {
            let payment = meter.pay(percent, 1)?;
            receipts.paid += millionths(payment.paid.0);
            receipts.seeded += payment.reset.map_or(0, |reset| millionths(reset.seed.0));
        }
        Act::Correct(pool, delta) => {
            meter.correct(pool, Cents(delta), two_people(), "generated")?;
            receipts.corrected += millionths(delta);
        }
        Act::NextRound => {
            meter.close_round()?;
            meter.open_round(2)?;
        }
        Act::SetRates(progression, reserve) => {
            let reserve = rate(reserve.min(1_000_000 - progression));
            let new = CheckedTerms::new(MeterTerms { progression: rate(progression), reserve, ..terms }).unwrap();
            let locked = meter.between_rounds().err();
            assert_eq!(locked, Some(MeterRefusal::TermsWhileRoundOpen));
            meter.close_round()?;
            meter.between_rounds()?.set_terms(new);
            meter.open_round(2)?;
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn x4_holds_after_every_operation_and_agrees_with_the_receipts(
        terms in any_terms(),
        acts in prop::collection::vec(act(), 1..120),
    ) {
        let mut meter = meter(terms);
        let mut receipts = Receipts { seeded: i128::from(terms.initial.0) * 1_000_000, ..Receipts::default() };
        for act in &acts {
            let before = meter;
            let outcome = play(&mut meter, act, &mut receipts);
            if outcome.is_err() {
                prop_assert_eq!(meter, before, "a refusal changed the meter");
            }
            let balance = meter.balance();
            prop_assert!(balance.holds(), "{:?} after {:?}", balance, act);
            prop_assert_eq!(i128::from(balance.contributions.millionths()), receipts.contributed);
            prop_assert_eq!(i128::from(balance.seeds.millionths()), receipts.seeded);
            prop_assert_eq!(i128::from(balance.corrections.millionths()), receipts.corrected);
            prop_assert_eq!(i128::from(balance.paid.0) * 1_000_000, receipts.paid);
            prop_assert!(meter.amount() >= Cents::ZERO && meter.reserve() >= Cents::ZERO);
            prop_assert!(meter.overflow() >= Cents::ZERO);
            if let Some(limit) = terms.limit {
                prop_assert!(meter.amount() <= limit);
            }
            let may_fall = match act {
                Act::Reverse(_) | Act::Pay(_) => true,
                Act::Correct(_, delta) => *delta < 0,
                Act::Contribute(_) | Act::NextRound | Act::SetRates(..) => false,
            };
            prop_assert!(may_fall || meter.ledger.meter >= before.ledger.meter, "{:?} let the meter fall", act);
        }
    }

    #[test]
    fn contributions_reversed_in_any_order_leave_no_trace(
        terms in any_terms(),
        stakes in prop::collection::vec(1..=10_000_i64, 1..8),
        shift in 0..8_usize,
    ) {
        let start = meter(terms);
        let mut meter = start;
        for stake in &stakes {
            meter.contribute(Cents(*stake)).unwrap();
        }
        let mut back = stakes.clone();
        back.rotate_left(shift % stakes.len());
        for stake in back {
            let reversal = meter.reverse(Cents(stake), VOID).unwrap();
            prop_assert_eq!(reversal.seeded, Exact::ZERO);
        }
        prop_assert_eq!(meter, start);
    }

    #[test]
    fn must_hit_odds_make_every_cent_equally_likely(
        rounds in prop::collection::vec(1..=200_000_i64, 1..40),
    ) {
        // Survival so far must equal the unused part of the way, whatever the sizes of the rounds.
        let mut meter = meter(must_hit_terms());
        let way = 40_000 * 1_000_000_i128;
        let (mut survive, mut out_of) = (1_i128, 1_i128);
        for (number, stake) in (2..).zip(rounds) {
            meter.contribute(Cents(stake)).unwrap();
            let odds = meter.must_hit_odds().unwrap().unwrap();
            survive *= i128::from(odds.denominator() - odds.numerator());
            out_of *= i128::from(odds.denominator());
            let left = 50_000 * 1_000_000_i128 - i128::from(meter.ledger.meter.millionths());
            prop_assert_eq!(survive * way, left * out_of);
            (survive, out_of) = (left, way);
            if left == 0 {
                break;
            }
            meter.close_round().unwrap();
            meter.open_round(number).unwrap();
        }
    }
}
