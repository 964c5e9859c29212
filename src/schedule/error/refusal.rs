//! A refusal: its reason and its location in the nest.

use super::Reason;
use crate::ir::Error;
use crate::nest::render;
use crate::nest::state::State;
use crate::nest::summary::{NodeId, Summary};
use crate::schedule::verdict::Witness;

/// A refusal: the reason, the condition that does not hold, and the location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScheduleError {
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

impl ScheduleError {
    pub fn note(mut self, node: NodeId, text: impl Into<String>) -> Self {
        self.related.push((node, text.into()));
        self
    }

    /// The message: "split: factors multiply to 28, extent is 30 (C3)".
    pub fn message(&self, primitive: &str) -> String {
        let shown = match (&self.witness, &self.unknown) {
            (Some(witness), _) => format!(": {witness}"),
            (None, Some(why)) if why.is_empty() => "; proof \"assume\" takes it as true".into(),
            (None, Some(why)) => format!(": {why}; proof \"assume\" takes it as true"),
            (None, None) => String::new(),
        };
        let guard =
            if self.unguarded { "; no condition on sizes was found that guards it" } else { "" };
        let text = format!("{}: {}{shown}{guard}", primitive, self.reason);
        match self.condition {
            0 => text,
            condition => format!("{text} (C{condition})"),
        }
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
