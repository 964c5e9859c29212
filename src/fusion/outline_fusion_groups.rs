//! `outline-fusion-groups`: each fusion group becomes a private function; equal groups become one.
//!
//! ```text
//! %a = graph.fusion -> tensor<8x16xf32> { .. %x .. }      %a = call @f_matmul_add(%x, %w0)
//! %b = graph.fusion -> tensor<8x16xf32> { .. %a .. }  ->  %b = call @f_matmul_add(%a, %w1)
//!                                                         func.func private @f_matmul_add(..) { .. }
//! ```
//! Two groups are equal if their ops, attributes and types are, and if they use the values from outside in the same way. So the
//! equal layers of a model are scheduled once. `inline-fusion-groups` puts the scheduled functions back.
//!
//! A group stays where it is if
//! - (C1) it is the only group of its function;
//! - (C2) a value that it reads or yields has a dynamic size: the sizes of arguments of another function would be different
//!   symbols;
//! - (C3) its function has several blocks.

use super::dataflow::{is_repeatable, is_weight};
use super::explain::word;
use super::kind::OpFacts;
use crate::compute::names::Names;
use crate::dialect::contract;
use crate::dialect::graph_op::GROUP;
use crate::ir::{Attribute, Block, Builder, Description, Op, Token, Type, TypeKind, Value, walk};
use std::collections::{HashMap, HashSet};

/// At most so many ops are in the name of a function.
const MOST_WORDS: usize = 3;

/// What was outlined.
#[derive(Clone, Copy, Debug, Default)]
pub struct Outlined {
    pub functions: u64,
    pub calls: u64,
}

/// Outlines the groups of all functions of a module.
pub fn run(module: Op) -> Outlined {
    let mut outlined = Outlined::default();
    let Some(body) = module.body(0) else { return outlined };
    let mut symbols = Names::default();
    let ops = body.ops();
    ops.iter().filter_map(|op| op.symbol_name()).for_each(|name| symbols.insert(name));
    let mut known: HashMap<Vec<Key>, String> = HashMap::new();
    for function in ops.into_iter().filter(|op| op.is("func.func")) {
        let blocks = function.regions().first().map(|it| it.blocks()).unwrap_or_default();
        // (C3)
        let [block] = blocks[..] else { continue };
        let groups: Vec<Op> = block.ops().into_iter().filter(|op| op.is("graph.fusion")).collect();
        // (C1)
        if groups.len() < 2 {
            continue;
        }
        let weights = weights(block);
        for group in groups {
            let (arguments, key) = described(function, group, &weights);
            let types = arguments.iter().map(|value| value.ty());
            // (C2)
            if !types.chain(group.results().iter().map(|value| value.ty())).all(is_static) {
                continue;
            }
            let is_new = !known.contains_key(&key);
            let name = known.entry(key).or_insert_with(|| symbols.fresh(&name_of(function, group)));
            let at = Builder::before(group, group.location());
            let types: Vec<Type> = group.results().iter().map(|value| value.ty()).collect();
            let callee = Attribute::symbol(at.context(), name);
            let spec = at.spec("func.call").operands(&arguments).results(&types);
            let call = at.insert(spec.attribute("callee", callee));
            for (old, new) in group.results().into_iter().zip(call.results()) {
                old.replace_all_uses_with(new);
            }
            if is_new {
                become_function(function, group, &arguments, name);
                outlined.functions += 1;
            }
            group.erase();
            outlined.calls += 1;
        }
    }
    outlined
}

