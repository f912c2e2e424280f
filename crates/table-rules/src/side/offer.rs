//! A side wager as one table offers it: legal, complete, and quick to ask.
//!
//! Only [`super::check_offer`] makes one, so nothing here needs to doubt its paytable or options.

use super::table::{CommunityTable, Paytable, Printed};
use super::visible::{Options, PaytableLine, Reader, Verdict, Visible};
use super::{DealerHand, FirstCards, Known, Moment, Placement, RandomSource, SideWager, dealer_hand, super_4, twenty};
use crate::card::Card;
use crate::line::LineName;
use crate::meter::CheckedTerms;
use crate::money::{Cents, MeterName, Pay};
use crate::source::Source;
use crate::wager::WagerId;

#[derive(Clone, Debug)]
pub struct OfferedWager {
    pub(super) side: &'static SideWager,
    pub(super) lines: &'static [&'static str],
    pub(super) table: OfferedTable,
    /// Bonus Spin with both stakes: the other stake's table.
    pub(super) second_table: Option<OfferedTable>,
    pub(super) options: Options,
    pub(super) stakes: Vec<Cents>,
    pub(super) min_stake: Option<Cents>,
    pub(super) max_stake: Option<Cents>,
    pub(super) spots: u8,
    pub(super) meters: Vec<OfferedMeter>,
    pub(super) every_n_rounds: Option<u32>,
    pub(super) random_source: Option<RandomSource>,
    pub(super) jackpot_threshold: Option<Cents>,
}

/// One paytable of an offer, with what the submission adds to it.
#[derive(Clone, Debug)]
pub struct OfferedTable {
    pub table: &'static Paytable,
    pub community: Option<&'static CommunityTable>,
    pub prize: Option<Prize>,
    pub(super) spins: Vec<(Box<str>, Spin)>,
}

/// The fixed prize of a wheel. Merchandise has a name; both have a declared value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Prize {
    pub name: Option<Box<str>>,
    pub value: Cents,
    /// What the line that wins it is called.
    pub(super) line: LineName,
}

impl Prize {
    /// The prize of the line that the paytable prints under `key`.
    ///
    /// Lines name what decided them by a reference that outlives every table, since they are copied all the time. So the
    /// words stay in memory for good: once for each submission with a prize that this process reads.
    pub(super) fn new(key: &str, name: Option<&str>, value: Cents) -> Self {
        let words = match name {
            Some(name) => format!("{key}: {name} (declared value {value})"),
            None => format!("{key}: fixed prize"),
        };
        let words: &'static str = words.leak();
        Self { name: name.map(Box::from), value, line: Box::leak(Box::new(words)) }
    }
}

/// A meter that the offer feeds and pays from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OfferedMeter {
    pub name: MeterName,
    pub terms: CheckedTerms,
}

/// Where the wheel stopped: the line of the player who spins (Xtreme: of the hot spot), and the line of every other
/// player with the wager, who lose where there is none.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Spin {
    pub spinner: PaytableLine,
    pub others: Option<PaytableLine>,
}

/// When the wheel of a wager is spun, and for whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wheel {
    /// By each player who has won a spin, at their turn to be paid (W16).
    AtTheTurn,
    /// Once for the table, at the reveal; one box is the hot spot.
    HotSpot,
}

/// What a line pays, and the clause that says so.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Priced {
    pub key: LineName,
    pub pay: Pay,
    pub source: Source,
    /// The wheel's fixed prize or merchandise: it takes the walk of a meter line (H11).
    pub is_prize: bool,
}

impl OfferedWager {
    pub const fn id(&self) -> WagerId {
        self.side.id
    }

