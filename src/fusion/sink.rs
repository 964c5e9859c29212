//! Sinks ops that only move elements: each reader gets a copy, so that the op ends no group.

use super::dataflow::Dataflow;
use super::kind::{PatternKind, dims, is_one};
use crate::analysis::op_cost::MOST_COPIES;
use crate::ir::affine::Expr;
use crate::ir::{Op, Value};

/// Copies the ops of a function that only move elements, once for each reader except anchors, which read a value in memory. A
/// reshape that leaves the elements where they are in memory is also copied to anchors. Returns true if an op was copied.
pub fn run<'c>(flow: &Dataflow<'c>) -> bool {
    let mut is_changed = false;
    // Readers first, so that what a copy reads is copied, too.
    for node in flow.nodes.iter().rev().filter(|node| node.facts.is_free() && !node.is_of_weights) {
        let [result] = node.op.results()[..] else { continue };
        // One at the same place as what it reads costs nothing where that is computed.
        let follows = |edge: &usize| {
            let edge = &flow.edges[*edge];
            edge.is_pointwise(&node.facts.results)
                && flow.nodes[edge.from].facts.kind != PatternKind::Opaque
        };
        if node.inputs.iter().any(follows) {
            continue;
        }
        let readers: Vec<(Op, usize)> = result.uses();
        let is_in_block = |(reader, _): &(Op, usize)| reader.block() == node.op.block();
        if readers.len() < 2 || readers.len() > MOST_COPIES || !readers.iter().all(is_in_block) {
            continue;
        }
        let is_anchor = |reader: Op| {
            let edges = node.outputs.iter().map(|edge| &flow.nodes[flow.edges[*edge].to]);
            let mut readers = edges.filter(|it| it.op == reader);
            readers.any(|it| it.facts.kind == PatternKind::Anchor)
        };
        let is_in_place = is_relabeling(flow, node.op);
        let copied = readers.iter().filter(|(reader, _)| {
            !reader.is("func.return") && (is_in_place || !is_anchor(*reader))
        });
        let kept = readers.len() - copied.clone().count();
        for (reader, place) in copied.skip(usize::from(kept == 0)) {
            let copy = node.op.clone_mapped(&[]);
            reader.block().expect("it is in the block").insert_before(*reader, copy);
            reader.set_operand(*place, copy.result(0));
            is_changed = true;
        }
    }
    is_changed
}

/// True for a reshape that only adds or removes dimensions of one element.
fn is_relabeling<'c>(flow: &Dataflow<'c>, op: Op<'c>) -> bool {
    let wide = |value: Value<'c>| {
        let dims = dims(value, &flow.sizes).into_iter();
        dims.filter(|size| !is_one(size)).collect::<Option<Vec<Expr>>>()
    };
    let is_reshape = matches!(op.name(), "tensor.collapse_shape" | "tensor.expand_shape");
    is_reshape && wide(op.operand(0)).is_some_and(|it| wide(op.result(0)) == Some(it))
}
