use super::super::testing::Try;
use super::*;
use crate::game::Game;
use crate::money::Ratio;

#[test]
fn shares_follow_the_wagers_and_never_pass_the_maximum() {
    let maximum = Cents::dollars(25_000);
    let share = |stake: i64, stakes: i64, unit| {
        share_of_maximum(maximum, Cents::dollars(stakes * 1000), Cents::dollars(stake * 1000), unit)
    };
    assert_eq!(share(20, 20, Cents(1)), Cents::dollars(20_000));
    assert_eq!(share(25, 25, Cents(1)), Cents::dollars(25_000));
    assert_eq!(share(30, 30, Cents(1)), Cents::dollars(25_000));
    assert_eq!(share(10, 30, Cents(1)), Cents(833_333));
    assert_eq!(share(20, 30, Cents(1)), Cents(1_666_666));
    assert_eq!(share(10, 30, Cents(50)), Cents(833_300));
    for stakes in 26..200 {
        let paid: Cents =
            [1, stakes / 3, stakes - 1 - stakes / 3].map(|part| share(part, stakes, Cents(25))).into_iter().sum();
        assert!(paid <= maximum && paid > maximum - Cents(75), "{stakes}: {paid}");
    }
}

#[test]
fn lines_are_priced_with_their_clause() {
    let monster = Try::new(Game::PlayersEdge21, WagerId::MonsterMatch, "B", 6).offer;
    let line = monster.line_named("B(c)").unwrap();
    assert_eq!(monster.line_named("four-of-a-kind"), Some(line));
    assert_eq!(monster.line_named("C(c)"), None);
    let priced = monster.pay(line, None);
    assert_eq!(
        priced,
        Priced {
            key: &"four-of-a-kind",
            pay: Pay::Amount(Cents::dollars(200)),
            source: Source::new(Game::PlayersEdge21, "12.D(2)(c)"),
            is_prize: false,
        }
    );
    let royal = Try::blackjack(WagerId::RoyalMatch21, "C").offer;
    let suited = royal.pay(royal.line_named("suited-match").unwrap(), None);
    assert_eq!(suited.pay, Pay::To(Ratio::new(5, 2)));
    let crown = royal.pay(royal.line_named("crown-treasure").unwrap(), None);
    assert_eq!(crown.pay, Pay::For(Ratio::new(1000, 1)));
}

#[test]
fn the_dealer_draws_on_for_bad_beat_only_on_a_twenty() {
    let seven = "7c".parse().unwrap();
    let mut visible = Visible::first_cards(Game::Blackjack, [seven; 2], seven);
    let buster = Try::blackjack(WagerId::BusterBlackjack, "A").offer;
    let bad_beat = Try::blackjack(WagerId::BadBeat, "-").offer;
    let ladies = Try::blackjack(WagerId::LuckyLadies, "A").offer;
    assert!(bad_beat.needs_dealer_hand(&visible), "the total is still open");
    for (total, expected) in [(20, true), (19, false), (24, false)] {
        visible.first_hand_total = Some(total);
        assert!(buster.needs_dealer_hand(&visible));
        assert_eq!(bad_beat.needs_dealer_hand(&visible), expected, "{total}");
        assert!(!ladies.needs_dealer_hand(&visible));
    }
    visible.reader = Reader::Yes;
    assert!(!buster.needs_dealer_hand(&visible));
}

#[test]
fn a_magic_card_is_the_very_card_and_counts_once() {
    let card = |text: &str| text.parse::<Card>().unwrap();
    let mut wager = Try::blackjack(WagerId::BadBeat, "-").offer;
    assert_eq!(wager.magic_card(card("Kh"), [card("Kh"); 2]), None, "off unless the submission says so");
    wager.every_n_rounds = Some(10);
    let line = wager.magic_card(card("Kh"), [card("Kh"); 2]).unwrap();
    assert_eq!(wager.pay(line, None).source.id(), "13.B(3)");
    assert_eq!(wager.magic_card(card("Kh"), [card("Kd"), card("Qh")]), None);
    assert_eq!(wager.pay(wager.lucky_player().unwrap(), None).source.id(), "13.B(4)");
}

#[test]
fn a_wheel_symbol_pays_what_it_says() {
    let spin = Try::new(Game::Pontoon21, WagerId::BonusSpin, "C", 6).offer;
    let at = |symbol: &str| spin.spin(symbol, None).unwrap();
    assert_eq!(at("2500").others, None);
    assert_eq!(spin.pay(at("2500").spinner, None).pay, Pay::Amount(Cents::dollars(2500)));
    assert_eq!(spin.pay(at("jackpot").spinner, None).pay, Pay::Amount(Cents::dollars(5000)));
    let community = at("750+100");
    assert_eq!(spin.pay(community.spinner, None).pay, Pay::Amount(Cents::dollars(750)));
    let others = spin.pay_others(community.others.unwrap(), None).unwrap();
    assert_eq!((others.pay, others.source.id()), (Pay::Amount(Cents::dollars(100)), "12.D(10)(a)(i)"));
    assert_eq!(spin.spin("500+100", None), None, "a symbol of paytable D");
    assert_eq!(spin.spin("600", None), None);
}

#[test]
fn xtreme_reads_hot_spot_community_and_double_symbols() {
    let xtreme = Try::new(Game::Pontoon21, WagerId::BonusSpinXtreme, "A", 6).offer;
    let at = |symbol: &str| xtreme.spin(symbol, None).unwrap();
    let others = |symbol: &str| at(symbol).others.map(|line| xtreme.pay_others(line, None).unwrap().pay);
    let spinner = |symbol: &str| xtreme.pay(at(symbol).spinner, None);
    assert_eq!(spinner("1000").source.id(), "12.E(1)(c)");
    assert_eq!(others("1000"), None);
    assert_eq!(spinner("1000+150").pay, Pay::Amount(Cents::dollars(1000)));
    assert_eq!(others("1000+150"), Some(Pay::Amount(Cents::dollars(150))));
    assert_eq!(spinner("150").pay, Pay::Amount(Cents::dollars(150)));
    assert_eq!(others("150"), Some(Pay::Amount(Cents::dollars(150))));
    let primary = Pay::Meter { percent: 100, meter: MeterName::Primary };
    assert_eq!(spinner("primary-jackpot+25").pay, primary);
    assert_eq!(xtreme.spin("150+1000", None), None);
    assert_eq!(xtreme.spins(None).len(), 10 + 8 + 80);
}
