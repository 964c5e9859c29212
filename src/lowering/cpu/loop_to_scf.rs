//! `convert-loop-to-scf`: loops, schedule blocks and buffers become scf, memref, vector and arith ops.
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
//! - serial: `scf.for`; parallel, and bound to a `blockIdx` axis: `scf.parallel`, if not inside of one; bound
//!   to another axis: `scf.for`, as nothing but a barrier orders threads, and barriers are refused
//! - unroll: the body once an iteration, up to [`MAX_COPIES`](emitter::MAX_COPIES) copies in all
//! - vectorize: vectors of the machine's width where lanes are proved independent, else one vector of all
//!   lanes. Contiguous accesses are loads and stores of vectors, accesses at one place are scalar, others
//!   go lane by lane. Predicates and tails are masks. What has no vector form becomes a scalar loop, with a
//!   remark that says why, or with `require-vector` an error
//! - a schedule block: its predicate as `scf.if`, its body with the bindings put in
//! - `loop.init`: before the outermost loop that reduces, as a nest over the other loops; or, where that is
//!   not possible, in place under a condition
//! - what schedule blocks that are `atomic` update at once: `memref.atomic_rmw`, in a vector lane by lane
//! - annotations of `prefetch`: `memref.prefetch` at the start of each iteration
//! - `loop.buffer`: `memref.alloc`; a local one whose uses are all in parallel loops: `memref.alloca` in each
//!
//! Requires
//! - (C1) no `loop.sync`
//! - (C2) no lanes that reduce into one cell
//! - (C3) vectorized loops of constant extent, which have a vector form or independent lanes
//! - (C4) buffers with padding that only loads and stores use, and of static size where a parallel loop has its own

use crate::dialect::loop_op::Buffer;
use crate::ir::{Attribute, Builder, Error, Op};
use crate::lowering::emit::emitter::Emitter;
use crate::nest::rewriter::Direct;
use crate::schedule::State;

/// How to lower.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Of a vector register.
    pub vector_bits: u32,
    /// What has no vector form is an error.
    pub require_vector: bool,
}

/// Marks the arguments that the function writes, as callers must know them.
pub(crate) fn mark_results(state: &State) {
    let function = state.function;
    for (_, block) in state.summary().blocks() {
        for store in block.stores() {
            let buffer = state.buffer(store.buffer);
            let is_marked = function.argument_attribute(buffer.index(), "loop.result").is_some();
            if buffer.defining_op().is_none() && !is_marked {
                let unit = Attribute::unit(function.context());
                function.set_argument_attribute(buffer.index(), "loop.result", unit);
            }
        }
    }
}

/// Lowers all nests of a function.
pub fn convert<'c>(function: Op<'c>, options: Options) -> Result<(), Error<'c>> {
    let Some(body) = function.body(0) else { return Ok(()) };
    let ops = body.ops();
    if !ops.iter().any(|op| op.name().starts_with("loop.")) {
        return Ok(());
    }
    let state = State::new(function, Box::new(Direct))?;
    mark_results(&state);
    let mut emitter = Emitter::new(state, options);
    let (buffers, nests): (Vec<Op>, Vec<Op>) = ops
        .into_iter()
        .filter(|op| op.name().starts_with("loop.") && !op.is("loop.parallel_call"))
        .partition(|op| op.is(Buffer::NAME));
    for op in &buffers {
        emitter.plan_buffer(*op)?;
    }
    for op in &nests {
        let at = Builder::before(*op, op.location());
        emitter.init_empty(*op, at)?;
        emitter.nest(vec![*op], at)?;
    }
    nests.into_iter().for_each(Op::erase);
    emitter.erase_buffers(&buffers);
    Ok(())
}
