//! Dependence analysis: decides whether two statement instances that access one element can run in the wrong order.
//!
//! Such a pair is a *clash*. The order of executions is lexicographic: first the loops around both, outermost first,
//! then program order. Iterations of a loop that run at once are unordered. Lanes in lockstep are compared last,
//! because each statement runs in all lanes before the next one does.
//!
//! Each case of "was before" together with each case of "is no longer certainly before" is one [`System`]. If all of
//! these are empty, there is no clash.

use super::system::{Answer, Budget, Point, System};
use crate::ir::affine::{Constraint, Expr};
use std::cmp::Ordering;

/// How the iterations of a loop are ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoopOrder {
    /// One after the other.
    Serial,
    /// In no order.
    Parallel,
    /// In lockstep.
    Lanes,
}

/// A loop around both executions, and the iteration of each.
#[derive(Clone, Debug)]
pub struct Level {
    pub kind: LoopOrder,
    pub first: Expr,
    pub second: Expr,
}

/// What orders two executions.
#[derive(Clone, Debug)]
pub struct ExecutionOrder {
    /// The loops around both, outermost first.
    pub levels: Vec<Level>,
    /// The thread numbers of both, axis by axis: executions of different threads are unordered. `None` if one of them
    /// is executed by all threads of an axis, and the other one by a single thread of it.
    pub threads: Option<Vec<(Expr, Expr)>>,
    /// A barrier may order executions of different threads.
    pub barrier: bool,
    /// Which one precedes the other in program order; `Equal` if they are executions of one statement.
    pub text: Ordering,
    /// For one statement in different lanes: true if the first one's access precedes the second one's.
    pub lockstep: bool,
}

/// Conditions that all hold.
pub type All = Vec<Constraint>;

/// `a` equals `b`.
pub fn equal(a: &Expr, b: &Expr) -> Constraint {
    Constraint::Zero((a.clone() - b.clone()).simplified())
}

/// `a` is less than `b`.
pub fn less(a: &Expr, b: &Expr) -> Constraint {
    Constraint::NonNegative((b.clone() - a.clone() - 1.into()).simplified())
}

/// The cases in which at least one of these pairs differs.
fn apart(pairs: &[(Expr, Expr)]) -> Vec<All> {
    pairs.iter().flat_map(|(a, b)| [vec![less(a, b)], vec![less(b, a)]]).collect()
}

impl ExecutionOrder {
    fn in_turn(&self) -> impl Iterator<Item = &Level> {
        self.levels.iter().filter(|level| level.kind != LoopOrder::Lanes)
    }

    fn lanes(&self) -> impl Iterator<Item = &Level> {
        self.levels.iter().filter(|level| level.kind == LoopOrder::Lanes)
    }

    /// The cases in which the first one precedes the second.
    pub fn before(&self) -> Vec<All> {
        let Some(threads) = &self.threads else {
            return if self.barrier { vec![vec![]] } else { vec![] };
        };
        let mut same: All = threads.iter().map(|(a, b)| equal(a, b)).collect();
        let mut ways = if self.barrier { apart(threads) } else { vec![] };
        for level in self.in_turn() {
            if level.kind == LoopOrder::Serial {
                ways.push([&same[..], &[less(&level.first, &level.second)]].concat());
            }
            same.push(equal(&level.first, &level.second));
        }
        match self.text {
            Ordering::Less => ways.push(same),
            Ordering::Equal if self.lockstep => ways.extend(self.lanes_apart(&same)),
            _ => {}
        }
        ways
    }

    /// The cases in which the first one does not certainly precede the second. If they `commute`, only those in which
    /// the two are unordered.
    pub fn not_before(&self, commute: bool) -> Vec<All> {
        let Some(threads) = &self.threads else { return vec![vec![]] };
        let mut ways = apart(threads);
        let mut same: All = threads.iter().map(|(a, b)| equal(a, b)).collect();
        for level in self.in_turn() {
            if level.kind == LoopOrder::Parallel {
                ways.push([&same[..], &[less(&level.first, &level.second)]].concat());
            }
            if level.kind == LoopOrder::Parallel || !commute {
                ways.push([&same[..], &[less(&level.second, &level.first)]].concat());
            }
            same.push(equal(&level.first, &level.second));
        }
        match self.text {
            Ordering::Greater if !commute => ways.push(same),
            Ordering::Equal if !self.lockstep => ways.extend(self.lanes_apart(&same)),
            _ => {}
        }
        ways
    }

    /// The cases of one iteration of all other loops, and different lanes.
    fn lanes_apart(&self, same: &[Constraint]) -> Vec<All> {
        let in_either_order =
            |level: &Level| [less(&level.first, &level.second), less(&level.second, &level.first)];
        let apart = self.lanes().flat_map(in_either_order);
        apart.map(|apart| [same, &[apart]].concat()).collect()
    }
}

/// Two accesses of two executions. They clash where the conditions of one case of each list hold.
#[derive(Clone, Debug)]
pub struct AccessPair {
    pub dims: usize,
    pub sizes: usize,
    /// The conditions under which both are executed.
    pub domain: All,
    /// The conditions under which they access one element.
    pub clash: All,
    /// The cases in which the first one was before the second.
    pub before: Vec<All>,
    /// The cases in which it is not certain that it still is.
    pub after: Vec<All>,
    /// The reason why a point does not prove a clash, if there is one.
    pub vague: Option<String>,
}

/// The answer to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Dependence {
    /// They never clash.
    Proved,
    /// They clash at this point; the conditions on sizes hold at each clash of this case.
    Refuted(Point, All),
    /// Why it could not be decided.
    Unknown(String),
}

impl AccessPair {
    fn system(&self, more: &[&All]) -> System {
        let conditions = [&[&self.domain, &self.clash], more].concat();
        let conditions = conditions.into_iter().flatten().cloned().collect();
        System { dims: self.dims, sizes: self.sizes, conditions }
    }

    /// Decides within a budget whether the two can clash.
    pub fn decide(&self, budget: &mut Budget) -> Dependence {
        if self.before.len() * self.after.len() > 1
            && self.system(&[]).solve_within(budget) == Answer::Empty
        {
            return Dependence::Proved;
        }
        let mut unknown = None;
        for before in &self.before {
            for after in &self.after {
                let system = self.system(&[before, after]);
                match (system.solve_within(budget), &self.vague) {
                    (Answer::Empty, _) => {}
                    (Answer::Point(point), None) => {
                        return Dependence::Refuted(point, system.on_sizes());
                    }
                    (Answer::Point(_), Some(why)) => unknown = Some(why.clone()),
                    (Answer::Unknown(why), _) => unknown = unknown.or(Some(why)),
                }
            }
        }
        match unknown {
            Some(why) => Dependence::Unknown(why),
            None => Dependence::Proved,
        }
    }
}
