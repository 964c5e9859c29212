//! Joins the groups of two products, of which the second reads rows that are computed from the first (R5).

use super::dataflow::{Dataflow, DimensionIndex, Edge};
use super::groups::{Groups, MOST_OPS, is_anchor};
use super::kind::{PatternKind, Sizes, is_one};
use super::rules::{Refusal, Rule, rule};
use crate::ir::affine::Expr;
use std::collections::BTreeSet;

/// The length of the sums of the first product and the number of columns of the second, together, up to which reading the other
/// factors again for each block of rows costs less than writing and reading the values on the way: those are written and read at
/// least twice, and this is for blocks of 64 rows. The smaller blocks of long rows read them from the caches more often.
const MOST_READ_AGAIN: i64 = 4 * 64;

/// Joins the groups of products as far as R5 allows.
pub fn join(groups: &mut Groups, flow: &Dataflow) {
    for second in (0..flow.nodes.len()).filter(|node| is_anchor(flow, *node)) {
        let Some(way) = Way::to(flow, second) else { continue };
        let mut joined = groups.clone();
        if way.join(&mut joined, flow).is_ok() {
            *groups = joined;
        }
    }
}

/// The ops from a product to a factor of another one.
struct Way {
    first: usize,
    second: usize,
    /// The ops that the factor is computed by, as far as they depend on the first product.
    between: BTreeSet<usize>,
    /// The number of loops over rows, which all of them have.
    rows: usize,
}

impl Way {
    /// The way to a product, if there is one that fulfils what R5 asks of the ops on it.
    fn to(flow: &Dataflow, second: usize) -> Option<Way> {
        let facts = &flow.nodes[second].facts;
        let read = flow.nodes[second].inputs.iter().map(|edge| &flow.edges[*edge]);
        let factors: Vec<&Edge> = read.filter(|edge| edge.is_read && !edge.is_start).collect();
        let ways = factors.iter().filter_map(|factor| {
            let rows = rows(factor, &facts.results)?;
            let (first, between) = behind(flow, factor.from)?;
            Some(Way { first, second, between, rows })
        });
        ways.into_iter().find(|way| {
            let on_way = factors.iter().filter(|factor| way.is_before_second(factor.from));
            on_way.count() == 1 && way.is_legal(flow) && way.pays(flow)
        })
    }

    fn is_before_second(&self, node: usize) -> bool {
        node == self.first || self.between.contains(&node)
    }

    /// True for a value on the way.
    fn has(&self, edge: &Edge) -> bool {
        let is_after_first = edge.to == self.second || self.between.contains(&edge.to);
        self.is_before_second(edge.from) && is_after_first
    }

    /// True if each op on the way computes rows from the same rows, nothing else reads them, and some op reduces rows.
    fn is_legal(&self, flow: &Dataflow) -> bool {
        let is_product = |node: usize| {
            let facts = &flow.nodes[node].facts;
            facts.inputs == 2 && facts.reductions.len() == 1
        };
        let before = self.between.iter().chain([&self.first]);
        let reduces = |node: &usize| flow.nodes[*node].facts.kind == PatternKind::Reduction;
        let is_by_rows = |edge: &Edge| {
            edge.to == self.second
                || edge.shared_loops(&flow.nodes[edge.to].facts.results) >= self.rows
        };
        let is_read_here = |node: &usize| {
            let node = &flow.nodes[*node];
            let edges = node.outputs.iter().map(|edge| &flow.edges[*edge]);
            let mut read = edges.filter(|edge| edge.is_read);
            !node.is_output && read.all(|edge| self.has(edge) && is_by_rows(edge))
        };
        is_product(self.first)
            && is_product(self.second)
            && self.between.iter().any(reduces)
            && before.into_iter().all(is_read_here)
    }

    fn pays(&self, flow: &Dataflow) -> bool {
        let [first, second] = [self.first, self.second].map(|node| &flow.nodes[node].facts);
        // The default schedules have blocks of a known number of rows.
        let is_known = first.results.iter().all(|size| number(size).is_some());
        let depth = first.reductions.first().and_then(number);
        let columns = second.results.iter().filter(|size| !is_one(size)).nth(self.rows);
        let columns = columns.and_then(number);
        is_known
            && depth.zip(columns).is_some_and(|(depth, columns)| depth + columns <= MOST_READ_AGAIN)
    }

