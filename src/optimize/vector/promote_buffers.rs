//! `promote-buffers`: keep the accumulators of loops in SSA values instead of memory, and erase private buffers that
//! need no memory.
//!
//! ```text
//! scf.for %k {                                     %0 = vector.load %C[%i, %j]
//!   %c = vector.load %C[%i, %j]                    %1 = scf.for %k iter_args(%c = %0) {
//!   %s = math.fma %a, %b, %c                  ->     %s = math.fma %a, %b, %c
//!   vector.store %s, %C[%i, %j]                      scf.yield %s
//! }                                                }
//!                                                  vector.store %1, %C[%i, %j]
//! ```
//! A buffer is promoted in a loop if all its uses in the loop are loads and stores that
//! - are directly in the loop body (accesses in inner loops are moved there when the buffer is promoted in the inner
//!   loop), while the buffer is defined before the loop,
//! - have loop-invariant indices,
//! - access the same elements, or elements that are proved not to overlap by constant offsets,
//! - and are not only loads.
//!
//! Elements that are only loaded are loaded before the loop and not stored after it, because another thread may read
//! them. Masked accesses are promoted if no op uses the inactive lanes.
//!
//! In a loop with a barrier of GPU threads, a buffer that is not private is promoted only if the loop accesses a single
//! element or vector of it. Accesses that do not overlap within one thread may overlap between threads. (If another
//! thread stored to the single element too, two stores without a barrier between them would already be a race.)
//!
//! After promotion, stored values are forwarded up to the next barrier, also into branches and loops: a load is
//! replaced by the value that was stored to its element before, under the same mask, or by an element of a stored
//! vector. A masked store to a vector that is known makes another known vector, of which the lanes that are off are unchanged. Of equal loads of a tile in a block, the first one is kept. A store is erased if a later store in its block
//! writes the same element before anything may read it. A `memref.alloca` that is only stored to is erased.
//! With `remark=true`, each remaining `memref.alloca` gets a remark with the reason, unless all its indices are constants,
//! because LLVM promotes those. Two memrefs are assumed not to alias. Run loop-invariant code motion first, so that indices
//! are visibly invariant.

mod dead_stores;

use crate::ir::{
    Attribute, Block, Builder, Op, OpSpec, Region, Type, TypeKind, Value, constant_integer,
    constant_value, is_inside, parents, remark, scope_of, walk,
};
use std::collections::{HashMap, HashSet};

/// Promotes buffers in all loops of a function. If `remarks` is true, remarks give the reason why private buffers stay.
pub fn run(function: Op, remarks: bool) {
    // Inner loops first: what they leave in the outer loop is promoted there.
    let loops: Vec<_> = walk(function).into_iter().filter(|op| op.is("scf.for")).collect();
    loops.into_iter().rev().for_each(promote_in_loop);
    let blocks = function.regions().into_iter().flat_map(|region| region.blocks());
    for block in blocks {
        forward_stores(block, &mut KnownValues::new());
        dead_stores::erase_overwritten(block);
    }
    // Known vectors that nothing loads; one may be made of another.
    let selections = walk(function).into_iter().filter(|op| op.is("arith.select")).rev();
    selections.filter(|op| op.result(0).is_unused()).for_each(Op::erase);
    let private: Vec<_> = walk(function).into_iter().filter(|op| op.is("memref.alloca")).collect();
    for op in private {
        if let Some(why) = dead_stores::erase_unread(op).filter(|_| remarks) {
            remark(op.location(), &format!("this buffer stays in memory: {why}"));
        }
    }
}

/// A load or store.
#[derive(Clone, Debug)]
struct BufferAccess<'c> {
    op: Op<'c>,
    is_store: bool,
    cell: AccessedElement<'c>,
}

/// The element or vector that an access reads or writes. Of two equal ones, the indices may be different ops of one constant.
#[derive(Clone, Debug)]
struct AccessedElement<'c> {
    buffer: Value<'c>,
    indices: Vec<Value<'c>>,
    ty: Type<'c>,
    mask: Option<Value<'c>>,
    /// In bytes, for a vector access on a GPU.
    alignment: Option<Attribute<'c>>,
}