    pub const fn side(&self) -> &'static SideWager {
        self.side
    }

    pub const fn options(&self) -> &Options {
        &self.options
    }

    pub const fn placement(&self) -> Placement {
        self.side.placement
    }

    /// Whether a sensor places it.
    pub fn is_progressive(&self) -> bool {
        self.side.placement == Placement::Sensor
    }

    pub const fn moments(&self) -> &'static [Moment] {
        self.side.moments
    }

    /// The stakes allowed; empty where `min_stake` and `max_stake` or the table's limits say.
    pub fn stakes(&self) -> &[Cents] {
        &self.stakes
    }

    pub const fn min_stake(&self) -> Option<Cents> {
        self.min_stake
    }

    pub const fn max_stake(&self) -> Option<Cents> {
        self.max_stake
    }

    /// Whether the submission lets this much be staked. What rides on another wager takes no stake at all.
    pub fn allows_stake(&self, stake: Cents) -> bool {
        !matches!(self.side.placement, Placement::RidesOn(_))
            && stake > Cents::ZERO
            && (self.stakes.is_empty() || self.stakes.contains(&stake))
            && self.min_stake.is_none_or(|least| stake >= least)
            && self.max_stake.is_none_or(|most| stake <= most)
    }

    /// The stake, seen or implied because only one is allowed.
    #[inline]
    pub fn known_stake(&self, seen: Option<Cents>) -> Option<Cents> {
        seen.or(self.options.only_stake)
    }

    /// Sensor spots a seat; none for chips.
    pub const fn spots(&self) -> u8 {
        self.spots
    }

    pub fn meters(&self) -> &[OfferedMeter] {
        &self.meters
    }

    pub const fn random_source(&self) -> Option<RandomSource> {
        self.random_source
    }

    /// Bad Beat: how often Magic Card and Lucky Player are drawn; `None` where they are off.
    pub const fn every_n_rounds(&self) -> Option<u32> {
        self.every_n_rounds
    }

    /// Whether a line of this name is won by a wheel's fixed prize.
    pub(crate) fn names_prize(&self, name: &str) -> bool {
        let tables = [Some(&self.table), self.second_table.as_ref()];
        tables.into_iter().flatten().any(|table| table.prize.as_ref().is_some_and(|prize| *prize.line == name))
    }

    pub const fn jackpot_threshold(&self) -> Option<Cents> {
        self.jackpot_threshold
    }

    /// A payment above the threshold, not one that just reaches it, takes a second person.
    pub fn needs_second_person(&self, pays: Cents) -> bool {
        self.jackpot_threshold.is_some_and(|threshold| pays > threshold)
    }

    /// The verdict on what lies open. Pure, and allocates nothing.
    #[inline]
    pub fn evaluate(&self, visible: &Visible<'_>) -> Verdict {
        (self.side.evaluate)(visible, &self.options)
    }

    /// Whether this line can have come, by what is known where cards are not followed.
    pub fn may_be_claimed(&self, line: PaytableLine, known: &Known) -> bool {
        (self.side.claim)(line, known) && self.can_pay(line)
    }

    /// Whether one spin of the wheel decides the wager for the whole table (O2).
    pub fn spins_once_for_all(&self) -> bool {
        !self.table.spins.is_empty() && self.side.moments == [Moment::Reveal]
    }

    /// Whether this wager keeps the dealer drawing although the main wagers are decided (reading B12). A dealer
    /// blackjack ends every draw.
    pub fn needs_dealer_hand(&self, visible: &Visible<'_>) -> bool {
        let wants = match self.side.dealer_hand {
            DealerHand::NotNeeded => false,
            DealerHand::Needed => true,
            DealerHand::NeededOn20 => visible.first_hand_total.is_none_or(|total| total == 20),
        };
        wants && visible.reader != Reader::Yes
    }

    /// Whether the verdict depends on the player's first cards as things stand.
    pub fn looks_at_first_cards(&self, reader: Reader) -> bool {
        match self.side.first_cards {
            FirstCards::Needed => true,
            FirstCards::NeededUnderBlackjack => reader == Reader::Yes,
            FirstCards::NotNeeded => false,
        }
    }

    /// Whether it can come to depend on them.
    pub fn may_look_at_first_cards(&self) -> bool {
        self.looks_at_first_cards(Reader::Yes)
    }

    /// The paytables in force: one, or two where Bonus Spin takes both stakes.
    pub fn tables(&self) -> impl Iterator<Item = &OfferedTable> {
        std::iter::once(&self.table).chain(&self.second_table)
    }

    /// The table that pays this stake. Only Bonus Spin with both stakes has more than one.
    pub fn table_for(&self, stake: Option<Cents>) -> &OfferedTable {
        let pays = |table: &&OfferedTable| match (&table.table.stakes, stake) {
            (Some((stakes, _)), Some(stake)) => stakes.contains(&stake),
            (None, _) | (_, None) => false,
        };
        self.second_table.as_ref().filter(pays).unwrap_or(&self.table)
    }

    /// What a line pays on this stake.
    ///
    /// # Panics
    /// On a line that the table does not print: no evaluator returns one, and a guess must never be paid.
    #[inline]
    pub fn pay(&self, line: PaytableLine, stake: Option<Cents>) -> Priced {
        let table = self.table_for(stake);
        match table.pay(line) {
            Some(priced) => priced,
            None => panic!("{} paytable {} has no line {}", self.id(), table.table.id, self.line_key(line)),
        }
    }

    /// Whether the table for this stake prints the line.
    pub fn prints(&self, line: PaytableLine, stake: Option<Cents>) -> bool {
        self.table_for(stake).pay(line).is_some()
    }

    /// What a community line pays another player with the wager: the same row of that player's own table (O2).
    /// `None` where that table's wheel has no community symbols.
    pub fn pay_others(&self, line: PaytableLine, stake: Option<Cents>) -> Option<Priced> {
        let place = |table: &OfferedTable| table.community?.rows.iter().position(|row| row.line == line);
        let place = self.tables().find_map(place)?;
        let row = self.table_for(stake).community?.rows.get(place)?;
        Some(Priced { key: &row.key, pay: Pay::Amount(row.others), source: row.source, is_prize: false })
    }

    /// Whether a spin pays the spinner's other boxes as part of the community (H15).
    pub(crate) fn pays_own_boxes(&self) -> bool {
        self.options.community_pay_to_own_boxes
    }

    #[inline]
    pub fn line_key(&self, line: PaytableLine) -> &'static str {
        self.lines.get(line.index()).copied().unwrap_or("?")
    }

    /// A line by its key, or as claims are called: paytable and place, `B(c)`.
    pub fn line_named(&self, name: &str) -> Option<PaytableLine> {
        self.tables().find_map(|offered| {
            let table = offered.table;
            let place = name.strip_prefix(table.id);
            let called = |place: &str| table.rows.iter().find(|row| table.short_clause(row) == place);
            table.rows.iter().find(|row| row.key == name).or_else(|| called(place?)).map(|row| row.line)
        })
    }

    /// What a claim by this name says: a symbol of the wheel, with what it gives the others, or a line of the table.
    pub fn line_claimed(&self, name: &str, stake: Option<Cents>) -> Option<Spin> {
        let alone = |line: &PaytableLine| self.prints(*line, stake);
        self.spin(name, stake)
            .or_else(|| self.line_named(name).filter(alone).map(|spinner| Spin { spinner, others: None }))
    }

    /// Every line that can be claimed with this stake by some name.
    pub fn lines_to_claim(&self, stake: Option<Cents>) -> impl Iterator<Item = PaytableLine> {
        let spun = self.spins(stake).iter().map(|(_, spin)| spin.spinner);
        self.table_for(stake).table.rows.iter().map(|row| row.line).chain(spun)
    }

    /// Reads a wheel symbol, as `1000`, `jackpot` or `250+100`.
    pub fn spin(&self, symbol: &str, stake: Option<Cents>) -> Option<Spin> {
        self.spins(stake).iter().find(|(name, _)| **name == *symbol).map(|(_, spin)| *spin)
    }

    /// Every symbol that the wheel can show for this stake; none where no wheel turns.
    pub fn spins(&self, stake: Option<Cents>) -> &[(Box<str>, Spin)] {
        &self.table_for(stake).spins
    }

    /// Magic Card (13.B(3)): won where one of the box's first two cards is the card drawn.
    pub fn magic_card(&self, drawn: Card, first: [Card; 2]) -> Option<PaytableLine> {
        self.magic_card_line().filter(|_| first.contains(&drawn))
    }

    /// The line of the Magic Card; `None` where the bonus is off.
    pub fn magic_card_line(&self) -> Option<PaytableLine> {
        (self.id() == WagerId::BadBeat && self.every_n_rounds.is_some()).then_some(dealer_hand::MAGIC_CARD_LINE)
    }

    /// The line of the seat that the Lucky Player draw names (13.B(4)); `None` where the bonus is off.
    pub fn lucky_player(&self) -> Option<PaytableLine> {
        (self.id() == WagerId::BadBeat && self.every_n_rounds.is_some()).then_some(dealer_hand::LUCKY_PLAYER_LINE)
    }

    /// Whether a line that the table prints can come here: Magic Card and Lucky Player only where they are drawn (W13).
    pub fn can_pay(&self, line: PaytableLine) -> bool {
        let is_drawn = self.id() == WagerId::BadBeat
            && [dealer_hand::MAGIC_CARD_LINE, dealer_hand::LUCKY_PLAYER_LINE].contains(&line);
        !is_drawn || self.every_n_rounds.is_some()
    }

    /// The wheel that decides it; `None` where no wheel turns.
    pub fn wheel(&self) -> Option<Wheel> {
        let wheels = [(WagerId::BonusSpin, Wheel::AtTheTurn), (WagerId::BonusSpinXtreme, Wheel::HotSpot)];
        wheels.into_iter().find(|(id, _)| *id == self.id()).map(|(_, wheel)| wheel)
    }

    /// Whether the cards of a paid blackjack stay on the table for it (players-edge-21 7.H(1)(a)(i)).
    pub fn keeps_blackjack_cards(&self) -> bool {
        matches!(self.id(), WagerId::MatchDown | WagerId::MonsterMatch)
    }

    /// Whether a random draw can give it anything (B10).
    pub fn has_draws(&self) -> bool {
        self.lucky_player().is_some() || self.must_hit().is_some()
    }

    /// The line of the seat that the Must Hit draw names (13.T(1)(a)).
    pub fn must_hit(&self) -> Option<PaytableLine> {
        (self.id() == WagerId::MustHit).then_some(super_4::MUST_HIT_LINE)
    }

    /// The meter that the Must Hit draw gives away.
    pub fn must_hit_meter(&self) -> Option<MeterName> {
        self.must_hit().map(|_| MeterName::MustHit)
    }

    /// The maximum of 13.J, where it holds for this line.
    pub fn maximum_for(&self, line: PaytableLine) -> Option<Cents> {
        self.options.maximum_payout.filter(|_| twenty::capped_line(self.id()) == Some(line))
    }
}

