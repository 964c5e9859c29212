//! Atomic updates without a hardware instruction, lowered to compare-and-swap loops.
//!
//! ```text
//! %first = llvm.load %p atomic monotonic : i32
//! scf.while (%bits = %first) {
//!   %new = bitcast(arith.addf bitcast(%bits), %x) : i32
//!   %found, %done = llvm.cmpxchg %p, %bits, %new monotonic monotonic
//!   scf.condition(not %done) %found
//! } do { scf.yield }
//! ```
//! LLVM would also expand `atomicrmw` to such loops, but not in the form that is needed here:
//! - LLVM rounds bf16 differently from `expand-small-floats`, and it has no atomic product.
//! - For GPUs, the first load of LLVM's loop races with the updates. LLVM also updates 16 bits as part of a
//!   32-bit word, and the word may extend past the end of the buffer.
//!
//! Updates order only each other, so their memory ordering is `monotonic`.

use crate::ir::{Attribute, Block, Builder, OpSpec, Region, Type, Value};
use crate::lowering::element_bytes;

/// The value of `monotonic` in LLVM's `AtomicOrdering`.
pub(crate) const MONOTONIC: i64 = 2;

/// The value of `ne` in the predicates of `arith.cmpi`.
const NOT_EQUAL: i64 = 1;

/// The threads that may update an element concurrently.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ConcurrentThreads {
    /// The threads of a process.
    Process,
    /// The threads of a GPU.
    Device,
}

impl ConcurrentThreads {
    /// Gives an access the synchronization scope of these threads.
    fn scoped<'c>(self, spec: OpSpec<'c>, at: Builder<'c>) -> OpSpec<'c> {
        match self {
            ConcurrentThreads::Process => spec,
            ConcurrentThreads::Device => {
                spec.attribute("syncscope", Attribute::string(at.context(), "device"))
            }
        }
    }
}

/// Atomically combines `value` with the element at `address` by the arith op `name`; returns the old element.
pub(crate) fn update<'c>(
    name: &str,
    value: Value<'c>,
    address: Value<'c>,
    among: ConcurrentThreads,
    at: Builder<'c>,
) -> Value<'c> {
    let element = value.ty();
    let bytes = element_bytes(element);
    let bits = Type::integer(at.context(), 8 * bytes as u32);
    let cast = |value: Value<'c>, ty: Type<'c>, at: Builder<'c>| {
        if value.ty() == ty { value } else { at.op("arith.bitcast", &[value], ty) }
    };
    let load = at.spec("llvm.load").operands(&[address]).results(&[bits]);
    let load = load.attribute("ordering", number(at, MONOTONIC));
    let first = at.value(among.scoped(load.attribute("alignment", number(at, bytes)), at));

    let (before, after) =
        (Block::new(&[(bits, at.location())]), Block::new(&[(bits, at.location())]));
    let inner = Builder::at_end(before, at.location());
    let old = before.argument(0);
    let new = inner.op(name, &[cast(old, element, inner), value], element);
    let new = cast(new, bits, inner);
    let [found, again] = match (among, bytes) {
        (ConcurrentThreads::Device, 2) => exchange_half_word(address, [old, new], inner),
        _ => exchange(address, [old, new], among, inner),
    };
    inner.insert(inner.spec("scf.condition").operands(&[again, found]));
    let end = Builder::at_end(after, at.location());
    end.insert(end.spec("scf.yield").operands(&after.arguments()));

    let spec = at.spec("scf.while").operands(&[first]).results(&[bits]);
    let found = at.value(spec.region(Region::of(before)).region(Region::of(after)));
    cast(found, element, at)
}

/// One compare-and-swap: the element found, and true if it differs from the expected one.
fn exchange<'c>(
    address: Value<'c>,
    [old, new]: [Value<'c>; 2],
    among: ConcurrentThreads,
    at: Builder<'c>,
) -> [Value<'c>; 2] {
    let (bits, bit) = (old.ty(), Type::integer(at.context(), 1));
    let pair = Type::llvm_struct(at.context(), &[bits, bit]);
    let spec = at.spec("llvm.cmpxchg").operands(&[address, old, new]).results(&[pair]);
    let spec = spec.attribute("success_ordering", number(at, MONOTONIC));
    let spec = spec.attribute("failure_ordering", number(at, MONOTONIC));
    let pair = at.value(among.scoped(spec, at));
    let part = |i: i64, ty| {
        let position = Attribute::dense_i64(at.context(), &[i]);
        let spec = at.spec("llvm.extractvalue").operands(&[pair]);
        at.value(spec.attribute("position", position).results(&[ty]))
    };
    let (found, done) = (part(0, bits), part(1, bit));
    let yes = at.number(bit, 1);
    [found, at.op("arith.xori", &[done, yes], bit)]
}

/// Compare-and-swap of 16 bits, as inline assembly: PTX has the instruction, but LLVM does not select it.
fn exchange_half_word<'c>(
    address: Value<'c>,
    [old, new]: [Value<'c>; 2],
    at: Builder<'c>,
) -> [Value<'c>; 2] {
    let space = match address.ty().to_string().as_str() {
        "!llvm.ptr<1>" => ".global",
        "!llvm.ptr<3>" => ".shared",
        _ => "",
    };
    let text = format!("atom.relaxed.gpu{space}.cas.b16 $0, [$1], $2, $3;");
    let spec = at.spec("llvm.inline_asm").operands(&[address, old, new]).results(&[old.ty()]);
    let spec = spec.attribute("asm_string", Attribute::string(at.context(), &text));
    let constraints = Attribute::string(at.context(), "=h,l,h,h,~{memory}");
    let spec = spec.attribute("constraints", constraints);
    let found = at.value(spec.attribute("has_side_effects", Attribute::unit(at.context())));
    let again = at.spec("arith.cmpi").operands(&[found, old]);
    let again = again.attribute("predicate", number(at, NOT_EQUAL));
    [found, at.value(again.results(&[Type::integer(at.context(), 1)]))]
}

pub(crate) fn number(at: Builder<'_>, value: i64) -> Attribute<'_> {
    Attribute::integer(Type::integer(at.context(), 64), value)
}
