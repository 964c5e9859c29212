//! `pad_einsum`: pad the iter domains of an einsum to multiples of given factors.
//!
//! ```text
//! loop.for %i in 30 { loop.for %k in 45 {
//!   loop.block "C" [%vi: spatial 30, %vk: reduce 45] = (%i, %k) reducer(add, 0) { C[vi] += A[vi, vk] * B[vk] }
//! } }
//!   ->  pad_einsum "C" factors [16, 16]
//! loop.for %i in 32 { loop.for %k in 48 {
//!   loop.block "A_pad" .. { A_pad[vi, vk] = loop.if (-%vi + 29 >= 0, -%vk + 44 >= 0) A[vi, vk] else 0 }
//! } }
//! loop.for %k in 48 { loop.block "B_pad" .. { B_pad[vk] = loop.if (-%vk + 44 >= 0) B[vk] else 0 } }
//! loop.for %i in 32 { loop.for %k in 48 {
//!   loop.block "C" [%vi: spatial 32, %vk: reduce 48] = (%i, %k) reducer(add, 0) { C_pad[vi] += A_pad[vi, vk] * B_pad[vk] }
//! } }
//! loop.for %i in 30 { loop.block "C_unpad" [%vi: spatial 30] = (%i) { C[vi] = C_pad[vi] } }
//! ```
//! Padding makes the extents divisible for later steps, such as `split`, `tensorize`, and `vectorize` without masks. An
//! iter with the factor 1, or with an extent that is a multiple of its factor, does not change, and neither does a
//! buffer that no padded iter indexes. A buffer that is read with several different index lists gets one padded copy
//! for each list.
//!
//! Requires
//! - (C1) the target is a schedule block that is an einsum: a leaf without a predicate, a branch, a call or an integer
//!   division, with one store. Each index of its accesses is an iter or a constant; no access uses an iter twice
//! - (C2) there is one factor for each iter, 1 or more; padded extents and buffer sizes fit in an `index` (64 bits)
//! - (C3) the block is a reduction of one value that sets its own start value, or no reduction. It stores at all its
//!   spatial iters and at no other iters, and reads the stored buffer only as the accumulator
//! - (C4) the nest contains no other block. It is at function level and consists of serial or parallel loops. One iter
//!   is bound to each loop, which runs over the domain of the iter; a loop of one iteration may be without an iter,
//!   because an iter may be bound to 0
//! - (C5) no enclosing loop has iterations with their own instances of an accessed buffer
//! - (C6) the padding values do not change the result: an instance in the padding of a reduce iter contributes the
//!   identity of the reducer. This is checked by evaluating the block with padding values for all inputs: for example
//!   0 * 0 for a sum of products, and infinities for a maximum of sums. 0 in one factor is not enough if the other factor
//!   may be infinite. Under the contract `strict`, a sum of floats that may start from -0 must add -0, so in a product
//!   one factor is padded with -0 and the other with 0; a sum that starts from any other number may add 0
//!
//! All handles stay valid.

mod fill;
mod rewrite;

use crate::dialect::loop_enums::{IterRole, LoopKind};
use crate::dialect::loop_op::ScheduleBlock;
use crate::dialect::region;
use crate::ir::affine::{BinaryKind, Expr};
use crate::ir::{Op, Value};
use crate::nest::derived_name;
use crate::nest::facts::scope;
use crate::nest::render;
use crate::nest::state::State;
use crate::nest::summary::VariableId;
use crate::nest::summary::{Access, Block, Body, BufferId, Iter, NodeId, NodeKind, Summary};
use crate::schedule::error::{Reason, ScheduleError, TensorReason};
use crate::schedule::legality::proof::Proofs;
use crate::schedule::name;
use crate::schedule::primitive::declaration::primitive;
use crate::schedule::rewrite::copy::CopySizes;

