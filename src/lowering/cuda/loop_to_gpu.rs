//! `convert-loop-to-gpu`: lower loop nests that are bound to GPU threads to kernels, which the function
//! launches in order.
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
//! - The variable of a bound loop becomes the thread or block number. If the axis has more threads than the loop has
//!   iterations, a condition disables the others. The other loops, and bodies of schedule blocks, are lowered as by
//!   `convert-loop-to-scf`, with vectors of 128 bits and without masks. Parallel loops and loops that are bound to
//!   `vthread` run serially in their thread.
//! - The size of a thread block in each axis is the largest extent of the loops that are bound to this axis. The size
//!   of the grid is found in the same way, and is at least one block. If extents are not constant, the function
//!   computes the size before the launch.
//! - Cross-thread reductions become warp shuffles: see
//!   [`src/lowering/emit/collective.rs`](crate::lowering::emit::collective).
//! - The body of a called function replaces the call.
//! - `loop.sync` becomes `gpu.barrier`. A `shared` buffer becomes workgroup memory of the kernel, aligned to at least
//!   16 bytes. If a kernel exceeds the limit of static shared memory, `dynamic-shared-memory` later makes its launch
//!   request the memory. A `local` buffer becomes a `memref.alloca`. A `global` buffer becomes a `memref.alloc` in the
//!   function, which is passed to the kernels.
//! - If a reduction may have no iterations, and the kernel writes its start values in the reduction loop, an additional
//!   kernel is launched first. It writes the start values if there are no iterations.
//! - The arguments of a kernel are the buffers, in the order of the function's arguments, then the sizes. Buffers must
//!   be aligned to 16 bytes. They do not overlap, by the definition of the dialect.
//! - Functions without a bound loop are unchanged, except those that are in a call which the host executes (`no_inline`): the
//!   caller and the called function.
//!
//! Requires
//! - (C1) control flow is uniform at barriers: either all threads of a thread block reach a barrier or none
//! - (C2) lanes of a vectorized loop do not reduce into one element. Threads reduce into one element only by atomic
//!   updates other than `mul`, or with one value for each thread and the threads in groups of lanes: see
//!   [`src/schedule/legality/cross_thread_reduction/warp.rs`](crate::schedule::legality::cross_thread_reduction::warp)
//! - (C3) the lanes of each vectorized loop are proved independent; or it has a vector form, and a constant extent of
//!   at most 1024. With `require-vector`, each has a vector form and a constant extent
//! - (C4) padded buffers are used only by loads and stores. All conditions of `verify-gpu-code` on memory and threads
//!   hold; messages about these have the numbers of `verify-gpu-code`
//! - (C5) each nest has a bound loop, or at most 1024 iterations; then one thread runs it
//! - (C6) outside of the nests, no op of the function reads or writes memory, except those that the host executes: calls with
//!   `no_inline`, and in `scf` loops and branches calls, copies of buffers, and loads and stores of scalars
//! - (C7) the extents of `blockIdx` loops are known before the launch. If the function computes the size of the grid,
//!   the launching code must check that it is within the limits of the device
//! - (C8) NVPTX supports all ops: numbers have up to 64 bits, atomic updates have 16 bits or more, and math ops are among
//!   those that `expand-math` or `convert-math-to-nvptx` lowers. Called functions are in the module, have one block of such
//!   ops and of `scf` ops, and do not call each other again
//! - (C9) a reduction has at least one iteration, unless its start values are written before its loops, or by the
//!   additional kernel. There is such a kernel only if each spatial iter is itself an index of the written element, and
//!   all domains depend on sizes only
//! - (C10) each schedule block with the annotation `async_copy` loads one value from global memory and stores it in
//!   shared memory. A barrier precedes each access to the copied data, including accesses by the copying thread

mod calls;
mod check;
mod grid;
mod kernel;
mod start;

use super::verify_gpu_code::{self, Limits};
use crate::dialect::loop_enums::{Scope, ThreadAxis};
use crate::dialect::loop_op::{BufferView, For, ScheduleBlock};
use crate::ir::{
    Attribute, Block, Builder, Error, Op, Region, callee, is_kept_call, parents, walk,
};
use crate::lowering::emit::buffer::{allocate, erase_buffers};
use crate::lowering::emit::cursor::Cursor;
use crate::lowering::emit::plan;
use crate::lowering::emit::plan::EmissionPlan;
use crate::lowering::emit::plan::init::Inits;
use crate::lowering::{symbol, take_name};
use crate::machine::cuda::{CUDA, Chip};
use crate::nest::edit;
use crate::nest::rewriter::Direct;
use crate::schedule::State;
use std::collections::HashSet;

