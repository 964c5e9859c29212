//! `query`: report names, nests, producers and consumers as remarks, without changing the IR.
//!
//! ```text
//!   ->  query "C*" what "loops"      remark: query: loops of "C": "C:i", "C:j"
//!   ->  query "C*:j*" what "find"    remark: query: "C*:j*": "C:j", "C.tail:j"
//! ```
//! The pattern matches names of schedule blocks or, if it contains `:`, of loops; `*` matches any text, `?` any
//! character. Without a pattern all blocks match.
//! - `find`: the matching names; `nest`: the nest as text, with the matches underlined
//! - `loops`, `producers`, `consumers` of each block; `children`, `parent`, `next`, `previous` of each block or loop
//! - `inlining`: what `compute_inline` of each block would cost, or why it would be refused
//! - `mergeable`: how many loops, from each loop inwards, could be merged with the loops of the next nest, and why not
//!   more
//! - `outputs`: the blocks that write arguments of the function; `buffers`: the buffers whose names match
//!
//! Requires
//! - (C1) the pattern matches a block or a loop, except for `buffers`
//! - (C2) `what` is one of the words above
//! - (C3) the pattern is for names of blocks, not of loops, if `what` is `loops`, `producers`, `consumers`, `inlining`,
//!   `outputs` and `buffers`

use crate::ir::remark;
use crate::nest::state::State;
use crate::nest::summary::{NodeId, Summary};
use crate::schedule::error::{Reason, ScheduleError};
use crate::schedule::primitive::declaration::primitive;
use crate::schedule::query::{self, What};

primitive! {
    "Report loops, producers, the loop nest and other facts, without changing the IR"
    /// The answers are remarks. The other methods for queries return them as values.
    query(
        pattern: Pattern = "Pattern of names of schedule blocks, or of loops as block:loop (default: all blocks)",
        what: Word = "find, loops, children, producers, consumers, parent, next, previous, outputs, \
                      buffers, nest, inlining or mergeable"
    ) -> ();
    near_atomic;
    |state| query(state, pattern, what)
}

/// Emits the answers as remarks.
pub fn query(state: &mut State, pattern: &str, what: &str) -> Result<(), ScheduleError> {
    for (node, text) in check(state.summary(), pattern, what)? {
        remark(state.op(node).location(), &format!("query: {text}"));
    }
    Ok(())
}

pub fn check(
    summary: &Summary,
    pattern: &str,
    what: &str,
) -> Result<Vec<(NodeId, String)>, ScheduleError> {
    let question = What::ALL.iter().copied().find(|question| question.word() == what);
    let question = question.ok_or_else(|| {
        let words: Vec<_> = What::ALL.iter().map(|question| question.word()).collect();
        Reason::NoQuestion(what.to_owned(), words.join(", ")).at(NodeId::FUNCTION, 2)
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
        return Err(Reason::OnlyBlocks(pattern.to_owned(), what.to_owned()).at(NodeId::FUNCTION, 3));
    }
    if question != What::Buffers && query::find(summary, pattern).is_empty() {
        return Err(Reason::NoMatch(pattern.to_owned()).at(NodeId::FUNCTION, 1));
    }
    query::ask(summary, pattern, question)
}