primitive! {
    "Pad the extents of an einsum to multiples, with padded copies of its operands"
    /// Returns the names of the schedule blocks that copy.
    pad_einsum(
        block: Block,
        factors: Integers = "One number for each iter: its extent is padded to a multiple of this number; 1 adds no padding";
        proof
    ) -> Vec<String>;
    |state| pad_einsum(state, block, factors, proof)
}

/// The result of the check.
pub struct Plan {
    block: NodeId,
    /// The outermost loop around the block, or the block itself.
    nest: NodeId,
    axes: Vec<EinsumIter>,
    inputs: Vec<PaddedCopy>,
    /// The output buffer, if it is padded.
    output: Option<PaddedCopy>,
    sizes: CopySizes,
}

/// An iter of the einsum, and its padding.
struct EinsumIter {
    name: String,
    role: IterRole,
    /// The loop that is bound to the iter.
    node: Option<NodeId>,
    extent: Expr,
    factor: i64,
    is_padded: bool,
}

/// A padded copy of a buffer.
struct PaddedCopy {
    buffer: BufferId,
    /// The name of the new buffer and of the schedule block that fills it.
    name: String,
    at: Vec<EinsumIndex>,
    /// Iters and sizes of the old buffer: it is read only where each of these iters is below its size.
    limits: Vec<(usize, Expr)>,
}

/// The index of an access in one dimension.
#[derive(Clone, Debug, PartialEq, Eq)]
enum EinsumIndex {
    Iter(usize),
    Number(i64),
}

/// Pads the extents of the iters of `target`; returns the names of the new schedule blocks. On an error the IR is
/// unchanged.
pub fn pad_einsum(
    state: &mut State,
    target: &str,
    factors: &[i64],
    proofs: &mut Proofs,
) -> Result<Vec<String>, ScheduleError> {
    let plan = check(state.summary(), target, factors)?;
    let view = ScheduleBlock::of(state.op(plan.block)).expect("the node is a schedule block");
    let (fills, verdict) = fill::of(state, &view, &plan);
    proofs.require(&verdict, || {
        let block = target.to_owned();
        TensorReason::NotNeutral { block }.at(plan.block, 6)
    })?;
    Ok(rewrite::rewrite(state, &plan, &fills))
}

pub fn check(summary: &Summary, target: &str, factors: &[i64]) -> Result<Plan, ScheduleError> {
    let id = name::block(summary, target)?;
    let block = summary.as_block(id).expect("a block");
    check_leaf(id, block)?;
    let nest = nest_of(summary, id)?;
    let mut axes = axes(summary, id, factors)?;
    let mut inputs: Vec<PaddedCopy> = vec![];
    let mut sizes = CopySizes::default();
    let store = block.stores().next().expect("the check has seen it");
    let output = at(id, block, store)?;
    check_output(id, block, &output)?;
    for axis in &mut axes {
        axis.is_padded = axis.factor > 1
            && summary.simplified(&axis.extent.clone().modulo(axis.factor.into())) != 0.into();
        if axis.is_padded && axis.padded().is_none() {
            return Err(Reason::Overflow(format!("the product of factors {factors:?}")).at(id, 2));
        }
    }
    let is_padded = |at: &[EinsumIndex]| {
        at.iter().any(|i| matches!(i, EinsumIndex::Iter(i) if axes[*i].is_padded))
    };
    let copied = |buffer: BufferId, at: Vec<EinsumIndex>, taken: &[PaddedCopy]| {
        let base = format!("{}_pad", derived_name::stem(&summary.buffers[buffer].name));
        let name = derived_name::fresh(&base, &|name| {
            taken.iter().any(|other| other.name == name)
                || summary.has_buffer(name)
                || summary.has_block(name)
        });
        PaddedCopy { buffer, name, at, limits: vec![] }
    };
    for load in block.loads() {
        let at = at(id, block, load)?;
        let known = inputs.iter().any(|input| input.buffer == load.buffer && input.at == at);
        if load.buffer == store.buffer {
            if at != output || block.reducer.is_none() {
                let buffer = summary.buffers[store.buffer].name.clone();
                return Err(Reason::ReadsOwnResult { block: target.to_owned(), buffer }.at(id, 3));
            }
        } else if is_padded(&at) && !known {
            let mut input = copied(load.buffer, at, &inputs);
            input.limits = limits(summary, &input, &axes, &mut sizes);
            inputs.push(input);
        }
    }
    let output = is_padded(&output).then(|| copied(store.buffer, output, &inputs));
    for new in inputs.iter().chain(&output) {
        if !new.fits(summary, &axes) {
            return Err(Reason::Overflow(format!("the product of the dimensions of {}", new.name))
                .at(id, 2));
        }
    }
    for access in block.accesses() {
        let buffer = &summary.buffers[access.buffer];
        let own = buffer.scope.and_then(|scope| scope::owner(summary, scope, id));
        if let Some((owner, scope)) = own.zip(buffer.scope) {
            let (block, buffer) = (target.to_owned(), buffer.name.clone());
            let reason = Reason::PrivateBuffer { block, buffer, scope };
            return Err(reason.at(id, 5).note(owner, "the loop is here"));
        }
    }
    Ok(Plan { block: id, nest, axes, inputs, output, sizes })
}

