//! The targets of random steps.

use super::layout::layout;
use super::{scope, text};
use loopwright::dialect::loop_enums::IterRole;
use loopwright::nest::summary::{Access, NodeId, NodeKind, Summary, mentions};
use loopwright::schedule::instruction::Argument;
use rand::Rng;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;

/// The target of a random step: a schedule block, and the loops around it, outermost first.
pub struct Place<'s> {
    pub summary: &'s Summary,
    pub block: NodeId,
    pub loops: Vec<NodeId>,
}

impl<'s> Place<'s> {
    /// A random block.
    pub fn any_in(summary: &'s Summary, rng: &mut StdRng) -> Self {
        let blocks: Vec<NodeId> = summary.blocks().map(|(node, _)| node).collect();
        let block = *blocks.choose(rng).expect("a function has a block");
        let mut loops: Vec<NodeId> = summary.loops_around(block).collect();
        loops.reverse();
        Place { summary, block, loops }
    }

    /// The loops that are followed by the next part of the same split loop.
    pub fn parts(&self) -> Vec<NodeId> {
        let part = |node: NodeId| {
            let (base, number) = self.summary.as_loop(node)?.name.rsplit_once('.')?;
            Some((base, number.parse::<usize>().ok()?))
        };
        let is_part = |pair: &&[NodeId]| {
            let behind = part(pair[0]).map(|(base, number)| (base, number + 1));
            behind.is_some() && behind == part(pair[1])
        };
        let pairs = self.summary.nodes.values().flat_map(|node| node.children.windows(2));
        pairs.filter(is_part).map(|pair| pair[0]).collect()
    }

    pub fn any(&self, rng: &mut StdRng) -> Option<NodeId> {
        self.loops.choose(rng).copied()
    }

    pub fn extent(&self, node: NodeId) -> Option<i64> {
        self.summary.as_loop(node)?.constant_extent()
    }

    /// The handle of a loop around this block.
    pub fn named(&self, node: NodeId) -> Argument {
        text(&name_of(self.summary, self.block, node))
    }

    pub fn several(&self, loops: &[NodeId]) -> Argument {
        let names = loops.iter().map(|node| name_of(self.summary, self.block, *node));
        Argument::Texts(names.collect())
    }

    pub fn block_named(&self, node: NodeId) -> Argument {
        text(&self.summary.as_block(node).expect("a block").name)
    }

    /// A loop around another block.
    pub fn around(&self, block: NodeId, rng: &mut StdRng) -> Option<Argument> {
        let around: Vec<NodeId> = self.summary.loops_around(block).collect();
        Some(text(&name_of(self.summary, block, *around.choose(rng)?)))
    }

    /// Two blocks, one of which reads what the other writes.
    pub fn dependence(&self, rng: &mut StdRng) -> Option<(NodeId, NodeId)> {
        let mut pairs = vec![];
        for (writer, block) in self.summary.blocks() {
            for (reader, other) in self.summary.blocks().filter(|(node, _)| *node != writer) {
                let writes = |buffer| block.stores().any(|store| store.buffer == buffer);
                if other.loads().any(|load| writes(load.buffer)) {
                    pairs.push((writer, reader));
                }
            }
        }
        pairs.choose(rng).copied()
    }

    /// Loops of two consecutive nests, mostly of equal depth.
    pub fn follow_each_other(&self, rng: &mut StdRng) -> Option<(String, String)> {
        let nodes = &self.summary.nodes;
        let mut pairs = vec![];
        for node in nodes.values() {
            for pair in node.children.windows(2) {
                let blocks = [pair[0], pair[1]].map(|root| self.summary.blocks_under(root));
                let loops = |blocks: &[NodeId], root: NodeId| -> Option<Vec<String>> {
                    let block = *blocks.first()?;
                    let inside: Vec<NodeId> =
                        self.summary.loops_around(block).filter(|n| *n >= root).collect();
                    let named = inside.iter().rev().map(|n| name_of(self.summary, block, *n));
                    Some(named.collect())
                };
                let of = |i: usize| loops(&blocks[i], pair[i]).unwrap_or_default();
                pairs.extend(of(0).into_iter().zip(of(1)));
            }
        }
        pairs.choose(rng).cloned()
    }

    /// Two statements of the same loop body, in order.
    pub fn beside(&self, rng: &mut StdRng) -> Option<(NodeId, NodeId)> {
        let is_statement = |node: &NodeId| {
            matches!(self.summary.nodes[*node].kind, NodeKind::Loop(_) | NodeKind::Block(_))
        };
        let mut pairs = vec![];
        for node in self.summary.nodes.values() {
            let children: Vec<NodeId> =
                node.children.iter().copied().filter(is_statement).collect();
            for (i, second) in children.iter().enumerate() {
                pairs.extend(children[..i].iter().map(|first| (*first, *second)));
            }
        }
        pairs.choose(rng).copied()
    }

    /// A reduction loop.
    pub fn reducing(&self, rng: &mut StdRng) -> Option<NodeId> {
        let block = self.summary.as_block(self.block)?;
        let reduces = |node: &NodeId| {
            let variable = self.summary.as_loop(*node).map(|this| this.variable);
            block.iters.iter().zip(&block.binding).any(|(iter, bound)| {
                iter.role == IterRole::Reduce && variable.is_some_and(|v| mentions(bound, v))
            })
        };
        let loops: Vec<NodeId> = self.loops.iter().copied().filter(reduces).collect();
        loops.choose(rng).copied()
    }

    /// The layout of a copy; mostly none.
    pub fn packed(&self, buffer: &Argument, rng: &mut StdRng) -> Argument {
        let name = buffer.text();
        let buffer = self.summary.buffers.values().find(|buffer| buffer.name == name);
        let rank = buffer.map_or(0, |buffer| buffer.shape.len());
        Argument::OptionalText(layout(rank, rng).filter(|_| rng.random_bool(0.3)))
    }

    /// The block, a buffer that it accesses, and a memory scope for a copy of the buffer.
    pub fn cache(&self, is_write: bool, rng: &mut StdRng) -> Option<Vec<Argument>> {
        let block = self.summary.as_block(self.block)?;
        let fits = |access: &&Access| access.is_write == is_write;
        let accesses: Vec<&Access> = block.accesses().iter().filter(fits).collect();
        let buffer = &self.summary.buffers[accesses.choose(rng)?.buffer].name;
        Some(vec![text(&block.name), text(buffer), scope(rng)])
    }
}

pub fn name_of(summary: &Summary, block: NodeId, node: NodeId) -> String {
    let block = &summary.as_block(block).expect("a block").name;
    format!("{block}:{}", summary.as_loop(node).expect("a loop").name)
}
