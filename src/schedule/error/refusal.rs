//! A refusal: its reason and its location in the nest.

use super::{
    AtomicReason, BufferReason, LayoutReason, LibraryReason, LocationReason, PrefetchReason,
    Reason, ReductionReason, SamplingReason, SplitReason, TensorReason, ThreadsReason,
};
use crate::ir::Error;
use crate::nest::render;
use crate::nest::state::State;
use crate::nest::summary::{NodeId, Summary};
use crate::schedule::verdict::Witness;
use std::fmt;

/// A refusal: the reason, the condition that does not hold, and the location.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct ScheduleError {
    /// What was found and what was expected.
    pub reason: Box<Reason>,
    /// The number of the condition in the head of the primitive's file; 0 if no numbered condition applies.
    pub condition: u8,
    /// The node that the refusal is about.
    pub at: NodeId,
    /// Related nodes, each with a note.
    pub related: Vec<(NodeId, String)>,
    /// Two instances as counterexample, if the condition is about instances.
    pub witness: Option<Box<Witness>>,
    /// Why the condition could not be decided, if it could not.
    pub unknown: Option<String>,
    /// True if no condition on sizes was found under which the step would be legal.
    pub unguarded: bool,
}

impl Reason {
    /// True if the step would change nothing: this is reported as a remark, and the step is taken as done.
    pub fn is_without_effect(&self) -> bool {
        matches!(self, Reason::NoEffect | Reason::Buffer(BufferReason::ScopeSet { .. }))
    }

    /// A refusal because condition (C`condition`) does not hold at a node.
    pub fn at(self, node: NodeId, condition: u8) -> ScheduleError {
        ScheduleError {
            reason: Box::new(self),
            condition,
            at: node,
            related: vec![],
            witness: None,
            unknown: None,
            unguarded: false,
        }
    }
}

/// Gives the enums of topics `at`, which refuses as [`Reason::at`] does.
macro_rules! refuse_by_topic {
    ($($topic:ident($reasons:ident)),* $(,)?) => {$(
        impl $reasons {
            /// A refusal because condition (C`condition`) does not hold at a node.
            pub fn at(self, node: NodeId, condition: u8) -> ScheduleError {
                Reason::$topic(self).at(node, condition)
            }
        }
    )*};
}

refuse_by_topic! {
    Atomic(AtomicReason),
    Buffer(BufferReason),
    Layout(LayoutReason),
    Library(LibraryReason),
    Location(LocationReason),
    Prefetch(PrefetchReason),
    Reduction(ReductionReason),
    Sampling(SamplingReason),
    Split(SplitReason),
    Tensor(TensorReason),
    Threads(ThreadsReason),
}

/// The message without the name of the primitive.
impl fmt::Display for ScheduleError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}", self.reason)?;
        match (&self.witness, &self.unknown) {
            (Some(witness), _) => write!(f, ": {witness}")?,
            (None, Some(why)) if why.is_empty() => {
                f.write_str("; proof \"assume\" takes it as true")?
            }
            (None, Some(why)) => write!(f, ": {why}; proof \"assume\" takes it as true")?,
            (None, None) => {}
        }
        if self.unguarded {
            f.write_str("; no condition on sizes was found that guards it")?;
        }
        match self.condition {
            0 => Ok(()),
            condition => write!(f, " (C{condition})"),
        }
    }
}

impl ScheduleError {
    /// The refusal with a note on a related node.
    pub fn note(mut self, node: NodeId, text: impl Into<String>) -> Self {
        self.related.push((node, text.into()));
        self
    }

    /// The refusal with a counterexample. A reason that names another pair of schedule blocks, or another buffer, is
    /// replaced by that of the counterexample.
    pub(crate) fn shown_by(mut self, witness: &Witness) -> Self {
        let (one, other) = (&witness.first.block, &witness.second.block);
        if let Reason::Dependence { first, second, buffer } = &*self.reason {
            let is_pair = (one, other) == (first, second) || (one, other) == (second, first);
            if !is_pair {
                self.related.clear();
            }
            let buffer_of = witness.buffer.clone();
            if one == other {
                let block = one.clone();
                *self.reason = Reason::OwnDependence { block, buffer: buffer_of };
            } else if !is_pair || *buffer != witness.buffer {
                let (first, second) = (one.clone(), other.clone());
                *self.reason = Reason::Dependence { first, second, buffer: buffer_of };
            }
        }
        self.witness = Some(Box::new(witness.clone()));
        self
    }

    /// The message: "split: factors multiply to 28, extent is 30 (C3)".
    pub fn message(&self, primitive: &str) -> String {
        format!("{primitive}: {self}")
    }

    /// The nest as text, with the nodes that the error is about underlined.
    pub fn explain(&self, summary: &Summary) -> String {
        let related = self.related.iter().map(|(node, text)| (*node, text.as_str()));
        let marks: Vec<_> = std::iter::once((self.at, "here")).chain(related).collect();
        render::nest(summary, &marks)
    }

    /// The diagnostic, at the op that the refusal is about. With `explain`, a note shows the nest.
    pub fn located<'c>(&self, state: &State<'c>, primitive: &str, explain: bool) -> Error<'c> {
        let mut error = Error::on(state.op(self.at), self.message(primitive));
        for (node, text) in &self.related {
            error = error.note(state.op(*node).location(), text);
        }
        if explain {
            let nest = self.explain(state.summary());
            error = error.note(state.op(self.at).location(), format!("in this nest:\n{nest}"));
        }
        error
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::error::SplitReason;

    #[test]
    fn a_refusal_is_an_error_of_std() {
        let node = NodeId::from_u32(0);
        let refusal = SplitReason::FewFactors(1).at(node, 2);
        assert_eq!(refusal.message("split"), "split: found 1 factors, expected two or more (C2)");
        let boxed: Box<dyn std::error::Error> = refusal.into();
        assert_eq!(boxed.to_string(), "found 1 factors, expected two or more (C2)");
        let assumed = ScheduleError {
            unknown: Some("x".into()),
            unguarded: true,
            ..SplitReason::FewFactors(1).at(node, 0)
        };
        let text = "found 1 factors, expected two or more: x; proof \"assume\" takes it as true; no \
                    condition on sizes was found that guards it";
        assert_eq!(assumed.to_string(), text);
    }
}
