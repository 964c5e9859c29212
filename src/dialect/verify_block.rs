//! Verifier of `loop.block`.
//!
//! - (B1) iters: names are distinct, domains are size expressions, variables are of type index
//! - (B2) one binding an iter, over surrounding loops, enclosing block iters and sizes
//! - (B3) the predicate is over the same values
//! - (B4) sizes are index arguments, dimensions of memrefs, constants, or enclosing block iters
//! - (B5) a leaf body holds ops without effects, loads, stores, `loop.if`, calls, `cf.assert` and one `loop.init`;
//!   another body holds loops, blocks, `loop.if` and `loop.sync`
//! - (B6) the body uses no values from outside except buffers, sizes and constants
//! - (B7) loaded and stored element types may be in memory
//! - (B8) a leaf writes one buffer, or as many as the reducer has values, all at the same indices
//! - (B9) `loop.init` is the first op, needs a reduce iter and a reducer, and initialises each written buffer
//! - (B10) the reducer has one identity a value, and combiners that match the body
//! - (B11) declared regions have the rank of their buffer, and each buffer has one entry
//! - (B12) declared regions contain all accesses of the body; a buffer passed to a called function is in one of them
//! - (B13) stated axes are those that the loops, bindings and buffers give

use super::loop_enums::{Combiner, IterRole};
use super::loop_op::{AccessRegion, RegionDim, ScheduleBlock, buffer_name, is_storable};
use super::verify_loop::{
    STORABLE, is_bound, is_name, is_size, verify_name, verify_operands, verify_place,
};
use super::{block_axes, reducer, region};
use crate::ir::affine::Expr;
use crate::ir::{Attribute, Error, Op, TypeKind, Value, is_inside, scope_of, walk};

pub(super) fn verify(op: Op) -> Result<(), Error> {
    verify_place(op)?;
    let block = ScheduleBlock::of(op)?;
    verify_name(op, "block", block.name)?;
    verify_iters(&block)?;
    verify_expressions(&block)?;
    verify_body(&block)?;
    if !block.is_nest() {
        verify_stores(&block)?;
    }
    verify_regions(&block)?;
    block_axes::verify(&block)
}

fn fail<'c, T>(block: &ScheduleBlock<'c>, message: impl Into<String>) -> Result<T, Error<'c>> {
    Err(Error::on(block.op, format!("\"{}\" {}", block.name, message.into())))
}

/// (B1)
fn verify_iters<'c>(block: &ScheduleBlock<'c>) -> Result<(), Error<'c>> {
    for (i, iter) in block.iters.iter().enumerate() {
        if !is_name(&iter.name) {
            return fail(
                block,
                format!("has an iter named \"{}\", which is not a valid name", iter.name),
            );
        }
        if block.iters[..i].iter().any(|other| other.name == iter.name) {
            return fail(block, format!("has two iters named \"{}\"", iter.name));
        }
        if !iter.variable.ty().is_index() {
            return fail(block, format!("iter \"{}\" is not of type index", iter.name));
        }
        if iter.domain.is_empty() {
            return fail(
                block,
                format!("iter \"{}\" has an empty minimum as its domain", iter.name),
            );
        }
        if let Some(domain) = iter.domain.iter().filter_map(Expr::constant).find(|d| *d < 0) {
            return fail(block, format!("iter \"{}\" has the negative domain {domain}", iter.name));
        }
    }
    Ok(())
}

/// (B2), (B3), (B4)
fn verify_expressions<'c>(block: &ScheduleBlock<'c>) -> Result<(), Error<'c>> {
    let (binds, sizes) = (block.binds.len(), block.sizes.len());
    if block.binding.len() != block.iters.len() {
        return fail(
            block,
            format!("binds {} values to {} iters", block.binding.len(), block.iters.len()),
        );
    }
    let maps = |name: &str| {
        let one = |a: Attribute| a.as_map().into_iter().collect::<Vec<_>>();
        let many = |a: Attribute<'c>| {
            a.as_array().map(|items| items.into_iter().filter_map(Attribute::as_map).collect())
        };
        block.op.attribute(name).map(|a| many(a).unwrap_or_else(|| one(a))).unwrap_or_default()
    };
    for (name, dims) in [
        ("binding", binds),
        ("domains", 0),
        ("read_offsets", block.iters.len()),
        ("write_offsets", block.iters.len()),
        ("read_extents", 0),
        ("write_extents", 0),
    ] {
        if maps(name).iter().any(|map| map.dims != dims || map.symbols != sizes) {
            return fail(
                block,
                format!("has a map in '{name}' that is not over {dims} dims and {sizes} sizes"),
            );
        }
    }
    if let Some(predicate) = &block.predicate
        && (predicate.dims != binds || predicate.symbols != sizes)
    {
        return fail(
            block,
            format!("has a predicate that is not over {binds} dims and {sizes} sizes"),
        );
    }
    verify_operands(block.op, &block.binds, &block.sizes)
}

