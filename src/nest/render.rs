//! Prints a nest as readable text, with nodes underlined.
//!
//! ```text
//! serial i in 128
//!   parallel k in 64
//!   ^^^^^^^^^^^^^^^^ here
//!     C[vi: spatial = i, vk: reduce = k] where i < dim(A, 0)
//! ```

use super::summary::{Block, Loop, NodeId, NodeKind, Summary, Variable};
use crate::dialect::region::describe_expr_with;
use crate::ir::affine::{Constraint, Expr, Linear};
use crate::nest::summary::VariableId;
use std::fmt::Write;

/// The nest as text; each marked node is underlined, with its remark.
pub fn nest(summary: &Summary, marks: &[(NodeId, &str)]) -> String {
    let mut text = String::new();
    for child in &summary.nodes[NodeId::FUNCTION].children {
        node(summary, *child, 0, marks, &mut text);
    }
    text
}

fn node(summary: &Summary, id: NodeId, depth: usize, marks: &[(NodeId, &str)], text: &mut String) {
    let line = match &summary.nodes[id].kind {
        NodeKind::Function => return,
        NodeKind::Loop(this) => loop_line(summary, this),
        NodeKind::Block(this) => block_line(summary, this),
        NodeKind::If(condition) => format!("if {}", conditions(summary, condition)),
        NodeKind::Sync => "sync".into(),
        NodeKind::Effects(name) => name.clone(),
    };
    let indent = "  ".repeat(depth);
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{indent}{line}");
    for (_, remark) in marks.iter().filter(|(marked, _)| *marked == id) {
        let _ = writeln!(text, "{indent}{} {remark}", "^".repeat(line.chars().count()));
    }
    for child in &summary.nodes[id].children {
        node(summary, *child, depth + 1, marks, text);
    }
}

fn loop_line(summary: &Summary, this: &Loop) -> String {
    let extent: Vec<_> = this.extent.iter().map(|e| expr(summary, e)).collect();
    let extent = match &extent[..] {
        [one] => one.clone(),
        several => format!("min({})", several.join(", ")),
    };
    match this.thread {
        Some(axis) => format!("{axis} {} in {extent}", this.name),
        None => format!("{} {} in {extent}", this.kind, this.name),
    }
}

fn block_line(summary: &Summary, this: &Block) -> String {
    let iters: Vec<_> = this
        .iters
        .iter()
        .zip(&this.binding)
        .map(|(iter, bound)| format!("{}: {} = {}", iter.name, iter.role, expr(summary, bound)))
        .collect();
    let block = format!("{}[{}]", this.name, iters.join(", "));
    match this.predicate.is_empty() {
        true => block,
        false => format!("{block} where {}", conditions(summary, &this.predicate)),
    }
}

fn conditions(summary: &Summary, all: &[Constraint]) -> String {
    all.iter().map(|one| condition(summary, one)).collect::<Vec<_>>().join(", ")
}

/// A condition in readable form, with negative terms moved to the other side: `i.0 * 64 + i.1 < n`.
pub fn condition(summary: &Summary, one: &Constraint) -> String {
    let Linear { terms, constant } = Linear::of(one.expr());
    let (mut left, mut right) = (Linear::default(), Linear::default());
    for (atom, coefficient) in &terms {
        // -2^63 has no negation, so that term stays.
        match coefficient.checked_neg().filter(|_| *coefficient < 0) {
            Some(opposite) => left.terms.insert(atom.clone(), opposite),
            None => right.terms.insert(atom.clone(), *coefficient),
        };
    }
    let (mut sign, mut constant) =
        (if matches!(one, Constraint::Zero(_)) { "==" } else { "<=" }, constant);
    if sign == "<=" && constant == -1 {
        (sign, constant) = ("<", 0);
    }
    match constant.checked_neg().filter(|_| constant < 0) {
        Some(opposite) => left.constant = opposite,
        None => right.constant = constant,
    }
    format!("{} {sign} {}", expr(summary, &left.to_expr()), expr(summary, &right.to_expr()))
}

/// An expression with the names of loops and iters.
pub fn expr(summary: &Summary, expr: &Expr) -> String {
    describe_expr_with(expr, &|leaf| match leaf {
        Expr::Dim(variable) => match summary.variables[VariableId::of_dim(*variable)] {
            Variable::Loop(node) => {
                summary.as_loop(node).map_or_else(String::new, |this| this.name.clone())
            }
            Variable::Iter(node, i) => {
                summary.as_block(node).map_or_else(String::new, |b| b.iters[i].name.clone())
            }
        },
        Expr::Symbol(i) => summary.size_names[*i].clone(),
        other => format!("{other:?}"),
    })
}
