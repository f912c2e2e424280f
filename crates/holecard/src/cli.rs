//! The arguments of every command, and the help that teaches them.

use std::path::PathBuf;

use clap::{ArgGroup, Args, Parser, Subcommand, ValueEnum};
use table_odds::simulate::THREADS_MAX;
use table_rules::Tracking;
use table_rules::game::Game;
use table_rules::money::Cents;

use crate::commands::{Console, Ctl, Inspection, Journal, Papers, Setup, Sim, Staff, Ver, Why};

/// Try, check and simulate a blackjack-family table under the Maryland Standard Rules.
#[derive(Debug, Parser)]
#[command(
    name = "holecard",
    version,
    propagate_version = true,
    after_help = "Exit codes: 0 success, 1 a refusal or a failed check, 2 bad usage.\n\
                  Start with `holecard demo`, then `holecard help play`."
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Demo(Demo),
    Play(Play),
    Check(Check),
    Sign(Sign),
    Odds(Odds),
    Strategy(Strategy),
    Simulate(Simulate),
    Clause(Clause),
    Inspection(Inspection),
    Journal(Journal),
    Sim(Sim),
    Setup(Setup),
    Staff(Staff),
    Console(Console),
    Ctl(Ctl),
    Why(Why),
    Ver(Ver),
    #[command(hide = true)]
    Papers(Papers),
}

/// Run a whole table on this machine: daemon, simulated devices, and people who deal.
///
/// The daemon runs as it does at a table, with its journal and its interface; a simulated reader, shuffler and shoe speak
/// the real protocols on ptys; a robot dealer, players and a floorperson do what the screen says. Open the printed address
/// in a browser to watch. Nothing is left behind.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  holecard demo\n  holecard demo --game spanish-21 --speed 4\n  \
    holecard demo --manual            # you are the dealer; the page has a rail that stands for the felt\n  \
    holecard demo --rounds 20 --speed 50\n  holecard demo --samples\n\n\
    While it runs, type a letter and Enter: u the reader cannot read, f the reader fails, j the shuffler jams, l a chip\n\
    comes late, k a jackpot falls, p the power goes, q quit. The page has the same, marked DEMO. Each happens at the next\n\
    moment where it can; the people at the table see to it.")]
pub(crate) struct Demo {
    /// The game to deal: blackjack, spanish-21, pontoon-21 or players-edge-21; blackjack if left out.
    #[arg(long, value_parser = parse_game, value_name = "GAME")]
    pub(crate) game: Option<Game>,
    /// How many times faster than people: 1 to 100.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub(crate) speed: u32,
    /// Be the dealer yourself: nobody taps but you.
    #[arg(long)]
    pub(crate) manual: bool,
    /// Begin with the closed table, its inspection and its cards, instead of open bets.
    #[arg(long)]
    pub(crate) from_opening: bool,
    /// The port of the page; 0 takes any that is free.
    #[arg(long, default_value_t = 0)]
    pub(crate) port: u16,
    /// End after this many rounds.
    #[arg(long, value_name = "N")]
    pub(crate) rounds: Option<u64>,
    /// Same seed, same people and cards.
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Play a commented sample round of each game in the terminal instead.
    #[arg(long)]
    pub(crate) samples: bool,
    /// With --samples: do not pause between the lines.
    #[arg(long, requires = "samples")]
    pub(crate) fast: bool,
}

/// Run a play script, or what you type, through the rules engine.
///
/// Prints what happens, what the dealer does next, and every refusal, each with the clause or reading behind it. Without
/// SCRIPT the lines come from standard input; on a terminal that is a conversation: type `help` for the words that fit
/// now, `show` for the table, `quit` to leave. With --json `help` repeats the prompt, whose offers are those words.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    holecard play --rules firmware-config/submissions/blackjack.toml\n  \
    holecard play --rules blackjack.toml evening.play\n  \
    printf 'wager 1 main 25\\nlock\\n' | holecard play --rules blackjack.toml --json\n\n\
    A script has one input a line and # for comments; docs/play-script.md explains every word.\n\
    Exits with 1 if a line was refused or could not be read; play goes on after such a line.")]
pub(crate) struct Play {
    /// The table's rules submission.
    #[arg(long, value_name = "FILE")]
    pub(crate) rules: PathBuf,
    /// The script; standard input if left out or `-`.
    pub(crate) script: Option<PathBuf>,
    /// How closely the table follows the cards.
    #[arg(long, value_enum, default_value_t = TrackingLevel::Cards)]
    pub(crate) tracking: TrackingLevel,
    /// One JSON object a line.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum TrackingLevel {
    /// Every card is known; hands, totals and payouts are computed.
    Cards,
    /// Cards are not tracked; the dealer is led through the steps.
    Procedure,
}

