//! `help`: the words, and what one of them does.

use crate::access::one_of;
use crate::command::{Command, Group, Manner, Needs, WithoutDaemon};
use crate::commands::FAMILIES;

/// The words of the console, in their groups.
pub fn help() -> Vec<String> {
    let words = |group: Group| {
        let words: Vec<&str> =
            FAMILIES.iter().filter(|family| family.group == group).map(|family| family.word).collect();
        words.join(" ")
    };
    let group = |group: Group| format!("{:<7} {}", group.word(), words(group));
    let inline = |group: Group| format!("{} {}", group.word(), words(group));
    vec![
        group(Group::Look),
        format!("{}     {}", group(Group::Tests), inline(Group::Session)),
        format!("{}     {}     help CMD", group(Group::Records), inline(Group::Change)),
    ]
}

/// One family: usage, who, needs, and what it is for.
pub fn help_of(word: &str) -> Vec<String> {
    let Some(family) = FAMILIES.iter().find(|family| family.word == word) else { return Vec::new() };
    let first = &family.commands[0];
    let mut facts = vec![match first.who {
        [role] => role.word().to_owned(),
        roles if roles.len() == 4 => "everybody but dealers".to_owned(),
        roles => one_of(roles),
    }];
    let all = |holds: &dyn Fn(&Command) -> bool| family.commands.iter().all(holds);
    if all(&|command| command.without_daemon != WithoutDaemon::No) {
        facts.push("works without the daemon".to_owned());
    } else if all(&|command| command.without_daemon == WithoutDaemon::No) {
        facts.push("needs the daemon".to_owned());
    }
    if all(&|command| command.needs == Needs::Service) {
        facts.push("in service mode".to_owned());
    }
    if all(&|command| command.manner == Manner::Stream) {
        facts.push("a stream".to_owned());
    }
    let mut lines = crate::text::ends(family.usage, &facts.join("; "));
    lines.extend(crate::text::wrap("", 0, family.help));
    let example = format!("   example: {}", family.example);
    match lines.last_mut() {
        Some(last) if last.len() + example.len() <= crate::text::COLUMNS => last.push_str(&example),
        Some(_) | None => lines.push(example.trim_start().to_owned()),
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_has_every_word_and_fits_the_terminal() {
        let help = help();
        assert_eq!(help[0], "look    status why dev mon ports gpio i2c err disk health clock ver who");
        assert_eq!(help[1], "tests   loop sensor lamp reader shuffler shoe selftest     session help exit");
        let text = help.join(" ");
        for family in FAMILIES {
            assert!(text.split(' ').any(|word| word == family.word), "{}", family.word);
            for line in help_of(family.word) {
                assert!(line.len() <= 80 && line.is_ascii(), "{line}");
            }
        }
        assert!(help.iter().all(|line| line.len() <= 80), "{help:?}");
        assert_eq!(
            help_of("mon"),
            [
                "mon raw|frame|event DEVICE       technician; works without the daemon; a stream",
                "The first rung that fails names the part. No raw: cable or supply; no frame:",
                "speed or ground; no event: wrong device or firmware.   example: mon raw reader",
            ]
        );
    }
}
