//! `collapse-dimensions`: make two adjacent dimensions one, if a reduction traverses them together.
//!
//! ```text
//! func.func private @pointwise(%X: memref<96x14x14xf32>, %W: memref<576x96xf32>, %Y: memref<576x14x14xf32>) {
//!   for %k, %h, %w, %c { Y[%k, %h, %w] += W[%k, %c] * X[%c, %h, %w] }
//! }
//! func.func private @depthwise(%Y: memref<576x14x14xf32>, %F, %Z) {
//!   for %c, %h, %w, %i, %j { Z[%c, %h, %w] += F[%c, %i, %j] * Y[%c, %h + %i, %w + %j] }
//! }
//!   ->
//! func.func private @pointwise(%X: memref<96x196xf32>, %W: memref<576x96xf32>, %Y: memref<576x196xf32>) {
//!   for %k, %hw, %c { Y[%k, %hw] += W[%k, %c] * X[%c, %hw] }
//! }
//! func.func private @depthwise(%Y: memref<576x196xf32>, %F, %Z) {
//!   for %c, %h, %w, %i, %j { Z[%c, %h, %w] += F[%c, %i, %j] * Y[%c, (%h + %i) * 14 + %w + %j] }
//! }
//! ```
//! A row of 14 elements fills no vector of 16; 196 elements fill twelve. The elements stay where they are in memory. The buffers
//! between the kernels of a function, and the arguments of its fusion groups, get the new shape. A nest that does not traverse
//! the dimensions together only gets other indices.
//!
//! Two dimensions of a buffer are collapsed if all of these hold:
//! - (C1) its shape is static, and only schedule blocks and calls of fusion groups use it. It is a buffer of a function, or an
//!   argument of a group that is given such buffers of this shape in all calls
//! - (C2) all its indices in these dimensions are affine expressions
//! - (C3) at least one schedule block traverses the two dimensions together: its indices there are two spatial iters, or two
//!   that reduce, whose domains are the dimensions, and all accesses of the block that use one of these iters are like that, to buffers whose
//!   dimensions are collapsed
//! - (C4) if no call passes the buffer, all blocks that access it traverse the dimensions together: they may become one nest,
//!   which needs equal loops
//! - (C5) one such block, of this buffer or of those that are linked to it by such blocks, is a reduction whose result has
//!   them as its last dimensions, or that reduces the last dimensions of what it reads. Together they fill vectors better than
//!   the last one alone. In the first case, fewer than 128 values are reduced: otherwise vectors along another dimension are
//!   better, whose results are transposed (`x86.product.transposed`). Or the block is a product whose result has them in front of
//!   its last dimension, and one of whose two factors has neither of them: then they are the rows of a matrix product, whose tiles
//!   may have rows of both
//! - (C6) no product with a step of two or more along the second dimension stores to the buffer, such as a convolution with a
//!   stride: its vectors are along another dimension, too

mod links;
mod rewrite;

use crate::dialect::graph_op::GROUP;
use crate::dialect::loop_enums::IterRole;
use crate::dialect::loop_op::{BufferView, ScheduleBlock};
use crate::ffi::pass::PassRun;
use crate::ir::affine::{Expr, Linear};
use crate::ir::{Attribute, Error, Op, Type, Value, callee, parents, walk};
use crate::nest::rewriter::Direct;
use crate::nest::summary::{Access, Block, BufferId, Iter, NodeId, mentions};
use crate::schedule::State;
use crate::schedule::legality::proof::Proofs;
use crate::schedule::primitive::layout::transform_block_layout::transform_block_layout;
use crate::strategy::x86::transposed::LEAST_DEPTH;
use links::{Link, Links};
use rewrite::{collapsed, index_map, reshape};
use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};

/// The indices of the statistics in the row.
const DIMENSIONS: usize = 0;
const NESTS: usize = 1;

/// Collapses dimensions in all functions of a module, for vectors of this many bits.
///
/// # Errors
/// If an op of the dialect is not valid.
pub fn run<'c>(module: Op<'c>, run: &PassRun, vector_bits: i64) -> Result<(), Error<'c>> {
    // Each round collapses one pair of dimensions of a buffer at most.
    while let Some(plan) = Plan::of(module, vector_bits)? {
        run.count(DIMENSIONS, plan.dimensions.len() as u64);
        run.count(NESTS, plan.apply()? as u64);
    }
    Ok(())
}

