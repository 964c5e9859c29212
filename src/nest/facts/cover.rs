//! Coverage of a block's domain: proves which box of instances the loops around a schedule block execute.
//!
//! Bindings of a block are mixed-radix numbers: `i.0 * 8 + i.1` takes all values from 0 on without a gap,
//! and `f floordiv n` and `f mod n` together take each combination once. If each iter uses loops of its
//! own, all points of the product run, except those that the predicate excludes because they are outside of
//! the domain.

use super::boxes::{Motion, at_least, motion_inside};
use super::region_cover;
use crate::analysis::mixed_radix::{self, Digit, chain, without_gap};
use crate::dialect::loop_enums::IterRole;
use crate::ir::affine::{Constraint, Expr, Linear};
use crate::nest::summary::{NodeId, NodeKind, Summary, Variable, VariableId, mentions};

/// The values of an iter: all values of `[start, start + count)` that are in its domain and less than each
/// of `below`.
#[derive(Clone, Debug)]
pub struct IterValues {
    pub start: Expr,
    pub count: Expr,
    pub below: Vec<Expr>,
}

/// The values of each iter of block `node` in one iteration of `parent`, if all combinations run; `None` if
/// this cannot be proved. A count may be 0.
pub fn counts(summary: &Summary, parent: NodeId, node: NodeId) -> Option<Vec<IterValues>> {
    counted(summary, parent, node, &|_| false)
}

/// As [`counts`], for the instances that initialize a reduction: of reduce iters only the first value is
/// considered.
pub fn started(summary: &Summary, parent: NodeId, node: NodeId) -> Option<Vec<IterValues>> {
    let block = summary.as_block(node)?;
    let is_reduced = |variable: VariableId| {
        let mut users =
            block.binding.iter().zip(&block.iters).filter(|(it, _)| mentions(it, variable));
        block.has_init
            && users.clone().count() == 1
            && users.all(|(it, iter)| *it == variable.expr() && iter.role == IterRole::Reduce)
    };
    counted(summary, parent, node, &is_reduced)
}

/// As [`counts`], with some loops at their first iteration.
fn counted(
    summary: &Summary,
    parent: NodeId,
    node: NodeId,
    is_at_start: &dyn Fn(VariableId) -> bool,
) -> Option<Vec<IterValues>> {
    let block = summary.as_block(node)?;
    for around in summary.ancestors(node).take_while(|n| *n != parent) {
        match &summary.nodes[around].kind {
            NodeKind::Loop(_) => {}
            NodeKind::Block(this) if this.predicate.is_empty() => {}
            _ => return None,
        }
    }
    let caps = conditions(summary, parent, node, is_at_start)?;
    let mut digits: Vec<Digit> = vec![];
    let mut sums = vec![];
    for bound in &block.binding {
        let linear = Linear::of(&summary.over_loops_under(parent, bound));
        let mut start = Linear { constant: linear.constant, ..Linear::default() };
        let mut terms = vec![];
        for (atom, coefficient) in linear.terms {
            match moving(summary, parent, &atom) {
                false => {
                    start.terms.insert(atom, coefficient);
                }
                true if matches!(atom, Expr::Dim(variable) if is_at_start(VariableId::of_dim(variable))) =>
                    {}
                true => {
                    let (weight, digit) = weighted(summary, parent, &atom, coefficient)?;
                    if digits.contains(&digit) {
                        return None;
                    }
                    digits.push(digit.clone());
                    terms.push((weight, digit));
                }
            }
        }
        sums.push((start.to_expr(), terms));
    }
    let (sizes, open) = extents(summary, (parent, node), &digits, &caps)?;
    check_repeated(summary, parent, node, &digits, is_at_start)?;
    let size_of = |digit: &Digit| {
        let place = digits.iter().position(|d| d == digit).expect("collected above");
        sizes[place].clone()
    };
    let count = |(start, terms): (Expr, Vec<(Expr, Digit)>)| {
        let is_open = |cap: &&Cap| terms.iter().any(|(_, digit)| digit.base == cap.of);
        let below: Vec<Expr> =
            open.iter().copied().filter(is_open).map(|cap| cap.limit.clone()).collect();
        // A value with a limit must be the iter itself.
        let is_plain = match &terms[..] {
            [(weight, digit)] => *weight == 1.into() && digit.is_base() && start == 0.into(),
            _ => false,
        };
        (below.is_empty() || is_plain).then_some(())?;
        let terms = terms.iter().map(|(weight, digit)| (weight.clone(), size_of(digit)));
        Some(IterValues { start, count: values_of_sum(terms.collect())?, below })
    };
    sums.into_iter().map(count).collect()
}

