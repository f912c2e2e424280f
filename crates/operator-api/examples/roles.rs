//! Prints `docs/security/roles.md`.

fn main() {
    print!("{}", operator_api::roles_document());
}