/// Buffers that have one shape: a buffer, and the arguments of fusion groups that calls pass it to.
#[derive(Default)]
struct BufferSet<'c> {
    values: Vec<Value<'c>>,
    /// The sizes of the dimensions; `None` if (C1) does not hold.
    shape: Option<Vec<i64>>,
}

/// A dimension of a set of buffers, and the one behind it.
type DimensionPair = (usize, usize);

/// Two iters of a schedule block that traverse two dimensions together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct IterPair {
    function: usize,
    block: NodeId,
    outer: usize,
    inner: usize,
}

/// The functions of a module.
struct Functions<'c> {
    states: Vec<State<'c>>,
    sets: Vec<BufferSet<'c>>,
    /// The set of each value.
    set_of: HashMap<Value<'c>, usize>,
    /// The schedule blocks that access the buffers of each set.
    blocks_of: HashMap<usize, BTreeSet<(usize, NodeId)>>,
    vector_bits: i64,
}

/// What is collapsed in a round.
struct Plan<'c> {
    functions: Functions<'c>,
    dimensions: BTreeSet<DimensionPair>,
    iters: BTreeSet<IterPair>,
}

impl<'c> Functions<'c> {
    fn of(module: Op<'c>, vector_bits: i64) -> Result<Self, Error<'c>> {
        let ops = module.body(0).map(|body| body.ops()).unwrap_or_default();
        let is_one_block = |op: &Op| {
            op.is("func.func") && op.regions().first().is_some_and(|it| it.blocks().len() == 1)
        };
        let functions: Vec<Op> = ops.into_iter().filter(is_one_block).collect();
        let is_private =
            |op: &Op| op.attribute("sym_visibility").and_then(Attribute::as_str) == Some("private");
        let groups: HashMap<&str, Op> = functions
            .iter()
            .filter(|op| op.attribute(GROUP).is_some() && is_private(op))
            .filter_map(|op| Some((op.symbol_name()?, *op)))
            .collect();
        let mut found = Functions {
            states: vec![],
            sets: vec![],
            set_of: HashMap::new(),
            blocks_of: HashMap::new(),
            vector_bits,
        };
        for function in &functions {
            let body = function.body(0).expect("it has one block");
            let buffers = body.ops().into_iter().filter(|op| op.is(BufferView::NAME));
            let own: Vec<Value> = buffers.map(|op| op.result(0)).collect();
            let arguments = body.arguments().into_iter().filter(|it| it.ty().is_memref());
            for value in arguments.clone().chain(own) {
                found.set_of.insert(value, found.sets.len());
                let shape = value.ty().shaped().and_then(|(dims, _)| dims.into_iter().collect());
                found.sets.push(BufferSet { values: vec![value], shape });
            }
            if !groups.contains_key(function.symbol_name().unwrap_or_default()) {
                arguments.for_each(|it| found.sets[found.set_of[&it]].shape = None);
            }
        }
        let values: Vec<Value> = found.sets.iter().map(|set| set.values[0]).collect();
        for value in values {
            found.follow_uses(value, &groups);
        }
        for call in walk(module) {
            let Some(group) = callee(call).and_then(|name| groups.get(name)) else { continue };
            let arguments = group.body(0).map(|body| body.arguments()).unwrap_or_default();
            for (operand, argument) in call.operands().into_iter().zip(arguments) {
                // Something else than a buffer, such as a constant.
                if let Some(set) = found.set_of.get(&argument)
                    && !found.set_of.contains_key(&operand)
                {
                    found.sets[*set].shape = None;
                }
            }
        }
        let direct = |function: &Op<'c>| State::new(*function, Box::new(Direct));
        found.states = functions.iter().map(direct).collect::<Result<_, _>>()?;
        let mut blocks_of: HashMap<usize, BTreeSet<(usize, NodeId)>> = HashMap::new();
        for (function, node, block) in found.blocks() {
            for access in block.accesses() {
                if let Some(set) = found.set(function, access.buffer) {
                    blocks_of.entry(set).or_default().insert((function, node));
                }
            }
        }
        found.blocks_of = blocks_of;
        Ok(found)
    }

    /// Unites the set of a value with those of the arguments that it is passed as. (C1)
    fn follow_uses(&mut self, value: Value<'c>, groups: &HashMap<&str, Op<'c>>) {
        for (user, place) in value.uses() {
            let is_access = matches!(user.name(), "memref.load" | "memref.store")
                && parents(user).any(|around| around.is(ScheduleBlock::NAME));
            // A schedule block names what it accesses.
            if is_access || user.is(ScheduleBlock::NAME) {
                continue;
            }
            let group = callee(user).and_then(|name| groups.get(name));
            let argument = group.and_then(|it| it.body(0)?.arguments().get(place).copied());
            match argument.and_then(|it| self.set_of.get(&it)) {
                Some(other) => self.unite(self.set_of[&value], *other),
                None => self.sets[self.set_of[&value]].shape = None,
            }
        }
    }

    fn unite(&mut self, one: usize, other: usize) {
        if one == other {
            return;
        }
        let moved = std::mem::take(&mut self.sets[other]);
        self.set_of.extend(moved.values.iter().map(|value| (*value, one)));
        let set = &mut self.sets[one];
        set.values.extend(moved.values);
        if set.shape != moved.shape {
            set.shape = None;
        }
    }

    /// The set of a buffer that a function accesses.
    fn set(&self, function: usize, buffer: BufferId) -> Option<usize> {
        self.set_of.get(&self.states[function].buffer(buffer)).copied()
    }

    /// The leaves of all functions.
    fn blocks(&self) -> impl Iterator<Item = (usize, NodeId, &Block)> {
        self.states.iter().enumerate().flat_map(|(function, state)| {
            state.summary().blocks().map(move |(node, block)| (function, node, block))
        })
    }

    /// The two iters of a block that are the indices of an access in two adjacent dimensions, if their domains are the
    /// dimensions, and both are spatial or both reduce. Iters of one value are left out of account.
    fn together(
        &self,
        block: &Block,
        access: &Access,
        at: usize,
        shape: &[i64],
    ) -> Option<(usize, usize)> {
        let iter = |dim: usize| {
            let index = Linear::of(access.indices[dim].as_ref()?);
            let is_unit = |expr: &Expr| {
                let is_one = |size: &Expr| size.constant() == Some(1);
                let mut units = block.iters.iter().filter(|it| it.domain.iter().any(is_one));
                units.any(|it| it.variable.expr() == *expr)
            };
            let mut terms = index.terms.iter().filter(|(expr, _)| !is_unit(expr));
            let (expr, weight) = terms.next()?;
            let number = block.iters.iter().position(|it| it.variable.expr() == *expr)?;
            let it = &block.iters[number];
            let is_whole = matches!(&it.domain[..], [size] if size.constant() == Some(shape[dim]));
            (*weight == 1 && index.constant == 0 && terms.next().is_none() && is_whole)
                .then_some(number)
        };
        let pair = (iter(at)?, iter(at + 1)?);
        let role = |iter: usize| block.iters[iter].role;
        let is_one = pair.0 != pair.1 && role(pair.0) == role(pair.1);
        (is_one && role(pair.0) != IterRole::Opaque).then_some(pair)
    }
}

/// True if a reduction that stores to a dimension reads a factor in steps of two or more along it, for several results each. (C6)
fn has_steps(block: &Block, store: &Access, dim: usize) -> bool {
    let uses = |access: &Access, iter: &Iter| {
        access.indices.iter().flatten().any(|index| mentions(index, iter.variable))
    };
    let of_store = block.iters.iter().filter(|iter| uses(store, iter)).collect::<Vec<_>>();
    let Some(Some(index)) = store.indices.get(dim) else { return false };
    let mut along = of_store.iter().filter(|iter| mentions(index, iter.variable));
    let in_steps = |load: &Access, iter: &Iter| {
        let step = |index: &Expr| Linear::of(index).terms.get(&iter.variable.expr()).copied();
        load.indices.iter().flatten().filter_map(step).any(|step| step.abs() > 1)
    };
    let is_reduction = block.iters.iter().any(|iter| iter.role == IterRole::Reduce);
    is_reduction
        && along.any(|iter| {
            let is_repeated = |load: &Access| of_store.iter().any(|other| !uses(load, other));
            block.loads().any(|load| in_steps(load, iter) && is_repeated(load))
        })
}

impl Functions<'_> {
    /// The pairs of dimensions that may be collapsed by (C1), (C2) and (C6), apart from what traverses them.
    fn candidates(&self) -> BTreeSet<DimensionPair> {
        let mut found = BTreeSet::new();
        for (set, buffers) in self.sets.iter().enumerate() {
            let Some(shape) = &buffers.shape else { continue };
            let are_wide = |at: &usize| {
                let is_known = shape[*at].checked_mul(shape[at + 1]).is_some();
                shape[*at] > 1 && shape[at + 1] > 1 && is_known
            };
            found.extend((1..shape.len()).map(|i| i - 1).filter(are_wide).map(|at| (set, at)));
        }
        for (function, _, block) in self.blocks() {
            for access in block.accesses() {
                let Some(set) = self.set(function, access.buffer) else { continue };
                let is_left = |at: usize| {
                    access.indices[at..at + 2].iter().any(Option::is_none)
                        || access.is_write && has_steps(block, access, at + 1)
                };
                let rank = access.indices.len();
                (1..rank).map(|i| i - 1).filter(|at| is_left(*at)).for_each(|at| {
                    found.remove(&(set, at));
                });
            }
        }
        found
    }

