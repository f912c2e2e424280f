//! The second implementation and the second figures together against edges that were published or computed elsewhere:
//! exact enumeration from a fresh shoe, in integers.

use table_rules::card::{Card, Rank};
use table_rules::game::Game;
use table_rules::money::Cents;
use table_rules::wager::WagerId;

use crate::cases::usual;
use crate::figures::{Figure, Figures, figures};
use crate::slow::{Deal, winning_lines};

/// Which of the four first cards decide the wager; the others need not be enumerated.
#[derive(Clone, Copy)]
struct Decides {
    player: bool,
    up: bool,
    hole: bool,
}

struct Enumeration<'a> {
    game: Game,
    wager: WagerId,
    paytable: &'a str,
    decks: i128,
    decides: Decides,
    up_must_be: Option<Rank>,
    figures: &'a Figures,
}

impl Enumeration<'_> {
    /// Loss per unit staked, as a fraction. The number of ways counts the cards of a shoe, not only their kinds.
    fn edge(&self) -> (i128, i128) {
        let kinds: Vec<Card> = self.game.deck().collect();
        let filler = [kinds[0]];
        let choose = |decides: bool| if decides { &kinds[..] } else { &filler[..] };
        let (mut lost, mut ways) = (0, 0);
        for first in choose(self.decides.player) {
            for second in choose(self.decides.player) {
                for up in choose(self.decides.up) {
                    if self.up_must_be.is_some_and(|rank| up.rank() != rank) {
                        continue;
                    }
                    for hole in choose(self.decides.hole) {
                        let weight = self.ways([*first, *second, *up, *hole]);
                        ways += weight;
                        lost += weight * self.loss([*first, *second], vec![*up, *hole]);
                    }
                }
            }
        }
        (lost, ways)
    }

    fn ways(&self, cards: [Card; 4]) -> i128 {
        let decides = [self.decides.player, self.decides.player, self.decides.up, self.decides.hole];
        let mut dealt: Vec<Card> = Vec::new();
        let mut ways = 1;
        for (card, _) in cards.into_iter().zip(decides).filter(|(_, decides)| *decides) {
            let gone = dealt.iter().filter(|earlier| **earlier == card).count();
            ways *= self.decks - i128::try_from(gone).expect("at most four cards");
            dealt.push(card);
        }
        ways.max(0)
    }

    fn loss(&self, player: [Card; 2], dealer: Vec<Card>) -> i128 {
        let deal = Deal { player, second_hand: None, dealer, final_total: 0, stake: Cents::dollars(1) };
        let lines = winning_lines(self.game, self.wager, self.paytable, &deal, &usual());
        if lines.is_empty() {
            return 1;
        }
        -lines.iter().map(|line| self.pays(line)).sum::<i128>()
    }

    fn pays(&self, clause: &str) -> i128 {
        let row = &self.figures[&(self.game.id().to_owned(), clause.to_owned())];
        let Figure::To(pays, 1) = row.figure else { panic!("{clause} is not odds to 1") };
        i128::from(pays)
    }
}

#[test]
fn edges_are_the_published_ones() {
    let figures = figures();
    let pair = Decides { player: true, up: false, hole: false };
    let three = Decides { player: true, up: true, hole: false };
    let four = Decides { player: true, up: true, hole: true };
    let dealer = Decides { player: false, up: true, hole: true };
    // The edge in millionths, to every digit that is printed.
    let table = [
        (Game::Spanish21, WagerId::MatchTheDealer, "6-deck", 6, three, None, 30_555),
        (Game::Blackjack, WagerId::LuckyLadies, "B", 6, four, None, 247_089),
        (Game::Blackjack, WagerId::BetTheSet21, "A", 1, pair, None, 58_824),
        (Game::Blackjack, WagerId::Insurance, "-", 6, dealer, Some(Rank::Ace), 73_955),
        (Game::Blackjack, WagerId::KingsBounty, "-", 2, four, None, 247_335),
    ];
    for (game, wager, paytable, decks, decides, up_must_be, millionths) in table {
        let enumeration = Enumeration { game, wager, paytable, decks, decides, up_must_be, figures: &figures };
        let (lost, ways) = enumeration.edge();
        let rounded = (lost * 2_000_000 + ways).div_euclid(2 * ways);
        assert_eq!(rounded, millionths, "{game} {wager} {paytable}, {decks} decks: {lost} of {ways}");
    }
}

/// The one edge that is known as a fraction.
#[test]
fn match_the_dealer_on_six_spanish_decks_is_exact() {
    let enumeration = Enumeration {
        game: Game::Spanish21,
        wager: WagerId::MatchTheDealer,
        paytable: "6-deck",
        decks: 6,
        decides: Decides { player: true, up: true, hole: false },
        up_must_be: None,
        figures: &figures(),
    };
    let (lost, ways) = enumeration.edge();
    assert_eq!(lost * 3731, ways * 114);
}
