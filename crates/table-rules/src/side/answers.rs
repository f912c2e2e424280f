//! What a submission may say of one side wager, unchecked. [`super::check_offer`] turns it into an offer or refuses it.

use super::table::{MeterStart, Paytable};
use super::visible::CrownTreasure;
use super::{Placement, side_wager};
use crate::card::Suit;
use crate::money::{Cents, MeterName};
use crate::wager::WagerId;

/// The answers for one wager; what is `None` or empty was not said.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Answers {
    pub table: TableAnswers,
    /// Bonus Spin with both stakes, each on its own spot: the paytable of the other stake.
    pub second_table: Option<TableAnswers>,
    /// The stakes allowed. A sensor spot takes exactly one.
    pub stakes: Vec<Cents>,
    pub min_stake: Option<Cents>,
    pub max_stake: Option<Cents>,
    /// Sensor spots a seat; one where it is not said.
    pub spots: Option<u8>,
    pub ace_high_straight: Option<bool>,
    pub crown_treasure: Option<CrownTreasure>,
    pub star_suit: Option<Suit>,
    pub busted_hands_count: Option<bool>,
    /// Whether a wheel's community pays the spinner's other boxes too, each with its own stake (reading H15).
    pub community_pay_to_own_boxes: Option<bool>,
    /// Bad Beat's Magic Card and Lucky Player are on only where this is said (reading W13).
    pub every_n_rounds: Option<u32>,
    /// The maximum of 13.J.
    pub maximum_payout: Option<Cents>,
    pub random_source: Option<RandomSource>,
    pub meters: Vec<MeterAnswers>,
    /// A meter payment above this needs a second person.
    pub jackpot_threshold: Option<Cents>,
}

#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct TableAnswers {
    pub paytable: Option<String>,
    /// The community table of a wheel wager, by its letter: required wherever the document prints one.
    pub community_pay: Option<String>,
    /// What the jackpot symbol wins where the table prints a fixed prize: a name for merchandise, and its value.
    pub prize_name: Option<String>,
    pub prize_value: Option<Cents>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MeterAnswers {
    pub name: MeterName,
    pub initial: Option<Cents>,
    pub reset: Option<Cents>,
    pub rate_millionths: Option<u32>,
    pub reserve_rate_millionths: Option<u32>,
    pub limit: Option<Cents>,
    pub must_hit_ceiling: Option<Cents>,
}

/// Where random draws come from (reading B10).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RandomSource {
    /// An approved device.
    Device,
    /// The operating system's generator, which needs laboratory approval.
    Os,
}

impl MeterAnswers {
    pub const fn new(name: MeterName) -> Self {
        Self {
            name,
            initial: None,
            reset: None,
            rate_millionths: None,
            reserve_rate_millionths: None,
            limit: None,
            must_hit_ceiling: None,
        }
    }
}

impl Answers {
    /// Answers that are legal for `table`: printed minimums, the first printed stake, and a value for every required
    /// option. For odds, tests and as a starting point of a submission.
    pub fn least(table: &Paytable) -> Self {
        let sensor = side_wager(table.wager).is_some_and(|side| side.placement == Placement::Sensor);
        let printed_stake = table.stakes.as_ref().and_then(|(stakes, _)| stakes.first().copied());
        let on = |wagers: &[WagerId]| wagers.contains(&table.wager);
        Self {
            table: TableAnswers {
                paytable: Some(table.id.to_owned()),
                community_pay: on(&[WagerId::BonusSpin, WagerId::BonusSpinXtreme]).then(|| table.id.to_owned()),
                prize_value: table.prize.map(|(least, _)| least),
                ..TableAnswers::default()
            },
            stakes: if sensor { vec![printed_stake.unwrap_or(Cents::dollars(1))] } else { Vec::new() },
            ace_high_straight: on(&[WagerId::ThreeCardPoker]).then_some(true),
            crown_treasure: on(&[WagerId::RoyalMatch21]).then_some(CrownTreasure::Line),
            star_suit: table.rows.iter().any(|row| row.key.ends_with("chosen-suit")).then_some(Suit::Spades),
            random_source: on(&[WagerId::MustHit]).then_some(RandomSource::Device),
            meters: table.meters.iter().map(|rule| least_meter(rule.name, rule.start)).collect(),
            ..Self::default()
        }
    }
}

fn least_meter(name: MeterName, start: MeterStart) -> MeterAnswers {
    let (least, must_hit_ceiling) = match start {
        MeterStart::Seed { least, .. } => (least, None),
        MeterStart::ResetAndCeiling([_, _, last]) => (last.reset, Some(last.ceiling)),
    };
    MeterAnswers {
        initial: Some(least),
        reset: Some(least),
        rate_millionths: Some(100_000),
        must_hit_ceiling,
        ..MeterAnswers::new(name)
    }
}