/// A part of the description of a group and of what it is given.
#[derive(PartialEq, Eq, Hash)]
enum Key<'c> {
    Token(Token<'c>),
    Contract(Option<Attribute<'c>>),
    /// An argument, and whether it is a weight, which schedules treat differently.
    Argument(Type<'c>, bool),
}

/// The values from outside that a group uses, and its description: equal ones are equal groups.
fn described<'c>(
    function: Op<'c>,
    group: Op<'c>,
    weights: &HashSet<Value<'c>>,
) -> (Vec<Value<'c>>, Vec<Key<'c>>) {
    let Description { tokens, outside, .. } = Description::of(group, &|_| false);
    let mut key: Vec<Key> = tokens.into_iter().map(Key::Token).collect();
    key.push(Key::Contract(function.attribute(contract::ATTRIBUTE)));
    key.extend(outside.iter().map(|value| Key::Argument(value.ty(), weights.contains(value))));
    (outside, key)
}

/// The values of a block that are weights, or are computed from weights alone.
fn weights<'c>(block: Block<'c>) -> HashSet<Value<'c>> {
    let mut found = HashSet::new();
    for op in block.ops() {
        let is_computed = !matches!(op.name(), "graph.fusion" | "func.call") && op.has_no_effects();
        let of_weights = |value: Value| {
            found.contains(&value) || value.defining_op().is_some_and(Op::is_constant)
        };
        if is_weight(op) || is_computed && op.operands().into_iter().all(of_weights) {
            found.extend(op.results());
        }
    }
    found
}

fn is_static(ty: Type) -> bool {
    match ty.shaped() {
        Some((dims, _)) => dims.iter().all(Option::is_some),
        None => !matches!(ty.kind(), TypeKind::Index | TypeKind::Other),
    }
}

/// A name for the function of a group: that of its function, and words for what it computes, anchors and reductions first.
fn name_of(function: Op, group: Op) -> String {
    let ops = group.body(0).map(Block::ops).unwrap_or_default();
    let is_computed = |op: &&Op| !is_repeatable(**op) && !op.name().starts_with("graph.yield");
    let rank = |op: &Op| {
        let facts = OpFacts::of(*op);
        (!facts.kind.reduces(), facts.operations == 0)
    };
    let mut ranked: Vec<_> =
        ops.iter().filter(is_computed).map(|op| (rank(op), word(*op))).collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    let mut words: Vec<&str> = vec![];
    for (_, word) in ranked {
        if !words.contains(&word) && words.len() < MOST_WORDS {
            words.push(word);
        }
    }
    format!("{}_{}", function.symbol_name().unwrap_or_default(), words.join("_"))
}

/// Makes the body of a group a private function before `function`.
fn become_function<'c>(function: Op<'c>, group: Op<'c>, arguments: &[Value<'c>], name: &str) {
    let location = group.location();
    let types: Vec<Type> = arguments.iter().map(|value| value.ty()).collect();
    let results: Vec<Type> = group.results().iter().map(|value| value.ty()).collect();
    let entry = Block::new(&types.iter().map(|ty| (*ty, location)).collect::<Vec<_>>());
    let new: HashMap<Value, Value> = arguments.iter().copied().zip(entry.arguments()).collect();
    let body = group.body(0).expect("a group has a body");
    let mut returned = vec![];
    for op in body.ops() {
        match op.name() {
            "graph.yield" => continue,
            "graph.yield_store" => {
                returned.push((op.result(0), op.operand(0)));
                continue;
            }
            _ => {}
        }
        for inner in walk(op) {
            for (place, value) in inner.operands().into_iter().enumerate() {
                if let Some(new) = new.get(&value) {
                    inner.set_operand(place, *new);
                }
            }
        }
        op.detach();
        entry.append(op);
    }
    let stored: HashMap<Value, Value> = returned.into_iter().collect();
    let value = |stored_value: Value<'c>| {
        let value = stored[&stored_value];
        new.get(&value).copied().unwrap_or(value)
    };
    let values: Vec<Value> = body.end().operands().into_iter().map(value).collect();
    let at = Builder::at_end(entry, location);
    at.insert(at.spec("func.return").operands(&values));
    let at = Builder::before(function, location);
    let group = Attribute::unit(at.context());
    let mut spec = at.private_function(name, &types, &results, entry).attribute(GROUP, group);
    if let Some(contract) = function.attribute(contract::ATTRIBUTE) {
        spec = spec.attribute(contract::ATTRIBUTE, contract);
    }
    at.insert(spec);
}
