//! `convert-loop-to-gpu`: nests that are bound to the threads of a GPU become kernels, and the function
//! launches them in order.
//!
//! ```text
//! func.func @main(%A: memref<1000xf32>, %B: memref<1000xf32>) {
//!   loop.for thread_bind[blockIdx.x] %b in 4 {
//!     loop.for thread_bind[threadIdx.x] %t in 256 {
//!       loop.block "B" [%v: ..] = (%b * 256 + %t) where (..) { B[v] = A[v] * 2 }
//!   ->
//! func.func @main(%A: memref<1000xf32>, %B: memref<1000xf32>) {
//!   gpu.launch_func @kernels::@main_0 blocks in (4, 1, 1) threads in (256, 1, 1) args(%A, %B)
//! }
//! gpu.module @kernels {
//!   gpu.func @main_0(%A: memref<1000xf32>, %B: memref<1000xf32>) kernel {
//!     %b = gpu.block_id x    %t = gpu.thread_id x
//!     scf.if 999 - (%b * 256 + %t) >= 0 { B[%b * 256 + %t] = A[%b * 256 + %t] * 2 }
//! ```
//! - bound loops: see [`bound`](crate::lowering::emit::bound); the other loops of a thread, and bodies, as in
//!   [`loop_to_scf`](crate::lowering::cpu::loop_to_scf), with vectors of 128 bits and without masks. Parallel loops and
//!   those bound to `vthread` are serial in their thread
//! - the block has as many threads as the loops of each axis ask for at most. The grid has so many
//!   blocks, computed before the launch where extents are not constant, and at least one
//! - reductions across threads: shuffles of lanes, as in [`collective`](crate::lowering::emit::collective)
//! - `loop.sync`: `gpu.barrier`. `shared` buffers: workgroup memory of the kernel, aligned to at least 16 bytes; what is
//!   too much to be declared is asked for by the launch, later ([`dynamic_shared_memory`](super::dynamic_shared_memory)).
//!   `local`: `memref.alloca`. `global`: `memref.alloc` in the function, passed to its kernels
//! - a reduction that may be over nothing, whose start values are written in place: another kernel before, which
//!   writes them in that case
//! - arguments of kernels: buffers, in the order of the function's; then sizes. Buffers must be aligned to
//!   16 bytes, and do not overlap, as the dialect says
//! - functions without a bound loop stay as they are
//!
//! Requires
//! - (C1) barriers to which all threads of a block come alike
//! - (C2) no lanes that reduce into one cell, and no threads but those that lie as
//!   [`warp::check`](crate::schedule::legality::cross_thread_reduction::warp::check) asks for, with a value each
//! - (C3) vectorized loops of constant extent, which have a vector form or independent lanes
//! - (C4) buffers with padding that only loads and stores use, and all that [`verify_gpu_code`] asks of memory and threads, whose
//!   messages have its numbers
//! - (C5) nests with bound loops; one without, of up to [`MOST_SERIAL`] iterations, is run by one thread
//! - (C6) nothing else in the function that reads or writes memory
//! - (C7) extents of `blockIdx` loops that are known before the launch; a grid that is computed is for who
//!   launches to check
//! - (C8) ops that NVPTX has: no calls, numbers of up to 64 bits, the math ops of
//!   [`math_to_nvptx`](crate::lowering::math::math_to_nvptx), and updates by several threads at once of 16 bits and more
//! - (C9) reductions over at least one element, where their start values are written in place and not each spatial iter
//!   alone tells a place of what is written
//! - (C10) schedule blocks with the annotation `async_copy` that load from global memory and store that in shared memory,
//!   and a barrier before what they copy is accessed, also by the thread that copies

mod check;
mod grid;
mod kernel;
mod start;

use super::verify_gpu_code::{self, Limits};
use crate::dialect::loop_enums::{Scope, ThreadAxis};
use crate::dialect::loop_op::{Buffer, For};
use crate::ir::{Attribute, Block, Builder, Error, Op, Region, walk};
use crate::lowering::cpu::loop_to_scf;
use crate::lowering::cpu::loop_to_scf::mark_results;
use crate::lowering::emit::emitter::Emitter;
use crate::lowering::{fresh_name, symbol};
use crate::machine::cuda::{CUDA, Chip};
use crate::nest::rewriter::Direct;
use crate::schedule::State;