impl<'c> BufferAccess<'c> {
    fn of(op: Op<'c>) -> Option<BufferAccess<'c>> {
        let operands = op.operands();
        let rank = |buffer: Value| buffer.ty().shaped().map(|(dims, _)| dims.len());
        let (buffer, first, ty, is_store) = match op.name() {
            "memref.load" | "vector.load" | "vector.maskedload" => {
                (operands[0], 1, op.result(0).ty(), false)
            }
            "memref.store" | "vector.store" => (operands[1], 2, operands[0].ty(), true),
            "amx.tile_load" => (operands[0], 1, op.result(0).ty(), false),
            "amx.tile_store" => (operands[0], 1, tile_of_store(op)?.ty(), true),
            "vector.maskedstore" => (operands[0], 1, operands.last()?.ty(), true),
            _ => return None,
        };
        let end = first + rank(buffer)?;
        let is_masked = matches!(op.name(), "vector.maskedload" | "vector.maskedstore");
        let mask = if is_masked { Some(*operands.get(end)?) } else { None };
        if is_masked && !is_store && !is_zero(*operands.last()?) {
            return None;
        }
        // A tile with a stride of its own is not in adjacent rows of the buffer.
        let is_tile = matches!(op.name(), "amx.tile_load" | "amx.tile_store");
        if is_tile && operands.len() != end + usize::from(is_store) {
            return None;
        }
        let indices = operands.get(first..end)?.to_vec();
        let alignment = op.attribute("alignment");
        Some(BufferAccess {
            op,
            is_store,
            cell: AccessedElement { buffer, indices, ty, mask, alignment },
        })
    }

    /// The value that a store stores.
    fn stored(&self) -> Value<'c> {
        let operands = self.op.operands();
        match self.op.name() {
            "vector.maskedstore" | "amx.tile_store" => {
                *operands.last().expect("a store has a value")
            }
            _ => operands[0],
        }
    }
}

/// The stored value, if the tile has no stride of its own.
fn tile_of_store<'c>(op: Op<'c>) -> Option<Value<'c>> {
    op.operands().last().copied().filter(|value| value.ty().tile_shape().is_some())
}

impl AccessedElement<'_> {
    /// All lanes.
    fn without_mask(&self) -> Self {
        AccessedElement { mask: None, ..self.clone() }
    }
}

impl PartialEq for AccessedElement<'_> {
    fn eq(&self, other: &Self) -> bool {
        let mut indices = self.indices.iter().zip(&other.indices);
        (self.buffer, self.ty, self.mask) == (other.buffer, other.ty, other.mask)
            && self.alignment == other.alignment
            && indices.all(|(a, b)| a == b || offset(*a) == offset(*b))
    }
}

impl<'c> AccessedElement<'c> {
    /// True if the constant parts of the indices show that two accesses do not overlap.
    fn is_apart(&self, other: &AccessedElement<'c>) -> bool {
        let rank = self.indices.len();
        self.indices.iter().zip(&other.indices).enumerate().any(|(i, (a, b))| {
            let ((a, a_offset), (b, b_offset)) = (offset(*a), offset(*b));
            let [a_length, b_length] = [self.ty, other.ty].map(|ty| length(ty, rank - i));
            let is_below = |offset: i64, length, other| offset.saturating_add(length) <= other;
            a == b
                && (is_below(a_offset, a_length, b_offset)
                    || is_below(b_offset, b_length, a_offset))
        })
    }

    /// True if all indices are constants, and there is no mask.
    fn is_fixed(&self) -> bool {
        self.mask.is_none() && self.indices.iter().all(|index| offset(*index).0.is_none())
    }

