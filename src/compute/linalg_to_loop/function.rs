//! Converts one function: its new signature, its values, and the walk over its ops.

use super::state::{ConvertedValue, FunctionConversion, MEMORY, unranked};
use super::{ModuleState, call, control_flow, movement, scatter, structured};
use crate::compute::names::Names;
use crate::compute::symbolic_sizes::SymbolicSizes;
use crate::dialect::loop_op::{is_storable, stored_type};
use crate::dialect::requirement::{Requirements, SizeOrigin};
use crate::ir::affine::{Constraint, Expr, Map};
use crate::ir::{
    Attribute, Block, Builder, Error, Op, OpSpec, Region, Structured, Type, TypeKind, Value, walk,
};
use std::collections::HashMap;

/// The signature of a converted function, for its callers.
pub(super) struct Signature<'c> {
    /// The argument types of the old function.
    pub inputs: Vec<Type<'c>>,
    /// The result types of the old function.
    pub results: Vec<Type<'c>>,
    /// The dimensions of each result, over `origins`.
    pub shapes: Vec<Vec<Expr>>,
    pub origins: Vec<SizeOrigin>,
    /// Conditions on the entry sizes, over `origins`.
    pub requirements: Vec<Constraint>,
}

/// Builds the converted function, outside of any module.
pub(super) fn convert<'c>(module: &mut ModuleState<'c>, old: Op<'c>) -> Result<Op<'c>, Error<'c>> {
    let (inputs, results) = old
        .attribute("function_type")
        .and_then(Attribute::as_type)
        .and_then(Type::signature)
        .ok_or_else(|| Error::on(old, "has no function type"))?;
    let name = old.symbol_name().unwrap_or_default();
    let blocks = old.regions()[0].blocks();
    let [old_body] = blocks[..] else {
        return Err(Error::on(old, "has several blocks: control flow is not converted"));
    };
    let converted = |ty: &Type<'c>, what: String| {
        argument_type(*ty)
            .ok_or_else(|| Error::on(old, format!("{what} has the type {ty}, {MEMORY}")))
    };
    let mut types = vec![];
    for (i, ty) in inputs.iter().enumerate() {
        types.push(converted(ty, format!("argument {i}"))?);
    }
    for (i, ty) in results.iter().enumerate() {
        match (ty.kind(), converted(ty, format!("result {i}"))?) {
            (TypeKind::Index | TypeKind::MemRef { .. } | TypeKind::Other, _) => {
                return Err(Error::on(
                    old,
                    format!(
                        "result {i} has the type {ty}, expected a tensor \
                                                   or a number"
                    ),
                ));
            }
            (_, new) => types.push(new),
        }
    }
    let location = old.location();
    let body = Block::new(&types.iter().map(|ty| (*ty, location)).collect::<Vec<_>>());
    let new = new_function(old, &types, body);
    let builder = Builder::at_end(body, location);
    let entry = builder.insert(builder.spec("loop.sync"));
    let end = builder.insert(builder.spec("func.return"));
    let mut function = FunctionConversion {
        module,
        sizes: SymbolicSizes::default(),
        entries: vec![],
        scalars: HashMap::new(),
        tensors: HashMap::new(),
        destinations: HashMap::new(),
        unchecked: vec![],
        block_names: Names::default(),
        buffer_names: Names::default(),
        entry,
        end,
    };
    let outcome = function.fill(old, new, old_body, body, inputs.len());
    let shapes = match outcome {
        Ok(shapes) => shapes,
        Err(error) => {
            new.erase();
            return Err(error);
        }
    };
    let origins = function.origins();
    entry.erase();
    for value in function.entries.clone() {
        // Erases dimensions that are unused.
        if let Some(dim) = value.defining_op().filter(|_| value.uses().is_empty()) {
            let constant = dim.operand(1).defining_op();
            dim.erase();
            constant.filter(|c| c.result(0).uses().is_empty()).into_iter().for_each(Op::erase);
        }
    }
    function.report_unchecked();
    let requirements = std::mem::take(&mut function.sizes.requirements);
    let mut stated = Requirements::of(new).inspect_err(|_| new.erase())?;
    requirements.iter().for_each(|condition| stated.add(vec![], condition.clone()));
    stated.state(new);
    module.done.insert(name, Signature { inputs, results, shapes, origins, requirements });
    Ok(new)
}

