//! The cost ledger: a symbolic cost model, which gives the costs of each schedule block as formulas over sizes.
//!
//! Each schedule block has a row, and so has its `loop.init`. A row has these figures: the instances; the operations
//! on floats and on integers (a fused multiply-add counts as two; selects, constants and index arithmetic do not
//! count); the bytes that are loaded from and stored to each memory (that of the buffer's scope; arguments and
//! constants are global); the *footprint*, which is the bytes of the distinct elements that are accessed, for a
//! shared or local buffer of one instance; the iterations that run in parallel, and the lanes of vectors; and the
//! arithmetic intensity, which is operations on floats per byte.
//!
//! A [`Figure`] is exact or an upper bound (`<=`), for all sizes of 1 or more. The interpreter counts the same
//! figures while it runs, by independent code, and tests compare the two.

mod amount;
mod collect;
mod count;
pub(crate) mod delta;
mod figure;
mod image;
mod intensity;
mod json;
mod regroup;
mod sizes;
mod space;
mod table;
mod union;

pub use amount::Amount;
pub(crate) use amount::common_divisor;
pub use figure::Figure;
pub use intensity::{FigureBound, Intensity, IntensityValue};
pub use sizes::CalleeSizes;

use super::work::WorkArgument;
use crate::dialect::loop_enums::Scope;
use crate::dialect::loop_op::{BufferView, buffer_name};
use crate::dialect::requirement::SizeOrigin;
use crate::ir::affine::{Constraint, Expr};
use crate::ir::{Error, Op, Value, is_inside, walk};
use amount::is_never_negative;
use collect::{ConditionalOps, CostedBlock, OuterLoop};
use image::Image;
use loopwright_runtime::stderr;
use sizes::SizeTable;
use space::{IterationSpace, mentions};

/// The costs of a function.
#[derive(Clone, Debug, PartialEq)]
pub struct Ledger {
    /// The schedule blocks in program order; the start of a reduction follows the reduction.
    pub rows: Vec<CostRow>,
    /// The sum of the rows.
    pub total: Costs,
    /// The names of the sizes, and where they come from; `None`: the size is computed in the function.
    pub sizes: Vec<String>,
    /// Where each size comes from.
    pub sources: Vec<Option<SizeOrigin>>,
    /// Ops at function level that are not counted, by name.
    pub others: Vec<String>,
}

/// The costs of a block, or of its `loop.init`.
#[derive(Clone, Debug, PartialEq)]
pub struct CostRow {
    /// The name of the schedule block.
    pub block: String,
    /// True if the row is of the block's `loop.init`.
    pub is_init: bool,
    /// How often it runs.
    pub instances: Figure,
    /// The costs of all instances.
    pub costs: Costs,
    /// The iterations of the parallel and bound loops around it.
    pub parallel: Figure,
    /// The iterations of the vectorized loops around it.
    pub lanes: Figure,
}

/// The operations and the memory accesses in total.
#[derive(Clone, Debug, PartialEq)]
pub struct Costs {
    /// Operations on floats.
    pub float_ops: Figure,
    /// Operations on integers.
    pub int_ops: Figure,
    /// The accesses, by buffer.
    pub buffers: Vec<BufferCosts>,
}

/// The accesses of a buffer, in bytes.
#[derive(Clone, Debug, PartialEq)]
pub struct BufferCosts {
    /// The name of the buffer.
    pub buffer: String,
    /// The memory that holds it.
    pub scope: Scope,
    /// The bytes that are loaded.
    pub loads: Figure,
    /// The bytes that are stored.
    pub stores: Figure,
    /// The bytes of the distinct elements that are accessed.
    pub footprint: Figure,
    /// True for arguments, constants, and buffers that are also used outside of what the ledger is of.
    pub is_shared: bool,
}

