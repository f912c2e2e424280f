//! Steady play allocates nothing: no event, order, prompt with its offers, line or settlement takes memory once the buffers
//! have grown, with side wagers and meters too.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering};

use table_odds::bare;
use table_odds::simulate::{Rng, ShoeUse, Stack, TableRun};
use table_odds::strategy::Strategy;
use table_rules::game::Game;
use table_rules::input::{Input, Placing};
use table_rules::money::Cents;
use table_rules::script::parse_line;
use table_rules::submission::RulesSubmission;
use table_rules::table::{Table, Tracking};
use table_rules::{Engine, Events};

struct Counting;

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

// SAFETY: every call goes to the system allocator as it came. A global allocator is the only way to see allocations,
// and the trait is unsafe to implement; no product code contains this.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller's promise is passed on unchanged.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise is passed on unchanged.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller's promise is passed on unchanged.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// Plays these rounds, then counts while it plays as many again ten times over.
fn assert_steady(what: &str, least_events: usize, mut rounds: impl FnMut() -> usize) {
    let mut events = rounds();
    let before = ALLOCATIONS.load(Ordering::Relaxed);
    for _ in 0..10 {
        events += rounds();
    }
    let during = ALLOCATIONS.load(Ordering::Relaxed) - before;
    assert_eq!(during, 0, "{what}");
    assert!(events > least_events, "{what}: {events} events are too few to show anything");
}

fn simulated(table: &Table, shoe_use: ShoeUse, side_bets: &[Placing]) {
    let strategy = Strategy::best(table, Cents::dollars(10));
    let stack = Stack::new(table, shoe_use);
    let mut run = TableRun::new(table, &strategy, table.positions, Cents::dollars(10), stack, Rng::new(5, 0))
        .with_side_bets(side_bets.to_vec());
    assert_steady(&format!("{} {shoe_use:?}", table.game), 100_000, || {
        (0..500).map(|_| run.round().unwrap().len()).sum()
    });
}

/// The same round again and again at a table that offers everything, its whole prompt asked for after every input.
fn prompted(game: Game, round: &str) {
    let file = format!("{}/../../firmware-config/submissions/{game}-all-wagers.toml", env!("CARGO_MANIFEST_DIR"));
    let table = RulesSubmission::parse(&std::fs::read_to_string(file).unwrap()).check().table.unwrap();
    let inputs: Vec<Input> = round.split(';').map(|line| parse_line(line).unwrap().unwrap()).collect();
    let mut engine = Engine::new(table, Tracking::Cards);
    let mut events = Events::new();
    assert_steady(&format!("{game} with everything offered"), 20_000, || {
        let mut reported = 0;
        for _ in 0..100 {
            for input in &inputs {
                events.clear();
                engine.apply(input, &mut events).unwrap();
                std::hint::black_box(engine.prompt());
                reported += events.as_slice().len();
            }
            assert!(engine.is_wagering(), "{game}: {}", engine.prompt());
        }
        reported
    });
}

/// One test alone: another thread's allocations would be counted too.
#[test]
fn thousands_of_rounds_of_every_game_allocate_nothing() {
    for game in Game::ALL {
        for shoe_use in [ShoeUse::EveryRound, ShoeUse::ToCover { thousandths: 750 }] {
            simulated(&Table::usual(game), shoe_use, &[]);
        }
    }
    simulated(&bare::table().unwrap(), ShoeUse::EveryRound, &bare::side_bets(Cents::dollars(5)));
    prompted(
        Game::Blackjack,
        "wager 1 main 10; wager 1 match-the-dealer 5; wager 1 lucky-ladies 5; wager 1 buster-blackjack 5; \
         wager 1 hit-and-run 1; wager 2 main 10; wager 2 21-plus-3 1; wager 2 super-4 5; lock; draw none; \
         card 8c; card 9d; card 9h; card 7d; card 5c; card ?; settled; card 2d; stand; card 3c; stand; reveal 3h; card Th; settled",
    );
    prompted(
        Game::PlayersEdge21,
        "wager 1 main 10; wager 1 match-up 5; wager 1 match-down 5; wager 1 monster-match; wager 2 main 10; lock; \
         card 8c; card 9d; card 9h; card 7d; card 5c; card ?; settled; stand; stand; reveal 3h; card Kh; settled",
    );
}
