//! A nest as text for people, with nodes underlined.
//!
//! ```text
//! serial i in 128
//!   parallel k in 64
//!   ^^^^^^^^^^^^^^^^ here
//!     C[vi: spatial = i, vk: reduce = k]
//! ```

use super::summary::{Block, Loop, NodeId, NodeKind, Summary, Variable};
use crate::dialect::region::describe_expr_with;
use crate::ir::affine::Expr;
use std::fmt::Write;

/// The nest, each marked node underlined with its remark.
pub fn nest(summary: &Summary, marks: &[(NodeId, &str)]) -> String {
    let mut text = String::new();
    for child in &summary.nodes[0].children {
        node(summary, *child, 0, marks, &mut text);
    }
    text
}

fn node(summary: &Summary, id: NodeId, depth: usize, marks: &[(NodeId, &str)], text: &mut String) {
    let line = match &summary.nodes[id].kind {
        NodeKind::Function => return,
        NodeKind::Loop(this) => loop_line(summary, this),
        NodeKind::Block(this) => block_line(summary, this),
        NodeKind::If(condition) => format!("if ({} conditions)", condition.len()),
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
    format!("{}[{}]", this.name, iters.join(", "))
}

/// An expression with the names of loops and iters.
pub fn expr(summary: &Summary, expr: &Expr) -> String {
    describe_expr_with(expr, &|leaf| match leaf {
        Expr::Dim(variable) => match summary.variables[*variable] {
            Variable::Loop(node) => {
                summary.as_loop(node).map_or_else(String::new, |this| this.name.clone())
            }
            Variable::Iter(node, i) => {
                summary.as_block(node).map_or_else(String::new, |b| b.iters[i].name.clone())
            }
        },
        Expr::Symbol(i) => format!("size {i}"),
        other => format!("{other:?}"),
    })
}
