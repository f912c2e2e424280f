//! Why a step of the inspection fails: one of a few reasons that are tapped, never typed. Each leads the technician to a
//! part of the table, and to the fault book where the book knows the fault.

use operator_api::{FaultCode, Part, ReasonView};
use serde::{Deserialize, Serialize};
use table_rules::source::Point;

use crate::controller::Controller;
use crate::inspection::Step;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum FailReason {
    SealBroken,
    OtherNumber,
    Damaged,
    ForeignThing,
    LensDirty,
    OtherUnit,
    NoAnswer,
    WrongAnswer,
    TestSet,
    LampDark,
    WrongColour,
    CardSeen,
    Stuck,
    DisplayDiffers,
    ManyUnread,
    SomethingElse,
}

impl FailReason {
    #[cfg(test)]
    const ALL: [Self; 16] = [
        Self::SealBroken,
        Self::OtherNumber,
        Self::Damaged,
        Self::ForeignThing,
        Self::LensDirty,
        Self::OtherUnit,
        Self::NoAnswer,
        Self::WrongAnswer,
        Self::TestSet,
        Self::LampDark,
        Self::WrongColour,
        Self::CardSeen,
        Self::Stuck,
        Self::DisplayDiffers,
        Self::ManyUnread,
        Self::SomethingElse,
    ];

    /// The reasons of a step, likeliest first: at most six tiles.
    pub(crate) const fn of(step: Step) -> &'static [Self] {
        match step {
            Step::Seals => &[Self::OtherNumber, Self::SealBroken, Self::Damaged, Self::SomethingElse],
            Step::Housing => {
                &[Self::Damaged, Self::LensDirty, Self::ForeignThing, Self::SealBroken, Self::SomethingElse]
            }
            Step::Identity => &[Self::OtherUnit, Self::NoAnswer, Self::SomethingElse],
            Step::TestCards => {
                &[Self::WrongAnswer, Self::NoAnswer, Self::LensDirty, Self::Damaged, Self::TestSet, Self::SomethingElse]
            }
            Step::Lamps => &[Self::LampDark, Self::WrongColour, Self::NoAnswer, Self::SomethingElse],
            Step::View => &[Self::CardSeen, Self::Damaged, Self::SomethingElse],
            Step::LockOut => &[Self::NoAnswer, Self::Stuck, Self::LampDark, Self::SomethingElse],
            Step::Positions => &[Self::NoAnswer, Self::Stuck, Self::LampDark, Self::SomethingElse],
            Step::Shuffler => &[Self::DisplayDiffers, Self::NoAnswer, Self::Damaged, Self::SomethingElse],
            Step::Counters => &[Self::ManyUnread, Self::WrongAnswer, Self::SomethingElse],
            Step::Signature => &[],
        }
    }

    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::SealBroken => "seal-broken",
            Self::OtherNumber => "other-number",
            Self::Damaged => "damaged",
            Self::ForeignThing => "foreign-thing",
            Self::LensDirty => "lens-dirty",
            Self::OtherUnit => "other-unit",
            Self::NoAnswer => "no-answer",
            Self::WrongAnswer => "wrong-answer",
            Self::TestSet => "test-set",
            Self::LampDark => "lamp-dark",
            Self::WrongColour => "wrong-colour",
            Self::CardSeen => "card-seen",
            Self::Stuck => "stuck",
            Self::DisplayDiffers => "display-differs",
            Self::ManyUnread => "many-unread",
            Self::SomethingElse => "something-else",
        }
    }

    /// On a tile, and the line below it.
    pub(crate) const fn label(self) -> (&'static str, &'static str) {
        match self {
            Self::SealBroken => ("Seal broken", "or missing"),
            Self::OtherNumber => ("Other number", "than last time"),
            Self::Damaged => ("Damaged", "housing or cable"),
            Self::ForeignThing => ("Foreign thing", "in it or on it"),
            Self::LensDirty => ("Lens dirty", "cleaned, still bad"),
            Self::OtherUnit => ("Other unit", "serial, firmware"),
            Self::NoAnswer => ("No answer", "twice in a row"),
            Self::WrongAnswer => ("Wrong answer", "not as expected"),
            Self::TestSet => ("Test set", "card damaged"),
            Self::LampDark => ("Lamp dark", "does not light"),
            Self::WrongColour => ("Wrong colour", "of a lamp"),
            Self::CardSeen => ("Card is seen", "from a seat"),
            Self::Stuck => ("Stuck", "does not let go"),
            Self::DisplayDiffers => ("Display differs", "from this page"),
            Self::ManyUnread => ("Many unread", "more than usual"),
            Self::SomethingElse => ("Something else", "tell technician"),
        }
    }

    /// What the fault book calls it at this step, where it knows it.
    pub(crate) const fn fault(self, step: Step) -> Option<FaultCode> {
        let part = match step {
            Step::Seals
            | Step::Housing
            | Step::Identity
            | Step::TestCards
            | Step::Lamps
            | Step::View
            | Step::Counters
            | Step::Signature => Part::Reader,
            Step::LockOut => Part::LockOut,
            Step::Positions => Part::Sensor,
            Step::Shuffler => Part::Shuffler,
        };
        let number = match (self, part) {
            (Self::LensDirty | Self::ManyUnread, Part::Reader) => 101,
            (Self::LampDark, Part::Reader) => 102,
            (Self::ForeignThing, Part::Reader) => 103,
            (Self::SealBroken, Part::Reader) => 105,
            (Self::OtherUnit, Part::Reader) => 22,
            (Self::NoAnswer, Part::Reader | Part::Shuffler) => 12,
            (Self::NoAnswer, Part::LockOut | Part::Sensor) => 2,
            (Self::Stuck, Part::LockOut | Part::Sensor) => 101,
            (Self::LampDark, Part::Sensor) => return Some(FaultCode { part: Part::Lamp, number: 2 }),
            (
                Self::SealBroken
                | Self::OtherNumber
                | Self::Damaged
                | Self::ForeignThing
                | Self::LensDirty
                | Self::OtherUnit
                | Self::NoAnswer
                | Self::WrongAnswer
                | Self::TestSet
                | Self::LampDark
                | Self::WrongColour
                | Self::CardSeen
                | Self::Stuck
                | Self::DisplayDiffers
                | Self::ManyUnread
                | Self::SomethingElse,
                _,
            ) => return None,
        };
        Some(FaultCode { part, number })
    }
}

