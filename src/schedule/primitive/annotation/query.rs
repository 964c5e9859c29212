//! `query`: say what there is, and change nothing.
//!
//! ```text
//!   ->  query "C*" what "loops"      remark: query: loops of "C": "C:i", "C:j"
//!   ->  query "C*:j*" what "find"    remark: query: "C*:j*": "C:j", "C.tail:j"
//! ```
//! The pattern is of names of schedule blocks, or with `:` of loops; `*` stands for any text, `?` for any
//! character. Without one it matches all blocks.
//! - `find`: the names; `nest`: the nest as text, what matches underlined
//! - `loops`, `producers`, `consumers` of each block; `children`, `parent`, `next`, `previous` of each block
//!   or loop
//! - `inlining`: what `compute_inline` of each block would cost, or why it is refused
//! - `mergeable`: how many loops from each loop inwards could be one with those of the loop behind it, and why
//!   not more
//! - `outputs`, blocks that write arguments of the function, and `buffers`, of names that match
//!
//! Requires
//! - (C1) a pattern that matches a block or a loop, but for `buffers`
//! - (C2) one of these questions
//! - (C3) a pattern of blocks for `loops`, `producers`, `consumers`, `inlining`, `outputs` and `buffers`

use crate::ir::remark;
use crate::nest::state::State;
use crate::nest::summary::{NodeId, Summary};
use crate::schedule::error::{Reason, ScheduleError};
use crate::schedule::query::{self, What};
use crate::schedule::table::{Parameter, ParameterKind, Primitive};

pub const PRIMITIVE: Primitive = Primitive {
    name: "query",
    pass: "sched-query",
    summary: "Say what there is, and change nothing",
    parameters: &[
        Parameter {
            name: "pattern",
            kind: ParameterKind::Pattern,
            summary: "Of names of schedule blocks, or of loops as block:loop (default: all blocks)",
        },
        Parameter {
            name: "what",
            kind: ParameterKind::Word,
            summary: "find, loops, children, producers, consumers, parent, next, previous, outputs, \
                      buffers, nest, inlining or mergeable",
        },
    ],
    apply: |state, arguments| query(state, arguments[0].text(), arguments[1].text()),
};

/// Emits the answers as remarks.
pub fn query(state: &mut State, pattern: &str, what: &str) -> Result<Vec<String>, ScheduleError> {
    for (node, text) in check(state.summary(), pattern, what)? {
        remark(state.op(node).location(), &format!("query: {text}"));
    }
    Ok(vec![])
}

pub fn check(
    summary: &Summary,
    pattern: &str,
    what: &str,
) -> Result<Vec<(NodeId, String)>, ScheduleError> {
    let question = What::ALL.iter().copied().find(|question| question.word() == what);
    let question = question.ok_or_else(|| {
        let words: Vec<_> = What::ALL.iter().map(|question| question.word()).collect();
        Reason::NoQuestion(what.to_owned(), words.join(", ")).at(0, 2)
    })?;
    let only_blocks = matches!(
        question,
        What::Loops
            | What::Producers
            | What::Consumers
            | What::Inlining
            | What::Outputs
            | What::Buffers
    );
    if only_blocks && pattern.contains(':') {
        return Err(Reason::OnlyBlocks(pattern.to_owned(), what.to_owned()).at(0, 3));
    }
    if question != What::Buffers && query::find(summary, pattern).is_empty() {
        return Err(Reason::NoMatch(pattern.to_owned()).at(0, 1));
    }
    query::ask(summary, pattern, question)
}