/// (B5), (B6), (B7)
fn verify_body<'c>(block: &ScheduleBlock<'c>) -> Result<(), Error<'c>> {
    let is_nest = block.is_nest();
    for op in block.body.ops() {
        let fits = match op.name() {
            "loop.yield" | "loop.if" => true,
            "loop.for" | "loop.block" | "loop.sync" => is_nest,
            _ if is_nest => op.is_constant(),
            _ => is_leaf_op(op),
        };
        if !fits {
            let message = match is_nest {
                true => format!("contains '{}' between loops and schedule blocks", op.name()),
                false => format!(
                    "contains '{}', expected ops without effects, loads, stores, 'loop.if', calls and 'cf.assert'",
                    op.name()
                ),
            };
            return fail(block, message).map_err(|e: Error| e.note(op.location(), "it is here"));
        }
    }
    for op in walk(block.op) {
        if op == block.op {
            continue;
        }
        if let Some(value) = op.operands().into_iter().find(|v| !may_use(block, *v)) {
            let message =
                format!("uses {value:?} from outside: only buffers, sizes and constants may");
            return fail(block, message)
                .map_err(|e: Error| e.note(op.location(), "it is used here"));
        }
        let buffer = match op.name() {
            "memref.load" => op.operand(0),
            "memref.store" => op.operand(1),
            _ => continue,
        };
        match buffer.ty().kind() {
            TypeKind::MemRef { element, .. } if is_storable(element) => {}
            TypeKind::MemRef { element, .. } => {
                let message = format!("accesses elements of type {element}, {STORABLE}");
                return fail(block, message)
                    .map_err(|e: Error| e.note(op.location(), "it is here"));
            }
            _ => {
                let message = format!(
                    "accesses {}, expected a row-major memref in the default \
                                       memory space",
                    buffer.ty()
                );
                return fail(block, message)
                    .map_err(|e: Error| e.note(op.location(), "it is here"));
            }
        }
    }
    Ok(())
}

fn is_leaf_op(op: Op) -> bool {
    match op.name() {
        "memref.load" | "memref.store" | "loop.if" | "loop.init" | "func.call" | "cf.assert" => {
            true
        }
        _ => op.regions().is_empty() && op.has_no_effects(),
    }
}

fn may_use<'c>(block: &ScheduleBlock<'c>, value: Value<'c>) -> bool {
    let inside = scope_of(value).is_some_and(|scope| is_inside(scope, block.op));
    let is_outer_iter =
        || is_bound(value) && scope_of(value).is_some_and(|scope| scope.is(ScheduleBlock::NAME));
    inside || value.ty().is_memref() || is_size(value) || is_outer_iter()
}

/// (B8), (B9), (B10)
fn verify_stores<'c>(block: &ScheduleBlock<'c>) -> Result<(), Error<'c>> {
    let init = block.init();
    let in_init = |op: &Op<'c>| init.is_some_and(|init| is_inside(*op, init));
    let (starts, stores): (Vec<_>, Vec<_>) =
        walk(block.op).into_iter().filter(|op| op.is("memref.store")).partition(in_init);
    let written = distinct_buffers(&stores);
    let values = match &block.reducer {
        Some(reducer) if reducer.combiners == [Combiner::Ordered] => written.len().max(1),
        Some(reducer) => reducer.combiners.iter().map(|c| c.arity()).sum(),
        None => 1,
    };
    if written.len() > values || block.reducer.is_some() && written.len() != values {
        return fail(
            block,
            format!("writes {} buffers, but its reducer has {values} values", written.len()),
        );
    }
    if let Some(other) = stores.iter().find(|s| !region::same_indices(block, **s, stores[0])) {
        return fail(block, "stores at different indices")
            .map_err(|e: Error| e.note(other.location(), "one store is here"));
    }
    if let Some(init) = init {
        verify_init(block, init, &starts, &stores, &written)?;
    }
    verify_reducer(block, &stores)
}

fn distinct_buffers<'c>(stores: &[Op<'c>]) -> Vec<Value<'c>> {
    let mut buffers = vec![];
    for store in stores {
        let buffer = store.operand(1);
        if !buffers.contains(&buffer) {
            buffers.push(buffer);
        }
    }
    buffers
}

