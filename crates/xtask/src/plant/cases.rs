//! The pipelines that expose the planted bugs.
//!
//! A bug is exposed by a change of values. Other effects of a pass, and passes after which nothing can be interpreted,
//! have other tests: [`UNSEEN`](super::unseen::UNSEEN) lists them.

/// A pipeline that exposes the bug of a pass.
pub struct Case {
    pub pass: &'static str,
    /// A file of the folder `inputs`.
    pub input: &'static str,
    pub pipeline: &'static [&'static str],
    pub without: Without,
}

/// The behaviour of the pass without the bug.
pub enum Without {
    KeepsMeaning,
    /// It refuses the input: the bug is in its check.
    Refuses,
}

/// Functions in loop form.
const NESTS: &str = "nests.mlir";
/// Functions in loop form with local buffers.
const BUFFERS: &str = "buffers.mlir";

pub const CASES: &[Case] = &[
    Case {
        pass: "convert-graph-to-linalg",
        input: "graph.mlir",
        pipeline: &["--convert-graph-to-linalg", "--convert-linalg-to-loop", "--canonicalize"],
        without: Without::KeepsMeaning,
    },
    Case {
        pass: "outline-control-flow",
        input: "control_flow.mlir",
        pipeline: &["--outline-control-flow", "--convert-linalg-to-loop"],
        without: Without::KeepsMeaning,
    },
    Case {
        pass: "inline-read-only-globals",
        input: "globals.mlir",
        pipeline: &["--inline-read-only-globals", "--convert-linalg-to-loop"],
        without: Without::KeepsMeaning,
    },
    Case {
        pass: "decompose-composite-ops",
        input: "composite.mlir",
        pipeline: &["--decompose-composite-ops", "--convert-linalg-to-loop", "--canonicalize"],
        without: Without::KeepsMeaning,
    },
    Case {
        pass: "inline-data-sized-tensors",
        input: "data_sized.mlir",
        pipeline: &["--inline-data-sized-tensors", "--convert-linalg-to-loop", "--canonicalize"],
        without: Without::KeepsMeaning,
    },
    Case {
        pass: "relax-softmax-maximum",
        input: "softmax.mlir",
        pipeline: &["--relax-softmax-maximum", "--convert-linalg-to-loop", "--canonicalize"],
        without: Without::KeepsMeaning,
    },
    Case {
        pass: "extracts-to-operands",
        input: "extracts.mlir",
        pipeline: &["--extracts-to-operands", "--convert-linalg-to-loop", "--canonicalize"],
        without: Without::KeepsMeaning,
    },
    Case {
        pass: "unswitch-loops",
        input: "conditions.mlir",
        pipeline: &["--cse", "--unswitch-loops", "--canonicalize"],
        without: Without::KeepsMeaning,
    },
    Case {
        pass: "fold-batch-norm",
        input: "batch_norm.mlir",
        pipeline: &["--fold-batch-norm", "--convert-linalg-to-loop", "--canonicalize"],
        without: Without::KeepsMeaning,
    },
    Case {
        pass: "winograd-conv2d",
        input: "convolution.mlir",
        pipeline: &[
            "--winograd-conv2d=vector-bits=64",
            "--convert-linalg-to-loop",
            "--canonicalize",
        ],
        without: Without::KeepsMeaning,
    },
    Case {
        pass: "channels-last",
        input: "channels.mlir",
        pipeline: &["--channels-last", "--convert-linalg-to-loop", "--canonicalize"],
        without: Without::KeepsMeaning,
    },
    Case {
        pass: "transpose-weights",
        input: "rows_of_weights.mlir",
        pipeline: &[
            "--transpose-weights=vector-bits=64",
            "--convert-linalg-to-loop",
            "--canonicalize",
        ],
        without: Without::KeepsMeaning,
    },
    Case {
        pass: "compensate-signed-bytes",
        input: "bytes.mlir",
        pipeline: &["--compensate-signed-bytes", "--convert-linalg-to-loop", "--canonicalize"],
        without: Without::KeepsMeaning,
    },
    Case {
        pass: "convert-linalg-to-loop",
        input: "linalg.mlir",
        pipeline: &["--canonicalize", "--convert-linalg-to-loop", "--convert-loop-to-scf"],
        without: Without::KeepsMeaning,
    },
    Case {
        pass: "convert-loop-to-scf",
        input: NESTS,
        pipeline: &["--canonicalize", "--convert-loop-to-scf", "--canonicalize", "--cse"],
        without: Without::KeepsMeaning,
    },
    Case {
        pass: "promote-buffers",
        input: "loops.mlir",
        pipeline: &["--canonicalize", "--promote-buffers", "--cse"],
        without: Without::KeepsMeaning,
    },
    Case {
        pass: "reduce-by-lanes",
        input: "loops.mlir",
        pipeline: &["--canonicalize", "--reduce-by-lanes", "--cse"],
        without: Without::KeepsMeaning,
    },
    Case {
        pass: "transpose-in-registers",
        input: "loops.mlir",
        pipeline: &["--canonicalize", "--transpose-in-registers", "--cse"],
        without: Without::KeepsMeaning,
    },
    Case {
        pass: "form-fma",
        input: "loops.mlir",
        pipeline: &["--canonicalize", "--form-fma", "--cse"],
        without: Without::KeepsMeaning,
    },
    Case {
        pass: "multiply-by-reciprocal",
        input: "quotients.mlir",
        pipeline: &["--canonicalize", "--multiply-by-reciprocal", "--cse"],
        without: Without::KeepsMeaning,
    },
    Case {
        pass: "simplify-maxnum",
        input: "maxima.mlir",
        pipeline: &["--canonicalize", "--simplify-maxnum", "--cse"],
        without: Without::KeepsMeaning,
    },
    Case {
        pass: "outline-parallel-loops",
        input: "loops.mlir",
        pipeline: &["--canonicalize", "--outline-parallel-loops", "--cse"],
        without: Without::KeepsMeaning,
    },
    Case {
        pass: "expand-math",
        input: "numbers.mlir",
        pipeline: &["--canonicalize", "--expand-math", "--cse"],
        without: Without::KeepsMeaning,
    },
    Case {
        pass: "expand-small-floats",
        input: "numbers.mlir",
        pipeline: &["--canonicalize", "--expand-small-floats", "--cse"],
        without: Without::KeepsMeaning,
    },
    Case {
        pass: "sched-split",
        input: NESTS,
        pipeline: &["--sched-split=loop=C:j factors=-1,4", "--convert-loop-to-scf"],
        without: Without::KeepsMeaning,
    },
    Case {
        pass: "sched-fuse",
        input: NESTS,
        pipeline: &["--sched-fuse=loops=C:i,C:j", "--convert-loop-to-scf"],
        without: Without::KeepsMeaning,
    },
    Case {
        pass: "sched-reorder",
        input: NESTS,
        pipeline: &["--cse", "--sched-reorder=loops=S:j,S:i", "--canonicalize"],
        without: Without::Refuses,
    },
    Case {
        pass: "sched-parallel",
        input: NESTS,
        pipeline: &["--cse", "--sched-parallel=loop=S:i", "--canonicalize"],
        without: Without::Refuses,
    },
    Case {
        pass: "sched-vectorize",
        input: NESTS,
        pipeline: &["--cse", "--sched-vectorize=loop=R:i", "--canonicalize"],
        without: Without::Refuses,
    },
    Case {
        pass: "sched-simple-compute-at",
        input: NESTS,
        pipeline: &["--cse", "--sched-simple-compute-at=block=P loop=Q:i", "--canonicalize"],
        without: Without::Refuses,
    },
    Case {
        pass: "sched-compute-inline",
        input: NESTS,
        pipeline: &["--cse", "--sched-compute-inline=block=T", "--canonicalize"],
        without: Without::KeepsMeaning,
    },
    Case {
        pass: "sched-reverse-compute-inline",
        input: NESTS,
        pipeline: &["--cse", "--sched-reverse-compute-inline=block=D", "--canonicalize"],
        without: Without::KeepsMeaning,
    },
    Case {
        pass: "sched-cache-read",
        input: NESTS,
        pipeline: &[
            "--cse",
            "--sched-cache-read=block=shifted buffer=X scope=global",
            "--canonicalize",
        ],
        without: Without::KeepsMeaning,
    },
    Case {
        pass: "sched-cache-write",
        input: NESTS,
        pipeline: &[
            "--cse",
            "--sched-cache-write=block=shifted buffer=Y scope=global",
            "--canonicalize",
        ],
        without: Without::KeepsMeaning,
    },
    Case {
        pass: "sched-rfactor",
        input: NESTS,
        pipeline: &["--cse", "--sched-rfactor=loop=best:k", "--canonicalize"],
        without: Without::KeepsMeaning,
    },
    Case {
        pass: "sched-decompose-reduction",
        input: NESTS,
        pipeline: &["--cse", "--sched-decompose-reduction=block=C loop=C:k", "--canonicalize"],
        without: Without::KeepsMeaning,
    },
    Case {
        pass: "eliminate-invariant-loop",
        input: "statements.mlir",
        pipeline: &["--cse", "--eliminate-invariant-loop", "--canonicalize"],
        without: Without::KeepsMeaning,
    },
    Case {
        pass: "if-fold",
        input: "statements.mlir",
        pipeline: &["--cse", "--if-fold", "--canonicalize"],
        without: Without::KeepsMeaning,
    },
    Case {
        pass: "if-fusion",
        input: "statements.mlir",
        pipeline: &["--cse", "--if-fusion", "--canonicalize"],
        without: Without::KeepsMeaning,
    },
    Case {
        pass: "ir-simplify",
        input: "statements.mlir",
        pipeline: &["--cse", "--ir-simplify", "--canonicalize"],
        without: Without::KeepsMeaning,
    },
    Case {
        pass: "outline-fusion-groups",
        input: "groups.mlir",
        pipeline: &["--cse", "--outline-fusion-groups", "--canonicalize"],
        without: Without::KeepsMeaning,
    },
    Case {
        pass: "inline-fusion-groups",
        input: "group_calls.mlir",
        pipeline: &["--cse", "--inline-fusion-groups", "--canonicalize"],
        without: Without::KeepsMeaning,
    },
    Case {
        pass: "outline-nests",
        input: "equal_nests.mlir",
        pipeline: &["--cse", "--outline-nests", "--canonicalize"],
        without: Without::KeepsMeaning,
    },
    Case {
        pass: "collapse-dimensions",
        input: "group_dimensions.mlir",
        pipeline: &["--cse", "--collapse-dimensions", "--canonicalize"],
        without: Without::KeepsMeaning,
    },
    Case {
        pass: "lift-weight-transforms",
        input: "weights.mlir",
        pipeline: &["--cse", "--lift-weight-transforms", "--canonicalize"],
        without: Without::KeepsMeaning,
    },
    Case {
        pass: "schedule-block-dce",
        input: "statements.mlir",
        pipeline: &["--cse", "--schedule-block-dce", "--canonicalize"],
        without: Without::KeepsMeaning,
    },
    Case {
        pass: "lower-vthread",
        input: "threads.mlir",
        pipeline: &["--cse", "--lower-vthread", "--canonicalize"],
        without: Without::KeepsMeaning,
    },
    Case {
        pass: "thread-sync",
        input: "threads.mlir",
        pipeline: &["--cse", "--thread-sync=insert=false", "--canonicalize"],
        without: Without::KeepsMeaning,
    },
    Case {
        pass: "skip-carried-barriers",
        input: "threads.mlir",
        pipeline: &["--cse", "--skip-carried-barriers", "--canonicalize"],
        without: Without::KeepsMeaning,
    },
    Case {
        pass: "replace-cross-block-reduction",
        input: "threads.mlir",
        pipeline: &["--cse", "--replace-cross-block-reduction", "--canonicalize"],
        without: Without::KeepsMeaning,
    },
    Case {
        pass: "replace-cross-thread-reduction",
        input: "threads.mlir",
        pipeline: &["--cse", "--replace-cross-thread-reduction", "--canonicalize"],
        without: Without::KeepsMeaning,
    },
    Case {
        pass: "convert-loop-to-gpu",
        input: "lanes.mlir",
        pipeline: &["--cse", "--convert-loop-to-gpu", "--canonicalize"],
        without: Without::KeepsMeaning,
    },
    Case {
        pass: "swizzle-shared-buffers",
        input: "transpose.mlir",
        pipeline: &["--pass-pipeline=builtin.module(convert-loop-to-gpu,cse,\
             gpu.module(gpu.func(swizzle-shared-buffers)),canonicalize)"],
        without: Without::KeepsMeaning,
    },
    Case {
        pass: "loop-axes-to-schedule",
        input: "axes.mlir",
        pipeline: &["--cse", "--loop-axes-to-schedule", "--canonicalize"],
        without: Without::KeepsMeaning,
    },
    Case {
        pass: "entail-loop-condition",
        input: "statements.mlir",
        pipeline: &["--cse", "--entail-loop-condition", "--canonicalize"],
        without: Without::KeepsMeaning,
    },
    Case {
        pass: "plan-allocation-location",
        input: BUFFERS,
        pipeline: &["--cse", "--plan-allocation-location", "--canonicalize"],
        without: Without::KeepsMeaning,
    },
    Case {
        pass: "compact-buffers",
        input: BUFFERS,
        pipeline: &["--cse", "--compact-buffers", "--canonicalize"],
        without: Without::KeepsMeaning,
    },
    Case {
        pass: "eliminate-common-factor-of-local-index",
        input: BUFFERS,
        pipeline: &["--cse", "--eliminate-common-factor-of-local-index", "--canonicalize"],
        without: Without::KeepsMeaning,
    },
    Case {
        pass: "bound-dynamic-buffers",
        input: BUFFERS,
        pipeline: &["--cse", "--bound-dynamic-buffers", "--canonicalize"],
        without: Without::KeepsMeaning,
    },
    Case {
        pass: "storage-rewrite",
        input: "memory.mlir",
        pipeline: &["--cse", "--storage-rewrite", "--canonicalize"],
        without: Without::KeepsMeaning,
    },
    Case {
        pass: "merge-shared-memory",
        input: "kernel.mlir",
        pipeline: &["--pass-pipeline=builtin.module(convert-loop-to-gpu,cse,\
             gpu.module(gpu.func(merge-shared-memory)),canonicalize)"],
        without: Without::KeepsMeaning,
    },
    Case {
        pass: "rearrange-load-instruction",
        input: "kernels.mlir",
        pipeline: &["--convert-loop-to-gpu", "--rearrange-load-instruction", "--canonicalize"],
        without: Without::KeepsMeaning,
    },
    Case {
        pass: "rewrite-unsafe-select",
        input: "statements.mlir",
        pipeline: &["--cse", "--rewrite-unsafe-select", "--canonicalize"],
        without: Without::KeepsMeaning,
    },
    Case {
        pass: "extern-call-process",
        input: "statements.mlir",
        pipeline: &["--cse", "--extern-call-process", "--canonicalize"],
        without: Without::KeepsMeaning,
    },
    Case {
        pass: "longlong2int",
        input: "kernels.mlir",
        pipeline: &["--convert-loop-to-gpu", "--longlong2int", "--canonicalize"],
        without: Without::KeepsMeaning,
    },
    Case {
        pass: "eliminate-common-global-memory-read",
        input: "kernels.mlir",
        pipeline: &["--cse", "--eliminate-common-global-memory-read", "--canonicalize"],
        without: Without::KeepsMeaning,
    },
    Case {
        pass: "loop-partition",
        input: "statements.mlir",
        pipeline: &["--cse", "--loop-partition", "--canonicalize"],
        without: Without::KeepsMeaning,
    },
    Case {
        pass: "double-buffer",
        input: "ahead.mlir",
        pipeline: &["--cse", "--double-buffer", "--canonicalize"],
        without: Without::KeepsMeaning,
    },
    Case {
        pass: "software-pipeline",
        input: "ahead.mlir",
        pipeline: &["--cse", "--software-pipeline", "--canonicalize"],
        without: Without::KeepsMeaning,
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plant::bugs::BUGS;
    use crate::plant::unseen::UNSEEN;

    #[test]
    fn each_case_has_one_bug() {
        for case in CASES {
            let of_case = BUGS.iter().filter(|bug| bug.passes.contains(&case.pass));
            assert_eq!(of_case.count(), 1, "{}", case.pass);
        }
    }

    #[test]
    fn each_pass_has_a_bug_or_a_reason() {
        let root = crate::package::root();
        let mut passes = 0;
        for table in
            ["src/pass.rs", "src/pass/tensor.rs", "src/pass/cuda.rs", "src/optimize/table.rs"]
        {
            let text = std::fs::read_to_string(root.join(table)).expect("the table is there");
            let rows = text.lines().filter_map(|line| line.trim().strip_prefix("argument: \""));
            for pass in rows.filter_map(|rest| rest.split('"').next()) {
                let cases = CASES.iter().filter(|case| case.pass == pass).count();
                let unseen = UNSEEN.iter().filter(|unseen| unseen.pass == pass).count();
                assert_eq!(cases + unseen, 1, "{pass}");
                passes += 1;
            }
        }
        assert!(passes > 30, "{passes} rows were read");
    }
}
