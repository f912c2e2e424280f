//! Writes each day at the table (`tests/scenarios/days/*.round`) as a story into `docs/days/`, and fails when a committed
//! page no longer says what the table says. `scenarios.rs` checks the same files' expectations; here they only mark the
//! moments at which the table's next order is worth reading.
//!
//! `HOLECARD_BLESS=1 cargo test -p table-rules --test days` writes the pages anew.
//!
//! In these files `## text` is a heading of the story and `# text` a sentence of it.

#![expect(clippy::unwrap_used, reason = "a day that cannot be read should stop the test")]

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use table_rules::clauses::clauses;
use table_rules::money::Cents;
use table_rules::script::parse_line;
use table_rules::submission::RulesSubmission;
use table_rules::{Engine, Event, Events, Game, Table, Tracking};

#[test]
fn each_days_page_says_what_the_table_says() {
    let bless = std::env::var_os("HOLECARD_BLESS").is_some();
    let mut stale = Vec::new();
    for game in Game::ALL {
        let name = game.id();
        let day = fs::read_to_string(at(&format!("tests/scenarios/days/{name}.round"))).unwrap();
        let page = Story::tell(game, &day);
        let path = at(&format!("../../docs/days/{name}.md"));
        if bless {
            fs::write(&path, &page).unwrap();
        } else if fs::read_to_string(&path).unwrap_or_default() != page {
            stale.push(name);
        }
    }
    assert!(
        stale.is_empty(),
        "docs/days is stale for {stale:?}: run this test with HOLECARD_BLESS=1 and read the change"
    );
}

/// One page being written.
struct Story {
    game: Game,
    engine: Engine,
    page: String,
    /// The section's rows so far: what was entered, and what the table said to it.
    rows: Vec<(String, Vec<String>)>,
    tally: Tally,
}

/// The day in figures.
#[derive(Default)]
struct Tally {
    rounds: u32,
    void_rounds: u32,
    irregularities: u32,
    refusals: u32,
    paid: Cents,
    taken: Cents,
}

impl Story {
    fn tell(game: Game, day: &str) -> String {
        let (settings, rest) = day.split_once("start closed\n").unwrap();
        let mut title = "";
        let mut rules = "";
        let mut with = Vec::new();
        for line in settings.lines() {
            match line.split_once(' ').unwrap_or((line, "")) {
                ("round", text) => title = text,
                ("rules", name) => rules = name,
                ("with", setting) => with.push(setting),
                _ => {}
            }
        }
        let engine = Engine::closed(load(rules, &with), Tracking::Cards);
        let mut story = Self { game, engine, page: String::new(), rows: Vec::new(), tally: Tally::default() };
        story.opening(title, rules, &with);
        for line in rest.lines() {
            story.line(line.trim());
        }
        story.close_section();
        story.figures();
        story.page
    }

    fn opening(&mut self, title: &str, rules: &str, with: &[&str]) {
        writeln!(self.page, "# {title}\n").unwrap();
        let mut table = format!("`firmware-config/submissions/{rules}.toml`");
        for setting in with {
            write!(table, " with `{setting}`").unwrap();
        }
        writeln!(
            self.page,
            "Generated from `crates/table-rules/tests/scenarios/days/{}.round` and played through the rules engine; \
             [README](README.md) says how. The table is {table}. On the left what people did, as \
             [play script](../play-script.md); on the right what the table said to it, with the clause or reading. An \
             arrow is the next order on the dealer's screen.",
            self.game.id()
        )
        .unwrap();
    }

    fn line(&mut self, line: &str) {
        if let Some(heading) = line.strip_prefix("## ") {
            self.close_section();
            writeln!(self.page, "\n## {heading}").unwrap();
        } else if let Some(prose) = line.strip_prefix("# ") {
            self.close_section();
            writeln!(self.page, "\n{prose}").unwrap();
        } else if line.starts_with('?') {
            let order = self.own(&format!("{}", self.engine.prompt()));
            if let Some((_, said)) = self.rows.last_mut() {
                said.push(format!("→ *{order}*"));
            }
        } else if !line.is_empty() && !line.starts_with(['>', '!', '-']) {
            self.play(line);
        }
    }

