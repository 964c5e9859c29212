//! The state of converting one function: what its values have become, its sizes and names, and its buffers.

use super::ModuleState;
use super::nest::{NestSpec, NestUnderConstruction};
use crate::compute::names::Names;
use crate::compute::symbolic_sizes::SymbolicSizes;
use crate::dialect::loop_enums::{IterRole, Scope};
use crate::dialect::loop_op::{BufferView, is_storable, stored_type};
use crate::ir::affine::Expr;
use crate::ir::{Attribute, Builder, Error, Location, Op, Type, Value};
use std::collections::HashMap;

/// The new form of a tensor or memref of the old function.
#[derive(Clone)]
pub(super) enum ConvertedValue<'c> {
    /// A buffer in memory.
    Buffer(Value<'c>),
    /// A scalar of the old function that is the value of all elements.
    Fill(Value<'c>),
    /// A constant that is the value of all elements.
    Splat(Attribute<'c>),
    /// All elements are undefined.
    Empty,
}

/// The state of converting one function.
pub(super) struct FunctionConversion<'m, 'c> {
    pub module: &'m mut ModuleState<'c>,
    /// The sizes of the values of the old function.
    pub sizes: SymbolicSizes<'c>,
    /// The entry sizes in the new function: the symbols of all maps.
    pub entries: Vec<Value<'c>>,
    /// Scalars of the old function that have become memrefs of rank 0.
    pub scalars: HashMap<Value<'c>, Value<'c>>,
    pub tensors: HashMap<Value<'c>, ConvertedValue<'c>>,
    /// Destination arguments, by the old value that is computed into each.
    pub destinations: HashMap<Value<'c>, Value<'c>>,
    /// The assertions that are not checked.
    pub unchecked: Vec<Op<'c>>,
    /// The names of blocks and of buffers in use.
    pub block_names: Names,
    pub buffer_names: Names,
    /// Entry ops are inserted before this op, which is erased at the end.
    pub entry: Op<'c>,
    /// The return of the new function; nests are inserted before it.
    pub end: Op<'c>,
}

/// The types that a value may have.
pub(super) const MEMORY: &str = "expected index, or numbers or booleans as scalars, ranked tensors or row-major \
                      memrefs (no memrefs of i1)";

impl<'c> FunctionConversion<'_, 'c> {
    /// The new form of a tensor or memref of the old function, and its dimensions.
    pub(super) fn tensor(
        &self,
        op: Op<'c>,
        value: Value<'c>,
    ) -> Result<(ConvertedValue<'c>, Vec<Expr>), Error<'c>> {
        let source = self.tensors.get(&value).cloned().ok_or_else(|| {
            Error::on(op, format!("uses {value:?}, which convert-linalg-to-loop does not support"))
        })?;
        Ok((source, self.sizes.dims(op, value)?))
    }

    pub(super) fn set(&mut self, value: Value<'c>, source: ConvertedValue<'c>, dims: Vec<Expr>) {
        self.tensors.insert(value, source);
        self.sizes.set_dims(value, dims);
    }

    /// The memref that holds a tensor; it is materialised if it is not in memory.
    pub(super) fn in_memory(
        &mut self,
        op: Op<'c>,
        value: Value<'c>,
    ) -> Result<Value<'c>, Error<'c>> {
        let (source, dims) = self.tensor(op, value)?;
        if let ConvertedValue::Buffer(buffer) = source {
            return Ok(buffer);
        }
        let base = if matches!(source, ConvertedValue::Empty) { "empty" } else { "fill" };
        let buffer = self.target(op.location(), base, value, &dims)?;
        if !matches!(source, ConvertedValue::Empty) {
            self.copy(op, &source, &dims, value, buffer)?;
        }
        self.tensors.insert(value, ConvertedValue::Buffer(buffer));
        Ok(buffer)
    }

    /// The memref of rank 0 that holds a scalar; a block computes it if it is not in memory. It holds an index as i64.
    pub(super) fn scalar_in_memory(
        &mut self,
        op: Op<'c>,
        value: Value<'c>,
    ) -> Result<Value<'c>, Error<'c>> {
        if let Some(buffer) = self.scalars.get(&value) {
            return Ok(*buffer);
        }
        let ty = stored_type(op.context(), value.ty());
        let buffer = self.buffer(op.location(), "scalar", ty, &[]);
        self.compute_scalar(op, value, buffer)?;
        self.scalars.insert(value, buffer);
        Ok(buffer)
    }

    /// Adds a block that computes a scalar into a memref of rank 0.
    pub(super) fn compute_scalar(
        &mut self,
        op: Op<'c>,
        value: Value<'c>,
        to: Value<'c>,
    ) -> Result<(), Error<'c>> {
        let name = self.block_name("scalar");
        let location = op.location();
        let nest =
            self.nest(NestSpec { location, name, iters: vec![], uses: vec![], reducer: None });
        let scalar = self.scalar(&nest, value)?;
        nest.store(scalar, to, &[]);
        nest.finish()
    }

    /// Records that a buffer holds a tensor with these dimensions, or a scalar.
    pub(super) fn hold(&mut self, value: Value<'c>, buffer: Value<'c>, dims: Vec<Expr>) {
        match value.ty().shaped() {
            Some(_) => self.set(value, ConvertedValue::Buffer(buffer), dims),
            None => drop(self.scalars.insert(value, buffer)),
        }
    }

    /// The buffer that an old tensor is computed to: its destination argument or a new buffer.
    pub(super) fn target(
        &mut self,
        location: Location<'c>,
        base: &str,
        value: Value<'c>,
        dims: &[Expr],
    ) -> Result<Value<'c>, Error<'c>> {
        if let Some(destination) = self.destinations.get(&value) {
            return Ok(*destination);
        }
        let element =
            value.ty().shaped().map(|(_, element)| stored_type(value.ty().context(), element));
        match element.filter(|ty| is_storable(*ty)) {
            Some(element) => Ok(self.buffer(location, base, element, dims)),
            None => {
                Err(Error::at(location, format!("a value has the type {}, {MEMORY}", value.ty())))
            }
        }
    }

    /// Creates a buffer at function entry.
    pub(super) fn buffer(
        &mut self,
        location: Location<'c>,
        base: &str,
        element: Type<'c>,
        dims: &[Expr],
    ) -> Value<'c> {
        let name = self.buffer_names.fresh(base);
        let sizes: Vec<_> = dims.iter().map(Expr::constant).collect();
        let dynamic: Vec<_> =
            dims.iter().filter(|d| d.constant().is_none()).map(Expr::simplified).collect();
        let ty = Type::memref(&sizes, element);
        let op = BufferView::create(location, &name, Scope::Global, ty, &dynamic, &self.entries);
        Builder::before(self.entry, location).place(op);
        op.result(0)
    }

    /// Creates a block that copies a tensor to a memref.
    pub(super) fn copy(
        &mut self,
        op: Op<'c>,
        source: &ConvertedValue<'c>,
        dims: &[Expr],
        value: Value<'c>,
        to: Value<'c>,
    ) -> Result<(), Error<'c>> {
        let base = if matches!(source, ConvertedValue::Buffer(_)) { "copy" } else { "fill" };
        let name = self.block_name(base);
        let nest = self.nest(NestSpec {
            location: op.location(),
            name,
            iters: dims.iter().map(|d| (IterRole::Spatial, d.clone())).collect(),
            uses: vec![],
            reducer: None,
        });
        let element = self.read(&nest, source, value, &nest.iters)?;
        nest.store(element, to, &nest.iters.clone());
        nest.finish()
    }

    /// A unique name for a block of the new function: `base`, `base_1`, ...
    pub(super) fn block_name(&mut self, base: &str) -> String {
        self.block_names.fresh(base)
    }
    /// Adds a nest at the end of the new function.
    pub(super) fn nest(&mut self, spec: NestSpec<'c>) -> NestUnderConstruction<'c> {
        NestUnderConstruction::new(spec, self.entries.clone(), self.end)
    }
}

pub(super) fn unranked(op: Op) -> Error {
    Error::on(op, "has a type that is neither a ranked tensor nor a row-major memref")
}
