//! Tie breaking in argmax-style reductions: whether keeping the least index gives the same result as
//! keeping the first of equal values.
//!
//! `argmax` and `argmin` keep the first of equal values, so they can be neither reordered nor split, unless
//! ties are broken by the index. [`break_ties`](crate::dialect::reducer::arg_update::break_ties) rewrites a
//! body to do that. The result is the same if
//! - values are selected by a comparison alone, which is false for NaN
//! - of two instances of one point the later one has the greater index, without overflow of the index type
//! - the initial index is a constant that is not above the index of any instance. Then a value equal to the
//!   initial value is not selected, as before. For partial results, each of which keeps its own first
//!   value, it is enough that the initial value is the identity: a partial result equals it only if it has
//!   seen no other value

use super::execution::{self, Execution};
use super::obligation::Obligation;
use crate::analysis::dependence::{AccessPair, All, Dependence, equal};
use crate::analysis::system::Point;
use crate::dialect::loop_enums::IterRole;
use crate::ir::affine::{Constraint, Expr};
use crate::nest::summary::{Block, NodeId, NodeKind, Summary};
use crate::schedule::verdict::{Instance, Verdict, Witness};
use std::collections::BTreeMap;

/// The values among which ties are broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TiedValues {
    /// All values of a reduction.
    Values,
    /// Partial results.
    Partials,
}

/// Proves that a block computes the same if it keeps, of equal values, the one with the least index.
///
/// # Errors
/// If the block does not have the required form; the text says why.
pub fn may_break_ties(
    summary: &Summary,
    id: NodeId,
    among: TiedValues,
) -> Result<Verdict, &'static str> {
    let block = summary.as_block(id).expect("a block");
    let Some(update) = block.arg_reduction.as_ref() else {
        return Err("it is not an argmax-style reduction");
    };
    if update.breaks_ties {
        return Ok(Verdict::Proved);
    }
    if !update.by_comparison {
        return Err("it does not select values by a comparison that is false for NaN");
    }
    let Some(index) = &update.index else {
        return Err("its index is not an expression over its iters");
    };
    let starts_below_all = among == TiedValues::Partials && update.starts_at_identity;
    if update.start.is_none() && !starts_below_all {
        return Err("no 'loop.init' gives its index a number as start value");
    }
    let mut next = 0;
    let x = Execution::new(summary, id, &mut next, &BTreeMap::new());
    let y = Execution::new(summary, id, &mut next, &BTreeMap::new());
    let (mut domain, exact) = x.conditions(false);
    let vague = exact.err();
    let place = x.expr(index);
    let dims = next;
    let question = |domain: &All, clash: All, before: Vec<All>| AccessPair {
        dims,
        sizes: summary.sizes.len(),
        domain: domain.clone(),
        clash,
        before,
        after: vec![vec![]],
        vague: vague.clone(),
    };
    let mut budget = Obligation::of("ties");
    let not_negative = |e: Expr| Constraint::NonNegative(e.simplified());
    let mut never =
        |condition| question(&domain, vec![condition], vec![vec![]]).decide(&mut budget);
    if let Some(start) = update.start.filter(|_| !starts_below_all) {
        match never(not_negative(Expr::from(start) - place.clone() - 1.into())) {
            Dependence::Proved => {}
            Dependence::Refuted(..) => return Err("its index may be below its start value"),
            Dependence::Unknown(why) => return Ok(budget.end(Verdict::Unknown(why))),
        }
    }
    if update.index_bits < 64 {
        let limit = 1i64 << (update.index_bits - 1);
        let too_large = not_negative(place.clone() - limit.into());
        let too_small = not_negative(Expr::from(-limit - 1) - place.clone());
        if [too_large, too_small].into_iter().any(|c| never(c) != Dependence::Proved) {
            let bits = update.index_bits;
            let why = format!("its index may not fit into {bits} bits");
            return Ok(budget.end(Verdict::Unknown(why)));
        }
    }
    domain.extend(y.conditions(false).0);
    let mut clash: All = x
        .iters()
        .iter()
        .zip(y.iters())
        .zip(&block.iters)
        .filter(|(_, iter)| iter.role != IterRole::Reduce)
        .map(|((a, b), _)| equal(a, &b))
        .collect();
    clash.push(Constraint::NonNegative((place - y.expr(index)).simplified()));
    let before = execution::order(&x, &y, false).before();
    let verdict = match question(&domain, clash, before).decide(&mut budget) {
        Dependence::Proved => Verdict::Proved,
        Dependence::Refuted(point, when) => match witness(block, &x, &y, &point) {
            Some(witness) => Verdict::Refuted(Box::new(Witness { when, ..witness })),
            None => Verdict::Unknown("a number is too large".into()),
        },
        Dependence::Unknown(why) => Verdict::Unknown(why),
    };
    Ok(budget.end(verdict))
}

/// Two ordered instances of a point, of which the first has an index that is not smaller.
fn witness(block: &Block, x: &Execution, y: &Execution, point: &Point) -> Option<Witness> {
    let summary = x.summary;
    let instance = |execution: &Execution| {
        let of = |node: &NodeId| {
            let value = execution.variable(*node).evaluate(&point.dims, &point.sizes)?;
            Some((summary.as_loop(*node)?.name.clone(), value))
        };
        let loops = execution.loops().iter().map(of).collect::<Option<_>>()?;
        Some(Instance { block: block.name.clone(), loops, writes: true })
    };
    let store = block.stores().filter(|store| !store.in_init).nth(1)?;
    let value = |index: &Option<Expr>| index.as_ref()?.evaluate(&point.dims, &point.sizes);
    let named = |(name, value): (&String, &i64)| (name.clone(), *value);
    Some(Witness {
        first: instance(x)?,
        second: instance(y)?,
        buffer: summary.buffers[store.buffer].name.clone(),
        cell: x.cell(store).iter().map(value).collect::<Option<_>>()?,
        sizes: summary.size_names.iter().zip(&point.sizes).map(named).collect(),
        when: vec![],
        size_names: summary.size_names.clone(),
    })
}

/// A copy of the summary in which a block breaks ties.
pub fn with_ties_broken(summary: &Summary, id: NodeId) -> Summary {
    let mut after = summary.clone();
    if let NodeKind::Block(block) = &mut after.nodes[id].kind
        && let Some(update) = &mut block.arg_reduction
    {
        update.breaks_ties = true;
    }
    after
}
