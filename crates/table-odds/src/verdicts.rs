//! What an evaluator says of every deal, counted once and kept.
//!
//! A verdict follows from the game, the wager, the stake, the options and the cards. Paytables that differ only in what
//! they pay share all of these, so their deals are walked once for all of them.

use std::cell::RefCell;
use std::rc::Rc;

use num_bigint::BigUint;
use table_rules::card::Card;
use table_rules::game::Game;
use table_rules::money::Cents;
use table_rules::side::{Options, Verdict};
use table_rules::table::Soft17;
use table_rules::wager::WagerId;

use crate::dealer::{DEALER_CARDS_MAX, DrawnHand, visit};
use crate::deals::Tally;
use crate::judge::{DecidedBy, Judge};
use crate::shoe::{Shoe, VALUES, card_of, falling};

/// Each verdict and its ordered ways.
pub type Outcomes = Vec<(Verdict, BigUint)>;

/// The counts made so far. One serves a whole run.
#[derive(Default, Debug)]
pub struct Counted {
    known: Vec<(Question, Rc<Verdicts>)>,
}

/// All that a verdict depends on besides the cards.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Question {
    game: Game,
    wager: WagerId,
    stake: Cents,
    options: Options,
}

impl Counted {
    pub fn new() -> Self {
        Self::default()
    }

    pub(crate) fn verdicts(&mut self, judge: &Judge<'_>) -> Rc<Verdicts> {
        let offer = judge.offer();
        let (game, stake) = (judge.game(), judge.stake());
        let question = Question { game, wager: offer.id(), stake, options: *offer.options() };
        if let Some((_, verdicts)) = self.known.iter().find(|(known, _)| *known == question) {
            return Rc::clone(verdicts);
        }
        let verdicts = Rc::new(Verdicts::of(judge));
        self.known.push((question, Rc::clone(&verdicts)));
        verdicts
    }
}

/// The verdicts of one question, for every shoe.
#[derive(Debug)]
pub(crate) struct Verdicts {
    pub(crate) decided_by: DecidedBy,
    /// Only for wagers that the first cards decide.
    tally: Option<Tally<Verdict>>,
    /// For wagers that the dealer's hand decides, the shoes asked for so far.
    by_dealer: RefCell<Vec<(Shoe, Soft17, Outcomes)>>,
}

impl Verdicts {
    fn of(judge: &Judge<'_>) -> Self {
        let decided_by = judge.decided_by();
        let tally = match decided_by {
            DecidedBy::FirstCards => Some(Tally::of(judge.game(), |deal| judge.first_cards(deal))),
            DecidedBy::TwoHands => {
                Some(Tally::of_two_hands(judge.game(), |first, second| judge.two_hands(first, second)))
            }
            DecidedBy::DealerHand | DecidedBy::DealerHandAndBlackjack | DecidedBy::Play | DecidedBy::Draw => None,
        };
        Self { decided_by, tally, by_dealer: RefCell::default() }
    }

    /// How many cards an order of the shoe is counted to.
    pub(crate) fn cards_counted(&self) -> usize {
        match self.decided_by {
            DecidedBy::FirstCards | DecidedBy::TwoHands => 4,
            DecidedBy::DealerHand => DEALER_CARDS_MAX,
            DecidedBy::DealerHandAndBlackjack => DEALER_CARDS_MAX + 2,
            DecidedBy::Play | DecidedBy::Draw => 0,
        }
    }

