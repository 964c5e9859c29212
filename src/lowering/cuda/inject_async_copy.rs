//! `inject-async-copy`: replace copies from global to shared memory by `cp.async`, in schedule blocks annotated
//! `async_copy`.
//!
//! ```text
//! %a = vector.load %A[%i] : memref<1024xf32>, vector<4xf32>
//! vector.store %a, %S[%t] {loop.async_copy} : memref<128xf32, #gpu.address_space<workgroup>>, vector<4xf32>
//! ..
//! gpu.barrier
//!   ->
//! nvgpu.device_async_copy %A[%i], %S[%t], 4 {bypassL1}                   // cp.async.cg.shared.global 16 bytes
//! ..
//! %g = nvgpu.device_async_create_group
//! nvgpu.device_async_wait %g {numGroups = 0}
//! gpu.barrier
//! ```
//! On every path, a thread waits for all of its pending copies before the next barrier. After the barrier, the
//! copies of all threads are visible. `convert-loop-to-gpu` has checked that a barrier precedes each access to
//! copied data, including accesses by the thread that copies.
//!
//! Requires
//! - (C1) the stored value is loaded from global memory, and is stored unchanged and without a mask
//! - (C2) copies have 4, 8 or 16 bytes, at addresses that are multiples of their size
//! - (C3) `index-bits` is 64, because MLIR converts these instructions with 64-bit indices only. `longlong2int` has
//!   narrowed indices before this pass, where possible

use crate::ir::{Attribute, Builder, Error, Op, Type, Value, walk};
use crate::lowering::element_bytes;

/// The attribute that marks the stores to convert.
pub const MARK: &str = "loop.async_copy";

/// Converts the marked stores nested in `root`. `index_bits` is the width of index arithmetic. Returns the
/// number of copies and the number of waits.
///
/// # Errors
/// For the first marked store that is not a copy, or not a copy of a supported size.
pub fn convert<'c>(root: Op<'c>, index_bits: i64) -> Result<[u64; 2], Error<'c>> {
    let stores: Vec<Op> =
        walk(root).into_iter().filter(|op| op.attribute(MARK).is_some()).collect();
    if stores.is_empty() {
        return Ok([0, 0]);
    }
    if index_bits != 64 {
        let message =
            format!("copies asynchronously, and indices have {index_bits} bits, expected 64 (C3)");
        return Err(Error::on(stores[0], message));
    }
    let copies: Vec<AsyncCopy> =
        stores.iter().map(|store| AsyncCopy::of(*store)).collect::<Result<_, _>>()?;
    let kernels: Vec<Op> = walk(root).into_iter().filter(|op| op.is("gpu.func")).collect();
    copies.iter().for_each(AsyncCopy::replace);
    let mut waits = 0;
    for kernel in kernels {
        let mut places = vec![];
        if let Some(body) = kernel.body(0) {
            pending(&body.ops(), false, &mut places);
        }
        for place in &places {
            wait_before(*place);
        }
        waits += places.len() as u64;
    }
    Ok([copies.len() as u64, waits])
}

/// A load, and the store of the loaded value.
struct AsyncCopy<'c> {
    load: Op<'c>,
    store: Op<'c>,
    elements: i64,
    bytes: i64,
}

