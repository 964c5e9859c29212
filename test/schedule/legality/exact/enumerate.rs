//! Enumerates all executions of a nest for given sizes, and the conflicting pairs, by definition.

use crate::nest::Nest;
use loopwright::dialect::loop_enums::{Combiner, IterRole, LoopKind};
use loopwright::ir::affine::Constraint;
use loopwright::nest::facts::cross_thread_reduction;
use loopwright::nest::summary::{Access, Block, BufferId, NodeId, NodeKind, Summary};
use loopwright::schedule::verdict::{Instance, Witness};
use std::cmp::Ordering;
use std::collections::HashMap;

/// A position on the path to an execution.
#[derive(Clone, Debug, PartialEq)]
enum Step {
    Child(usize),
    Iteration { node: NodeId, value: i64 },
}

/// An execution of a block.
struct Execution<'a> {
    block: &'a Block,
    path: Vec<Step>,
    /// The values of all loop variables and iters.
    values: Vec<i64>,
    /// The loops around it, outermost first.
    loops: Vec<(NodeId, i64)>,
}

fn executions<'a>(summary: &'a Summary, sizes: &[i64]) -> Vec<Execution<'a>> {
    let mut found = vec![];
    let start = vec![0; summary.variables.len()];
    visit(summary, NodeId::FUNCTION, sizes, &mut vec![], start, &mut found);
    found
}

fn visit<'a>(
    summary: &'a Summary,
    node: NodeId,
    sizes: &[i64],
    path: &mut Vec<Step>,
    mut values: Vec<i64>,
    found: &mut Vec<Execution<'a>>,
) {
    let children = |path: &mut Vec<Step>, values: &Vec<i64>, found: &mut Vec<Execution<'a>>| {
        for (place, child) in summary.nodes[node].children.iter().enumerate() {
            path.push(Step::Child(place));
            visit(summary, *child, sizes, path, values.clone(), found);
            path.pop();
        }
    };
    match &summary.nodes[node].kind {
        NodeKind::Loop(this) => {
            // A quotient by a size of 0 has no value: nothing is executed.
            let extents = this.extent.iter().map(|e| e.evaluate(&values, sizes).unwrap_or(0));
            for value in 0..extents.min().expect("an extent") {
                values[this.variable.index()] = value;
                path.push(Step::Iteration { node, value });
                children(path, &values, found);
                path.pop();
            }
        }
        NodeKind::Block(block) => {
            let holds = |c: &Constraint| match c {
                Constraint::NonNegative(e) => {
                    e.evaluate(&values, sizes).expect("it has a value") >= 0
                }
                Constraint::Zero(e) => e.evaluate(&values, sizes) == Some(0),
            };
            if block.predicate.iter().all(holds) {
                for (iter, bound) in block.iters.iter().zip(&block.binding) {
                    values[iter.variable.index()] =
                        bound.evaluate(&values, sizes).expect("it has a value");
                }
                let loops = path.iter().filter_map(|step| match step {
                    Step::Iteration { node, value } => Some((*node, *value)),
                    Step::Child(_) => None,
                });
                found.push(Execution { block, path: path.clone(), loops: loops.collect(), values });
            }
        }
        _ => children(path, &values, found),
    }
}

impl Execution<'_> {
    /// True if the access is executed.
    fn does(&self, access: &Access) -> bool {
        let is_start = |i: &loopwright::nest::summary::Iter| {
            i.role != IterRole::Reduce || self.values[i.variable.index()] == 0
        };
        !access.in_init || self.block.iters.iter().all(is_start)
    }

    /// The indices of the access; `None` if they depend on data or the access may not happen.
    fn cell(&self, access: &Access, sizes: &[i64]) -> Option<Vec<i64>> {
        if access.is_conditional {
            return None;
        }
        access.indices.iter().map(|e| e.as_ref()?.evaluate(&self.values, sizes)).collect()
    }

    fn instance(&self, summary: &Summary, access: &Access) -> Instance {
        let name = |node: NodeId| summary.as_loop(node).expect("a loop").name.clone();
        Instance {
            block: self.block.name.clone(),
            loops: self.loops.iter().map(|(node, value)| (name(*node), *value)).collect(),
            writes: access.is_write,
        }
    }
}

/// The order of two accesses of different executions; `None` if they are unordered.
fn order(
    summary: &Summary,
    (a, i): (&Execution, usize),
    (b, j): (&Execution, usize),
    both_write: bool,
) -> Option<Ordering> {
    // The update of a cross-thread reduction is one statement, outside of the loops over threads.
    let outside = |e: &Execution, i: usize| -> Vec<NodeId> {
        let (id, block) = summary
            .blocks()
            .find(|(_, block)| std::ptr::eq(*block, e.block))
            .expect("the block is of the summary");
        match cross_thread_reduction::is_update(summary, id, &block.accesses()[i]) {
            true => cross_thread_reduction::loops(summary, id),
            false => vec![],
        }
    };
    let (of_a, of_b) = (outside(a, i), outside(b, j));
    let threads = |e: &Execution, outside: &[NodeId]| -> Vec<i64> {
        let is_thread = |n: &NodeId| {
            summary.as_loop(*n).is_some_and(|l| l.thread.is_some()) && !outside.contains(n)
        };
        e.loops.iter().filter(|(node, _)| is_thread(node)).map(|(_, value)| *value).collect()
    };
    if threads(a, &of_a) != threads(b, &of_b) {
        return None;
    }
    let is_shared =
        |n: &NodeId| a.loops.iter().chain(&b.loops).filter(|(m, _)| m == n).count() == 2;
    if !std::ptr::eq(a.block, b.block) && of_a.iter().chain(&of_b).any(is_shared) {
        return None; // The two alternate in a loop.
    }
    let mut lanes_differ = false;
    for (x, y) in a.path.iter().zip(&b.path) {
        match (x, y) {
            (Step::Child(x), Step::Child(y)) if x != y => return Some(x.cmp(y)),
            (Step::Iteration { node, value: x }, Step::Iteration { value: y, .. }) if x != y => {
                match summary.as_loop(*node).expect("a loop").kind {
                    LoopKind::Parallel => return None,
                    LoopKind::Vectorize => lanes_differ = true,
                    _ => return Some(x.cmp(y)),
                }
            }
            _ => {}
        }
    }
    assert!(lanes_differ, "executions differ somewhere");
    // Statement by statement: accesses of a body, each in all lanes; no two lanes write one element.
    (i != j && !both_write).then(|| i.cmp(&j))
}

