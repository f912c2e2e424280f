//! A remedy names no command that the console does not have: the table of commands decides.

use operator_api::fault_book::{codes, explain};
use tech_console::commands::FAMILIES;

/// The words of a command as the table has them; what stands behind them is its argument.
fn is_command(said: &str) -> bool {
    let mut words = said.split(' ');
    let Some(family) = FAMILIES.iter().find(|family| Some(family.word) == words.clone().next()) else { return false };
    let then = words.nth(1).unwrap_or_default();
    family.commands.iter().any(|command| command.then == then || command.then.is_empty())
}

#[test]
fn every_remedy_names_commands_of_the_table() {
    let mut named = 0;
    for code in codes() {
        let Some(text) = explain(code) else { panic!("{code} is in no book") };
        for command in text.remedy.split('`').skip(1).step_by(2) {
            assert!(is_command(command), "{code}: `{command}` is no command of the console");
            named += 1;
        }
    }
    assert!(named > 20, "remedies name commands");
    for not in ["i2c", "i2c look", "log erase", "sensor look", "stauts"] {
        assert!(!is_command(not), "{not}");
    }
}
