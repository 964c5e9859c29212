//! Legality of storage folding: elements whose index in one dimension is equal modulo a number share
//! storage.
//!
//! ```text
//! T[i]  ->  T[i mod 3]
//! ```
//! A read must find the value last written to its own element, not to one that shares its storage. That
//! holds if writes traverse the dimension in one direction and not faster than reads:
//! - a write ahead of a read that shares its storage comes after the read,
//! - of two writes that share storage, the one behind comes first.
//!
//! Then no other write comes between a read and the write to its element: a write ahead would be too early,
//! a write behind too late. Each condition is a question about two accesses and their order, as in
//! [`dependence`](crate::analysis::dependence). Both directions are tried.

use super::worse;
use crate::analysis::dependence::{AccessPair, All, Dependence, equal, less};
use crate::analysis::system::Budget;
use crate::ir::affine::{Constraint, Expr};
use crate::nest::facts::scope;
use crate::nest::summary::{Access, BufferId, NodeId, Summary, VariableId};
use crate::schedule::legality::execution;
use crate::schedule::legality::execution::Execution;
use crate::schedule::legality::obligation::Obligation;
use crate::schedule::verdict::Verdict;
use std::collections::BTreeMap;

/// A dimension of a buffer whose indices are taken modulo a size.
#[derive(Clone, Copy, Debug)]
pub struct Fold {
    pub buffer: BufferId,
    pub dim: usize,
    pub size: i64,
}

/// An access: its schedule block, and its index among the accesses of that block.
type At<'s> = (NodeId, usize, &'s Access);

/// Proves that each read still finds the value written to its own element.
pub fn check_folded(summary: &Summary, fold: Fold) -> Verdict {
    let mut accesses: Vec<At> = vec![];
    for (node, block) in summary.blocks() {
        let of_buffer = block.accesses().iter().enumerate();
        let of_buffer = of_buffer.filter(|(_, access)| access.buffer == fold.buffer);
        accesses.extend(of_buffer.map(|(i, access)| (node, i, access)));
    }
    let ahead = check_direction(summary, fold, &accesses, true);
    match ahead {
        Verdict::Proved => ahead,
        _ if check_direction(summary, fold, &accesses, false) == Verdict::Proved => Verdict::Proved,
        _ => ahead,
    }
}

fn check_direction(summary: &Summary, fold: Fold, accesses: &[At], is_rising: bool) -> Verdict {
    let (mut verdict, mut budget) = (Verdict::Proved, Obligation::of("folded"));
    let writes = || accesses.iter().filter(|(_, _, access)| access.is_write);
    for first in accesses {
        for second in writes() {
            // The second access is the one ahead: a write that must follow a read, or a write that must
            // follow a write.
            let question = OrderedPair { summary, fold, first, second, is_rising };
            verdict = worse(verdict, question.check(&mut budget));
            if verdict != Verdict::Proved {
                return budget.end(verdict);
            }
        }
    }
    budget.end(verdict)
}

/// Two accesses of which the first must precede the second: a read and a write ahead of it, or two writes
/// of which the second is ahead.
struct OrderedPair<'a> {
    summary: &'a Summary,
    fold: Fold,
    first: &'a At<'a>,
    second: &'a At<'a>,
    is_rising: bool,
}

impl OrderedPair<'_> {
    fn check(&self, budget: &mut Budget) -> Verdict {
        let (summary, Fold { buffer, dim, size }) = (self.summary, self.fold);
        let ((a, i, x), (b, j, y)) = (*self.first, *self.second);
        let mut next = 0;
        let one = Execution::new(summary, a, &mut next, &BTreeMap::new());
        let own = owners(summary, buffer, a);
        let shared = one.dims().iter().filter(|(variable, _)| own.contains(variable));
        let shared = shared.map(|(variable, dim)| (*variable, *dim)).collect();
        let other = Execution::new(summary, b, &mut next, &shared);
        let (one, other) = (one.accessing(x), other.accessing(y));
        let mut domain = one.conditions(x.in_init).0;
        domain.extend(other.conditions(y.in_init).0);
        let mut clash = vec![];
        for (d, (from, to)) in one.cell(x).into_iter().zip(other.cell(y)).enumerate() {
            let (Some(from), Some(to)) = (from, to) else {
                if d == dim {
                    return Verdict::Unknown("an index depends on data".into());
                }
                continue;
            };
            if d != dim {
                clash.push(equal(&from, &to));
                continue;
            }
            let distance = if self.is_rising { to - from } else { from - to };
            clash.push(less(&Expr::from(size - 1), &distance));
            clash.push(Constraint::Zero(distance.modulo(size.into()).simplified()));
        }
        let lockstep = a == b && i < j;
        let mut wrong = execution::order(&one, &other, lockstep).not_before(false);
        if a == b && i >= j {
            // In the same execution, by the order in the body.
            let same = |node: &NodeId| equal(&one.variable(*node), &other.variable(*node));
            wrong.push(one.loops().iter().map(same).collect::<All>());
        }
        let question = AccessPair {
            dims: next,
            sizes: summary.sizes.len(),
            domain,
            clash,
            before: vec![vec![]],
            after: wrong,
            // A conflict is no refutation, because the overwritten value may not be read any more.
            vague: Some(self.described()),
        };
        match question.decide(budget) {
            Dependence::Proved => Verdict::Proved,
            Dependence::Refuted(..) => Verdict::Unknown(self.described()),
            Dependence::Unknown(why) => Verdict::Unknown(why),
        }
    }

    fn described(&self) -> String {
        let name = |node: NodeId| self.summary.as_block(node).expect("a block").name.clone();
        let (first, second) = (name(self.first.0), name(self.second.0));
        match self.first.2.is_write {
            true => format!(
                "\"{second}\" may write to the place before \"{first}\" writes the earlier row to it"
            ),
            false => {
                format!("\"{second}\" may write to the place before \"{first}\" has read it")
            }
        }
    }
}

/// The variables of the loops around a block whose iterations each own an instance of the buffer.
fn owners(summary: &Summary, buffer: BufferId, node: NodeId) -> Vec<VariableId> {
    let Some(scope) = summary.buffers[buffer].scope else { return vec![] };
    let loops = summary.loops_around(node).filter_map(|node| summary.as_loop(node));
    let own = loops.filter(|this| scope::is_owner(scope, this));
    own.map(|this| this.variable).collect()
}