fn not_einsum(id: NodeId, block: &Block, condition: u8, why: &str) -> ScheduleError {
    let (block, why) = (block.name.clone(), why.to_owned());
    TensorReason::NoEinsum { block, why }.at(id, condition)
}

/// (C1), except for accesses; (C3), for the reducer
fn check_leaf(id: NodeId, block: &Block) -> Result<(), ScheduleError> {
    let why = match &block.body {
        Body::Nest => Some("its body is a nest"),
        Body::Leaf { calls: true, .. } => Some("it calls a function"),
        Body::Leaf { divides: true, .. } => Some("it divides integers"),
        Body::Leaf { accesses, .. } if accesses.iter().any(|access| access.is_conditional) => {
            Some("it accesses buffers in a branch")
        }
        Body::Leaf { .. } if !block.predicate.is_empty() => Some("it has a predicate"),
        Body::Leaf { .. } if !block.outer_iters.is_empty() => {
            Some("it uses iters of outer schedule blocks")
        }
        Body::Leaf { .. } if block.stores().filter(|store| !store.in_init).count() != 1 => {
            Some("it does not have exactly one store")
        }
        Body::Leaf { .. } => None,
    };
    if let Some(why) = why {
        return Err(not_einsum(id, block, 1, why));
    }
    let reduces = block.iters.iter().any(|iter| iter.role == IterRole::Reduce);
    let why = match &block.reducer {
        _ if block.iters.iter().any(|iter| iter.role == IterRole::Opaque) => {
            Some("an iter is opaque")
        }
        None if reduces || block.has_init => Some("it reduces without a reducer"),
        Some(combiners) if !matches!(&combiners[..], [one] if one.arity() == 1) => {
            Some("it does not reduce to one value by a combiner")
        }
        Some(_) if !block.has_init => Some("its start values are given elsewhere"),
        _ => None,
    };
    why.map_or(Ok(()), |why| Err(not_einsum(id, block, 3, why)))
}

/// (C1), for an access: its index in each dimension.
fn at(id: NodeId, block: &Block, access: &Access) -> Result<Vec<EinsumIndex>, ScheduleError> {
    let mut found = vec![];
    for index in &access.indices {
        let index = match index {
            Some(Expr::Dim(variable)) => {
                let iter = block
                    .iters
                    .iter()
                    .position(|iter| iter.variable == VariableId::of_dim(*variable));
                iter.map(EinsumIndex::Iter)
            }
            Some(Expr::Constant(number)) => Some(EinsumIndex::Number(*number)),
            _ => None,
        };
        match index {
            Some(index @ EinsumIndex::Iter(_)) if found.contains(&index) => {
                return Err(not_einsum(id, block, 1, "an access uses an iter twice as index"));
            }
            Some(index) => found.push(index),
            None => {
                let why = "an index is neither an iter nor a number";
                return Err(not_einsum(id, block, 1, why));
            }
        }
    }
    Ok(found)
}

