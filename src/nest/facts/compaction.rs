//! Buffer compaction: the dimensions that a buffer needs within one iteration of a loop.

use crate::dialect::loop_enums::IterRole;
use crate::ir::affine::{Expr, Linear, greatest_divisor};
use crate::nest::buffer_remap::{AccessId as At, BufferRemap, NewIters, RemapIter};
use crate::nest::facts::boxes;
use crate::nest::facts::boxes::{Motion, Range};
use crate::nest::summary::{Access, BufferId, NodeId, Summary, Variable, VariableId};
use std::collections::BTreeMap;

/// A loop, or node 0 for the function, within one iteration of which a buffer is used. `shared_by` are the
/// variables of enclosing thread loops that vary all the same, because their threads share the buffer.
#[derive(Clone, Debug)]
pub struct UseScope {
    pub node: NodeId,
    pub shared_by: Vec<VariableId>,
    /// For a buffer that is private to a thread: the variables of thread loops, each mapped to the one that
    /// represents its axis. They are fixed for a thread.
    pub threads: BTreeMap<VariableId, VariableId>,
}

impl UseScope {
    /// How a variable varies during one iteration of the place.
    pub fn motion(&self, summary: &Summary, variable: VariableId) -> Motion {
        match summary.variables[variable] {
            Variable::Loop(node) if self.shared_by.contains(&variable) => {
                boxes::bound(&summary.as_loop(node).expect("a loop").extent)
            }
            _ if self.threads.contains_key(&variable) => Motion::Still,
            _ => boxes::motion_inside(summary, self.node, variable),
        }
    }

    /// Rewrites an expression over fixed variables to use one variable for all loops of an axis.
    pub fn by_thread(&self, still: &Expr) -> Expr {
        let variable = |dim| {
            let variable = VariableId::of_dim(dim);
            self.threads.get(&variable).unwrap_or(&variable).expr()
        };
        still.substitute(&variable, &Expr::Symbol)
    }

    pub fn moves(&self, summary: &Summary, expr: &Expr) -> bool {
        let mut found = false;
        expr.visit_leaves(&mut |leaf| {
            if let Expr::Dim(variable) = leaf {
                found |=
                    !matches!(self.motion(summary, VariableId::of_dim(*variable)), Motion::Still);
            }
        });
        found
    }
}

/// The compacted form of one dimension.
#[derive(Clone, Debug)]
pub struct Fit {
    /// The new extent, over sizes.
    pub size: Expr,
    /// The new index of each access, over the iters of its leaf and sizes.
    pub indices: Vec<Expr>,
}

impl Fit {
    /// True if the new extent is provably smaller, or is a constant while `size` is not.
    pub fn is_less(&self, summary: &Summary, size: &Expr) -> bool {
        match (self.size.constant(), size.constant()) {
            (Some(_), None) => true,
            _ => {
                // Otherwise the extent could be negative, such as `4 * n - 3` for n = 0.
                Linear::of(&self.size).constant >= 0 && self.size != *size && {
                    let one_more = (self.size.clone() + 1.into()).simplified();
                    boxes::at_least(summary, size, &one_more)
                }
            }
        }
    }
}

/// Compacts a buffer: each dimension is reduced to what one iteration of a place needs, for the first place
/// that makes it smaller. Also returns how many dimensions became smaller; `None` if none did.
pub fn all(
    summary: &Summary,
    buffer: BufferId,
    accesses: &[(At, &Access)],
    places: &[UseScope],
) -> Option<(BufferRemap, u64)> {
    let mut indices: Vec<_> = accesses.iter().map(|(at, _)| (*at, vec![])).collect();
    let (mut shape, mut iters, mut smaller) = (vec![], NewIters::of(summary), 0);
    for (dim, size) in summary.buffers[buffer].shape.iter().enumerate() {
        let size = size.clone()?;
        let fitted = places.iter().find_map(|place| {
            let mut more = iters.clone();
            let fit = of(summary, place, accesses, dim, &mut more)?;
            fit.is_less(summary, &size).then_some((fit, more))
        });
        match fitted {
            Some((fit, more)) => {
                smaller += 1;
                iters = more;
                shape.push(fit.size);
                indices.iter_mut().zip(fit.indices).for_each(|((_, all), index)| all.push(index));
            }
            None => {
                shape.push(size);
                for ((_, all), (_, access)) in indices.iter_mut().zip(accesses) {
                    all.push(access.indices[dim].clone()?);
                }
            }
        }
    }
    (smaller > 0).then_some((BufferRemap { buffer, shape, iters, indices }, smaller))
}

/// The extent of a dimension that the accesses need in one iteration of the place: (C5), (C6).
fn of(
    summary: &Summary,
    place: &UseScope,
    accesses: &[(At, &Access)],
    dim: usize,
    iters: &mut NewIters,
) -> Option<Fit> {
    let mut box_of_all: Option<Range> = None;
    let mut still: Option<Expr> = None;
    let mut kept = vec![];
    for (at, access) in accesses {
        let parts = parts(summary, place, at.node, access.indices[dim].as_ref()?, iters)?;
        if *still.get_or_insert_with(|| parts.still.clone()) != parts.still {
            return None;
        }
        let range = boxes::range(&parts.moving, &|v| place.motion(summary, v))?;
        box_of_all = Some(match box_of_all {
            Some(all) => all.union(&range)?,
            None => range,
        });
        kept.push(parts.index);
    }
    let mut all = box_of_all?;
    if still?.constant() == Some(0) {
        all = within(all, summary.buffers[accesses[0].1.buffer].shape[dim].as_ref());
    }
    let size = all.extent();
    (!size.has_dims() && size.constant().is_none_or(|n| n > 0)).then_some(())?;
    let from_low = |index: Expr| (index - all.low.clone()).simplified();
    let indices = kept.into_iter().map(from_low).collect();
    Some(Fit { size, indices })
}

