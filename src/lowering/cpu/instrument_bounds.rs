//! `instrument-bounds`: insert a runtime bounds check before each memory access; a failed check reports the access and
//! ends the process.
//!
//! ```text
//! %x = memref.load %A[%i, %j] : memref<4x?xf32>
//!   ->
//! %n = memref.dim %A, 1
//! %outside = arith.cmpi uge, %j, %n                                       // below 0 is far above
//! scf.if %outside { llvm.call @dprintf(2, @failed_check_1, %j, %n)  llvm.call @_exit(1) }
//! %x = memref.load %A[%i, %j]
//! ```
//! Dimension 0 gets the same check. For a vector, the first and the last lane are checked; for a masked vector, each
//! active lane; for a tile, the first and the last row and column. A constant index within the bounds of a static
//! dimension is not checked. Accesses of a `memref.view` are checked against the shape of the view, and the view against the
//! size of its buffer, unless both are constants that fit. A `cf.assert` becomes such a check too. The message is, for example:
//! `model.mlir:7:10: error: access to dimension 1 of memref<4x?xf32>: index 12 is out of bounds, expected 0 to 11`.
//!
//! Requires
//! - (C1) memory is accessed only by `memref.load`, `memref.store`, and the loads and stores of the `vector` and `amx`
//!   dialects, tiles without a stride of their own. Memrefs are in the default memory space. The elements of
//!   a `memref.view` have whole bytes. Any other access of these dialects is an error
//! - (C2) functions of the module that are named `dprintf` or `_exit` are those of the C library
//!
//! MLIR's `generate-runtime-verification` neither supports vector accesses nor reports the offending index.

use crate::ir::predicate::{SGT, SLT};
use crate::ir::{
    Attribute, Block, Builder, Error, Op, Region, Type, TypeKind, Value, saturating, walk,
};
use crate::lowering::{constant, symbol, take_name};
use std::collections::HashSet;

/// The functions of the C library: name and type of each.
const FUNCTIONS: &[(&str, &str)] =
    &[("dprintf", "!llvm.func<i32 (i32, ptr, ...)>"), ("_exit", "!llvm.func<void (i32)>")];

/// An access of memory.
struct CheckedAccess<'c> {
    op: Op<'c>,
    memref: Value<'c>,
    indices: Vec<Value<'c>>,
    /// The number of lanes of a vector access.
    lanes: Option<usize>,
    /// The number of rows of a tile, along the dimension before the last one.
    rows: usize,
    mask: Option<Value<'c>>,
}

/// Inserts checks before all accesses of a module.
pub fn instrument<'c>(module: Op<'c>) -> Result<(), Error<'c>> {
    let Some(body) = module.body(0) else { return Ok(()) };
    let (mut accesses, mut views, mut assertions) = (vec![], vec![], vec![]);
    for op in walk(module) {
        match op.name() {
            "memref.view" => views.push(viewed(op)?),
            "cf.assert" => assertions.push(op),
            _ => accesses.extend(access(op)?),
        }
    }
    if accesses.is_empty() && views.is_empty() && assertions.is_empty() {
        return Ok(());
    }
    let first = body.first_op().expect("accesses and assertions are in functions");
    let top = Builder::before(first, module.location());
    let mut names: HashSet<String> =
        body.ops().into_iter().map(|op| symbol(op).to_owned()).collect();
    for (name, ty) in FUNCTIONS {
        let known = body.ops().into_iter().find(|op| symbol(*op) == *name);
        if let Some(op) = known.filter(|op| !op.is("llvm.func") || op.body(0).is_some()) {
            let message = format!(
                "has the name '{name}', expected the C library's function of that name (C2)"
            );
            return Err(Error::on(op, message));
        }
        if known.is_none() {
            declare(top, name, ty);
        }
    }
    for access in &accesses {
        for dim in 0..access.indices.len() {
            check(access, dim, top, &mut names);
        }
    }
    for view in views {
        check_view(view, top, &mut names);
    }
    for assertion in assertions {
        check_assertion(assertion, top, &mut names);
    }
    Ok(())
}

/// (C1) for a `memref.view`
fn viewed(op: Op) -> Result<Op, Error> {
    let element = op.result(0).ty().shaped().and_then(|(_, element)| element.element_bytes());
    let of_bytes = op.operand(0).ty().shaped();
    match element.and(of_bytes) {
        Some(_) => Ok(op),
        None => Err(Error::on(
            op,
            "is in another memory space, or its elements do not have whole bytes, expected neither (C1)",
        )),
    }
}