/// (C3), for the store
fn check_output(id: NodeId, block: &Block, output: &[EinsumIndex]) -> Result<(), ScheduleError> {
    let is_plain = |(i, iter): (usize, &Iter)| {
        output.contains(&EinsumIndex::Iter(i)) == (iter.role == IterRole::Spatial)
    };
    match block.iters.iter().enumerate().all(is_plain) {
        true => Ok(()),
        false => {
            let why = "the indices of its store are not exactly its spatial iters";
            Err(not_einsum(id, block, 3, why))
        }
    }
}

/// (C4), for the nest: its outermost node.
fn nest_of(summary: &Summary, id: NodeId) -> Result<NodeId, ScheduleError> {
    let mut nest = id;
    for outer in summary.ancestors(id) {
        let what = match &summary.nodes[outer].kind {
            NodeKind::Loop(this) if !matches!(this.kind, LoopKind::Serial | LoopKind::Parallel) => {
                let (name, kind) = (this.name.clone(), this.kind);
                return Err(Reason::NotSerial { name, kind }.at(outer, 4));
            }
            NodeKind::Loop(this) => {
                if summary.nodes[outer].children.len() > 1 {
                    let (inner, outer_name) = (summary.name(nest), this.name.clone());
                    let reason = Reason::NotAlone { inner, outer: outer_name };
                    return Err(reason.at(id, 4).note(outer, "the loop is here"));
                }
                nest = outer;
                continue;
            }
            NodeKind::If(_) => "it is in a 'loop.if'",
            _ => "it is in a schedule block",
        };
        let block = summary.as_block(id).expect("a block");
        return Err(not_einsum(id, block, 4, what).note(outer, "it is here"));
    }
    Ok(nest)
}

/// (C2), and (C4) for the bindings: the iters.
fn axes(summary: &Summary, id: NodeId, factors: &[i64]) -> Result<Vec<EinsumIter>, ScheduleError> {
    let block = summary.as_block(id).expect("a block");
    if factors.len() != block.iters.len() {
        let (found, iters) = (factors.len(), block.iters.len());
        let reason = TensorReason::FactorCount { block: block.name.clone(), found, iters };
        return Err(reason.at(id, 2));
    }
    if let Some(bad) = factors.iter().find(|factor| **factor < 1) {
        return Err(Reason::BadWidth(*bad).at(id, 2));
    }
    let loops: Vec<NodeId> = summary.loops_around(id).collect();
    let mut axes: Vec<EinsumIter> = vec![];
    for ((iter, bound), factor) in block.iters.iter().zip(&block.binding).zip(factors) {
        let is_its = |node: &&NodeId| {
            let this = summary.as_loop(**node).expect("a loop");
            *bound == this.variable.expr() && this.extent == iter.domain
        };
        let node = loops.iter().find(is_its).copied();
        let is_one = *bound == 0.into() && iter.domain == [1.into()] && *factor == 1;
        let is_taken = node.is_some() && axes.iter().any(|axis| axis.node == node);
        let [extent] = &iter.domain[..] else {
            return Err(TensorReason::NotRunOver {
                block: block.name.clone(),
                iter: iter.name.clone(),
                bound: render::expr(summary, bound),
            }
            .at(id, 4));
        };
        if node.is_none() && !is_one || is_taken {
            let bound = render::expr(summary, bound);
            let (block, iter) = (block.name.clone(), iter.name.clone());
            return Err(TensorReason::NotRunOver { block, iter, bound }.at(id, 4));
        }
        axes.push(EinsumIter {
            name: iter.name.clone(),
            role: iter.role,
            node,
            extent: extent.clone(),
            factor: *factor,
            is_padded: false,
        });
    }
    for node in loops {
        let this = summary.as_loop(node).expect("a loop");
        let is_bound = axes.iter().any(|axis| axis.node == Some(node));
        if !is_bound && this.constant_extent() != Some(1) {
            let (block, name) = (block.name.clone(), this.name.clone());
            let reason = TensorReason::NotAxis { block, name };
            return Err(reason.at(id, 4).note(node, "the loop is here"));
        }
    }
    Ok(axes)
}

