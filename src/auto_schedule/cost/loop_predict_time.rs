//! `loop-predict-time`: the predicted time of each nest as text.
//!
//! ```text
//! time @matmul "C": 41.2 us, limited by vector units, 64 tasks
//!   vector units 26.2 us, instructions 20.1 us, chains of additions 0 ns, L1 19.0 us, L2 8.1 us, L3 0 ns, memory 0 ns
//! ```

use super::predict;
use crate::ir::{Error, Op, functions};
use crate::machine::table::{MachineTable, duration};
use crate::nest::rewriter::Direct;
use crate::nest::state::State;
use crate::nest::summary::{NodeId, Summary};
use loopwright_runtime::stderr;
use std::fmt::Write;

/// Prints the predicted time of each nest of the functions of a module to stderr.
///
/// # Errors
/// If an op of the loop dialect is not valid; nothing is printed then.
pub fn print<'c>(module: Op<'c>, table: &MachineTable) -> Result<(), Error<'c>> {
    let text = |function| -> Result<String, Error<'c>> {
        Ok(text(State::new(function, Box::new(Direct))?.summary(), table))
    };
    let texts: Result<Vec<String>, Error> = functions(module).into_iter().map(text).collect();
    stderr::print(format_args!("{}", texts?.concat()));
    Ok(())
}

fn text(summary: &Summary, table: &MachineTable) -> String {
    let mut text = String::new();
    let roots = summary.nodes[NodeId::FUNCTION].children.iter().copied();
    let roots: Vec<NodeId> = roots.filter(|root| !summary.leaves(*root).is_empty()).collect();
    for (root, time) in roots.iter().zip(predict(summary, &roots, table)) {
        let leaves = summary.leaves(*root);
        let names: Vec<String> =
            leaves.iter().map(|leaf| format!("\"{}\"", summary.name(*leaf))).collect();
        let units: Vec<String> =
            time.units.iter().map(|it| format!("{} {}", it.unit, duration(it.ns))).collect();
        let _ = writeln!(
            text,
            "time @{} {}: {time}, {} tasks\n  {}",
            summary.function,
            names.join(", "),
            time.tasks,
            units.join(", ")
        );
    }
    text
}