    /// The pairs of iters that traverse some of these dimensions together.
    fn pairs(&self, dimensions: &BTreeSet<DimensionPair>) -> BTreeSet<IterPair> {
        let mut found = BTreeSet::new();
        for (function, node, block) in self.blocks() {
            for access in block.accesses() {
                for at in self.dimensions_of(function, access, dimensions) {
                    let shape = self.shape_of(function, access);
                    let pair = self.together(block, access, at, shape);
                    found.extend(pair.map(|(outer, inner)| IterPair {
                        function,
                        block: node,
                        outer,
                        inner,
                    }));
                }
            }
        }
        // Of several pairs of a block, the innermost one; the others are for the next rounds.
        let mut all: Vec<IterPair> = found.into_iter().collect();
        all.sort_by_key(|pair| (pair.function, pair.block, Reverse(pair.inner)));
        all.dedup_by_key(|pair| (pair.function, pair.block));
        all.into_iter().collect()
    }

    /// Which of some dimensions are those of an access.
    fn dimensions_of(
        &self,
        function: usize,
        access: &Access,
        dimensions: &BTreeSet<DimensionPair>,
    ) -> Vec<usize> {
        let Some(set) = self.set(function, access.buffer) else { return vec![] };
        (1..access.indices.len())
            .map(|i| i - 1)
            .filter(|at| dimensions.contains(&(set, *at)))
            .collect()
    }

