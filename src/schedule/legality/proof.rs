//! Proof obligations of a step, and the policy for undecided ones.
//!
//! Most conditions of a primitive are about form: a loop exists, or it is serial. The others are about
//! semantics: no two conflicting instances may change their order. Those are *obligations*. Each ends as
//! [`Verdict::Proved`], as [`Verdict::Refuted`] with two conflicting instances, or as [`Verdict::Unknown`].
//! A refuted obligation is refused. An unknown one is refused too, unless the step has `proof "assume"`,
//! which its trace records. With `proof "guard"`, a second version of the nest is kept for other sizes: see
//! [`guard`](crate::schedule::rewrite::guard).

use crate::nest::state::State;
use crate::schedule::error::{Reason, ScheduleError};
use crate::schedule::instruction::{Argument, Parameter, ParameterKind};
use crate::schedule::verdict::Verdict;
use tracing::{debug, trace};

/// The policy for obligations that cannot be decided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Policy {
    /// Refuse the step.
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
    summary: "Undecided conditions: \"assume\" takes them as true, \"guard\" adds a run-time test",
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
            (Verdict::Refuted(witness), _) => Err(refusal().shown_by(witness)),
            (Verdict::Unknown(why), _) => {
                Err(ScheduleError { unknown: Some(why.clone()), ..refusal() })
            }
        }
    }
}