/// Checks that a `memref.view` is in its buffer, so accesses need only be checked against its shape.
fn check_view<'c>(op: Op<'c>, top: Builder<'c>, names: &mut HashSet<String>) {
    let operands = op.operands();
    let (base, offset) = (operands[0], operands[1]);
    let (dims, element) = op.result(0).ty().shaped().expect("views were checked");
    let element = element.element_bytes().expect("views were checked");
    let size = base.ty().shaped().and_then(|(dims, _)| dims[0]);
    let known = dims.iter().flatten().try_fold(element, |bytes, dim| bytes.checked_mul(*dim));
    let end = constant(offset).filter(|offset| *offset >= 0).zip(known);
    let end = end.and_then(|(offset, bytes)| offset.checked_add(bytes));
    if operands.len() == 2 && end.zip(size).is_some_and(|(end, size)| end <= size) {
        return;
    }
    let at = Builder::before(op, op.location());
    let i64 = Type::integer(at.context(), 64);
    let cast = |value: Value<'c>| at.op("arith.index_cast", &[value], i64);
    let mut bytes = at.number(i64, known.unwrap_or(i64::MAX));
    for size in &operands[2..] {
        let size = at.op("arith.maxsi", &[*size, at.index(0)], size.ty());
        bytes = saturating::product(&at, bytes, cast(size));
    }
    let offset = cast(offset);
    let end = saturating::sum(&at, offset, bytes);
    let size = match size {
        Some(size) => at.number(i64, size),
        None => cast(at.dim(base, 0)),
    };
    let is_low = at.compare(SLT, offset, at.number(i64, 0));
    let is_high = at.compare(SGT, end, size);
    let outside = at.op("arith.ori", &[is_low, is_high], is_low.ty());
    let text = format!(
        "{}: error: view of the bytes %ld to %ld is out of bounds, expected a part of %ld bytes\n\0",
        place(op)
    );
    end_if(at, outside, &text, (top, names), |_| vec![offset, end, size]);
}

/// (C1)
fn access<'c>(op: Op<'c>) -> Result<Option<CheckedAccess<'c>>, Error<'c>> {
    let operands = op.operands();
    let is_memory = |value: &Value| matches!(value.ty().kind(), TypeKind::MemRef { .. });
    let (at, has_mask) = match op.name() {
        "memref.load" | "vector.load" => (0, false),
        "amx.tile_load" | "amx.tile_store" => (0, false),
        "memref.store" | "vector.store" | "memref.atomic_rmw" => (1, false),
        "vector.maskedload" | "vector.maskedstore" => (0, true),
        "memref.dim" | "memref.alloc" | "memref.alloca" | "memref.dealloc" | "memref.prefetch" => {
            return Ok(None);
        }
        name if ["memref.", "vector.", "amx."].iter().any(|of| name.starts_with(of)) => {
            return match operands.iter().any(is_memory) {
                true => Err(Error::on(
                    op,
                    "accesses memory in a way that has no bounds check, expected loads and stores (C1)",
                )),
                false => Ok(None),
            };
        }
        _ => return Ok(None),
    };
    let memref = operands[at];
    let Some((dims, _)) = memref.ty().shaped() else {
        let message = format!("accesses {}, expected the default memory space (C1)", memref.ty());
        return Err(Error::on(op, message));
    };
    let indices = operands[at + 1..=at + dims.len()].to_vec();
    let vector = match op.name() {
        "vector.load" | "vector.maskedload" => Some(op.result(0).ty()),
        "vector.store" => Some(operands[0].ty()),
        "vector.maskedstore" => operands.last().map(|value| value.ty()),
        _ => None,
    };
    let tile = match op.name() {
        "amx.tile_load" => op.result(0).ty().tile_shape(),
        "amx.tile_store" => operands.last().and_then(|value| value.ty().tile_shape()),
        _ => None,
    };
    let has_stride = op.name().starts_with("amx.")
        && operands.len() != 1 + dims.len() + usize::from(op.is("amx.tile_store"));
    if has_stride || tile.is_some() && dims.len() < 2 {
        return Err(Error::on(op, "accesses a tile with a stride, expected rows of a matrix (C1)"));
    }
    let lanes = match vector.map(|ty| ty.lanes()) {
        None if tile.is_some() => tile.map(|([_, columns], _)| columns as usize),
        None => None,
        Some(Some((lanes, _))) => Some(lanes),
        Some(None) => {
            return Err(Error::on(
                op,
                "accesses a vector of several dimensions, expected one (C1)",
            ));
        }
    };
    let mask = has_mask.then(|| operands[at + 1 + dims.len()]);
    let rows = tile.map_or(1, |([rows, _], _)| rows as usize);
    Ok(Some(CheckedAccess { op, memref, indices, lanes, rows, mask }))
}

