//! Region cover: which instances of a schedule block its readers need, as boxes of its iters.
//!
//! In one iteration of a node, the readers need a box of a buffer's elements, and the block runs a box of
//! its instances. Both are data: spans of the iters, over sizes and the loops that do not run inside the
//! node. If an index depends on data, or is not an affine expression, the whole dimension is needed.

use crate::analysis::mixed_radix::{Digit, chain};
use crate::analysis::span::{self, IntegerSpan};
use crate::ir::affine::{Constraint, Expr, Linear};
use crate::nest::summary::VariableId;
use crate::nest::summary::{
    Access, Block, BufferId, Iter, NodeId, NodeKind, Summary, Variable, mentions,
};

/// For each iter the dimension of the store whose index is the iter plus a constant or size, and that
/// offset; `None` if there is no such dimension.
pub fn placed_iters(block: &Block, store: &Access) -> Vec<Option<(usize, Expr)>> {
    let place = |variable: usize| {
        store.indices.iter().enumerate().find_map(|(d, index)| {
            let added = (index.clone()? - Expr::Dim(variable)).simplified();
            (!added.has_dims()).then_some((d, added))
        })
    };
    block.iters.iter().map(|iter| place(iter.variable.index())).collect()
}

/// For each iter an expression that gives it from the indices of the store, where [`Expr::Dim`] d is index d: an index
/// minus a constant or size, or the sum of the indices that are the digits of the iter. `None` if there is none.
fn computed_iters(block: &Block, store: &Access) -> Vec<Option<Expr>> {
    let places = placed_iters(block, store).into_iter().zip(&block.iters);
    let computed = |(place, iter): (Option<(usize, Expr)>, &Iter)| match place {
        Some((d, added)) => Some(Expr::Dim(d) - added),
        None => sum_of_digits(iter, store),
    };
    places.map(computed).collect()
}

/// The sum of the indices of a store that are the digits of an iter, by their weights:
/// `16 * (v floordiv 16) + v mod 16` is `v`.
fn sum_of_digits(iter: &Iter, store: &Access) -> Option<Expr> {
    let variable = iter.variable.expr();
    let least = iter.domain.iter().filter_map(Expr::constant).min();
    let values = |base: &Expr| least.filter(|_| *base == variable);
    let digit = |(d, index): (usize, &Option<Expr>)| {
        let digit = Digit::within(index.as_ref()?, &values)?;
        (digit.base == variable).then_some((d, digit))
    };
    let (places, digits): (Vec<_>, Vec<_>) =
        store.indices.iter().enumerate().filter_map(digit).unzip();
    let mut sum = Expr::Constant(0);
    for (i, end) in chain(&digits.iter().collect::<Vec<_>>()) {
        sum = sum + digits[i].divisor.clone() * Expr::Dim(places[i]);
        if end.is_none() {
            return Some(sum);
        }
    }
    None
}

/// The blocks that read a buffer, other than `writer`.
pub fn readers(summary: &Summary, buffer: BufferId, writer: NodeId) -> Vec<NodeId> {
    let reads = |block: &Block| block.loads().any(|load| load.buffer == buffer);
    summary.blocks().filter(|(n, block)| *n != writer && reads(block)).map(|(n, _)| n).collect()
}

/// The span of each iter of `block` that `readers` need during one run of what is inside `at`; `None` for
/// the whole domain.
pub fn needed(
    summary: &Summary,
    block: &Block,
    readers: &[NodeId],
    at: NodeId,
) -> Vec<Option<IntegerSpan>> {
    let mut spans: Vec<Option<Option<IntegerSpan>>> = vec![None; block.iters.len()];
    let mut stores: Vec<&Access> = block.stores().filter(|store| !store.in_init).collect();
    stores.dedup_by_key(|store| store.buffer);
    for store in stores {
        let computed = computed_iters(block, store);
        let loads = readers.iter().flat_map(|reader| {
            let reader = summary.as_block(*reader).expect("a block");
            reader.loads().filter(|load| load.buffer == store.buffer)
        });
        for load in loads {
            for (span, iter) in spans.iter_mut().zip(&computed) {
                let index = iter.as_ref().and_then(|iter| load.over_indices(iter));
                let needed = index.and_then(|index| accessed(summary, &index, at));
                *span = Some(match span.take() {
                    None => needed,
                    Some(other) => other.zip(needed).and_then(|(one, other)| {
                        span::join(&one, &other, &|v| summary.bounds(VariableId::of_dim(v)))
                    }),
                });
            }
        }
    }
    spans.into_iter().map(Option::flatten).collect()
}

/// The values of an index during one run of what is inside `at`.
pub fn accessed(summary: &Summary, index: &Expr, at: NodeId) -> Option<IntegerSpan> {
    let inside = |v: usize| runs_under(summary, VariableId::of_dim(v), at);
    span::hull(&summary.over_loops_under(at, index), &inside, &|v| {
        summary.bounds(VariableId::of_dim(v))
    })
}

