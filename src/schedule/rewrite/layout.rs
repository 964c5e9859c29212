//! Buffer layouts: index maps from the indices of a buffer to those of another buffer.
//!
//! ```text
//! T : n x m     (i, j) -> (i floordiv 4, j, i mod 4)     T : (n ceildiv 4) x m x 4
//! ```
//! A map may leave elements of the new buffer unused, as here if 4 does not divide `n`. No access reaches these,
//! because every access uses the map. To be proved: the map gives no negative index, and is injective. Mixed-radix
//! digits decide most maps, also over sizes ([`digits`]). Otherwise, for each dimension, a
//! [system](crate::analysis::system) describes two elements with the same index in the new buffer, the first of which
//! has the lower index in that dimension. A solution is reported as a counterexample.

use crate::analysis::dependence::{equal, less};
use crate::analysis::digits::{self, Variables};
use crate::analysis::system::{Answer, Point, System};
use crate::dialect::loop_op::{BufferView, ScheduleBlock};
use crate::dialect::region;
use crate::ir::affine::{BinaryKind, Constraint, Expr, Linear, Map};
use crate::ir::{Builder, Op, Type, Value, walk};
use crate::nest::facts::boxes;
use crate::nest::facts::boxes::{Motion, Range, at_least};
use crate::nest::state::State;
use crate::nest::summary::{BufferId, NodeId, Summary};
use crate::nest::{edit, index_form, render};
use crate::schedule::error::{LayoutReason, ScheduleError};
use crate::schedule::legality::proof::Proofs;
use crate::schedule::verdict::Verdict;

/// The layout of a buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BufferLayout {
    /// The index map, over the indices of an element and the sizes of the summary.
    pub map: Vec<Expr>,
    /// The new dimensions, over sizes.
    pub shape: Vec<Expr>,
}

/// The elements that a map is for: the name of a buffer, its dimensions over sizes, and the node to report errors at.
#[derive(Clone, Copy, Debug)]
pub struct MappedElements<'s> {
    pub name: &'s str,
    pub shape: &'s [Expr],
    pub at: NodeId,
}

/// The condition numbers that a primitive reports.
#[derive(Clone, Copy, Debug)]
pub struct ConditionNumbers {
    pub is_map: u8,
    pub has_extents: u8,
    pub is_injective: u8,
}

impl ConditionNumbers {
    /// The same number for all conditions.
    pub fn all(number: u8) -> Self {
        ConditionNumbers { is_map: number, has_extents: number, is_injective: number }
    }
}

/// Parses a layout and checks that it is one for these elements.
pub fn of(
    summary: &Summary,
    cells: MappedElements,
    text: &str,
    conditions: ConditionNumbers,
    proofs: &mut Proofs,
) -> Result<BufferLayout, ScheduleError> {
    let map = read(cells, text).map_err(|reason| reason.at(cells.at, conditions.is_map))?;
    check_injective(summary, cells, &map, conditions.is_injective, proofs)?;
    let mut shape = vec![];
    for (place, expr) in map.iter().enumerate() {
        let refusal = |reason: LayoutReason| reason.at(cells.at, conditions.has_extents);
        let Some(range) = range(cells.shape, expr) else {
            return Err(refusal(LayoutReason::NoExtent { place }));
        };
        let below_zero =
            || refusal(LayoutReason::BelowZero { place, least: render::expr(summary, &range.low) });
        match range.low.constant() {
            Some(least) if least < 0 => proofs.refuted(below_zero)?,
            _ => {
                let is_natural = at_least(summary, &range.low, &0.into());
                proofs.require(&Verdict::of(is_natural), below_zero)?;
            }
        }
        let extent = extent(cells.shape, expr, &range);
        shape.push(extent.ok_or_else(|| refusal(LayoutReason::NoExtent { place }))?);
    }
    match fits(&shape) {
        true => Ok(BufferLayout { map, shape }),
        false => Err(LayoutReason::TooFar.at(cells.at, conditions.has_extents)),
    }
}

/// True if the number of elements fits an index, as far as it is known.
pub(crate) fn fits(shape: &[Expr]) -> bool {
    let mut cells: i64 = 1;
    shape.iter().all(|extent| {
        let mut is_known = true;
        extent.visit_leaves(&mut |leaf| is_known &= matches!(leaf, Expr::Constant(_)));
        let more = match extent.constant() {
            Some(number) => cells.checked_mul(number.max(1)),
            // A constant that is too large remains a product or sum.
            None => (!is_known).then_some(cells),
        };
        cells = more.unwrap_or(cells);
        more.is_some_and(|cells| cells < 1 << 60)
    })
}

