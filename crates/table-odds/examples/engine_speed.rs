//! Measures the engine beside the bare loop: `cargo run --release -p table-odds --example engine_speed [slices]`.

use table_odds::bare::compare;

fn main() -> Result<(), String> {
    let slices = match std::env::args().nth(1) {
        None => 2_000,
        Some(text) => text.parse().map_err(|_| format!("`{text}` is not a number of slices"))?,
    };
    let measured = compare(slices, 1).map_err(|stopped| stopped.to_string())?;
    println!("engine {:>12} seat-hands a second", measured.engine_per_second);
    println!("bare   {:>12} seat-hands a second", measured.bare_per_second);
    println!("ratio  {:>12} thousandths", measured.ratio_thousandths);
    Ok(())
}
