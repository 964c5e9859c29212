//! `verify-gpu-code`: verify that functions respect the limits of a GPU on threads and memory. Changes nothing.
//!
//! Verifies functions with loops that are bound to threads. `convert-loop-to-gpu` runs the same check first.
//!
//! Requires
//! - (C1) extents of `threadIdx` loops have constant upper bounds, and all known extents of bound loops are within the
//!   limit of their axis
//! - (C2) a thread block has at most as many threads as the device permits
//! - (C3) `shared` and `local` buffers have a static size, and each is used in one kernel only
//! - (C4) the shared buffers of a kernel, each at its alignment, fit into the shared memory of a thread block
//! - (C5) each `local` buffer fits into the local memory of a thread
//! - (C6) all accesses of a `shared` buffer are in loops of the same `blockIdx` axes, and all accesses of a `local`
//!   buffer are in loops of the same thread axes. Outside of these loops, another thread or thread block would access
//!   another instance of the buffer
//! - (C7) with `vector-bits`, vectorized accesses have at most that many bits. (Without it, lowering splits wider
//!   accesses)

use crate::dialect::loop_enums::{LoopKind, Scope, ThreadAxis};
use crate::dialect::loop_op::{BufferView, For};
use crate::ir::affine::Expr;
use crate::ir::{Error, Op, Type, is_inside, parents, walk};
use crate::lowering::emit::plan::buffer::{accesses, bytes};
use crate::machine::cuda::{Chip, ThreadLimits};
use std::collections::BTreeSet;

/// The limits of a device, and the maximum width of an access.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub machine: ThreadLimits,
    /// The chip that has the limits; `None` if an option overrides its limit of shared memory.
    pub chip: Option<&'static str>,
    /// The maximum width of an access in bits; `None` if lowering splits wider accesses.
    pub vector_bits: Option<i64>,
}

impl Limits {
    /// The limits of a chip. Lowering splits accesses that are wider than the chip's.
    pub fn of(chip: Chip) -> Limits {
        Limits { machine: chip.limits(), chip: Some(chip.name), vector_bits: None }
    }
}

/// Verifies the functions nested in an op.
///
/// # Errors
/// For the first violated limit.
pub fn verify<'c>(root: Op<'c>, limits: &Limits) -> Result<(), Error<'c>> {
    walk(root).into_iter().filter(|op| op.is("func.func")).try_for_each(|op| function(op, limits))
}

/// Verifies a function, if it has bound loops.
///
/// # Errors
/// For the first violated limit.
pub fn function<'c>(function: Op<'c>, limits: &Limits) -> Result<(), Error<'c>> {
    let Some(body) = function.body(0) else { return Ok(()) };
    let axis = |op: &Op| For::of(*op).ok().and_then(|view| view.thread);
    let is_bound = |op: &Op| axis(op).is_some_and(|axis| axis != ThreadAxis::VThread);
    if !walk(function).iter().any(is_bound) {
        return Ok(());
    }
    let (buffers, nests): (Vec<Op>, Vec<Op>) = body
        .ops()
        .into_iter()
        .filter(|op| op.name().starts_with("loop."))
        .partition(|op| op.is(BufferView::NAME));
    nests.iter().try_for_each(|nest| threads(*nest, &limits.machine))?;
    memory(&buffers, &nests, limits)?;
    buffers.iter().try_for_each(|buffer| sides(function, *buffer))?;
    match limits.vector_bits {
        Some(most) => lanes(function, most),
        None => Ok(()),
    }
}

/// The constant extent of a bound loop; for a `threadIdx` axis, also a constant upper bound of the extent.
pub fn known_extent(view: &For, axis: ThreadAxis) -> Option<i64> {
    let known = view.extent.results.iter().filter_map(Expr::constant).min();
    let is_known = view.extent.results.iter().all(|e| e.constant().is_some());
    known.filter(|_| is_known || axis.is_thread())
}

/// (C1), (C2)
fn threads<'c>(nest: Op<'c>, limits: &ThreadLimits) -> Result<(), Error<'c>> {
    let mut most = [1_i64; 3];
    for op in walk(nest).into_iter().filter(|op| op.is(For::NAME)) {
        let view = For::of(op)?;
        let Some(axis) = view.thread.filter(|axis| *axis != ThreadAxis::VThread) else { continue };
        match known_extent(&view, axis) {
            Some(n) => {
                let limit = limits.of(axis).unwrap_or(i64::MAX);
                if n > limit {
                    let name = view.name;
                    let message = format!(
                        "\"{name}\" has {n} iterations on {axis}, expected at most {limit} (C1)"
                    );
                    return Err(Error::on(op, message));
                }
                if axis.is_thread() {
                    let place = &mut most[axis as usize - ThreadAxis::ThreadX as usize];
                    *place = n.max(*place);
                }
            }
            None if axis.is_thread() => {
                let message = format!(
                    "\"{}\" is bound to {axis} and its extent has no constant bound: the number of threads \
                     in a block must be known (C1)",
                    view.name
                );
                return Err(Error::on(op, message));
            }
            None => {}
        }
    }
    let threads = most.into_iter().fold(1, i64::saturating_mul);
    if threads > limits.threads {
        let limit = limits.threads;
        let message =
            format!("needs {threads} threads in a thread block, expected at most {limit} (C2)");
        return Err(Error::on(nest, message));
    }
    Ok(())
}

