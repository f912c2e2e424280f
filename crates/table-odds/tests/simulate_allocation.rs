//! Steady play allocates nothing: no event, prompt, line or settlement takes memory once the buffers have grown.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering};

use table_odds::simulate::{Rng, ShoeUse, Stack, TableRun};
use table_odds::strategy::Strategy;
use table_rules::game::Game;
use table_rules::money::Cents;
use table_rules::table::Table;

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

/// One test alone: another thread's allocations would be counted too.
#[test]
fn thousands_of_rounds_of_every_game_allocate_nothing() {
    for game in Game::ALL {
        for shoe_use in [ShoeUse::EveryRound, ShoeUse::ToCover { thousandths: 750 }] {
            let table = Table::usual(game);
            let strategy = Strategy::shipped(&table).unwrap();
            let stack = Stack::new(&table, shoe_use);
            let mut run = TableRun::new(&table, &strategy, table.positions, Cents::dollars(10), stack, Rng::new(5, 0));
            let mut events = 0;
            for _ in 0..500 {
                events += run.round().unwrap().len();
            }
            let before = ALLOCATIONS.load(Ordering::Relaxed);
            for _ in 0..5_000 {
                events += run.round().unwrap().len();
            }
            let during = ALLOCATIONS.load(Ordering::Relaxed) - before;
            assert_eq!(during, 0, "{game} {shoe_use:?}");
            assert!(events > 100_000, "{game}: {events} events are too few to show anything");
        }
    }
}
