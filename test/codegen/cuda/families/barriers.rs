//! Removes the barriers of kernels one by one: the emulator notices each, so no barrier is redundant.

use super::{Call, Family, all};
use loopwright::codegen::cuda::GpuTarget;
use loopwright_runtime::gpu::{Emulator, Executable, Program};
use std::collections::{HashMap, HashSet};

/// The calls that run a kernel.
#[derive(Default)]
struct Runs<'f> {
    calls: Vec<Call<'f>>,
    /// The kernels that these calls run.
    kernels: HashSet<String>,
}

/// The lines of PTX, each with the kernel that it is in.
fn lines(ptx: &str) -> Vec<(Option<&str>, &str)> {
    let mut kernel = None;
    let with_kernel = |line| {
        if let Some((_, rest)) = str::split_once(line, ".entry ") {
            kernel = rest.split('(').next();
        }
        let found = (kernel, line);
        if line == "}" {
            kernel = None;
        }
        found
    };
    ptx.lines().map(with_kernel).collect()
}

impl Family {
    fn runs_of_kernels<'f>(
        &self,
        program: &Program,
        calls: &[Call<'f>],
    ) -> HashMap<String, Runs<'f>> {
        let emulator = Emulator::new(0);
        let executable = Executable::load(program, &emulator).expect("the emulator takes it");
        let mut all = HashMap::<_, Runs>::new();
        for call in calls {
            let result = self.run(&executable, call, &self.tensors(call.1));
            result.unwrap_or_else(|error| panic!("{call:?}: {error}"));
            let launches = emulator.take_launches();
            let kernels: Vec<_> = launches.into_iter().map(|(kernel, _)| kernel).collect();
            for kernel in &kernels {
                let runs = all.entry(kernel.clone()).or_default();
                runs.calls.push(call.clone());
                runs.kernels.extend(kernels.iter().cloned());
            }
        }
        all
    }

    /// True if, in some order of warps, a thread of the program runs ahead of a needed barrier: the emulator finds a
    /// race, or a value that another thread has not written yet reaches a branch, an address or a result.
    fn is_early(&self, program: &Program, calls: &[Call]) -> bool {
        let is_early =
            |fault: &str| fault.contains(" races with ") || fault.contains(" is undefined");
        self.fails(program, calls, is_early)
    }

    fn fails(&self, program: &Program, calls: &[Call], is_so: impl Fn(&str) -> bool) -> bool {
        (0..4).any(|seed| {
            let emulator = Emulator::new(seed);
            let executable = Executable::load(program, &emulator).expect("the emulator takes it");
            let fails = |call: &Call| {
                let outcome = self.run(&executable, call, &self.tensors(call.1));
                outcome.map_err(|error| error.to_string()).is_err_and(|fault| is_so(&fault))
            };
            calls.iter().any(fails)
        })
    }

    /// The kernels and lines of redundant barriers, and the number of the others.
    fn free_barriers(&self, device: &GpuTarget) -> (Vec<String>, usize) {
        let calls = self.calls(1);
        let program = self.shared_program(1, device).unwrap_or_else(|why| panic!("{why}"));
        let of_kernels = self.runs_of_kernels(&program, &calls);
        let lines = lines(&program.ptx);
        let (mut free, mut needed) = (vec![], 0);
        for (place, (kernel, line)) in lines.iter().enumerate() {
            let Some(kernel) = kernel.filter(|_| line.contains("bar.sync")) else { continue };
            // Code for 64-bit indices does not run if 32 bits are enough.
            let Some(Runs { calls, kernels }) = of_kernels.get(kernel) else { continue };
            // Of the program only what the calls run, because the emulator parses it again for each barrier.
            let is_run = |kernel: &Option<&str>| kernel.is_none_or(|name| kernels.contains(name));
            let with = |other: &str| {
                let all = lines.iter().enumerate().filter(|(_, (kernel, _))| is_run(kernel));
                let text = all.map(|(at, (_, line))| if at == place { other } else { line });
                Program { ptx: text.collect::<Vec<_>>().join("\n"), ..Program::clone(&program) }
            };
            match self.is_early(&with(""), calls) {
                true => needed += 1,
                // LLVM creates a separate loop for operands of different sizes, of which there are none.
                false if self.fails(&with("trap;"), calls, |fault| fault.contains("trap")) => {
                    free.push(format!("{kernel}, line {}", place + 1));
                }
                false => {}
            }
        }
        (free, needed)
    }
}

#[test]
fn each_barrier_of_families_is_needed() {
    let device = GpuTarget::default();
    let (mut free, mut needed) = (vec![], 0);
    for family in all() {
        let (of_family, others) = family.free_barriers(&device);
        free.extend(of_family);
        needed += others;
    }
    assert!(free.is_empty(), "beside {needed} barriers these are not needed: {free:#?}");
    assert!(needed >= 60, "{needed} barriers");
}
