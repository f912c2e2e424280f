//! Everything there is to reckon: each game's wagers, paytables and options, in the order of the documents.
//!
//! What is legal is not decided here: each combination goes through the same check as an operator's submission, and what
//! that refuses is left out.

use table_rules::game::Game;
use table_rules::money::{Cents, Pay};
use table_rules::side::{
    Answers, CrownTreasure, OfferContext, OfferedWager, Paytable, Placement, Printed, all_tables, check_offer,
};
use table_rules::table::{Soft17, Table, Variation};
use table_rules::wager::WagerId;

use crate::insurance::insurance;
use crate::shoe::Shoe;
use crate::verdicts::Counted;
use crate::wager::{CountedWager, WagerOdds};

/// One paytable with one set of answers, for all its decks: a step of a progress bar.
#[derive(Clone, Debug)]
pub struct Job {
    game: Game,
    what: What,
}

#[derive(Clone, Debug)]
enum What {
    Insurance,
    Side { table: &'static Paytable, answers: Box<Answers> },
}

/// Every job, in order.
pub fn jobs() -> Vec<Job> {
    let insurances = Game::ALL.into_iter().map(|game| Job { game, what: What::Insurance });
    let tables = all_tables().iter().flat_map(|wager| &wager.games).flat_map(|game| &game.tables);
    let sides = tables.flat_map(|table| {
        variants(table)
            .into_iter()
            .map(move |answers| Job { game: table.game, what: What::Side { table, answers: Box::new(answers) } })
    });
    insurances.chain(sides).collect()
}

/// The numbers of decks that a game's rules allow in the shoe (reading B13).
pub fn legal_decks(game: Game) -> &'static [u8] {
    match game {
        Game::Blackjack => &[1, 2, 3, 4, 5, 6, 7, 8],
        Game::Spanish21 | Game::Pontoon21 => &[6, 8],
        Game::PlayersEdge21 => &[5, 6, 8],
    }
}

/// What the dealer may do on soft 17: blackjack's submission says, the other games' rules do (7.M, reading P8).
pub fn legal_soft17(game: Game) -> &'static [Soft17] {
    match game {
        Game::Blackjack => &[Soft17::Stands, Soft17::Hits],
        Game::Spanish21 | Game::Pontoon21 => &[Soft17::Stands],
        Game::PlayersEdge21 => &[Soft17::Hits],
    }
}

impl Job {
    pub fn game(&self) -> Game {
        self.game
    }

    pub fn wager(&self) -> WagerId {
        match &self.what {
            What::Insurance => WagerId::Insurance,
            What::Side { table, .. } => table.wager,
        }
    }

    /// The wager as a table of so many decks would offer it, where the rules allow that; none for insurance.
    pub fn offer(&self, decks: u8) -> Option<OfferedWager> {
        match &self.what {
            What::Insurance => None,
            What::Side { answers, .. } => offer_for(self.game, decks, self.wager(), answers),
        }
    }

    /// The odds for every legal number of decks, and both rules of soft 17 where they matter. Jobs that share `counted`
    /// share their walks over the deals.
    pub fn run(&self, counted: &mut Counted) -> Vec<WagerOdds> {
        match &self.what {
            What::Insurance => {
                let shoes = legal_decks(self.game).iter().filter_map(|decks| Shoe::new(self.game, *decks));
                shoes.map(|shoe| WagerOdds::Exact(insurance(shoe))).collect()
            }
            What::Side { .. } => self.side_odds(counted),
        }
    }

    fn side_odds(&self, counted: &mut Counted) -> Vec<WagerOdds> {
        let legal = |decks: &u8| self.offer(*decks).map(|offer| (*decks, offer));
        let offers: Vec<(u8, OfferedWager)> = legal_decks(self.game).iter().filter_map(legal).collect();
        // The check depends on the decks, the verdicts do not: one walk serves all.
        let Some((_, offer)) = offers.first() else { return Vec::new() };
        let Some(stake) = reckoned_stakes(offer).first().copied() else { return Vec::new() };
        let wager = CountedWager::new(offer, self.game, stake, counted);
        let soft17 = if wager.depends_on_soft17() { legal_soft17(self.game) } else { &legal_soft17(self.game)[..1] };
        let each = offers.iter().flat_map(|(decks, _)| soft17.iter().map(move |soft17| (*decks, *soft17)));
        each.filter_map(|(decks, soft17)| wager.odds(decks, soft17)).collect()
    }
}

