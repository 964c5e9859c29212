//! The history of names in a function: which step removed which name, for messages.

use crate::nest::summary::Summary;
use crate::schedule::error::{Reason, ScheduleError};
use crate::schedule::instruction::Instruction;
use std::collections::HashMap;

/// Prefix of buffer names, because a block may have the same name.
const BUFFER: &str = "buffer ";

/// The steps applied to a function, and the names that existed before them.
#[derive(Clone, Debug, Default)]
pub struct History {
    steps: Vec<Instruction>,
    /// For each name the number of the last step before which it existed. If the name no longer exists,
    /// that step removed it.
    last_seen: HashMap<String, usize>,
}

impl History {
    /// The number of the next step.
    pub fn next(&self) -> usize {
        self.steps.len() + 1
    }

    /// Records a step and the [`names`] that existed before it.
    pub fn done(&mut self, step: Instruction, before: Vec<String>) {
        self.steps.push(step);
        let number = self.steps.len();
        self.last_seen.extend(before.into_iter().map(|name| (name, number)));
    }

    /// If a refusal is about a name that a step removed, reports that step as the reason.
    pub fn explained(&self, error: ScheduleError) -> ScheduleError {
        let name = match &*error.reason {
            Reason::NoBlock { name, .. } => name.clone(),
            Reason::NoLoop { block, name, .. } => format!("{block}:{name}"),
            Reason::NoBuffer { name, .. } => format!("{BUFFER}{name}"),
            _ => return error,
        };
        let Some(step) = self.last_seen.get(&name).copied() else { return error };
        let name = name.trim_start_matches(BUFFER).to_owned();
        let reason = Reason::Removed { name, step, by: self.steps[step - 1].script() };
        ScheduleError { reason: Box::new(reason), ..error }
    }
}

/// All names of loops, blocks and buffers.
pub fn names(summary: &Summary) -> Vec<String> {
    let mut names = vec![];
    for (node, block) in summary.blocks() {
        names.push(block.name.clone());
        let loops = summary.loops_around(node).filter_map(|l| summary.as_loop(l));
        names.extend(loops.map(|this| format!("{}:{}", block.name, this.name)));
    }
    names.extend(summary.buffers.values().map(|buffer| format!("{BUFFER}{}", buffer.name)));
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nest::summary::{Buffer, Node, NodeId, NodeKind};
    use crate::schedule::instruction::Argument;
    use crate::schedule::primitive::location::compute_inline;

    /// A function that uses one buffer.
    fn function(buffer: &str) -> Summary {
        let buffer = Buffer {
            name: buffer.into(),
            scope: None,
            shape: vec![],
            escapes: false,
            element_bytes: None,
            allocated: vec![],
            room: Default::default(),
            is_float: false,
            has_lifted_transforms: false,
            is_between_groups: false,
        };
        let root = Node { parent: None, children: vec![], kind: NodeKind::Function };
        let mut summary = Summary::default();
        summary.nodes.push(root);
        summary.buffers.push(buffer.into());
        summary
    }

    #[test]
    fn buffers_that_are_gone_say_where_they_went() {
        let arguments = vec![Argument::Text("T".into()), Argument::OptionalText(None)];
        let step = Instruction { primitive: &compute_inline::PRIMITIVE, arguments };
        let mut history = History::default();
        history.done(step, names(&function("T")));
        let absent = |name: &str| {
            let reason = Reason::NoBuffer { name: name.into(), present: "none".into() };
            history.explained(reason.at(NodeId::FUNCTION, 1)).reason.to_string()
        };
        assert_eq!(
            absent("T"),
            "\"T\" was removed by step 1: transform.sched.compute_inline \"T\" in %f"
        );
        assert_eq!(absent("U"), "there is no buffer \"U\", there are none");
        let block = Reason::NoBlock { name: "T".into(), present: "none".into() };
        let block = history.explained(block.at(NodeId::FUNCTION, 1)).reason.to_string();
        assert_eq!(
            block,
            "there is no schedule block \"T\", there are none: --convert-linalg-to-loop makes schedule blocks of linalg ops"
        );
    }
}