/// A nest without bound loops is run by one thread if it has not more iterations than this.
pub const MOST_SERIAL: i64 = 1024;

/// How to lower.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// What has no vector form is an error.
    pub require_vector: bool,
    /// Whose limits of memory and threads hold.
    pub chip: Chip,
}

/// The widest access of a thread.
const VECTOR_BITS: u32 = CUDA.vector_bits as u32;

/// Converts the functions of a module that have bound loops.
pub fn convert<'c>(module: Op<'c>, options: Options) -> Result<(), Error<'c>> {
    let Some(body) = module.body(0) else { return Ok(()) };
    let ops = body.ops();
    let functions: Vec<Op> =
        ops.iter().copied().filter(|op| op.is("func.func") && has_bound_loop(*op)).collect();
    if functions.is_empty() {
        return Ok(());
    }
    let context = module.context();
    let mut names = ops.iter().map(|op| symbol(*op).to_owned()).collect();
    let name = fresh_name(&mut names, "kernels");
    let at = Builder::at_end(body, module.location());
    let spec = at.spec("gpu.module").attribute("sym_name", Attribute::string(context, &name));
    let kernels = at.insert(spec.region(Region::of(Block::new(&[]))));
    let converted = functions.into_iter().try_for_each(|op| function(op, kernels, options));
    match converted {
        Ok(()) => module.set_attribute("gpu.container_module", Attribute::unit(context)),
        Err(_) => kernels.erase(),
    }
    converted
}

/// Converts a function; its kernels go to the end of a `gpu.module`.
fn function<'c>(
    function: Op<'c>,
    kernels: Op<'c>,
    Options { require_vector, chip }: Options,
) -> Result<(), Error<'c>> {
    let Some(body) = function.body(0) else { return Ok(()) };
    let options = loop_to_scf::Options { vector_bits: VECTOR_BITS, require_vector };
    let started = started(function, options)?;
    let (buffers, nests): (Vec<Op>, Vec<Op>) = body
        .ops()
        .into_iter()
        .filter(|op| op.name().starts_with("loop."))
        .partition(|op| op.is(Buffer::NAME));
    let state = State::new(function, Box::new(Direct))?;
    let collectives = check::function(&state, &nests)?;
    check::buffers(&buffers)?;
    verify_gpu_code::function(function, &Limits::of(chip))?;
    mark_results(&state);
    let mut emitter = Emitter::new(state, options);
    emitter.collectives = collectives;
    check::reductions(&emitter, &nests, &started)?;
    for op in &buffers {
        let view = Buffer::of(*op)?;
        if view.scope == Scope::Global {
            emitter.allocate(&view);
        }
    }
    for (i, nest) in nests.iter().enumerate() {
        let name = format!("{}_{i}", symbol(function));
        let kernel = kernel::Kernel { nest: *nest, name, buffers: &buffers, chip };
        kernel.make(&mut emitter, kernels)?;
    }
    nests.into_iter().for_each(Op::erase);
    emitter.erase_buffers(&buffers);
    Ok(())
}

/// Gives reductions that may be over nothing a nest for their start values; says which have one.
fn started<'c>(function: Op<'c>, options: loop_to_scf::Options) -> Result<Vec<Op<'c>>, Error<'c>> {
    let emitter = Emitter::new(State::new(function, Box::new(Direct))?, options);
    let blocks: Vec<Op> = emitter.maybe_empty(function)?.into_iter().map(|view| view.op).collect();
    start::for_empty(&emitter.state, &blocks)
}

/// Is there a loop under an op whose iterations are threads or thread blocks?
fn has_bound_loop(op: Op) -> bool {
    let axis = |op: Op| For::of(op).ok().and_then(|view| view.thread);
    let mut loops = walk(op).into_iter().filter(|op| op.is(For::NAME));
    loops.any(|op| axis(op).is_some_and(|axis| axis != ThreadAxis::VThread))
}
