//! The table in words, for `docs/security/roles.md`.

use std::fmt::Write;

use super::{ActKind, ScreenPlace, Who};
use crate::action::Role;

const HEAD: &str = "\
# Who may do what

Printed from the one table in `crates/operator-api/src/permission/rows.rs`, which the controller, the daemon and the screens
read; a test compares this page with it. Print it anew with `cargo run -p operator-api --example roles > docs/security/roles.md`.

- **key**: a key of the dealer's screen. It needs no PIN while a dealer is signed in; without one, a dealer, floorperson or manager
  gives a PIN.
- **visit**: somebody in that role, in an open visit or with a PIN.
- **PIN**: a signature. The PIN is given for this very act; an open visit is not enough.
- **device**: a device or the clock says it, and nobody in its place.
- **second**: another person, with another number, signs too.

An auditor reads everything in a visit and does nothing else of this. A technician appears nowhere near money or a hand.

| act | dealer | floorperson | manager | technician | auditor | second | place on the screen |
|---|---|---|---|---|---|---|---|
";

/// The whole page.
pub fn roles_document() -> String {
    let mut text = HEAD.to_owned();
    for kind in ActKind::all() {
        let row = kind.permission();
        let cell = |role: Role| match row.who {
            _ if !row.who.roles().contains(&role) => "-",
            Who::DealerKey => "key",
            Who::Named(_) if row.signature => "PIN",
            Who::Named(_) | Who::Device => "visit",
        };
        let cells: Vec<&str> = Role::ALL.into_iter().map(cell).collect();
        let second = match row.second {
            Some(roles) => roles.iter().map(|role| role.word()).collect::<Vec<_>>().join(" or "),
            None => "-".to_owned(),
        };
        let place = if row.place == ScreenPlace::Nowhere { "none: device" } else { row.place.word() };
        // Writing to a String does not fail.
        let _ = writeln!(text, "| `{}` | {} | {second} | {place} |", kind.word(), cells.join(" | "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_the_table() {
        let page = include_str!("../../../../docs/security/roles.md");
        assert_eq!(page, roles_document(), "print it anew, see its head");
        assert_eq!(page.matches("\n| `").count(), ActKind::all().count());
    }
}
