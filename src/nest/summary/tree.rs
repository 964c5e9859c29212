//! The tree of a summary: which nodes enclose which.

use super::{Body, NodeId, NodeKind, Summary};

impl Summary {
    /// The nodes that enclose a node, innermost first, without the function.
    pub fn ancestors(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.nodes[node].parent, |n| self.nodes[*n].parent)
            .filter(|n| *n != NodeId::FUNCTION)
    }

    /// The loops that enclose a node, innermost first.
    pub fn loops_around(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        self.ancestors(node).filter(|n| self.as_loop(*n).is_some())
    }

    /// A node and its descendants, in program order.
    pub fn under(&self, node: NodeId) -> Vec<NodeId> {
        let (mut found, mut left) = (vec![], vec![node]);
        while let Some(next) = left.pop() {
            found.push(next);
            left.extend(self.nodes[next].children.iter().rev());
        }
        found
    }

    /// The schedule blocks among a node and its descendants, including those nested in other blocks.
    pub fn blocks_under(&self, node: NodeId) -> Vec<NodeId> {
        self.under(node).into_iter().filter(|n| self.as_block(*n).is_some()).collect()
    }

    /// The leaf schedule blocks among a node and its descendants, in program order.
    pub fn leaves(&self, node: NodeId) -> Vec<NodeId> {
        let is_leaf = |n: &NodeId| match &self.nodes[*n].kind {
            NodeKind::Block(block) => matches!(block.body, Body::Leaf { .. }),
            _ => false,
        };
        self.under(node).into_iter().filter(is_leaf).collect()
    }

    /// The innermost node that encloses both nodes; the function if there is no other.
    pub fn lca(&self, a: NodeId, b: NodeId) -> NodeId {
        let around: Vec<NodeId> = self.ancestors(a).collect();
        self.ancestors(b).find(|node| around.contains(node)).unwrap_or(NodeId::FUNCTION)
    }

    /// True if `node` is nested in `root`. A node is not nested in itself.
    pub fn is_under(&self, node: NodeId, root: NodeId) -> bool {
        root == NodeId::FUNCTION && node != NodeId::FUNCTION
            || self.ancestors(node).any(|n| n == root)
    }

    /// The child of `root` that encloses `node`, or is `node`.
    pub fn child_towards(&self, root: NodeId, node: NodeId) -> NodeId {
        let path = std::iter::once(node).chain(self.ancestors(node));
        path.take_while(|n| *n != root).last().unwrap_or(node)
    }
}