fn check<'c>(
    access: &CheckedAccess<'c>,
    dim: usize,
    top: Builder<'c>,
    names: &mut HashSet<String>,
) {
    let op = access.op;
    let at = Builder::before(op, op.location());
    let (dims, _) = access.memref.ty().shaped().expect("checked (C1)");
    let index = access.indices[dim];
    let lanes = match access.indices.len() - dim {
        1 => access.lanes.unwrap_or(1),
        2 => access.rows,
        _ => 1,
    };
    if let (Some(size), Some(index)) = (dims[dim], constant(index))
        && index >= 0
        && index.checked_add(lanes as i64).is_some_and(|end| end <= size)
    {
        return;
    }
    let bit = Type::integer(at.context(), 1);
    let size = match dims[dim] {
        Some(size) => at.index(size),
        None => at.dim(access.memref, dim),
    };
    let (outside, found) = match access.mask {
        Some(mask) => {
            let outside = is_outside_on(access, (index, size), lanes, mask, at);
            (reduced("or", outside.0, bit, at), reduced("maxui", outside.1, index.ty(), at))
        }
        None if lanes > 1 => {
            let reach = at.index(lanes as i64 - 1);
            let last = at.op("arith.addi", &[index, reach], index.ty());
            let (low, high) = (is_above(index, size, at), is_above(last, size, at));
            let found = at.op("arith.select", &[low, index, last], index.ty());
            (at.op("arith.ori", &[low, high], bit), found)
        }
        None => (is_above(index, size, at), index),
    };
    let text = format!(
        "{}: error: access to dimension {dim} of {}: index %ld is out of bounds, expected 0 to %ld\n\0",
        place(op),
        access.memref.ty()
    );
    end_if(at, outside, &text, (top, names), |inner| {
        let i64 = Type::integer(inner.context(), 64);
        let cast = |value| inner.op("arith.index_cast", &[value], i64);
        let one = inner.index(1);
        let highest = inner.op("arith.subi", &[size, one], size.ty());
        vec![cast(found), cast(highest)]
    });
}

/// Replaces an assertion by a check that ends the run if it does not hold.
fn check_assertion<'c>(op: Op<'c>, top: Builder<'c>, names: &mut HashSet<String>) {
    let at = Builder::before(op, op.location());
    let condition = op.operand(0);
    let always = at.constant(Attribute::integer(condition.ty(), 1));
    let fails = at.op("arith.xori", &[condition, always], condition.ty());
    let message = op.attribute("msg").and_then(Attribute::as_str).unwrap_or_default();
    let text =
        format!("{}: error: assertion failed: {}\n\0", place(op), message.replace('%', "%%"));
    end_if(at, fails, &text, (top, names), |_| vec![]);
    op.erase();
}