impl EinsumIter {
    /// The padded extent, if it fits an index.
    fn padded(&self) -> Option<Expr> {
        if !self.is_padded {
            return Some(self.extent.clone());
        }
        match self.extent.constant() {
            Some(extent) => {
                let tiles = extent / self.factor + i64::from(extent % self.factor != 0);
                tiles.checked_mul(self.factor).map(Expr::from)
            }
            None => Some(rounded(self.extent.clone(), self.factor)),
        }
    }

    fn size(&self) -> Expr {
        self.padded().expect("the check has seen that it fits")
    }
}

impl PaddedCopy {
    /// The dimensions of the new buffer.
    fn shape(&self, axes: &[EinsumIter]) -> Vec<Expr> {
        let size = |index: &EinsumIndex| match index {
            EinsumIndex::Iter(i) => axes[*i].size(),
            EinsumIndex::Number(_) => 1.into(),
        };
        self.at.iter().map(size).collect()
    }

    /// True if its size in bytes fits an index, as far as the dimensions are known.
    fn fits(&self, summary: &Summary, axes: &[EinsumIter]) -> bool {
        let bytes = summary.buffers[self.buffer].element_bytes.unwrap_or(1);
        let dims = self.shape(axes);
        dims.iter().filter_map(Expr::constant).try_fold(bytes, i64::checked_mul).is_some()
    }
}

fn rounded(extent: Expr, factor: i64) -> Expr {
    (Expr::binary(BinaryKind::CeilDiv, extent, factor.into()) * factor.into()).simplified()
}

/// The bounds that the copy of an input needs: an iter may exceed the buffer's dimension where the nest does not run.
fn limits(
    summary: &Summary,
    input: &PaddedCopy,
    axes: &[EinsumIter],
    sizes: &mut CopySizes,
) -> Vec<(usize, Expr)> {
    let mut found = vec![];
    for (dim, index) in input.at.iter().enumerate() {
        let EinsumIndex::Iter(i) = index else { continue };
        let size = sizes.dimension(summary, input.buffer, dim);
        let is_inside = match (size.constant(), axes[*i].extent.constant()) {
            (Some(size), Some(extent)) => extent <= size,
            _ => size == summary.simplified(&axes[*i].extent),
        };
        if !is_inside {
            found.push((*i, size));
        }
    }
    found
}

/// The new buffer that an access of the block is redirected to.
enum PaddedSide {
    Input(usize),
    Output,
}

impl Plan {
    fn copied<'c>(
        &self,
        state: &State<'c>,
        view: &ScheduleBlock<'c>,
        access: Op<'c>,
    ) -> Option<PaddedSide> {
        let operands = access.operands();
        let first = usize::from(access.is("memref.store"));
        let is_of = |copied: &PaddedCopy| state.buffer(copied.buffer) == operands[first];
        if self.output.as_ref().is_some_and(is_of) {
            return Some(PaddedSide::Output);
        }
        let at = |index: &Value<'c>| match region::index_expr(view, *index) {
            Some(Expr::Dim(i)) => Some(EinsumIndex::Iter(i)),
            Some(Expr::Constant(number)) => Some(EinsumIndex::Number(number)),
            _ => None,
        };
        let at: Option<Vec<EinsumIndex>> = operands[first + 1..].iter().map(at).collect();
        let is_it = |input: &PaddedCopy| is_of(input) && at.as_ref() == Some(&input.at);
        self.inputs.iter().position(is_it).map(PaddedSide::Input)
    }
}
