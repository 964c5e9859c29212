//! `rearrange-load-instruction`: hoist loads from global memory to the start of straight-line code, so that they are
//! in flight together.
//!
//! ```text
//! %a = memref.load %A[%i]                      %a = memref.load %A[%i]
//! %0 = arith.addf %a, %one                     %j = arith.addi %i, %c1
//! memref.store %0, %C[%i]                 ->   %b = memref.load %B[%j]
//! %j = arith.addi %i, %c1                      %0 = arith.addf %a, %one
//! %b = memref.load %B[%j]                      memref.store %0, %C[%i]
//! %1 = arith.mulf %b, %two                     %1 = arith.mulf %b, %two
//! ```
//! Applies to each block without nested loops and branches. Hoisted loads, with the ops that compute their indices,
//! keep their order. A second load of the same element is replaced by the first.
//!
//! The conditions apply to each load that is moved.
//!
//! Requires
//! - (C1) the buffer is an argument of the function, because loads from local and shared memory have a short latency
//! - (C2) its indices are not computed from loaded values
//! - (C3) the block has no store to the buffer, which excludes accumulators too. No barrier, call or other effect
//!   precedes the load in the block
//! - (C4) the load is one of the first `most-loads` loads of the block: each loaded value needs a register until it is
//!   used
//!
//! Two memrefs are assumed not to alias. A load is not moved out of a branch, because the branch may be the check that
//! the load is in bounds.
//!
//! The pass is not part of a pipeline, because LLVM and NVIDIA's assembler schedule instructions themselves. For the 30
//! kernels of this package's tests that were compared, PTX and machine code were the same with and without it. It is
//! one of the twelve passes of CINN's backend, and exists for users who build another pipeline.

use crate::ir::{Block, Op, TypeKind, Value, walk};

/// Rearranges the loads of a function. Returns how many loads were moved, and how many were erased.
pub fn run(function: Op, most_loads: usize) -> (u64, u64) {
    let (mut moved, mut gone) = (0, 0);
    for block in walk(function).into_iter().flat_map(|op| op.regions()).flat_map(|r| r.blocks()) {
        if block.ops().iter().all(|op| op.regions().is_empty()) {
            gone += join(function, block);
            moved += rearrange(function, block, most_loads);
        }
    }
    (moved, gone)
}

/// The buffer and the indices of a load from an argument of the function: (C1).
fn global_load<'c>(function: Op<'c>, op: Op<'c>) -> Option<(Value<'c>, Vec<Value<'c>>)> {
    if !matches!(op.name(), "memref.load" | "vector.load") {
        return None;
    }
    let operands = op.operands();
    let (buffer, indices) = operands.split_first()?;
    let is_argument = buffer.owner().and_then(|block| block.parent()) == Some(function);
    // Buffers of a thread block have a memory space.
    let is_plain = matches!(buffer.ty().kind(), TypeKind::MemRef { .. });
    (is_argument && is_plain).then(|| (*buffer, indices.to_vec()))
}

/// The buffer that an op stores to.
fn stored(op: Op) -> Option<Value> {
    match op.name() {
        "memref.store" | "vector.store" => Some(op.operand(1)),
        "vector.maskedstore" => Some(op.operand(0)),
        _ => None,
    }
}

/// True if an op reads memory and has no other effect.
fn only_reads(op: Op) -> bool {
    matches!(op.name(), "memref.load" | "vector.load" | "vector.maskedload")
}

/// (C3), for an op that a load is moved across.
fn may_pass(op: Op) -> bool {
    op.has_no_effects() || only_reads(op) || stored(op).is_some()
}

/// True if the block stores to the buffer.
fn is_written(block: Block, buffer: Value) -> bool {
    block.ops().into_iter().any(|op| stored(op) == Some(buffer))
}

/// Replaces loads by equal ones before them.
fn join<'c>(function: Op<'c>, block: Block<'c>) -> u64 {
    let mut known: Vec<(Op<'c>, Value<'c>, Vec<Value<'c>>)> = vec![];
    let mut gone = 0;
    for op in block.ops() {
        if !may_pass(op) {
            known.clear();
        }
        let Some((buffer, indices)) = global_load(function, op) else { continue };
        if is_written(block, buffer) {
            continue;
        }
        let ty = op.result(0).ty();
        let is_same = |(other, of, at): &&(Op<'c>, Value<'c>, Vec<Value<'c>>)| {
            *of == buffer && *at == indices && other.result(0).ty() == ty
        };
        match known.iter().find(is_same) {
            Some((first, ..)) => {
                op.result(0).replace_all_uses_with(first.result(0));
                op.erase();
                gone += 1;
            }
            None => known.push((op, buffer, indices)),
        }
    }
    gone
}

/// Moves loads, and the ops that compute their indices, to the start of a block.
fn rearrange<'c>(function: Op<'c>, block: Block<'c>, most_loads: usize) -> u64 {
    let ops = block.ops();
    // The ops that come first, in their new order.
    let mut front: Vec<Op<'c>> = vec![];
    let (mut loads, mut moved) = (0, 0);
    for op in ops.iter().copied().take_while(|op| may_pass(*op)) {
        let Some((buffer, _)) = global_load(function, op) else { continue };
        if loads == most_loads || is_written(block, buffer) {
            continue;
        }
        let Some(needed) = computed_before(op, &ops, &front) else { continue };
        let is_behind = |later: &Op<'c>| !front.contains(later) && !needed.contains(later);
        let passes = ops.iter().take_while(|other| **other != op).any(is_behind);
        front.extend(needed);
        front.push(op);
        loads += 1;
        moved += u64::from(passes);
    }
    if moved > 0 {
        let rest = ops.iter().find(|op| !front.contains(op)).expect("a block ends in a terminator");
        front.iter().for_each(|op| op.move_before(*rest));
    }
    moved
}

/// The ops of the block that must precede a load, in order, without those of `front`. `None` if the load depends on
/// an op with effects, such as a load: (C2).
fn computed_before<'c>(op: Op<'c>, ops: &[Op<'c>], front: &[Op<'c>]) -> Option<Vec<Op<'c>>> {
    let mut needed: Vec<Op<'c>> = vec![];
    let mut next = vec![op];
    while let Some(op) = next.pop() {
        for made in op.operands().into_iter().filter_map(Value::defining_op) {
            if !ops.contains(&made) || needed.contains(&made) {
                continue;
            }
            if !made.has_no_effects() {
                return None;
            }
            needed.push(made);
            next.push(made);
        }
    }
    Some(ops.iter().copied().filter(|op| needed.contains(op) && !front.contains(op)).collect())
}
