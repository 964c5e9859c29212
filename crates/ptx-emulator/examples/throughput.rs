//! Prints how many warp instructions per second the emulator runs on one core, for several kinds of kernels. An
//! argument selects one kernel by name.

use ptx_emulator::{Argument, Device, LaunchConfig, Module};
use std::num::NonZeroUsize;

struct Case {
    text: &'static str,
    kernel: &'static str,
    grid: [u32; 3],
    block: [u32; 3],
    /// The number of f32 elements of each argument.
    sizes: &'static [usize],
}

/// Common functions compiled with our default schedules.
const SCHEDULES: &str = include_str!("../tests/kernels/schedules.ptx");

const ELEMENTWISE: &str = include_str!("../tests/kernels/elementwise.ptx");

const CASES: &[Case] = &[
    case(
        include_str!("../tests/kernels/matmul.ptx"),
        "main_0",
        [8, 8, 1],
        [16, 16, 1],
        &[512 * 512; 3],
    ),
    case(
        include_str!("../tests/kernels/lanes.ptx"),
        "softmax_1024_0",
        [2, 1, 1],
        [1024, 1, 1],
        &[2 * 2043; 2],
    ),
    case(
        include_str!("../tests/kernels/shared.ptx"),
        "matmul_0",
        [5, 4, 1],
        [8, 8, 1],
        &[32 * 48, 48 * 40, 32 * 40],
    ),
    case(SCHEDULES, "product_0", [16, 32, 1], [16, 8, 1], &[512 * 512; 3]),
    case(SCHEDULES, "sum_0", [256, 1, 1], [256, 1, 1], &[512 * 512; 3]),
    case(SCHEDULES, "rows_0", [64, 1, 1], [32, 8, 1], &[512 * 512, 512]),
    case(SCHEDULES, "transpose_0", [16, 16, 1], [256, 1, 1], &[512 * 512; 2]),
    case(ELEMENTWISE, "vectors_0", [64, 1, 1], [8, 1, 1], &[64 * 32, 32, 64 * 32]),
    case(
        include_str!("../tests/kernels/reduction.ptx"),
        "row_sum_0",
        [8, 1, 1],
        [8, 1, 1],
        &[64 * 30, 64],
    ),
];

const fn case(
    text: &'static str,
    kernel: &'static str,
    grid: [u32; 3],
    block: [u32; 3],
    sizes: &'static [usize],
) -> Case {
    Case { text, kernel, grid, block, sizes }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let only = std::env::args().nth(1);
    for case in CASES.iter().filter(|it| only.as_ref().is_none_or(|name| name == it.kernel)) {
        let device = Device::new();
        let module = device.load(&Module::parse(case.text)?)?;
        let kernel = module.kernel(case.kernel).ok_or("no such kernel")?;
        let mut arguments: Vec<Argument> = vec![];
        for size in case.sizes {
            let address = device.alloc(4 * *size as u64, 16)?;
            device.memset(address, 0, 4 * *size as u64)?;
            arguments.push(address.into());
        }
        let config = LaunchConfig {
            grid: case.grid,
            block: case.block,
            host_threads: NonZeroUsize::new(1),
            ..LaunchConfig::default()
        };
        let (mut run, mut seconds) = (0, 0.0);
        while seconds < 1.0 {
            let profile = device.launch(&kernel, &config, &arguments)?;
            run += profile.counters.instructions.total();
            seconds += profile.host_time.as_secs_f64();
        }
        let rate = run as f64 / seconds / 1e6;
        println!("{}: {rate:.1} million instructions of warps a second", case.kernel);
    }
    Ok(())
}