impl Ledger {
    /// The ledger of a function.
    ///
    /// # Errors
    /// At an op of the loop dialect that is not valid.
    pub fn of<'c>(function: Op<'c>) -> Result<Ledger, Error<'c>> {
        let ops = function.body(0).map(|body| body.ops()).unwrap_or_default();
        Self::of_ops(function, &ops, function)
    }

    /// The ledger of a nest at the top level of a function.
    ///
    /// # Errors
    /// As [`Ledger::of`].
    pub fn of_nest<'c>(function: Op<'c>, nest: Op<'c>) -> Result<Ledger, Error<'c>> {
        Self::of_ops(function, &[nest], nest)
    }

    /// The ledger of some ops at the top level of a function; `root` is what all of them are in.
    fn of_ops<'c>(function: Op<'c>, ops: &[Op<'c>], root: Op<'c>) -> Result<Ledger, Error<'c>> {
        let mut sizes = SizeTable::of(function);
        let found = collect::collect(ops, &mut sizes)?;
        let (mut rows, mut all) = (vec![], AccessedBuffers::default());
        let mut total =
            Costs { float_ops: Figure::number(0), int_ops: Figure::number(0), buffers: vec![] };
        for met in &found.blocks {
            for is_init in [false, true] {
                let parts = match (is_init, &met.init) {
                    (false, _) => &met.body,
                    (true, Some(init)) => init,
                    (true, None) => continue,
                };
                let row = row(met, parts, is_init, root, &mut sizes, &mut all);
                total.float_ops = total.float_ops.plus(&row.costs.float_ops);
                total.int_ops = total.int_ops.plus(&row.costs.int_ops);
                rows.push(row);
            }
        }
        total.buffers = all.costs(root, &mut sizes);
        let SizeTable { names, sources, .. } = sizes;
        Ok(Ledger { rows, total, sizes: names, sources, others: found.others })
    }

    /// The values of the sizes in a call with these arguments; `None` if one does not come from the arguments.
    pub fn values(&self, arguments: &[WorkArgument]) -> Option<Vec<i64>> {
        sizes::values(&self.sources, arguments)
    }
}

/// Prints the ledgers of all functions nested in an op to stderr.
///
/// # Errors
/// See [`Ledger::of`]; nothing is printed then.
pub fn print(root: Op) -> Result<(), Error> {
    let mut texts = vec![];
    let has_body = |op: &Op| op.is("func.func") && op.body(0).is_some();
    for function in walk(root).into_iter().filter(has_body) {
        texts.push(Ledger::of(function)?.text(name_of(function)));
    }
    stderr::print(format_args!("{}", texts.join("\n")));
    Ok(())
}

fn name_of(function: Op<'_>) -> &str {
    function.symbol_name().unwrap_or_default()
}

impl Costs {
    /// Bytes loaded from a memory.
    pub fn loads(&self, scope: Scope) -> Figure {
        self.sum(scope, |buffer| &buffer.loads)
    }

    /// Bytes stored to a memory.
    pub fn stores(&self, scope: Scope) -> Figure {
        self.sum(scope, |buffer| &buffer.stores)
    }

    /// The bytes that must at least be moved: the distinct bytes of shared buffers.
    pub fn least_bytes(&self) -> Figure {
        let shared = self.buffers.iter().filter(|buffer| buffer.is_shared);
        shared.fold(Figure::number(0), |sum, buffer| sum.plus(&buffer.footprint))
    }

    /// Distinct bytes accessed in a memory.
    pub fn footprint(&self, scope: Scope) -> Figure {
        self.sum(scope, |buffer| &buffer.footprint)
    }

    fn sum(&self, scope: Scope, figure: impl Fn(&BufferCosts) -> &Figure) -> Figure {
        let buffers = self.buffers.iter().filter(|buffer| buffer.scope == scope);
        buffers.fold(Figure::number(0), |sum, buffer| sum.plus(figure(buffer)))
    }
}

