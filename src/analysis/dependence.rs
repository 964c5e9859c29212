//! Can two instances of statements clash: touch one cell, and come in another order than they should?
//!
//! The order of executions is lexicographic: the loops around both, from the outside to the inside, then the
//! text. Loops whose iterations run at once leave what differs in them without order; lanes in lockstep
//! differ last, as each statement runs in all of them before the next one does.
//!
//! Each alternative of "was before" with each of "is not before any more" is one [`System`]: if all of
//! them are empty, nothing clashes.

use super::system::{Answer, Budget, Point, System};
use crate::ir::affine::{Constraint, Expr};
use std::cmp::Ordering;

/// How the iterations of a loop follow one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One after the other.
    Serial,
    /// In no order.
    Parallel,
    /// In lockstep.
    Lanes,
}

/// A loop around both executions, and where they stand in it.
#[derive(Clone, Debug)]
pub struct Level {
    pub kind: Kind,
    pub first: Expr,
    pub second: Expr,
}

/// What orders two executions.
#[derive(Clone, Debug)]
pub struct Order {
    /// The loops around both, outermost first.
    pub levels: Vec<Level>,
    /// The numbers of their threads, axis by axis: executions of different threads have no order. `None` if
    /// one of them is executed by all threads of an axis and the other one by one of them.
    pub threads: Option<Vec<(Expr, Expr)>>,
    /// A barrier may order executions of different threads.
    pub barrier: bool,
    /// Which of them stands first in the text; equal, if they are executions of one statement.
    pub text: Ordering,
    /// In one statement in different lanes: does the first one's access come before the second one's?
    pub lockstep: bool,
}

/// Conditions that all hold.
pub type All = Vec<Constraint>;

/// Both are the same.
pub fn equal(a: &Expr, b: &Expr) -> Constraint {
    Constraint::Zero((a.clone() - b.clone()).simplified())
}

/// The first is less.
pub fn less(a: &Expr, b: &Expr) -> Constraint {
    Constraint::NonNegative((b.clone() - a.clone() - 1.into()).simplified())
}

/// The ways in which one of these pairs differs.
fn apart(pairs: &[(Expr, Expr)]) -> Vec<All> {
    pairs.iter().flat_map(|(a, b)| [vec![less(a, b)], vec![less(b, a)]]).collect()
}

impl Order {
    fn in_turn(&self) -> impl Iterator<Item = &Level> {
        self.levels.iter().filter(|level| level.kind != Kind::Lanes)
    }

    fn lanes(&self) -> impl Iterator<Item = &Level> {
        self.levels.iter().filter(|level| level.kind == Kind::Lanes)
    }

    /// The ways in which the first one comes before the second.
    pub fn before(&self) -> Vec<All> {
        let Some(threads) = &self.threads else {
            return if self.barrier { vec![vec![]] } else { vec![] };
        };
        let mut same: All = threads.iter().map(|(a, b)| equal(a, b)).collect();
        let mut ways = if self.barrier { apart(threads) } else { vec![] };
        for level in self.in_turn() {
            if level.kind == Kind::Serial {
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

    /// The ways in which it is not certain that the first one comes before the second. If they `commute`,
    /// only those in which nothing orders the two.
    pub fn not_before(&self, commute: bool) -> Vec<All> {
        let Some(threads) = &self.threads else { return vec![vec![]] };
        let mut ways = apart(threads);
        let mut same: All = threads.iter().map(|(a, b)| equal(a, b)).collect();
        for level in self.in_turn() {
            if level.kind == Kind::Parallel {
                ways.push([&same[..], &[less(&level.first, &level.second)]].concat());
            }
            if level.kind == Kind::Parallel || !commute {
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

    /// In one iteration of all other loops, and in different lanes.
    fn lanes_apart(&self, same: &[Constraint]) -> Vec<All> {
        let in_either_order =
            |level: &Level| [less(&level.first, &level.second), less(&level.second, &level.first)];
        let apart = self.lanes().flat_map(in_either_order);
        apart.map(|apart| [same, &[apart]].concat()).collect()
    }
}

/// Two accesses of two executions. They clash where the conditions of one way of each list hold.
#[derive(Clone, Debug)]
pub struct Question {
    pub dims: usize,
    pub sizes: usize,
    /// Both are executed.
    pub domain: All,
    /// They touch one cell.
    pub clash: All,
    /// The ways in which the first one was before the second.
    pub before: Vec<All>,
    /// The ways in which it is not certain that it still is.
    pub after: Vec<All>,
    /// Why a point is no proof of a clash, if it is none.
    pub vague: Option<String>,
}

/// What became of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// They never clash.
    Proved,
    /// They clash at this point.
    Refuted(Point, All),
    /// Why it could not be decided.
    Unknown(String),
}

impl Question {
    fn system(&self, more: &[&All]) -> System {
        let conditions = [&[&self.domain, &self.clash], more].concat();
        let conditions = conditions.into_iter().flatten().cloned().collect();
        System { dims: self.dims, sizes: self.sizes, conditions }
    }

    /// Can the two clash? Decided within a budget.
    pub fn decide(&self, budget: &mut Budget) -> Outcome {
        if self.before.len() * self.after.len() > 1
            && self.system(&[]).solve_within(budget) == Answer::Empty
        {
            return Outcome::Proved;
        }
        let mut unknown = None;
        for before in &self.before {
            for after in &self.after {
                let system = self.system(&[before, after]);
                match (system.solve_within(budget), &self.vague) {
                    (Answer::Empty, _) => {}
                    (Answer::Point(point), None) => {
                        return Outcome::Refuted(point, system.on_sizes());
                    }
                    (Answer::Point(_), Some(why)) => unknown = Some(why.clone()),
                    (Answer::Unknown(why), _) => unknown = unknown.or(Some(why)),
                }
            }
        }
        match unknown {
            Some(why) => Outcome::Unknown(why),
            None => Outcome::Proved,
        }
    }
}
