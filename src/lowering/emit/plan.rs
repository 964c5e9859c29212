//! The plan of an emission: what is decided once about a function, before its first op is emitted.

pub(crate) mod atomic;
pub(crate) mod buffer;
pub(crate) mod collective;
pub(crate) mod init;
pub(crate) mod parallel;

use crate::ir::Op;
use crate::schedule::State;
use atomic::Atomics;
use collective::Collective;
use init::Inits;

/// Options of the lowering.
#[derive(Clone, Copy, Debug)]
pub struct LoweringOptions {
    /// The width of a vector register.
    pub vector_bits: u32,
    /// A vectorized loop without a vector form is an error.
    pub require_vector: bool,
}

/// The decisions about a function. Its ops and their summary do not change while nests are emitted.
pub(crate) struct EmissionPlan<'c> {
    pub options: LoweringOptions,
    pub state: State<'c>,
    pub inits: Inits<'c>,
    pub atomics: Atomics<'c>,
    /// Buffers that are private to the iterations of a parallel loop; none on a GPU.
    pub private: Vec<Op<'c>>,
    /// Cross-thread reductions; empty on a CPU.
    pub collectives: Vec<Collective<'c>>,
}

impl<'c> EmissionPlan<'c> {
    /// The plan of a function without private buffers and cross-thread reductions.
    pub fn new(state: State<'c>, options: LoweringOptions) -> Self {
        EmissionPlan {
            options,
            inits: Inits::of(&state),
            atomics: Atomics::of(&state),
            state,
            private: vec![],
            collectives: vec![],
        }
    }
}
