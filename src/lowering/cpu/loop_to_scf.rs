//! `convert-loop-to-scf`: lower loops, schedule blocks and buffers to scf, memref, vector and arith ops.
//!
//! ```text
//! loop.for parallel %i in 128 {
//!   loop.for serial %j.0 in 4 {
//!     loop.for vectorize %j.1 in 16 {
//!       loop.block "B" [%vi: .., %vj: ..] = (%i, %j.0 * 16 + %j.1) { B[vi, vj] = A[vi, vj] * 2 }
//!   ->
//! scf.parallel (%i) = (0) to (128) {
//!   scf.for %j.0 = 0 to 4 {
//!     %a = vector.load %A[%i, %j.0 * 16] : vector<16xf32>
//!     %b = arith.mulf %a, %two
//!     vector.store %b, %B[%i, %j.0 * 16]
//! ```
//! - A serial loop becomes `scf.for`. A parallel loop, or a loop that is bound to a `blockIdx` axis, becomes
//!   `scf.parallel`, or `scf.for` if it is nested in such a loop or in a vectorized loop. A loop that is bound to
//!   another axis becomes `scf.for`. This is correct because only barriers order threads, and barriers are refused.
//! - An unrolled loop becomes one copy of the body for each iteration. If the extent is not constant, or nested
//!   unrolled loops would have more than 1024 copies in total, it becomes `scf.for`, with a remark.
//! - A vectorized loop becomes vectors of `vector-bits` bits if the lanes are proved independent, otherwise one vector
//!   of all lanes. Contiguous accesses become vector loads and stores, accesses that are equal in all lanes become
//!   scalar, and other accesses are emitted lane by lane. Predicates and tails become masks. If a mask may have no
//!   active lane, a branch skips the masked code. If the vectorized loop contains a reduction, the branch is omitted
//!   under two conditions: each condition on the loop variable is an upper bound, which is proved to hold in the first
//!   lane, and each index in the loop is linear in the loop variable or does not depend on it. A loop that cannot be
//!   emitted as vectors becomes a scalar loop, with a remark that gives the reason; with `require-vector` it is an error.
//! - A schedule block is replaced by its body, with bindings in place of iters. The predicate becomes an `scf.if`.
//! - A `loop.init` is hoisted before the outermost reduction loop, into a nest over the other loops. If that is not
//!   possible, it stays in the body, under the condition that this is the first instance.
//! - An update in a schedule block with the annotation `atomic` becomes a `memref.atomic_rmw`, in vectors one for each
//!   lane. If it is proved that no two concurrent iterations update the same element, it becomes a load and a store.
//! - A `prefetch` annotation becomes `memref.prefetch` ops at the start of each iteration. It names a buffer (`prefetch.A`) or the
//!   position of one among those that the loop reads (`prefetch_read.0`).
//! - A `loop.buffer` becomes a `memref.alloc`. A local buffer that is used only in parallel loops becomes a
//!   `memref.alloca` in each of these loops.
//!
//! Requires
//! - (C1) there is no `loop.sync`
//! - (C2) lanes of a vectorized loop do not reduce into one element
//! - (C3) the lanes of each vectorized loop are proved independent; or it has a vector form, and a constant extent of
//!   at most 1024. With `require-vector`, each has a vector form and a constant extent
//! - (C4) padded buffers are used only by loads and stores. A buffer of which each iteration of a parallel loop has its
//!   own instance has a static size of at most 512 KiB

use crate::dialect::loop_op::BufferView;
use crate::ir::{Builder, Error, Op};
use crate::lowering::emit::buffer::{allocate, erase_buffers};
use crate::lowering::emit::cursor::Cursor;
use crate::lowering::emit::init::init_empty;
use crate::lowering::emit::nest::emit_nest;
use crate::lowering::emit::plan::buffer::{Buffers, PrivateBuffers};
use crate::lowering::emit::plan::{EmissionPlan, LoweringOptions};
use crate::nest::edit;
use crate::nest::rewriter::Direct;
use crate::schedule::State;

/// Lowers all nests of a function.
pub fn convert<'c>(function: Op<'c>, options: LoweringOptions) -> Result<(), Error<'c>> {
    let Some(body) = function.body(0) else { return Ok(()) };
    let ops = body.ops();
    if !ops.iter().any(|op| op.name().starts_with("loop.")) {
        return Ok(());
    }
    let state = State::new(function, Box::new(Direct))?;
    edit::mark_results(function, function);
    let (buffers, nests): (Vec<Op>, Vec<Op>) = ops
        .into_iter()
        .filter(|op| op.name().starts_with("loop.") && !op.is("loop.parallel_call"))
        .partition(|op| op.is(BufferView::NAME));
    let Buffers { once, private } = Buffers::of(&buffers)?;
    let mut plan = EmissionPlan::new(state, options);
    plan.private = PrivateBuffers::of(&private)?;
    let mut cursor = Cursor::new();
    for op in once {
        allocate(&mut cursor, &BufferView::of(op)?);
    }
    for op in &nests {
        let at = Builder::before(*op, op.location());
        init_empty(&plan, &mut cursor, *op, at)?;
        emit_nest(&plan, &mut cursor, vec![*op], at)?;
    }
    nests.into_iter().for_each(Op::erase);
    erase_buffers(&cursor, &buffers);
    Ok(())
}
