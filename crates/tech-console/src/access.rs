//! Who may what, in which mode. A prompt is a picture and never a permission: this is asked when Enter is pressed.

use std::fmt;

use operator_api::{PersonId, Role};

use crate::command::{Command, Needs, WithoutDaemon};

/// What the prompt says of the table; the first that holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// The unit is not active.
    Down,
    /// The unit is active and nothing has answered in time.
    Mute,
    /// Closed mode, or a round of another version.
    Faulted,
    /// A round is open.
    Round,
    Service,
    Inspection,
    /// Something stops the next round.
    Closed,
    /// The next round may be dealt.
    Open,
}

impl Mode {
    pub const ALL: [Self; 8] =
        [Self::Down, Self::Mute, Self::Faulted, Self::Round, Self::Service, Self::Inspection, Self::Closed, Self::Open];

    pub const fn word(self) -> &'static str {
        match self {
            Self::Down => "down",
            Self::Mute => "mute",
            Self::Faulted => "faulted",
            Self::Round => "round",
            Self::Service => "service",
            Self::Inspection => "inspection",
            Self::Closed => "closed",
            Self::Open => "open",
        }
    }

    /// Whether the daemon answers.
    pub const fn is_up(self) -> bool {
        match self {
            Self::Down | Self::Mute => false,
            Self::Faulted | Self::Round | Self::Service | Self::Inspection | Self::Closed | Self::Open => true,
        }
    }
}

/// How far somebody got in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    Person {
        number: PersonId,
        role: Role,
    },
    /// Nobody's PIN can be checked: a few words that look.
    Rung,
}

/// What holds at the table now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Situation {
    pub mode: Mode,
    /// Unknown counts as open.
    pub round_open: bool,
    pub in_service: bool,
}

/// Role or state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    NotYou,
    NotNow,
}

impl Refusal {
    pub const fn words(self) -> &'static str {
        match self {
            Self::NotYou => "not you",
            Self::NotNow => "not now",
        }
    }
}

/// Why a command is not carried out, with the code behind it and the next step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotAllowed {
    pub kind: Refusal,
    pub reason: String,
    pub code: Option<&'static str>,
    pub next: String,
}

impl fmt::Display for NotAllowed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind.words(), self.reason)?;
        if let Some(code) = self.code {
            write!(f, " [{code}]")?;
        }
        if !self.next.is_empty() {
            write!(f, ": {}", self.next)?;
        }
        Ok(())
    }
}

/// The controller's codes that stand behind refusals.
const WHO_MAY: &str = "TC-005";
const TWO_PEOPLE: &str = "TC-006";
const SERVICE: &str = "TC-008";

/// Whether this person may say this now.
pub fn check(command: &Command, access: Access, now: Situation) -> Result<(), NotAllowed> {
    match access {
        Access::Rung if !command.on_rung => {
            return Err(NotAllowed {
                kind: Refusal::NotYou,
                reason: "nobody's PIN can be checked: status why disk ver, unit status".to_owned(),
                code: Some(WHO_MAY),
                next: String::new(),
            });
        }
        Access::Person { role, .. } if !command.who.contains(&role) => return Err(not_you(command)),
        Access::Person { .. } | Access::Rung => {}
    }
    if command.without_daemon == WithoutDaemon::No && !now.mode.is_up() {
        return Err(NotAllowed {
            kind: Refusal::NotNow,
            reason: format!("{} needs the daemon, which is {}", command.name(), now.mode.word()),
            code: None,
            next: "look: unit status".to_owned(),
        });
    }
    let fits = match command.needs {
        Needs::Nothing => true,
        Needs::Service => now.in_service,
        Needs::ServiceOrDown => now.in_service || now.mode == Mode::Down,
    };
    if !fits {
        return Err(NotAllowed {
            kind: Refusal::NotNow,
            reason: format!("{} needs service mode", command.name()),
            code: Some(SERVICE),
            next: "type service enter".to_owned(),
        });
    }
    Ok(())
}

fn not_you(command: &Command) -> NotAllowed {
    let second = match command.second.roles() {
        [] => String::new(),
        roles => format!(" and {}", one_of(roles)),
    };
    let code = if second.is_empty() { WHO_MAY } else { TWO_PEOPLE };
    let reason = format!("{} takes {}{second}", command.name(), one_of(command.who));
    NotAllowed { kind: Refusal::NotYou, reason, code: Some(code), next: String::new() }
}