    fn aligned(&self, spec: OpSpec<'c>) -> OpSpec<'c> {
        match self.alignment {
            Some(alignment) => spec.attribute("alignment", alignment),
            None => spec,
        }
    }

    fn load(&self, at: Builder<'c>) -> Value<'c> {
        let mut operands = vec![self.buffer];
        operands.extend(&self.indices);
        if self.ty.tile_shape().is_some() {
            let segments = [1, self.indices.len(), 0];
            let spec = at.spec("amx.tile_load").operands(&operands).results(&[self.ty]);
            return at.value(spec.segments(&segments));
        }
        match (self.mask, self.ty.lanes()) {
            (Some(mask), _) => {
                operands.extend([mask, at.constant_vector(self.ty, 0)]);
                at.op("vector.maskedload", &operands, self.ty)
            }
            (None, Some(_)) => {
                let spec = at.spec("vector.load").operands(&operands).results(&[self.ty]);
                at.value(self.aligned(spec))
            }
            (None, None) => at.op("memref.load", &operands, self.ty),
        }
    }

    fn store(&self, value: Value<'c>, at: Builder<'c>) {
        if self.ty.tile_shape().is_some() {
            let segments = [1, self.indices.len(), 1, 0];
            let operands = [&[self.buffer], &self.indices[..], &[value]].concat();
            at.insert(at.spec("amx.tile_store").operands(&operands).segments(&segments));
            return;
        }
        let name = match (self.mask, self.ty.lanes()) {
            (Some(_), _) => "vector.maskedstore",
            (None, Some(_)) => "vector.store",
            (None, None) => "memref.store",
        };
        let mut operands = match self.mask {
            Some(_) => vec![self.buffer],
            None => vec![value, self.buffer],
        };
        operands.extend(&self.indices);
        if let Some(mask) = self.mask {
            operands.extend([mask, value]);
        }
        at.insert(self.aligned(at.spec(name).operands(&operands)));
    }
}

/// An index as a value, `None` for 0, plus a constant.
fn offset(index: Value) -> (Option<Value>, i64) {
    let Some(op) = index.defining_op() else { return (Some(index), 0) };
    if let Some(value) = constant_integer(index) {
        return (None, value);
    }
    if let ("arith.addi", [base, added]) = (op.name(), &op.operands()[..])
        && let Some(added) = constant_integer(*added)
    {
        let (base, offset) = offset(*base);
        return (base, offset.saturating_add(added));
    }
    (Some(index), 0)
}

/// True if a vector is a constant zero, in the form that `Builder::constant_vector` creates.
fn is_zero(vector: Value) -> bool {
    let Some((_, element)) = vector.ty().lanes() else { return false };
    let zero = match element.kind() {
        TypeKind::Float(_) => Attribute::float(element, 0.0),
        _ => Attribute::integer(element, 0),
    };
    constant_value(vector) == Some(Attribute::splat(vector.ty(), zero))
}

/// True if a value is used, lane by lane, only by stores under this mask. After promotion, lanes that are off have
/// the previous value, where a masked load gives 0.
fn stays_under(mask: Value, value: Value) -> bool {
    let mut reached = vec![value];
    let mut next = 0;
    while let Some(value) = reached.get(next).copied() {
        next += 1;
        for (user, i) in value.uses() {
            let targets = match user.name() {
                "vector.maskedstore" => {
                    let operands = user.operands();
                    if i + 1 != operands.len() || operands[i - 1] != mask {
                        return false;
                    }
                    vec![]
                }
                "scf.for" if i >= 3 => carried(user, i - 3),
                "scf.yield" => match user.parent() {
                    Some(parent) if parent.is("scf.for") => carried(parent, i),
                    Some(parent) if parent.is("scf.if") => vec![parent.result(i)],
                    _ => return false,
                },
                name if is_lanewise(name) => user.results(),
                _ => return false,
            };
            for target in targets {
                if !reached.contains(&target) {
                    reached.push(target);
                }
            }
        }
    }
    true
}

/// Result `i` of a loop, and the block argument that carries it.
fn carried<'c>(op: Op<'c>, i: usize) -> Vec<Value<'c>> {
    let start = op.body(0).and_then(|body| body.arguments().get(i + 1).copied());
    std::iter::once(op.result(i)).chain(start).collect()
}

/// True if an op computes each lane on its own, and traps for no value.
fn is_lanewise(name: &str) -> bool {
    let divides = ["div", "rem", "ipowi"].iter().any(|part| name.contains(part));
    (name.starts_with("arith.") || name.starts_with("math.")) && (!divides || name.ends_with('f'))
}

/// The number of elements along a dimension of the buffer, the last one being 1.
fn length(ty: Type, from_end: usize) -> i64 {
    match (ty.lanes(), ty.tile_shape(), from_end) {
        (Some((lanes, _)), _, 1) => lanes as i64,
        (_, Some(([_, columns], _)), 1) => columns,
        (_, Some(([rows, _], _)), 2) => rows,
        _ => 1,
    }
}