fn row<'c>(
    met: &CostedBlock<'c>,
    parts: &[ConditionalOps<'c>],
    is_init: bool,
    root: Op<'c>,
    sizes: &mut SizeTable<'c>,
    all: &mut AccessedBuffers<'c>,
) -> CostRow {
    let (space, is_alone) = if is_init { starts(met) } else { (met.space.clone(), Alone::Never) };
    let counted = |space: &IterationSpace| match is_alone {
        Alone::Perhaps => count::count(space).bound(),
        _ => count::count(space),
    };
    let mut costs =
        Costs { float_ops: Figure::number(0), int_ops: Figure::number(0), buffers: vec![] };
    let mut touched = AccessedBuffers::default();
    for part in parts {
        let mut under = space.clone();
        under.conditions.extend(part.conditions.iter().cloned());
        under.excluded.extend(part.excluded.iter().cloned());
        let instances = if part.is_uncertain { counted(&under).bound() } else { counted(&under) };
        costs.float_ops = costs.float_ops.plus(&instances.scaled(part.float_ops));
        costs.int_ops = costs.int_ops.plus(&instances.scaled(part.int_ops));
        let is_certain = !part.is_uncertain && is_alone != Alone::Perhaps;
        for access in &part.accesses {
            let shape = shape(access.buffer, access.indices.len(), sizes);
            let image = Image::of(&under, access.indices.clone(), &shape).map(|mut image| {
                image.is_exact &= is_certain;
                image
            });
            for touched in [&mut touched, &mut *all] {
                touched.add(access, &instances, image.clone());
            }
        }
    }
    costs.buffers = touched.costs(root, sizes);
    let around = |kind: OuterLoop| {
        let of_kind = (0..met.loops.len()).filter(|v| met.loops[*v] == kind);
        of_kind.fold(Figure::number(1), |product, v| product.times(&extent(&met.space, v)))
    };
    CostRow {
        block: met.name.clone(),
        is_init,
        instances: counted(&space),
        costs,
        parallel: around(OuterLoop::Parallel),
        lanes: around(OuterLoop::Lanes),
    }
}

/// The iterations of one loop; an upper bound if they depend on other loops.
fn extent(space: &IterationSpace, v: usize) -> Figure {
    match space.extents[v].iter().all(|extent| !extent.has_dims()) {
        true => count::count(&IterationSpace {
            extents: vec![space.extents[v].clone()],
            ..IterationSpace::default()
        }),
        false => count::most(&space.extents, v).map_or(Figure::Unknown, Figure::AtMost),
    }
}

/// Whether the start of a reduction runs without the reduction.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Alone {
    Never,
    /// The domain of the reduction is empty.
    Always,
    Perhaps,
}

/// The space in which the `loop.init` of a schedule block runs: where all reduction iters are 0, or, if they have no
/// values, once per spatial point.
fn starts(met: &CostedBlock) -> (IterationSpace, Alone) {
    let mut space = met.space.clone();
    let reaches =
        |limit: i64| move |e: &Expr| is_never_negative(&(e.clone() - limit.into()).simplified());
    let is_empty = |domain: &Vec<Expr>| domain.iter().any(|e| e.constant().is_some_and(|e| e < 1));
    let is_full = |domain: &Vec<Expr>| domain.iter().all(reaches(1));
    if met.reduce_domains.iter().all(is_full) {
        let zero = |binding: &Expr| Constraint::Zero(binding.clone());
        space.conditions.extend(met.reduce.iter().map(zero));
        return (space, Alone::Never);
    }
    // Loops that no spatial iter is bound to count as one iteration, and conditions on them are ignored.
    let is_spatial = |v: usize| met.spatial.iter().any(|binding| mentions(binding, v));
    let others: Vec<usize> = (0..space.extents.len()).filter(|v| !is_spatial(*v)).collect();
    let is_of_others = |e: &Expr| others.iter().any(|v| mentions(e, *v));
    let is_of_spatial =
        |e: &Expr| (0..space.extents.len()).any(|v| is_spatial(v) && mentions(e, v));
    let is_mixed = |c: &Constraint| is_of_others(c.expr()) && is_of_spatial(c.expr());
    let is_clear = !met.is_nested
        && space.excluded.is_empty()
        && !space.conditions.iter().any(is_mixed)
        && !space.extents.iter().flatten().any(&is_of_others)
        && others.iter().all(|v| met.reduce.iter().any(|binding| mentions(binding, *v)));
    space.conditions.retain(|c| !is_of_others(c.expr()));
    for (v, extents) in space.extents.iter_mut().enumerate() {
        match others.contains(&v) {
            true => *extents = vec![1.into()],
            false => extents.retain(|extent| !others.iter().any(|v| mentions(extent, *v))),
        }
    }
    // An iteration that reaches a point again does not start it again.
    let points = || {
        let image = Image::of(&space, met.spatial.iter().cloned().map(Some).collect(), &[]);
        image.filter(|image| image.is_exact).map(|image| Figure::Exact(image.count()))
    };
    let is_always = is_clear
        && met.reduce_domains.iter().any(is_empty)
        && points() == Some(count::count(&space));
    (space, if is_always { Alone::Always } else { Alone::Perhaps })
}