    fn shape_of(&self, function: usize, access: &Access) -> &[i64] {
        let set = self.set(function, access.buffer).and_then(|set| self.sets[set].shape.as_ref());
        set.map(Vec::as_slice).unwrap_or_default()
    }

    /// (C3): True if all accesses of a block that use one of two iters have both as indices in collapsed dimensions.
    fn is_consistent(&self, pair: IterPair, dimensions: &BTreeSet<DimensionPair>) -> bool {
        let block = self.states[pair.function].summary().as_block(pair.block).expect("a block");
        let [outer, inner] = [pair.outer, pair.inner].map(|iter| block.iters[iter].variable);
        let uses = |expr: &Expr| mentions(expr, outer) || mentions(expr, inner);
        let is_in_predicate = block.predicate.iter().any(|condition| uses(condition.expr()));
        !is_in_predicate
            && block.accesses().iter().all(|access| {
                let users: Vec<usize> = (0..access.indices.len())
                    .filter(|i| access.indices[*i].as_ref().is_none_or(uses))
                    .collect();
                let shape = self.shape_of(pair.function, access);
                let at = self.dimensions_of(pair.function, access, dimensions);
                let is_pair = |at: &usize| {
                    users == [*at, at + 1]
                        && self.together(block, access, *at, shape)
                            == Some((pair.outer, pair.inner))
                };
                users.is_empty() || at.iter().any(is_pair)
            })
    }

    /// (C4)
    fn is_fusible(&self, (set, at): DimensionPair, iters: &BTreeSet<IterPair>) -> bool {
        let [value] = self.sets[set].values[..] else { return true };
        let is_passed = |(user, _): (Op, usize)| callee(user).is_some();
        if value.defining_op().is_none() || value.uses().into_iter().any(is_passed) {
            return true;
        }
        self.blocks_of.get(&set).into_iter().flatten().all(|(function, node)| {
            let (function, node) = (*function, *node);
            let block = self.states[function].summary().as_block(node).expect("a block");
            let mut accesses = block.accesses().iter();
            accesses.all(|access| {
                let shape = self.shape_of(function, access);
                let is_pair = |(outer, inner)| {
                    iters.contains(&IterPair { function, block: node, outer, inner })
                };
                self.set(function, access.buffer) != Some(set)
                    || self.together(block, access, at, shape).is_some_and(is_pair)
            })
        })
    }

