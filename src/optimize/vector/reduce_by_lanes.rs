//! `reduce-by-lanes`: vectorize a reduction of contiguous elements to one value, with one reduction across lanes at
//! the end.
//!
//! ```text
//! scf.for %k = 0 to 32 {                        %0 = vector.load %A[%i, 0]    %1 = vector.load %A[%i, 16]
//!   %a = memref.load %A[%i, %k]                 %2 = arith.addf %0, %1
//!   %c = memref.load %C[%i]               ->    %c = memref.load %C[%i]
//!   %s = arith.addf %c, %a                      %s = vector.reduction <add>, %2, %c
//!   memref.store %s, %C[%i]                     memref.store %s, %C[%i]
//! }
//! ```
//! This combines the partial results of `rfactor`, which vector lanes have stored in consecutive elements. A loop is
//! replaced if all of these hold:
//! - It runs from 0 in steps of 1. The number of its iterations is a constant multiple of the vector length, for at
//!   most 16 vectors. Or it is the minimum of a size and such a number; then the vectors have masks, and inactive lanes
//!   hold the identity of the combiner.
//! - Its body is the four ops above, on two buffers, and all indices except `%k` are loop-invariant.
//! - Its combiner gives the same bits in any order, or the function's floating-point contract permits reassociation.

use crate::dialect::contract::Contract;
use crate::ir::{
    Attribute, Block, Builder, Error, Op, Region, Type, TypeKind, Value, constant_integer,
    is_inside, walk,
};

/// A loop that needs more vectors than this stays a loop.
pub const MAX_VECTORS: i64 = 16;

/// Replaces the reduction loops of a function, with vectors of `vector_bits` bits.
///
/// # Errors
/// If the contract is none of `strict`, `reassoc` and `fast`.
pub fn run<'c>(function: Op<'c>, vector_bits: i64) -> Result<(), Error<'c>> {
    let may_reassociate = Contract::of(function)? != Contract::Strict;
    let loops: Vec<_> = walk(function).into_iter().filter(|op| op.is("scf.for")).collect();
    for found in loops.into_iter().filter_map(|op| ContiguousReduction::of(op, may_reassociate)) {
        found.replace(vector_bits);
    }
    Ok(())
}

/// A loop that reduces contiguous elements.
struct ContiguousReduction<'c> {
    op: Op<'c>,
    /// The number of iterations, or the most of them.
    iterations: i64,
    /// The number of iterations, if it is not known.
    upper: Option<Value<'c>>,
    load: Op<'c>,
    accumulator: Op<'c>,
    combiner: Op<'c>,
    store: Op<'c>,
    kind: &'static str,
}

impl<'c> ContiguousReduction<'c> {
    fn of(op: Op<'c>, may_reassociate: bool) -> Option<ContiguousReduction<'c>> {
        let body = op.body(0)?;
        let [variable] = body.arguments()[..] else { return None };
        let [lower, upper, step] = op.operands()[..] else { return None };
        if (constant_integer(lower), constant_integer(step)) != (Some(0), Some(1)) {
            return None;
        }
        let [one, other, combiner, store, _] = body.ops()[..] else { return None };
        let is_along = |load: Op<'c>| load.operands().last() == Some(&variable);
        let (load, accumulator) = match is_along(one) {
            true => (one, other),
            false => (other, one),
        };
        let is_plain = load.is("memref.load")
            && accumulator.is("memref.load")
            && store.is("memref.store")
            && is_along(load)
            && store.operands()[1..] == accumulator.operands()[..]
            && load.operand(0) != accumulator.operand(0);
        let mut fixed = accumulator.operands();
        fixed.extend(load.operands().into_iter().rev().skip(1));
        let is_fixed = |value: &Value<'c>| {
            *value != variable && value.defining_op().is_none_or(|of| !is_inside(of, op))
        };
        let (a, c) = (load.results(), accumulator.results());
        let mut joined = combiner.operands();
        joined.retain(|value| !a.contains(value) && !c.contains(value));
        let joins = combiner.operands().len() == 2
            && joined.is_empty()
            && combiner.operand(0) != combiner.operand(1)
            && store.operands().first() == combiner.results().first();
        (is_plain && fixed.iter().all(is_fixed) && joins).then_some(())?;
        let (kind, is_exact) = kind(combiner.name())?;
        (is_exact || may_reassociate).then_some(())?;
        let (iterations, upper) = match constant_integer(upper) {
            Some(iterations) => (iterations, None),
            None => (most(upper)?, Some(upper)),
        };
        Some(ContiguousReduction {
            op,
            iterations,
            upper,
            load,
            accumulator,
            combiner,
            store,
            kind,
        })
    }

