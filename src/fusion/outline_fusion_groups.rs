//! `outline-fusion-groups`: outline each fusion group as a private function; equal groups share one function.
//!
//! ```text
//! %a = graph.fusion -> tensor<8x16xf32> { .. %x .. }      %a = call @f_matmul_add(%x, %w0)
//! %b = graph.fusion -> tensor<8x16xf32> { .. %a .. }  ->  %b = call @f_matmul_add(%a, %w1)
//!                                                         func.func private @f_matmul_add(..) { .. }
//! ```
//! Two groups are equal if they have the same ops, attributes and types, and use the values from outside in the same
//! way. So the equal layers of a model are scheduled once. After scheduling, `inline-fusion-groups` inlines the
//! functions.
//!
//! The dynamic sizes of a group and of its tensors are index arguments of its function. Assertions such as `cf.assert
//! (tensor.dim %x, %c0) == %n` state the sizes of the tensors, so that equal sizes are one symbol in the function, too.
//!
//! A group is not outlined if one of these holds:
//! - (C1) it is the only group of its function;
//! - (C2) it reads an index, or a tensor with a dynamic size, that is not an expression over index arguments and
//!   dimensions of arguments of the function;
//! - (C3) its function has several blocks.

use super::dataflow::{is_repeatable, is_weight};
use super::entry_sizes::{self, EntrySizes};
use super::explain::word;
use super::kind::OpFacts;
use crate::compute::linalg_builder::tensor_dim;
use crate::compute::names::Names;
use crate::compute::symbolic_sizes::SymbolicSizes;
use crate::dialect::contract;
use crate::dialect::graph_op::GROUP;
use crate::ir::affine::Expr;
use crate::ir::predicate;
use crate::ir::{
    Attribute, Block, Builder, Location, Op, OpDescription, Token, Type, TypeKind, Value,
    is_defined_outside, walk,
};
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
    let mut known: HashMap<Vec<GroupToken>, String> = HashMap::new();
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
        let mut sizes = SymbolicSizes::of(block);
        let mut entries = EntrySizes::of(block);
        for group in groups {
            resolve_outside(group, &sizes, &mut entries);
            // (C2)
            let Some((arguments, key)) = described(function, group, &weights, &sizes, &mut entries)
            else {
                continue;
            };
            let shapes: Vec<Vec<Expr>> =
                key.iter().filter_map(GroupToken::shape).cloned().collect();
            let is_new = !known.contains_key(&key);
            let name = known.entry(key).or_insert_with(|| symbols.fresh(&name_of(function, group)));
            let at = Builder::before(group, group.location());
            let types: Vec<Type> = group.results().iter().map(|value| value.ty()).collect();
            let callee = Attribute::symbol(at.context(), name);
            let spec = at.spec("func.call").operands(&arguments).results(&types);
            let call = at.insert(spec.attribute("callee", callee));
            for (old, new) in group.results().into_iter().zip(call.results()) {
                old.replace_all_uses_with(new);
                if let Some(dims) = sizes.known_dims(old).map(<[Expr]>::to_vec) {
                    sizes.set_dims(new, dims);
                }
            }
            if is_new {
                become_function(function, group, (&arguments, &shapes), name);
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
enum GroupToken<'c> {
    Token(Token<'c>),
    Contract(Option<Attribute<'c>>),
    /// An argument, and whether it is a weight, which schedules treat differently.
    Argument(Type<'c>, bool),
    /// The sizes of an argument, where symbol i is argument i; empty if they are in its type. Of an index, itself if it is the
    /// size of a tensor that is no argument.
    Shape(Vec<Expr>),
}

impl GroupToken<'_> {
    fn shape(&self) -> Option<&Vec<Expr>> {
        match self {
            GroupToken::Shape(dims) => Some(dims),
            _ => None,
        }
    }
}

/// Replaces the sizes in a group of values from outside by expressions over entry sizes.
fn resolve_outside<'c>(group: Op<'c>, sizes: &SymbolicSizes<'c>, entries: &mut EntrySizes<'c>) {
    let is_outside = |value: Value<'c>| is_defined_outside(value, group);
    let dims = walk(group).into_iter().filter(|op| op.is("tensor.dim"));
    let dims: Vec<Op> = dims.filter(|op| is_outside(op.operand(0))).collect();
    entry_sizes::resolve(&dims, sizes, entries);
}

/// The values from outside that a group uses and the sizes of these, and its description: equal ones are equal groups. `None` if
/// (C2) does not hold.
fn described<'c>(
    function: Op<'c>,
    group: Op<'c>,
    weights: &HashSet<Value<'c>>,
    sizes: &SymbolicSizes<'c>,
    entries: &mut EntrySizes<'c>,
) -> Option<(Vec<Value<'c>>, Vec<GroupToken<'c>>)> {
    let OpDescription { tokens, outside: mut arguments, .. } = OpDescription::of(group, &|_| false);
    let mut shapes = vec![];
    for value in arguments.clone() {
        let dims = match value.ty().kind() {
            TypeKind::Tensor { dims, .. } if dims.iter().any(Option::is_none) => {
                sizes.known_dims(value)?
            }
            TypeKind::Index if !entries.is_entry(value) => return None,
            TypeKind::Other => return None,
            _ => &[],
        };
        let mut shape = vec![];
        for dim in dims {
            let values = entries.values(sizes, dim)?;
            let missing = values.iter().map(|(_, value)| *value);
            let missing: Vec<Value> = missing.filter(|it| !arguments.contains(it)).collect();
            arguments.extend(missing);
            let place = |symbol: usize| {
                let value = values.iter().find(|(it, _)| *it == symbol).map(|(_, value)| value);
                arguments.iter().position(|it| Some(it) == value).expect("it is an argument now")
            };
            shape.push(dim.substitute(&Expr::Dim, &|it| Expr::Symbol(place(it))).simplified());
        }
        shapes.push(shape);
    }
    shapes.resize(arguments.len(), vec![]);
    for (i, value) in arguments.iter().enumerate() {
        let itself = Expr::Symbol(i);
        let is_size = value.defining_op().is_some_and(|op| op.is("tensor.dim"));
        if is_size && !shapes.iter().flatten().any(|size| *size == itself) {
            shapes[i].push(itself);
        }
    }
    let mut key: Vec<GroupToken> = tokens.into_iter().map(GroupToken::Token).collect();
    key.push(GroupToken::Contract(function.attribute(contract::ATTRIBUTE)));
    key.extend(
        arguments.iter().map(|value| GroupToken::Argument(value.ty(), weights.contains(value))),
    );
    key.extend(shapes.into_iter().map(GroupToken::Shape));
    Some((arguments, key))
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

/// A name for the function of a group: that of its function, and words for what it computes, anchors and reductions first.
fn name_of(function: Op, group: Op) -> String {
    let ops = group.body(0).map(Block::ops).unwrap_or_default();
    let is_computed = |op: &&Op| !is_repeatable(**op) && !op.name().starts_with("graph.yield");
    let rank = |op: &Op| {
        let facts = OpFacts::of(*op, &SymbolicSizes::default());
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

/// Makes the body of a group a private function before `function`. The arguments have the given shapes, unless these are empty.
fn become_function<'c>(
    function: Op<'c>,
    group: Op<'c>,
    (arguments, shapes): (&[Value<'c>], &[Vec<Expr>]),
    name: &str,
) {
    let location = group.location();
    let types: Vec<Type> = arguments.iter().map(|value| value.ty()).collect();
    let results: Vec<Type> = group.results().iter().map(|value| value.ty()).collect();
    let entry = Block::new(&types.iter().map(|ty| (*ty, location)).collect::<Vec<_>>());
    let new: HashMap<Value, Value> = arguments.iter().copied().zip(entry.arguments()).collect();
    assert_shapes(entry, shapes, location);
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

/// Asserts the dynamic sizes of the arguments of a function, over its index arguments.
fn assert_shapes<'c>(entry: Block<'c>, shapes: &[Vec<Expr>], location: Location<'c>) {
    let at = Builder::at_end(entry, location);
    let arguments = entry.arguments();
    for (i, (argument, shape)) in arguments.iter().zip(shapes).enumerate() {
        let Some((types, _)) = argument.ty().shaped() else {
            if !shape.is_empty() {
                let is_size = at.compare(predicate::SGE, *argument, at.index(0));
                let text = Attribute::string(at.context(), &format!("argument {i} is a size"));
                at.insert(at.spec("cf.assert").operands(&[is_size]).attribute("msg", text));
            }
            continue;
        };
        for (d, size) in shape.iter().enumerate().filter(|(d, _)| types[*d].is_none()) {
            let found = tensor_dim(&at, *argument, d);
            let is_equal = at.compare(predicate::EQ, found, at.apply(size, &[], &arguments));
            let text = format!("dimension {d} of argument {i} has the size that the caller states");
            let text = Attribute::string(at.context(), &text);
            at.insert(at.spec("cf.assert").operands(&[is_equal]).attribute("msg", text));
        }
    }
}
