//! Measures the engine beside the bare loop: `cargo run --release -p table-odds --example engine_speed [slices]`.
//!
//! The comparison has the engine say its order and its source after every input, and the player's words at every decision;
//! once with its lines counted by name, as `simulate` has them, and once with every event kept. What a screen asks for besides, the whole prompt with all patterns of all inputs that would be accepted, is measured apart.

use std::time::{Duration, Instant};

use table_odds::bare::{compare, side_bets, table};
use table_rules::input::Input;
use table_rules::money::Cents;
use table_rules::script::parse_line;
use table_rules::table::Tracking;
use table_rules::{Engine, Events};

fn main() -> Result<(), String> {
    let slices = match std::env::args().nth(1) {
        None => 2_000,
        Some(text) => text.parse().map_err(|_| format!("`{text}` is not a number of slices"))?,
    };
    let measured = compare(slices, 1).map_err(|stopped| stopped.to_string())?;
    println!("counted {:>12} seat-hands a second", measured.counted_per_second);
    println!("kept {:>12} seat-hands a second", measured.kept_per_second);
    println!("bare {:>12} seat-hands a second", measured.bare_per_second);
    println!("counted-ratio {:>12} thousandths", measured.counted_thousandths);
    println!("kept-ratio {:>12} thousandths", measured.kept_thousandths);
    println!("whole-prompt {:>6} nanoseconds a prompt", whole_prompt(slices)?.as_nanos());
    Ok(())
}

/// A round with hits, a double, a split, a surrender and a bust.
const ROUND: &str = "lock; card 8c; card 5d; card Th; card 9c; card Kd; card 2s; card Ah; card 7d; card 8d; card 6c; card 6h; card Ts; \
                     card 3c; card Js; card 5s; card ?; settled; split; card 3h; stand; card Kc; stand; double; card Kh; surrender; \
                     stand; card 9d; stand; card 4h; card 6s; stand; reveal Qc; settled";

/// What one prompt costs, over a round that is played again and again.
fn whole_prompt(slices: u32) -> Result<Duration, String> {
    let table = table().ok_or("the rules no longer allow the table that was to be played")?;
    let mut inputs: Vec<Input> = (1..=7)
        .map(|seat| parse_line(&format!("wager {seat} main 10")))
        .chain(ROUND.split(';').map(parse_line))
        .filter_map(Result::transpose)
        .collect::<Result<_, _>>()
        .map_err(|error| error.to_string())?;
    inputs.splice(7..7, side_bets(Cents::dollars(5)).into_iter().map(Input::from));
    let mut engine = Engine::new(table, Tracking::Cards);
    let mut events = Events::new();
    let mut best = Duration::MAX;
    for _ in 0..slices.max(1) {
        let mut spent = Duration::ZERO;
        for input in &inputs {
            events.clear();
            engine.apply(input, &mut events).map_err(|refusal| format!("{input}: {refusal}"))?;
            let start = Instant::now();
            for _ in 0..PROMPTS {
                std::hint::black_box(engine.prompt());
            }
            spent += start.elapsed();
        }
        best = best.min(spent);
    }
    let prompts = u32::try_from(inputs.len()).map_err(|error| error.to_string())? * PROMPTS;
    Ok(best / prompts)
}

/// At every input, so that the clock itself does not count.
const PROMPTS: u32 = 16;
