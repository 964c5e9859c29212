//! Inserts ops at an insertion point, with helpers for the few ops that all conversions need.

use super::affine::{Expr, Map};
use super::{Attribute, Block, Context, Location, Op, OpSpec, Region, Type, TypeKind, Value};

/// Inserts ops at the end of a block, or before an op of it.
#[derive(Clone, Copy)]
pub struct Builder<'c> {
    block: Block<'c>,
    before: Option<Op<'c>>,
    location: Location<'c>,
}

impl<'c> Builder<'c> {
    /// Inserts at the end of `block`.
    pub fn at_end(block: Block<'c>, location: Location<'c>) -> Self {
        Self { block, before: None, location }
    }

    /// Inserts before `op`, which must be in a block.
    pub fn before(op: Op<'c>, location: Location<'c>) -> Self {
        let block = op.block().expect("ops are inserted before an op of a block");
        Self { block, before: Some(op), location }
    }

    /// The same insertion point, with another location for inserted ops.
    pub fn at(self, location: Location<'c>) -> Self {
        Self { location, ..self }
    }

    /// The block of the insertion point.
    pub fn block(&self) -> Block<'c> {
        self.block
    }

    /// The location of inserted ops.
    pub fn location(&self) -> Location<'c> {
        self.location
    }

    /// The MLIR context.
    pub fn context(&self) -> Context<'c> {
        self.location.context()
    }

    /// An op description at this builder's location.
    pub fn spec(&self, name: &str) -> OpSpec<'c> {
        OpSpec::new(name, self.location)
    }

    /// Creates an op and inserts it. Panics if its dialect is not loaded.
    pub fn insert(&self, spec: OpSpec<'c>) -> Op<'c> {
        let op = spec.create().expect("the op's dialect is loaded");
        self.place(op);
        op
    }

    /// Inserts an op that is in no block.
    pub fn place(&self, op: Op<'c>) {
        match self.before {
            Some(reference) => self.block.insert_before(reference, op),
            None => self.block.append(op),
        }
    }

    /// A private function with a body.
    pub fn private_function(
        &self,
        name: &str,
        inputs: &[Type<'c>],
        results: &[Type<'c>],
        body: Block<'c>,
    ) -> OpSpec<'c> {
        let context = self.context();
        self.spec("func.func")
            .attribute("sym_name", Attribute::string(context, name))
            .attribute("sym_visibility", Attribute::string(context, "private"))
            .attribute("function_type", Type::function(context, inputs, results).to_attribute())
            .region(Region::of(body))
    }

    /// Inserts an op with one result and returns the result.
    pub fn value(&self, spec: OpSpec<'c>) -> Value<'c> {
        self.insert(spec).result(0)
    }

    /// An op with operands and one result.
    pub fn op(&self, name: &str, operands: &[Value<'c>], result: Type<'c>) -> Value<'c> {
        self.value(self.spec(name).operands(operands).results(&[result]))
    }

    /// A comparison of two numbers or of the lanes of two vectors, by the number of its predicate in `arith.cmpi` or `arith.cmpf`.
    pub fn compare(&self, predicate: i64, left: Value<'c>, right: Value<'c>) -> Value<'c> {
        let lanes = left.ty().lanes();
        let name = match lanes.map_or(left.ty(), |(_, element)| element).kind() {
            TypeKind::Float(_) => "arith.cmpf",
            _ => "arith.cmpi",
        };
        let predicate = Attribute::integer(Type::integer(self.context(), 64), predicate);
        let spec = self.spec(name).operands(&[left, right]).attribute("predicate", predicate);
        let bit = Type::integer(self.context(), 1);
        self.value(spec.results(&[lanes.map_or(bit, |(lanes, _)| Type::vector(lanes, bit))]))
    }

    /// An `arith.constant` of the attribute's type.
    pub fn constant(&self, value: Attribute<'c>) -> Value<'c> {
        self.value(self.spec("arith.constant").attribute("value", value).results(&[value.ty()]))
    }

    /// A constant of type index.
    pub fn index(&self, value: i64) -> Value<'c> {
        self.constant(Attribute::integer(Type::index(self.context()), value))
    }

    /// A constant of an integer or float type with an integer value.
    pub fn number(&self, ty: Type<'c>, value: i64) -> Value<'c> {
        self.constant(match ty.kind() {
            TypeKind::Float(_) => Attribute::float(ty, value as f64),
            _ => Attribute::integer(ty, value),
        })
    }

    /// The mask of `lanes` lanes of which the first `on` are set.
    pub fn first_lanes(&self, lanes: usize, on: i64) -> Value<'c> {
        let ty = Type::vector(lanes, Type::integer(self.context(), 1));
        let sizes = Attribute::dense_i64(self.context(), &[on]);
        let spec = self.spec("vector.constant_mask").attribute("mask_dim_sizes", sizes);
        self.value(spec.results(&[ty]))
    }

    /// A vector constant with an integer value in all lanes.
    pub fn constant_vector(&self, ty: Type<'c>, value: i64) -> Value<'c> {
        let (_, element) = ty.lanes().expect("a vector type");
        let value = match element.kind() {
            TypeKind::Float(_) => Attribute::float(element, value as f64),
            _ => Attribute::integer(element, value),
        };
        self.constant(Attribute::splat(ty, value))
    }

    /// Computes `expr` over values for its dims and symbols: a value itself, a constant, or `affine.apply`.
    pub fn apply(&self, expr: &Expr, dims: &[Value<'c>], symbols: &[Value<'c>]) -> Value<'c> {
        let (map, operands) =
            Map { dims: dims.len(), symbols: symbols.len(), results: vec![expr.simplified()] }
                .compressed(dims, symbols);
        match &map.results[0] {
            Expr::Dim(0) | Expr::Symbol(0) if operands.len() == 1 => operands[0],
            Expr::Constant(value) => self.index(*value),
            _ => self.value(
                self.spec("affine.apply")
                    .operands(&operands)
                    .attribute("map", map.to_attribute(self.context()))
                    .results(&[Type::index(self.context())]),
            ),
        }
    }

    /// A `memref.load`.
    pub fn load(&self, buffer: Value<'c>, indices: &[Value<'c>]) -> Value<'c> {
        let (_, element) = buffer.ty().in_any_space().expect("buffers are row-major memrefs");
        let operands: Vec<_> = std::iter::once(buffer).chain(indices.iter().copied()).collect();
        self.op("memref.load", &operands, element)
    }

    /// Inserts a `memref.store`.
    pub fn store(&self, value: Value<'c>, buffer: Value<'c>, indices: &[Value<'c>]) {
        let operands: Vec<_> = [value, buffer].into_iter().chain(indices.iter().copied()).collect();
        self.insert(self.spec("memref.store").operands(&operands));
    }

    /// Dimension `i` of a memref.
    pub fn dim(&self, buffer: Value<'c>, i: usize) -> Value<'c> {
        let i = self.index(i as i64);
        self.op("memref.dim", &[buffer, i], Type::index(self.context()))
    }
}
