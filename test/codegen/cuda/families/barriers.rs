//! Removes the barriers of kernels one by one: the emulator notices each, so no barrier is redundant.

use super::{Call, Family, all};
use loopwright::codegen::cuda::GpuTarget;
use loopwright_runtime::gpu::{Emulator, Executable, Program};
use std::collections::HashMap;

impl Family {
    /// The calls that run each kernel.
    fn calls_of_kernels<'f>(
        &self,
        program: &Program,
        calls: &[Call<'f>],
    ) -> HashMap<String, Vec<Call<'f>>> {
        let emulator = Emulator::new(0);
        let executable = Executable::load(program, &emulator).expect("the emulator takes it");
        let mut all = HashMap::<_, Vec<_>>::new();
        for call in calls {
            let result = self.run(&executable, call, &self.tensors(call.1));
            result.unwrap_or_else(|error| panic!("{call:?}: {error}"));
            for (kernel, _) in emulator.take_launches() {
                all.entry(kernel).or_default().push(call.clone());
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
        let program = self.program(&calls, device).unwrap_or_else(|why| panic!("{why}"));
        let of_kernels = self.calls_of_kernels(&program, &calls);
        let lines: Vec<&str> = program.ptx.lines().collect();
        let (mut kernel, mut free, mut needed) = ("", vec![], 0);
        for (place, line) in lines.iter().enumerate() {
            if let Some((_, rest)) = line.split_once(".entry ") {
                kernel = rest.split('(').next().unwrap_or_default();
            }
            // Code for 64-bit indices does not run if 32 bits are enough.
            let Some(calls) = of_kernels.get(kernel).filter(|_| line.contains("bar.sync")) else {
                continue;
            };
            let with = |line: &str| {
                let ptx = [&lines[..place], &[line], &lines[place + 1..]].concat().join("\n");
                Program { ptx, ..program.clone() }
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
