//! An obligation while it is decided: the budget of its proof, and the span that logs the proof.

use crate::analysis::system::Budget;
use crate::schedule::verdict::Verdict;
use std::ops::{Deref, DerefMut};
use tracing::span::EnteredSpan;
use tracing::{field, trace_span};

/// The proof of an obligation. It is used as the budget of the proof.
pub(crate) struct Obligation {
    budget: Budget,
    /// The work within other budgets.
    beyond: u64,
    span: EnteredSpan,
}

impl Obligation {
    /// Begins a proof; `name` is logged.
    pub(crate) fn of(name: &'static str) -> Obligation {
        let span = trace_span!(
            target: "loopwright::legality",
            "proof",
            name = %name,
            verdict = field::Empty,
            why = field::Empty,
            work = field::Empty
        );
        Obligation { budget: Budget::default(), beyond: 0, span: span.entered() }
    }

    /// Adds the work of a part that has a budget of its own.
    pub(crate) fn add(&mut self, own: &Budget) {
        self.beyond += own.spent();
    }

    /// Ends the proof.
    pub(crate) fn end(self, verdict: Verdict) -> Verdict {
        if self.span.is_disabled() {
            return verdict;
        }
        self.span.record("work", self.budget.spent() + self.beyond);
        self.span.record("verdict", field::display(verdict.word()));
        match &verdict {
            Verdict::Proved => {}
            Verdict::Refuted(witness) => {
                self.span.record("why", field::display(witness));
            }
            Verdict::Unknown(why) => {
                self.span.record("why", field::display(why));
            }
        }
        verdict
    }
}

impl Deref for Obligation {
    type Target = Budget;

    fn deref(&self) -> &Budget {
        &self.budget
    }
}

impl DerefMut for Obligation {
    fn deref_mut(&mut self) -> &mut Budget {
        &mut self.budget
    }
}
