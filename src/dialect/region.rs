//! Access regions, derived from the body of a schedule block, and containment between boxes.
//!
//! Each load and store becomes a box of one element. Accesses under loops of the body are widened over
//! the loops' extents. All boxes of one buffer are joined. If an index is not affine in the block's
//! iters and sizes, or a bound is unknown, the dimension becomes `*`: a region always contains all
//! accesses.

use super::loop_op::{AccessRegion, For, RegionDim, ScheduleBlock};
use crate::ir::affine::{Expr, Linear};
use crate::ir::{Attribute, Block, Error, Op, Value, constant_integer, parents};
use std::cell::RefCell;
use std::collections::HashMap;

/// The regions that a block reads and writes. The accumulators of a reduction with `loop.init` are not reads.
#[derive(Debug, Default)]
pub struct Regions<'c> {
    pub reads: Vec<AccessRegion<'c>>,
    pub writes: Vec<AccessRegion<'c>>,
}

/// Recomputes the regions of `block` from its body: one box a buffer.
pub fn derive<'c>(block: &ScheduleBlock<'c>) -> Result<Regions<'c>, Error<'c>> {
    let accesses = accesses(block)?;
    let mut regions = Regions::default();
    for (from, to) in [(accesses.reads, &mut regions.reads), (accesses.writes, &mut regions.writes)]
    {
        from.into_iter().for_each(|region| join(to, region));
    }
    Ok(regions)
}

/// The box of each access of the body.
pub fn accesses<'c>(block: &ScheduleBlock<'c>) -> Result<Regions<'c>, Error<'c>> {
    let mut derivation = Derivation::new(block);
    // Dims past the iters represent loops of the body, whose extents are in `extents`.
    let iters = block.iters.len();
    derivation.visit(block.body, iters)?;

    let accumulates = block.init().is_some();
    let is_accumulator = |access: &LeafOp<'c>| {
        accumulates
            && derivation
                .found
                .iter()
                .any(|other| other.is_write && derivation.same_cell(access.op, other.op))
    };
    let mut regions = Regions::default();
    for access in &derivation.found {
        let spans = access.region.spans.iter().map(|span| derivation.widened(span, iters));
        let region = AccessRegion { buffer: access.region.buffer, spans: spans.collect() };
        if access.is_write {
            regions.writes.push(region);
        } else if !is_accumulator(access) {
            regions.reads.push(region);
        }
    }
    Ok(regions)
}

/// True if the declared regions of a block provably contain all accesses of its body.
pub fn are_declared(block: &ScheduleBlock) -> bool {
    let Ok(computed) = accesses(block) else { return false };
    let is_in = |declared: &[AccessRegion], access: &AccessRegion| {
        declared.iter().any(|d| d.buffer == access.buffer && contains(block, d, access))
    };
    computed.reads.iter().all(|access| is_in(&block.reads, access))
        && computed.writes.iter().all(|access| is_in(&block.writes, access))
}

/// A load or store of a leaf body.
#[derive(Clone, Debug)]
pub struct ElementAccess<'c> {
    pub op: Op<'c>,
    pub buffer: Value<'c>,
    pub is_write: bool,
    /// True if it is in the block's `loop.init`.
    pub in_init: bool,
    /// True if it is in a `loop.if`.
    pub is_conditional: bool,
    /// The indices over the block's iters and sizes, in normal form; `None` for an index that is no such expression.
    pub indices: Vec<Option<Expr>>,
}

/// The loads and stores of a leaf body, in order.
pub fn cells<'c>(block: &ScheduleBlock<'c>) -> Result<Vec<ElementAccess<'c>>, Error<'c>> {
    let mut derivation = Derivation::new(block);
    derivation.visit(block.body, block.iters.len())?;
    let cell_of = |access: &LeafOp<'c>| {
        let (buffer, indices) = cell(access.op)?;
        let inside = |name| parents(access.op).take_while(|p| *p != block.op).any(|p| p.is(name));
        Some(ElementAccess {
            op: access.op,
            buffer,
            is_write: access.is_write,
            in_init: inside("loop.init"),
            is_conditional: inside("loop.if"),
            indices: indices.iter().map(|v| derivation.index(*v)).collect(),
        })
    };
    Ok(derivation.found.iter().filter_map(cell_of).collect())
}