impl<'c> AsyncCopy<'c> {
    /// (C1), (C2)
    fn of(store: Op<'c>) -> Result<AsyncCopy<'c>, Error<'c>> {
        let value = store.operand(0);
        let is_plain = |op: &Op, names: [&str; 2]| names.iter().any(|name| op.is(name));
        let load = value.defining_op().filter(|load| {
            is_plain(load, ["memref.load", "vector.load"])
                && load.block() == store.block()
                && !is_shared(load.operand(0).ty())
        });
        let load = load.filter(|load| {
            is_plain(&store, ["memref.store", "vector.store"])
                && is_shared(store.operand(1).ty())
                && nothing_writes_between(*load, store)
        });
        let load = load.ok_or_else(|| {
            let message = "is in a schedule block with the annotation \"async_copy\", expected an \
                           unconditional store to shared memory of an unchanged value from global memory \
                           (C1)";
            Error::on(store, message)
        })?;
        let (elements, element) = match value.ty().lanes() {
            Some((lanes, element)) => (lanes as i64, element),
            None => (1, value.ty()),
        };
        let bytes = elements * element_bytes(element);
        let is_aligned = |op: Op| {
            let alignment = op.attribute("alignment").and_then(Attribute::as_i64);
            elements == 1 || alignment.is_some_and(|alignment| alignment % bytes == 0)
        };
        if !matches!(bytes, 4 | 8 | 16) || !is_aligned(load) || !is_aligned(store) {
            let message = format!(
                "copies {bytes} bytes asynchronously, expected 4, 8 or 16 bytes at an address that is \
                 proved to be aligned to that size (C2)"
            );
            return Err(Error::on(store, message));
        }
        Ok(AsyncCopy { load, store, elements, bytes })
    }

    fn replace(&self) {
        let at = Builder::before(self.store, self.store.location());
        let context = at.context();
        let (from, to) = (self.load.operands(), self.store.operands());
        let mut operands = to[1..].to_vec();
        operands.extend(&from);
        let token = token(&at);
        let elements = Attribute::integer(Type::index(context), self.elements);
        let mut spec = at
            .spec("nvgpu.device_async_copy")
            .operands(&operands)
            .segments(&[1, to.len() - 2, 1, from.len() - 1, 0])
            .attribute("dstElements", elements)
            .results(&[token]);
        // `cp.async` bypasses the L1 cache only for 16 bytes.
        if self.bytes == 16 {
            spec = spec.attribute("bypassL1", Attribute::unit(context));
        }
        at.insert(spec);
        self.store.erase();
        if self.load.result(0).uses().is_empty() {
            self.load.erase();
        }
    }
}

fn is_shared(ty: Type) -> bool {
    ty.to_string().contains("#gpu.address_space<workgroup>")
}

/// The type of the async token.
fn token<'c>(at: &Builder<'c>) -> Type<'c> {
    let ty = Attribute::parse(at.context(), "!nvgpu.device.async.token");
    ty.and_then(Attribute::as_type).expect("nvgpu is loaded")
}

/// True if no op between `from` and `to`, both in one block, writes memory.
fn nothing_writes_between(from: Op, to: Op) -> bool {
    let mut op = from.next();
    while let Some(here) = op {
        if here == to {
            return true;
        }
        let (dialect, name) = here.name().split_once('.').unwrap_or_default();
        if !matches!(dialect, "arith" | "affine") && !matches!(name, "load") {
            return false;
        }
        op = here.next();
    }
    false
}

/// Appends to `places` the barriers that pending copies may reach. `is_pending` states whether copies may be
/// pending before `ops`; returns whether they may be pending after `ops`.
fn pending<'c>(ops: &[Op<'c>], mut is_pending: bool, places: &mut Vec<Op<'c>>) -> bool {
    for op in ops {
        match op.name() {
            "nvgpu.device_async_copy" => is_pending = true,
            "gpu.barrier" => {
                if is_pending && !places.contains(op) {
                    places.push(*op);
                }
                is_pending = false;
            }
            _ => {
                let bodies: Vec<Vec<Op>> =
                    op.regions().iter().flat_map(|it| it.blocks()).map(|it| it.ops()).collect();
                // A loop body may run again, and any region may be skipped.
                let before = is_pending;
                for _ in 0..2 {
                    for body in &bodies {
                        is_pending |= pending(body, is_pending, places);
                    }
                }
                is_pending |= before && !bodies.is_empty();
            }
        }
    }
    is_pending
}

/// Inserts a wait for all copies of the thread.
fn wait_before(barrier: Op) {
    let at = Builder::before(barrier, barrier.location());
    let token = token(&at);
    let group: Value = at.value(at.spec("nvgpu.device_async_create_group").results(&[token]));
    let none = Attribute::integer(Type::integer(at.context(), 32), 0);
    let spec = at.spec("nvgpu.device_async_wait").operands(&[group]).attribute("numGroups", none);
    at.insert(spec);
}