/// Parses the results of the map, over the indices and the sizes of the summary.
pub(crate) fn read(cells: MappedElements, text: &str) -> Result<Vec<Expr>, LayoutReason> {
    let (buffer, rank) = (cells.name.to_owned(), cells.shape.len());
    let map = Map::parse(text).map_err(|why| LayoutReason::NoMap { text: text.to_owned(), why })?;
    if map.dims != rank {
        return Err(LayoutReason::Rank { buffer, found: map.dims, wanted: rank });
    }
    if map.symbols > rank {
        return Err(LayoutReason::Sizes { buffer, found: map.symbols, rank });
    }
    if map.results.is_empty() {
        return Err(LayoutReason::NoIndex);
    }
    let over_sizes =
        |expr: &Expr| expr.substitute(&Expr::Dim, &|dim| cells.shape[dim].clone()).simplified();
    let results: Vec<Expr> = map.results.iter().map(over_sizes).collect();
    for (place, expr) in results.iter().enumerate() {
        if !expr.is_semi_affine() {
            let why = "multiplies indices, or divides by an index";
            return Err(LayoutReason::NotAffine { place, why });
        }
        if !divides_by_numbers(expr) {
            let why = "has a divisor that is not a positive number";
            return Err(LayoutReason::NotAffine { place, why });
        }
    }
    Ok(results)
}

fn divides_by_numbers(expr: &Expr) -> bool {
    let Expr::Binary(kind, left, right) = expr else { return true };
    let is_quotient = !matches!(kind, BinaryKind::Add | BinaryKind::Mul);
    let fits = !is_quotient || right.constant().is_some_and(|divisor| divisor > 0);
    fits && divides_by_numbers(left) && divides_by_numbers(right)
}

/// The range of an index over all elements.
fn range(shape: &[Expr], expr: &Expr) -> Option<Range> {
    let linear = Linear::of(expr);
    let mut low = Expr::Constant(linear.constant);
    let mut high = low.clone();
    for (atom, coefficient) in &linear.terms {
        // Sizes are not negative, so multiplying by them keeps the order of the bounds.
        let (moving, sizes): (Vec<Expr>, Vec<Expr>) =
            atom.factors().into_iter().partition(Expr::has_dims);
        let by = sizes.into_iter().fold(Expr::Constant(*coefficient), |by, size| by * size);
        let part = match &moving[..] {
            [] => Range { low: 1.into(), high: 1.into() },
            [index] => boxes::range(index, &|dim| Motion::Runs(shape[dim.index()].clone()))?,
            _ => return None,
        };
        let (first, last) =
            if coefficient.is_negative() { (part.high, part.low) } else { (part.low, part.high) };
        low = low + first * by.clone();
        high = high + last * by;
    }
    Some(Range { low: low.simplified(), high: high.simplified() })
}

/// A number of indices, from 0, that covers a range and is never negative.
fn extent(shape: &[Expr], expr: &Expr, of: &Range) -> Option<Expr> {
    let mut extent = (of.high.clone() + 1.into()).simplified();
    if let Expr::Binary(BinaryKind::FloorDiv, inner, by) = expr
        && let Some(inner) = range(shape, inner)
        && (inner.high.clone() + 1.into()).exact_quotient(by).is_none()
    {
        let count = Expr::binary(BinaryKind::CeilDiv, inner.high + 1.into(), (**by).clone());
        extent = count.simplified();
    }
    if let Some(number) = extent.constant() {
        return Some(number.max(0).into());
    }
    let mut linear = Linear::of(&extent);
    linear.constant = linear.constant.max(0);
    linear.is_never_negative().then(|| linear.to_expr())
}

/// Requires that a map is injective.
pub(crate) fn check_injective(
    summary: &Summary,
    cells: MappedElements,
    map: &[Expr],
    condition: u8,
    proofs: &mut Proofs,
) -> Result<(), ScheduleError> {
    let over = ElementIndices { summary, shape: cells.shape };
    if (0..cells.shape.len()).all(|dim| digits::determines(map, dim, &over, &[])) {
        return Ok(());
    }
    let buffer = cells.name.to_owned();
    let refusal = |reason: LayoutReason| reason.at(cells.at, condition);
    match clash(summary, cells.shape, map) {
        Answer::Empty => Ok(()),
        Answer::Unknown(why) => {
            proofs.require(&Verdict::Unknown(why), || refusal(LayoutReason::MaybeSameCell(buffer)))
        }
        Answer::Point(point) => proofs.refuted(|| refusal(shown(summary, buffer, map, &point))),
    }
}