fn promote_in_loop(op: Op) {
    let Some(body) = op.body(0).filter(|_| op.attribute("unsignedCmp").is_none()) else { return };
    let mut buffers = vec![];
    for access in body.ops().into_iter().filter_map(BufferAccess::of) {
        if access.is_store && !buffers.contains(&access.cell.buffer) {
            buffers.push(access.cell.buffer);
        }
    }
    let cells: Vec<AccessedElement> = buffers
        .into_iter()
        .filter_map(|buffer| cells_of(op, body, buffer).ok())
        .flatten()
        .collect();
    if !cells.is_empty() {
        carry(op, body, &cells);
    }
}

/// The elements of a buffer that a loop accesses, if they can be kept in values; otherwise the reason why not.
fn cells_of<'c>(
    op: Op<'c>,
    body: Block<'c>,
    buffer: Value<'c>,
) -> Result<Vec<AccessedElement<'c>>, &'static str> {
    let mut cells: Vec<AccessedElement> = vec![];
    let varies = |value: &Value<'c>| scope_of(*value).is_some_and(|scope| is_inside(scope, op));
    if varies(&buffer) || buffer.defining_op().is_some_and(|from| is_inside(from, op)) {
        return Err("each iteration has its own");
    }
    for (user, _) in buffer.uses() {
        if !is_inside(user, op) || is_hint(user) {
            continue;
        }
        let access =
            BufferAccess::of(user).ok_or("something other than a load or store uses it")?;
        if user.block() != Some(body) {
            return Err(
                "it is accessed under a condition, or in an inner loop at an index that varies",
            );
        }
        if access.cell.indices.iter().chain(&access.cell.mask).any(varies) {
            return Err("its index varies in a loop");
        }
        if let Some(mask) = access.cell.mask
            && !access.is_store
            && !stays_under(mask, user.result(0))
        {
            return Err("lanes that are masked off are used");
        }
        if !cells.contains(&access.cell) {
            cells.push(access.cell);
        }
    }
    if cells.len() > 1 && !is_private(buffer) && holds_barrier(op) {
        return Err("the loop has a barrier, and its accesses may overlap between threads");
    }
    for (i, cell) in cells.iter().enumerate() {
        if cells[..i].iter().any(|other| !cell.is_apart(other)) {
            return Err("its accesses overlap");
        }
    }
    // Uses are listed last first; code in program order is easier to read.
    cells.reverse();
    Ok(cells)
}

/// True if each thread has its own instance of the buffer.
fn is_private(buffer: Value) -> bool {
    buffer.defining_op().is_some_and(|op| op.is("memref.alloca"))
}

fn holds_barrier(op: Op) -> bool {
    walk(op).iter().any(|op| op.is("gpu.barrier"))
}

