//! `emulate-narrow-types`: keep integers whose width memory does not have, and floats of at most 8 bits, as integers of 8, 16, 32
//! or 64 bits.
//!
//! ```text
//! func.func @f(%x: tensor<4xi4>, %y: tensor<4xf8E4M3FN>) -> tensor<4xf32> {
//!   %r = linalg.generic .. ins(%x, %y) { %a = arith.sitofp %i : i4 to f32    %b = arith.extf %f : f8E4M3FN to f32 .. }
//!   ->
//! func.func @f(%x: tensor<4xi8>, %y: tensor<4xi8>) -> tensor<4xf32> {
//!   %r = linalg.generic .. ins(%x, %y) { %n = arith.trunci %i : i8 to i4    %a = arith.sitofp %n : i4 to f32
//!                                        %b: the value of the bits in %f, by integer arithmetic .. }
//! ```
//! - In a tensor, and as an argument or result of a function, such an integer is one of the next width that memory has, with the
//!   same value, signed. Of what a caller passes, only the low bits count. A scalar in a body keeps its type, so its arithmetic
//!   stays that of its width.
//! - Such a float is an `i8` with its bit pattern, everywhere. Conversions become integer arithmetic
//!   ([`float`]). Other arithmetic is computed in f32, and each result is rounded to the float.
//! - A boolean is not narrow: memory has a byte for it.
//!
//! An op on such types that is not known here is an error, which names the op.

mod float;

use crate::compute::linalg_builder::{ResultSize, empty, generalize, generic, rank};
use crate::ir::affine::Map;
use crate::ir::{
    Attribute, Block, Builder, Error, FloatKind, IteratorKind, NarrowFloat, Op, Region, Structured,
    Type, TypeKind, Value, constant_integer, functions, signature, walk,
};
use std::collections::HashMap;

/// A scalar type that memory does not have.
#[derive(Clone, Copy, PartialEq)]
enum Narrow {
    Integer(u32),
    Float(NarrowFloat),
}

impl Narrow {
    fn of(ty: Type) -> Option<Narrow> {
        match ty.kind() {
            TypeKind::Integer(1 | 8 | 16 | 32) => None,
            TypeKind::Integer(bits @ 2..64) => Some(Narrow::Integer(bits)),
            TypeKind::Float(FloatKind::Narrow(narrow)) => Some(Narrow::Float(narrow)),
            _ => None,
        }
    }

    /// The type in memory.
    fn storage<'c>(self, ty: Type<'c>) -> Type<'c> {
        let bits = match self {
            Narrow::Integer(bits) => bits.next_power_of_two().max(8),
            Narrow::Float(_) => 8,
        };
        Type::integer(ty.context(), bits)
    }
}

/// The narrow type of a scalar, or of the elements of a tensor, buffer or vector.
fn narrow_of(ty: Type) -> Option<Narrow> {
    let element = ty.shaped().map(|(_, element)| element).or_else(|| ty.elements());
    Narrow::of(element.unwrap_or(ty))
}

/// The type of a value in memory: a tensor of numbers that memory has, or such a number.
fn stored(ty: Type) -> Type {
    let Some(narrow) = narrow_of(ty) else { return ty };
    match ty.shaped() {
        Some((dims, element)) => Type::tensor(&dims, narrow.storage(element)),
        None => narrow.storage(ty),
    }
}

/// Replaces the narrow types in the functions of `module`.
pub fn convert<'c>(module: Op<'c>) -> Result<(), Error<'c>> {
    let is_concerned = |op: &Op<'c>| types_of(*op).into_iter().any(|ty| narrow_of(ty).is_some());
    let concerned: Vec<_> = walk(module).into_iter().filter(is_concerned).collect();
    for op in &concerned {
        let is_array = |ty: &Type| (ty.is_memref() || ty.is_vector()) && narrow_of(*ty).is_some();
        if let Some(ty) = types_of(*op).into_iter().find(is_array) {
            return Err(Error::on(*op, format!("has a value of type {ty}, expected a tensor")));
        }
    }
    for op in concerned {
        let name = op.name();
        let is_scalar_op = name.starts_with("arith.") || name.starts_with("math.");
        let is_plain = matches!(name, "arith.constant" | "arith.select");
        if (is_scalar_op && !is_plain || name == "tensor.bitcast")
            && op.result(0).ty().shaped().is_some()
        {
            if op.results().len() != 1 {
                return Err(unsupported(op));
            }
            each_element(op);
        } else if !op.is("linalg.generic") && Structured::of(op).is_some() && !only_moves(op) {
            generalize(op);
        }
    }
    let mut emulation = Emulation::default();
    let ops: Vec<_> = walk(module).into_iter().filter(is_concerned).collect();
    ops.iter().for_each(|op| emulation.retype(*op));
    for function in functions(module) {
        let Some((inputs, results)) = signature(function) else { continue };
        let [inputs, results] =
            [inputs, results].map(|types| types.into_iter().map(stored).collect::<Vec<_>>());
        let ty = Type::function(function.context(), &inputs, &results).to_attribute();
        function.set_attribute("function_type", ty);
    }
    ops.into_iter().try_for_each(|op| emulation.emulate(op))
}