/// Solves for two elements with the same image.
fn clash(summary: &Summary, shape: &[Expr], map: &[Expr]) -> Answer {
    let rank = shape.len();
    let mentioned = shape.iter().chain(map).map(symbols).max().unwrap_or(0);
    let sizes = summary.sizes.len().max(mentioned);
    let mut conditions = vec![];
    for (number, known) in summary.sizes.iter().enumerate() {
        conditions.extend(known.map(|known| equal(&Expr::Symbol(number), &known.into())));
    }
    for (dim, size) in shape.iter().enumerate() {
        for variable in [dim, rank + dim] {
            conditions.push(Constraint::NonNegative(Expr::Dim(variable)));
            conditions.push(less(&Expr::Dim(variable), size));
        }
    }
    for expr in map {
        let other = expr.substitute(&|dim| Expr::Dim(rank + dim), &Expr::Symbol);
        conditions.push(equal(expr, &other));
    }
    let mut open = None;
    for dim in 0..rank {
        let mut conditions = conditions.clone();
        conditions.push(less(&Expr::Dim(dim), &Expr::Dim(rank + dim)));
        match (System { dims: 2 * rank, sizes, conditions }).solve() {
            Answer::Empty => {}
            Answer::Unknown(why) => open = Some(why),
            point => return point,
        }
    }
    open.map_or(Answer::Empty, Answer::Unknown)
}

/// A lower bound on the number of sizes: one more than the greatest size that is mentioned.
fn symbols(expr: &Expr) -> usize {
    let mut most = 0;
    expr.visit_leaves(&mut |leaf| {
        if let Expr::Symbol(size) = leaf {
            most = most.max(size + 1);
        }
    });
    most
}

fn shown(summary: &Summary, buffer: String, map: &[Expr], point: &Point) -> LayoutReason {
    let listed = |numbers: &[i64]| {
        let numbers: Vec<_> = numbers.iter().map(i64::to_string).collect();
        format!("[{}]", numbers.join(", "))
    };
    let (first, second) = point.dims.split_at(point.dims.len() / 2);
    let place: Option<Vec<i64>> = map.iter().map(|e| e.evaluate(first, &point.sizes)).collect();
    let mentioned = |size: usize| {
        let is_in = |expr: &Expr| {
            let mut found = false;
            expr.visit_leaves(&mut |leaf| found |= *leaf == Expr::Symbol(size));
            found
        };
        map.iter().any(is_in)
    };
    let named = summary.size_names.iter().zip(&point.sizes).enumerate();
    let sizes: Vec<_> = named
        .filter(|(size, _)| mentioned(*size))
        .map(|(_, (name, value))| format!("{name} = {value}"))
        .collect();
    let sizes =
        if sizes.is_empty() { String::new() } else { format!("; with {}", sizes.join(", ")) };
    LayoutReason::SameCell {
        buffer,
        cells: format!("{} and {}", listed(first), listed(second)),
        place: listed(&place.unwrap_or_default()) + &sizes,
    }
}

/// The indices of an element as variables.
struct ElementIndices<'s> {
    summary: &'s Summary,
    shape: &'s [Expr],
}

impl Variables for ElementIndices<'_> {
    fn interval(&self, variable: &Expr) -> Option<(i64, i64)> {
        match variable {
            Expr::Dim(dim) => Some((0, self.shape[*dim].constant()?.max(1) - 1)),
            other => self.summary.interval(other),
        }
    }

    fn extent(&self, variable: usize) -> Option<Expr> {
        self.shape.get(variable).cloned()
    }
}

/// Requires that no schedule block writes the buffer together with others, which have the same indices: (C`condition`).
pub fn check_alone(
    summary: &Summary,
    id: BufferId,
    users: &[NodeId],
    condition: u8,
) -> Result<(), ScheduleError> {
    for node in users {
        let block = summary.as_block(*node).expect("a block");
        let written = block.written();
        let other = written.iter().find(|other| **other != id);
        if let Some(other) = other.filter(|_| written.contains(&id)) {
            let [buffer, other] = [id, *other].map(|buffer| summary.buffers[buffer].name.clone());
            let reason = LayoutReason::WrittenTogether { buffer, other, block: block.name.clone() };
            return Err(reason.at(*node, condition));
        }
    }
    Ok(())
}

/// Requires that indices from which the map computes others do not depend on data: (C`condition`).
pub fn check_indices(
    summary: &Summary,
    (id, name): (BufferId, &str),
    users: &[NodeId],
    layout: &BufferLayout,
    condition: u8,
) -> Result<(), ScheduleError> {
    let computed = layout.map.iter().filter(|expr| !matches!(expr, Expr::Dim(_)));
    let mut used = vec![];
    for expr in computed {
        expr.visit_leaves(&mut |leaf| {
            if let Expr::Dim(dim) = leaf {
                used.push(*dim);
            }
        });
    }
    for node in users {
        let block = summary.as_block(*node).expect("a block");
        let mut accesses = block.accesses().iter().filter(|access| access.buffer == id);
        if accesses.any(|access| used.iter().any(|dim| access.indices[*dim].is_none())) {
            let (buffer, block) = (name.to_owned(), block.name.clone());
            return Err(LayoutReason::DataIndex { buffer, block }.at(*node, condition));
        }
    }
    Ok(())
}

