//! The plan of an emission: what is decided once about a function, before its first op is emitted.

pub(crate) mod atomic;
pub(crate) mod buffer;
pub(crate) mod collective;
pub(crate) mod init;
pub(crate) mod parallel;

use crate::dialect::loop_enums::LoopKind;
use crate::dialect::loop_op::ScheduleBlock;
use crate::ir::{Error, Op};
use crate::nest::summary::{NodeId, NodeKind};
use crate::schedule::State;
use crate::schedule::legality::lanes;
use atomic::Atomics;
use buffer::PrivateBuffers;
use collective::Collective;
use init::Inits;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// Options of the lowering.
#[derive(Clone, Copy, Debug)]
pub struct LoweringOptions {
    /// The width of a vector register.
    pub vector_bits: u32,
    /// A vectorized loop without a vector form is an error.
    pub require_vector: bool,
}

/// The decisions about a function. Its ops and their summary do not change while nests are emitted, so what was found out
/// about an op is kept: the body of an unrolled loop is emitted many times.
pub(crate) struct EmissionPlan<'c> {
    pub options: LoweringOptions,
    pub state: State<'c>,
    pub inits: Inits<'c>,
    pub atomics: Atomics<'c>,
    /// None on a GPU.
    pub private: PrivateBuffers<'c>,
    /// Cross-thread reductions; empty on a CPU.
    pub collectives: Vec<Collective<'c>>,
    nodes: HashMap<Op<'c>, NodeId>,
    blocks: RefCell<HashMap<Op<'c>, Rc<ScheduleBlock<'c>>>>,
    independent: RefCell<HashMap<(NodeId, Vec<NodeId>), bool>>,
}

impl<'c> EmissionPlan<'c> {
    /// The plan of a function without private buffers and cross-thread reductions.
    pub fn new(state: State<'c>, options: LoweringOptions) -> Self {
        EmissionPlan {
            options,
            inits: Inits::of(&state),
            atomics: Atomics::of(&state),
            nodes: state.summary().nodes.keys().map(|node| (state.op(node), node)).collect(),
            state,
            private: PrivateBuffers::default(),
            collectives: vec![],
            blocks: RefCell::default(),
            independent: RefCell::default(),
        }
    }

    /// The number of an op in the summary.
    pub fn node_of(&self, op: Op<'c>) -> Option<NodeId> {
        self.nodes.get(&op).copied()
    }

    /// The view of a schedule block.
    pub fn block(&self, op: Op<'c>) -> Result<Rc<ScheduleBlock<'c>>, Error<'c>> {
        if let Some(known) = self.blocks.borrow().get(&op) {
            return Ok(known.clone());
        }
        let view = Rc::new(ScheduleBlock::of(op)?);
        self.blocks.borrow_mut().insert(op, view.clone());
        Ok(view)
    }

    /// True if the lanes of a loop are independent, given that the iterations of the loops `in_turn` run one after the
    /// other.
    pub fn are_lanes_independent(&self, op: Op<'c>, in_turn: &[Op<'c>]) -> bool {
        let Some(node) = self.node_of(op) else { return false };
        let in_turn: Vec<NodeId> = in_turn.iter().filter_map(|op| self.node_of(*op)).collect();
        let prove = |(node, in_turn): &(NodeId, Vec<NodeId>)| {
            let summary = self.state.summary();
            if in_turn.is_empty() {
                return lanes::are_independent(summary, *node);
            }
            let mut changed = summary.clone();
            for outer in in_turn {
                if let NodeKind::Loop(this) = &mut changed.nodes[*outer].kind {
                    this.kind = LoopKind::Serial;
                }
            }
            lanes::are_independent(&changed, *node)
        };
        let key = (node, in_turn);
        if let Some(known) = self.independent.borrow().get(&key) {
            return *known;
        }
        let proved = prove(&key);
        self.independent.borrow_mut().insert(key, proved);
        proved
    }
}