/// An index value of a leaf body as an expression over the block's iters and sizes, in normal form, if it
/// is one.
pub fn index_expr<'c>(block: &ScheduleBlock<'c>, value: Value<'c>) -> Option<Expr> {
    Derivation::new(block).index(value).map(|expr| expr.simplified())
}

/// True if two loads or stores of a body provably have the same indices for all iters.
pub fn same_indices<'c>(block: &ScheduleBlock<'c>, a: Op<'c>, b: Op<'c>) -> bool {
    Derivation::new(block).same_indices(a, b)
}

/// True if both provably access the same element.
pub fn same_cell<'c>(block: &ScheduleBlock<'c>, a: Op<'c>, b: Op<'c>) -> bool {
    Derivation::new(block).same_cell(a, b)
}

/// The buffer and the indices of a load or store.
fn cell<'c>(op: Op<'c>) -> Option<(Value<'c>, Vec<Value<'c>>)> {
    let operands = op.operands();
    match op.name() {
        "memref.load" => Some((operands[0], operands[1..].to_vec())),
        "memref.store" => Some((operands[1], operands[2..].to_vec())),
        _ => None,
    }
}

struct LeafOp<'c> {
    /// The load or store, or the nested block.
    op: Op<'c>,
    region: AccessRegion<'c>,
    is_write: bool,
}

struct Derivation<'c> {
    /// The declared reads and writes of the block: for a buffer that is passed to a function, nothing else is
    /// known.
    declared: [Vec<AccessRegion<'c>>; 2],
    /// Index values as expressions over the block's iters, its sizes and the loops of its body.
    known: HashMap<Value<'c>, Expr>,
    /// The results for other index values that have been visited.
    met: RefCell<HashMap<Value<'c>, Option<Expr>>>,
    /// The extents of the loops of the body, if constant.
    extents: Vec<Option<i64>>,
    found: Vec<LeafOp<'c>>,
}

impl<'c> Derivation<'c> {
    fn new(block: &ScheduleBlock<'c>) -> Self {
        let mut known = HashMap::new();
        for (i, iter) in block.iters.iter().enumerate() {
            known.insert(iter.variable, Expr::Dim(i));
        }
        for (i, size) in block.sizes.iter().enumerate() {
            known.entry(*size).or_insert(Expr::Symbol(i));
        }
        let declared = [block.reads.clone(), block.writes.clone()];
        Derivation { declared, known, met: RefCell::default(), extents: vec![], found: vec![] }
    }

    fn same_cell(&self, a: Op<'c>, b: Op<'c>) -> bool {
        let buffer = |op| cell(op).map(|(buffer, _)| buffer);
        buffer(a) == buffer(b) && self.same_indices(a, b)
    }

    fn same_indices(&self, a: Op<'c>, b: Op<'c>) -> bool {
        let (Some((_, left)), Some((_, right))) = (cell(a), cell(b)) else { return false };
        let same_index = |(a, b): (&Value<'c>, &Value<'c>)| {
            a == b
                || self.index(*a).is_some_and(|a| {
                    self.index(*b).is_some_and(|b| a.simplified() == b.simplified())
                })
        };
        left.len() == right.len() && left.iter().zip(&right).all(same_index)
    }

    fn visit(&mut self, body: Block<'c>, iters: usize) -> Result<(), Error<'c>> {
        for op in body.ops() {
            match op.name() {
                "memref.load" => self.access(op, false),
                "memref.store" => self.access(op, true),
                "loop.for" => {
                    let inner = For::of(op)?;
                    self.known.insert(inner.variable(), Expr::Dim(iters + self.extents.len()));
                    self.extents.push(inner.constant_extent());
                    self.visit(inner.body, iters)?;
                }
                "loop.block" => self.nested(&ScheduleBlock::of(op)?),
                "func.call" => self.call(op),
                _ => {
                    for region in op.regions() {
                        for inner in region.blocks() {
                            self.visit(inner, iters)?;
                        }
                    }
                }
            }
        }
        Ok(())
    }

    fn access(&mut self, op: Op<'c>, is_write: bool) {
        let Some((buffer, indices)) = cell(op) else { return };
        let span = |index: &Value<'c>| match self.index(*index) {
            Some(offset) => RegionDim::Range { offset: offset.simplified(), extent: 1.into() },
            None => RegionDim::Whole,
        };
        let spans = indices.iter().map(span).collect();
        self.found.push(LeafOp { op, region: AccessRegion { buffer, spans }, is_write });
    }