    /// Which pairs of iters traverse which dimensions.
    fn links(
        &self,
        iters: &BTreeSet<IterPair>,
        dimensions: &BTreeSet<DimensionPair>,
    ) -> Vec<(IterPair, DimensionPair)> {
        let mut found = vec![];
        for pair in iters {
            let block = self.states[pair.function].summary().as_block(pair.block).expect("a block");
            for access in block.accesses() {
                for at in self.dimensions_of(pair.function, access, dimensions) {
                    let shape = self.shape_of(pair.function, access);
                    let set = self.set(pair.function, access.buffer).expect("it has dimensions");
                    if self.together(block, access, at, shape) == Some((pair.outer, pair.inner)) {
                        found.push((*pair, (set, at)));
                    }
                }
            }
        }
        found
    }

    /// Those of some pairs of dimensions that may be collapsed together, and the iters that traverse them.
    fn consistent(
        &self,
        mut dimensions: BTreeSet<DimensionPair>,
    ) -> (BTreeSet<DimensionPair>, BTreeSet<IterPair>) {
        let mut iters = self.pairs(&dimensions);
        let links = Links::of(self.links(&iters, &dimensions));
        // Few nests are linked to a product, so most need no other condition.
        self.keep_products(&links, &mut dimensions, &mut iters);
        // (C3), (C4): leaves out what has no counterpart; then the conditions of what is linked to it may not hold any more.
        let mut open: Vec<Link> = iters.iter().copied().map(Link::Iters).collect();
        open.extend(dimensions.iter().copied().map(Link::Dimensions));
        while let Some(link) = open.pop() {
            match link {
                Link::Iters(pair) => {
                    if iters.contains(&pair) && !self.is_consistent(pair, &dimensions) {
                        iters.remove(&pair);
                        open.extend(links.dimensions(pair).map(Link::Dimensions));
                    }
                }
                Link::Dimensions(pair) => {
                    let is_linked = || links.iters(pair).any(|it| iters.contains(&it));
                    if dimensions.contains(&pair) && !(is_linked() && self.is_fusible(pair, &iters))
                    {
                        dimensions.remove(&pair);
                        open.extend(links.iters(pair).map(Link::Iters));
                    }
                }
            }
        }
        self.keep_products(&links, &mut dimensions, &mut iters);
        (dimensions, iters)
    }

    /// As [`Functions::consistent`], with one pair of dimensions of each buffer: the innermost one. The others are for the next
    /// rounds.
    fn innermost(
        &self,
        mut candidates: BTreeSet<DimensionPair>,
    ) -> (BTreeSet<DimensionPair>, BTreeSet<IterPair>) {
        loop {
            let (dimensions, iters) = self.consistent(candidates.clone());
            let is_outer = |it: &&DimensionPair| {
                dimensions.range((it.0, it.1 + 1)..(it.0 + 1, 0)).next().is_some()
            };
            let outer: Vec<DimensionPair> = dimensions.iter().filter(is_outer).copied().collect();
            if outer.is_empty() {
                return (dimensions, iters);
            }
            candidates.retain(|it| !outer.contains(it));
        }
    }

    /// (C5): leaves out what is not linked to a product.
    fn keep_products(
        &self,
        links: &Links,
        dimensions: &mut BTreeSet<DimensionPair>,
        iters: &mut BTreeSet<IterPair>,
    ) {
        let mut open: Vec<IterPair> =
            iters.iter().copied().filter(|pair| self.fills_vectors(*pair)).collect();
        let mut kept: BTreeSet<IterPair> = open.iter().copied().collect();
        let mut reached: BTreeSet<DimensionPair> = BTreeSet::new();
        while let Some(pair) = open.pop() {
            for dimension in links.dimensions(pair).filter(|it| dimensions.contains(it)) {
                if reached.insert(dimension) {
                    let linked = links.iters(dimension).filter(|it| iters.contains(it));
                    open.extend(linked.filter(|it| kept.insert(*it)));
                }
            }
        }
        *iters = kept;
        *dimensions = reached;
    }

