//! The odds of one offered wager, from any shoe.

use num_bigint::BigUint;
use table_rules::card::Card;
use table_rules::game::Game;
use table_rules::money::{Cents, Pay};
use table_rules::side::{CrownTreasure, OfferedWager, Paytable, Placement, Verdict};
use table_rules::table::Soft17;
use table_rules::wager::WagerId;

use crate::catalogue::pays_amounts;
use crate::dealer::{DEALER_CARDS_MAX, DrawnHand, visit};
use crate::deals::Tally;
use crate::fraction::Fraction;
use crate::judge::{DecidedBy, Judge};
use crate::shoe::{Shoe, VALUES, falling};
use crate::table::{Effect, Identity, Line, OddsTable};

/// An offer whose deals have been counted, for every number of decks at once.
#[derive(Debug)]
pub struct CountedWager<'a> {
    judge: Judge<'a>,
    game: Game,
    decided_by: DecidedBy,
    /// Only for wagers that the first cards decide.
    tally: Option<Tally<Verdict>>,
}

/// What can be said of a wager without playing it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WagerOdds {
    Exact(OddsTable),
    /// The player's decisions matter: `simulate` has to play it through the engine.
    NeedsSimulation(Identity),
    /// A random draw decides; its odds are those of the draw.
    NotFromCards(Identity),
}

impl<'a> CountedWager<'a> {
    /// Walks the deals. `stake` is what fixed amounts are measured against; one unit where only odds are paid.
    pub fn new(offer: &'a OfferedWager, game: Game, stake: Cents) -> Self {
        let judge = Judge::new(offer, game, stake);
        let decided_by = judge.decided_by();
        let tally = match decided_by {
            DecidedBy::FirstCards => Some(Tally::of(game, |deal| judge.first_cards(deal))),
            DecidedBy::TwoHands => Some(Tally::of_two_hands(game, |first, second| judge.two_hands(first, second))),
            DecidedBy::DealerHand | DecidedBy::DealerHandAndBlackjack | DecidedBy::Play | DecidedBy::Draw => None,
        };
        Self { judge, game, decided_by, tally }
    }

    pub fn decided_by(&self) -> DecidedBy {
        self.decided_by
    }

    /// Whether the figures move with what the dealer does on soft 17.
    pub fn depends_on_soft17(&self) -> bool {
        match self.decided_by {
            DecidedBy::DealerHand | DecidedBy::DealerHandAndBlackjack | DecidedBy::Play => true,
            DecidedBy::FirstCards | DecidedBy::TwoHands | DecidedBy::Draw => false,
        }
    }

    /// The odds from a fresh shoe of so many decks; None for a number that no shoe holds.
    pub fn odds(&self, decks: u8, soft17: Soft17) -> Option<WagerOdds> {
        let shoe = Shoe::new(self.game, decks)?;
        let identity = self.identity(decks, soft17);
        let outcomes = match (self.decided_by, &self.tally) {
            (DecidedBy::Play, _) => return Some(WagerOdds::NeedsSimulation(identity)),
            (DecidedBy::Draw, _) => return Some(WagerOdds::NotFromCards(identity)),
            (DecidedBy::DealerHand, _) => self.by_dealer_hand(shoe, soft17),
            (DecidedBy::DealerHandAndBlackjack, _) => self.by_dealer_hand_and_blackjack(shoe, soft17),
            (DecidedBy::FirstCards | DecidedBy::TwoHands, Some(tally)) => {
                tally.ways(shoe).map(|(verdict, ways)| (*verdict, ways)).collect()
            }
            (DecidedBy::FirstCards | DecidedBy::TwoHands, None) => unreachable!("`new` has walked these deals"),
        };
        Some(WagerOdds::Exact(OddsTable::new(identity, self.lines(&outcomes), shoe.orders(self.cards_counted()))))
    }

    /// How many cards an order of the shoe is counted to.
    fn cards_counted(&self) -> usize {
        match self.decided_by {
            DecidedBy::FirstCards | DecidedBy::TwoHands => 4,
            DecidedBy::DealerHand => DEALER_CARDS_MAX,
            DecidedBy::DealerHandAndBlackjack => DEALER_CARDS_MAX + 2,
            DecidedBy::Play | DecidedBy::Draw => 0,
        }
    }

    fn identity(&self, decks: u8, soft17: Soft17) -> Identity {
        let offer = self.judge.offer();
        Identity {
            game: self.game,
            wager: offer.id(),
            paytable: self.paytable().id.to_owned(),
            decks,
            soft17: self.depends_on_soft17().then_some(soft17),
            options: self.options(),
        }
    }

