//! The reference interpreter: the oracle that everything else is compared with.
//!
//! It runs linalg, tensor, graph, arith and math ops by their definitions, functions in the loop
//! dialect, and the scf, memref, vector and gpu ops that loops are lowered to, without converting
//! anything. It is adversarial: what the IR leaves unordered runs in
//! seeded random order, accesses that nothing orders are an error, buffers start undefined, and
//! declared regions and domains are checked. Of affine it has loops and accesses, too.
//!
//! Must not know: conversions, optimisation, lowering, code generation.

mod bank;
mod env;
mod function;
mod graph;
mod meter;
mod nest;
mod race;
pub(crate) mod random;
pub mod scalar;
mod scalar_op;
mod structured;
mod tally;
mod tensor;
mod uses;
pub mod value;
mod vector;
mod view;

pub use env::Env;
pub use tally::Count;
pub use value::{Array, Datum};

use crate::ir::{Error, Op};

/// How to run.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Of the random orders in which unordered work is done.
    pub seed: u64,
    /// More loop iterations than this in one nest, or in one loop of a function, are an error.
    pub max_iterations: u64,
}

/// [`run`] that may take no more than `limit` steps; gives also how many it took, which depends on nothing but
/// the module and the arguments. An error for which [`Error::is_beyond`] says nothing against the module: there
/// is an op or a type that the interpreter does not know, or it takes too many steps.
pub fn run_limited<'c>(
    module: Op<'c>,
    entry: &str,
    arguments: Vec<Datum>,
    options: Options,
    limit: u64,
) -> (Result<Vec<Datum>, Error<'c>>, u64) {
    meter::limited(limit, || run(module, entry, arguments, options))
}

/// Runs function `entry` of a module on its arguments; gives its results. Memref arguments are
/// buffers that the function changes in place.
///
/// # Errors
/// An error at the op: no such function, arguments that do not fit its signature, an op the
/// interpreter does not know, an access out of bounds, use of an undefined value, a conflict of
/// unordered accesses, ...
pub fn run<'c>(
    module: Op<'c>,
    entry: &str,
    arguments: Vec<Datum>,
    options: Options,
) -> Result<Vec<Datum>, Error<'c>> {
    function::run(module, entry, arguments, options)
}

/// The same, and what the schedule blocks in loop nests do, counted while they run; last all together.
///
/// # Errors
/// As of [`run`].
pub fn run_counted<'c>(
    module: Op<'c>,
    entry: &str,
    arguments: Vec<Datum>,
    options: Options,
) -> Result<(Vec<Datum>, Vec<Count>), Error<'c>> {
    function::run_counted(module, entry, arguments, options)
}

/// The same, and how many wavefronts the accesses of kernels to the memory of their thread blocks take.
///
/// # Errors
/// As of [`run`].
pub fn run_banks<'c>(
    module: Op<'c>,
    entry: &str,
    arguments: Vec<Datum>,
    options: Options,
) -> Result<(Vec<Datum>, u64), Error<'c>> {
    function::run_banks(module, entry, arguments, options)
}