    /// The accesses of a called function to a buffer: the declared regions, or the whole buffer if none is declared.
    fn call(&mut self, op: Op<'c>) {
        for buffer in op.operands().into_iter().filter(|value| value.ty().is_memref()) {
            let of =
                |list: &Vec<AccessRegion<'c>>| list.iter().find(|r| r.buffer == buffer).cloned();
            let [reads, writes] = [of(&self.declared[0]), of(&self.declared[1])];
            let rank = buffer.ty().shaped().map_or(0, |(dims, _)| dims.len());
            let whole = || AccessRegion { buffer, spans: vec![RegionDim::Whole; rank] };
            let reads = if writes.is_none() { reads.or_else(|| Some(whole())) } else { reads };
            for (region, is_write) in [(reads, false), (writes, true)] {
                self.found.extend(region.map(|region| LeafOp { op, region, is_write }));
            }
        }
    }

    /// The regions of a nested block, with its iters replaced by their bindings.
    fn nested(&mut self, inner: &ScheduleBlock<'c>) {
        let values = |list: &[Value<'c>]| -> Vec<Option<Expr>> {
            list.iter().map(|v| self.index(*v)).collect()
        };
        let (binds, mut sizes) = (values(&inner.binds), values(&inner.sizes));
        // Sizes that this block does not have are unknown, but some cancel, as in a remainder.
        let known = self.known.len();
        for (i, size) in sizes.iter_mut().enumerate() {
            let first = inner.sizes.iter().position(|other| *other == inner.sizes[i]);
            size.get_or_insert(Expr::Symbol(known + first.unwrap_or(i)));
        }
        let is_known = |expr: &Expr| {
            let mut is_known = true;
            expr.visit_leaves(&mut |leaf| {
                is_known &= !matches!(leaf, Expr::Symbol(i) if *i >= known);
            });
            is_known
        };
        let bound: Vec<Option<Expr>> =
            inner.binding.iter().map(|e| replaced(e, &binds, &sizes)).collect();
        let span = |span: &RegionDim| {
            let RegionDim::Range { offset, extent } = span else { return RegionDim::Whole };
            match (replaced(offset, &bound, &sizes), replaced(extent, &[], &sizes)) {
                (Some(offset), Some(extent)) => {
                    let (offset, extent) = (offset.simplified(), extent.simplified());
                    match is_known(&offset) && is_known(&extent) {
                        true => RegionDim::Range { offset, extent },
                        false => RegionDim::Whole,
                    }
                }
                _ => RegionDim::Whole,
            }
        };
        for (regions, is_write) in [(&inner.reads, false), (&inner.writes, true)] {
            for region in regions {
                let spans = region.spans.iter().map(span).collect();
                let region = AccessRegion { buffer: region.buffer, spans };
                self.found.push(LeafOp { op: inner.op, region, is_write });
            }
        }
    }

    /// An index value as an expression, if it is one.
    fn index(&self, value: Value<'c>) -> Option<Expr> {
        if let Some(expr) = self.known.get(&value) {
            return Some(expr.clone());
        }
        if let Some(met) = self.met.borrow().get(&value) {
            return met.clone();
        }
        // Verifiers run before MLIR checks dominance, so a value may be computed from itself. Such a value is
        // no expression, and each value is visited once.
        self.met.borrow_mut().insert(value, None);
        let expr = self.computed(value).map(|expr| expr.simplified());
        let expr = expr.filter(Expr::is_semi_affine);
        self.met.borrow_mut().insert(value, expr.clone());
        expr
    }

