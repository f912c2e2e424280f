//! Which lines of a progressive wager can be claimed at a table that does not follow its cards (H6).
//!
//! When it may be claimed follows from the wager's moments (W16); which of its lines then can have come follows from the
//! little that such a table knows. A test holds every answer against the evaluators: a line that some cards make is
//! never refused.

use super::visible::PaytableLine;
use crate::game::Game;
use crate::input::UpGroup;
use crate::money::Cents;

/// What is known of a round whose cards are not followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Known {
    pub game: Game,
    pub up: UpGroup,
    /// `None` until the reader has answered.
    pub dealer_blackjack: Option<bool>,
    /// The box was tapped as a blackjack.
    pub player_blackjack: bool,
    pub stake: Option<Cents>,
    /// A Magic Card was drawn in this round.
    pub magic_card_drawn: bool,
}

impl Known {
    pub(super) fn dealer_has_blackjack(&self) -> bool {
        self.dealer_blackjack == Some(true)
    }

    pub(super) fn dealer_has_none(&self) -> bool {
        self.dealer_blackjack == Some(false)
    }
}

/// Chips: its lines are the dealer's (H6), and nothing of it is claimed.
pub(super) fn no_line(_: PaytableLine, _: &Known) -> bool {
    false
}

/// Whatever lies face up or not, some cards make each of its lines.
pub(super) fn any_line(_: PaytableLine, _: &Known) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::Verdict;
    use super::super::hands::is_ace_and_ten;
    use super::super::testing::Try;
    use super::super::visible::{Moment, Reader, Visible};
    use super::*;
    use crate::card::Card;
    use crate::wager::WagerId;

    fn group(card: Card) -> UpGroup {
        if card.is_ace() {
            UpGroup::Ace
        } else if card.is_ten_value() {
            UpGroup::Ten
        } else {
            UpGroup::Low
        }
    }

    fn known(game: Game, up: UpGroup, dealer_blackjack: bool) -> Known {
        Known {
            game,
            up,
            dealer_blackjack: Some(dealer_blackjack),
            player_blackjack: false,
            stake: None,
            magic_card_drawn: false,
        }
    }

    /// What the evaluator gives for a great many cards may be claimed by what is known of those cards.
    fn what_comes_may_be_claimed(game: Game, wager: WagerId, table: &str, lines_at_least: usize) {
        let offer = Try::new(game, wager, table, 6).offer;
        let deck: Vec<Card> = game.deck().collect();
        let tails = ["", "2c 3c 4c", "5d 5h", "2h 2d 3s 3h", "Ac 2h 2d 3s 3h", "7c", "4c 4d"]
            .map(|tail| tail.split_whitespace().map(|card| card.parse().unwrap()).collect::<Vec<Card>>());
        let mut come = BTreeSet::new();
        let mut turn = 0;
        for &up in &deck {
            for &hole in deck.iter().step_by(3).chain([&up]) {
                let blackjack = is_ace_and_ten([up, hole]);
                let known = known(game, group(up), blackjack);
                for &a in deck.iter().step_by(2).chain([&up, &hole]) {
                    for b in [up, hole, a].into_iter().chain(deck.iter().copied().skip(turn % 7).step_by(7)) {
                        turn += 1;
                        let tail = if blackjack { &tails[0] } else { &tails[turn % tails.len()] };
                        let dealer: Vec<Card> = [up, hole].into_iter().chain(tail.iter().copied()).collect();
                        let visible = Visible {
                            moment: Moment::TurnToBePaid,
                            reader: match known.up {
                                UpGroup::Low => Reader::NotAsked,
                                UpGroup::Ace | UpGroup::Ten if blackjack => Reader::Yes,
                                UpGroup::Ace | UpGroup::Ten => Reader::No,
                            },
                            hole: Some(hole),
                            dealer_hand: Some(&dealer),
                            first_hand_total: Some(20),
                            ..Visible::first_cards(game, [a, b], up)
                        };
                        if let Verdict::Won { line, .. } = offer.evaluate(&visible) {
                            assert!(
                                offer.may_be_claimed(line, &known),
                                "{wager} {}: {visible:?}",
                                offer.line_key(line)
                            );
                            come.insert(line);
                        }
                    }
                }
            }
        }
        assert!(come.len() >= lines_at_least, "{wager}: {come:?}");
    }

    #[test]
    fn no_line_is_refused_that_some_cards_make() {
        what_comes_may_be_claimed(Game::PlayersEdge21, WagerId::MonsterMatch, "B", 6);
        what_comes_may_be_claimed(Game::Blackjack, WagerId::Super4, "A", 8);
        what_comes_may_be_claimed(Game::Blackjack, WagerId::HitAndRun, "-", 3);
        what_comes_may_be_claimed(Game::Blackjack, WagerId::BadBeat, "-", 4);
        what_comes_may_be_claimed(Game::Blackjack, WagerId::Blazing7s, "A", 4);
        what_comes_may_be_claimed(Game::Blackjack, WagerId::TwentyOnePlusThree, "A", 4);
    }

    #[test]
    fn a_line_that_no_cards_can_make_is_refused() {
        let expect = |wager, table, key: &str, up, dealer_blackjack, expected| {
            let game = if wager == WagerId::MonsterMatch { Game::PlayersEdge21 } else { Game::Blackjack };
            let offer = Try::new(game, wager, table, 6).offer;
            let line = offer.line_named(key).unwrap();
            let answer = offer.may_be_claimed(line, &known(game, up, dealer_blackjack));
            assert_eq!(answer, expected, "{wager} {key} under {up:?}, {dealer_blackjack}");
        };
        for up in [UpGroup::Ace, UpGroup::Ten] {
            expect(WagerId::Super4, "A", "pair", up, true, true);
            expect(WagerId::Super4, "A", "pair", up, false, false);
            expect(WagerId::Super4, "A", "ace-up-no-blackjack", up, false, up == UpGroup::Ace);
            expect(WagerId::Super4, "A", "ace-up-no-blackjack", up, true, false);
            expect(WagerId::Blazing7s, "A", "three-7s", up, false, false);
            expect(WagerId::Blazing7s, "A", "two-7s", up, false, true);
            expect(WagerId::HitAndRun, "-", "blackjack", up, false, false);
            expect(WagerId::HitAndRun, "-", "five-cards", up, true, false);
            expect(WagerId::MonsterMatch, "B", "four-of-a-kind", up, true, false);
            expect(WagerId::MonsterMatch, "B", "three-of-a-kind", up, true, true);
        }
        expect(WagerId::Super4, "A", "pair", UpGroup::Low, false, false);
        expect(WagerId::Super4, "A", "ace-up-no-blackjack", UpGroup::Low, false, false);
        expect(WagerId::Blazing7s, "A", "three-7s", UpGroup::Low, false, true);
        expect(WagerId::BadBeat, "-", "dealer-blackjack", UpGroup::Ten, false, false);
        expect(WagerId::BadBeat, "-", "player-20", UpGroup::Ten, true, true);
        expect(WagerId::BadBeat, "-", "lucky-player", UpGroup::Ten, false, false);
    }

    #[test]
    fn a_spin_needs_the_cards_that_win_it() {
        let spin = |game, stake, player_blackjack| {
            let table = if game == Game::Blackjack { "C" } else { "A" };
            let offer = Try::new(game, WagerId::BonusSpin, table, 6).offer;
            let line = offer.spins(None)[0].1.spinner;
            let known = Known { player_blackjack, stake: Some(stake), ..known(game, UpGroup::Low, false) };
            offer.may_be_claimed(line, &known)
        };
        assert!(spin(Game::Pontoon21, Cents(110), true) && !spin(Game::Pontoon21, Cents(110), false));
        assert!(spin(Game::Blackjack, Cents::dollars(1), true) && !spin(Game::Blackjack, Cents::dollars(1), false));
        assert!(spin(Game::Blackjack, Cents::dollars(5), false), "an ace is enough, and nobody has told it");
        let xtreme = Try::new(Game::Pontoon21, WagerId::BonusSpinXtreme, "A", 6).offer;
        let line = xtreme.spins(None)[0].1.spinner;
        let allowed = |up, blackjack| xtreme.may_be_claimed(line, &known(Game::Pontoon21, up, blackjack));
        assert!(allowed(UpGroup::Low, false) && allowed(UpGroup::Ten, false));
        assert!(!allowed(UpGroup::Ace, false) && !allowed(UpGroup::Ten, true));
    }
}
