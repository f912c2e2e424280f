//! The table itself: one line a kind, every column filled.

use table_rules::input::InputKind as K;

use super::kind::ActKind;
use super::{DEALS, Permission, ScreenPlace as P, Who};
use crate::action::Role;

const IN_CHARGE: &[Role] = &[Role::Floorperson, Role::Manager];
const MANAGER: &[Role] = &[Role::Manager];
const TECHNICIAN: &[Role] = &[Role::Technician];
const VISITS: &[Role] = &[Role::Floorperson, Role::Manager, Role::Technician, Role::Auditor];
const SEES_ALERTS: &[Role] = &[Role::Floorperson, Role::Manager, Role::Technician];

/// The dealer's own: no name, no PIN, nobody else.
const fn key(place: P) -> Permission {
    Permission { who: Who::DealerKey, signature: false, second: None, place }
}

/// By name, in a visit: no PIN for the act, nobody else.
const fn named(roles: &'static [Role], place: P) -> Permission {
    Permission { who: Who::Named(roles), signature: false, second: None, place }
}

/// With the PIN for this very act; nobody else.
const fn signed(roles: &'static [Role], place: P) -> Permission {
    Permission { who: Who::Named(roles), signature: true, second: None, place }
}

/// With the PIN for this very act, and another person's.
const fn signed_by_two(roles: &'static [Role], second: &'static [Role], place: P) -> Permission {
    Permission { who: Who::Named(roles), signature: true, second: Some(second), place }
}

/// A device says it.
const fn device() -> Permission {
    Permission { who: Who::Device, signature: false, second: None, place: P::Nowhere }
}

impl ActKind {
    pub const fn permission(self) -> Permission {
        match self {
            Self::Word(kind) => of_word(kind),
            Self::InspectByFloor => signed(IN_CHARGE, P::Opening),
            Self::ShufflerOutOfOrder => signed(IN_CHARGE, P::Problem),
            Self::ShuffleForDevice => signed(IN_CHARGE, P::Devices),
            Self::PeekForReader => device(),
            Self::SecondApproval => signed(IN_CHARGE, P::Approval),
            Self::Words => key(P::Amber),
            Self::Reveal => key(P::Amber),
            Self::TurnUp => key(P::Amber),
            Self::FaceDown => key(P::Beside),
            Self::ChipCount => key(P::Beside),
            Self::SignIn => signed(DEALS, P::Relief),
            Self::SignOut => key(P::Relief),
            Self::Acknowledge => named(SEES_ALERTS, P::Alerts),
            Self::AcknowledgeAll => named(SEES_ALERTS, P::Alerts),
            Self::Clear => signed(SEES_ALERTS, P::Alerts),
            Self::BeginInspection => named(IN_CHARGE, P::Inspection),
            Self::AnswerInspection => named(IN_CHARGE, P::Inspection),
            Self::SignInspection => signed(IN_CHARGE, P::Inspection),
            Self::PauseInspection => named(IN_CHARGE, P::Inspection),
            Self::EnterService => signed(TECHNICIAN, P::Devices),
            Self::LeaveService => signed(TECHNICIAN, P::Devices),
            Self::TestDevice => signed(TECHNICIAN, P::Devices),
            Self::ConfirmClock => signed(IN_CHARGE, P::Floor),
            Self::ConfirmSteppedClock => signed_by_two(IN_CHARGE, IN_CHARGE, P::Floor),
            Self::CorrectMeter => signed_by_two(MANAGER, IN_CHARGE, P::Meters),
            Self::ReplaceReader => signed_by_two(TECHNICIAN, IN_CHARGE, P::Devices),
            Self::PairDevice => signed_by_two(TECHNICIAN, IN_CHARGE, P::Devices),
            Self::SettledByHand => signed(IN_CHARGE, P::Floor),
            Self::AcceptJournal => signed_by_two(MANAGER, IN_CHARGE, P::Floor),
            Self::OpenWorkOrder => named(SEES_ALERTS, P::Devices),
            // Whoever closes one says that a device is in order.
            Self::CloseWorkOrder => signed(TECHNICIAN, P::Devices),
            Self::CallFloor => key(P::Floor),
            Self::OpenVisit => signed(VISITS, P::Floor),
            Self::EndVisit => named(VISITS, P::Floor),
        }
    }
}

const fn of_word(kind: K) -> Permission {
    match kind {
        K::Link => key(P::Seat),
        K::Wager => key(P::Seat),
        K::Unwager => key(P::Seat),
        K::Cash => key(P::Seat),
        K::Lock => key(P::Amber),
        K::Late => key(P::Problem),
        // The new dealer's own PIN: nobody is relieved by a tap.
        K::DealerChange => signed(DEALS, P::Relief),
        K::Open => signed(IN_CHARGE, P::Opening),
        K::Close => signed(IN_CHARGE, P::Closing),
        K::Decks => key(P::Amber),
        K::Inspect => key(P::Amber),
        K::Spread => key(P::Amber),
        K::Wash => key(P::Amber),
        K::Shuffle => key(P::Amber),
        K::CutRefused => key(P::Beside),
        K::Cut => key(P::Amber),
        K::PlaceCover => key(P::Amber),
        K::Load => key(P::Amber),
        K::Idle => key(P::Beside),
        K::At => device(),
        K::FloorReshuffle => signed(IN_CHARGE, P::Floor),
        K::FloorRecut => signed(IN_CHARGE, P::Floor),
        K::ShufflerRepaired => signed(IN_CHARGE, P::Devices),
        K::Permit => signed(IN_CHARGE, P::Floor),
        K::Irregularity => key(P::Problem),
        K::Accept => key(P::Amber),
        K::Refuse => key(P::Beside),
        K::Card => key(P::Amber),
        K::Burn => key(P::Amber),
        K::Cover => key(P::Beside),
        K::Reveal => key(P::Amber),
        K::Turn => key(P::Amber),
        K::Insure => key(P::Seat),
        K::EvenMoney => key(P::Seat),
        K::InsuranceClosed => key(P::Amber),
        K::Peek => key(P::Amber),
        K::ReaderRepaired => signed(IN_CHARGE, P::Devices),
        K::Hit => key(P::SlotD),
        K::Stand => key(P::SlotE),
        K::Double => key(P::SlotC),
        K::Redouble => key(P::SlotC),
        K::Split => key(P::SlotB),
        K::Switch => key(P::SlotB),
        K::Surrender => key(P::SlotA),
        K::Rescue => key(P::SlotA),
        K::Seat => key(P::Seat),
        K::Amount => key(P::Seat),
        K::Wheel => key(P::Amber),
        K::Draw => key(P::Amber),
        K::Up => key(P::Amber),
        K::Next => key(P::Amber),
        K::SeatBlackjack => key(P::Seat),
        K::SeatSurrender => key(P::Seat),
        K::Claim => key(P::Seat),
        K::Paid => key(P::Amber),
        K::Collected => key(P::Amber),
        K::Settled => key(P::Beside),
        K::FloorApprove => signed(IN_CHARGE, P::Approval),
        K::ManagerApprove => signed(MANAGER, P::Approval),
        K::FloorVoid => signed(IN_CHARGE, P::Floor),
        K::Payments => signed(IN_CHARGE, P::Floor),
        // It keeps money from a player: never one person's word (H28).
        K::Reject => signed_by_two(IN_CHARGE, IN_CHARGE, P::Approval),
        K::Undo => key(P::Undo),
        K::Correct => signed(IN_CHARGE, P::Floor),
    }
}
