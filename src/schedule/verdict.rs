//! Verdicts of proof obligations, and the counterexamples of those that are refuted.

use crate::ir::affine::Constraint;
use std::fmt;

/// The outcome of an obligation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The obligation holds for all sizes.
    Proved,
    /// The obligation does not hold: a counterexample.
    Refuted(Box<Witness>),
    /// Could not be decided; the text says why.
    Unknown(String),
}

/// Two conflicting instances whose order a step would change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// The instance that runs first before the step.
    pub first: Instance,
    /// The other instance.
    pub second: Instance,
    /// The name of the buffer that both access.
    pub buffer: String,
    /// The indices of the element that both access.
    pub cell: Vec<i64>,
    /// The sizes of the example, by name.
    pub sizes: Vec<(String, i64)>,
    /// Conditions on the sizes that the conflict needs.
    pub when: Vec<Constraint>,
    /// The names of the [`Expr::Symbol`](crate::ir::affine::Expr::Symbol) numbers in these conditions.
    pub size_names: Vec<String>,
}

/// An instance of a schedule block that accesses an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    /// The name of the schedule block.
    pub block: String,
    /// The loops around it, outermost first, and the values of their variables.
    pub loops: Vec<(String, i64)>,
    /// True if it writes the element.
    pub writes: bool,
}

impl fmt::Display for Witness {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} and {} both access \"{}\"", self.first, self.second, self.buffer)?;
        let numbers: Vec<_> = self.cell.iter().map(i64::to_string).collect();
        write!(f, "[{}]", numbers.join(", "))?;
        match self.sizes.is_empty() {
            true => Ok(()),
            false => write!(f, "; with {}", equations(&self.sizes)),
        }
    }
}

impl fmt::Display for Instance {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.loops.len() {
            0 => {}
            1 => write!(f, "iteration {} of ", equations(&self.loops))?,
            _ => write!(f, "iterations {} of ", equations(&self.loops))?,
        }
        let how = if self.writes { "writes" } else { "reads" };
        write!(f, "\"{}\" ({how})", self.block)
    }
}

fn equations(values: &[(String, i64)]) -> String {
    let equations: Vec<_> =
        values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    equations.join(", ")
}

impl Verdict {
    /// The word in a log.
    pub(crate) fn word(&self) -> &'static str {
        match self {
            Verdict::Proved => "proved",
            Verdict::Refuted(_) => "refuted",
            Verdict::Unknown(_) => "unknown",
        }
    }

    /// `Proved` if true, otherwise `Unknown`.
    pub fn of(is_proved: bool) -> Verdict {
        if is_proved { Verdict::Proved } else { Verdict::Unknown(String::new()) }
    }
}
