//! Loads, stores and other ops that access an element of a memref.

use super::buffer::{IndexBounds, SizedPointer, element_bytes, element_pointer};
use super::scope::Scope;
use super::{atomic, tile};
use crate::ir::{Attribute, Builder, Op, Type, Value};

/// The index of the memref operand of an access, and the number of index operands after it. `None` for other
/// ops.
pub(crate) fn shape(op: Op) -> Option<(usize, usize)> {
    let n = op.operands().len();
    let (memref, behind) = match op.name() {
        "memref.load" | "vector.load" | "memref.prefetch" => (0, 0),
        "memref.store" | "vector.store" | "memref.atomic_rmw" => (1, 0),
        "vector.maskedload" | "vector.maskedstore" => (0, 2),
        "vector.gather" | "vector.scatter" => (0, 3),
        // Behind the indices may be a stride.
        "amx.tile_load" | "amx.tile_store" => {
            return Some((0, op.operand(0).ty().shaped().map_or(0, |(dims, _)| dims.len())));
        }
        _ => return None,
    };
    Some((memref, n.checked_sub(memref + 1 + behind)?))
}

/// True if the access bypasses the caches.
pub(crate) fn is_nontemporal(op: Op) -> bool {
    op.attribute("nontemporal").and_then(Attribute::as_i64) == Some(1)
}

/// Replaces an access.
pub(crate) fn convert<'c>(scope: &Scope<'c>, op: Op<'c>) {
    let (memref, count) = shape(op).expect("called for accesses");
    let operands = op.operands();
    let buffer = scope.buffer(operands[memref]);
    let (indices, behind) = operands[memref + 1..].split_at(count);
    let at = Builder::before(op, op.location());
    if op.name().starts_with("amx.") {
        tile::convert_access(at, op, buffer, indices, behind);
        return op.erase();
    }
    let is_unaligned = scope.transforms;
    let access = PointerAccess { at, op, buffer, indices, is_unaligned };
    match op.name() {
        "memref.load" | "vector.load" => access.load(),
        "memref.store" | "vector.store" => access.store(operands[0]),
        "memref.prefetch" => access.prefetch(),
        "memref.atomic_rmw" => access.update(),
        "vector.maskedload" => access.masked_load(behind[0], behind[1]),
        "vector.maskedstore" => access.masked_store(behind[0], behind[1]),
        "vector.gather" => access.gather(behind[0], behind[1], behind[2]),
        _ => access.scatter(behind[0], behind[1], behind[2]),
    }
    op.erase();
}

struct PointerAccess<'a, 'c> {
    at: Builder<'c>,
    op: Op<'c>,
    buffer: &'a SizedPointer<'c>,
    indices: &'a [Value<'c>],
    /// True if an address may be a multiple of no number.
    is_unaligned: bool,
}

impl<'c> PointerAccess<'_, 'c> {
    fn address(&self, bounds: IndexBounds) -> Value<'c> {
        self.buffer.address(&self.at, self.indices, bounds)
    }

    /// The alignment that the op states, else the alignment of one element if there is one.
    fn alignment(&self, bits: u32) -> Attribute<'c> {
        let stated = self.op.attribute("alignment").and_then(Attribute::as_i64);
        let element = || match self.is_unaligned {
            true => 1,
            false => element_bytes(self.buffer.element).expect("elements were checked (C2)"),
        };
        let ty = Type::integer(self.at.context(), bits);
        Attribute::integer(ty, stated.unwrap_or_else(element))
    }

    /// Inserts an op on memory, which is non-temporal if the access is.
    fn insert(&self, name: &str, operands: &[Value<'c>], bits: u32, results: &[Type<'c>]) {
        let mut spec = self.at.spec(name).operands(operands).results(results);
        spec = spec.attribute("alignment", self.alignment(bits));
        if is_nontemporal(self.op) {
            spec = spec.attribute("nontemporal", Attribute::unit(self.at.context()));
        }
        let new = self.at.insert(spec);
        for (old, new) in self.op.results().into_iter().zip(new.results()) {
            old.replace_all_uses_with(new);
        }
    }

    fn load(self) {
        let address = self.address(IndexBounds::Inside);
        self.insert("llvm.load", &[address], 64, &[self.op.result(0).ty()]);
    }

    fn store(self, value: Value<'c>) {
        let address = self.address(IndexBounds::Inside);
        self.insert("llvm.store", &[value, address], 64, &[]);
    }

    fn masked_load(self, mask: Value<'c>, otherwise: Value<'c>) {
        let address = self.address(IndexBounds::Masked);
        let operands = [address, mask, otherwise];
        self.insert("llvm.intr.masked.load", &operands, 32, &[otherwise.ty()]);
    }

    fn masked_store(self, mask: Value<'c>, value: Value<'c>) {
        let address = self.address(IndexBounds::Masked);
        self.insert("llvm.intr.masked.store", &[value, address, mask], 32, &[]);
    }

    fn gather(self, lanes: Value<'c>, mask: Value<'c>, otherwise: Value<'c>) {
        let pointers = self.lane_addresses(lanes);
        let operands = [pointers, mask, otherwise];
        self.insert("llvm.intr.masked.gather", &operands, 32, &[otherwise.ty()]);
    }

    fn scatter(self, lanes: Value<'c>, mask: Value<'c>, value: Value<'c>) {
        let pointers = self.lane_addresses(lanes);
        self.insert("llvm.intr.masked.scatter", &[value, pointers, mask], 32, &[]);
    }

    /// One address for each lane, from offsets in elements.
    fn lane_addresses(&self, offsets: Value<'c>) -> Value<'c> {
        let base = self.address(IndexBounds::Masked);
        let (lanes, element) = offsets.ty().lanes().expect("vectors were checked (C7)");
        let offsets = if element.is_index() {
            let ty = Type::vector(lanes, Type::integer(self.at.context(), 64));
            self.at.op("arith.index_cast", &[offsets], ty)
        } else {
            offsets
        };
        element_pointer(&self.at, base, offsets, self.buffer.element, IndexBounds::Masked)
    }

    fn update(self) {
        let old = atomic::update(self.op, self.address(IndexBounds::Inside), self.at);
        self.op.result(0).replace_all_uses_with(old);
    }

    fn prefetch(self) {
        // A prefetch is a hint, so its address may be out of bounds.
        let address = self.address(IndexBounds::Masked);
        let i32 = Type::integer(self.at.context(), 32);
        let number = |name: &str| {
            let value = self.op.attribute(name).and_then(Attribute::as_i64).unwrap_or(0);
            Attribute::integer(i32, value)
        };
        self.at.insert(
            self.at
                .spec("llvm.intr.prefetch")
                .operands(&[address])
                .attribute("rw", number("isWrite"))
                .attribute("hint", number("localityHint"))
                .attribute("cache", number("isDataCache")),
        );
    }
}