/// True if the loops inside `parent` provably reach all points of the domain of block `node`.
pub fn is_whole(summary: &Summary, parent: NodeId, node: NodeId) -> bool {
    let Some(counts) = counts(summary, parent, node) else { return false };
    let block = summary.as_block(node).expect("a block");
    counts.iter().zip(&block.iters).all(|(count, iter)| {
        let reaches =
            |bound: &Expr| iter.domain.iter().any(|domain| at_least(summary, bound, domain));
        count.start.constant() == Some(0)
            && reaches(&count.count)
            && count.below.iter().all(reaches)
    })
}

/// A condition `of < limit`.
struct Cap {
    of: Expr,
    limit: Expr,
}

/// The conditions of a block's predicate that are not on iters, with some loops at their first iteration.
/// Each must be an upper limit of a sum of loops. Conditions that only keep an iter in its domain are
/// skipped.
fn conditions(
    summary: &Summary,
    parent: NodeId,
    node: NodeId,
    is_at_start: &dyn Fn(VariableId) -> bool,
) -> Option<Vec<Cap>> {
    let block = summary.as_block(node)?;
    let bound: Vec<Expr> =
        block.binding.iter().map(|e| summary.over_loops_under(parent, e)).collect();
    let mut caps = vec![];
    for constraint in &block.predicate {
        let Constraint::NonNegative(expr) = constraint else { return None };
        let expr = summary.over_loops_under(parent, expr);
        let keeps_domain = block.iters.iter().zip(&bound).any(|(iter, bound)| {
            iter.domain.iter().any(|domain| {
                region_cover::is_beyond(summary, &expr, &(bound.clone() - domain.clone()))
            })
        });
        if keeps_domain {
            continue;
        }
        let mut limit = Linear::of(&expr);
        let mut of = Linear::default();
        for (atom, coefficient) in limit.terms.clone() {
            if moving(summary, parent, &atom) {
                limit.terms.remove(&atom);
                let coefficient = coefficient.checked_neg()?;
                match atom {
                    // At the start the variable is 0, the least value of the term.
                    Expr::Dim(variable)
                        if is_at_start(VariableId::of_dim(variable)) && coefficient > 0 => {}
                    atom => drop(of.terms.insert(atom, coefficient)),
                }
            }
        }
        let of = of.to_expr();
        if !summary.never_negative(&(limit.to_expr() - of.clone())) {
            caps.push(Cap { of, limit: (limit.to_expr() + 1.into()).simplified() });
        }
    }
    Some(caps)
}

fn moving(summary: &Summary, parent: NodeId, expr: &Expr) -> bool {
    let mut found = false;
    expr.visit_leaves(&mut |leaf| {
        if let Expr::Dim(variable) = leaf {
            found |= !matches!(
                motion_inside(summary, parent, VariableId::of_dim(*variable)),
                Motion::Still
            );
        }
    });
    found
}

/// A term as a fixed weight times a digit.
fn weighted(
    summary: &Summary,
    parent: NodeId,
    atom: &Expr,
    coefficient: i64,
) -> Option<(Expr, Digit)> {
    let is_moving = |factor: &Expr| moving(summary, parent, factor);
    let (digits, weight) = mixed_radix::weighted(atom, coefficient, is_moving);
    let [digit] = &digits[..] else { return None };
    // Products of sizes are positive whenever the loops run at all.
    coefficient.is_positive().then_some(())?;
    Some((weight, Digit::of(digit)?))
}