/// Inserts code that prints a message and ends the run if a condition holds. `numbers` are those of the message.
fn end_if<'c>(
    at: Builder<'c>,
    condition: Value<'c>,
    text: &str,
    (top, names): (Builder<'c>, &mut HashSet<String>),
    numbers: impl FnOnce(Builder<'c>) -> Vec<Value<'c>>,
) {
    let name = take_name(names, "failed_check");
    message(top, &name, text);
    let (then, otherwise) = (Block::new(&[]), Block::new(&[]));
    let inner = Builder::at_end(then, at.location());
    let number = |bits, value| {
        inner.constant(Attribute::integer(Type::integer(inner.context(), bits), value))
    };
    let pointer = inner.value(
        inner
            .spec("llvm.mlir.addressof")
            .attribute("global_name", Attribute::symbol(inner.context(), &name))
            .results(&[Type::pointer(inner.context())]),
    );
    let mut arguments = vec![number(32, 2), pointer];
    arguments.extend(numbers(inner));
    call(inner, "dprintf", &arguments, &[Type::integer(inner.context(), 32)]);
    call(inner, "_exit", &[number(32, 1)], &[]);
    inner.insert(inner.spec("scf.yield"));
    Builder::at_end(otherwise, at.location()).insert(inner.spec("scf.yield"));
    let regions = at.spec("scf.if").operands(&[condition]);
    at.insert(regions.region(Region::of(then)).region(Region::of(otherwise)));
}

/// The active lanes that are out of bounds, and their indices, with 0 for all other lanes.
fn is_outside_on<'c>(
    access: &CheckedAccess<'c>,
    (index, size): (Value<'c>, Value<'c>),
    lanes: usize,
    mask: Value<'c>,
    at: Builder<'c>,
) -> (Value<'c>, Value<'c>) {
    let all = access.lanes.expect("a mask is that of a vector");
    let indices = Type::vector(all, index.ty());
    let bits = Type::vector(all, Type::integer(at.context(), 1));
    let spread = |value| at.op("vector.broadcast", &[value], indices);
    let mut index = spread(index);
    if lanes > 1 {
        let steps = at.value(at.spec("vector.step").results(&[indices]));
        index = at.op("arith.addi", &[index, steps], indices);
    }
    let above = is_above(index, spread(size), at);
    let outside = at.op("arith.andi", &[above, mask], bits);
    let none = at.index(0);
    let found = at.op("arith.select", &[outside, index, spread(none)], indices);
    (outside, found)
}

/// True if an index is not in `[0, size)`. The comparison is unsigned, so a negative index counts as a large
/// one.
fn is_above<'c>(index: Value<'c>, size: Value<'c>, at: Builder<'c>) -> Value<'c> {
    let bit = Type::integer(at.context(), 1);
    let ty = index.ty().lanes().map_or(bit, |(lanes, _)| Type::vector(lanes, bit));
    // The value of `uge` in the predicates of `arith.cmpi`.
    let predicate = Attribute::integer(Type::integer(at.context(), 64), 9);
    let compare = at.spec("arith.cmpi").operands(&[index, size]);
    at.value(compare.attribute("predicate", predicate).results(&[ty]))
}

fn reduced<'c>(kind: &str, vector: Value<'c>, ty: Type<'c>, at: Builder<'c>) -> Value<'c> {
    let kind = Attribute::parse(at.context(), &format!("#vector.kind<{kind}>"));
    let spec = at.spec("vector.reduction").operands(&[vector]);
    at.value(spec.attribute("kind", kind.expect("a kind of the vector dialect")).results(&[ty]))
}

/// The location as `file:line:column`, if it is known.
fn place(op: Op) -> String {
    let text = op.location().to_string();
    let text = text.strip_prefix("loc(").and_then(|t| t.strip_suffix(')')).unwrap_or(&text);
    text.replace('"', "").replace('%', "%%")
}

fn call<'c>(at: Builder<'c>, name: &str, arguments: &[Value<'c>], results: &[Type<'c>]) {
    let context = at.context();
    let mut spec = at
        .spec("llvm.call")
        .operands(arguments)
        .results(results)
        .segments(&[arguments.len(), 0])
        .attribute("callee", Attribute::symbol(context, name))
        .attribute("op_bundle_sizes", Attribute::dense_i32(context, &[]));
    if name == "dprintf" {
        spec = spec.attribute("var_callee_type", parsed(at, FUNCTIONS[0].1));
    }
    at.insert(spec);
}

fn declare(at: Builder, name: &str, ty: &str) {
    let spec = at
        .spec("llvm.func")
        .attribute("sym_name", Attribute::string(at.context(), name))
        .attribute("function_type", parsed(at, ty))
        .attribute("linkage", parsed(at, "#llvm.linkage<external>"));
    at.insert(spec.region(Region::new()));
}

fn message(at: Builder, name: &str, text: &str) {
    let ty = Type::llvm_array(Type::integer(at.context(), 8), text.len() as u32);
    let spec = at
        .spec("llvm.mlir.global")
        .attribute("sym_name", Attribute::string(at.context(), name))
        .attribute("global_type", ty.to_attribute())
        .attribute("linkage", parsed(at, "#llvm.linkage<internal>"))
        .attribute("constant", Attribute::unit(at.context()))
        .attribute("value", Attribute::string(at.context(), text));
    at.insert(spec.region(Region::new()));
}

fn parsed<'c>(at: Builder<'c>, text: &str) -> Attribute<'c> {
    Attribute::parse(at.context(), text).expect("an attribute of the llvm dialect")
}