fn runs_under(summary: &Summary, variable: VariableId, at: NodeId) -> bool {
    matches!(summary.variables.get(variable), Some(Variable::Loop(node)) if summary.is_under(*node, at))
}

/// True if only domains exclude instances of a block that the loops inside `at` reach.
fn runs_freely(summary: &Summary, node: NodeId, at: NodeId) -> bool {
    let block = summary.as_block(node).expect("a block");
    let bindings = bindings_under(summary, block, at);
    let mut below = summary.ancestors(node).take_while(|n| *n != at);
    let is_certain = |n: NodeId| match &summary.nodes[n].kind {
        // A loop that no iter is bound to might not run.
        NodeKind::Loop(this) => {
            bindings.iter().any(|bound| mentions(bound, this.variable))
                || this.constant_extent().is_some_and(i64::is_positive)
        }
        NodeKind::Block(around) => around.predicate.is_empty(),
        NodeKind::If(conditions) => conditions.is_empty(),
        _ => true,
    };
    below.all(is_certain) && block.predicate.iter().all(|c| only_bounds_domain(summary, block, c))
}

/// The span of each iter over which a block runs all instances during one run of what is inside `at`;
/// `None` if it is not known.
pub fn run(summary: &Summary, node: NodeId, at: NodeId) -> Vec<Option<IntegerSpan>> {
    let block = summary.as_block(node).expect("a block");
    if !runs_freely(summary, node, at) {
        return vec![None; block.iters.len()];
    }
    span::taken(
        &bindings_under(summary, block, at),
        &|v| runs_under(summary, VariableId::of_dim(v), at),
        &|v| summary.bounds(VariableId::of_dim(v)),
    )
}

/// What the iters of a block are bound to, over the loops inside `at`, also those around a block that contains it.
pub fn bindings_under(summary: &Summary, block: &Block, at: NodeId) -> Vec<Expr> {
    block.binding.iter().map(|bound| summary.over_loops_under(at, bound)).collect()
}

/// For each iter of a block: true if it takes its whole domain during one run of what is inside `at`,
/// because it is bound to a loop of its own whose bounds are those of the domain.
pub fn runs_all(summary: &Summary, node: NodeId, at: NodeId) -> Vec<bool> {
    let block = summary.as_block(node).expect("a block");
    let is_all = |(bound, iter): (&Expr, &Iter)| {
        let Expr::Dim(variable) = bound else { return false };
        let users = block
            .binding
            .iter()
            .filter(|other| mentions(other, VariableId::of_dim(*variable)))
            .count();
        let bounds = summary.bounds(VariableId::of_dim(*variable));
        runs_under(summary, VariableId::of_dim(*variable), at)
            && users == 1
            && bounds.iter().all(|bound| iter.domain.contains(bound))
    };
    let is_free = runs_freely(summary, node, at);
    block.binding.iter().zip(&block.iters).map(|it| is_free && is_all(it)).collect()
}

/// True if a condition only keeps an iter in its domain, or always holds.
pub fn only_bounds_domain(summary: &Summary, block: &Block, condition: &Constraint) -> bool {
    let Constraint::NonNegative(expr) = condition else { return false };
    summary.never_negative(expr)
        || block.iters.iter().zip(&block.binding).any(|(iter, bound)| {
            let below = Expr::Constant(-1) - bound.clone();
            let is_above =
                |domain: &Expr| is_beyond(summary, expr, &(bound.clone() - domain.clone()));
            is_beyond(summary, expr, &below) || iter.domain.iter().any(is_above)
        })
}

/// True if `beyond` is provably not negative wherever `condition` is negative.
pub fn is_beyond(summary: &Summary, condition: &Expr, beyond: &Expr) -> bool {
    // Where `condition <= -1`, `beyond >= beyond + n * (condition + 1)` for any positive `n`.
    let (of, to) = (Linear::of(beyond), Linear::of(condition));
    let times = to.terms.iter().find_map(|(atom, coefficient)| {
        let other = of.terms.get(atom)?.checked_neg()?;
        (other % coefficient == 0).then_some(other / coefficient).filter(|n| *n > 0)
    });
    let least = Expr::Constant(times.unwrap_or(1)) * (condition.clone() + 1.into());
    summary.never_negative(&(beyond.clone() + least))
}

/// True if a span contains the part of a needed span that is in the domain. Without a needed span, the
/// whole domain is needed.
pub fn holds(
    summary: &Summary,
    run: &IntegerSpan,
    needed: Option<&IntegerSpan>,
    domain: &[Expr],
) -> bool {
    let at_least = |a: &Expr, b: &Expr| summary.never_negative(&(a.clone() - b.clone()));
    let last = |extent: &Expr| extent.clone() - 1.into();
    let low = at_least(&0.into(), &run.low) || needed.is_some_and(|n| at_least(&n.low, &run.low));
    let high = domain.iter().any(|extent| at_least(&run.high(), &last(extent)))
        || needed.is_some_and(|n| at_least(&run.high(), &n.high()));
    low && high
}
