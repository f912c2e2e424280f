//! Who may do what: the one table of everything that can be asked of a table.
//!
//! Controller, daemon, screen and console read it here and keep no lists of their own. Every row fills every column;
//! a new word of the rules or a new action does not compile before it has its row. `docs/security/roles.md` is printed
//! from it.

mod document;
mod kind;
mod rows;

pub use document::roles_document;
pub use kind::{ActKind, Circumstances, WordsError};

use serde::Serialize;
use serde::ser::{SerializeStruct, Serializer};

use crate::action::Role;

/// What one kind of act asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Permission {
    pub who: Who,
    /// The person gives their PIN for this very act; an open visit is not enough.
    pub signature: bool,
    /// Another person signs too, in one of these roles.
    pub second: Option<&'static [Role]>,
    pub place: ScreenPlace,
}

/// Who may do it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Who {
    /// A key of the dealer's screen: the dealer who is signed in, unnamed, or somebody who may deal, by name.
    DealerKey,
    /// Somebody in one of these roles, by name.
    Named(&'static [Role]),
    /// A device or the clock says it; nobody says it in its place.
    Device,
}

/// Everybody who may stand behind the table.
pub(crate) const DEALS: &[Role] = &[Role::Dealer, Role::Floorperson, Role::Manager];

impl Who {
    /// The roles that cover it; nobody's where a device speaks.
    pub const fn roles(self) -> &'static [Role] {
        match self {
            Self::DealerKey => DEALS,
            Self::Named(roles) => roles,
            Self::Device => &[],
        }
    }
}

/// Where the dealer's screen has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ScreenPlace {
    /// The amber button: what does the order.
    Amber,
    /// A slot beside the amber button.
    Beside,
    SlotA,
    SlotB,
    SlotC,
    SlotD,
    SlotE,
    /// A tap on the seat, or the seat's own sheet.
    Seat,
    /// The tool for irregularities.
    Problem,
    /// The tool that takes back.
    Undo,
    /// The change of dealers.
    Relief,
    // The pages of a visit.
    Floor,
    Approval,
    Alerts,
    Inspection,
    Opening,
    Closing,
    Meters,
    Devices,
    /// Not on the screen: a device says it.
    Nowhere,
}

impl ScreenPlace {
    pub const fn word(self) -> &'static str {
        match self {
            Self::Amber => "amber",
            Self::Beside => "beside",
            Self::SlotA => "slot-a",
            Self::SlotB => "slot-b",
            Self::SlotC => "slot-c",
            Self::SlotD => "slot-d",
            Self::SlotE => "slot-e",
            Self::Seat => "seat",
            Self::Problem => "problem",
            Self::Undo => "undo",
            Self::Relief => "relief",
            Self::Floor => "floor",
            Self::Approval => "approval",
            Self::Alerts => "alerts",
            Self::Inspection => "inspection",
            Self::Opening => "opening",
            Self::Closing => "closing",
            Self::Meters => "meters",
            Self::Devices => "devices",
            Self::Nowhere => "nowhere",
        }
    }
}

/// `roles`, `signature`, `second` where there is one, `place`.
impl Serialize for Permission {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut form = serializer.serialize_struct("Permission", 3 + usize::from(self.second.is_some()))?;
        form.serialize_field("roles", self.who.roles())?;
        form.serialize_field("signature", &self.signature)?;
        match self.second {
            Some(second) => form.serialize_field("second", second)?,
            None => form.skip_field("second")?,
        }
        form.serialize_field("place", &self.place)?;
        form.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_takes_two_people_is_signed_and_a_key_is_not() {
        for kind in ActKind::all() {
            let row = kind.permission();
            assert!(row.second.is_none() || row.signature, "{kind:?}");
            assert_eq!(row.who == Who::Device, row.place == ScreenPlace::Nowhere, "{kind:?}");
            if matches!(row.who, Who::DealerKey | Who::Device) {
                assert!(!row.signature, "{kind:?}");
            }
            let visits = matches!(kind, ActKind::OpenVisit | ActKind::EndVisit);
            assert_eq!(row.who.roles().contains(&Role::Auditor), visits, "an auditor changes nothing: {kind:?}");
        }
    }

    #[test]
    fn a_technician_never_says_anything_about_money_or_hands() {
        use ActKind::{
            Acknowledge, AcknowledgeAll, Clear, CloseWorkOrder, EndVisit, EnterService, LeaveService, OpenVisit,
            OpenWorkOrder, PairDevice, ReplaceReader, TestDevice,
        };
        let may = |kind: &ActKind| kind.permission().who.roles().contains(&Role::Technician);
        let list: Vec<ActKind> = ActKind::all().filter(may).collect();
        let expected = [
            Acknowledge,
            AcknowledgeAll,
            Clear,
            EnterService,
            LeaveService,
            TestDevice,
            ReplaceReader,
            PairDevice,
            OpenWorkOrder,
            CloseWorkOrder,
            OpenVisit,
            EndVisit,
        ];
        assert_eq!(list, expected);
    }

    #[test]
    fn a_permission_is_written_flat() {
        let json = |kind: ActKind| serde_json::to_value(kind.permission()).unwrap();
        assert_eq!(
            json(ActKind::Word(table_rules::input::InputKind::Stand)),
            serde_json::json!({
                "roles": ["dealer", "floorperson", "manager"], "signature": false, "place": "slot-e"
            })
        );
        assert_eq!(
            json(ActKind::CorrectMeter),
            serde_json::json!({
                "roles": ["manager"], "signature": true, "second": ["floorperson", "manager"], "place": "meters"
            })
        );
    }
}