/// (B9)
fn verify_init<'c>(
    block: &ScheduleBlock<'c>,
    init: Op<'c>,
    starts: &[Op<'c>],
    stores: &[Op<'c>],
    written: &[Value<'c>],
) -> Result<(), Error<'c>> {
    let here = |e: Error<'c>| e.note(init.location(), "the 'loop.init' is here");
    let before = block.body.ops().into_iter().take_while(|op| *op != init);
    if before.into_iter().any(|op| !op.is_constant()) {
        return fail(block, "has ops other than constants before its 'loop.init'").map_err(here);
    }
    if block.body.ops().iter().filter(|op| op.is("loop.init")).count() > 1 {
        return fail(block, "has more than one 'loop.init'").map_err(here);
    }
    if block.reducer.is_none() || !block.iters.iter().any(|i| i.role == IterRole::Reduce) {
        return fail(block, "has a 'loop.init' but no reducer or no reduce iter").map_err(here);
    }
    let inner = init.body(0).map(|body| body.ops()).unwrap_or_default();
    if let Some(op) = inner.iter().find(|op| !op.is("loop.yield") && !is_leaf_op(**op)) {
        return fail(block, format!("contains '{}' in its 'loop.init'", op.name())).map_err(here);
    }
    if starts.iter().any(|s| !region::same_indices(block, *s, stores[0])) {
        return fail(block, "initializes its reduction at other indices than it stores to")
            .map_err(here);
    }
    let started = distinct_buffers(starts);
    match written.iter().find(|b| !started.contains(b)) {
        Some(buffer) => {
            let name = buffer_name(*buffer);
            fail(block, format!("does not give {name} a start value in its 'loop.init'"))
                .map_err(here)
        }
        None if started.len() > written.len() => {
            fail(block, "initializes a buffer in its 'loop.init' that it does not write")
                .map_err(here)
        }
        None => Ok(()),
    }
}

/// (B10)
fn verify_reducer<'c>(block: &ScheduleBlock<'c>, stores: &[Op<'c>]) -> Result<(), Error<'c>> {
    let Some(declared) = &block.reducer else { return Ok(()) };
    if declared.combiners == [Combiner::Ordered] {
        return match declared.identities.is_empty() {
            true => Ok(()),
            false => fail(block, "has an identity for the reducer 'ordered', which has none"),
        };
    }
    let values: usize = declared.combiners.iter().map(|c| c.arity()).sum();
    if declared.combiners.contains(&Combiner::Ordered) || declared.identities.len() != values {
        return fail(
            block,
            format!(
                "has {} identities for a reducer of {values} values",
                declared.identities.len()
            ),
        );
    }
    for (store, identity) in stores.iter().zip(&declared.identities) {
        if identity.ty() != store.operand(0).ty() {
            let message =
                format!("has the identity {identity} for values of type {}", store.operand(0).ty());
            return fail(block, message);
        }
    }
    let old = |value: Value<'c>| {
        let load = value.defining_op().filter(|op| op.is("memref.load"))?;
        stores.iter().position(|store| region::same_cell(block, load, *store))
    };
    let new: Vec<_> = stores.iter().map(|store| store.operand(0)).collect();
    let found = reducer::recognize(&new, &old);
    if found.as_ref() == Some(&declared.combiners) {
        return Ok(());
    }
    let words = |list: &[Combiner]| list.iter().map(|c| c.word()).collect::<Vec<_>>().join(", ");
    let found = found.map_or("no known combiner".into(), |list| words(&list));
    fail(
        block,
        format!(
            "declares the reducer {}, but its body computes {found}",
            words(&declared.combiners)
        ),
    )
}

/// (B11), (B12)
fn verify_regions<'c>(block: &ScheduleBlock<'c>) -> Result<(), Error<'c>> {
    for (list, word) in [(&block.reads, "reads"), (&block.writes, "writes")] {
        for (i, entry) in list.iter().enumerate() {
            let name = buffer_name(entry.buffer);
            if list[..i].iter().any(|other| other.buffer == entry.buffer) {
                return fail(block, format!("lists {name} twice in '{word}'"));
            }
            let Some((dims, _)) = entry.buffer.ty().shaped() else {
                return fail(block, format!("'{word}' {name}, which is not a row-major memref"));
            };
            if dims.len() != entry.spans.len() {
                return fail(
                    block,
                    format!(
                        "'{word}' {name} in {} dimensions, but it has {}",
                        entry.spans.len(),
                        dims.len()
                    ),
                );
            }
            let empty = |span: &RegionDim| matches!(span, RegionDim::Range { extent, .. } if extent.constant().is_some_and(|e| e < 1));
            if entry.spans.iter().any(empty) {
                return fail(block, format!("'{word}' {name} with an extent below 1"));
            }
        }
    }
    let computed = region::accesses(block)?;
    verify_contained(block, "read", &block.reads, &computed.reads)?;
    verify_contained(block, "write", &block.writes, &computed.writes)
}

fn verify_contained<'c>(
    block: &ScheduleBlock<'c>,
    word: &str,
    declared: &[AccessRegion<'c>],
    computed: &[AccessRegion<'c>],
) -> Result<(), Error<'c>> {
    for access in computed {
        let shown = region::describe(block, access);
        match declared.iter().find(|region| region.buffer == access.buffer) {
            None => {
                return fail(block, format!("{word}s {shown}, which is not in '{word}s'"));
            }
            Some(region) if !region::contains(block, region, access) => {
                let region = region::describe(block, region);
                return fail(block, format!("{word}s {shown}, outside of the declared {region}"));
            }
            Some(_) => {}
        }
    }
    Ok(())
}