fn unsupported(op: Op<'_>) -> Error<'_> {
    Error::on(op, "works on narrow integers or floats, which emulate-narrow-types does not support")
}

/// The types of the operands and results of an op, and of the arguments of its blocks.
fn types_of(op: Op) -> Vec<Type> {
    let blocks = op.regions().into_iter().flat_map(Region::blocks);
    let arguments = blocks.flat_map(Block::arguments);
    let values = op.operands().into_iter().chain(op.results()).chain(arguments).map(Value::ty);
    let (inputs, results) = signature(op).unwrap_or_default();
    values.chain(inputs).chain(results).collect()
}

/// True if the body of an op only chooses an element, as that of a transpose or of a fill.
fn only_moves(op: Op) -> bool {
    op.body(0).is_some_and(|body| body.ops().len() == 1)
}

/// A `linalg.generic` that computes each element of a tensor of type `ty` from those of tensors of the same sizes.
fn each<'c>(
    at: &Builder<'c>,
    inputs: &[Value<'c>],
    ty: Type<'c>,
    body_of: impl FnOnce(&Builder<'c>, &[Value<'c>]) -> Value<'c>,
) -> Value<'c> {
    let sizes: Vec<_> = (0..rank(inputs[0])).map(|i| ResultSize::Of(inputs[0], i)).collect();
    let outs = empty(at, ty, &sizes);
    let maps = vec![Map::identity(sizes.len()); inputs.len() + 1];
    let iterators = vec![IteratorKind::Parallel; sizes.len()];
    generic(at, inputs, outs, &maps, &iterators, |inner, elements| {
        body_of(inner, &elements[..inputs.len()])
    })
}

/// Replaces a scalar op on tensors by a `linalg.generic` with the op in its body.
fn each_element(op: Op) {
    let at = Builder::before(op, op.location());
    let (ty, inputs) = (op.result(0).ty(), op.operands());
    let new = each(&at, &inputs, ty, |inner, elements| {
        let (_, element) = ty.shaped().expect("a tensor");
        if op.is("tensor.bitcast") {
            return inner.op("arith.bitcast", &elements[..1], element);
        }
        let mapping: Vec<_> = inputs.iter().copied().zip(elements.iter().copied()).collect();
        let scalar = op.clone_mapped(&mapping);
        inner.place(scalar);
        scalar.result(0).set_type(element);
        scalar.result(0)
    });
    op.result(0).replace_all_uses_with(new);
    op.erase();
}

#[derive(Default)]
struct Emulation<'c> {
    /// The types that values had.
    narrow: HashMap<Value<'c>, Narrow>,
}

impl<'c> Emulation<'c> {
    /// Changes the types of results and block arguments: those of tensors, and of narrow floats.
    fn retype(&mut self, op: Op<'c>) {
        let blocks = op.regions().into_iter().flat_map(Region::blocks);
        for value in op.results().into_iter().chain(blocks.flat_map(Block::arguments)) {
            let ty = value.ty();
            let Some(narrow) = narrow_of(ty) else { continue };
            self.narrow.insert(value, narrow);
            if ty.shaped().is_some() || matches!(narrow, Narrow::Float(_)) {
                value.set_type(stored(ty));
            }
        }
    }

    /// The narrow float type that a scalar had.
    fn float(&self, value: Value<'c>) -> Option<NarrowFloat> {
        match self.narrow.get(&value) {
            Some(Narrow::Float(narrow)) if value.ty().shaped().is_none() => Some(*narrow),
            _ => None,
        }
    }