impl OfferedTable {
    #[inline]
    fn pay(&self, line: PaytableLine) -> Option<Priced> {
        if let Some(row) = self.table.row(line) {
            return Some(match row.pays {
                Printed::Pay(pay) => Priced { key: &row.key, pay, source: row.source, is_prize: false },
                Printed::Prize => {
                    let prize = self.prize.as_ref()?;
                    Priced { key: prize.line, pay: Pay::Amount(prize.value), source: row.source, is_prize: true }
                }
            });
        }
        let row = self.community?.rows.iter().find(|row| row.line == line)?;
        Some(Priced { key: &row.key, pay: Pay::Amount(row.spinner), source: row.source, is_prize: false })
    }
}

/// One winner's part of a maximum payout (13.K): what is `due` to that player where `due_in_all` fits below the
/// maximum, else the maximum in proportion, rounded down to `unit`. What is due is proportional to the wagers, so the
/// shares are too, and together they never pass the maximum.
pub fn share_of_maximum(maximum: Cents, due_in_all: Cents, due: Cents, unit: Cents) -> Cents {
    if due_in_all <= maximum {
        return due;
    }
    let share = i128::from(maximum.0) * i128::from(due.0) / i128::from(due_in_all.0);
    Cents(i64::try_from(share).unwrap_or(0)).rounded_to(unit, crate::money::Rounding::Down)
}

#[cfg(test)]
mod tests;