    fn replace(&self, vector_bits: i64) {
        let element = self.load.result(0).ty();
        let Some(lanes) = bits(element).map(|bits| (vector_bits / bits).max(1)) else { return };
        let vectors = self.iterations / lanes;
        if lanes < 2 || self.iterations % lanes != 0 || !(1..=MAX_VECTORS).contains(&vectors) {
            return;
        }
        let outside = Builder::before(self.op, self.op.location());
        let ty = Type::vector(lanes as usize, element);
        // Without iterations there are no accesses.
        let branch = self.upper.map(|upper| {
            let block = Block::new(&[]);
            let inner = Builder::at_end(block, self.op.location());
            let some = some_iterations(outside, upper);
            (some, block, inner)
        });
        let at = branch.as_ref().map_or(outside, |(.., inner)| *inner);
        let Some(identity) = identity(self.kind, element) else { return };
        let load = |i: i64| {
            let mut operands = self.load.operands();
            operands.pop();
            operands.push(at.index(i * lanes));
            let Some(upper) = self.upper else { return at.op("vector.load", &operands, ty) };
            let on = at.op("arith.subi", &[upper, at.index(i * lanes)], upper.ty());
            let bits = Type::vector(lanes as usize, Type::integer(at.context(), 1));
            let mask = at.op("vector.create_mask", &[on], bits);
            let text = format!("dense<{identity}> : {ty}");
            let value = Attribute::parse(at.context(), &text).expect("a vector of numbers");
            let spec = at.spec("arith.constant").attribute("value", value).results(&[ty]);
            operands.extend([mask, at.value(spec)]);
            at.op("vector.maskedload", &operands, ty)
        };
        let mut parts: Vec<_> = (0..vectors).map(load).collect();
        while parts.len() > 1 {
            let pairs = parts.chunks(2).map(|pair| match *pair {
                [a, b] => at.op(self.combiner.name(), &[a, b], ty),
                _ => pair[0],
            });
            parts = pairs.collect();
        }
        let start = at.op("memref.load", &self.accumulator.operands(), element);
        let attribute = |text: &str| Attribute::parse(at.context(), text).expect("it is a word");
        let spec = at.spec("vector.reduction").operands(&[parts[0], start]).results(&[element]);
        let spec = spec.attribute("kind", attribute(&format!("#vector.kind<{}>", self.kind)));
        let total = at.value(match self.kind {
            "add" | "mul" => spec.attribute("fastmath", attribute("#arith.fastmath<reassoc>")),
            _ => spec,
        });
        let mut operands = self.store.operands();
        operands[0] = total;
        at.insert(at.spec("memref.store").operands(&operands));
        if let Some((some, block, inner)) = branch {
            inner.insert(inner.spec("scf.yield"));
            let spec = outside.spec("scf.if").operands(&[some]).region(Region::of(block));
            outside.insert(spec.region(Region::new()));
        }
        self.op.erase();
    }
}

/// The kind of `vector.reduction` for an op, and whether it gives the same bits in any order.
fn kind(op: &str) -> Option<(&'static str, bool)> {
    Some(match op {
        "arith.addf" => ("add", false),
        "arith.mulf" => ("mul", false),
        "arith.addi" => ("add", true),
        "arith.muli" => ("mul", true),
        "arith.maximumf" => ("maximumf", true),
        "arith.minimumf" => ("minimumf", true),
        // The sign of a zero depends on the order.
        "arith.maxnumf" => ("maxnumf", false),
        "arith.minnumf" => ("minnumf", false),
        "arith.maxsi" => ("maxsi", true),
        "arith.minsi" => ("minsi", true),
        "arith.maxui" => ("maxui", true),
        "arith.minui" => ("minui", true),
        "arith.andi" => ("and", true),
        "arith.ori" => ("or", true),
        "arith.xori" => ("xor", true),
        _ => return None,
    })
}

/// True if a number of iterations is positive.
fn some_iterations<'c>(at: Builder<'c>, upper: Value<'c>) -> Value<'c> {
    // "sgt"
    let predicate = Attribute::integer(Type::integer(at.context(), 64), 4);
    let spec = at.spec("arith.cmpi").operands(&[upper, at.index(0)]);
    let bit = Type::integer(at.context(), 1);
    at.value(spec.attribute("predicate", predicate).results(&[bit]))
}

/// The number that a value is at most, if it is the minimum of it and another one.
fn most(upper: Value) -> Option<i64> {
    let minimum = upper.defining_op().filter(|op| op.is("arith.minsi"))?;
    minimum.operands().into_iter().find_map(constant_integer)
}

/// The number that changes no value when it is combined with it, as text.
fn identity(kind: &str, element: Type) -> Option<String> {
    use crate::ir::FloatKind::{F32, F64};
    // -0, 1, infinity, -infinity and NaN as bits.
    let float = |f32_bits: u32, f64_bits: u64| match element.kind() {
        TypeKind::Float(F32) => Some(format!("0x{f32_bits:08X}")),
        TypeKind::Float(F64) => Some(format!("0x{f64_bits:016X}")),
        _ => None,
    };
    let bits = match element.kind() {
        TypeKind::Integer(bits) => Some(bits),
        _ => None,
    };
    match (kind, bits) {
        ("add", None) => float((-0f32).to_bits(), (-0f64).to_bits()),
        ("mul", None) => float(1f32.to_bits(), 1f64.to_bits()),
        ("maximumf", _) => float(f32::NEG_INFINITY.to_bits(), f64::NEG_INFINITY.to_bits()),
        ("minimumf", _) => float(f32::INFINITY.to_bits(), f64::INFINITY.to_bits()),
        ("maxnumf" | "minnumf", _) => float(f32::NAN.to_bits(), f64::NAN.to_bits()),
        ("add" | "or" | "xor" | "maxui", Some(_)) => Some("0".into()),
        ("mul", Some(_)) => Some("1".into()),
        ("and" | "minui", Some(_)) => Some("-1".into()),
        ("maxsi", Some(bits)) => Some((-1i128 << (bits - 1)).to_string()),
        ("minsi", Some(bits)) => Some(((1i128 << (bits - 1)) - 1).to_string()),
        _ => None,
    }
}

/// The bits of an element, if vectors of the CPU can hold it.
fn bits(element: Type) -> Option<i64> {
    use crate::ir::FloatKind::{F32, F64};
    match element.kind() {
        TypeKind::Integer(bits @ (8 | 16 | 32 | 64)) => Some(bits.into()),
        TypeKind::Float(F32) => Some(32),
        TypeKind::Float(F64) => Some(64),
        _ => None,
    }
}
