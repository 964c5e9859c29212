//! Prints how many instructions of warps the emulator runs in a second on one core, for kernels of different kinds. An
//! argument names a kernel to run alone.

use ptx_emulator::{Argument, Device, LaunchConfig, Module};
use std::num::NonZeroUsize;

struct Case {
    text: &'static str,
    kernel: &'static str,
    grid: [u32; 3],
    block: [u32; 3],
    /// Elements of f32 of each argument.
    sizes: &'static [usize],
}

const CASES: &[Case] = &[
    Case {
        text: include_str!("../tests/kernels/matmul.ptx"),
        kernel: "main_0",
        grid: [8, 8, 1],
        block: [16, 16, 1],
        sizes: &[512 * 512; 3],
    },
    Case {
        text: include_str!("../tests/kernels/lanes.ptx"),
        kernel: "softmax_1024_0",
        grid: [2, 1, 1],
        block: [1024, 1, 1],
        sizes: &[2 * 2043; 2],
    },
    Case {
        text: include_str!("../tests/kernels/shared.ptx"),
        kernel: "matmul_0",
        grid: [5, 4, 1],
        block: [8, 8, 1],
        sizes: &[32 * 48, 48 * 40, 32 * 40],
    },
];

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
