//! Each way in which a table can be wrong is found.

use table_rules::game::Game;

use crate::evidence::Evidence;
use crate::findings::Tables;
use crate::pinned_ids;

/// The real tables with the line of this clause changed.
fn with_line(game: Game, id: &str, change: impl Fn(Vec<&str>) -> Vec<String>) -> Tables {
    let mut tables = Tables::read();
    let (_, text) = tables.0.iter_mut().find(|(of, _)| *of == game).unwrap();
    let mut changed = 0;
    let lines: Vec<String> = text
        .lines()
        .flat_map(|line| {
            let fields: Vec<&str> = line.split('\t').collect();
            if fields[0] != id {
                return vec![line.to_owned()];
            }
            changed += 1;
            change(fields)
        })
        .collect();
    assert_eq!(changed, 1, "{game} {id}");
    *text = lines.join("\n");
    tables
}

fn with_field(id: &str, field: usize, value: &str) -> Tables {
    with_line(Game::Spanish21, id, |fields| {
        let mut fields: Vec<String> = fields.into_iter().map(ToOwned::to_owned).collect();
        value.clone_into(&mut fields[field]);
        vec![fields.join("\t")]
    })
}

#[track_caller]
fn finds(found: &[String], expected: &str) {
    assert!(found.iter().any(|finding| finding.contains(expected)), "{expected} is not in {found:?}");
}

#[test]
fn a_missing_an_unknown_a_double_and_a_misplaced_id() {
    let ids = pinned_ids();
    finds(&with_line(Game::Spanish21, "7.M", |_| vec![]).of_ids(&ids), "missing 7.M");
    finds(&with_field("7.M", 0, "7.Z").of_ids(&ids), "unknown 7.Z");
    let twice = with_line(Game::Pontoon21, "13.S", |fields| vec![fields.join("\t"), fields.join("\t")]);
    finds(&twice.of_ids(&ids), "more rows than clauses");
    let twice = with_line(Game::Pontoon21, "7.M", |fields| vec![fields.join("\t"), fields.join("\t")]);
    finds(&twice.of_ids(&ids), "7.M stands where 7.N belongs");
}

#[test]
fn an_unknown_status_and_a_missing_column() {
    let ids = pinned_ids();
    finds(&with_field("7.M", 1, "done").of_ids(&ids), "not a clause: 7.M\tdone");
    finds(&with_line(Game::Spanish21, "7.M", |fields| vec![fields[..4].join("\t")]).of_ids(&ids), "not a clause");
    finds(&with_field("7.M", 2, "").of_ids(&ids), "not a clause");
}

#[test]
fn a_file_that_does_not_exist_and_a_clause_without_a_reason() {
    finds(&with_field("7.M", 3, "engine/nowhere.rs").of_files(), "7.M: no file engine/nowhere.rs");
    finds(&with_field("7.M", 3, "-").of_files(), "7.M: no file -");
    finds(&with_field("7.M", 1, "physical").of_files(), "7.M: physical needs a reason");
    finds(&with_field("2.G", 2, "A discard rack").of_files(), "2.G: physical needs a reason");
}

#[test]
fn a_scenario_that_does_not_exist_or_does_not_cite_the_clause() {
    let evidence = Evidence::gather();
    finds(&with_field("7.M", 4, "round/nowhere.round").of_evidence(&evidence), "round/nowhere.round does not cite it");
    finds(&with_field("7.M", 4, "round/even-money.round").of_evidence(&evidence), "does not cite it");
    finds(&with_field("7.M", 4, "?").of_evidence(&evidence), "7.M: nothing shows it");
    finds(&with_field("7.M", 4, "-").of_evidence(&evidence), "7.M: nothing shows it");
}

#[test]
fn a_clause_that_is_called_open_although_a_round_shows_it() {
    finds(&with_field("7.M", 1, "open").of_open(&Evidence::gather()), "spanish-21 7.M: ");
}

#[test]
fn a_figure_looked_for_in_another_paytable() {
    let elsewhere = with_field("12.A(4)(a)(i)", 3, "paytables/super-4.paytable");
    finds(&elsewhere.of_paytables(&Evidence::gather()), "match-the-dealer.paytable");
}
