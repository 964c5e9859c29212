//! What has to be proved of a step, and what became of it.
//!
//! Most conditions of a primitive are about form: there is such a loop, it is serial. The others are about
//! meaning: no two instances that touch one cell may change their order. Those are *obligations*. Each ends
//! as [`Verdict::Proved`], as [`Verdict::Refuted`] with two instances that clash, or as
//! [`Verdict::Unknown`]. What is refuted is refused; what is unknown is refused too, unless the step says
//! `proof "assume"`, which its trace shows. With `proof "guard"` a nest for other sizes is kept beside the
//! one that changes: see [`guard`](crate::schedule::rewrite::guard).

use crate::ir::affine::Constraint;
use crate::nest::state::State;
use crate::schedule::error::{Reason, ScheduleError};
use crate::schedule::instruction::{Argument, Parameter, ParameterKind};
use std::fmt;

/// What became of an obligation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    Proved,
    Refuted(Box<Witness>),
    /// Why it could not be decided.
    Unknown(String),
}

/// Two instances that touch one cell and whose order a step would change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    pub first: Instance,
    pub second: Instance,
    pub buffer: String,
    pub cell: Vec<i64>,
    /// The sizes for which it is so, by name.
    pub sizes: Vec<(String, i64)>,
    /// Conditions on the sizes without which there is no such clash.
    pub when: Vec<Constraint>,
    /// What [`Expr::Symbol`](crate::ir::affine::Expr::Symbol) numbers stand for in these.
    pub size_names: Vec<String>,
}

/// An instance of a schedule block that touches a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    pub block: String,
    /// The loops around it, outermost first, and where they stand.
    pub loops: Vec<(String, i64)>,
    pub writes: bool,
}

impl fmt::Display for Witness {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} and {} both touch \"{}\"", self.first, self.second, self.buffer)?;
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
    /// Proved, or unknown.
    pub fn of(is_proved: bool) -> Verdict {
        if is_proved { Verdict::Proved } else { Verdict::Unknown(String::new()) }
    }
}

/// What to do about obligations that cannot be decided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Policy {
    #[default]
    Refuse,
    /// Take it as true: the caller knows.
    Assume,
    /// Take everything as true, even what is refuted. Only for tests, which compare results.
    Force,
}

/// The parameter of primitives that have obligations.
pub(crate) const PROOF: Parameter = Parameter {
    name: "proof",
    kind: ParameterKind::OptionalWord,
    summary: "\"assume\": take as true what cannot be decided; \"guard\": test at run time",
};

/// The obligations of a step.
#[derive(Debug, Default)]
pub struct Proofs {
    policy: Policy,
}

impl Proofs {
    /// The policy that a step asks for by its argument [`PROOF`].
    pub(crate) fn of(state: &State, argument: &Argument) -> Proofs {
        let policy = match argument.optional_text() {
            _ if state.force => Policy::Force,
            Some("assume") => Policy::Assume,
            _ => Policy::Refuse,
        };
        Proofs { policy }
    }

    /// An obligation that the roles of iters decide: what they do not prove is decided by executions.
    pub fn settle(
        &mut self,
        by_roles: Result<(), ScheduleError>,
        by_executions: impl FnOnce() -> Verdict,
    ) -> Result<(), ScheduleError> {
        match by_roles {
            Err(refusal) if self.policy != Policy::Force => match by_executions() {
                // A contract is not for a step to change.
                Verdict::Unknown(_) if matches!(*refusal.reason, Reason::Strict { .. }) => {
                    Err(refusal)
                }
                verdict => self.require(&verdict, || refusal),
            },
            _ => Ok(()),
        }
    }

    /// An obligation that only the roles of iters decide: what they do not prove is unknown.
    pub fn require_by_roles(
        &mut self,
        outcome: Result<(), ScheduleError>,
    ) -> Result<(), ScheduleError> {
        self.settle(outcome, || Verdict::Unknown(String::new()))
    }

    /// An obligation that does not hold, by what the refusal tells.
    pub fn refuted(
        &mut self,
        refusal: impl FnOnce() -> ScheduleError,
    ) -> Result<(), ScheduleError> {
        match self.policy {
            Policy::Force => Ok(()),
            Policy::Refuse | Policy::Assume => Err(refusal()),
        }
    }

    /// An obligation: the refusal is what to say if it does not hold.
    pub fn require(
        &mut self,
        verdict: &Verdict,
        refusal: impl FnOnce() -> ScheduleError,
    ) -> Result<(), ScheduleError> {
        match (verdict, self.policy) {
            (Verdict::Proved, _) | (_, Policy::Force) | (Verdict::Unknown(_), Policy::Assume) => {
                Ok(())
            }
            (Verdict::Refuted(witness), _) => {
                Err(ScheduleError { witness: Some(witness.clone()), ..refusal() })
            }
            (Verdict::Unknown(why), _) => {
                Err(ScheduleError { unknown: Some(why.clone()), ..refusal() })
            }
        }
    }
}