/// (C3), (C4), (C5)
fn memory<'c>(
    buffers: &[Op<'c>],
    nests: &[Op<'c>],
    Limits { machine: limits, chip, .. }: &Limits,
) -> Result<(), Error<'c>> {
    let mut shared = vec![0; nests.len()];
    let on_chip = chip.map(|name| format!(" on {name}")).unwrap_or_default();
    for op in buffers {
        let view = BufferView::of(*op)?;
        let refuse = |why: String| Err(Error::on(*op, format!("\"{}\" {why}", view.name)));
        if view.scope == Scope::Global {
            continue;
        }
        let scope = view.scope;
        let Some(bytes) = bytes(view.allocated().0) else {
            return refuse(format!(
                "of scope {scope} is of dynamic size, expected a static one (C3)"
            ));
        };
        let users = accesses(*op);
        let uses = |nest: &&Op<'c>| users.iter().any(|user| is_inside(*user, **nest));
        let kernels = nests.iter().filter(uses).count();
        let in_kernels = |user: &Op<'c>| nests.iter().any(|nest| is_inside(*user, *nest));
        if kernels > 1 || !users.iter().all(in_kernels) {
            return refuse(format!(
                "of scope {scope} is used in more than one kernel, where each has its own (C3)"
            ));
        }
        if scope == Scope::Local && bytes > limits.local {
            let most = limits.local;
            return refuse(format!(
                "takes {bytes} bytes of local memory in each thread, expected at most {most} (C5)"
            ));
        }
        let Some(i) = nests.iter().position(|nest| uses(&nest)) else { continue };
        if scope == Scope::Shared {
            // Each buffer starts at its alignment.
            let alignment = view.alignment.unwrap_or(1).max(16);
            let end = i64::saturating_add(shared[i], bytes).saturating_add(alignment - 1);
            shared[i] = end / alignment * alignment;
            if shared[i] > limits.shared {
                return refuse(format!(
                    "and the buffers before it take {} bytes of shared memory, expected at most \
                     {}{on_chip} (C4)",
                    shared[i], limits.shared
                ));
            }
        }
    }
    Ok(())
}

/// (C6)
fn sides<'c>(function: Op<'c>, buffer: Op<'c>) -> Result<(), Error<'c>> {
    let view = BufferView::of(buffer)?;
    // Virtual threads are iterations in one thread.
    let owns = |axis: ThreadAxis| match view.scope {
        Scope::Global => false,
        Scope::Shared => axis.is_block(),
        Scope::Local => axis != ThreadAxis::VThread,
    };
    let owners = |user: Op| -> BTreeSet<&'static str> {
        let loops = parents(user).filter(|op| op.is(For::NAME));
        let axes = loops.filter_map(|op| For::of(op).ok()?.thread);
        axes.filter(|axis| owns(*axis)).map(ThreadAxis::word).collect()
    };
    let is_access = |op: &Op| {
        let is_known = matches!(op.name(), "memref.load" | "memref.store");
        is_known && op.operands().contains(&buffer.result(0))
    };
    let mut accesses = walk(function).into_iter().filter(is_access);
    let Some(first) = accesses.next() else { return Ok(()) };
    let of_first = owners(first);
    let listed = |axes: &BTreeSet<&str>| match axes.is_empty() {
        true => "no loop that is bound to threads".to_owned(),
        false => axes.iter().copied().collect::<Vec<_>>().join(", "),
    };
    for access in accesses {
        let axes = owners(access);
        if axes != of_first {
            let message = format!(
                "accesses \"{}\" of scope {} in {}, which has another instance of it than {} (C6)",
                view.name,
                view.scope,
                listed(&axes),
                listed(&of_first)
            );
            let error = Error::on(access, message);
            return Err(error.note(first.location(), "the other access is here"));
        }
    }
    Ok(())
}

/// (C7)
fn lanes(function: Op, most: i64) -> Result<(), Error> {
    for op in walk(function).into_iter().filter(|op| op.is(For::NAME)) {
        let view = For::of(op)?;
        let Some(lanes) = view.constant_extent().filter(|_| view.kind == LoopKind::Vectorize)
        else {
            continue;
        };
        for access in walk(op) {
            let buffer = match access.name() {
                "memref.load" => access.operand(0),
                "memref.store" => access.operand(1),
                _ => continue,
            };
            let one = buffer.ty().shaped().map(|(_, element)| Type::memref(&[Some(1)], element));
            let Some(bytes) = one.and_then(bytes) else { continue };
            let bits = bytes.saturating_mul(8);
            let width = lanes.saturating_mul(bits);
            if width > most {
                let message = format!(
                    "accesses {width} bits in the {lanes} lanes of loop \"{}\", expected at most {most} (C7)",
                    view.name
                );
                return Err(Error::on(access, message));
            }
        }
    }
    Ok(())
}
