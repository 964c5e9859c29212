//! Appends ops to a block.

use crate::element::Element;
use melior::Context;
use melior::ir::attribute::{FloatAttribute, IntegerAttribute};
use melior::ir::block::{BlockArgument, BlockLike};
use melior::ir::operation::{OperationBuilder, OperationLike};
use melior::ir::r#type::RankedTensorType;
use melior::ir::{
    Attribute, Block, BlockRef, Identifier, Location, OperationRef, Region, RegionLike, Type,
};

/// A value of the module that is built, which lives as long as the module.
pub type Value<'c> = melior::ir::Value<'c, 'c>;

/// Appends ops to a block, at a location.
#[derive(Clone, Copy)]
pub struct Builder<'c> {
    context: &'c Context,
    block: BlockRef<'c, 'c>,
    /// The block of the function: constants are appended there, also from the bodies of ops.
    home: BlockRef<'c, 'c>,
    /// The block of the innermost loop or branch, or of the function: lists of sizes are appended there, since a size may be
    /// a value of that block.
    scope: BlockRef<'c, 'c>,
    location: Location<'c>,
}

impl<'c> Builder<'c> {
    pub fn new(context: &'c Context, block: BlockRef<'c, 'c>, location: Location<'c>) -> Self {
        Builder { context, block, home: block, scope: block, location }
    }

    /// The same block, with another location for the ops that follow.
    pub fn at(self, location: Location<'c>) -> Self {
        Builder { location, ..self }
    }

    /// Appends to the block of the function. An op whose body is being built follows there.
    pub fn at_home(self) -> Self {
        Builder { block: self.home, ..self }
    }

    /// Appends to the block of the innermost loop or branch. An op whose body is being built follows there.
    pub fn at_scope(self) -> Self {
        Builder { block: self.scope, ..self }
    }

    pub fn context(&self) -> &'c Context {
        self.context
    }

    /// A region with one block, whose ops `fill` appends, and the terminator `end` of the values that it returns.
    pub fn region(
        &self,
        arguments: &[Type<'c>],
        end: &str,
        fill: impl FnOnce(&Builder<'c>, &[Value<'c>]) -> Vec<Value<'c>>,
    ) -> Region<'c> {
        let region = Region::new();
        let arguments: Vec<_> = arguments.iter().map(|ty| (*ty, self.location)).collect();
        let block = region.append_block(Block::new(&arguments));
        let inner = Builder { block, ..*self };
        let values: Vec<Value> = (0..arguments.len())
            .map(|i| block.argument(i).expect("the block has it").into())
            .collect();
        let results = fill(&inner, &values);
        inner.insert(end, &results, &[], &[], vec![]);
        region
    }

    /// A region of a loop or branch with one block, its arguments, and the builder that appends to the block. The caller
    /// appends the terminator.
    pub fn scope(&self, arguments: &[Type<'c>]) -> (Region<'c>, Builder<'c>, Vec<Value<'c>>) {
        let region = Region::new();
        let block = region.append_block(Block::new(&[]));
        let inner = Builder { block, scope: block, ..*self };
        let values = arguments.iter().map(|ty| inner.argument(*ty)).collect();
        (region, inner, values)
    }

    /// A further argument of the block.
    pub fn argument(&self, ty: Type<'c>) -> Value<'c> {
        self.block.add_argument(ty, self.location)
    }

    /// True if the op is in the block, not in a region of one of its ops.
    pub fn has_op(&self, op: OperationRef<'c, 'c>) -> bool {
        op.block().is_some_and(|block| block == self.block)
    }

    /// True if the block has this argument.
    pub fn has_argument(&self, value: Value<'c>) -> bool {
        BlockArgument::try_from(value).is_ok_and(|argument| argument.owner() == self.block)
    }

    /// Appends an op.
    pub fn insert(
        &self,
        name: &str,
        operands: &[Value<'c>],
        results: &[Type<'c>],
        attributes: &[(&str, Attribute<'c>)],
        regions: Vec<Region<'c>>,
    ) -> OperationRef<'c, 'c> {
        let attributes: Vec<_> = attributes
            .iter()
            .map(|(name, value)| (Identifier::new(self.context, name), *value))
            .collect();
        let op = OperationBuilder::new(name, self.location)
            .add_operands(operands)
            .add_results(results)
            .add_attributes(&attributes)
            .add_regions_vec(regions)
            .build()
            .expect("the results of the op are given");
        self.block.append_operation(op)
    }

    /// Appends an op with one result.
    pub fn op(&self, name: &str, operands: &[Value<'c>], result: Type<'c>) -> Value<'c> {
        self.op_with(name, operands, result, &[])
    }

    /// Appends an op with attributes and one result.
    pub fn op_with(
        &self,
        name: &str,
        operands: &[Value<'c>],
        result: Type<'c>,
        attributes: &[(&str, Attribute<'c>)],
    ) -> Value<'c> {
        result_of(self.insert(name, operands, &[result], attributes, vec![]), 0)
    }

    /// An attribute of its text.
    pub fn attribute(&self, text: &str) -> Attribute<'c> {
        Attribute::parse(self.context, text).expect("the text of an attribute")
    }

    /// A list of 64-bit integers: `array<i64: ..>`.
    pub fn i64s(&self, values: &[i64]) -> Attribute<'c> {
        melior::ir::attribute::DenseI64ArrayAttribute::new(self.context, values).into()
    }

    /// A constant of a type, from an attribute.
    pub fn constant(&self, value: Attribute<'c>, ty: Type<'c>) -> Value<'c> {
        self.op_with("arith.constant", &[], ty, &[("value", value)])
    }

    pub fn index(&self, value: i64) -> Value<'c> {
        let ty = Type::index(self.context);
        self.constant(IntegerAttribute::new(ty, value).into(), ty)
    }

    /// A scalar constant. A number that the type cannot hold is rounded.
    pub fn number(&self, element: Element, value: f64) -> Value<'c> {
        let ty = element.ty(self.context);
        match element.is_float() {
            true => self.constant(FloatAttribute::new(self.context, ty, value).into(), ty),
            false => self.constant(IntegerAttribute::new(ty, value as i64).into(), ty),
        }
    }

    /// An integer constant, exact also above 2^53.
    pub fn integer(&self, element: Element, value: i64) -> Value<'c> {
        match element.is_float() {
            true => self.number(element, value as f64),
            false => {
                let ty = element.ty(self.context);
                self.constant(IntegerAttribute::new(ty, value).into(), ty)
            }
        }
    }

    /// The type of a tensor; None is a dynamic dimension.
    pub fn tensor_type(&self, dims: &[Option<u64>], element: Element) -> Type<'c> {
        let dims: Vec<_> = dims.iter().map(|dim| dim.unwrap_or(DYNAMIC)).collect();
        RankedTensorType::new(&dims, element.ty(self.context), None).into()
    }
}

/// The number of a dynamic dimension in MLIR's types: the least i64.
const DYNAMIC: u64 = i64::MIN as u64;

/// A result of an op.
pub fn result_of<'c>(op: OperationRef<'c, 'c>, i: usize) -> Value<'c> {
    op.result(i).expect("the op has this result").into()
}
