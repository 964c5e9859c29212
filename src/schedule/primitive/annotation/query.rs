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
//! - (C3) if `what` is `loops`, `producers`, `consumers`, `inlining` or `outputs`, the pattern is for names of blocks,
//!   not of loops; if it is `buffers`, for names of buffers

use crate::dialect::loop_enums::keyword_enum;
use crate::ir::remark;
use crate::nest::render;
use crate::nest::state::State;
use crate::nest::summary::{Body, NodeId, Summary};
use crate::schedule::error::{Reason, ScheduleError};
use crate::schedule::legality::mergeable::{Fusable, are_fusable};
use crate::schedule::legality::proof::Proofs;
use crate::schedule::primitive::declaration::primitive;
use crate::schedule::primitive::location::compute_inline;
use crate::schedule::query;

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

keyword_enum! {
    /// The kinds of queries.
    What {
        /// The names that match.
        Find = 0, "find";
        /// The loops of each block.
        Loops = 1, "loops";
        /// The statements directly in each block or loop.
        Children = 2, "children";
        /// The blocks that write what each block reads.
        Producers = 3, "producers";
        /// The blocks that read what each block writes.
        Consumers = 4, "consumers";
        /// What encloses each block or loop.
        Parent = 5, "parent";
        /// The statement after each block or loop.
        Next = 6, "next";
        /// The statement before each block or loop.
        Previous = 7, "previous";
        /// The blocks that write arguments of the function.
        Outputs = 8, "outputs";
        /// The buffers whose names match.
        Buffers = 9, "buffers";
        /// The nest as text, with the matches underlined.
        Nest = 10, "nest";
        /// The cost of `compute_inline` for each block, or why it would be refused.
        Inlining = 11, "inlining";
        /// How many loops could be merged with those of the next nest.
        Mergeable = 12, "mergeable";
    }
}

/// Emits the answers as remarks.
pub fn query(state: &mut State, pattern: &str, what: &str) -> Result<(), ScheduleError> {
    for (node, text) in check(state.summary(), pattern, what)? {
        remark(state.op(node).location(), &format!("query: {text}"));
    }
    Ok(())
}

pub(crate) fn check(
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
    ask(summary, pattern, question)
}

/// Answers a query for all names that a pattern matches: each with the node and the text.
fn ask(
    summary: &Summary,
    pattern: &str,
    what: What,
) -> Result<Vec<(NodeId, String)>, ScheduleError> {
    let listed = |names: Vec<String>| match names.is_empty() {
        true => "none".to_owned(),
        false => names.iter().map(|n| format!("\"{n}\"")).collect::<Vec<_>>().join(", "),
    };
    let matching = |names: Vec<String>| {
        names.into_iter().filter(|n| query::matches(pattern, n)).collect::<Vec<_>>()
    };
    let found = query::find(summary, pattern);
    match what {
        What::Find => {
            return Ok(vec![(NodeId::FUNCTION, format!("\"{pattern}\": {}", listed(found)))]);
        }
        What::Outputs => {
            return Ok(vec![(
                NodeId::FUNCTION,
                format!("outputs: {}", listed(matching(query::outputs(summary)))),
            )]);
        }
        What::Buffers => {
            return Ok(vec![(
                NodeId::FUNCTION,
                format!("buffers: {}", listed(matching(query::buffers(summary)))),
            )]);
        }
        What::Nest => {
            let marked = found.iter().filter(|_| pattern != "*");
            let nodes =
                marked.map(|name| query::node(summary, name)).collect::<Result<Vec<_>, _>>()?;
            let marks: Vec<_> = nodes.into_iter().map(|n| (n, "here")).collect();
            return Ok(vec![(
                NodeId::FUNCTION,
                format!("nest:\n{}", render::nest(summary, &marks)),
            )]);
        }
        _ => {}
    }
    let answer = |name: &String| {
        if what == What::Inlining {
            return Ok((
                query::node(summary, name)?,
                format!("{what} of \"{name}\": {}", inlining(summary, name)),
            ));
        }
        if what == What::Mergeable {
            let text = mergeable(summary, name)?;
            return Ok((query::node(summary, name)?, format!("{what} of \"{name}\": {text}")));
        }
        let names = match what {
            What::Loops => query::loops(summary, name)?,
            What::Children => query::children(summary, name)?,
            What::Producers => query::producers(summary, name)?,
            What::Consumers => query::consumers(summary, name)?,
            What::Parent => query::parent(summary, name)?.into_iter().collect(),
            What::Next => query::beside(summary, name, true)?.into_iter().collect(),
            _ => query::beside(summary, name, false)?.into_iter().collect(),
        };
        Ok((query::node(summary, name)?, format!("{what} of \"{name}\": {}", listed(names))))
    };
    found.iter().map(answer).collect()
}

/// The cost of `compute_inline` for a block: how often its values are computed before and after, and how
/// many operations that adds. Or why it is refused.
fn inlining(summary: &Summary, block: &str) -> String {
    let plan = match compute_inline::check(summary, block, &mut Proofs::default()) {
        Ok(plan) => plan,
        Err(error) => return format!("refused: {}", error.reason),
    };
    let times = |node: NodeId| -> Option<i64> {
        let mut loops = summary.loops_around(node).filter_map(|n| summary.as_loop(n));
        loops.try_fold(1i64, |times, this| times.checked_mul(this.constant_extent()?))
    };
    let loads = |node: NodeId| {
        let of = summary.as_block(node).expect("a block");
        of.loads().filter(|load| load.buffer == plan.buffer).count()
    };
    let operations = match summary.as_block(plan.producer).map(|block| &block.body) {
        Some(Body::Leaf { operations, .. }) => *operations,
        _ => 0,
    };
    let of_reader =
        |reader: &NodeId| times(*reader)?.checked_mul(i64::try_from(loads(*reader)).ok()?);
    let then = plan.readers.iter().try_fold(0i64, |sum, r| sum.checked_add(of_reader(r)?));
    let what = format!("{operations} operations per value");
    match times(plan.producer).zip(then) {
        Some((now, then)) => {
            let more = (then - now).saturating_mul(i64::try_from(operations).unwrap_or(i64::MAX));
            format!("{what}, computed {now} times, then {then} times: {more:+} operations")
        }
        None => {
            let read: Vec<String> = plan
                .readers
                .iter()
                .map(|reader| {
                    format!("{} in each instance of \"{}\"", loads(*reader), summary.name(*reader))
                })
                .collect();
            format!("{what}, computed once, then {}", read.join(", "))
        }
    }
}

/// How many loops, from this one inwards, may be fused with those of the next sibling, and what limits the
/// depth.
fn mergeable(summary: &Summary, target: &str) -> Result<String, ScheduleError> {
    let node = query::node(summary, target)?;
    let parent = summary.nodes[node].parent.expect("the function is around it");
    let siblings = &summary.nodes[parent].children;
    let place = siblings.iter().position(|n| *n == node).expect("it is a child of its parent");
    let Some(next) = siblings.get(place + 1).copied() else {
        return Ok("there is no next statement".into());
    };
    let mut depth = 0;
    let limit = loop {
        match are_fusable(summary, node, next, depth + 1) {
            Fusable::Proved => depth += 1,
            limit => break limit,
        }
    };
    let name = summary.name(next);
    Ok(match depth {
        0 => format!("not with \"{name}\", {limit}"),
        1 => format!("1 loop with \"{name}\"; no more, {limit}"),
        _ => format!("{depth} loops with \"{name}\"; no more, {limit}"),
    })
}