/// The extent of each digit, if all combinations occur: the digits of one number must cover it, and
/// different numbers must use different loops. Also returns the limits that a number may or may not reach.
fn extents<'c>(
    summary: &Summary,
    (parent, node): (NodeId, NodeId),
    digits: &[Digit],
    caps: &'c [Cap],
) -> Option<(Vec<Expr>, Vec<&'c Cap>)> {
    let mut used: Vec<VariableId> = vec![];
    let mut numbers: Vec<Expr> = vec![];
    let mut sizes = vec![Expr::Constant(0); digits.len()];
    let mut open = vec![];
    for digit in digits {
        if numbers.contains(&digit.base) {
            continue;
        }
        numbers.push(digit.base.clone());
        let mut shared = false;
        digit.base.visit_leaves(&mut |leaf| {
            if let Expr::Dim(dim) = leaf {
                let variable = VariableId::of_dim(*dim);
                shared |= used.contains(&variable);
                used.push(variable);
            }
        });
        if shared {
            return None;
        }
        let mut values = numbers_of(summary, (parent, node), &digit.base)?;
        if let Some(cap) = caps.iter().find(|cap| cap.of == digit.base) {
            match at_least(summary, &values, &cap.limit) {
                true => values = cap.limit.clone(),
                false => open.push(cap),
            }
        }
        let places: Vec<usize> =
            (0..digits.len()).filter(|i| digits[*i].base == digit.base).collect();
        let of_number: Vec<&Digit> = places.iter().map(|i| &digits[*i]).collect();
        let mut is_whole = false;
        for (i, _) in chain(&of_number) {
            let Digit { divisor, modulus, .. } = of_number[i];
            let left = values.exact_quotient(divisor)?;
            let rest = match modulus {
                None => 1.into(),
                Some(modulus) => left.exact_quotient(modulus)?,
            };
            sizes[places[i]] = modulus.clone().unwrap_or(left);
            is_whole = rest.constant() == Some(1);
            if is_whole {
                break;
            }
        }
        is_whole.then_some(())?;
    }
    // Each digit must be part of the chain of its number, and each condition must be on one of the numbers.
    let is_met = sizes.iter().all(|size| size.constant() != Some(0));
    let are_known = caps.iter().all(|cap| numbers.contains(&cap.of));
    (is_met && are_known).then_some((sizes, open))
}

/// The number of values, from 0 on, of a sum of loops.
fn numbers_of(summary: &Summary, (parent, node): (NodeId, NodeId), expr: &Expr) -> Option<Expr> {
    let linear = Linear::of(expr);
    if linear.constant != 0 {
        return None;
    }
    let mut terms = vec![];
    for (atom, coefficient) in &linear.terms {
        let (weight, digit) = weighted(summary, parent, atom, *coefficient)?;
        digit.is_base().then_some(())?;
        let Expr::Dim(variable) = digit.base else { return None };
        terms.push((weight, extent_of(summary, (parent, node), VariableId::of_dim(variable))?));
    }
    values_of_sum(terms)
}

/// The number of values of a loop, as far as the domains of block `node`'s iters allow.
fn extent_of(
    summary: &Summary,
    (parent, node): (NodeId, NodeId),
    variable: VariableId,
) -> Option<Expr> {
    let Variable::Loop(around) = summary.variables[variable] else {
        return None;
    };
    let this = summary.as_loop(around)?;
    let block = summary.as_block(node)?;
    let mut bound = block.binding.iter().zip(&block.iters).filter(|(it, _)| mentions(it, variable));
    let is_of_domain = bound.all(|(it, iter)| {
        *it == variable.expr() && this.extent.iter().all(|bound| iter.domain.contains(bound))
    });
    let extent = match &this.extent[..] {
        [extent] => extent,
        // With several bounds, the iter's domain contains the omitted ones.
        [extent, ..] if is_of_domain => extent,
        _ => return None,
    };
    (!moving(summary, parent, extent)).then(|| extent.simplified())
}

/// The number of values of a sum of digits, given each digit's weight and extent, if the sum has no gap.
fn values_of_sum(terms: Vec<(Expr, Expr)>) -> Option<Expr> {
    without_gap(terms, |(weight, size), below| {
        let is_below =
            weight.constant().zip(below.constant()).is_some_and(|(w, b)| w >= 1 && w <= b);
        // A digit without values would leave none for the sum.
        is_below && size.constant().is_some_and(i64::is_positive)
    })
}

/// Checks that loops without a digit run at least once, except those at their first iteration.
fn check_repeated(
    summary: &Summary,
    parent: NodeId,
    node: NodeId,
    digits: &[Digit],
    is_at_start: &dyn Fn(VariableId) -> bool,
) -> Option<()> {
    for around in summary.loops_around(node).filter(|n| summary.is_under(*n, parent)) {
        let this = summary.as_loop(around)?;
        let counts = digits.iter().any(|d| mentions(&d.base, this.variable));
        let runs = this.constant_extent().is_some_and(|extent| extent >= 1);
        if !counts && !runs && !is_at_start(this.variable) {
            return None;
        }
    }
    Some(())
}
