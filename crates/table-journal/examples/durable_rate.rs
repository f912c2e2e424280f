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
            println!("record            {:>8} bytes", rates.record_bytes);
            println!("write + fdatasync {:>8} per second", rates.yardstick_per_s);
            println!("one at a time     {:>8} per second", rates.single_per_s);
            println!("32 in flight      {:>8} per second, {} commits", rates.grouped_per_s, rates.grouped_commits);
        }
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    }
    match table_journal::measure::start_up_times(&directory, 1_000_000, 11) {
        Ok(times) => {
            println!("start, young      {:>8} us", times.empty.as_micros());
            println!("start, {:>9}  {:>8} us", times.records, times.aged.as_micros());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