    /// True for the last two iters of a reduction by which vectors are filled better. (C5)
    fn fills_vectors(&self, pair: IterPair) -> bool {
        let summary = self.states[pair.function].summary();
        let block = summary.as_block(pair.block).expect("a block");
        let at_end = |access: &Access| {
            let rank = access.indices.len();
            let shape = self.shape_of(pair.function, access);
            let buffer = &summary.buffers[access.buffer];
            let lanes = self.vector_bits / 8 / buffer.element_bytes.unwrap_or(1).max(1);
            rank >= 2
                && fills_more(lanes, shape)
                && self.together(block, access, rank - 2, shape) == Some((pair.outer, pair.inner))
        };
        if block.iters[pair.inner].role == IterRole::Reduce {
            return block.loads().any(at_end);
        }
        let reduced = block.iters.iter().filter(|iter| iter.role == IterRole::Reduce);
        let mut depth = reduced.map(|iter| iter.domain.iter().filter_map(Expr::constant).min());
        let depth = depth.try_fold(1i64, |depth, extent| Some(depth.saturating_mul(extent?)));
        let is_short = depth.is_some_and(|depth| depth < LEAST_DEPTH);
        block.reducer.is_some()
            && (is_short && block.stores().all(at_end) || self.are_rows(pair, block))
    }

    /// True for the iters over the rows of a matrix product: those in front of the last dimension of the result, which index one
    /// factor only. (C5)
    fn are_rows(&self, pair: IterPair, block: &Block) -> bool {
        let is_before_last = |access: &Access| {
            let rank = access.indices.len();
            let shape = self.shape_of(pair.function, access);
            rank >= 3
                && shape.len() == rank
                && self.together(block, access, rank - 3, shape) == Some((pair.outer, pair.inner))
        };
        let variable = block.iters[pair.inner].variable;
        let uses =
            |access: &Access| access.indices.iter().flatten().any(|it| mentions(it, variable));
        let factors =
            block.loads().filter(|load| block.stores().all(|it| it.buffer != load.buffer));
        let (of_rows, others): (Vec<&Access>, Vec<&Access>) = factors.partition(|load| uses(load));
        of_rows.len() == 1 && others.len() == 1 && block.stores().all(is_before_last)
    }
}

impl<'c> Plan<'c> {
    /// What to collapse next; `None` if there is nothing.
    fn of(module: Op<'c>, vector_bits: i64) -> Result<Option<Self>, Error<'c>> {
        let functions = Functions::of(module, vector_bits)?;
        let all = functions.candidates();
        // Where the last two dimensions of a buffer are not collapsed, those before the last one may be.
        let is_before_last = |(set, at): &&DimensionPair| {
            functions.sets[*set].shape.as_ref().is_some_and(|shape| at + 2 < shape.len())
        };
        let before_last = all.iter().filter(is_before_last).copied().collect();
        for candidates in [all, before_last] {
            let (dimensions, iters) = functions.innermost(candidates);
            if !dimensions.is_empty() {
                return Ok(Some(Plan { functions, dimensions, iters }));
            }
        }
        Ok(None)
    }

    /// Changes the functions. Returns the number of nests whose loops are collapsed.
    fn apply(self) -> Result<usize, Error<'c>> {
        let Plan { functions: Functions { mut states, sets, .. }, dimensions, iters } = self;
        for (number, state) in states.iter_mut().enumerate() {
            let pairs = iters.iter().filter(|pair| pair.function == number);
            let maps: Vec<(String, String)> = pairs.map(|pair| index_map(state, *pair)).collect();
            for (block, map) in maps {
                // One that is refused keeps its loops, and gets other indices only.
                if transform_block_layout(state, &block, &map, &mut Proofs::default()).is_ok() {
                    state.refresh()?;
                }
            }
        }
        for (set, at) in dimensions {
            let shape = sets[set].shape.as_ref().expect("(C1)");
            let layout = collapsed(shape, at);
            for value in &sets[set].values {
                reshape(&mut states, *value, &layout)?;
            }
        }
        for state in &states {
            let body = state.function.body(0).expect("it has one block");
            let inputs: Vec<Type> = body.arguments().iter().map(|it| it.ty()).collect();
            let ty = state.function.attribute("function_type").and_then(Attribute::as_type);
            let results = ty.and_then(Type::signature).map(|(_, results)| results);
            let ty = Type::function(state.context(), &inputs, &results.unwrap_or_default());
            state.function.set_attribute("function_type", ty.to_attribute());
        }
        Ok(iters.len())
    }
}

/// True if the last two dimensions of a shape together fill vectors of so many elements better than the last one alone.
fn fills_more(lanes: i64, shape: &[i64]) -> bool {
    let [.., high, wide] = shape[..] else { return false };
    let vectors = |size: i64| (size - 1) / lanes.max(1) + 1;
    high.checked_mul(wide).is_some_and(|both| vectors(both) < high.saturating_mul(vectors(wide)))
}
