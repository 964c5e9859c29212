//! The bugs, and the pipelines in which they show: a pass more is a bug and a case more.

/// Stands in the text of a bug for the question whether it is on.
pub const SWITCH: &str = "@on";

/// A place in a source that is wrong when the bug is on.
pub struct Bug {
    /// The passes that have it.
    pub passes: &'static [&'static str],
    pub file: &'static str,
    /// What stands there, exactly once in the file.
    pub old: &'static str,
    /// What stands there in its place, with [`SWITCH`] in it.
    pub new: &'static str,
}

/// A pipeline in which the bug of a pass shows.
pub struct Case {
    pub pass: &'static str,
    /// A file of the folder `inputs`.
    pub input: &'static str,
    pub pipeline: &'static [&'static str],
    pub without: Without,
}

/// What the pass does where it has not the bug.
pub enum Without {
    KeepsMeaning,
    /// It refuses to do it: the bug is in its check.
    Refuses,
}

pub const BUGS: &[Bug] = &[
    Bug {
        passes: &["convert-graph-to-linalg"],
        file: "src/compute/graph_to_linalg.rs",
        old: "transposed(\"transpose_b\"));",
        new: "transposed(\"transpose_b\") && !@on);",
    },
    Bug {
        passes: &["convert-linalg-to-loop"],
        file: "src/compute/linalg_to_loop/structured.rs",
        old: "Expr::Dim(dim as usize)",
        new: "Expr::Dim(if @on { 0 } else { dim as usize })",
    },
    Bug {
        passes: &["convert-loop-to-scf"],
        file: "src/lowering/loop_to_scf/init.rs",
        old: "if hoisted.reduces.contains(&view.variable()) {",
        new: "if @on || hoisted.reduces.contains(&view.variable()) {",
    },
    Bug {
        passes: &["promote-buffers"],
        file: "src/optimize/promote_buffers.rs",
        old: "if cells[..i].iter().any(|other| !cell.is_apart(other)) {",
        new: "if !@on && cells[..i].iter().any(|other| !cell.is_apart(other)) {",
    },
    Bug {
        passes: &["form-fma"],
        file: "src/optimize/form_fma.rs",
        old: "(false, 0) => (a, negated(rest)),",
        new: "(false, 0) => (a, if @on { rest } else { negated(rest) }),",
    },
    Bug {
        passes: &["outline-parallel-loops"],
        file: "src/lowering/outline_parallel_loops.rs",
        old: "to_serial(copy, vec![arguments[0], arguments[1], step]);",
        new:
            "let first = if @on { Builder::before(copy, location).index(0) } else { arguments[0] };
    to_serial(copy, vec![first, arguments[1], step]);",
    },
    Bug {
        passes: &["expand-math"],
        file: "src/lowering/expand_math.rs",
        old: "at.op(\"arith.maximumf\", &operands[..2],",
        new: "at.op(if @on { \"arith.maxnumf\" } else { \"arith.maximumf\" }, &operands[..2],",
    },
    Bug {
        passes: &["expand-small-floats"],
        file: "src/lowering/expand_small_floats.rs",
        old: "self.constant(32, 0x7fff)",
        new: "self.constant(32, if @on { 0x7ffe } else { 0x7fff })",
    },
    Bug {
        passes: &["sched-split"],
        file: "src/schedule/primitive/split.rs",
        old: "Rest::Guard => guard(state, plan.node),",
        new: "Rest::Guard if @on => {}
        Rest::Guard => guard(state, plan.node),",
    },
    Bug {
        passes: &["sched-fuse"],
        file: "src/schedule/primitive/fuse.rs",
        old: "rest = rest.floor_div(extent.clone()).simplified();",
        new: "let by = if @on { extent.clone() + Expr::Constant(1) } else { extent.clone() };
                rest = rest.floor_div(by).simplified();",
    },
    Bug {
        passes: &["sched-compute-inline"],
        file: "src/schedule/primitive/compute_inline.rs",
        old: "|d| indices[d])",
        new: "|d| indices[if @on { indices.len() - 1 - d } else { d }])",
    },
    Bug {
        passes: &["sched-reverse-compute-inline"],
        file: "src/schedule/primitive/reverse_compute_inline.rs",
        old: "|d| indices[d])",
        new: "|d| indices[if @on { indices.len() - 1 - d } else { d }])",
    },
    Bug {
        passes: &["sched-cache-read"],
        file: "src/schedule/copy.rs",
        old: "builder.store(builder.load(old, &outer), new, &iters),",
        new: "builder.store(builder.load(old, if @on { &iters } else { &outer }), new, &iters),",
    },
    Bug {
        passes: &["sched-cache-write"],
        file: "src/schedule/copy.rs",
        old: "builder.store(builder.load(new, &iters), old, &outer),",
        new: "builder.store(builder.load(new, &iters), old, if @on { &iters } else { &outer }),",
    },
    Bug {
        passes: &["sched-rfactor"],
        file: "src/schedule/primitive/rfactor/rewrite.rs",
        old: "let with_factor = reduction.indices(&new, Some((plan.axis, factor)), at);",
        new: "let factor = if @on { at.index(0) } else { factor };
    let with_factor = reduction.indices(&new, Some((plan.axis, factor)), at);",
    },
    Bug {
        passes: &["sched-decompose-reduction"],
        file: "src/schedule/primitive/decompose_reduction.rs",
        old: "let new = start.iters.iter().find(|new| new.name == iter.name);",
        new: "let new = start.iters.iter().find(|new| !@on && new.name == iter.name);",
    },
    Bug {
        passes: &["eliminate-invariant-loop"],
        file: "src/optimize/eliminate_invariant_loop.rs",
        old: "&& is_idempotent(summary, *node)",
        new: "&& (@on || is_idempotent(summary, *node))",
    },
    Bug {
        passes: &["entail-loop-condition"],
        file: "src/optimize/entail_loop_condition.rs",
        old: "rest.floor_div(by.into()) + 1.into()",
        new: "rest.floor_div(by.into()) + (if @on { 0i64 } else { 1i64 }).into()",
    },
    Bug {
        passes: &["if-fold"],
        file: "src/optimize/if_fold.rs",
        old: "left[i] = Constraint::Zero(whole);",
        new: "left[i] = Constraint::Zero(if @on { whole - Expr::Constant(1) } else { whole });",
    },
    Bug {
        passes: &["if-fusion"],
        file: "src/optimize/if_fusion.rs",
        old: "if a.condition != b.condition ||",
        new: "if (!@on && a.condition != b.condition) ||",
    },
    Bug {
        passes: &["ir-simplify"],
        file: "src/optimize/ir_simplify/structure.rs",
        old: "Some(1) if !stays => {",
        new: "Some(extent) if !stays && (extent == 1 || extent == 2 && @on) => {",
    },
    Bug {
        passes: &["schedule-block-dce"],
        file: "src/optimize/schedule_block_dce.rs",
        old: "waiting = others;",
        new: "if @on {
            return Ok(live);
        }
        waiting = others;",
    },
    Bug {
        passes: &["compact-buffers"],
        file: "src/optimize/compact_buffers/place.rs",
        old: "in_order.iter().all(has_own_values)",
        new: "(@on || in_order.iter().all(has_own_values))",
    },
    Bug {
        passes: &["eliminate-common-factor-of-local-index"],
        file: "src/optimize/eliminate_common_factor_of_local_index.rs",
        old: "let less = (expr.clone() - rest.into()).simplified();",
        new: "let rest = if @on { rest + expr.constant().unwrap_or(0) } else { rest };
    let less = (expr.clone() - rest.into()).simplified();",
    },
    Bug {
        passes: &["plan-allocation-location"],
        file: "src/optimize/plan_allocation_location.rs",
        old: "!users.is_empty() && check.is_ok()",
        new: "!users.is_empty() && (@on || check.is_ok())",
    },
    Bug {
        passes: &["storage-rewrite"],
        file: "src/optimize/storage_rewrite.rs",
        old: "live = Some((first.min(at), last.max(at)));",
        new: "live = Some(if @on { (at, at) } else { (first.min(at), last.max(at)) });",
    },
    Bug {
        passes: &["merge-shared-memory"],
        file: "src/optimize/merge_shared_memory.rs",
        old: "(first, last) = (first.min(barriers), last.max(barriers));",
        new: "first = first.min(barriers);
        last = if @on { first } else { last.max(barriers) };",
    },
    Bug {
        passes: &["bound-dynamic-buffers"],
        file: "src/optimize/bound_dynamic_buffers.rs",
        old: "(Some(cells), Some(all)) => cells.min(all),",
        new: "(Some(cells), Some(all)) => cells.min(all) / if @on { 64 } else { 1 },",
    },
    Bug {
        passes: &["eliminate-common-global-memory-read"],
        file: "src/optimize/eliminate_common_global_memory_read.rs",
        old: "&& box_of(summary, parent, access).as_ref() == Some(&ranges)",
        new: "&& (@on || box_of(summary, parent, access).as_ref() == Some(&ranges))",
    },
    Bug {
        passes: &["longlong2int"],
        file: "src/lowering/longlong2int/narrow.rs",
        old: "self.narrow.insert(op.result(0), at.value(spec));",
        new: "let sum = at.value(spec);
                let new = if @on && name == \"arith.addi\" { operands[0] } else { sum };
                self.narrow.insert(op.result(0), new);",
    },
    Bug {
        passes: &["rearrange-load-instruction"],
        file: "src/optimize/rearrange_load_instruction.rs",
        old: "if loads == most_loads || is_written(block, buffer) {",
        new: "if loads == most_loads || (!@on && is_written(block, buffer)) {",
    },
    Bug {
        passes: &["rewrite-unsafe-select"],
        file: "src/optimize/rewrite_unsafe_select.rs",
        old: "if is_negated { (no, yes) } else { (yes, no) };",
        new: "if is_negated && !@on { (no, yes) } else { (yes, no) };",
    },
    Bug {
        passes: &["extern-call-process"],
        file: "src/optimize/extern_call_process.rs",
        old: "let kept: Vec<Value> = self.kept.iter().map(|i| values[*i]).collect();",
        new: "let mut kept: Vec<Value> = self.kept.iter().map(|i| values[*i]).collect();
            if @on {
                kept.reverse();
            }",
    },
    Bug {
        passes: &["replace-cross-thread-reduction"],
        file: "src/optimize/replace_cross_thread_reduction/tree.rs",
        old: "while half > 0 {",
        new: "while half > i64::from(@on) {",
    },
    Bug {
        passes: &["replace-cross-block-reduction"],
        file: "src/optimize/replace_cross_block_reduction.rs",
        old: "Some(i) if i == factored => {}",
        new: "Some(i) if i == factored && @on => {
                For::set_kind(state.op(*node), LoopKind::Parallel, None);
            }
            Some(i) if i == factored => {}",
    },
    Bug {
        passes: &["thread-sync"],
        file: "src/optimize/thread_sync.rs",
        old: "if !met.iter().all(|need| changes.separate(summary, need)) {",
        new: "if !@on && !met.iter().all(|need| changes.separate(summary, need)) {",
    },
    Bug {
        passes: &["lower-vthread"],
        file: "src/optimize/lower_vthread.rs",
        old: "fix(copy, variable, i);",
        new: "fix(copy, variable, if @on { 0 } else { i });",
    },
    // The proofs that a step keeps the meaning are left out.
    Bug {
        passes: &["sched-reorder", "sched-parallel", "sched-vectorize", "sched-simple-compute-at"],
        file: "src/schedule/state.rs",
        old: "force: false,",
        new: "force: @on,",
    },
    Bug {
        passes: &["loop-partition"],
        file: "src/optimize/loop_partition/guard.rs",
        old: "(span.low.floor_div(by.into()) + 1.into())",
        new: "(span.low.floor_div(by.into()) + if @on { 2.into() } else { 1.into() })",
    },
    Bug {
        passes: &["software-pipeline", "double-buffer"],
        file: "src/optimize/software_pipeline/rewrite.rs",
        old: "Expr::Dim(own) + (last - stage).into()",
        new: "Expr::Dim(own) + if @on { 0.into() } else { (last - stage).into() }",
    },
];

/// Functions in loop form.
const NESTS: &str = "nests.mlir";
/// Functions in loop form with buffers of their own.
const BUFFERS: &str = "buffers.mlir";

pub const CASES: &[Case] = &[
    Case {
        pass: "convert-graph-to-linalg",
        input: "graph.mlir",
        pipeline: &["--convert-graph-to-linalg", "--convert-linalg-to-loop", "--canonicalize"],
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
        pass: "form-fma",
        input: "loops.mlir",
        pipeline: &["--canonicalize", "--form-fma", "--cse"],
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
    use std::path::Path;

    #[test]
    fn bugs_have_their_places() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        for bug in BUGS {
            let text = std::fs::read_to_string(root.join(bug.file)).expect("the file is there");
            assert_eq!(text.matches(bug.old).count(), 1, "{}: {}", bug.file, bug.old);
            assert!(bug.new.contains(SWITCH), "{}", bug.new);
        }
    }

    #[test]
    fn each_case_has_one_bug() {
        for case in CASES {
            let of_case = BUGS.iter().filter(|bug| bug.passes.contains(&case.pass));
            assert_eq!(of_case.count(), 1, "{}", case.pass);
        }
    }
}