    /// The submission's answers that these figures hold for.
    fn options(&self) -> Vec<(&'static str, String)> {
        let offer = self.judge.offer();
        let chosen = offer.options();
        let mut options = Vec::new();
        if offer.id() == WagerId::ThreeCardPoker {
            options.push(("ace_high_straight", chosen.ace_high_straight.to_string()));
        }
        if offer.id() == WagerId::RoyalMatch21 {
            let crown = match chosen.crown_treasure {
                CrownTreasure::Line => "line",
                CrownTreasure::Additional => "additional",
            };
            options.push(("crown_treasure", crown.to_owned()));
        }
        if offer.id() == WagerId::HitAndRun {
            options.push(("busted_hands_count", chosen.busted_hands_count.to_string()));
        }
        if pays_amounts(self.paytable()) {
            options.push(("stake", self.judge.stake().to_string()));
        }
        options
    }

    /// The table that pays the stake in question: Bonus Spin may offer two.
    fn paytable(&self) -> &'static Paytable {
        self.judge.offer().table_for(Some(self.judge.stake())).table
    }

    fn by_dealer_hand(&self, shoe: Shoe, soft17: Soft17) -> Vec<(Verdict, BigUint)> {
        let mut outcomes = Outcomes::default();
        let mut counts = shoe.value_counts();
        visit(&mut counts, &mut DrawnHand::new(soft17), 1, &mut |hand, ways| {
            let cards = Cards::of(hand);
            outcomes.add(self.judge.dealer_hand(cards.slice(), false), cards.len, ways);
        });
        outcomes.common(shoe, 0)
    }

    /// The player's blackjack takes an ace and a ten-value card out of the shoe; every other hand must lose whatever the
    /// dealer does, so its cards need no place.
    fn by_dealer_hand_and_blackjack(&self, shoe: Shoe, soft17: Soft17) -> Vec<(Verdict, BigUint)> {
        let mut without = Outcomes::default();
        let mut counts = shoe.value_counts();
        visit(&mut counts, &mut DrawnHand::new(soft17), 1, &mut |hand, ways| {
            let cards = Cards::of(hand);
            without.add(self.judge.dealer_hand(cards.slice(), false), cards.len, ways);
        });
        let only = without.found.first().map(|(verdict, _)| *verdict);
        let (Some(otherwise), 1) = (only, without.found.len()) else {
            unreachable!("{} pays players without a blackjack", self.judge.offer().id());
        };
        let mut with = Outcomes::default();
        let blackjacks = 2 * u128::from(counts.take(0)) * u128::from(counts.take(VALUES - 1));
        visit(&mut counts, &mut DrawnHand::new(soft17), blackjacks, &mut |hand, ways| {
            let cards = Cards::of(hand);
            with.add(self.judge.dealer_hand(cards.slice(), true), cards.len, ways);
        });
        let mut outcomes = with.common(shoe, 2);
        let counted: BigUint = outcomes.iter().map(|(_, ways)| ways).sum();
        let rest = shoe.orders(DEALER_CARDS_MAX + 2) - counted;
        match outcomes.iter_mut().find(|(verdict, _)| *verdict == otherwise) {
            Some((_, ways)) => *ways += rest,
            None => outcomes.push((otherwise, rest)),
        }
        outcomes
    }

    /// The paytable's lines in its own order, those that never come included, then what it pays for two at once, then
    /// the loss.
    fn lines(&self, outcomes: &[(Verdict, BigUint)]) -> Vec<Line> {
        let ways_of = |verdict: Verdict| {
            outcomes.iter().find(|(found, _)| *found == verdict).map(|(_, ways)| ways.clone()).unwrap_or_default()
        };
        let mut lines = Vec::new();
        let wheel = ways_of(Verdict::NeedsWheel);
        if wheel == BigUint::ZERO {
            for row in &self.paytable().rows {
                let verdict = Verdict::Won { line: row.line, second: None };
                lines.push(self.line(verdict, ways_of(verdict)));
            }
        }
        for (verdict, ways) in outcomes {
            match verdict {
                Verdict::Won { second: Some(_), .. } | Verdict::NeedsWheel => {
                    lines.push(self.line(*verdict, ways.clone()));
                }
                Verdict::Won { second: None, .. }
                | Verdict::Lost
                | Verdict::NotYet
                | Verdict::NeedsDraw
                | Verdict::NeedsAmount => {}
            }
        }
        lines.push(self.line(Verdict::Lost, ways_of(Verdict::Lost)));
        lines
    }

    fn line(&self, verdict: Verdict, ways: BigUint) -> Line {
        let offer = self.judge.offer();
        let stake = self.judge.stake();
        let riding = matches!(offer.placement(), Placement::RidesOn(_));
        let of_pays = |name: String, clause: String, pays: &[Pay]| {
            let basis = pays.first().map_or("lost", |pay| basis_of(*pay));
            let text: Vec<String> = pays.iter().map(ToString::to_string).collect();
            Line {
                name,
                clause,
                ways: ways.clone(),
                pays: text.join(" + "),
                basis,
                effect: effect(pays, stake, riding),
            }
        };
        match verdict {
            Verdict::Won { line, second } => {
                let priced: Vec<_> =
                    [Some(line), second].into_iter().flatten().map(|line| offer.pay(line, Some(stake))).collect();
                let join = |texts: Vec<&str>| texts.join(" + ");
                let name = join(priced.iter().map(|line| line.key).collect());
                let clause = join(priced.iter().map(|line| line.clause).collect());
                let pays: Vec<Pay> = priced.iter().map(|line| line.pay).collect();
                of_pays(name, clause, &pays)
            }
            Verdict::NeedsWheel => Line {
                name: "wheel".to_owned(),
                clause: String::new(),
                ways,
                pays: "what the wheel says".to_owned(),
                basis: "wheel",
                effect: Effect::Spun,
            },
            Verdict::Lost | Verdict::NotYet | Verdict::NeedsDraw | Verdict::NeedsAmount => {
                let effect = if riding { Effect::Returned } else { Effect::Lost };
                let pays = "lost".to_owned();
                Line { name: "lost".to_owned(), clause: String::new(), ways, pays, basis: "lost", effect }
            }
        }
    }
}

