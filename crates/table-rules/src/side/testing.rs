//! For the evaluators' tests: a legal offer, and verdicts as words.

use super::hands::cards;
use super::visible::{Verdict, Visible};
use super::{Answers, OfferContext, OfferedWager, check_offer, tables};
use crate::card::Card;
use crate::game::Game;
use crate::wager::WagerId;

pub(super) struct Try {
    pub(super) offer: OfferedWager,
    game: Game,
}

impl Try {
    pub(super) fn new(game: Game, wager: WagerId, paytable: &str, decks: u8) -> Self {
        Self::in_context(OfferContext { game, decks, switch: false }, wager, paytable)
    }

    /// Six decks of blackjack.
    pub(super) fn blackjack(wager: WagerId, paytable: &str) -> Self {
        Self::new(Game::Blackjack, wager, paytable, 6)
    }

    pub(super) fn switch(wager: WagerId, paytable: &str, decks: u8) -> Self {
        Self::in_context(OfferContext { game: Game::Blackjack, decks, switch: true }, wager, paytable)
    }

    fn in_context(context: OfferContext, wager: WagerId, paytable: &str) -> Self {
        let table = tables(wager).and_then(|tables| tables.in_game(context.game)?.table(paytable)).unwrap();
        Self { offer: check_offer(context, wager, &Answers::least(table)).unwrap(), game: context.game }
    }

    /// `seen` is the two first cards and the up card.
    pub(super) fn expect_first(&self, seen: &str, expected: &str) {
        self.expect(seen, |_| {}, expected);
    }

    pub(super) fn expect<'a>(&self, seen: &str, change: impl FnOnce(&mut Visible<'a>), expected: &str) {
        let [a, b, up]: [Card; 3] = cards(seen);
        let mut visible = Visible::first_cards(self.game, [a, b], up);
        change(&mut visible);
        assert_eq!(self.answer(&visible), expected, "{seen}");
    }

    pub(super) fn answer(&self, visible: &Visible<'_>) -> String {
        match self.offer.evaluate(visible) {
            Verdict::NotYet => "not yet".to_owned(),
            Verdict::Lost => "lost".to_owned(),
            Verdict::Won { line, second } => {
                let lines = [Some(line), second];
                let keys: Vec<_> = lines.into_iter().flatten().map(|line| *self.offer.pay(line, None).key).collect();
                keys.join(" & ")
            }
            Verdict::NeedsWheel => "needs wheel".to_owned(),
            Verdict::NeedsDraw => "needs draw".to_owned(),
            Verdict::NeedsAmount => "needs amount".to_owned(),
        }
    }
}
