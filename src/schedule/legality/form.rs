//! Conditions on form that several primitives have: a loop is serial or has no annotations, several loops are
//! distinct.

use crate::analysis::span;
use crate::dialect::loop_enums::LoopKind;
use crate::ir::affine::Expr;
use crate::nest::summary::{Loop, NodeId, Summary};
use crate::schedule::error::{Reason, ScheduleError};
use crate::schedule::name;

/// The loop at a node, which must be serial: (C`condition`).
pub fn serial(summary: &Summary, node: NodeId, condition: u8) -> Result<&Loop, ScheduleError> {
    let this = summary.as_loop(node).expect("a loop");
    match this.kind {
        LoopKind::Serial => Ok(this),
        kind => Err(Reason::NotSerial { name: this.name.clone(), kind }.at(node, condition)),
    }
}

/// Two or more different loops: (C1).
pub fn several(summary: &Summary, names: &[String]) -> Result<Vec<NodeId>, ScheduleError> {
    let nodes = name::loops_of(summary, names)?;
    if nodes.len() < 2 {
        return Err(
            Reason::FewLoops(nodes.len()).at(nodes.first().copied().unwrap_or(NodeId::FUNCTION), 1)
        );
    }
    if let Some(i) = (1..nodes.len()).find(|i| nodes[..*i].contains(&nodes[*i])) {
        let name = summary.as_loop(nodes[i]).expect("a loop").name.clone();
        return Err(Reason::Repeated(name).at(nodes[i], 1));
    }
    Ok(nodes)
}

/// True if an expression is proved to be never negative, whatever the extents of its variables are. Variables and
/// sizes are never negative.
pub fn never_negative(expr: &Expr) -> bool {
    span::never_negative(expr, &|_| vec![])
}

/// Requires a loop without annotations, because they would be removed with it: (C`condition`).
pub fn not_annotated(this: &Loop, node: NodeId, condition: u8) -> Result<(), ScheduleError> {
    match this.annotations.first() {
        Some(key) => {
            let (name, key) = (this.name.clone(), key.clone());
            Err(Reason::Annotated { name, key }.at(node, condition))
        }
        None => Ok(()),
    }
}
