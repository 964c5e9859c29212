//! `outline-nests`: outline nests as functions: equal ones, and all nests of functions that have many.
//!
//! Nests that are equal except for their buffers become one function, which is compiled once:
//! ```text
//! for %i { A[i] = X[i] * 2 }            func.func private @A(%0, %1) { for %i { %1[i] = %0[i] * 2 } }
//! for %i { B[i] = Y[i] + 1 }      ->    func.call @A(%X, %A)
//! for %i { C[i] = B[i] * 2 }            for %i { B[i] = Y[i] + 1 }
//!                                       func.call @A(%B, %C)
//! ```
//! The layers of a model are often equal. In a function that has many nests, the other nests become functions, too, so that
//! all cores compile them. The new functions and the calls have the attribute `no_inline`.
//!
//! Two nests are equal if they have the same ops, attributes and types, except
//! for the names of loops and schedule blocks, and use the values of their functions in the same way. For example, a
//! nest that reads and writes the same buffer is not equal to a nest that reads one buffer and writes another.
//!
//! A nest is outlined if all of these hold:
//! - (C1) it is at the top level of a function. There is an equal nest in the module, or this function has as many nests as the option
//!   `all-from` states, or more;
//! - (C2) it uses no value of its function except constants, and buffers of static shape in global memory, without
//!   padding between rows. Constants, and static buffers of any scope that only this nest uses, become values of the
//!   new function;
//! - (C3) it has no call;
//! - (C4) it has at least 8 ops. Smaller nests are cheaper to compile than to call;
//! - (C5) the functions of equal nests have the same floating-point contract.

use crate::compute::names::Names;
use crate::dialect::contract;
use crate::dialect::loop_enums::Scope;
use crate::dialect::loop_op::{BufferView, For, If, ScheduleBlock, buffer_name};
use crate::ffi::pass::PassRun;
use crate::ir::{
    Attribute, Block, Builder, Op, OpDescription, Token, Type, Value, is_inside, walk,
};
use crate::nest::edit;
use std::collections::HashMap;

/// The indices of the statistics in the row.
const FUNCTIONS: usize = 0;
const CALLS: usize = 1;

/// The fewest ops of a nest that is outlined. A copy along one loop has 6, with the ends of its two regions.
const LEAST_OPS: usize = 8;

/// Outlines nests of a module. `all_from`: the fewest nests of a function whose nests are all outlined.
pub fn run(module: Op, all_from: usize, run: &PassRun) {
    let Some(body) = module.body(0) else { return };
    let mut symbols = Names::default();
    let ops = body.ops();
    ops.iter().filter_map(|op| op.symbol_name()).for_each(|name| symbols.insert(name));
    let mut equal: HashMap<NestKey, Vec<OutlinableNest>> = HashMap::new();
    let mut order: Vec<NestKey> = vec![];
    for function in ops.into_iter().filter(|op| op.is("func.func")) {
        let blocks = function.regions().first().map(|it| it.blocks()).unwrap_or_default();
        let [block] = blocks[..] else { continue };
        let is_nest = |op: &Op| NESTS.contains(&op.name());
        let nests: Vec<Op> = block.ops().into_iter().filter(is_nest).collect();
        let is_of_many = nests.len() >= all_from;
        for op in nests {
            let Some((nest, key)) = OutlinableNest::of(function, op, is_of_many) else { continue };
            let nests = equal.entry(key.clone()).or_default();
            if nests.is_empty() {
                order.push(key);
            }
            nests.push(nest);
        }
    }
    let is_outlined =
        |nests: &&Vec<OutlinableNest>| nests.len() > 1 || nests.iter().any(|it| it.is_of_many);
    for nests in order.iter().map(|key| &equal[key]).filter(is_outlined) {
        run.count(FUNCTIONS, 1);
        run.count(CALLS, nests.len() as u64);
        let name = symbols.fresh(&nests[0].name());
        nests.iter().for_each(|nest| nest.call(&name));
        nests[0].become_function(&name);
        nests[1..].iter().for_each(OutlinableNest::erase);
    }
}

/// The ops that are nests at the top level of a function.
const NESTS: [&str; 3] = [For::NAME, If::NAME, ScheduleBlock::NAME];

/// A nest and its function's contract, described: equal ones are equal nests.
type NestKey<'c> = (Option<Attribute<'c>>, Vec<Token<'c>>);

/// A nest that may be outlined.
struct OutlinableNest<'c> {
    function: Op<'c>,
    op: Op<'c>,
    /// True if all nests of its function are outlined.
    is_of_many: bool,
    /// The buffers of the function that it uses.
    arguments: Vec<Value<'c>>,
    /// The constants and buffers that become values of the new function.
    own: Vec<Value<'c>>,
}

