//! Legality: whether a step keeps the meaning of a function. Each question has one module.
//!
//! Order of instances
//! - May two instances change their order, by the roles of iters alone? [`quick`]
//! - May they, decided pair by pair of executions by integer sets? [`exact`]
//! - Which executions does a block have, and in which order do they run? [`execution`]
//! - What is to be proved, and what became of it: proved, refuted with a witness, or unknown? [`proof`]
//! - How much work was a proof, and how is it logged? `obligation`
//!
//! Reductions
//! - How do the loops around a reduction relate to its start? [`reduction`]
//! - May updates be reordered under the floating-point contract, and how far do results then differ? [`fp`]
//! - May an argmax-style reduction break ties by the index? [`arg_reduction`]
//! - May threads reduce together, and may they do it by shuffles? [`cross_thread_reduction`]
//! - Which steps may follow near atomic updates? [`atomic`]
//!
//! Threads, lanes and memory
//! - Which accesses of threads need a barrier between them? [`barriers`]
//! - May the iterations of a loop be lanes of a vector? [`lanes`]
//! - Which loops own a buffer of a scope, and which cells of it are written? [`scope`]
//! - Which cells may an annotated loop prefetch? [`prefetch`]
//!
//! Form
//! - Is a loop serial and without annotations? Are several loops distinct? [`form`]
//!
//! Places of blocks
//! - May a block move to another loop? [`compute_location`]
//! - May two loop nests, one after the other, become one? [`mergeable`]

pub(crate) mod arg_reduction;
pub mod atomic;
pub(crate) mod barriers;
pub(crate) mod compute_location;
pub(crate) mod cross_thread_reduction;
pub mod exact;
pub(crate) mod execution;
pub(crate) mod form;
pub mod fp;
pub(crate) mod lanes;
pub mod mergeable;
mod obligation;
pub(crate) mod prefetch;
pub mod proof;
pub(crate) mod quick;
pub(crate) mod reduction;
pub(crate) mod scope;