/// `a technician`, `a floorperson or a manager`.
pub fn one_of(roles: &[Role]) -> String {
    let with_article = |role: &Role| {
        let article = if *role == Role::Auditor { "an" } else { "a" };
        format!("{article} {}", role.word())
    };
    roles.iter().map(with_article).collect::<Vec<_>>().join(" or ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::Id;
    use crate::commands;

    fn person(role: Role) -> Access {
        Access::Person { number: PersonId(1), role }
    }

    fn situation(mode: Mode) -> Situation {
        Situation { mode, round_open: mode == Mode::Round, in_service: mode == Mode::Service }
    }

    /// The direction's own table, typed once more: T technician, M manager, F floorperson, A auditor, R the rung; D without
    /// the daemon; S in service mode.
    const MATRIX: &[(&str, &str)] = &[
        ("status", "TMFARD"),
        ("why", "TMFARD"),
        ("disk", "TMFARD"),
        ("ver", "TMFARD"),
        ("unit status", "TMFARD"),
        ("health", "TMFAD"),
        ("clock", "TMFAD"),
        ("who", "TMFAD"),
        ("help", "TMFARD"),
        ("exit", "TMFARD"),
        ("dev list", "TMFAD"),
        ("dev show", "TMFAD"),
        ("err", "TMFA"),
        ("ports", "TMFAD"),
        ("mon raw", "TD"),
        ("mon frame", "TD"),
        ("mon event", "TD"),
        ("loop", "TDS"),
        ("gpio", "TD"),
        ("gpio watch", "T"),
        ("i2c scan", "TD"),
        ("log tail", "TMFAD"),
        ("log find", "TMFAD"),
        ("log export", "TAD"),
        ("recall", "TMFAD"),
        ("meters", "TMFA"),
        ("work list", "TMFA"),
        ("work close", "T"),
        ("err clear", "T"),
        ("config show", "TMAD"),
        ("config diff", "TMAD"),
        ("config check", "TMAD"),
        ("config paste", "TD"),
        ("config stage", "TD"),
        ("unit restart", "TD"),
        ("unit reset-failed", "TD"),
        ("service enter", "T"),
        ("service leave", "T"),
        ("sensor raw", "TS"),
        ("sensor cal", "TS"),
        ("lamp test", "TS"),
        ("reader test", "TS"),
        ("shuffler query", "T"),
        ("shoe query", "T"),
        ("selftest", "TS"),
    ];

    #[test]
    fn the_matrix_of_every_command_by_every_role_and_mode() {
        for command in commands::all() {
            let name = command.name();
            let row = MATRIX.iter().find(|(known, _)| *known == name);
            let letters = row.unwrap_or_else(|| panic!("{name} is not in the matrix")).1;
            let has = |letter: char| letters.contains(letter);
            for mode in Mode::ALL {
                let up = mode.is_up();
                // Service mode, or no daemon at all where that will do.
                let in_service = !has('S') || mode == Mode::Service || (has('D') && mode == Mode::Down);
                let stands = (up || has('D')) && in_service;
                let roles = [
                    (Role::Technician, 'T'),
                    (Role::Manager, 'M'),
                    (Role::Floorperson, 'F'),
                    (Role::Auditor, 'A'),
                    (Role::Dealer, '-'),
                ];
                for (role, letter) in roles {
                    let allowed = check(command, person(role), situation(mode)).is_ok();
                    assert_eq!(allowed, has(letter) && stands, "{name}, {}, {}", role.word(), mode.word());
                }
                let on_rung = check(command, Access::Rung, situation(mode)).is_ok();
                assert_eq!(on_rung, has('R'), "{name} on the rung, {}", mode.word());
            }
        }
        assert_eq!(MATRIX.len(), commands::all().count());
    }

    #[test]
    fn a_refusal_names_who_may_and_cites_its_code() {
        let stage = commands::find(Id::ConfigStage).unwrap();
        let said = check(stage, person(Role::Floorperson), situation(Mode::Closed)).unwrap_err().to_string();
        assert_eq!(said, "not you: config stage takes a technician and a manager [TC-006]");
        let gpio = commands::find(Id::Gpio).unwrap();
        let said = check(gpio, person(Role::Auditor), situation(Mode::Closed)).unwrap_err().to_string();
        assert_eq!(said, "not you: gpio takes a technician [TC-005]");
        let meters = commands::find(Id::Meters).unwrap();
        let said = check(meters, person(Role::Auditor), situation(Mode::Down)).unwrap_err().to_string();
        assert_eq!(said, "not now: meters needs the daemon, which is down: look: unit status");
        let lamps = commands::find(Id::LampTest).unwrap();
        let said = check(lamps, person(Role::Technician), situation(Mode::Closed)).unwrap_err().to_string();
        assert_eq!(said, "not now: lamp test needs service mode [TC-008]: type service enter");
    }
}
