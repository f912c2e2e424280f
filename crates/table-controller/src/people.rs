//! Who may say what. The daemon has verified who somebody is; here it is decided what that allows.

use operator_api::{Action, Role};
use table_rules::input::{Input, InputKind, Inspection, KindSet};
use table_rules::prompt::Order;

use crate::codes::Code;
use crate::input::Staff;

/// A request that is not carried out. Nothing has changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refused {
    pub reason: String,
    /// A clause, a reading or a code.
    pub source: String,
}

impl Refused {
    pub(crate) fn by(code: Code, reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), source: code.to_string() }
    }
}

impl From<table_rules::Refusal> for Refused {
    fn from(refusal: table_rules::Refusal) -> Self {
        Self { reason: refusal.reason.to_string(), source: refusal.source.to_string() }
    }
}

/// Which roles an action asks for. Empty: whoever is at the dealer's screen.
const DEALER: &[Role] = &[];
const IN_CHARGE: &[Role] = &[Role::Floorperson, Role::Manager];
const MANAGER: &[Role] = &[Role::Manager];
const TECHNICIAN: &[Role] = &[Role::Technician];
const WHO_SEES_ALERTS: &[Role] = &[Role::Floorperson, Role::Manager, Role::Technician];

/// The roles that may ask for this; empty for the dealer's own keys.
pub fn required_role(action: &Action) -> &'static [Role] {
    match action {
        Action::Play { words } => match table_rules::script::parse_line(words) {
            Ok(Some(input)) => role_for_input(&input, false),
            Ok(None) | Err(_) => DEALER,
        },
        Action::Reveal | Action::TurnUp { .. } | Action::FaceDown | Action::ChipCount { .. } => DEALER,
        Action::InspectionAnswer { answer } if answer == "sign" => IN_CHARGE,
        Action::InspectionAnswer { .. } => DEALER,
        Action::SignIn => &[Role::Dealer, Role::Floorperson, Role::Manager],
        Action::SignOut => DEALER,
        Action::Acknowledge { .. } | Action::Clear { .. } => WHO_SEES_ALERTS,
        Action::BeginInspection { .. } | Action::PauseInspection | Action::SettledByHand { .. } => IN_CHARGE,
        Action::ConfirmClock => IN_CHARGE,
        Action::EnterService | Action::LeaveService | Action::ReplaceReader { .. } => TECHNICIAN,
        Action::CorrectMeter { .. } => MANAGER,
    }
}

/// `second_approval`: the line over the threshold waits for its second person, who may be another floorperson.
pub(crate) fn role_for_input(input: &Input, second_approval: bool) -> &'static [Role] {
    let kind = input.kind();
    if kind == InputKind::ManagerApprove {
        if second_approval { IN_CHARGE } else { MANAGER }
    } else if SAID_IN_CHARGE.contains(kind) || matches!(input, Input::Inspect(Inspection::Floor)) {
        IN_CHARGE
    } else {
        DEALER
    }
}

/// Words of the play script that only somebody in charge says.
const SAID_IN_CHARGE: KindSet = KindSet::EMPTY
    .with(InputKind::FloorApprove)
    .with(InputKind::FloorVoid)
    .with(InputKind::FloorReshuffle)
    .with(InputKind::FloorRecut)
    .with(InputKind::Correct)
    .with(InputKind::Permit)
    .with(InputKind::ReaderRepaired);

pub(crate) fn waits_for_second(order: &Order) -> bool {
    matches!(order, Order::ApproveLineSecond)
}

/// Whether this person's role covers one of those asked for.
pub(crate) fn covers(by: Option<Staff>, roles: &[Role]) -> Result<(), Refused> {
    if roles.is_empty() {
        return match by {
            Some(Staff { role: Role::Auditor | Role::Technician, .. }) => {
                Err(Refused::by(Code::WhoMayAct, "an auditor or technician does not deal"))
            }
            Some(Staff { role: Role::Dealer | Role::Floorperson | Role::Manager, .. }) | None => Ok(()),
        };
    }
    match by {
        Some(staff) if roles.contains(&staff.role) => Ok(()),
        Some(staff) => Err(Refused::by(
            Code::WhoMayAct,
            format!("a {} may not do this; it takes a {}", staff.role.word(), list(roles)),
        )),
        None => Err(Refused::by(Code::WhoMayAct, format!("this takes a {} with their PIN", list(roles)))),
    }
}

/// Two different people, the second in one of these roles.
pub(crate) fn second(by: Option<Staff>, second: Option<Staff>, roles: &[Role]) -> Result<(Staff, Staff), Refused> {
    let (Some(first), Some(other)) = (by, second) else {
        return Err(Refused::by(Code::SecondPerson, format!("this takes a second person: a {}", list(roles))));
    };
    if first.id == other.id {
        return Err(Refused::by(Code::SecondPerson, "the second person is the first one again"));
    }
    if !roles.contains(&other.role) {
        return Err(Refused::by(Code::SecondPerson, format!("the second person must be a {}", list(roles))));
    }
    Ok((first, other))
}

pub(crate) const SECOND_IN_CHARGE: &[Role] = IN_CHARGE;

fn list(roles: &[Role]) -> String {
    roles.iter().map(|role| role.word()).collect::<Vec<_>>().join(" or ")
}