impl From<TrackingLevel> for Tracking {
    fn from(level: TrackingLevel) -> Self {
        match level {
            TrackingLevel::Cards => Self::Cards,
            TrackingLevel::Procedure => Self::Procedure,
        }
    }
}

/// Validate rules submissions and table configurations.
///
/// Reports every problem of every file at once, with its line, the clause or reading behind it and the remedy; then the
/// readings in force. A table configuration is checked with the submission that it names, or as a part where it leaves
/// things to other files.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    holecard check firmware-config/submissions/*.toml\n  \
    holecard check firmware-config/base.toml /etc/holecard/site.toml\n  \
    holecard check --json my-table.toml")]
pub(crate) struct Check {
    /// Rules submissions and table configurations, any number of each.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Also look whether this machine has the ports, buses and lines that a configuration names.
    #[arg(long)]
    pub(crate) board: bool,
    /// One JSON object a file.
    #[arg(long)]
    pub(crate) json: bool,
}

/// The payout posting of a table, to print: what Chapter 2 §B of the rules wants its players to read.
///
/// Inscriptions, limits, and what every wager on offer pays, each with its clause, made from a submission that passes its
/// check. The page is plain HTML that needs nothing else: open it in a browser and print it.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    holecard sign firmware-config/submissions/spanish-21.toml -o spanish-21.html\n  \
    holecard sign my-table.toml --paper a3 > my-table.html\n  \
    holecard sign my-table.toml --pdf -o my-table.pdf   # where Chromium is installed\n  \
    holecard sign my-table.toml --json\n\n\
    Exits with 1 and every reason if the submission is refused; nothing is written then.")]
pub(crate) struct Sign {
    /// The table's rules submission.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Where the page goes; standard output if left out.
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,
    /// What it is printed on; type grows with the paper. Left out: letter, or A3 where there is too much for one such sheet.
    #[arg(long, value_enum)]
    pub(crate) paper: Option<Paper>,
    /// A PDF instead of a page, printed by the Chromium that is installed here.
    #[arg(long, requires = "output", conflicts_with = "json")]
    pub(crate) pdf: bool,
    /// The posting as one JSON object instead of a page.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Paper {
    Letter,
    A3,
}

/// Exact odds of insurance and the side wagers.
///
/// Bad Beat depends on how the players play, so it has no exact figure: `--simulate` plays whole rounds of the table by the
/// best play with the wager placed, and gives each figure with its standard error.
#[derive(Debug, Args)]
#[command(
    group(ArgGroup::new("what").required(true).args(["rules", "all"])),
    after_help = "Examples:\n  \
    holecard odds --rules firmware-config/submissions/spanish-21-all-wagers.toml\n  \
    holecard odds --all --json > odds.json\n  \
    holecard odds --rules my-table.toml --par\n  \
    holecard odds --rules my-table.toml --par --simulate 1000000 --seed 7\n  \
    holecard odds --rules my-table.toml --simulate 10000000 --seed 7"
)]
pub(crate) struct Odds {
    /// The wagers that this submission offers, with its decks and paytables.
    #[arg(long, value_name = "FILE")]
    pub(crate) rules: Option<PathBuf>,
    /// Every wager, paytable, number of decks and option that the rules allow.
    #[arg(long)]
    pub(crate) all: bool,
    /// PAR sheets: volatility, the symbols of a wheel, and a hash of paytable and evaluator besides.
    #[arg(long)]
    pub(crate) par: bool,
    /// Plays this many rounds for a wager that has no exact odds, and counts.
    #[arg(long, value_name = "ROUNDS", requires = "rules", requires = "seed", conflicts_with = "all")]
    pub(crate) simulate: Option<u64>,
    /// Where the random numbers start.
    #[arg(long, value_name = "S", requires = "simulate")]
    pub(crate) seed: Option<u64>,
    /// 1 to 256, every core if left out; changes the time a simulation takes and nothing else.
    #[arg(long, value_name = "T", value_parser = parse_threads)]
    pub(crate) threads: Option<usize>,
    /// One JSON array.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Work out the best play for a table: the chart, what each choice gains, and the house edge.
///
/// Computed from the submission itself: decks, soft 17, doubles, redoubles, rescue, surrender, splits, bonuses, what a
/// blackjack pays, Switch. It takes some seconds. For people who deal, play and audit; a table's screen never shows it.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    holecard strategy --rules firmware-config/submissions/spanish-21.toml\n  \
    holecard strategy --rules my-table.toml --stake 25 --html > best-play.html\n  \
    holecard strategy --rules my-table.toml --json\n\n\
    Letters: S stand, H hit, D double, P split, R surrender or rescue. A row with \"5+ cards\" replaces the one above it\n\
    from five cards on. The edge is that of `holecard simulate` with the same stake, one box and a fresh shoe every round.")]
