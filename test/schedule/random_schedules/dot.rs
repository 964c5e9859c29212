//! Steps that tensorize four products of bytes, after steps that may give these a loop of their own.

use super::place::name_of;
use super::{step, text};
use loopwright::dialect::loop_enums::IterRole;
use loopwright::nest::summary::{Access, Block, NodeId, Summary, mentions};
use loopwright::schedule::instruction::{Argument, Instruction};
use rand::Rng;
use rand::rngs::StdRng;

/// The steps, if a schedule block sums products of bytes.
pub fn steps(summary: &Summary, rng: &mut StdRng) -> Option<Vec<Instruction>> {
    let bytes = |access: &Access| summary.buffers[access.buffer].element_bytes;
    let is_dot = |(_, block): &(NodeId, &Block)| {
        let of_bytes = block.loads().filter(|load| bytes(load) == Some(1)).count();
        block.reducer.is_some() && of_bytes == 2 && block.stores().all(|s| bytes(s) == Some(4))
    };
    let (node, block) = summary.blocks().find(is_dot)?;
    let reduce = block.iters.iter().position(|iter| iter.role == IterRole::Reduce)?;
    let binds = |node: &NodeId| {
        let variable = summary.as_loop(*node).map(|this| this.variable);
        variable.is_some_and(|variable| mentions(&block.binding[reduce], variable))
    };
    let around: Vec<NodeId> = summary.loops_around(node).collect();
    let inner = name_of(summary, node, *around.iter().find(|node| binds(node))?);
    let mut steps = vec![];
    if rng.random_bool(0.6) {
        let factors = (0..block.iters.len()).map(|i| if i == reduce { 4 } else { 1 });
        let factors = Argument::Integers(factors.collect());
        steps.push(step("pad_einsum", vec![text(&block.name), factors]));
    }
    if block.has_init {
        let outermost = text(&name_of(summary, node, *around.last()?));
        steps.push(step("decompose_reduction", vec![text(&block.name), outermost]));
    }
    let factors = Argument::Integers(vec![-1, 4]);
    steps.push(step("split", vec![text(&inner), factors, Argument::OptionalText(None)]));
    let target = text(&format!("{inner}.1"));
    steps.push(step("tensorize", vec![target, text("dot_4xi8")]));
    Some(steps)
}