/// Clips a range to the buffer, because no access is out of bounds.
fn within(all: Range, size: Option<&Expr>) -> Range {
    let Range { mut low, mut high } = all;
    if low.constant().is_some_and(|low| low < 0) {
        low = 0.into();
    }
    let last = size.and_then(Expr::constant).map(|size| size - 1);
    if let (Some(end), Some(last)) = (high.constant(), last) {
        high = end.min(last).into();
    }
    Range { low, high }
}

/// An index in one iteration of a place.
struct IndexParts {
    /// The fixed part.
    still: Expr,
    /// The varying part, over loops.
    moving: Expr,
    /// The varying part, over the iters of the leaf.
    index: Expr,
}

fn parts(
    summary: &Summary,
    place: &UseScope,
    node: NodeId,
    index: &Expr,
    iters: &mut NewIters,
) -> Option<IndexParts> {
    let linear = Linear::of(&index.simplified());
    let constant = Expr::Constant(linear.constant);
    let mut parts = IndexParts { still: 0.into(), moving: constant.clone(), index: constant };
    for (atom, coefficient) in &linear.terms {
        let times = |expr: Expr| expr * (*coefficient).into();
        let (still, moving) = divided(summary, place, atom)?;
        let rest = moving.to_expr();
        parts.still = parts.still + times(still.to_expr());
        parts.moving = parts.moving + times(rest.clone());
        let index = match atom {
            _ if still.terms.is_empty() => atom.clone(),
            _ if !place.moves(summary, &rest) => rest,
            // `v` is a fixed multiple of `step` plus a number within `step` from `low`.
            Expr::Dim(variable) => {
                let range = boxes::range(&rest, &|v| place.motion(summary, v))?;
                let (low, high) = (range.low.constant()?, range.high.constant()?);
                let coefficients = still.terms.iter().map(|(_, factor)| *factor);
                let step = coefficients.fold(0, greatest_divisor);
                let from_low = match high - low < step {
                    true => (atom.clone() - low.into()).modulo(step.into()),
                    false => {
                        let binding = (rest - low.into()).simplified();
                        let iter = new_iter(
                            summary,
                            node,
                            VariableId::of_dim(*variable),
                            high - low + 1,
                            binding,
                        )?;
                        Expr::Dim(iters.number(iter))
                    }
                };
                from_low + low.into()
            }
            _ => return None,
        };
        parts.index = parts.index + times(index);
    }
    parts.still = summary.simplified(&place.by_thread(&parts.still));
    parts.moving = summary.simplified(&parts.moving);
    parts.index = parts.index.simplified();
    Some(parts)
}

/// A new iter in addition to a spatial one, bound to the varying part of its binding.
fn new_iter(
    summary: &Summary,
    node: NodeId,
    variable: VariableId,
    domain: i64,
    binding: Expr,
) -> Option<RemapIter> {
    let block = summary.as_block(node)?;
    let iter = block.iters.iter().find(|iter| iter.variable == variable)?;
    if iter.role != IterRole::Spatial || domain < 1 || !is_bindable(summary, node, &binding) {
        return None;
    }
    let base = format!("{}_in", iter.name);
    let names = std::iter::once(base.clone()).chain((1..).map(|i| format!("{base}_{i}")));
    let is_free = |name: &String| block.iters.iter().all(|iter| iter.name != *name);
    let name = names.into_iter().find(is_free)?;
    Some(RemapIter { node, name, domain, binding })
}

/// True if all loops in the binding are inside the schedule block that encloses the leaf; a nest's body
/// cannot use loops outside of it.
fn is_bindable(summary: &Summary, leaf: NodeId, binding: &Expr) -> bool {
    let Some(nest) = summary.ancestors(leaf).find(|n| summary.as_block(*n).is_some()) else {
        return true;
    };
    let mut all_inside = true;
    binding.visit_leaves(&mut |of| {
        if let Expr::Dim(variable) = of
            && let Variable::Loop(node) = summary.variables[VariableId::of_dim(*variable)]
        {
            all_inside &= summary.is_under(node, nest);
        }
    });
    all_inside
}

/// Divides a part of an index over loops into its fixed and its varying part.
fn divided(summary: &Summary, place: &UseScope, atom: &Expr) -> Option<(Linear, Linear)> {
    let whole = Linear::of(&summary.over_loops_under(place.node, atom));
    let mut still = Linear::default();
    let mut moving = whole.clone();
    for (atom, coefficient) in &whole.terms {
        if !atom.has_dims() {
            continue;
        }
        if !place.moves(summary, atom) {
            moving.terms.remove(atom);
            still.terms.insert(atom.clone(), *coefficient);
        }
    }
    let mut stands = false;
    for (atom, _) in &moving.terms {
        atom.visit_leaves(&mut |leaf| {
            stands |= matches!(leaf, Expr::Dim(_)) && !place.moves(summary, leaf);
        });
    }
    (!stands).then_some((still, moving))
}
