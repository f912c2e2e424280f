//! `cargo run --release -p table-journal --features measure --example durable_rate -- DIRECTORY`: durable records per
//! second in that directory beside the bare synced write, and the start-up of an old journal beside a young one's.

use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    let Some(directory) = std::env::args_os().nth(1).map(PathBuf::from) else {
        eprintln!("usage: durable_rate DIRECTORY (an empty one, on the storage to be measured)");
        return ExitCode::from(2);
    };
    match table_journal::measure::durable_rates(&directory, 400, 2000, 32) {
        Ok(rates) => {
            println!("record         {:>8} bytes", rates.record_bytes);
            println!("bare           {:>8} writes with fdatasync a second", rates.yardstick_per_s);
            println!("durable        {:>8} records a second, one at a time", rates.single_per_s);
            println!(
                "grouped        {:>8} records a second, 32 waiting, {} commits",
                rates.grouped_per_s, rates.grouped_commits
            );
            println!("durable-ratio  {:>8} thousandths", rates.single_per_s * 1_000 / rates.yardstick_per_s.max(1));
        }
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    }
    match table_journal::measure::start_up_times(&directory, 1_000_000, 11) {
        Ok(times) => {
            let openings = |time: std::time::Duration| 1_000_000 / time.as_micros().max(1);
            println!("young-openings {:>8} a second, {} us each", openings(times.empty), times.empty.as_micros());
            println!("old-openings   {:>8} a second of {} records", openings(times.aged), times.records);
            println!(
                "start-ratio    {:>8} thousandths",
                times.empty.as_micros() * 1_000 / times.aged.as_micros().max(1)
            );
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