fn basis_of(pay: Pay) -> &'static str {
    match pay {
        Pay::To(_) => "to",
        Pay::For(_) => "for",
        Pay::Amount(_) => "amount",
        Pay::Meter { .. } => "meter",
    }
}

/// What one or two lines do together: each pays on the same stake, which is returned once at most (readings S4 and B6).
/// A wager that rides on another has no stake to lose.
fn effect(pays: &[Pay], stake: Cents, riding: bool) -> Effect {
    let unit = u64::try_from(stake.0).unwrap_or(0);
    let mut received = Fraction::zero();
    let mut stake_back = riding;
    for pay in pays {
        match *pay {
            Pay::To(ratio) => {
                stake_back = true;
                received = &received + &Fraction::new(ratio.pays, ratio.stakes);
            }
            Pay::For(ratio) => received = &received + &Fraction::new(ratio.pays, ratio.stakes),
            Pay::Amount(amount) => received = &received + &Fraction::new(amount.0, unit),
            Pay::Meter { percent, meter } => return Effect::Meter { meter, percent },
        }
    }
    Effect::Gained(if stake_back { received } else { &received - &Fraction::one() })
}

/// A dealer's hand in cards, without the heap.
struct Cards {
    cards: [Card; DEALER_CARDS_MAX],
    len: usize,
}

impl Cards {
    fn of(hand: &DrawnHand) -> Self {
        let mut cards = [crate::shoe::card_of(0); DEALER_CARDS_MAX];
        for (place, card) in cards.iter_mut().zip(hand.cards()) {
            *place = card;
        }
        Self { cards, len: hand.values().len() }
    }

    fn slice(&self) -> &[Card] {
        &self.cards[..self.len]
    }
}

/// Ways by verdict and number of dealer cards, to be brought to one denominator at the end.
#[derive(Default)]
struct Outcomes {
    found: Vec<(Verdict, [u128; DEALER_CARDS_MAX + 1])>,
}

impl Outcomes {
    fn add(&mut self, verdict: Verdict, cards: usize, ways: u128) {
        let at = self.found.iter().position(|(known, _)| *known == verdict).unwrap_or_else(|| {
            self.found.push((verdict, [0; DEALER_CARDS_MAX + 1]));
            self.found.len() - 1
        });
        self.found[at].1[cards] += ways;
    }

    /// Over all orders of the longest hand and `others` cards besides.
    fn common(&self, shoe: Shoe, others: usize) -> Vec<(Verdict, BigUint)> {
        let raise = |(cards, ways): (usize, &u128)| {
            BigUint::from(*ways) * falling(shoe.cards() - others - cards, DEALER_CARDS_MAX - cards)
        };
        self.found.iter().map(|(verdict, ways)| (*verdict, ways.iter().enumerate().map(raise).sum())).collect()
    }
}