impl Controller {
    /// The fault code of a reason, else the clause that asks for the inspection or that speaks of a reader that is wrong.
    pub(crate) fn cite_reason(&self, step: Step, reason: FailReason) -> String {
        match reason.fault(step) {
            Some(code) => code.to_string(),
            None if reason == FailReason::WrongAnswer => self.cite(Point::ReaderMalfunction),
            None => self.cite(Point::ReaderInspection),
        }
    }

    pub(crate) fn reason_views(&self, step: Step) -> Vec<ReasonView> {
        let view = |reason: &FailReason| {
            let (label, note) = reason.label();
            ReasonView { word: reason.word(), label, note, source: self.cite_reason(step, *reason) }
        };
        FailReason::of(step).iter().map(view).collect()
    }
}

#[cfg(test)]
mod tests {
    use operator_api::fault_book::explain;

    use super::*;

    #[test]
    fn every_step_can_fail_for_a_few_reasons_and_their_codes_are_in_the_book() {
        for step in Step::ALL {
            let reasons = FailReason::of(step);
            assert!(reasons.len() <= 6, "{step:?}");
            assert_eq!(reasons.last().copied(), (step != Step::Signature).then_some(FailReason::SomethingElse));
            for reason in reasons {
                assert!(reason.fault(step).is_none_or(|code| explain(code).is_some()), "{step:?} {reason:?}");
            }
        }
        for reason in FailReason::ALL {
            assert!(Step::ALL.iter().any(|step| FailReason::of(*step).contains(&reason)), "{reason:?}");
            assert_eq!(serde_json::to_value(reason).unwrap(), reason.word());
        }
    }
}