/// True if both may run in any order, because they update one element of a reduction.
fn commute(a: &Execution, x: &Access, b: &Execution, y: &Access) -> bool {
    let store = a.block.accesses().last().expect("a block stores");
    let is_update = |access: &Access| {
        !access.in_init && access.indices == store.indices && access.buffer == store.buffer
    };
    a.block.name == b.block.name
        && a.block.reducer.as_ref().is_some_and(|r| r != &[Combiner::Ordered])
        && is_update(x)
        && is_update(y)
}

type Cells<'e> = HashMap<(BufferId, Vec<i64>), Vec<(usize, usize)>>;

/// For each element, the executions that access it, with their accesses.
fn cells<'e>(executions: &[Execution], sizes: &[i64]) -> Cells<'e> {
    let mut cells = Cells::new();
    for (n, execution) in executions.iter().enumerate() {
        for (i, access) in execution.block.accesses().iter().enumerate() {
            if execution.does(access)
                && let Some(cell) = execution.cell(access, sizes)
            {
                cells.entry((access.buffer, cell)).or_default().push((n, i));
            }
        }
    }
    cells
}

/// All pairs of accesses to one element by different executions, at least one of which writes, that fulfil a
/// condition.
fn pairs(
    summary: &Summary,
    executions: &[Execution],
    sizes: &[i64],
    is_clash: &dyn Fn((usize, usize), (usize, usize)) -> bool,
) -> Vec<Witness> {
    let mut found = vec![];
    for ((buffer, cell), accesses) in cells(executions, sizes) {
        for first in &accesses {
            for second in &accesses {
                let access = |(n, i): (usize, usize)| &executions[n].block.accesses()[i];
                let (x, y) = (access(*first), access(*second));
                if first.0 != second.0 && (x.is_write || y.is_write) && is_clash(*first, *second) {
                    found.push(Witness {
                        first: executions[first.0].instance(summary, x),
                        second: executions[second.0].instance(summary, y),
                        buffer: summary.buffers[buffer].name.clone(),
                        cell: cell.clone(),
                        sizes: vec![("s0".into(), sizes[0]), ("s1".into(), sizes[1])],
                        when: vec![],
                        size_names: vec![],
                    });
                }
            }
        }
    }
    found
}

/// The pairs whose order changes.
pub fn clashes_at(nest: &Nest, sizes: &[i64]) -> Vec<Witness> {
    let (old, new) = (executions(&nest.before, sizes), executions(&nest.after, sizes));
    if new.len() != old.len() && sizes.contains(&0) {
        // A loop that is split by a size of 0.
        return vec![];
    }
    let key = |e: &Execution| {
        let numbers: Vec<i64> = match nest.same_loops {
            // The variables of loops have the same numbers.
            true => e.values.clone(),
            false => e.block.iters.iter().map(|iter| e.values[iter.variable.index()]).collect(),
        };
        (e.block.name.clone(), numbers)
    };
    let places: HashMap<_, usize> = new.iter().enumerate().map(|(n, e)| (key(e), n)).collect();
    assert_eq!(places.len(), old.len(), "each instance is executed once");
    let later: Vec<usize> = old.iter().map(|e| places[&key(e)]).collect();
    pairs(&nest.before, &old, sizes, &|(n, i), (m, j)| {
        let (x, y) = (&old[n].block.accesses()[i], &old[m].block.accesses()[j]);
        let both_write = x.is_write && y.is_write;
        let was = order(&nest.before, (&old[n], i), (&old[m], j), false);
        let is = order(&nest.after, (&new[later[n]], i), (&new[later[m]], j), both_write);
        was == Some(Ordering::Less)
            && match commute(&old[n], x, &old[m], y) {
                true => is.is_none(),
                false => is != Some(Ordering::Less),
            }
    })
}

/// The pairs of different iterations of a loop, in one iteration of the loops around it. The lanes of a vectorized
/// loop are at the same iteration of inner loops at the same time.
pub fn concurrent_at(summary: &Summary, node: NodeId, sizes: &[i64]) -> Vec<Witness> {
    let all = executions(summary, sizes);
    let at = |e: &Execution| e.loops.iter().position(|(n, _)| *n == node);
    pairs(summary, &all, sizes, &|(n, _), (m, _)| {
        let (Some(p), Some(q)) = (at(&all[n]), at(&all[m])) else { return false };
        let is_lane = |node: NodeId| {
            summary.as_loop(node).is_some_and(|this| this.kind == LoopKind::Vectorize)
        };
        let are_together =
            |((a, i), (b, j)): (&(NodeId, i64), &(NodeId, i64))| a == b && (i == j || is_lane(*a));
        p == q
            && all[n].loops[..p].iter().zip(&all[m].loops[..q]).all(are_together)
            && all[n].loops[p] != all[m].loops[q]
    })
}
