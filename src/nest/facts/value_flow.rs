//! Value flow within an iteration: whether a value that a schedule block reads was written in the same
//! iteration.

use crate::ir::affine::{Constraint, Expr, Linear};
use crate::nest::summary::VariableId;
use crate::nest::summary::{Access, NodeId, NodeKind, Summary, Variable, mentions};

/// True if `writer` provably writes the element that `reader` loads in the same iteration of the loop
/// `within`, before the load. Both blocks are nested in that loop.
pub fn writes_before(
    summary: &Summary,
    within: NodeId,
    writer: NodeId,
    reader: NodeId,
    load: &Access,
) -> bool {
    let block = |id: NodeId| summary.as_block(id).expect("a block");
    let (from, to) = (block(writer), block(reader));
    let mut stores = from.stores().filter(|s| s.buffer == load.buffer && !s.in_init);
    let (Some(store), None) = (stores.next(), stores.next()) else { return false };
    if writer >= reader || store.is_conditional || from.reducer.is_some() {
        return false;
    }
    // The loops that enclose only the writer: all their iterations precede the read.
    let around: Vec<NodeId> = summary.ancestors(reader).collect();
    let own: Vec<NodeId> = summary
        .ancestors(writer)
        .take_while(|n| *n != within)
        .filter(|n| !around.contains(n))
        .collect();
    if own.iter().any(|n| !matches!(summary.nodes[*n].kind, NodeKind::Loop(_))) {
        return false;
    }
    let own_variable = |n: &NodeId| summary.as_loop(*n).map(|this| this.variable);
    let own_variables: Vec<VariableId> = own.iter().filter_map(own_variable).collect();
    let is_common = |e: &Expr| own_variables.iter().all(|v| !mentions(e, *v));
    // A condition of the writer that the reader has too excludes no element that is read.
    let holds = |c: &Constraint| {
        let bound = c.expr();
        is_common(bound) && to.predicate.iter().any(|other| other == c)
    };
    if !from.predicate.iter().all(holds) {
        return false;
    }
    let over_loops = |id: NodeId, access: &Access| -> Option<Vec<Expr>> {
        let bind = |e: &Expr| {
            let dim = |v: usize| match summary.variables[VariableId::of_dim(v)] {
                Variable::Iter(of, i) if of == id => block(id).binding[i].clone(),
                _ => Expr::Dim(v),
            };
            summary.simplified(&e.substitute(&dim, &Expr::Symbol))
        };
        access.indices.iter().map(|index| index.as_ref().map(bind)).collect()
    };
    let (Some(written), Some(read)) = (over_loops(writer, store), over_loops(reader, load)) else {
        return false;
    };
    let mut filled: Vec<VariableId> = vec![];
    let covers = |written: &Expr, read: &Expr, filled: &mut Vec<VariableId>| match written {
        _ if is_common(written) => written == read,
        Expr::Dim(dim) => {
            let variable = VariableId::of_dim(*dim);
            let is_new = own_variables.contains(&variable) && !filled.contains(&variable);
            filled.extend(is_new.then_some(variable));
            is_new && ranges_over(summary, variable, read)
        }
        _ => false,
    };
    written.iter().zip(&read).all(|(written, read)| covers(written, read, &mut filled))
}

/// The number of values of an expression over some loops, if it takes all values from 0 on: each loop is a
/// digit.
pub fn runs_over(summary: &Summary, expr: &Expr, loops: &[NodeId]) -> Option<Expr> {
    let linear = Linear::of(expr);
    let mut digits = vec![];
    for (atom, coefficient) in &linear.terms {
        let (variables, others): (Vec<Expr>, Vec<Expr>) =
            atom.factors().into_iter().partition(Expr::has_dims);
        let [Expr::Dim(variable)] = variables[..] else { return None };
        let weight = others.into_iter().fold(Expr::Constant(*coefficient), |w, other| w * other);
        let Variable::Loop(node) = summary.variables[VariableId::of_dim(variable)] else {
            return None;
        };
        let [extent] = &summary.as_loop(node)?.extent[..] else { return None };
        if !loops.contains(&node) {
            return None;
        }
        digits.push((weight.simplified(), extent.clone()));
    }
    let mut values = Expr::Constant(1);
    while !digits.is_empty() {
        let next = digits.iter().position(|(weight, _)| *weight == values)?;
        let (_, extent) = digits.remove(next);
        values = (values * extent).simplified();
    }
    (linear.constant == 0).then_some(values)
}

/// True if a loop variable provably takes all values of an expression.
fn ranges_over(summary: &Summary, variable: VariableId, read: &Expr) -> bool {
    let Variable::Loop(node) = summary.variables[variable] else { return false };
    let extent = &summary.as_loop(node).expect("a loop").extent;
    let same_extent = match read {
        Expr::Dim(v) => match summary.variables[VariableId::of_dim(*v)] {
            Variable::Loop(other) => summary.as_loop(other).expect("a loop").extent == *extent,
            Variable::Iter(..) => false,
        },
        _ => false,
    };
    let inside = |extent: i64| {
        read.interval(&|leaf| summary.interval(leaf)).is_some_and(|(l, h)| l >= 0 && h < extent)
    };
    same_extent || summary.as_loop(node).and_then(|l| l.constant_extent()).is_some_and(inside)
}