    fn computed(&self, value: Value<'c>) -> Option<Expr> {
        let op = value.defining_op()?;
        match op.name() {
            "arith.constant" => {
                op.attribute("value").and_then(Attribute::as_i64).map(Expr::Constant)
            }
            "affine.apply" => {
                let map = op.attribute("map").and_then(Attribute::as_map)?;
                let operands: Vec<_> = op.operands().iter().map(|v| self.index(*v)).collect();
                replaced(&map.results[0], &operands[..map.dims], &operands[map.dims..])
            }
            _ => None,
        }
    }

    /// The span over all iterations of the body's loops, which are the dims from `iters` on.
    fn widened(&self, span: &RegionDim, iters: usize) -> RegionDim {
        let RegionDim::Range { offset, extent } = span else { return RegionDim::Whole };
        let is_loop = |expr: &Expr| matches!(expr, Expr::Dim(i) if *i >= iters);
        // A quotient or remainder of a loop that stays within one period is none.
        let values = |leaf: &Expr| match leaf {
            Expr::Dim(i) => {
                Some((0, self.extents.get(i.checked_sub(iters)?)?.as_ref()?.max(&1) - 1))
            }
            _ => None,
        };
        let mut offset = Linear::of(&offset.simplified_within(&values));
        let mut width = Linear::of(extent);
        let terms: Vec<(Expr, i64)> = offset.terms.clone().into_iter().collect();
        for (atom, coefficient) in terms {
            let mut inside = false;
            atom.visit_leaves(&mut |leaf| inside |= is_loop(leaf));
            if !inside {
                continue;
            }
            let Expr::Dim(i) = atom else { return RegionDim::Whole };
            let Some(reach) = self.extents[i - iters]
                .and_then(|extent| (extent.max(1) - 1).checked_mul(coefficient))
            else {
                return RegionDim::Whole;
            };
            offset.terms.remove(&atom);
            if reach < 0 {
                offset.constant = offset.constant.saturating_add(reach);
            }
            width.constant = width.constant.saturating_add(reach.abs());
        }
        RegionDim::Range { offset: offset.to_expr(), extent: width.to_expr() }
    }
}

/// The expression with its dims and symbols replaced, if all that occur in it are known.
fn replaced(expr: &Expr, dims: &[Option<Expr>], symbols: &[Option<Expr>]) -> Option<Expr> {
    let mut all_known = true;
    expr.visit_leaves(&mut |leaf| {
        all_known &= match leaf {
            Expr::Dim(i) => dims.get(*i).is_some_and(Option::is_some),
            Expr::Symbol(i) => symbols.get(*i).is_some_and(Option::is_some),
            _ => true,
        };
    });
    let of = |list: &[Option<Expr>], i: usize| list[i].clone().expect("checked above");
    all_known.then(|| expr.substitute(&|i| of(dims, i), &|i| of(symbols, i)))
}

/// Adds a region to a list with one entry a buffer.
fn join<'c>(regions: &mut Vec<AccessRegion<'c>>, region: AccessRegion<'c>) {
    match regions.iter_mut().find(|other| other.buffer == region.buffer) {
        None => regions.push(region),
        Some(other) => {
            for (span, more) in other.spans.iter_mut().zip(&region.spans) {
                *span = union(span, more);
            }
        }
    }
}

fn union(left: &RegionDim, right: &RegionDim) -> RegionDim {
    let (RegionDim::Range { offset: a, extent: m }, RegionDim::Range { offset: b, extent: n }) =
        (left, right)
    else {
        return RegionDim::Whole;
    };
    if left == right {
        return left.clone();
    }
    let distance = Linear::of(&(b.clone() - a.clone())).as_constant();
    let (Some(distance), Some(m), Some(n)) = (distance, m.constant(), n.constant()) else {
        return RegionDim::Whole;
    };
    let offset = if distance < 0 { b } else { a };
    let (low, high) = (distance.min(0), m.max(distance.saturating_add(n)));
    RegionDim::Range { offset: offset.clone(), extent: high.saturating_sub(low).into() }
}

