//! Proof obligations of a step: verdicts, witnesses and the policy for undecided ones.
//!
//! Most conditions of a primitive are about form: a loop exists, or it is serial. The others are about
//! semantics: no two conflicting instances may change their order. Those are *obligations*. Each ends as
//! [`Verdict::Proved`], as [`Verdict::Refuted`] with two conflicting instances, or as [`Verdict::Unknown`].
//! A refuted obligation is refused. An unknown one is refused too, unless the step has `proof "assume"`,
//! which its trace records. With `proof "guard"`, a second version of the nest is kept for other sizes: see
//! [`guard`](crate::schedule::rewrite::guard).

use crate::ir::affine::Constraint;
use crate::nest::state::State;
use crate::schedule::error::{Reason, ScheduleError};
use crate::schedule::table::{Argument, Parameter, ParameterKind};
use std::fmt;
use tracing::{debug, trace};

/// The outcome of an obligation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    Proved,
    Refuted(Box<Witness>),
    /// Could not be decided; the text says why.
    Unknown(String),
}

/// Two conflicting instances whose order a step would change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    pub first: Instance,
    pub second: Instance,
    pub buffer: String,
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
    pub block: String,
    /// The loops around it, outermost first, and the values of their variables.
    pub loops: Vec<(String, i64)>,
    pub writes: bool,
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
    /// `Proved` if true, otherwise `Unknown`.
    pub fn of(is_proved: bool) -> Verdict {
        if is_proved { Verdict::Proved } else { Verdict::Unknown(String::new()) }
    }
}

/// The policy for obligations that cannot be decided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Policy {
    #[default]
    Refuse,
    /// Assume them: the user takes the responsibility.
    Assume,
    /// Assume all obligations, even refuted ones. Only for tests that compare results.
    Force,
}

/// The `proof` parameter of primitives that have obligations.
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
    /// The policy that a step states by its argument [`PROOF`].
    pub(crate) fn of(state: &State, argument: &Argument) -> Proofs {
        let policy = match argument.optional_text() {
            _ if state.force => Policy::Force,
            Some("assume") => Policy::Assume,
            _ => Policy::Refuse,
        };
        Proofs { policy }
    }

    /// Requires an obligation that the roles of iters may prove. If they do not, the dependence analysis
    /// decides.
    pub fn settle(
        &mut self,
        by_roles: Result<(), ScheduleError>,
        by_executions: impl FnOnce() -> Verdict,
    ) -> Result<(), ScheduleError> {
        match by_roles {
            Err(refusal) if self.policy != Policy::Force => match by_executions() {
                // `proof "assume"` cannot override the floating-point contract.
                Verdict::Unknown(_) if matches!(*refusal.reason, Reason::Strict { .. }) => {
                    Err(refusal)
                }
                verdict => self.require(&verdict, || refusal),
            },
            _ => {
                trace!(target: "loopwright::legality", "proved by the roles of iters");
                Ok(())
            }
        }
    }

    /// Requires an obligation that only the roles of iters can prove. If they do not, it is unknown.
    pub fn require_by_roles(
        &mut self,
        outcome: Result<(), ScheduleError>,
    ) -> Result<(), ScheduleError> {
        self.settle(outcome, || Verdict::Unknown(String::new()))
    }

    /// Fails an obligation that is refuted without a witness.
    pub fn refuted(
        &mut self,
        refusal: impl FnOnce() -> ScheduleError,
    ) -> Result<(), ScheduleError> {
        match self.policy {
            Policy::Force => Ok(()),
            Policy::Refuse | Policy::Assume => Err(refusal()),
        }
    }

    /// Requires an obligation with the given verdict. `refusal` is the error if it does not hold.
    pub fn require(
        &mut self,
        verdict: &Verdict,
        refusal: impl FnOnce() -> ScheduleError,
    ) -> Result<(), ScheduleError> {
        match (verdict, self.policy) {
            (Verdict::Proved, _) | (_, Policy::Force) => Ok(()),
            (Verdict::Unknown(why), Policy::Assume) => {
                debug!(target: "loopwright::legality", %why, "assumed");
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
