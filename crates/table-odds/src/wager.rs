//! The odds of one offered wager, from any shoe.

use std::rc::Rc;

use num_bigint::BigUint;
use table_rules::game::Game;
use table_rules::money::{Cents, Pay};
use table_rules::side::{CrownTreasure, OfferedWager, Paytable, PaytableLine, Placement, Verdict};
use table_rules::table::Soft17;
use table_rules::wager::WagerId;

use crate::catalogue::pays_amounts;
use crate::fraction::Fraction;
use crate::judge::{DecidedBy, Judge};
use crate::shoe::Shoe;
use crate::table::{Effect, Identity, OddsLine, OddsTable};
use crate::verdicts::{Counted, Verdicts};

/// An offer whose deals have been counted, for every number of decks at once.
#[derive(Debug)]
pub struct CountedWager<'a> {
    judge: Judge<'a>,
    verdicts: Rc<Verdicts>,
}

/// What can be said of a wager without playing it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WagerOdds {
    Exact(OddsTable),
    /// The player's decisions matter: `simulate` has to play it through the engine.
    NeedsSimulation(Unreckoned),
    /// A random draw decides; its odds are those of the draw.
    NotFromCards(Unreckoned),
}

/// A wager whose odds no count of deals gives: what it is, and what its lines pay. Their ways are not known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unreckoned {
    pub identity: Identity,
    pub lines: Vec<OddsLine>,
}

impl WagerOdds {
    pub fn identity(&self) -> &Identity {
        match self {
            Self::Exact(table) => &table.identity,
            Self::NeedsSimulation(unreckoned) | Self::NotFromCards(unreckoned) => &unreckoned.identity,
        }
    }

    pub(crate) fn identity_mut(&mut self) -> &mut Identity {
        match self {
            Self::Exact(table) => &mut table.identity,
            Self::NeedsSimulation(unreckoned) | Self::NotFromCards(unreckoned) => &mut unreckoned.identity,
        }
    }
}

impl<'a> CountedWager<'a> {
    /// Walks the deals, unless `counted` has them. `stake` is what fixed amounts are measured against.
    pub fn new(offer: &'a OfferedWager, game: Game, stake: Cents, counted: &mut Counted) -> Self {
        let judge = Judge::new(offer, game, stake);
        Self { judge, verdicts: counted.verdicts(&judge) }
    }

    pub fn decided_by(&self) -> DecidedBy {
        self.verdicts.decided_by
    }

    /// Whether the figures move with what the dealer does on soft 17.
    pub fn depends_on_soft17(&self) -> bool {
        match self.decided_by() {
            DecidedBy::DealerHand | DecidedBy::DealerHandAndBlackjack | DecidedBy::Play => true,
            DecidedBy::FirstCards | DecidedBy::TwoHands | DecidedBy::Draw => false,
        }
    }

    /// The odds from a fresh shoe of so many decks; None for a number that no shoe holds.
    pub fn odds(&self, decks: u8, soft17: Soft17) -> Option<WagerOdds> {
        let shoe = Shoe::new(self.judge.game(), decks)?;
        let identity = self.identity(decks, soft17);
        Some(match self.decided_by() {
            DecidedBy::Play => WagerOdds::NeedsSimulation(Unreckoned { identity, lines: self.printed_lines() }),
            DecidedBy::Draw => WagerOdds::NotFromCards(Unreckoned { identity, lines: self.printed_lines() }),
            DecidedBy::FirstCards | DecidedBy::TwoHands | DecidedBy::DealerHand | DecidedBy::DealerHandAndBlackjack => {
                let lines = self.lines(&self.verdicts.outcomes(&self.judge, shoe, soft17));
                let spun = lines.iter().any(|line| line.effect == Effect::Spun);
                let table = OddsTable::new(identity, lines, shoe.orders(self.verdicts.cards_counted()));
                WagerOdds::Exact(if spun { table.with_wheel(self.wheel_lines()) } else { table })
            }
        })
    }

    fn identity(&self, decks: u8, soft17: Soft17) -> Identity {
        let offer = self.judge.offer();
        Identity {
            game: self.judge.game(),
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

    /// The paytable's lines in its own order, those that never come included, then what it pays for two at once, then
    /// the loss.
    fn lines(&self, outcomes: &[(Verdict, BigUint)]) -> Vec<OddsLine> {
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

    /// What the paytable prints, without a word on how often it comes.
    fn printed_lines(&self) -> Vec<OddsLine> {
        let offer = self.judge.offer();
        let rows = self.paytable().rows.iter().filter(|row| offer.can_pay(row.line));
        rows.map(|row| OddsLine { clause: row.clause.to_owned(), ..self.line(won(row.line), BigUint::ZERO) }).collect()
    }

    /// The symbols of the wheel: the paytable's own, then those of the community.
    fn wheel_lines(&self) -> Vec<OddsLine> {
        let offered = self.judge.offer().table_for(Some(self.judge.stake()));
        let community = offered.community.into_iter().flat_map(|community| {
            community.rows.iter().map(|row| OddsLine {
                name: row.key.to_owned(),
                clause: row.clause.to_owned(),
                ways: BigUint::ZERO,
                pays: if community.two_amounts {
                    format!("{} and {} to the others", row.spinner, row.others)
                } else {
                    format!("{} to the others", row.others)
                },
                basis: "community",
                effect: Effect::Spun,
            })
        });
        self.printed_lines().into_iter().chain(community).collect()
    }

    fn line(&self, verdict: Verdict, ways: BigUint) -> OddsLine {
        let offer = self.judge.offer();
        let stake = self.judge.stake();
        let riding = matches!(offer.placement(), Placement::RidesOn(_));
        let of_pays = |name: String, clause: String, pays: &[Pay]| {
            let basis = pays.first().map_or("lost", |pay| basis_of(*pay));
            let text: Vec<String> = pays.iter().map(ToString::to_string).collect();
            OddsLine {
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
                let name = join(priced.iter().map(|line| *line.key).collect());
                let clause = join(priced.iter().map(|line| line.source.id()).collect());
                let pays: Vec<Pay> = priced.iter().map(|line| line.pay).collect();
                of_pays(name, clause, &pays)
            }
            Verdict::NeedsWheel => OddsLine {
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
                OddsLine { name: "lost".to_owned(), clause: String::new(), ways, pays, basis: "lost", effect }
            }
        }
    }
}

const fn won(line: PaytableLine) -> Verdict {
    Verdict::Won { line, second: None }
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