impl<'c> OutlinableNest<'c> {
    /// The nest and its key, if it may be outlined.
    fn of(function: Op<'c>, op: Op<'c>, is_of_many: bool) -> Option<(Self, NestKey<'c>)> {
        if walk(op).into_iter().any(|op| op.is("func.call")) {
            return None;
        }
        let OpDescription { outside, mut tokens, ops, .. } = OpDescription::of(op, &is_named);
        let mut nest = OutlinableNest { function, op, is_of_many, arguments: vec![], own: vec![] };
        for value in outside {
            tokens.push(Token::Type(value.ty()));
            if nest.owns(value) {
                let from = value.defining_op()?;
                tokens.push(Token::Op(from.name(), [0, 1, 0, 0]));
                tokens.extend(Token::attributes(from, is_named(from)));
                nest.own.push(value);
            } else {
                nest.arguments.push(Some(value).filter(|value| may_be_passed(*value))?);
            }
        }
        (ops >= LEAST_OPS).then_some((nest, (function.attribute(contract::ATTRIBUTE), tokens)))
    }

    /// True if a value of the function is a constant, or a static buffer that only the nest uses.
    fn owns(&self, value: Value<'c>) -> bool {
        let is_inner = |(user, _): &(Op<'c>, usize)| is_inside(*user, self.op);
        value.defining_op().is_some_and(|op| {
            let is_buffer = op.is(BufferView::NAME) && op.operands().is_empty();
            op.is_constant() || is_buffer && value.uses().iter().all(is_inner)
        })
    }

    /// A name for the new function: that of the last schedule block, which stores what the nest computes.
    fn name(&self) -> String {
        let block = walk(self.op).into_iter().rfind(|op| op.is(ScheduleBlock::NAME));
        let name = block.and_then(|op| op.attribute("name")).and_then(Attribute::as_str);
        let function = self.function.symbol_name().unwrap_or_default();
        format!("{function}_{}", name.unwrap_or("nest"))
    }

    /// Inserts a call of the new function before the nest.
    fn call(&self, name: &str) {
        // The lowering does not see in a call what it writes.
        edit::mark_results(self.function, self.op);
        let at = Builder::before(self.op, self.op.location());
        let (callee, mark) = (Attribute::symbol(at.context(), name), Attribute::unit(at.context()));
        let spec = at.spec("func.call").operands(&self.arguments).attribute("callee", callee);
        at.insert(spec.attribute("no_inline", mark));
    }

    /// Moves the nest to a new function before its own.
    fn become_function(&self, name: &str) {
        let (context, location) = (self.op.context(), self.op.location());
        let types: Vec<Type> = self.arguments.iter().map(|value| value.ty()).collect();
        let body = Block::new(&types.iter().map(|ty| (*ty, location)).collect::<Vec<_>>());
        let mut new: HashMap<Value, Value> =
            self.arguments.iter().copied().zip(body.arguments()).collect();
        let at = Builder::at_end(body, location);
        for value in &self.own {
            let from = value.defining_op().expect("the value of an op");
            let clone = from.clone_mapped(&[]);
            at.place(clone);
            new.insert(*value, clone.result(value.index()));
        }
        self.op.detach();
        at.place(self.op);
        at.insert(at.spec("func.return"));
        for op in walk(self.op) {
            for (place, value) in op.operands().into_iter().enumerate() {
                if let Some(new) = new.get(&value) {
                    op.set_operand(place, *new);
                }
            }
        }
        self.erase_own();
        let mut used = Names::default();
        let own = body.ops().into_iter().flat_map(walk).filter(|op| op.is(BufferView::NAME));
        own.filter_map(|op| op.attribute("name")?.as_str()).for_each(|name| used.insert(name));
        let names = self.arguments.iter().map(|value| {
            // That of a global has its sign.
            let name = used.fresh(buffer_name(*value).trim_start_matches('@'));
            let name = Attribute::string(context, &name);
            Attribute::dictionary(context, &[("loop.name", name)])
        });
        let names = Attribute::array(context, &names.collect::<Vec<_>>());
        let at = Builder::before(self.function, location);
        // Inlined into each layer of a model again, it would be compiled as often.
        let mut spec = at
            .private_function(name, &types, &[], body)
            .attribute("arg_attrs", names)
            .attribute("no_inline", Attribute::unit(context));
        if let Some(contract) = self.function.attribute(contract::ATTRIBUTE) {
            spec = spec.attribute(contract::ATTRIBUTE, contract);
        }
        at.insert(spec);
    }

    /// Erases the nest, for which the function is called.
    fn erase(&self) {
        self.op.erase();
        self.erase_own();
    }

    /// Erases the buffers that only the nest used.
    fn erase_own(&self) {
        let buffers = self.own.iter().filter_map(|value| value.defining_op());
        buffers.filter(|op| op.is(BufferView::NAME)).for_each(Op::erase);
    }
}

/// True for a buffer that may be an argument of a function (C2).
fn may_be_passed(value: Value) -> bool {
    let is_plain = |op: Op| {
        let view = BufferView::of(op).ok();
        view.is_some_and(|view| view.scope == Scope::Global && view.room().is_none())
    };
    let own = value.defining_op().filter(|op| op.is(BufferView::NAME));
    let dims = value.ty().shaped().filter(|_| value.ty().is_memref()).map(|(dims, _)| dims);
    dims.is_some_and(|dims| dims.iter().all(Option::is_some)) && own.is_none_or(is_plain)
}

/// True for an op whose attribute `name` is a name.
fn is_named(op: Op) -> bool {
    [For::NAME, ScheduleBlock::NAME, BufferView::NAME].contains(&op.name())
}