/// The most iterations that a nest without bound loops may have; one thread runs it.
pub const MAX_SERIAL: i64 = 1024;

/// Options of the lowering.
#[derive(Clone, Copy, Debug)]
pub struct GpuOptions {
    /// A vectorized loop without a vector form is an error.
    pub require_vector: bool,
    /// The chip whose limits of memory and threads apply.
    pub chip: Chip,
}

/// The width of the widest access of a thread, in bits.
const VECTOR_BITS: u32 = CUDA.vector_bits as u32;

/// Converts the functions of a module that have bound loops, and those in calls that the host executes.
pub fn convert<'c>(module: Op<'c>, options: GpuOptions) -> Result<(), Error<'c>> {
    let Some(body) = module.body(0) else { return Ok(()) };
    let ops = body.ops();
    let calls_of = |op: &Op<'c>| walk(*op).into_iter().filter(|op| is_host_call(*op));
    let called: HashSet<&str> = ops.iter().flat_map(calls_of).filter_map(callee).collect();
    let is_converted = |op: &Op<'c>| {
        let is_called = op.symbol_name().is_some_and(|name| called.contains(name));
        op.is("func.func") && (is_called || has_bound_loop(*op) || calls_of(op).next().is_some())
    };
    let functions: Vec<Op> = ops.iter().copied().filter(is_converted).collect();
    if !functions.iter().any(|op| has_bound_loop(*op)) {
        return Ok(());
    }
    let context = module.context();
    let mut names = ops.iter().map(|op| symbol(*op).to_owned()).collect();
    let name = take_name(&mut names, "kernels");
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

/// Converts a function and appends its kernels to a `gpu.module`.
fn function<'c>(
    function: Op<'c>,
    kernels: Op<'c>,
    GpuOptions { require_vector, chip }: GpuOptions,
) -> Result<(), Error<'c>> {
    let Some(body) = function.body(0) else { return Ok(()) };
    let options = plan::LoweringOptions { vector_bits: VECTOR_BITS, require_vector };
    let started = started(function)?;
    let (buffers, nests): (Vec<Op>, Vec<Op>) = body
        .ops()
        .into_iter()
        .filter(|op| op.name().starts_with("loop."))
        .partition(|op| op.is(BufferView::NAME));
    let state = State::new(function, Box::new(Direct))?;
    let collectives = check::function(&state, &nests)?;
    check::buffers(&buffers)?;
    verify_gpu_code::function(function, &Limits::of(chip))?;
    edit::mark_results(function, function);
    let mut plan = EmissionPlan::new(state, options);
    plan.collectives = collectives;
    check::reductions(&plan.inits, &nests, &started)?;
    let mut cursor = Cursor::new();
    for op in &buffers {
        let view = BufferView::of(*op)?;
        if view.scope == Scope::Global {
            allocate(&mut cursor, &view);
        }
    }
    for (i, nest) in nests.iter().enumerate() {
        let name = format!("{}_{i}", symbol(function));
        let kernel =
            kernel::KernelInputs { plan: &plan, nest: *nest, name, buffers: &buffers, chip };
        kernel.make(&mut cursor, kernels)?;
    }
    nests.into_iter().for_each(Op::erase);
    erase_buffers(&cursor, &buffers);
    Ok(())
}

/// Adds a nest for the start values of reductions that may have no iterations; returns the blocks that have
/// such a nest.
fn started<'c>(function: Op<'c>) -> Result<Vec<Op<'c>>, Error<'c>> {
    let state = State::new(function, Box::new(Direct))?;
    let maybe_empty = Inits::of(&state).maybe_empty(function)?;
    let blocks: Vec<Op> = maybe_empty.into_iter().map(|view| view.op).collect();
    start::for_empty(&state, &blocks)
}

/// True for a call that the host executes: it is not to be inlined, and is in no nest.
fn is_host_call(op: Op) -> bool {
    is_kept_call(op)
        && !parents(op).any(|around| around.is(For::NAME) || around.is(ScheduleBlock::NAME))
}

/// True if a loop nested in the op is bound to threads or thread blocks.
fn has_bound_loop(op: Op) -> bool {
    let axis = |op: Op| For::of(op).ok().and_then(|view| view.thread);
    let mut loops = walk(op).into_iter().filter(|op| op.is(For::NAME));
    loops.any(|op| axis(op).is_some_and(|axis| axis != ThreadAxis::VThread))
}