/// The odds of everything that one table offers: insurance, then its side wagers in their order. What a stake changes is
/// reckoned for each stake the table allows.
pub fn odds_of_table(game: Game, decks: u8, soft17: Soft17, offers: &[OfferedWager]) -> Vec<WagerOdds> {
    let insured = Shoe::new(game, decks).map(|shoe| WagerOdds::Exact(insurance(shoe)));
    let mut counted = Counted::new();
    let mut all: Vec<WagerOdds> = insured.into_iter().collect();
    for offer in offers {
        for stake in reckoned_stakes(offer) {
            all.extend(CountedWager::new(offer, game, stake, &mut counted).odds(decks, soft17));
        }
    }
    all
}

/// The same of a whole table. A double shoe deals a round from one side, so its figures are those of one side's decks and
/// say so (B15, H19).
pub fn odds_at(table: &Table) -> Vec<WagerOdds> {
    let decks = table.variation.decks_dealt_from(table.decks);
    let mut all = odds_of_table(table.game, decks, table.soft_17, &table.wagers);
    if table.variation == Variation::DoubleShoe {
        for odds in &mut all {
            odds.identity_mut().options.push(("double_shoe", format!("one side of {}", table.decks)));
        }
    }
    all
}

/// The stakes that a wager's figures are for. Where only odds are paid one is as good as any other. What rides on another
/// wager is reckoned for the least stake that qualifies it (blackjack 6.G(16)).
pub fn reckoned_stakes(offer: &OfferedWager) -> Vec<Cents> {
    let rides = matches!(offer.placement(), Placement::RidesOn(_));
    let pays_amounts = offer.tables().any(|offered| pays_amounts(offered.table));
    match offer.stakes() {
        [] => vec![if rides { Cents::dollars(5) } else { Cents::dollars(1) }],
        stakes if pays_amounts => stakes.to_vec(),
        [first, ..] => vec![*first],
    }
}

/// Whether a printed line is an amount of money, so that figures depend on the stake.
pub(crate) fn pays_amounts(table: &Paytable) -> bool {
    table.rows.iter().any(|row| match row.pays {
        Printed::Prize | Printed::Pay(Pay::Amount(_)) => true,
        Printed::Pay(Pay::To(_) | Pay::For(_) | Pay::Meter { .. }) => false,
    })
}

/// The offer, if the rules allow it; Switch's own wager needs a Switch table.
fn offer_for(game: Game, decks: u8, wager: WagerId, answers: &Answers) -> Option<OfferedWager> {
    [false, true].into_iter().find_map(|switch| check_offer(OfferContext { game, decks, switch }, wager, answers).ok())
}

/// Legal answers for a paytable, with every value of each option that changes a figure. Amounts fixed in dollars are
/// reckoned for stakes of $1, $2 and $5, the chips that sensor spots take.
fn variants(table: &Paytable) -> Vec<Answers> {
    let mut all = vec![Answers::least(table)];
    if all[0].ace_high_straight.is_some() {
        all = each(&all, &[false, true], |answers, value| answers.ace_high_straight = Some(value));
    }
    if all[0].crown_treasure.is_some() {
        let values = [CrownTreasure::Line, CrownTreasure::Additional];
        all = each(&all, &values, |answers, value| answers.crown_treasure = Some(value));
    }
    if table.wager == WagerId::HitAndRun {
        all = each(&all, &[true, false], |answers, value| answers.busted_hands_count = Some(value));
    }
    if pays_amounts(table) && table.stakes.is_none() && !all[0].stakes.is_empty() {
        let values = [Cents::dollars(1), Cents::dollars(2), Cents::dollars(5)];
        all = each(&all, &values, |answers, value| answers.stakes = vec![value]);
    }
    all
}

fn each<T: Copy>(all: &[Answers], values: &[T], set: impl Fn(&mut Answers, T)) -> Vec<Answers> {
    let mut out = Vec::with_capacity(all.len() * values.len());
    for answers in all {
        for value in values {
            let mut answers = answers.clone();
            set(&mut answers, *value);
            out.push(answers);
        }
    }
    out
}
