//! `cargo run --release -p table-journal --features measure --example durable_rate -- DIRECTORY`: durable records per
//! second in that directory, beside the bare synced write.

use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    let Some(directory) = std::env::args_os().nth(1).map(PathBuf::from) else {
        eprintln!("usage: durable_rate DIRECTORY (an empty one, on the storage to be measured)");
        return ExitCode::from(2);
    };
    match table_journal::measure::durable_rates(&directory, 400, 2000, 32) {
        Ok(rates) => {
            println!("record            {:>8} bytes", rates.record_bytes);
            println!("write + fdatasync {:>8} per second", rates.yardstick_per_s);
            println!("one at a time     {:>8} per second", rates.single_per_s);
            println!("32 in flight      {:>8} per second, {} commits", rates.grouped_per_s, rates.grouped_commits);
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