/// Changes the layout of a buffer of the function and rewrites all its accesses; the layout is over `sizes`.
pub fn rewrite<'c>(
    state: &mut State<'c>,
    buffer: BufferId,
    layout: &BufferLayout,
    sizes: &[Value<'c>],
) {
    let op = state.buffer(buffer).defining_op().expect("the buffer is no argument");
    let created = create(op, &layout.shape, sizes);
    rewrite_accesses(state, buffer, created.result(0), layout, sizes);
    op.erase();
}

/// Gives all accesses of a buffer the indices of a layout, in the buffer `new`, which may be the same value. The layout is over
/// `sizes`.
pub fn rewrite_accesses<'c>(
    state: &mut State<'c>,
    buffer: BufferId,
    new: Value<'c>,
    layout: &BufferLayout,
    sizes: &[Value<'c>],
) {
    let old = state.buffer(buffer);
    let summary = state.summary();
    let leaves: Vec<NodeId> = summary
        .blocks()
        .filter(|(_, block)| block.accesses().iter().any(|access| access.buffer == buffer))
        .map(|(node, _)| node)
        .collect();
    let nests = state.nests_around(&leaves);
    let used = used_sizes(&layout.map, sizes);
    for leaf in leaves {
        let block = state.op(leaf);
        edit::add_sizes(block, &used);
        let view = ScheduleBlock::of(block).expect("a verified schedule block");
        let iters: Vec<_> = view.iters.iter().map(|iter| iter.variable).collect();
        let interval = |leaf: &Expr| match leaf {
            Expr::Dim(i) => {
                let domain = view.iters[*i].domain.iter().filter_map(Expr::constant).min()?;
                Some((0, domain.max(1) - 1))
            }
            _ => None,
        };
        let size = |number: usize| {
            let place = view.sizes.iter().position(|value| *value == sizes[number]);
            Expr::Symbol(place.expect("added above"))
        };
        for inner in walk(block) {
            let operands = inner.operands();
            let first = match inner.name() {
                "memref.load" if operands[0] == old => 1,
                "memref.store" if operands[1] == old => 2,
                _ => continue,
            };
            let indices: Vec<Option<Expr>> =
                operands[first..].iter().map(|v| region::index_expr(&view, *v)).collect();
            let at = Builder::before(inner, inner.location());
            let mut operands = operands[..first].to_vec();
            operands[first - 1] = new;
            for expr in &layout.map {
                operands.push(match expr {
                    Expr::Dim(dim) => inner.operands()[first + dim],
                    _ => {
                        let index = |dim: usize| indices[dim].clone().expect("checked");
                        let index = expr.substitute(&index, &size).simplified_within(&interval);
                        at.apply(&index, &iters, &view.sizes)
                    }
                });
            }
            inner.set_operands(&operands);
        }
        index_form::restore(block, state.rewriter.as_mut());
        edit::derive_regions(block);
    }
    nests.into_iter().for_each(edit::derive_regions);
}

/// Allocates the buffer with the new shape, before the old one.
pub fn create<'c>(op: Op<'c>, shape: &[Expr], sizes: &[Value<'c>]) -> Op<'c> {
    let view = BufferView::of(op).expect("a verified buffer");
    let (_, element) = op.result(0).ty().shaped().expect("buffers are row-major memrefs");
    let dims: Vec<Option<i64>> = shape.iter().map(Expr::constant).collect();
    let dynamic = shape.iter().filter(|size| size.constant().is_none());
    let dynamic: Vec<Expr> = dynamic.map(Expr::simplified).collect();
    let ty = Type::memref(&dims, element);
    let created = BufferView::create(op.location(), view.name, view.scope, ty, &dynamic, sizes);
    if let Some(alignment) = op.attribute("alignment") {
        created.set_attribute("alignment", alignment);
    }
    op.block().expect("a buffer stands in a function").insert_before(op, created);
    created
}

/// The values of the sizes that some expressions mention.
fn used_sizes<'c>(exprs: &[Expr], sizes: &[Value<'c>]) -> Vec<Value<'c>> {
    let mut used = vec![];
    for expr in exprs {
        expr.visit_leaves(&mut |leaf| {
            if let Expr::Symbol(size) = leaf
                && !used.contains(&sizes[*size])
            {
                used.push(sizes[*size]);
            }
        });
    }
    used
}
