//! What the tool prints: the kernels of a file, and the profile of a launch.

use ptx_emulator::counters::{Class, Counters, SharedTraffic, Traffic};
use ptx_emulator::{Device, Kernel, Module, Profile};
use std::fmt::Write;

/// A line for each kernel, and one for each of its parameters.
pub fn kernels(module: &Module) -> String {
    let mut out = String::new();
    let device = Device::new();
    let loaded = device.load(module).ok();
    for name in module.kernels() {
        let mut line = name.to_string();
        if let Some(kernel) = loaded.as_ref().and_then(|it| it.kernel(name)) {
            let limits = kernel.limits();
            if let Some([x, y, z]) = limits.required_block {
                let _ = write!(line, ", blocks of {x} x {y} x {z} threads");
            } else if let Some(most) = limits.max_threads {
                let _ = write!(line, ", blocks of at most {most} threads");
            }
            let _ = write!(
                line,
                ", about {} registers, {} bytes of shared memory",
                kernel.registers(),
                kernel.static_shared()
            );
        }
        let _ = writeln!(out, "{line}");
        for parameter in module.parameters(name).unwrap_or_default() {
            let _ =
                writeln!(out, "  {} {}, {} bytes", parameter.ty, parameter.name, parameter.bytes);
        }
    }
    out
}

pub fn profile(kernel: &Kernel, profile: &Profile) -> String {
    let mut out = String::new();
    let mut row = |name: &str, value: String| {
        let _ = writeln!(out, "{name:<24}{value}");
    };
    let Profile { counters, occupancy, .. } = profile;
    row("kernel", kernel.name().into());
    row("blocks", format!("{} of {} threads", profile.blocks, profile.threads_per_block));
    let source = if profile.registers_are_estimated { "estimated" } else { "as given" };
    row("registers", format!("{} ({source})", profile.registers_per_thread));
    row("shared memory", format!("{} bytes of a block", profile.shared_bytes));
    row(
        "occupancy",
        format!(
            "{} of {} warps, {} blocks, limited by {:?}",
            occupancy.warps, occupancy.max_warps, occupancy.blocks, occupancy.limited_by
        ),
    );
    let total = counters.instructions.total();
    row("warp instructions", total.to_string());
    for (class, name) in Class::ALL {
        let count = counters.instructions[class];
        if count > 0 {
            row(&format!("  {name}"), count.to_string());
        }
    }
    let lanes = counters.lane_instructions as f64 / total.max(1) as f64;
    row("active lanes", format!("{lanes:.1} of 32"));
    row("divergent branches", counters.divergent_branches.to_string());
    row("barriers of warps", counters.barriers.to_string());
    row("global loads", traffic(&counters.global_loads));
    row("global stores", traffic(&counters.global_stores));
    row("shared loads", shared(&counters.shared_loads));
    row("shared stores", shared(&counters.shared_stores));
    row("operations", intensity(counters));
    let seconds = profile.host_time.as_secs_f64();
    row(
        "emulated in",
        format!("{seconds:.3} s, {:.1} M warp instructions/s", total as f64 / seconds / 1e6),
    );
    let _ = writeln!(out, "None of these figures has been compared with hardware.");
    out
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
            format!("{} flop, {intensity:.2} for each byte of global memory", counters.flops)
        }
        None => format!("{} flop", counters.flops),
    }
}