    fn play(&mut self, line: &str) {
        let input = parse_line(line).unwrap().unwrap();
        let mut events = Events::new();
        let mut said = Vec::new();
        match self.engine.apply(&input, &mut events) {
            Ok(()) => {
                for event in &events {
                    self.tally.count(event);
                    said.push(self.own(&told(event)));
                }
            }
            Err(refusal) => {
                self.tally.refusals += 1;
                said.push(self.own(&format!("**refused:** {refusal}")));
            }
        }
        self.rows.push((line.to_owned(), said));
    }

    /// The page is about one game: sources need not name it.
    fn own(&self, text: &str) -> String {
        text.replace(&format!("[{} ", self.game.id()), "[").replace('|', "\\|")
    }

    fn close_section(&mut self) {
        let rows = std::mem::take(&mut self.rows);
        if rows.is_empty() {
            return;
        }
        self.page.push_str("\n| at the table | the table says |\n|---|---|\n");
        for (entered, said) in rows {
            writeln!(self.page, "| `{entered}` | {} |", said.join("<br>")).unwrap();
        }
    }

    fn figures(&mut self) {
        let tally = &self.tally;
        let net = if tally.taken >= tally.paid { "won" } else { "lost" };
        let difference = Cents((tally.taken.0 - tally.paid.0).abs());
        self.page.push_str("\n## The day in figures\n\n| | |\n|---|---|\n");
        for (what, figure) in [
            ("rounds", tally.rounds.to_string()),
            ("of them void", tally.void_rounds.to_string()),
            ("irregularities", tally.irregularities.to_string()),
            ("inputs refused", tally.refusals.to_string()),
            ("paid to players, stakes not counted", tally.paid.to_string()),
            ("taken from players", tally.taken.to_string()),
        ] {
            writeln!(self.page, "| {what} | {figure} |").unwrap();
        }
        writeln!(self.page, "| the house {net} | {difference} |").unwrap();
        let meters: Vec<_> = self.engine.meters().collect();
        if meters.is_empty() {
            return;
        }
        self.page.push_str("\n| meter at the close | shows |\n|---|---|\n");
        for (wager, name, meter) in meters {
            writeln!(self.page, "| {wager}, {} | {} |", name.name(), meter.amount()).unwrap();
        }
    }
}

impl Tally {
    fn count(&mut self, event: &Event) {
        if let Event::RoundEnded { .. } = event {
            self.rounds += 1;
        } else if let Event::RoundVoid { .. } = event {
            self.void_rounds += 1;
        } else if let Event::Irregularity { .. } = event {
            self.irregularities += 1;
        } else if let Event::Settled(line) = event {
            self.paid.0 += line.pays.amount().unwrap_or(Cents::ZERO).0;
            self.taken.0 += line.kept().unwrap_or(Cents::ZERO).0;
        }
    }
}

/// An event in words. An irregularity is told with what its clause is about.
fn told(event: &Event) -> String {
    let Event::Irregularity { source, .. } = event else { return event.to_string() };
    let clause = clauses(source.game()).find(|clause| clause.id == source.id()).unwrap();
    format!("{event}: {}", clause.paraphrase)
}

/// A shipped submission with some of its lines replaced.
fn load(rules: &str, with: &[&str]) -> Table {
    let text = fs::read_to_string(at(&format!("../../firmware-config/submissions/{rules}.toml"))).unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    for &setting in with {
        let key = setting.split_once('=').unwrap().0.trim();
        let at = lines.iter().position(|line| line.split_once('=').is_some_and(|(found, _)| found.trim() == key));
        lines[at.unwrap()] = setting;
    }
    RulesSubmission::parse(&lines.join("\n")).check().table.unwrap()
}

fn at(path: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}
