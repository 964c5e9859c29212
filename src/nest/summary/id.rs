//! Ids of the nodes, variables and buffers of a [`Summary`](super::Summary). Each has a type of its own, so that
//! swapped arguments do not compile.

use crate::ir::affine::Expr;
use cranelift_entity::entity_impl;

/// Defines an id: the index of an entry of a `PrimaryMap`.
macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);
        entity_impl!($name, $prefix);

        impl $name {
            /// The id of the entry with this index, from 0.
            pub fn new(index: usize) -> Self {
                $name(u32::try_from(index).expect("fewer than 2^32 entries"))
            }

            /// The index of the entry, from 0.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id! {
    /// A node. Ids are in program order: a node that precedes another one has the lower id.
    NodeId, "node"
}

id! {
    /// A loop variable or block iter: the number in an [`Expr::Dim`].
    VariableId, "variable"
}

id! {
    /// A buffer.
    BufferId, "buffer"
}

impl NodeId {
    /// The function, the root of the tree.
    pub const FUNCTION: NodeId = NodeId(0);

    /// The nodes from this one up to, but not including, `end`, by their ids.
    pub fn up_to(self, end: NodeId) -> impl DoubleEndedIterator<Item = NodeId> {
        (self.index()..end.index()).map(NodeId::new)
    }
}

impl VariableId {
    /// The variable as an expression.
    pub fn expr(self) -> Expr {
        Expr::Dim(self.index())
    }

    /// The variable that an [`Expr::Dim`] of this number stands for.
    pub fn of_dim(number: usize) -> VariableId {
        VariableId::new(number)
    }
}