/// Carries the elements through the loop as values.
fn carry<'c>(op: Op<'c>, body: Block<'c>, cells: &[AccessedElement<'c>]) {
    let location = op.location();
    let accesses: Vec<BufferAccess> = body.ops().into_iter().filter_map(BufferAccess::of).collect();
    let is_stored =
        |cell: &&AccessedElement| accesses.iter().any(|it| it.is_store && it.cell == **cell);
    let (mut cells, only_loaded): (Vec<&AccessedElement>, Vec<&AccessedElement>) =
        cells.iter().partition(is_stored);
    let stored = cells.len();
    cells.extend(only_loaded);
    let mut at = Builder::before(op, location);
    let operands = op.operands();
    let (bounds, old_inits) = operands.split_at(3);
    // A loop that may not run must not load, except where its thread has provably stored before.
    let may_load = |cell: &&AccessedElement| is_private(cell.buffer) && is_stored_before(op, cell);
    let guard = (!surely_runs(bounds) && !cells.iter().all(may_load)).then(|| {
        let bit = Type::integer(op.context(), 1);
        let predicate = Attribute::integer(Type::integer(op.context(), 64), 2); // slt
        let spec = at.spec("arith.cmpi").operands(&bounds[..2]).attribute("predicate", predicate);
        (at.value(spec.results(&[bit])), Block::new(&[]))
    });
    let outside = at;
    if let Some((_, block)) = &guard {
        at = Builder::at_end(*block, location);
    }
    let loaded: Vec<Value> = cells.iter().map(|cell| cell.load(at)).collect();
    let inits: Vec<Value> = old_inits.iter().chain(&loaded[..stored]).copied().collect();

    let old_arguments = body.arguments();
    let types = old_arguments.iter().chain(&loaded[..stored]).map(|v| (v.ty(), location));
    let new_body = Block::new(&types.collect::<Vec<_>>());
    let arguments = new_body.arguments();
    for (old, new) in old_arguments.iter().zip(&arguments) {
        old.replace_all_uses_with(*new);
    }
    let mut current = arguments[old_arguments.len()..].to_vec();
    current.extend(&loaded[stored..]);
    for inner in body.ops() {
        inner.detach();
        new_body.append(inner);
        let Some(access) = BufferAccess::of(inner) else { continue };
        let Some(i) = cells.iter().position(|cell| **cell == access.cell) else { continue };
        if access.is_store {
            current[i] = access.stored();
        } else {
            inner.result(0).replace_all_uses_with(current[i]);
        }
        inner.erase();
    }
    let end = new_body.ops().pop().expect("a loop's body ends in a yield");
    let yielded: Vec<Value> = end.operands().iter().chain(&current[..stored]).copied().collect();
    end.set_operands(&yielded);

    let all: Vec<Value> = bounds.iter().chain(&inits).copied().collect();
    let results: Vec<Type> = inits.iter().map(|v| v.ty()).collect();
    let mut spec = at.spec("scf.for").operands(&all).results(&results);
    for (name, value) in op.attributes() {
        spec = spec.attribute(name, value);
    }
    let spec = spec.region(Region::of(new_body));
    let new = at.insert(spec).results();
    let (kept, carried) = new.split_at(old_inits.len());
    for (cell, value) in cells.iter().zip(carried) {
        cell.store(*value, at);
    }
    let kept = match guard {
        None => kept.to_vec(),
        Some((condition, block)) => {
            at.insert(at.spec("scf.yield").operands(kept));
            let other = Block::new(&[]);
            let end = Builder::at_end(other, location);
            end.insert(end.spec("scf.yield").operands(old_inits));
            let types: Vec<_> = kept.iter().map(|v| v.ty()).collect();
            let spec = outside.spec("scf.if").operands(&[condition]).results(&types);
            outside.insert(spec.region(Region::of(block)).region(Region::of(other))).results()
        }
    };
    for (old, new) in op.results().into_iter().zip(kept) {
        old.replace_all_uses_with(new);
    }
    op.erase();
}

/// True if constant bounds show that a loop has an iteration.
fn surely_runs(bounds: &[Value]) -> bool {
    matches!((offset(bounds[0]), offset(bounds[1])), ((None, from), (None, to)) if from < to)
}

/// True if each path to an op stores to the element before.
fn is_stored_before(op: Op, cell: &AccessedElement) -> bool {
    let path: Vec<Op> = std::iter::once(op).chain(parents(op)).collect();
    let precedes = |store: Op| {
        let here = path.iter().find(|here| here.block() == store.block());
        here.is_some_and(|here| store != *here && store.is_before(*here))
    };
    let stores = |user: Op| {
        BufferAccess::of(user).is_some_and(|access| access.is_store && access.cell == *cell)
    };
    cell.buffer.uses().into_iter().any(|(user, _)| stores(user) && precedes(user))
}

/// Extracts an element from a vector that was stored over it.
fn element<'c>(
    cell: &AccessedElement<'c>,
    stored: &AccessedElement<'c>,
    value: Value<'c>,
    at: Builder<'c>,
) -> Option<Value<'c>> {
    let (last, others) = cell.indices.split_last()?;
    let (start, stored_others) = stored.indices.split_last()?;
    let ((base, place), (stored_base, first)) = (offset(*last), offset(*start));
    let is_inside = cell.buffer == stored.buffer
        && (cell.mask, stored.mask, cell.ty.lanes()) == (None, None, None)
        && cell.ty.tile_shape().is_none()
        && (base, others) == (stored_base, stored_others);
    let lane = place.checked_sub(first).filter(|lane| (0..length(stored.ty, 1)).contains(lane))?;
    let (_, element) = stored.ty.lanes().filter(|_| is_inside)?;
    let position = Attribute::dense_i64(at.context(), &[lane]);
    let spec = at.spec("vector.extract").operands(&[value]).attribute("static_position", position);
    Some(at.value(spec.results(&[element])))
}

