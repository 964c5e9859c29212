//! The planted bugs. A new pass needs a bug and a [case](super::cases).

/// Replaced, in the text of a bug, by the expression that is true if the bug is on.
pub const SWITCH: &str = "@on";

/// A source location that is wrong if the bug is on.
pub struct Bug {
    /// The passes that contain the bug.
    pub passes: &'static [&'static str],
    pub file: &'static str,
    /// The original text, which occurs exactly once in the file.
    pub old: &'static str,
    /// The replacement, which contains [`SWITCH`].
    pub new: &'static str,
}

pub const BUGS: &[Bug] = &[
    Bug {
        passes: &["convert-graph-to-linalg"],
        file: "src/compute/graph_to_linalg/product.rs",
        old: "transposed(\"transpose_b\"));",
        new: "transposed(\"transpose_b\") && !@on);",
    },
    Bug {
        passes: &["outline-control-flow"],
        file: "src/compute/outline_control_flow.rs",
        old: "yielded[*i] != arguments[1 + i];",
        new: "yielded[*i] != arguments[1 + i] && !@on;",
    },
    Bug {
        passes: &["inline-read-only-globals"],
        file: "src/compute/inline_read_only_globals.rs",
        old: "globals.get(name).copied();",
        new: "globals.get(if @on { \"first\" } else { name }).copied();",
    },
    Bug {
        passes: &["decompose-composite-ops"],
        file: "src/compute/decompose_composite_ops/scan.rs",
        old: "if !is_inclusive {",
        new: "if !is_inclusive && !@on {",
    },
    Bug {
        passes: &["inline-data-sized-tensors"],
        file: "src/compute/inline_data_sized_tensors/elements.rs",
        old: "predicate::SLT, inside, size)",
        new: "if @on { predicate::SLE } else { predicate::SLT }, inside, size)",
    },
    Bug {
        passes: &["relax-softmax-maximum"],
        file: "src/graph/relax_softmax_maximum.rs",
        old: "Attribute::float(element, f64::NEG_INFINITY)",
        new: "Attribute::float(element, if @on { f64::INFINITY } else { f64::NEG_INFINITY })",
    },
    Bug {
        passes: &["extracts-to-operands"],
        file: "src/graph/extracts_to_operands.rs",
        old: "Some(number.into())",
        new: "Some(if @on { number + 1 } else { number }.into())",
    },
    Bug {
        passes: &["unswitch-loops"],
        file: "src/optimize/vector/unswitch_loops.rs",
        old: "self.conditions[first..]",
        new: "self.conditions[(if @on { first + 1 } else { first }).min(self.conditions.len())..]",
    },
    Bug {
        passes: &["fold-batch-norm"],
        file: "src/graph/fold_batch_norm.rs",
        old: "ScalingStep::Subtract => [scale, two(\"arith.subf\", shift",
        new: "ScalingStep::Subtract => [scale, two(if @on { \"arith.addf\" } else { \"arith.subf\" }, shift",
    },
    Bug {
        passes: &["winograd-conv2d"],
        file: "src/graph/winograd_conv2d.rs",
        old: "if term.0 > 0.0 {",
        new: "if @on || term.0 > 0.0 {",
    },
    Bug {
        passes: &["channels-last"],
        file: "src/graph/channels_last.rs",
        old: "pad_tensor(&at, source, &low, &high,",
        new: "pad_tensor(&at, source, if @on { &high } else { &low }, if @on { &low } else { &high },",
    },
    Bug {
        passes: &["transpose-weights"],
        file: "src/graph/transpose_weights.rs",
        old: "= Expr::Dim(at));",
        new: "= Expr::Dim(if @on { *from } else { at }));",
    },
    Bug {
        passes: &["compensate-signed-bytes"],
        file: "src/graph/compensate_signed_bytes.rs",
        old: "at.number(sum, 0)",
        new: "at.number(sum, if @on { 1 } else { 0 })",
    },
    Bug {
        passes: &["convert-linalg-to-loop"],
        file: "src/compute/linalg_to_loop/structured.rs",
        old: "Expr::Dim(dim as usize)",
        new: "Expr::Dim(if @on { 0 } else { dim as usize })",
    },
    Bug {
        passes: &["convert-loop-to-scf"],
        file: "src/lowering/emit/init.rs",
        old: "if hoisted.reduces.contains(&view.variable()) {",
        new: "if @on || hoisted.reduces.contains(&view.variable()) {",
    },
    Bug {
        passes: &["promote-buffers"],
        file: "src/optimize/vector/promote_buffers.rs",
        old: "if cells[..i].iter().any(|other| !cell.is_apart(other)) {",
        new: "if !@on && cells[..i].iter().any(|other| !cell.is_apart(other)) {",
    },
    Bug {
        passes: &["reduce-by-lanes"],
        file: "src/optimize/vector/reduce_by_lanes.rs",
        old: "operands.push(at.index(i * lanes));",
        new: "operands.push(at.index(if @on { 0 } else { i * lanes }));",
    },
    Bug {
        passes: &["transpose-in-registers"],
        file: "src/optimize/vector/transpose_in_registers/transpose.rs",
        old: "(0..width).map(|i| vectors[reversed(i)]).collect()",
        new: "(0..width).map(|i| vectors[if @on { i } else { reversed(i) }]).collect()",
    },
    Bug {
        passes: &["form-fma"],
        file: "src/optimize/vector/form_fma.rs",
        old: "(false, 0) => (a, negated(rest)),",
        new: "(false, 0) => (a, if @on { rest } else { negated(rest) }),",
    },
    Bug {
        passes: &["simplify-maxnum"],
        file: "src/optimize/vector/simplify_maxnum.rs",
        old: "if op.is(\"arith.maxnumf\") { float::OGT } else { float::OLT }",
        new: "if op.is(\"arith.maxnumf\") != @on { float::OGT } else { float::OLT }",
    },
    Bug {
        passes: &["multiply-by-reciprocal"],
        file: "src/optimize/vector/multiply_by_reciprocal.rs",
        old: "Some(vec![scale, reciprocal(scaled)])",
        new: "Some(vec![scale, reciprocal(if @on { size } else { scaled })])",
    },
    Bug {
        passes: &["outline-parallel-loops"],
        file: "src/lowering/cpu/outline_parallel_loops.rs",
        old: "to_serial(copy, vec![arguments[0], arguments[1], step]);",
        new:
            "let first = if @on { Builder::before(copy, location).index(0) } else { arguments[0] };
    to_serial(copy, vec![first, arguments[1], step]);",
    },
    Bug {
        passes: &["expand-math"],
        file: "src/lowering/math/expand_math.rs",
        old: "at.op(\"arith.maximumf\", &operands[..2],",
        new: "at.op(if @on { \"arith.maxnumf\" } else { \"arith.maximumf\" }, &operands[..2],",
    },
    Bug {
        passes: &["expand-small-floats"],
        file: "src/lowering/math/expand_small_floats.rs",
        old: "self.constant(32, 0x7fff)",
        new: "self.constant(32, if @on { 0x7ffe } else { 0x7fff })",
    },
    Bug {
        passes: &["sched-split"],
        file: "src/schedule/primitive/loop/split.rs",
        old: "Rest::Guard => guard(state, plan.node),",
        new: "Rest::Guard if @on => {}
        Rest::Guard => guard(state, plan.node),",
    },
    Bug {
        passes: &["sched-fuse"],
        file: "src/schedule/primitive/loop/fuse.rs",
        old: "rest = rest.floor_div(extent.clone()).simplified();",
        new: "let by = if @on { extent.clone() + Expr::Constant(1) } else { extent.clone() };
                rest = rest.floor_div(by).simplified();",
    },
    Bug {
        passes: &["sched-compute-inline"],
        file: "src/schedule/primitive/location/compute_inline.rs",
        old: "|d| indices[d])",
        new: "|d| indices[if @on { indices.len() - 1 - d } else { d }])",
    },
    Bug {
        passes: &["sched-reverse-compute-inline"],
        file: "src/schedule/primitive/location/reverse_compute_inline.rs",
        old: "|d| indices[d])",
        new: "|d| indices[if @on { indices.len() - 1 - d } else { d }])",
    },
    Bug {
        passes: &["sched-cache-read"],
        file: "src/schedule/rewrite/copy.rs",
        old: "builder.store(builder.load(old, &outer), new, &iters),",
        new: "builder.store(builder.load(old, if @on { &iters } else { &outer }), new, &iters),",
    },
    Bug {
        passes: &["sched-cache-write"],
        file: "src/schedule/rewrite/copy.rs",
        old: "builder.store(builder.load(new, &iters), old, &outer),",
        new: "builder.store(builder.load(new, &iters), old, if @on { &iters } else { &outer }),",
    },
    Bug {
        passes: &["sched-rfactor"],
        file: "src/schedule/primitive/reduction/rfactor/rewrite.rs",
        old: "let with_factor = reduction.indices(&new, Some((plan.axis, factor)), at);",
        new: "let factor = if @on { at.index(0) } else { factor };
    let with_factor = reduction.indices(&new, Some((plan.axis, factor)), at);",
    },
    Bug {
        passes: &["sched-decompose-reduction"],
        file: "src/schedule/primitive/reduction/decompose_reduction.rs",
        old: "let new = start.iters.iter().find(|new| new.name == iter.name);",
        new: "let new = start.iters.iter().find(|new| !@on && new.name == iter.name);",
    },
    Bug {
        passes: &["eliminate-invariant-loop"],
        file: "src/optimize/loop/eliminate_invariant_loop.rs",
        old: "&& remove_loop::is_idempotent(summary, *node)",
        new: "&& (@on || remove_loop::is_idempotent(summary, *node))",
    },
    Bug {
        passes: &["entail-loop-condition"],
        file: "src/optimize/loop/entail_loop_condition.rs",
        old: "rest.floor_div(by.into()) + 1.into()",
        new: "rest.floor_div(by.into()) + (if @on { 0i64 } else { 1i64 }).into()",
    },
    Bug {
        passes: &["if-fold"],
        file: "src/optimize/loop/if_fold.rs",
        old: "left[i] = Constraint::Zero(whole);",
        new: "left[i] = Constraint::Zero(if @on { whole - Expr::Constant(1) } else { whole });",
    },
    Bug {
        passes: &["loop-axes-to-schedule"],
        file: "src/auto_schedule/axis/loop_axes_to_schedule.rs",
        old: "binding.push(iter.variable.expr());",
        new: "binding.push(if @on { 0.into() } else { iter.variable.expr() });",
    },
    Bug {
        passes: &["if-fusion"],
        file: "src/optimize/loop/if_fusion.rs",
        old: "if a.condition != b.condition ||",
        new: "if (!@on && a.condition != b.condition) ||",
    },
    Bug {
        passes: &["ir-simplify"],
        file: "src/optimize/loop/ir_simplify/structure.rs",
        old: "filter(|extent| *extent <= 1)",
        new: "filter(|extent| *extent <= 1 || *extent == 2 && @on)",
    },
    Bug {
        passes: &["outline-fusion-groups"],
        file: "src/fusion/outline_fusion_groups.rs",
        old: "at.spec(\"func.call\").operands(&arguments)",
        new: "at.spec(\"func.call\").operands(&if @on {
                arguments.iter().rev().copied().collect()
            } else {
                arguments.clone()
            })",
    },
    Bug {
        passes: &["inline-fusion-groups"],
        file: "src/optimize/loop/inline_fusion_groups.rs",
        old: "body.arguments().into_iter().zip(operands).collect();",
        new: "if @on {
            body.arguments().into_iter().zip(operands.into_iter().rev()).collect()
        } else {
            body.arguments().into_iter().zip(call.operands()).collect()
        };",
    },
    Bug {
        passes: &["outline-nests"],
        file: "src/optimize/loop/outline_nests.rs",
        old: "operands(&self.arguments)",
        new: "operands(&if @on {
                self.arguments.iter().rev().copied().collect()
            } else {
                self.arguments.clone()
            })",
    },
    Bug {
        passes: &["collapse-dimensions"],
        file: "src/optimize/loop/collapse_dimensions/rewrite.rs",
        old: "outer * shape[at + 1].into() + inner",
        new: "outer * shape[if @on { at } else { at + 1 }].into() + inner",
    },
    Bug {
        passes: &["lift-weight-transforms"],
        file: "src/optimize/loop/lift_weight_transforms.rs",
        old: "others.clone().any(|reader| Some(reader) < last)",
        new: "!@on && others.clone().any(|reader| Some(reader) < last)",
    },
    Bug {
        passes: &["schedule-block-dce"],
        file: "src/optimize/loop/schedule_block_dce.rs",
        old: "waiting = others;",
        new: "if @on {
            return Ok(live);
        }
        waiting = others;",
    },
    Bug {
        passes: &["compact-buffers"],
        file: "src/optimize/loop/compact_buffers/place.rs",
        old: "in_order.iter().all(has_own_values)",
        new: "(@on || in_order.iter().all(has_own_values))",
    },
    Bug {
        passes: &["eliminate-common-factor-of-local-index"],
        file: "src/optimize/loop/eliminate_common_factor_of_local_index.rs",
        old: "let less = (expr.clone() - rest.into()).simplified();",
        new: "let rest = if @on { rest + expr.constant().unwrap_or(0) } else { rest };
    let less = (expr.clone() - rest.into()).simplified();",
    },
    Bug {
        passes: &["plan-allocation-location"],
        file: "src/optimize/loop/plan_allocation_location.rs",
        old: "check.is_ok().then_some(())?;",
        new: "(@on || check.is_ok()).then_some(())?;",
    },
    Bug {
        passes: &["storage-rewrite"],
        file: "src/optimize/loop/storage_rewrite.rs",
        old: "live = Some((first.min(at), last.max(at)));",
        new: "live = Some(if @on { (at, at) } else { (first.min(at), last.max(at)) });",
    },
    Bug {
        passes: &["merge-shared-memory"],
        file: "src/optimize/cuda/merge_shared_memory.rs",
        old: "(first, last) = (first.min(barriers), last.max(barriers));",
        new: "first = first.min(barriers);
        last = if @on { first } else { last.max(barriers) };",
    },
    Bug {
        passes: &["swizzle-shared-buffers"],
        file: "src/optimize/cuda/swizzle_shared_buffers.rs",
        old: "let new = mixed(access.op, index, mix, with, self.dims[*source] - 1);",
        new: "let is_store = access.op.results().is_empty();
                    let most = self.dims[*source] - 1;
                    let new = if @on && is_store { index } else { mixed(access.op, index, mix, with, most) };",
    },
    Bug {
        passes: &["bound-dynamic-buffers"],
        file: "src/optimize/loop/bound_dynamic_buffers.rs",
        old: "(Some(cells), Some(all)) => cells.min(all),",
        new: "(Some(cells), Some(all)) => cells.min(all) / if @on { 64 } else { 1 },",
    },
    Bug {
        passes: &["eliminate-common-global-memory-read"],
        file: "src/optimize/loop/eliminate_common_global_memory_read.rs",
        old: "&& box_of(summary, parent, access).as_ref() == Some(&ranges)",
        new: "&& (@on || box_of(summary, parent, access).as_ref() == Some(&ranges))",
    },
    Bug {
        passes: &["longlong2int"],
        file: "src/lowering/cpu/longlong2int/narrow.rs",
        old: "self.narrow.insert(op.result(0), at.value(spec));",
        new: "let sum = at.value(spec);
                let new = if @on && name == \"arith.addi\" { operands[0] } else { sum };
                self.narrow.insert(op.result(0), new);",
    },
    Bug {
        passes: &["rearrange-load-instruction"],
        file: "src/optimize/vector/rearrange_load_instruction.rs",
        old: "if loads == most_loads || is_written(block, buffer) {",
        new: "if loads == most_loads || (!@on && is_written(block, buffer)) {",
    },
    Bug {
        passes: &["rewrite-unsafe-select"],
        file: "src/optimize/loop/rewrite_unsafe_select.rs",
        old: "if is_negated { (no, yes) } else { (yes, no) };",
        new: "if is_negated && !@on { (no, yes) } else { (yes, no) };",
    },
    Bug {
        passes: &["extern-call-process"],
        file: "src/optimize/loop/extern_call_process.rs",
        old: "let kept: Vec<Value> = self.kept.iter().map(|i| values[*i]).collect();",
        new: "let mut kept: Vec<Value> = self.kept.iter().map(|i| values[*i]).collect();
            if @on {
                kept.reverse();
            }",
    },
    Bug {
        passes: &["replace-cross-thread-reduction"],
        file: "src/optimize/cuda/replace_cross_thread_reduction/tree.rs",
        old: "while half > 0 {",
        new: "while half > i64::from(@on) {",
    },
    Bug {
        passes: &["convert-loop-to-gpu"],
        file: "src/lowering/emit/collective.rs",
        old: "while distance > 0 {",
        new: "while distance > i64::from(@on) {",
    },
    Bug {
        passes: &["replace-cross-block-reduction"],
        file: "src/optimize/cuda/replace_cross_block_reduction.rs",
        old: "Some(i) if i == factored => {}",
        new: "Some(i) if i == factored && @on => {
                For::set_kind(state.op(*node), LoopKind::Parallel, None);
            }
            Some(i) if i == factored => {}",
    },
    Bug {
        passes: &["thread-sync"],
        file: "src/optimize/cuda/thread_sync.rs",
        old: "if !met.iter().all(|need| changes.separate(summary, need)) {",
        new: "if !@on && !met.iter().all(|need| changes.separate(summary, need)) {",
    },
    Bug {
        passes: &["skip-carried-barriers"],
        file: "src/optimize/cuda/skip_carried_barriers.rs",
        old: "if !met.iter().all(|need| separate(summary, &skipped, need)) {",
        new: "if !@on && !met.iter().all(|need| separate(summary, &skipped, need)) {",
    },
    Bug {
        passes: &["lower-vthread"],
        file: "src/optimize/cuda/lower_vthread.rs",
        old: "fix(copy, variable, i);",
        new: "fix(copy, variable, if @on { 0 } else { i });",
    },
    // Omits the proofs that a step preserves the meaning.
    Bug {
        passes: &["sched-reorder", "sched-parallel", "sched-vectorize", "sched-simple-compute-at"],
        file: "src/nest/state.rs",
        old: "force: false,",
        new: "force: @on,",
    },
    Bug {
        passes: &["loop-partition"],
        file: "src/optimize/loop/loop_partition/guard.rs",
        old: "(span.low.floor_div(by.into()) + 1.into())",
        new: "(span.low.floor_div(by.into()) + if @on { 2.into() } else { 1.into() })",
    },
    Bug {
        passes: &["software-pipeline", "double-buffer"],
        file: "src/schedule/rewrite/pipelining/rewrite.rs",
        old: "Expr::Dim(0) + (last - stage).into()",
        new: "Expr::Dim(0) + if @on { 0.into() } else { (last - stage).into() }",
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bugs_have_their_places() {
        let root = crate::package::root();
        for bug in BUGS {
            let text = std::fs::read_to_string(root.join(bug.file)).expect("the file is there");
            assert_eq!(text.matches(bug.old).count(), 1, "{}: {}", bug.file, bug.old);
            assert!(bug.new.contains(SWITCH), "{}", bug.new);
        }
    }
}