/// True if a declared region of `block` provably contains a computed region of the same buffer, for all values of the
/// iters in their domains.
pub fn contains<'c>(
    block: &ScheduleBlock<'c>,
    declared: &AccessRegion<'c>,
    computed: &AccessRegion<'c>,
) -> bool {
    declared.spans.len() == computed.spans.len()
        && declared.spans.iter().zip(&computed.spans).enumerate().all(|(i, (outer, inner))| {
            contains_span(block, outer, inner) || is_whole(block, declared.buffer, i, outer)
        })
}

fn contains_span(block: &ScheduleBlock, outer: &RegionDim, inner: &RegionDim) -> bool {
    let (RegionDim::Range { offset: from, extent: size }, RegionDim::Range { offset, extent }) =
        (outer, inner)
    else {
        return *outer == RegionDim::Whole;
    };
    let iter_values = |leaf: &Expr| match leaf {
        Expr::Dim(i) => {
            let domain = block.iters[*i].domain.iter().filter_map(Expr::constant).min()?;
            Some((0, domain.max(1) - 1))
        }
        _ => None,
    };
    let never_negative = |expr: Expr| {
        let expr = expr.simplified_within(&iter_values);
        expr.interval(&iter_values).is_some_and(|(lowest, _)| lowest >= 0)
    };
    let end = |offset: &Expr, extent: &Expr| offset.clone() + extent.clone();
    never_negative(offset.clone() - from.clone())
        && never_negative(end(from, size) - end(offset, extent))
}

/// The buffer and the dimension that a `memref.dim` reads.
pub fn dimension(value: Value) -> Option<(Value, usize)> {
    let op = value.defining_op().filter(|op| op.is("memref.dim"))?;
    let dim = constant_integer(op.operand(1))?;
    Some((op.operand(0), usize::try_from(dim).ok()?))
}

/// True if the span is all of dimension `i` of the buffer.
fn is_whole<'c>(block: &ScheduleBlock<'c>, buffer: Value<'c>, i: usize, span: &RegionDim) -> bool {
    let RegionDim::Range { offset, extent } = span else { return true };
    if offset.constant() != Some(0) {
        return false;
    }
    let Some((dims, _)) = buffer.ty().shaped() else { return false };
    match (dims[i], extent) {
        (Some(size), extent) => extent.constant().is_some_and(|extent| extent >= size),
        (None, Expr::Symbol(s)) => dimension(block.sizes[*s]) == Some((buffer, i)),
        _ => false,
    }
}

/// The text of a region, as in `%A[%vi : 1, *]`.
pub fn describe(block: &ScheduleBlock, region: &AccessRegion) -> String {
    let span = |span: &RegionDim| match span {
        RegionDim::Whole => "*".to_owned(),
        RegionDim::Range { offset, extent } => {
            format!("{} : {}", describe_expr(block, offset), describe_expr(block, extent))
        }
    };
    let spans: Vec<_> = region.spans.iter().map(span).collect();
    format!("{}[{}]", super::loop_op::buffer_name(region.buffer), spans.join(", "))
}

fn describe_expr(block: &ScheduleBlock, expr: &Expr) -> String {
    describe_expr_with(expr, &|leaf| match leaf {
        Expr::Dim(i) => block.iters[*i].name.clone(),
        Expr::Symbol(i) => format!("size {i}"),
        other => format!("{other:?}"),
    })
}

/// The text of an expression; `leaf` names its dims and symbols.
pub fn describe_expr_with(expr: &Expr, leaf: &dyn Fn(&Expr) -> String) -> String {
    use crate::ir::affine::BinaryKind::*;
    match expr {
        Expr::Constant(value) => value.to_string(),
        Expr::Binary(kind, left, right) => {
            let sign = match kind {
                Add => "+",
                Mul => "*",
                FloorDiv => "floordiv",
                CeilDiv => "ceildiv",
                Mod => "mod",
            };
            let part = |side: &Expr| match (kind, side) {
                (Mul | FloorDiv | CeilDiv | Mod, Expr::Binary(..)) => {
                    format!("({})", describe_expr_with(side, leaf))
                }
                _ => describe_expr_with(side, leaf),
            };
            format!("{} {sign} {}", part(left), part(right))
        }
        other => leaf(other),
    }
}
