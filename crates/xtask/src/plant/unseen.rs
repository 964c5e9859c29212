//! The passes without a planted bug.

/// A pass without a planted bug, because no bug of it changes values.
pub struct Unseen {
    pub pass: &'static str,
    /// Why values do not change.
    pub reason: &'static str,
    /// The tests that cover the pass.
    pub tests: &'static [&'static str],
}

pub const UNSEEN: &[Unseen] = &[
    Unseen {
        pass: "resolve-declared-sizes",
        reason: "without it, the programs that it changes are refused",
        tests: &["test/compute/resolve_declared_sizes.mlir"],
    },
    Unseen {
        pass: "reshapes-to-groups",
        reason: "its ops state all sizes, so MLIR's verifier refuses wrong groups",
        tests: &["test/graph/reshapes_to_groups.mlir"],
    },
    Unseen {
        pass: "emulate-narrow-types",
        reason: "the values before the pass are of other types than those after it",
        tests: &["test/compute/emulate_narrow_types.mlir", "test/integration.rs"],
    },
    Unseen {
        pass: "split-complex",
        reason: "the interpreter has no complex numbers, so nothing can be run before the pass",
        tests: &["test/compute/split_complex.mlir", "test/integration.rs"],
    },
    Unseen {
        pass: "graph-fuse-ops",
        reason: "moves ops, and leaves each as it is: a bug gives other groups, or IR that is not valid",
        tests: &["test/fusion/graph_fuse_ops.mlir", "src/fusion/groups/tests.rs"],
    },
    Unseen {
        pass: "fold-unit-loops",
        reason: "decides whether a pass of MLIR runs: a bug affects schedules, and no values",
        tests: &["test/fusion/fold_unit_loops.mlir"],
    },
    Unseen {
        pass: "forbid-unrolling",
        reason: "adds marks for LLVM: a bug affects the speed of code, and no values",
        tests: &["test/lowering/cpu/forbid_unrolling.mlir"],
    },
    Unseen {
        pass: "verify-gpu-code",
        reason: "changes nothing: a bug would accept or refuse the wrong functions",
        tests: &["test/lowering/cuda/verify_gpu_code.mlir"],
    },
    Unseen {
        pass: "verify-kernel-calls",
        reason: "changes nothing: a bug would accept or refuse the wrong calls",
        tests: &["test/lowering/cuda/verify_kernel_calls.mlir"],
    },
    Unseen {
        pass: "loop-cost",
        reason: "changes nothing: its output is compared with the counts of the interpreter",
        tests: &["test/analysis/loop_cost.rs"],
    },
    Unseen {
        pass: "hint-graph",
        reason: "changes nothing: a bug would print other axes",
        tests: &["test/auto_schedule/hint_graph.mlir"],
    },
    Unseen {
        pass: "loop-predict-time",
        reason: "changes nothing: its traffic is compared with a simulated cache",
        tests: &[
            "test/auto_schedule/cost/traffic.rs",
            "test/auto_schedule/cost/loop_predict_time.mlir",
        ],
    },
    Unseen {
        pass: "auto-schedule",
        reason: "its steps are schedule steps; a bug in a prediction would choose a slower schedule",
        tests: &["test/auto_schedule/alternatives.mlir"],
    },
    Unseen {
        pass: "loop-print-axes",
        reason: "changes nothing: the axes are compared with bindings at each iteration",
        tests: &["test/auto_schedule/axis.rs"],
    },
    Unseen {
        pass: "loop-infer-axes",
        reason: "sets attributes that do not affect values, and that the verifier derives again",
        tests: &[
            "test/auto_schedule/axis/loop_infer_axes.mlir",
            "test/dialect/loop/block_axes_invalid.mlir",
        ],
    },
    Unseen {
        pass: "schedule-by-strategy",
        reason: "changes nothing itself: it applies primitives, each of which is proved legal or \
                 refused, and has its own planted bug",
        tests: &["test/schedule/random_schedules.rs", "test/strategy/pass.mlir"],
    },
    Unseen {
        pass: "instrument-bounds",
        reason: "affects only runs that access memory out of bounds, which have no values to compare; \
                 tests look for each kind of check in the code, and run accesses that it must stop",
        tests: &["test/lowering/cpu/instrument_bounds.mlir", "test/tools/lw-run/check_bounds.mlir"],
    },
    Unseen {
        pass: "require-bounds",
        reason: "affects only calls whose accesses would be out of bounds, which have no values to compare",
        tests: &["test/analysis/require_bounds.mlir", "test/codegen/cuda/devices.rs"],
    },
    Unseen {
        pass: "expand-atomics",
        reason: "runs on IR that the interpreter does not run; the emulator runs its output",
        tests: &["test/lowering/cpu/expand_atomics.mlir", "test/schedule/random_schedules.rs"],
    },
    Unseen {
        pass: "convert-memref-to-pointer",
        reason: "emits functions over pointers, which the interpreter does not run; compiled code is \
                 compared with the interpreter",
        tests: &["test/integration.rs", "test/schedule/random_schedules.rs"],
    },
    Unseen {
        pass: "bf16-as-bits",
        reason: "runs on functions over pointers; compiled code is compared with the interpreter",
        tests: &["test/lowering/math/bf16_as_bits.mlir", "test/integration.rs"],
    },
    Unseen {
        pass: "approximate-math",
        reason: "emits calls of instructions that the interpreter does not support; kernels are compared \
                 with functions in f64",
        tests: &["test/codegen/cuda.rs"],
    },
    Unseen {
        pass: "inject-async-copy",
        reason: "emits instructions that the interpreter does not support; the emulator detects missing waits",
        tests: &["test/codegen/cuda.rs"],
    },
    Unseen {
        pass: "convert-math-to-nvptx",
        reason: "emits calls of instructions that the interpreter does not support; kernels are compared \
                 with the interpreter",
        tests: &["test/codegen/cuda.rs"],
    },
    Unseen {
        pass: "line-info",
        reason: "changes only the line info of instructions",
        tests: &["test/lowering/cpu/line_info.mlir", "test/tools/lw-run/fault_kernel.mlir"],
    },
    Unseen {
        pass: "dynamic-shared-memory",
        reason: "works on the LLVM dialect, which the interpreter does not run; the results of the PTX \
                 are compared",
        tests: &[
            "test/lowering/cuda/dynamic_shared_memory.mlir",
            "test/tools/lw-run/shared_memory.mlir",
        ],
    },
    Unseen {
        pass: "bare-kernel-arguments",
        reason: "emits kernels over pointers, which the interpreter does not run; the results of their \
                 calls are compared",
        tests: &["test/codegen/cuda.rs"],
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_unseen_has_tests() {
        let root = crate::package::root();
        for Unseen { pass, reason, tests } in UNSEEN {
            assert!(!reason.is_empty() && !tests.is_empty(), "{pass}");
            tests.iter().for_each(|test| assert!(root.join(test).is_file(), "{pass}: {test}"));
        }
    }
}