pub(crate) struct Strategy {
    /// The table's rules submission.
    #[arg(long, value_name = "FILE")]
    pub(crate) rules: PathBuf,
    /// Opening wager in dollars, which the fixed payouts of 12.C are measured by; if left out $10, or the minimum where the
    /// table does not take $10.
    #[arg(long, value_name = "D", value_parser = Cents::parse)]
    pub(crate) stake: Option<Cents>,
    /// One JSON object, with every figure.
    #[arg(long, conflicts_with = "html")]
    pub(crate) json: bool,
    /// A page to print.
    #[arg(long)]
    pub(crate) html: bool,
}

/// Play whole rounds through the engine by the best play for the table, and measure the house edge.
///
/// The same seed gives the same totals on any machine and any number of threads. Players follow the chart that
/// `holecard strategy` prints; nobody insures. Switch, cards dealt from the hand and one side of a double shoe are played too.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    holecard simulate --rules firmware-config/submissions/blackjack.toml --rounds 1000000 --seed 7\n  \
    holecard simulate --rules my-table.toml --rounds 200000000 --seed 1 --seats 7 --json")]
pub(crate) struct Simulate {
    /// The table's rules submission.
    #[arg(long, value_name = "FILE")]
    pub(crate) rules: PathBuf,
    /// How many rounds to play; a million gives the edge to about 0.1 %.
    #[arg(long, value_name = "N")]
    pub(crate) rounds: u64,
    /// Where the random numbers start.
    #[arg(long, value_name = "S")]
    pub(crate) seed: u64,
    /// Boxes in play.
    #[arg(long, value_name = "K", default_value_t = 1)]
    pub(crate) seats: u8,
    /// Main wager of each box in dollars; if left out $10, or the minimum where the table does not take $10.
    #[arg(long, value_name = "D", value_parser = Cents::parse)]
    pub(crate) stake: Option<Cents>,
    /// 1 to 256, every core if left out; changes the time a run takes and nothing else.
    #[arg(long, value_name = "T", value_parser = parse_threads)]
    pub(crate) threads: Option<usize>,
    /// Deal one shoe down to the cover card, at most 0.75 of it; reshuffled every round if left out.
    #[arg(long, value_name = "P", value_parser = parse_thousandths)]
    pub(crate) penetration: Option<u16>,
    /// One JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Our paraphrase of a clause or reading, its status and where it shows.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  holecard clause spanish-21 7.M\n  holecard clause blackjack B1")]
pub(crate) struct Clause {
    /// blackjack, spanish-21, pontoon-21 or players-edge-21.
    #[arg(value_parser = parse_game)]
    pub(crate) game: Game,
    /// A clause such as 12.B(9), or a reading such as S5.
    pub(crate) id: String,
    /// One JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

fn parse_game(text: &str) -> Result<Game, String> {
    let ids = || Game::ALL.map(Game::id).join(", ");
    text.parse().map_err(|_| format!("the games are {}", ids()))
}

fn parse_threads(text: &str) -> Result<usize, String> {
    let threads = text.parse().ok().filter(|threads| (1..=THREADS_MAX).contains(threads));
    threads.ok_or_else(|| format!("write a number from 1 to {THREADS_MAX}"))
}

/// As many as were asked for, else as many as this machine can run at once.
pub(crate) fn threads_to_use(asked: Option<usize>) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    asked.unwrap_or_else(|| cores().min(THREADS_MAX))
}

/// A share of at most three decimals in thousandths, without a float: `0.75` is 750.
fn parse_thousandths(text: &str) -> Result<u16, String> {
    let how = || "write a share of the stack such as 0.75".to_owned();
    let decimals = text.strip_prefix("0.").or_else(|| text.strip_prefix('.')).ok_or_else(how)?;
    if decimals.is_empty() || decimals.len() > 3 || !decimals.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(how());
    }
    format!("{decimals:0<3}").parse().map_err(|_| how())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_arguments_are_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn shares_are_read_digit_by_digit() {
        assert_eq!(parse_thousandths("0.75"), Ok(750));
        assert_eq!(parse_thousandths(".5"), Ok(500));
        assert_eq!(parse_thousandths("0.625"), Ok(625));
        for bad in ["", "1", "75", "0.", "0.7500", "0.x", "-0.5"] {
            assert!(parse_thousandths(bad).is_err(), "{bad}");
        }
    }
}
