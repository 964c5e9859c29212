//! Reports groups, and why two ops are in one group or not.

use super::dataflow::Dataflow;
use super::form;
use super::groups::Groups;
use super::kind::unequal;
use super::rules::Refusal;
use crate::analysis::op_cost::{is_arithmetic, is_function};
use crate::ir::{Error, Location, Op, remark, walk};

/// Reports the groups, and the verdict on each value that flows between two ops.
pub fn explain(flow: &Dataflow, groups: &Groups) {
    for members in groups.members.iter().filter(|members| form::is_formed(flow, members)) {
        let ops: Vec<Op> = members.iter().map(|node| flow.nodes[*node].op).collect();
        let words: Vec<String> = members
            .iter()
            .map(|node| {
                format!("{} ({})", word(flow.nodes[*node].op), flow.nodes[*node].facts.kind)
            })
            .collect();
        let (read, written) = groups.bytes(flow, members);
        let message =
            format!("group of {}: reads {read} bytes, writes {written} bytes", words.join(", "));
        remark(ops[0].location(), &message);
    }
    for edge in (0..flow.edges.len()).filter(|edge| flow.edges[*edge].is_read) {
        report(flow, groups, edge);
    }
}

/// The sizes that would have to be equal so that a reader that moves elements keeps them in their dimensions, as words that
/// follow a refusal.
fn sizes_to_equate(flow: &Dataflow, refusal: &Refusal, reader: Op) -> String {
    let is_about_places = matches!(
        refusal,
        Refusal::NotPointwise | Refusal::NoSharedRows | Refusal::Recomputed { .. }
    );
    let unequal = match is_about_places {
        true => unequal(reader, &flow.sizes),
        false => vec![],
    };
    let texts: Vec<String> = unequal
        .iter()
        .map(|(one, other)| {
            format!("{} would have to equal {}", flow.sizes.text(one), flow.sizes.text(other))
        })
        .collect();
    if texts.is_empty() { String::new() } else { format!("; {}", texts.join(" and ")) }
}

/// Reports the verdict on a value.
fn report(flow: &Dataflow, groups: &Groups, edge: usize) {
    let verdict = match &groups.verdicts[edge] {
        Ok(rule) => format!("fused, {rule}"),
        Err(why) => {
            let reader = flow.nodes[flow.edges[edge].to].op;
            format!("not fused: {why}{}", sizes_to_equate(flow, why, reader))
        }
    };
    let edge = &flow.edges[edge];
    let [from, to] = [edge.from, edge.to].map(|node| flow.nodes[node].op);
    let place = place(from.location()).map(|place| format!(" at {place}")).unwrap_or_default();
    let message =
        format!("{} reads {} bytes from {}{place}: {verdict}", word(to), edge.bytes, word(from));
    remark(to.location(), &message);
}

/// Reports why two ops are in one group or not.
pub fn why_not<'c>(
    function: Op<'c>,
    flow: &Dataflow<'c>,
    groups: &Groups,
    pair: &[String; 2],
) -> Result<(), Error<'c>> {
    let find = |name: &String| {
        let found = flow.nodes.iter().position(|node| is_called(node.op.location(), name));
        found.ok_or_else(|| {
            let places: Vec<String> =
                flow.nodes.iter().filter_map(|node| place(node.op.location())).collect();
            Error::on(
                function,
                format!(
                    "is given why-not={name}, expected the line or the name of an op on tensors: {}",
                    places.join(", ")
                ),
            )
        })
    };
    let (one, other) = (find(&pair[0])?, find(&pair[1])?);
    if one == other {
        let message =
            format!("is given why-not={},{}, expected two ops, these are one", pair[0], pair[1]);
        return Err(Error::on(function, message));
    }
    let mut between = (0..flow.edges.len()).filter(|edge| {
        let edge = &flow.edges[*edge];
        edge.is_read && [[one, other], [other, one]].contains(&[edge.from, edge.to])
    });
    match between.next() {
        Some(edge) => report(flow, groups, edge),
        None => {
            let is_same = groups.of_node[one] == groups.of_node[other];
            let verdict = match is_same {
                true => "they are in one group, by the values that connect them",
                false => "not fused: neither reads a value of the other; one would have to",
            };
            let [one, other] = [one, other].map(|node| flow.nodes[node].op);
            remark(other.location(), &format!("{} and {}: {verdict}", word(one), word(other)));
        }
    }
    Ok(())
}

/// True if a location has a name, or is on a line.
fn is_called(location: Location, name: &str) -> bool {
    let is_it = |part: &Location| {
        part.name().is_some_and(|(found, _)| found == name)
            || part.file().is_some_and(|(_, line, _)| line.to_string() == name)
    };
    let inner = location.name().map(|(_, inner)| inner);
    is_it(&location)
        || inner.is_some_and(|inner| is_called(inner, name))
        || location
            .parts()
            .into_iter()
            .filter(|part| *part != location)
            .any(|it| is_called(it, name))
}

/// The name of a location, or its line.
fn place(location: Location) -> Option<String> {
    let named = location.name().map(|(name, _)| name.to_owned());
    let line = || location.file().map(|(_, line, _)| format!("line {line}"));
    let part = || location.parts().into_iter().filter(|part| *part != location).find_map(place);
    named.or_else(line).or_else(part)
}

/// A word for what an op computes: the name of a named op, or of the first function of a generic one, or of its first
/// arithmetic.
pub fn word(op: Op<'_>) -> &str {
    let short = |name| -> &str {
        match str::split_once(name, '.') {
            Some(("arith", name)) => name.trim_end_matches(|last: char| "fisu".contains(last)),
            Some((_, name)) => name,
            None => name,
        }
    };
    let inside = if op.is("linalg.generic") { walk(op).split_off(1) } else { vec![] };
    let is_computed = |inner: &&Op| is_arithmetic(**inner) && !inner.is("arith.index_cast");
    let function = inside.iter().find(|inner| is_function(**inner));
    let chosen = function.or_else(|| inside.iter().find(is_computed));
    short(chosen.map_or(op.name(), |inner| inner.name()))
}