    fn emulate(&mut self, op: Op<'c>) -> Result<(), Error<'c>> {
        let name = op.name();
        let (dialect, _) = name.split_once('.').unwrap_or(("", name));
        match name {
            "arith.constant" => self.constant(op),
            "arith.select" => Ok(()),
            "func.func" => {
                let Some(body) = op.body(0) else { return Ok(()) };
                if op.attribute("sym_visibility").and_then(Attribute::as_str) != Some("private") {
                    self.extend_arguments(body);
                }
                self.narrow_arguments(body);
                Ok(())
            }
            "func.call" | "tensor.extract" => {
                self.widen_operands(op);
                let end = op.next().expect("a terminator follows");
                let at = Builder::before(end, op.location());
                op.results().into_iter().for_each(|result| self.narrow_value(&at, result));
                Ok(())
            }
            // They compute, and have no body that says how.
            "linalg.softmax" => Err(unsupported(op)),
            _ if name.starts_with("linalg.winograd_") => Err(unsupported(op)),
            _ if matches!(dialect, "arith" | "math") => self.scalar(op),
            _ if matches!(dialect, "linalg" | "tensor") || name == "func.return" => {
                self.widen_operands(op);
                if only_moves(op) {
                    let arguments = op.body(0).map(Block::arguments).unwrap_or_default();
                    arguments.into_iter().for_each(|it| it.set_type(stored(it.ty())));
                } else {
                    let blocks = op.regions().into_iter().flat_map(Region::blocks);
                    blocks.for_each(|block| self.narrow_arguments(block));
                }
                Ok(())
            }
            "graph.fusion" | "graph.yield" | "graph.yield_store" => Ok(()),
            _ if matches!(dialect, "scf" | "cf") => Ok(()),
            _ => Err(unsupported(op)),
        }
    }

    /// Extends the operands that are narrow integers.
    fn widen_operands(&self, op: Op<'c>) {
        let at = Builder::before(op, op.location());
        for (i, operand) in op.operands().into_iter().enumerate() {
            if let Some(Narrow::Integer(_)) = Narrow::of(operand.ty()) {
                let ty = stored(operand.ty());
                let wide = match constant_integer(operand) {
                    Some(value) => at.constant(Attribute::integer(ty, value)),
                    None => at.op("arith.extsi", &[operand], ty),
                };
                op.set_operand(i, wide);
            }
        }
    }

    /// Extends the elements of arguments from outside, of which only the low bits count, before ops that move them as they are:
    /// NumPy's arrays of such integers have zeros in the other bits.
    fn extend_arguments(&self, body: Block<'c>) {
        let Some(first) = body.first_op() else { return };
        let at = Builder::before(first, first.location());
        // These look at the low bits of an element only, or at none.
        let computes = |(op, _): &(Op<'c>, usize)| {
            op.is("tensor.extract")
                || op.is("tensor.dim")
                || Structured::of(*op).is_some() && !only_moves(*op)
        };
        for argument in body.arguments() {
            let Some(Narrow::Integer(bits)) = self.narrow.get(&argument).copied() else { continue };
            let users = argument.uses();
            if argument.ty().shaped().is_none() || users.iter().all(computes) {
                continue;
            }
            let narrow = Type::integer(at.context(), bits);
            let extended = each(&at, &[argument], argument.ty(), |inner, elements| {
                let low = inner.op("arith.trunci", elements, narrow);
                inner.op("arith.extsi", &[low], elements[0].ty())
            });
            users.into_iter().for_each(|(user, operand)| user.set_operand(operand, extended));
        }
    }

    fn narrow_arguments(&self, block: Block<'c>) {
        let Some(first) = block.first_op() else { return };
        let at = Builder::before(first, first.location());
        block.arguments().into_iter().for_each(|argument| self.narrow_value(&at, argument));
    }

    /// Makes a scalar that an op takes from memory one of the stored type, and truncates it for those that use it.
    fn narrow_value(&self, at: &Builder<'c>, value: Value<'c>) {
        let ty = value.ty();
        if let Some(Narrow::Integer(_)) = Narrow::of(ty) {
            value.set_type(stored(ty));
            if value.is_unused() {
                return;
            }
            let narrow = at.op("arith.trunci", &[value], ty);
            value.replace_all_uses_with(narrow);
            narrow.defining_op().expect("an op").set_operand(0, value);
        }
    }

    /// A constant of the bits.
    fn constant(&mut self, op: Op<'c>) -> Result<(), Error<'c>> {
        let result = op.result(0);
        let narrow = self.narrow.get(&result).copied();
        let (Some(narrow), Some(value)) = (narrow, op.attribute("value")) else { return Ok(()) };
        let ty = result.ty();
        let is_tensor = ty.shaped().is_some();
        let attribute = match narrow {
            Narrow::Integer(_) if !is_tensor => return Ok(()),
            Narrow::Float(narrow) if !is_tensor => value
                .as_f64()
                .map(|value| Attribute::integer(ty, i64::from(float::code_of(narrow, value)))),
            _ => value.as_elements().and_then(|elements| {
                let (_, element) = ty.shaped()?;
                let size = element.element_bytes()? as usize;
                let is_stored = |byte: &u8| match narrow {
                    Narrow::Integer(width) => sign_extended((*byte).into(), width) as u8 == *byte,
                    Narrow::Float(_) => true,
                };
                // Weights are not copied.
                if size == 1
                    && let Some(shared) = value.resource_as(ty)
                    && elements.bytes()?.iter().all(is_stored)
                {
                    return Some(shared);
                }
                let bytes = elements.iter().flat_map(|bits| {
                    let bits = match narrow {
                        Narrow::Integer(width) => sign_extended(bits, width),
                        Narrow::Float(_) => bits,
                    };
                    bits.to_le_bytes().into_iter().take(size)
                });
                Attribute::dense(ty, &bytes.collect::<Vec<_>>())
            }),
        };
        let attribute = attribute.ok_or_else(|| {
            Error::on(op, "has a value that cannot be read: expected a number, or dense elements")
        })?;
        let at = Builder::before(op, op.location());
        self.replace(op, at.constant(attribute));
        Ok(())
    }

    /// Replaces an op with one result by a value of the same meaning.
    fn replace(&mut self, op: Op<'c>, new: Value<'c>) {
        let result = op.result(0);
        if let Some(narrow) = self.narrow.get(&result) {
            self.narrow.insert(new, *narrow);
        }
        result.replace_all_uses_with(new);
        op.erase();
    }

    /// An op on scalars. Integers keep their types, so only floats change.
    fn scalar(&mut self, op: Op<'c>) -> Result<(), Error<'c>> {
        let (operands, result) = (op.operands(), op.result(0));
        let to = self.float(result);
        if to.is_none() && operands.iter().all(|it| self.float(*it).is_none()) {
            return Ok(());
        }
        if op.results().len() != 1 {
            return Err(unsupported(op));
        }
        let at = Builder::before(op, op.location());
        let f32 = Type::float(op.context(), FloatKind::F32);
        let read = |value: &Value<'c>| match self.float(*value) {
            Some(narrow) => float::decode(&at, *value, narrow),
            None => *value,
        };
        let new = match op.name() {
            "arith.bitcast" => float::reinterpreted(&at, operands[0], result.ty()),
            "arith.extf" | "arith.truncf" => read(&operands[0]),
            "arith.scaling_extf" => {
                let ty = if to.is_some() { f32 } else { result.ty() };
                let scale = float::power_of_two(&at, read(&operands[1]));
                let factors = [read(&operands[0]), scale].map(|it| float::converted(&at, it, ty));
                at.op("arith.mulf", &factors, ty)
            }
            "arith.scaling_truncf" => {
                let value = read(&operands[0]);
                let scale = float::power_of_two(&at, read(&operands[1]));
                let scale = float::converted(&at, scale, value.ty());
                at.op("arith.divf", &[value, scale], value.ty())
            }
            _ => {
                let mapping: Vec<_> = operands.iter().map(|it| (*it, read(it))).collect();
                let copy = op.clone_mapped(&mapping);
                at.place(copy);
                if to.is_some() {
                    copy.result(0).set_type(f32);
                }
                copy.result(0)
            }
        };
        let new = match to {
            _ if op.is("arith.bitcast") => new,
            Some(narrow) => float::encode(&at, new, narrow),
            None => float::converted(&at, new, result.ty()),
        };
        self.replace(op, new);
        Ok(())
    }
}

/// The 64 bits of a signed integer of fewer bits.
fn sign_extended(bits: u64, width: u32) -> u64 {
    let unused = 64 - width;
    (((bits << unused) as i64) >> unused) as u64
}