/// The stored values that are known, by buffer.
type KnownValues<'c> = HashMap<Value<'c>, Vec<(AccessedElement<'c>, Value<'c>)>>;

/// What an op may change, with all ops in it: the buffers that it uses other than by loads, and if it contains a
/// barrier, all that are not private, because other threads may have stored to them before the barrier ends. Loads of
/// tiles count as changes, because the loaded values, which become known, are not defined behind the op.
struct ClobberedBuffers<'c> {
    buffers: HashSet<Value<'c>>,
    holds_barrier: bool,
}

impl<'c> ClobberedBuffers<'c> {
    fn of(op: Op<'c>) -> ClobberedBuffers<'c> {
        let mut all = ClobberedBuffers { buffers: HashSet::new(), holds_barrier: false };
        for inner in walk(op) {
            match inner.name() {
                "gpu.barrier" => all.holds_barrier = true,
                "memref.load" | "vector.load" => {}
                "vector.maskedload" if BufferAccess::of(inner).is_some() => {}
                _ if is_hint(inner) => {}
                _ => all.buffers.extend(inner.operands().iter().filter(|v| v.ty().is_memref())),
            }
        }
        all
    }

    /// Takes the values that are changed out of the known ones.
    fn take_from(&self, known: &mut KnownValues<'c>) -> KnownValues<'c> {
        match self.holds_barrier {
            true => known.extract_if(|b, _| !is_private(*b) || self.buffers.contains(b)).collect(),
            false => self.buffers.iter().filter_map(|b| known.remove_entry(b)).collect(),
        }
    }
}

/// Forwards stored values to later loads, in a block and in the branches and loops nested in it. Afterwards, `known` has
/// the values at the end of the block.
fn forward_stores<'c>(block: Block<'c>, known: &mut KnownValues<'c>) {
    for op in block.ops() {
        let Some(access) = BufferAccess::of(op) else {
            let changes = ClobberedBuffers::of(op);
            let changed = changes.take_from(known);
            for inside in op.regions().into_iter().flat_map(|region| region.blocks()) {
                match op.name() {
                    // Only what an earlier branch or iteration cannot have changed is known. A branch also knows what
                    // precedes it.
                    "scf.if" => {
                        known.extend(changed.clone());
                        forward_stores(inside, known);
                        changes.take_from(known);
                    }
                    "scf.for" => {
                        forward_stores(inside, known);
                        changes.take_from(known);
                    }
                    _ => forward_stores(inside, &mut KnownValues::new()),
                }
            }
            continue;
        };
        let of_buffer = known.entry(access.cell.buffer).or_default();
        let at = Builder::before(op, op.location());
        let whole = access.cell.without_mask();
        let known_at = |place: &AccessedElement| {
            of_buffer.iter().find(|(cell, _)| cell == place).map(|(_, value)| *value)
        };
        let same = known_at(&access.cell).or_else(|| known_at(&whole));
        if access.is_store {
            let value = access.stored();
            // The lanes that are off keep what they had.
            let merged = access.cell.mask.zip(known_at(&whole)).map(|(mask, before)| {
                at.op("arith.select", &[mask, value, before], access.cell.ty)
            });
            of_buffer.retain(|(cell, _)| cell.is_apart(&access.cell));
            of_buffer.extend(merged.map(|merged| (whole, merged)));
            of_buffer.push((access.cell, value));
            continue;
        }
        let part =
            || of_buffer.iter().find_map(|(cell, value)| element(&access.cell, cell, *value, at));
        if let Some(value) = same.or_else(part) {
            let value = match access.cell.mask {
                // A masked load gives 0 in the lanes that are off.
                Some(mask) if !stays_under(mask, op.result(0)) => {
                    let zero = *op.operands().last().expect("a masked load has a value");
                    at.op("arith.select", &[mask, value, zero], access.cell.ty)
                }
                _ => value,
            };
            op.result(0).replace_all_uses_with(value);
            op.erase();
        } else if access.cell.ty.tile_shape().is_some() {
            // LLVM merges other equal loads, but none of tiles.
            of_buffer.push((access.cell, op.result(0)));
        }
    }
}

/// True if an op names memory without reading or writing it.
fn is_hint(op: Op) -> bool {
    op.is("memref.prefetch")
}
