//! The cursor of an emission: the new values of old values, and the lanes, the mask and the threads at the
//! point where ops are emitted.
//!
//! It knows nothing of the [`Plan`](super::plan::Plan): its methods emit what depends on values alone.

pub(crate) mod alignment;
pub(crate) mod branch;
pub(crate) mod index;
pub(crate) mod lane;
pub(crate) mod loops;
pub(crate) mod mask;
pub(crate) mod threads;

use crate::ir::affine::Expr;
use crate::ir::{Builder, Error, Op, Value, remark};
use crate::lowering::cpu::line_info;
use std::collections::HashMap;
use threads::KernelThreads;

/// An index value that expressions refer to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IndexAtom<'c> {
    /// `None` for the lane number.
    pub value: Option<Value<'c>>,
    /// The values it can take, both ends included.
    pub range: Option<(i64, i64)>,
    pub is_natural: bool,
    /// True if the value may differ between the threads of a block.
    pub varies: bool,
}

/// The lanes of the vectorized loop that is being lowered.
#[derive(Clone, Debug)]
pub(crate) struct VectorLanes {
    /// The lane number, as an [`Expr::Dim`].
    pub atom: usize,
    pub width: usize,
    /// True if the loop's first iteration fulfils all predicates in it, later ones fulfil them only if the ones before do,
    /// and no access that is the same for all lanes depends on the loop.
    pub has_first: bool,
    /// True if these are the first lanes of the loop.
    pub is_first: bool,
}

/// The active lanes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ActiveLanes<'c> {
    /// A vector of i1.
    pub value: Value<'c>,
    /// The number of active lanes, if it is known and they are the first ones.
    pub first: Option<usize>,
    pub may_be_empty: bool,
    /// True if an access that is the same for all lanes may run even if no lane is active.
    pub may_access: bool,
}

/// The state at the point where ops are emitted.
pub(crate) struct Cursor<'c> {
    /// The values that [`Expr::Dim`] refers to.
    pub atoms: Vec<IndexAtom<'c>>,
    /// The values that [`Expr::Symbol`] refers to.
    pub sizes: Vec<Value<'c>>,
    /// Loop variables, iters and other index values of the old function.
    pub indices: HashMap<Value<'c>, Expr>,
    /// Other values of the old function, including buffers.
    pub values: HashMap<Value<'c>, Value<'c>>,
    /// The buffers of the current kernel that hold the partial results of warps, one for each value of a
    /// cross-thread reduction. The key is the index of the reduction in the plan.
    pub cells: HashMap<usize, Vec<Value<'c>>>,
    /// The threads of the current kernel; `None` on a CPU.
    pub threads: Option<KernelThreads<'c>>,
    /// Enclosing vectorized loops that run one lane after the other.
    pub one_by_one: Vec<Op<'c>>,
    pub lane: Option<VectorLanes>,
    pub mask: Option<ActiveLanes<'c>>,
    /// True in a parallel loop.
    pub is_parallel: bool,
    /// The number of copies that the enclosing unrolled loops make of the current code.
    pub copies: i64,
    /// Loops with their emitted remarks: copies of a loop repeat none.
    remarked: Vec<(Op<'c>, String)>,
}

/// Emits the body of a loop or of a branch.
pub(crate) type EmitBody<'e, 'c> =
    &'e mut dyn FnMut(&mut Cursor<'c>, Builder<'c>) -> Result<(), Error<'c>>;

impl<'c> Cursor<'c> {
    /// The cursor before the first nest of a function.
    pub fn new() -> Self {
        Cursor {
            atoms: vec![],
            sizes: vec![],
            indices: HashMap::new(),
            values: HashMap::new(),
            cells: HashMap::new(),
            threads: None,
            one_by_one: vec![],
            lane: None,
            mask: None,
            is_parallel: false,
            copies: 1,
            remarked: vec![],
        }
    }

    /// A builder with the location of an op. In a kernel, the location names the enclosing loops and schedule
    /// block.
    pub fn located(&self, at: Builder<'c>, op: Op<'c>) -> Builder<'c> {
        match self.threads {
            Some(_) => at.at(op.location().named(&line_info::place(op))),
            None => at.at(op.location()),
        }
    }

    pub fn remark_once(&mut self, op: Op<'c>, message: &str) {
        if !self.remarked.iter().any(|(other, said)| *other == op && said == message) {
            self.remarked.push((op, message.to_owned()));
            remark(op.location(), message);
        }
    }

    /// The new value of an old value.
    pub fn value_of(&mut self, value: Value<'c>, at: Builder<'c>) -> Value<'c> {
        if let Some(known) = self.values.get(&value) {
            return *known;
        }
        if let Some(expr) = self.indices.get(&value).cloned() {
            return self.emit_index(&expr, at);
        }
        // Defined outside of the nest: it does not change.
        value
    }

    /// Maps an old value to its new value in this copy of the body, and drops its index expression, which was
    /// that of another copy.
    pub fn define(&mut self, old: Value<'c>, new: Value<'c>) {
        self.values.insert(old, new);
        self.indices.remove(&old);
    }
}
