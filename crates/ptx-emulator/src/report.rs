//! Prints the profile of a launch as a table.

use crate::counters::{Class, Counters, SharedTraffic, Traffic};
use crate::launch::Profile;
use std::fmt;

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Profile { counters, occupancy, .. } = self;
        let mut row = |name: &str, value: String| writeln!(f, "{name:<24}{value}");
        row("blocks", format!("{} of {} threads", self.blocks, self.threads_per_block))?;
        let source = if self.registers_are_estimated { "estimated" } else { "as given" };
        row("registers", format!("{} ({source})", self.registers_per_thread))?;
        row("shared memory", format!("{} bytes per block", self.shared_bytes))?;
        let limit = format!("limited by {:?}", occupancy.limited_by);
        let warps = format!("{} of {} warps", occupancy.warps, occupancy.max_warps);
        row("occupancy", format!("{warps}, {} blocks, {limit}", occupancy.blocks))?;
        let total = counters.instructions.total();
        row("warp instructions", total.to_string())?;
        for (class, name) in Class::ALL {
            let count = counters.instructions[class];
            if count > 0 {
                row(&format!("  {name}"), count.to_string())?;
            }
        }
        let lanes = counters.lane_instructions as f64 / total.max(1) as f64;
        row("active lanes", format!("{lanes:.1} of 32"))?;
        row("divergent branches", counters.divergent_branches.to_string())?;
        row("barriers of warps", counters.barriers.to_string())?;
        row("global loads", traffic(&counters.global_loads))?;
        row("global stores", traffic(&counters.global_stores))?;
        row("shared loads", shared(&counters.shared_loads))?;
        row("shared stores", shared(&counters.shared_stores))?;
        row("operations", intensity(counters))?;
        let seconds = self.host_time.as_secs_f64();
        let rate = total as f64 / seconds / 1e6;
        row("emulated in", format!("{seconds:.3} s, {rate:.1} M warp instructions/s"))?;
        writeln!(f, "None of these figures has been compared with hardware.")
    }
}

fn traffic(it: &Traffic) -> String {
    let each = it.sectors as f64 / it.requests.max(1) as f64;
    format!("{} bytes, {} requests, {each:.1} sectors each", it.bytes, it.requests)
}

fn shared(it: &SharedTraffic) -> String {
    format!(
        "{} bytes, {} requests, {} wavefronts, {} of them by bank conflicts",
        it.bytes, it.requests, it.wavefronts, it.conflicts
    )
}

fn intensity(counters: &Counters) -> String {
    match counters.arithmetic_intensity() {
        Some(intensity) => {
            format!("{} flop, {intensity:.2} per byte of global memory", counters.flops)
        }
        None => format!("{} flop", counters.flops),
    }
}