/// The type of the new argument for an old argument or result.
fn argument_type(ty: Type) -> Option<Type> {
    let stored = |element| Some(stored_type(ty.context(), element)).filter(|ty| is_storable(*ty));
    match ty.kind() {
        TypeKind::Index => Some(ty),
        TypeKind::Tensor { dims, element } => Some(Type::memref(&dims, stored(element)?)),
        TypeKind::MemRef { element, .. } => is_storable(element).then_some(ty),
        TypeKind::Other => None,
        TypeKind::Integer(_) | TypeKind::Float(_) => Some(Type::memref(&[], stored(ty)?)),
    }
}

/// The new `func.func`, with the old one's name, visibility and attributes.
fn new_function<'c>(old: Op<'c>, types: &[Type<'c>], body: Block<'c>) -> Op<'c> {
    let context = old.context();
    let ty = Type::function(context, types, &[]).to_attribute();
    let mut spec = OpSpec::new("func.func", old.location()).attribute("function_type", ty);
    for name in ["sym_name", "sym_visibility"] {
        if let Some(value) = old.attribute(name) {
            spec = spec.attribute(name, value);
        }
    }
    for (name, value) in old.discardable_attributes() {
        spec = spec.attribute(name, value);
    }
    spec.region(Region::of(body)).create().expect("the func dialect is loaded")
}

