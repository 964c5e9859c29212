//! The reference interpreter: the oracle that compiled code, transformed IR and cost figures are compared with.
//!
//! It runs linalg, tensor, graph, arith and math ops by their definitions, functions in the loop
//! dialect, and the scf, memref, vector and gpu ops that loops are lowered to, without converting
//! anything. Of the affine dialect, it runs loops, branches and accesses. It is adversarial:
//! - work that the IR leaves unordered runs in seeded random order,
//! - conflicting accesses that nothing orders are an error,
//! - buffers start undefined,
//! - declared regions and domains are checked.
//!
//! Must not depend on: conversions, optimisation, lowering, code generation.

mod bank;
mod env;
mod function;
mod graph;
mod meter;
mod narrow_float;
mod nest;
mod race;
pub mod random;
pub mod scalar;
mod scalar_op;
mod structured;
mod tally;
mod tensor;
mod tm_tensor;
mod uses;
pub mod value;
mod vector;
mod view;

pub use env::Env;
pub use tally::OpCounts;
pub use value::{Array, Datum};

use crate::ir::{Error, ModuleRef, op_of};

/// How to run.
#[derive(Clone, Copy, Debug)]
pub struct RunOptions {
    /// The seed of the random orders of unordered work.
    pub seed: u64,
    /// The most loop iterations of one nest, or of one loop of a function; more are an error.
    pub max_iterations: u64,
}

/// [`run`] limited to `limit` steps. Also returns the number of steps taken, which depends only on the module and the
/// arguments. An error for which [`Error::is_beyond`] is true does not mean that the module is wrong: the interpreter
/// does not support an op or a type, or the run exceeds the limit.
pub fn run_limited<'c>(
    module: impl ModuleRef<'c>,
    entry: &str,
    arguments: Vec<Datum>,
    options: RunOptions,
    limit: u64,
) -> (Result<Vec<Datum>, Error<'c>>, u64) {
    meter::limited(limit, || run(module, entry, arguments, options))
}

/// Runs function `entry` of a module on its arguments and returns its results. Memref arguments are
/// buffers that the function changes in place.
///
/// # Errors
/// An error at the op: no such function, arguments that do not match its signature, an op that the
/// interpreter does not support, an access out of bounds, use of an undefined value, a conflict of
/// unordered accesses, ...
pub fn run<'c>(
    module: impl ModuleRef<'c>,
    entry: &str,
    arguments: Vec<Datum>,
    options: RunOptions,
) -> Result<Vec<Datum>, Error<'c>> {
    function::run(op_of(module), entry, arguments, options)
}

/// [`run`] that also counts what the schedule blocks in loop nests do while they run. The last count is the total.
///
/// # Errors
/// Those of [`run`].
pub fn run_counted<'c>(
    module: impl ModuleRef<'c>,
    entry: &str,
    arguments: Vec<Datum>,
    options: RunOptions,
) -> Result<(Vec<Datum>, Vec<OpCounts>), Error<'c>> {
    function::run_counted(op_of(module), entry, arguments, options)
}

/// [`run`] that also counts the wavefronts of the accesses of kernels to shared memory.
///
/// # Errors
/// Those of [`run`].
pub fn run_banks<'c>(
    module: impl ModuleRef<'c>,
    entry: &str,
    arguments: Vec<Datum>,
    options: RunOptions,
) -> Result<(Vec<Datum>, u64), Error<'c>> {
    function::run_banks(op_of(module), entry, arguments, options)
}