    /// Over all orders of [`Verdicts::cards_counted`] cards; nothing where the cards alone cannot tell.
    pub(crate) fn outcomes(&self, judge: &Judge<'_>, shoe: Shoe, soft17: Soft17) -> Outcomes {
        let reckon = match self.decided_by {
            DecidedBy::FirstCards | DecidedBy::TwoHands => {
                let ways = self.tally.iter().flat_map(|tally| tally.ways(shoe));
                return ways.map(|(verdict, ways)| (*verdict, ways)).collect();
            }
            DecidedBy::DealerHand => by_dealer_hand,
            DecidedBy::DealerHandAndBlackjack => by_dealer_hand_and_blackjack,
            DecidedBy::Play | DecidedBy::Draw => return Outcomes::new(),
        };
        let mut known = self.by_dealer.borrow_mut();
        if let Some((_, _, outcomes)) = known.iter().find(|(at, rule, _)| (*at, *rule) == (shoe, soft17)) {
            return outcomes.clone();
        }
        let outcomes = reckon(judge, shoe, soft17);
        known.push((shoe, soft17, outcomes.clone()));
        outcomes
    }
}

fn by_dealer_hand(judge: &Judge<'_>, shoe: Shoe, soft17: Soft17) -> Outcomes {
    let mut found = ByLength::default();
    visit(&mut shoe.value_counts(), &mut DrawnHand::new(soft17), 1, &mut |hand, ways| {
        found.add(judge, false, hand, ways);
    });
    found.common(shoe, 0)
}

/// The player's blackjack takes an ace and a ten-value card out of the shoe; every other hand must fare the same whatever
/// the dealer does, so its cards need no place.
fn by_dealer_hand_and_blackjack(judge: &Judge<'_>, shoe: Shoe, soft17: Soft17) -> Outcomes {
    let mut without = ByLength::default();
    let mut counts = shoe.value_counts();
    visit(&mut counts, &mut DrawnHand::new(soft17), 1, &mut |hand, ways| without.add(judge, false, hand, ways));
    let [(otherwise, _)] = without.found[..] else {
        unreachable!("{} pays players without a blackjack", judge.offer().id());
    };
    let mut with = ByLength::default();
    let blackjacks = 2 * u128::from(counts.take(0)) * u128::from(counts.take(VALUES - 1));
    visit(&mut counts, &mut DrawnHand::new(soft17), blackjacks, &mut |hand, ways| with.add(judge, true, hand, ways));
    let mut outcomes = with.common(shoe, 2);
    let counted: BigUint = outcomes.iter().map(|(_, ways)| ways).sum();
    let rest = shoe.orders(DEALER_CARDS_MAX + 2) - counted;
    match outcomes.iter_mut().find(|(verdict, _)| *verdict == otherwise) {
        Some((_, ways)) => *ways += rest,
        None => outcomes.push((otherwise, rest)),
    }
    outcomes
}

/// Ways by verdict and number of dealer cards, to be brought to one denominator at the end.
#[derive(Default)]
struct ByLength {
    found: Vec<(Verdict, [u128; DEALER_CARDS_MAX + 1])>,
}

impl ByLength {
    fn add(&mut self, judge: &Judge<'_>, blackjack: bool, hand: &DrawnHand, ways: u128) {
        let mut cards: [Card; DEALER_CARDS_MAX] = [card_of(0); DEALER_CARDS_MAX];
        let length = hand.values().len();
        for (place, card) in cards.iter_mut().zip(hand.cards()) {
            *place = card;
        }
        let verdict = judge.dealer_hand(&cards[..length], blackjack);
        let at = self.found.iter().position(|(known, _)| *known == verdict).unwrap_or_else(|| {
            self.found.push((verdict, [0; DEALER_CARDS_MAX + 1]));
            self.found.len() - 1
        });
        self.found[at].1[length] += ways;
    }

    /// Over all orders of the longest hand, with `others` cards dealt besides: what would follow a shorter hand may be
    /// any cards.
    fn common(&self, shoe: Shoe, others: usize) -> Outcomes {
        let raise = |(length, ways): (usize, &u128)| {
            BigUint::from(*ways) * falling(shoe.cards() - others - length, DEALER_CARDS_MAX - length)
        };
        self.found.iter().map(|(verdict, ways)| (*verdict, ways.iter().enumerate().map(raise).sum())).collect()
    }
}
