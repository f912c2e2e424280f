//! Who may say what. The daemon has verified who somebody is; here the one table of permissions is asked what that
//! allows.

use operator_api::{ActKind, Action, Circumstances, Role, Who};
use table_rules::source::Point;
use table_rules::text::Capital;

use crate::codes::Code;
use crate::controller::Controller;
use crate::day::Doubt;
use crate::input::{PersonInput, Staff};

/// A request that is not carried out. Nothing has changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refused {
    pub reason: String,
    /// A clause, a reading or a code.
    pub source: String,
}

impl Refused {
    pub(crate) fn by(code: Code, reason: impl Into<String>) -> Self {
        Self { reason: Capital(reason.into()).to_string(), source: code.to_string() }
    }
}

impl From<table_rules::Refusal> for Refused {
    fn from(refusal: table_rules::Refusal) -> Self {
        Self { reason: refusal.reason.to_string(), source: refusal.source.to_string() }
    }
}

impl Controller {
    /// What the permission of a request depends on here.
    pub(crate) fn circumstances(&self) -> Circumstances {
        Circumstances {
            reader: self.config.has_reader,
            shuffler: self.config.has_shuffler,
            clock_stepped: self.state.day.doubt == Some(Doubt::Stepped),
            ..Circumstances::of(&self.engine)
        }
    }

    /// The row of the table that this belongs to as things stand; refused where its words say nothing.
    pub fn act_kind(&self, action: &Action) -> Result<ActKind, Refused> {
        let kind = ActKind::of_action(action, &self.circumstances());
        kind.map_err(|error| Refused::by(Code::NothingThere, error.to_string()))
    }

    /// Whether these people may ask for it: the roles, somebody at the table, and the second person.
    pub(crate) fn permit(&self, person: &PersonInput) -> Result<(), Refused> {
        let kind = self.act_kind(&person.action)?;
        let row = kind.permission();
        match row.who {
            Who::Device if kind == ActKind::PeekForReader => {
                let reason = "The reader answers: there is no peeking by hand".to_owned();
                return Err(Refused { reason, source: self.cite(Point::ReaderMalfunction) });
            }
            Who::Device => return Err(Refused::by(Code::WhoMayAct, "the clock tells the time")),
            Who::DealerKey if person.by.is_none() && self.state.signed_in.is_none() => {
                return Err(Refused::by(Code::NobodySignedIn, "no dealer has signed in at this table"));
            }
            Who::DealerKey if person.by.is_none() => {}
            Who::DealerKey | Who::Named(_) => covers(person.by, row.who.roles())?,
        }
        match row.second {
            Some(roles) => second(person, roles).map(drop),
            None => Ok(()),
        }
    }
}

/// Whether this person's role is one of those asked for.
fn covers(by: Option<Staff>, roles: &[Role]) -> Result<(), Refused> {
    match by {
        Some(staff) if roles.contains(&staff.role) => Ok(()),
        Some(staff) => {
            let reason = format!("{} may not do this; it takes {}", staff.role.with_article(), list(roles));
            Err(Refused::by(Code::WhoMayAct, reason))
        }
        None => Err(Refused::by(Code::WhoMayAct, format!("this takes {} with their PIN", list(roles)))),
    }
}

/// Two different people, the second in one of these roles.
fn second(person: &PersonInput, roles: &[Role]) -> Result<(Staff, Staff), Refused> {
    let (first, other) = both(person, roles)?;
    if first.id == other.id {
        return Err(Refused::by(Code::SecondPerson, "second person is the first one again"));
    }
    if !roles.contains(&other.role) {
        return Err(Refused::by(Code::SecondPerson, format!("second person must be {}", list(roles))));
    }
    Ok((first, other))
}

fn both(person: &PersonInput, roles: &[Role]) -> Result<(Staff, Staff), Refused> {
    let missing = || Refused::by(Code::SecondPerson, format!("this takes a second person: {}", list(roles)));
    person.by.zip(person.second).ok_or_else(missing)
}

/// The two people of an act that takes two; the permission has been checked.
pub(crate) fn two(person: &PersonInput) -> Result<(Staff, Staff), Refused> {
    both(person, &[])
}

fn list(roles: &[Role]) -> String {
    roles.iter().map(|role| role.with_article()).collect::<Vec<_>>().join(" or ")
}
