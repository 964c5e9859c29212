//! The threads of rayon as [`Workers`]: a pool of the program, or the current one. With the feature `rayon`.
//!
//! The caller works too, so a loop uses the caller and all but one of rayon's threads. A loop ends when rayon has run each
//! of the tasks that it spawned, even one that finds no chunk. If other tasks occupy rayon's threads, and the caller is not
//! one of these threads, the loop waits for them.
//!
//! `cargo run --release --features rayon --example pool_overhead -- 2` in this crate measures an empty loop. On two threads it
//! took 0.2 us if the caller is a thread of rayon, and 0.1 us on a [`Pool`](crate::Pool), but 24 us if the caller is another
//! thread, since rayon's threads sleep soon. Call many small kernels inside of `ThreadPool::install`.

use crate::Workers;
use rayon::{ThreadPool, current_num_threads, in_place_scope};
use std::num::NonZeroUsize;

/// The rayon pool that the calling thread belongs to, or else rayon's global pool.
#[derive(Clone, Copy, Debug, Default)]
pub struct CurrentRayon;

impl Workers for ThreadPool {
    fn threads(&self) -> NonZeroUsize {
        NonZeroUsize::new(self.current_num_threads()).unwrap_or(NonZeroUsize::MIN)
    }

    fn run(&self, calls: usize, work: &(dyn Fn() + Sync)) {
        self.in_place_scope(|scope| {
            (1..calls).for_each(|_| scope.spawn(|_| work()));
            work();
        });
    }
}

impl Workers for CurrentRayon {
    fn threads(&self) -> NonZeroUsize {
        NonZeroUsize::new(current_num_threads()).unwrap_or(NonZeroUsize::MIN)
    }

    fn run(&self, calls: usize, work: &(dyn Fn() + Sync)) {
        in_place_scope(|scope| {
            (1..calls).for_each(|_| scope.spawn(|_| work()));
            work();
        });
    }
}