/// The buffers of some accesses, in the order of these.
#[derive(Default)]
struct AccessedBuffers<'c> {
    buffers: Vec<CostedBuffer<'c>>,
}

struct CostedBuffer<'c> {
    value: Value<'c>,
    scope: Scope,
    bytes: i128,
    loads: Figure,
    stores: Figure,
    /// `None` if one of them is unknown.
    images: Option<Vec<Image>>,
}

impl<'c> AccessedBuffers<'c> {
    fn add(
        &mut self,
        access: &collect::CountedAccess<'c>,
        instances: &Figure,
        image: Option<Image>,
    ) {
        let known = self.buffers.iter().position(|buffer| buffer.value == access.buffer);
        let place = known.unwrap_or_else(|| {
            self.buffers.push(CostedBuffer {
                value: access.buffer,
                scope: access.scope,
                bytes: access.bytes,
                loads: Figure::number(0),
                stores: Figure::number(0),
                images: Some(vec![]),
            });
            self.buffers.len() - 1
        });
        let buffer = &mut self.buffers[place];
        let bytes = instances.scaled(access.bytes);
        match access.is_store {
            true => buffer.stores = buffer.stores.plus(&bytes),
            false => buffer.loads = buffer.loads.plus(&bytes),
        }
        match (&mut buffer.images, image) {
            (Some(images), Some(image)) => images.push(image),
            (images, _) => *images = None,
        }
    }

    fn costs(&self, root: Op<'c>, sizes: &mut SizeTable<'c>) -> Vec<BufferCosts> {
        let is_own = |value: Value<'c>| {
            value.defining_op().is_some_and(|op| op.is(BufferView::NAME))
                && value.uses().iter().all(|(user, _)| is_inside(*user, root))
        };
        let costs = |buffer: &CostedBuffer<'c>| {
            let dims = buffer.value.ty().shaped().map_or(0, |(dims, _)| dims.len());
            let all = shape(buffer.value, dims, sizes)
                .into_iter()
                .try_fold(Amount::from(1), |all, size| Some(all.times(&size?)));
            let footprint = match &buffer.images {
                Some(images) => union::union(images, all),
                None => Figure::Unknown.or_at_most(all),
            };
            BufferCosts {
                buffer: buffer_name(buffer.value),
                scope: buffer.scope,
                loads: buffer.loads.clone(),
                stores: buffer.stores.clone(),
                footprint: footprint.scaled(buffer.bytes),
                is_shared: !is_own(buffer.value),
            }
        };
        self.buffers.iter().map(costs).collect()
    }
}

/// The sizes of a buffer, as far as they are known.
fn shape<'c>(buffer: Value<'c>, dims: usize, sizes: &mut SizeTable<'c>) -> Vec<Option<Amount>> {
    (0..dims).map(|dim| Amount::of(&sizes.dimension(buffer, dim)?)).collect()
}
