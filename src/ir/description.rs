//! A description of an op and all that is nested in it. Ops with equal descriptions compute the same from the values that they use.

use super::{Attribute, Op, Region, Type, Value};
use std::collections::HashMap;

/// A part of a description.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Token<'c> {
    /// An op, with the numbers of its operands, results, regions and attributes.
    Op(&'c str, [usize; 4]),
    /// An attribute and its name.
    Attribute(&'c str, Attribute<'c>),
    /// The type of a result or block argument.
    Type(Type<'c>),
    /// A value by its number, in the order of first use or definition.
    Value(usize),
    /// A block with the numbers of its arguments and ops.
    Block([usize; 2]),
}

/// The description of an op.
#[derive(Debug, Default)]
pub struct OpDescription<'c> {
    /// The parts, in textual order.
    pub tokens: Vec<Token<'c>>,
    /// The values from outside that it uses, in the order of first use.
    pub outside: Vec<Value<'c>>,
    /// The number of ops.
    pub ops: usize,
    numbers: HashMap<Value<'c>, usize>,
}

impl<'c> OpDescription<'c> {
    /// The description of an op, without the attribute `name` of the ops for which `is_named` holds.
    pub fn of(op: Op<'c>, is_named: &dyn Fn(Op<'c>) -> bool) -> Self {
        let mut description = Self::default();
        description.op(op, is_named);
        description
    }

    /// Adds an op and all that is nested in it.
    fn op(&mut self, op: Op<'c>, is_named: &dyn Fn(Op<'c>) -> bool) {
        self.ops += 1;
        let (operands, results, regions) = (op.operands(), op.results(), op.regions());
        let attributes = Token::attributes(op, is_named(op));
        let counts = [operands.len(), results.len(), regions.len(), attributes.len()];
        self.tokens.push(Token::Op(op.name(), counts));
        self.tokens.extend(attributes);
        for value in operands {
            let next = self.numbers.len();
            let number = *self.numbers.entry(value).or_insert(next);
            if number == next {
                self.outside.push(value);
            }
            self.tokens.push(Token::Value(number));
        }
        results.into_iter().for_each(|value| self.define(value));
        for block in regions.into_iter().flat_map(Region::blocks) {
            let (arguments, ops) = (block.arguments(), block.ops());
            self.tokens.push(Token::Block([arguments.len(), ops.len()]));
            arguments.into_iter().for_each(|value| self.define(value));
            ops.into_iter().for_each(|op| self.op(op, is_named));
        }
    }

    fn define(&mut self, value: Value<'c>) {
        self.numbers.insert(value, self.numbers.len());
        self.tokens.push(Token::Type(value.ty()));
    }
}

impl<'c> Token<'c> {
    /// The attributes of an op, without that called `name` if the op is named by it.
    pub fn attributes(op: Op<'c>, is_named: bool) -> Vec<Self> {
        let attributes =
            op.attributes().into_iter().filter(|(name, _)| !is_named || *name != "name");
        attributes.map(|(name, value)| Token::Attribute(name, value)).collect()
    }
}
