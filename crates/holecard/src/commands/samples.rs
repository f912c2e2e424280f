//! `holecard demo --samples`: one commented round of each game, played by the engine in front of you.

use std::io::{self, BufReader, IsTerminal, Write};
use std::thread;
use std::time::Duration;

use table_rules::Tracking;
use table_rules::game::Game;
use table_rules::submission::RulesSubmission;

use crate::cli::Demo;
use crate::output::{self, Failure, ORDER, Outcome, Stdout, Styled};
use crate::play::lines::Lines;
use crate::play::readable::{Readable, Setting};
use crate::play::session::Session;
use crate::play::speaker::Speaker;

/// A sample: the game, its shipped submission, and a script whose comments are the narration.
struct Sample {
    game: Game,
    rules: &'static str,
    script: &'static str,
}

const SAMPLES: [Sample; 4] = [
    Sample {
        game: Game::Blackjack,
        rules: include_str!("../../../../firmware-config/submissions/blackjack.toml"),
        script: include_str!("../../samples/blackjack.play"),
    },
    Sample {
        game: Game::Spanish21,
        rules: include_str!("../../../../firmware-config/submissions/spanish-21.toml"),
        script: include_str!("../../samples/spanish-21.play"),
    },
    Sample {
        game: Game::Pontoon21,
        rules: include_str!("../../../../firmware-config/submissions/pontoon-21.toml"),
        script: include_str!("../../samples/pontoon-21.play"),
    },
    Sample {
        game: Game::PlayersEdge21,
        rules: include_str!("../../../../firmware-config/submissions/players-edge-21.toml"),
        script: include_str!("../../samples/players-edge-21.play"),
    },
];

/// The shipped submission of a game.
pub(super) fn submission(game: Game) -> &'static str {
    SAMPLES.iter().find(|sample| sample.game == game).map_or("", |sample| sample.rules)
}

/// Long enough to read a line along.
const PAUSE: Duration = Duration::from_millis(350);

pub(crate) fn run(args: &Demo) -> Result<Outcome, Failure> {
    let mut out = output::stdout();
    writeln!(out, "{}", Styled(ORDER, "Holecard: a sample round of each game"))?;
    writeln!(
        out,
        "The rules engine plays these rounds from short scripts, here in the terminal. No devices, daemon or"
    )?;
    writeln!(
        out,
        "dealer screen take part. Each line ends with the clause or reading that it rests on; look one up with"
    )?;
    writeln!(out, "`holecard clause spanish-21 7.M`, or play your own with `holecard play --rules FILE`.")?;
    let pause = if args.fast || !io::stdout().is_terminal() { Duration::ZERO } else { PAUSE };
    let mut outcome = Outcome::Success;
    for sample in SAMPLES.iter().filter(|sample| args.game.is_none_or(|game| game == sample.game)) {
        writeln!(out, "\n{}", Styled(ORDER, format_args!("── {} ──", sample.game.title())))?;
        if !play(sample, pause)? {
            outcome = Outcome::Refused;
        }
    }
    Ok(outcome)
}

/// Plays one sample; whether all of it was accepted.
fn play(sample: &Sample, pause: Duration) -> Result<bool, Failure> {
    let table = RulesSubmission::parse(sample.rules).check().table.map_err(|problems| {
        let problems: Vec<String> = problems.iter().map(|problem| problem.render(sample.game.id())).collect();
        Failure::Refused(problems.join("\n"))
    })?;
    let mut session = Session::new(table, Tracking::Cards);
    let mut speaker: Readable<Stdout> = Readable::new(output::stdout(), Setting::Narration);
    let mut lines = Lines::new(BufReader::new(sample.script.as_bytes()));
    speaker.next(session.engine())?;
    while let Some(line) = lines.next()? {
        session.line(&line, &mut speaker)?;
        speaker.out().flush()?;
        thread::sleep(pause);
    }
    Ok(session.counts().is_clean() && session.engine().is_wagering())
}