    /// Merges the groups of all ops on the way.
    ///
    /// # Errors
    /// If the group would not be legal. Then some groups may be merged.
    fn join(&self, groups: &mut Groups, flow: &Dataflow) -> Result<(), Refusal> {
        let ops = || self.between.iter().chain([&self.first, &self.second]).copied();
        let parts: BTreeSet<usize> = ops().map(|node| groups.of_node[node]).collect();
        self.check(groups, flow, &parts)?;
        let mut parts: Vec<usize> = parts.into_iter().collect();
        parts.sort_by_key(|group| groups.place(*group));
        for next in &parts[1..] {
            let here = groups.of_node[self.first];
            let between = groups.between(flow, here, *next)?;
            groups.merge(here, *next, &between);
        }
        let is_inside = |edge: &Edge| self.has(edge) && edge.is_read;
        for (edge, verdict) in flow.edges.iter().zip(&mut groups.verdicts) {
            if is_inside(edge) {
                *verdict = Ok(rule(flow, edge).unwrap_or(Rule::Blocks));
            }
        }
        Ok(())
    }

    /// Checks the other ops of the groups (C2, C5): each group is legal alone, and values between groups are on the way.
    fn check(
        &self,
        groups: &Groups,
        flow: &Dataflow,
        parts: &BTreeSet<usize>,
    ) -> Result<(), Refusal> {
        let members = || parts.iter().flat_map(|group| &groups.members[*group]).copied();
        if members().count() > MOST_OPS {
            return Err(Refusal::TooMany { most: MOST_OPS });
        }
        if members().any(|it| is_anchor(flow, it) && ![self.first, self.second].contains(&it)) {
            return Err(Refusal::TwoAnchors);
        }
        let is_reduction = |it: &usize| flow.nodes[*it].facts.kind == PatternKind::Reduction;
        if members().filter(is_reduction).any(|it| !self.between.contains(&it)) {
            return Err(Refusal::AnchorAndReduction);
        }
        let anchored = [self.first, self.second].map(|node| groups.of_node[node]);
        let edges = members().flat_map(|node| &flow.nodes[node].outputs);
        for edge in edges.map(|edge| &flow.edges[*edge]).filter(|edge| edge.is_read) {
            let [from, to] = [edge.from, edge.to].map(|node| groups.of_node[node]);
            if self.has(edge) || !parts.contains(&to) {
                continue;
            }
            let shared = edge.shared_loops(&flow.nodes[edge.to].facts.results);
            let is_legal = from == to
                && (anchored.contains(&from)
                    || shared >= self.rows
                    || matches!(rule(flow, edge), Ok(Rule::Recompute)));
            if !is_legal {
                return Err(Refusal::NoSharedRows);
            }
        }
        Ok(())
    }
}

/// The number of loops over rows of a factor of a product, if the product reduces the rows and has one loop over columns.
fn rows(factor: &Edge, results: &Sizes) -> Option<usize> {
    let wide = factor.indices.iter().zip(&factor.wide).filter(|(_, wide)| **wide);
    let wide: Vec<DimensionIndex> = wide.map(|(index, _)| *index).collect();
    let rows = factor.shared_loops(results);
    let loops = results.iter().filter(|size| !is_one(size)).count();
    let is_reduced = wide.last() == Some(&DimensionIndex::Reduction);
    (is_reduced && rows > 0 && wide.len() == rows + 1 && loops == rows + 1).then_some(rows)
}

/// The only anchor that a value is computed from, as far as there is no other one between, and the ops from it to the value.
fn behind(flow: &Dataflow, value: usize) -> Option<(usize, BTreeSet<usize>)> {
    let read = |node: usize| flow.nodes[node].inputs.iter().map(|edge| &flow.edges[*edge]);
    let (mut seen, mut left, mut anchors) = (BTreeSet::from([value]), vec![value], vec![]);
    while let Some(node) = left.pop() {
        if is_anchor(flow, node) {
            anchors.push(node);
            continue;
        }
        let from = read(node).filter(|edge| edge.is_read).map(|edge| edge.from);
        left.extend(from.filter(|from| seen.insert(*from)));
    }
    let [first] = anchors[..] else { return None };
    // Values precede their readers.
    let mut between = BTreeSet::new();
    for node in seen.into_iter().filter(|node| *node > first) {
        let is_before = |from: usize| from == first || between.contains(&from);
        if read(node).any(|edge| edge.is_read && is_before(edge.from)) {
            between.insert(node);
        }
    }
    let is_computed = |node: &usize| {
        let node = &flow.nodes[*node];
        !node.is_of_weights && node.facts.kind <= PatternKind::Reduction
    };
    between.iter().all(is_computed).then_some((first, between))
}

fn number(size: &Option<Expr>) -> Option<i64> {
    size.as_ref().and_then(Expr::constant)
}
