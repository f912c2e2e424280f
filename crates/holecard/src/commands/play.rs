//! `holecard play`: a script, or a conversation, through the rules engine.

use std::fmt;
use std::io::{self, BufRead, BufReader, IsTerminal, Write};
use std::path::Path;

use operator_api::{Circumstances, describe, offers};
use serde_json::json;
use table_rules::script::WORDS;

use crate::cli::Play;
use crate::files;
use crate::output::{self, Failure, ORDER, Outcome, QUIET, Stdout, Styled, json_line};
use crate::play::json::Json;
use crate::play::lines::Lines;
use crate::play::readable::{Readable, Setting};
use crate::play::session::{Aside, Session, Stopped};
use crate::play::show::show;
use crate::play::speaker::Speaker;

pub(crate) fn run(args: &Play) -> Result<Outcome, Failure> {
    let tracking = args.tracking.into();
    let table = files::load_table_for(&args.rules, tracking)?;
    let mut session = Session::new(table, tracking);
    let script = args.script.as_deref().filter(|path| path.as_os_str() != "-");
    match script {
        Some(path) => {
            let source = BufReader::new(files::open(path)?);
            play(&mut session, source, &From::File(path), args.json)?;
        }
        None if io::stdin().is_terminal() && args.json => converse_in_json(&mut session)?,
        None if io::stdin().is_terminal() => converse(&mut session)?,
        None => play(&mut session, io::stdin().lock(), &From::StandardInput, args.json)?,
    }
    Ok(if session.counts().is_clean() { Outcome::Success } else { Outcome::Refused })
}

/// Plays a script to its end. Somebody who pipes the lines in may ask as at a terminal.
fn play(session: &mut Session, source: impl BufRead, from: &From, json: bool) -> Result<(), Failure> {
    let name = from.to_string();
    let mut lines = Lines::new(source);
    let asks = *from == From::StandardInput;
    let played = if json {
        session.run(&mut lines, &mut Json::new(output::stdout()), |session, text, speaker| match text {
            "quit" | "exit" if asks => Ok(Aside::Leaves),
            "help" | "?" if asks => speaker.next(session.engine()).map(|()| Aside::Answered),
            "show" if asks => show_in_json(session, speaker).map(|()| Aside::Answered),
            _ => Ok(Aside::IsPlay),
        })
    } else {
        let mut speaker = Readable::new(output::stdout(), Setting::Script { file: name.clone() });
        let run = session.run(&mut lines, &mut speaker, |session, text, speaker| match text {
            "quit" | "exit" if asks => Ok(Aside::Leaves),
            "help" | "?" if asks => help(speaker.out(), session).map(|()| Aside::Answered),
            "show" if asks => show(speaker.out(), &session.engine().view()).map(|()| Aside::Answered),
            _ => Ok(Aside::IsPlay),
        });
        run.and_then(|()| sum_up(session, speaker.out()).map_err(Stopped::Writing))
    };
    played.map_err(|stopped| match stopped {
        Stopped::Reading(cause) => {
            Failure::Refused(format!("{name}:{}: cannot be read further: {cause}", lines.number() + 1))
        }
        Stopped::Writing(cause) => Failure::Output(cause),
    })
}

/// Where the lines come from.
#[derive(PartialEq, Eq)]
enum From<'p> {
    File(&'p Path),
    StandardInput,
}

impl fmt::Display for From<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => write!(f, "{}", path.display()),
            Self::StandardInput => f.write_str("standard input"),
        }
    }
}

fn sum_up(session: &Session, out: &mut Stdout) -> io::Result<()> {
    let counts = session.counts();
    let round = session.engine().round();
    write!(out, "\n{} accepted, {} refused, {} unreadable", counts.accepted, counts.refused, counts.unreadable)?;
    if session.engine().is_wagering() {
        writeln!(out, "; {}", rounds(round))
    } else {
        writeln!(out, "; the script ends within a round")
    }
}

fn rounds(count: u64) -> String {
    match count {
        1 => "one round played".to_owned(),
        count => format!("{count} rounds played"),
    }
}

/// Prompt, type, see.
fn converse(session: &mut Session) -> Result<(), Failure> {
    let mut speaker = Readable::new(output::stdout(), Setting::Conversation);
    let table = session.engine().table();
    let title = table.game.title();
    writeln!(speaker.out(), "{} {} seats, {} decks.", Styled(ORDER, title), table.positions, table.decks)?;
    writeln!(speaker.out(), "Type `help` for the words that fit now, `show` for the table, `quit` to leave.\n")?;
    speaker.next(session.engine())?;
    let mut lines = Lines::new(io::stdin().lock());
    loop {
        write!(speaker.out(), "> ")?;
        speaker.out().flush()?;
        let line = match lines.next() {
            Ok(Some(line)) => line,
            // The end of input is said with Ctrl-D, which leaves the cursor in the line.
            Ok(None) => {
                writeln!(speaker.out())?;
                return Ok(());
            }
            Err(cause) => return Err(Failure::Refused(format!("the terminal cannot be read: {cause}"))),
        };
        match line.text.as_deref().map(str::trim) {
            Ok("quit" | "exit") => return Ok(()),
            Ok("help" | "?") => help(speaker.out(), session)?,
            Ok("show") => show(speaker.out(), &session.engine().view())?,
            Ok(_) | Err(_) => session.line(&line, &mut speaker)?,
        }
    }
}

/// The same for somebody who wants to see the objects: `help` repeats the prompt with its offers.
fn converse_in_json(session: &mut Session) -> Result<(), Failure> {
    let mut speaker = Json::new(output::stdout());
    speaker.next(session.engine())?;
    let mut lines = Lines::new(io::stdin().lock());
    while let Some(line) =
        lines.next().map_err(|cause| Failure::Refused(format!("the terminal cannot be read: {cause}")))?
    {
        match line.text.as_deref().map(str::trim) {
            Ok("quit" | "exit") => break,
            Ok("help" | "?") => speaker.next(session.engine())?,
            Ok("show") => show_in_json(session, &mut speaker)?,
            Ok(_) | Err(_) => session.line(&line, &mut speaker)?,
        }
    }
    Ok(())
}

fn show_in_json(session: &Session, speaker: &mut Json<Stdout>) -> io::Result<()> {
    let mut drawn = Vec::new();
    show(&mut drawn, &session.engine().view())?;
    let drawn = String::from_utf8_lossy(&drawn);
    json_line(speaker.out(), &json!({ "table": drawn.lines().map(str::trim).collect::<Vec<_>>() }))
}

/// The words that would be accepted now, then all others by name.
fn help(out: &mut Stdout, session: &Session) -> io::Result<()> {
    let fitting = offers(session.engine(), &Circumstances::of(session.engine()));
    writeln!(out, "  These fit now (seats in brackets):")?;
    for offer in &fitting {
        writeln!(out, "    {}", describe(offer))?;
    }
    let first_word = |word: &'static str| word.split(' ').next().unwrap_or(word);
    let others: Vec<&str> = WORDS
        .iter()
        .map(|(word, _)| *word)
        .filter(|word| *word != "restart" && !fitting.iter().any(|offer| first_word(offer.word) == *word))
        .collect();
    writeln!(out, "  {} {}", Styled(QUIET, "Not now:"), Styled(QUIET, others.join(" ")))?;
    writeln!(out, "  And here: restart, help, show, quit.")
}