impl<'c> FunctionConversion<'_, 'c> {
    /// Fills the new function; returns the shapes of its results.
    fn fill(
        &mut self,
        old: Op<'c>,
        new: Op<'c>,
        old_body: Block<'c>,
        body: Block<'c>,
        inputs: usize,
    ) -> Result<Vec<Vec<Expr>>, Error<'c>> {
        let arguments = body.arguments();
        let mut attributes = vec![vec![]; arguments.len()];
        for (i, (value, argument)) in old_body.arguments().into_iter().zip(&arguments).enumerate() {
            self.argument(i, value, *argument);
            let given = old.argument_attribute(i, "loop.name");
            if let Some(name) = given.and_then(Attribute::as_str) {
                self.buffer_names.insert(name);
            } else {
                self.buffer_names.insert(&format!("arg{i}"));
            }
            for name in ["loop.name", "loop.result"] {
                attributes[i].extend(old.argument_attribute(i, name).map(|a| (name, a)));
            }
        }
        let returned = old_body
            .terminator()
            .filter(|end| end.is("func.return"))
            .ok_or_else(|| Error::on(old, "does not end in 'func.return'"))?;
        let results = &arguments[inputs..];
        for (i, (value, destination)) in returned.operands().iter().zip(results).enumerate() {
            let name = if results.len() == 1 { "out".into() } else { format!("out{i}") };
            let name = self.buffer_names.fresh(&name);
            let name = Attribute::string(old.context(), &name);
            attributes[inputs + i].push(("loop.name", name));
            self.destinations.entry(origin_of(*value)).or_insert(*destination);
        }
        self.solve_sizes(old_body);
        self.ops(old_body)?;
        let mut shapes = vec![];
        for (i, (value, destination)) in returned.operands().iter().zip(results).enumerate() {
            let shape = self.result(returned, *value, *destination)?;
            let marker = self.result_attribute(destination.ty(), &shape);
            attributes[inputs + i].push(("loop.result", marker));
            shapes.push(shape);
        }
        let context = old.context();
        let attributes: Vec<_> =
            attributes.iter().map(|entries| Attribute::dictionary(context, entries)).collect();
        new.set_attribute("arg_attrs", Attribute::array(context, &attributes));
        Ok(shapes)
    }

    fn argument(&mut self, i: usize, old: Value<'c>, new: Value<'c>) {
        let at = Builder::before(self.entry, self.entry.location());
        match new.ty().shaped() {
            None => self.entries.push(new),
            Some(_) if old.ty().shaped().is_none() => {
                self.scalars.insert(old, new);
            }
            Some((dims, _)) => {
                let dynamic = (0..dims.len()).filter(|d| dims[*d].is_none());
                self.entries.extend(dynamic.map(|d| at.dim(new, d)));
                self.tensors.insert(old, ConvertedValue::Buffer(new));
            }
        }
        self.sizes.add_argument(i, old);
    }

    /// Replaces the entry sizes that assertions determine by what they are equal to, so that loops over equal sizes have
    /// equal extents.
    fn solve_sizes(&mut self, body: Block<'c>) {
        for op in body.ops().into_iter().filter(|op| op.is("cf.assert")) {
            let conditions = self.sizes.asserted(op.operand(0)).unwrap_or_default();
            for equality in conditions.into_iter().filter(|it| matches!(it, Constraint::Zero(_))) {
                // If it never holds, the conversion of the assertion reports that.
                let _ = self.sizes.require(op, equality);
            }
        }
        self.sizes.solve();
    }

    /// The source of each entry size.
    fn origins(&self) -> Vec<SizeOrigin> {
        let origins = self.sizes.origins.iter();
        origins.map(|origin| origin.expect("all entry sizes are those of arguments")).collect()
    }

    /// Converts the ops of a block in order.
    fn ops(&mut self, block: Block<'c>) -> Result<(), Error<'c>> {
        for op in block.ops() {
            self.op(op)?;
        }
        Ok(())
    }

    fn op(&mut self, op: Op<'c>) -> Result<(), Error<'c>> {
        // Casts in bodies, of tensors from outside.
        for cast in walk(op).into_iter().filter(|inner| *inner != op && inner.is("tensor.cast")) {
            if self.tensors.contains_key(&cast.operand(0)) {
                self.alias(cast, cast.result(0), cast.operand(0))?;
            }
        }
        if let Some(structured) = Structured::of(op) {
            return structured::convert(self, op, &structured);
        }
        // Integers of any width: they are not in memory.
        let is_number =
            |ty: Type| matches!(ty.kind(), TypeKind::Integer(_)) || argument_type(ty).is_some();
        let is_scalar = |v: &Value| v.ty().shaped().is_none() && is_number(v.ty());
        match op.name() {
            "func.return" | "graph.yield" | "memref.dealloc" => Ok(()),
            "cf.assert" => self.assertion(op),
            "func.call" => call::convert(self, op),
            "scf.for" | "scf.if" | "scf.while" => control_flow::convert(self, op),
            "graph.fusion" => {
                let body = op.body(0).ok_or_else(|| Error::on(op, "has no body"))?;
                self.ops(body)?;
                let yielded = body.terminator().map(|end| end.operands()).unwrap_or_default();
                for (result, value) in op.results().into_iter().zip(yielded) {
                    self.alias(op, result, value)?;
                }
                Ok(())
            }
            "graph.yield_store" | "tensor.cast" => self.alias(op, op.result(0), op.operand(0)),
            "arith.constant" if op.result(0).ty().shaped().is_some() => self.constant(op),
            "memref.alloc" | "memref.alloca" => self.allocation(op),
            "memref.dim" | "tensor.dim" | "tensor.rank" | "tensor.extract" => Ok(()),
            "graph.scatter_elements"
            | "graph.scatter_nd"
            | "tm_tensor.scatter"
            | "tensor.scatter" => scatter::convert(self, op),
            name if name.starts_with("graph.") => {
                Err(Error::on(op, "is not a linalg op: run convert-graph-to-linalg first"))
            }
            name if name.starts_with("tensor.") => movement::convert(self, op),
            // Scalars are computed where they are used.
            _ if op.regions().is_empty()
                && op.has_no_effects()
                && op.results().iter().all(is_scalar) =>
            {
                Ok(())
            }
            _ => Err(Error::on(op, "is not supported by convert-linalg-to-loop")),
        }
    }

    /// Records that `result` has the elements of `value`.
    fn alias(&mut self, op: Op<'c>, result: Value<'c>, value: Value<'c>) -> Result<(), Error<'c>> {
        let (source, _) = self.tensor(op, value)?;
        let dims = self.sizes.cast(op, result, value)?;
        self.set(result, source, dims);
        Ok(())
    }

    /// A memref that the old function allocates.
    fn allocation(&mut self, op: Op<'c>) -> Result<(), Error<'c>> {
        let ty = op.result(0).ty();
        let (dims, element) = ty.shaped().ok_or_else(|| unranked(op))?;
        if !is_storable(element) {
            return Err(Error::on(op, format!("has elements of type {element}, {MEMORY}")));
        }
        let mut operands = op.operands().into_iter();
        let mut exprs = vec![];
        for dim in dims {
            exprs.push(match (dim, operands.next_if_dynamic(dim)) {
                (Some(size), _) => size.into(),
                (None, Some(value)) => self.sizes.needed_size(op, value)?,
                (None, None) => return Err(unranked(op)),
            });
        }
        let buffer = self.buffer(op.location(), "alloc", element, &exprs);
        self.set(op.result(0), ConvertedValue::Buffer(buffer), exprs);
        Ok(())
    }

    /// Computes the returned `value` into its destination unless that is already done; returns its shape.
    fn result(
        &mut self,
        op: Op<'c>,
        value: Value<'c>,
        destination: Value<'c>,
    ) -> Result<Vec<Expr>, Error<'c>> {
        if value.ty().shaped().is_none() {
            self.compute_scalar(op, value, destination)?;
            return Ok(vec![]);
        }
        let (source, dims) = self.tensor(op, value)?;
        let is_there = matches!(source, ConvertedValue::Buffer(buffer) if buffer == destination);
        if !is_there && !matches!(source, ConvertedValue::Empty) {
            self.copy(op, &source, &dims, value, destination)?;
        }
        Ok(dims)
    }

    /// The attribute of a destination argument; see LoopDialect.td.
    fn result_attribute(&self, ty: Type<'c>, shape: &[Expr]) -> Attribute<'c> {
        let context = ty.context();
        let is_static = ty.shaped().is_none_or(|(dims, _)| dims.iter().all(Option::is_some));
        if is_static {
            return Attribute::unit(context);
        }
        let origins = self.origins();
        let symbols: Vec<usize> = (0..origins.len()).collect();
        let map = Map { dims: 0, symbols: symbols.len(), results: shape.to_vec() };
        let (map, used) = map.compressed(&[], &symbols);
        let from: Vec<_> = used
            .iter()
            .map(|i| match origins[*i] {
                SizeOrigin::Index(a) => Attribute::dense_i64(context, &[a as i64]),
                SizeOrigin::Dim(a, d) => Attribute::dense_i64(context, &[a as i64, d as i64]),
            })
            .collect();
        let from = Attribute::array(context, &from);
        Attribute::dictionary(context, &[("shape", map.to_attribute(context)), ("from", from)])
    }
}

/// The value that a returned value is an alias of.
fn origin_of(value: Value) -> Value {
    let Some(op) = value.defining_op() else { return value };
    match op.name() {
        "graph.yield_store" | "tensor.cast" => origin_of(op.operand(0)),
        "graph.fusion" => op
            .body(0)
            .and_then(|body| body.terminator())
            .and_then(|end| end.operands().get(value.index()).copied())
            .map_or(value, origin_of),
        _ => value,
    }
}

/// Takes the next operand if a dimension is dynamic.
trait NextIfDynamic<'c> {
    fn next_if_dynamic(&mut self, dim: Option<i64>) -> Option<Value<'c>>;
}

impl<'c, I: Iterator<Item = Value<'c>>> NextIfDynamic<'c> for I {
    fn next_if_dynamic(&mut self, dim: Option<i64>) -> Option<Value<'c>> {
        if dim.is_none() { self.next() } else { None }
    }
}
