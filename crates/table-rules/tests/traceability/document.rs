//! `docs/traceability.md`: one table row a clause, under its game.

use std::fmt::Write as _;

use table_rules::clauses::{Clause, Status};
use table_rules::game::Game;

const HEAD: &str = "\
# Every clause, and what the table does about it

Made by `cargo xtask traceability` from the tables in `crates/table-rules/clauses`; change those, not this page. A test
fails when a clause is missing, when what shows it does not cite it, and when this page is stale. Readings such as S5 are
in [rules/readings.md](rules/readings.md); `holecard clause GAME ID` prints a row.

*Done in* is a file below `crates/table-rules/src`, below `crates/table-rules` (the paytables) or below the workspace.
*Shown by* is a file below `crates/table-rules/tests/scenarios`: rounds that are played (`.round`), submissions that
are checked (`.check`) or signs that are read (`.posting`). `second/figures.tsv`, below `crates/table-rules/tests`, holds every figure a second time, taken from the
printed texts alone; the tests beside it hold every paytable, minimum and wheel to it and play a round for every line that
cards decide.

";

pub(crate) fn render(rows: &[Clause<'_>], vendor: &str) -> String {
    let mut page = HEAD.to_owned();
    counts(&mut page, rows);
    for game in Game::ALL {
        write!(page, "\n## {} (`{game}`)\n\n", game.title()).unwrap();
        page.push_str("| clause | status | in our words | done in | shown by |\n|---|---|---|---|---|\n");
        for row in rows.iter().filter(|row| row.game == game) {
            let Clause { id, status, paraphrase, .. } = row;
            let (done_in, shown_by) = (file(row.done_in), file(row.shown_by));
            let words = cell(paraphrase);
            writeln!(page, "| {id} | {} | {words} | {done_in} | {shown_by} |", status.word()).unwrap();
        }
    }
    vendor_table(&mut page, vendor);
    page
}

fn counts(page: &mut String, rows: &[Clause<'_>]) {
    let titles: Vec<&str> = Game::ALL.into_iter().map(Game::title).collect();
    writeln!(page, "| status | meaning | {} | all |", titles.join(" | ")).unwrap();
    writeln!(page, "|---|---|{}---:|", "---:|".repeat(titles.len())).unwrap();
    let line = |page: &mut String, name: &str, meaning: &str, wanted: &dyn Fn(&Clause<'_>) -> bool| {
        let of = |game: Game| rows.iter().filter(|row| row.game == game && wanted(row)).count();
        let games: Vec<String> = Game::ALL.into_iter().map(|game| of(game).to_string()).collect();
        let all = rows.iter().filter(|row| wanted(row)).count();
        writeln!(page, "| {name} | {meaning} | {} | {all} |", games.join(" | ")).unwrap();
    };
    for status in Status::ALL {
        line(page, status.word(), status.meaning(), &|row| row.status == status);
    }
    line(page, "all", "", &|_| true);
}

/// The game owner's description is no rule text: its points have names and no ids.
fn vendor_table(page: &mut String, vendor: &str) {
    page.push_str(
        "\n## The game owner's description of Player's Edge 21\n\n\
         Beside the Standard Rules, which stand where the two disagree.\n\n\
         | point | what became of it | both texts, and what the table does |\n|---|---|---|\n",
    );
    for line in vendor.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<String> = line.split('\t').map(cell).collect();
        assert_eq!(fields.len(), 3, "three columns: {line}");
        writeln!(page, "| {} |", fields.join(" | ")).unwrap();
    }
}

fn file(name: Option<&str>) -> String {
    name.map_or_else(|| "-".to_owned(), |name| format!("`{name}`"))
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}
