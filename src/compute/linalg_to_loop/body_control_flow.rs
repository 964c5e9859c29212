//! Loops, and branches that depend on data, in the body of an op: they become a function of numbers and buffers, which
//! the schedule block calls.
//!
//! ```text
//! %p = scf.for %i = %c0 to %n step %c1 iter_args(%x = %one) -> f32 { .. tensor.extract %t[%i] .. }
//!   ->
//! %p = func.call @f_for(%n, %t) {no_inline} : (index, memref<?xf32>) -> f32
//! func.func private @f_for(%n: index, %t: memref<?xf32>) -> f32 {
//!   %p = scf.for .. { .. memref.load %t[%i] .. }
//!   return %p
//! }
//! ```
//! For schedules such a call is one op: they move the schedule block as a whole. The block reads whole buffers.

use super::body::ComputedScalars;
use super::nest::{NestUnderConstruction, as_element};
use super::state::{ConvertedValue, FunctionConversion};
use crate::dialect::contract;
use crate::ir::{Attribute, Block, Builder, Error, Op, Type, Value, is_inside, scope_of, walk};
use std::collections::HashMap;

/// True for an op that runs its regions several times.
pub(super) fn is_loop(op: Op) -> bool {
    matches!(op.name(), "scf.for" | "scf.while")
}

/// The parameters of a function under construction.
struct BodyParameters<'c> {
    body: Block<'c>,
    /// The values of the schedule block, one for each argument of `body`.
    passed: Vec<Value<'c>>,
    /// The forms of old values in the function.
    mapping: HashMap<Value<'c>, Value<'c>>,
}

impl<'c> BodyParameters<'c> {
    /// The argument for a value of the schedule block.
    fn pass(&mut self, value: Value<'c>) -> Value<'c> {
        match self.passed.iter().position(|known| *known == value) {
            Some(i) => self.body.argument(i),
            None => {
                self.passed.push(value);
                let location = self.body.end().location();
                self.body.insert_argument(self.passed.len() - 1, value.ty(), location)
            }
        }
    }
}

impl<'c> FunctionConversion<'_, 'c> {
    /// Moves a loop or branch of an old body to a function of its own, and calls that; its results are in `known` then.
    pub(super) fn call_control_flow(
        &mut self,
        nest: &NestUnderConstruction<'c>,
        known: &mut ComputedScalars<'c>,
        op: Op<'c>,
    ) -> Result<(), Error<'c>> {
        walk(op).into_iter().try_for_each(check)?;
        let location = op.location();
        let context = nest.build.context();
        let host = self.end.parent().expect("the end is in the new function");
        let host_name = host.symbol_name().unwrap_or_default();
        let kind = op.name().strip_prefix("scf.").unwrap_or_default();
        let name = self.module.symbols.fresh(&format!("{host_name}_{kind}"));

        let body = Block::new(&[]);
        let at = Builder::at_end(body, location);
        let end = at.insert(at.spec("func.return"));
        let mut spec = at.private_function(&name, &[], &[], body);
        if let Some(contract) = host.attribute(contract::ATTRIBUTE) {
            spec = spec.attribute(contract::ATTRIBUTE, contract);
        }
        let function = spec.create().expect("the func dialect is loaded");
        self.module.functions_of_bodies.push(function);

        let at = Builder::before(end, location);
        let mut parameters = BodyParameters { body, passed: vec![], mapping: HashMap::new() };
        self.parameters(nest, known, op, &mut parameters, &at)?;
        let mapping: Vec<_> = parameters.mapping.iter().map(|(old, new)| (*old, *new)).collect();
        let clone = op.clone_mapped(&mapping);
        at.place(clone);
        let mut dead = vec![];
        for (old, new) in walk(op).into_iter().zip(walk(clone)) {
            Self::convert_access(old, new, &parameters, &mut dead);
        }
        // The users of a dead op come after it.
        dead.into_iter().rev().for_each(Op::erase);
        end.set_operands(&clone.results());
        let types = |values: &[Value<'c>]| -> Vec<_> { values.iter().map(|v| v.ty()).collect() };
        let results = types(&op.results());
        let ty = Type::function(context, &types(&parameters.passed), &results);
        function.set_attribute("function_type", ty.to_attribute());

        let at = nest.build.at(location);
        let spec = at.spec("func.call").operands(&parameters.passed).results(&results);
        // A schedule block cannot hold the body of the function.
        let spec = spec.attribute("no_inline", Attribute::unit(context));
        let call = at.insert(spec.attribute("callee", Attribute::symbol(context, &name)));
        known.extend(op.results().into_iter().zip(call.results()));
        Ok(())
    }

    /// Gives each value that `op` uses from outside its form in the function.
    fn parameters(
        &mut self,
        nest: &NestUnderConstruction<'c>,
        known: &mut ComputedScalars<'c>,
        op: Op<'c>,
        parameters: &mut BodyParameters<'c>,
        at: &Builder<'c>,
    ) -> Result<(), Error<'c>> {
        for inner in walk(op) {
            if let Some(value) = dimension(inner) {
                let Some(size) = self.sizes.size(value) else {
                    return Err(Error::on(
                        inner,
                        "reads a size that convert-linalg-to-loop does not know",
                    ));
                };
                let argument = parameters.pass(nest.index(&size));
                parameters.mapping.insert(value, argument);
                continue;
            }
            for value in inner.operands() {
                // Also a cast of a tensor in `op` is a tensor from outside.
                let is_tensor = value.ty().shaped().is_some();
                let is_inside = scope_of(value).is_some_and(|scope| is_inside(scope, op));
                if parameters.mapping.contains_key(&value) || is_inside && !is_tensor {
                    continue;
                }
                let constant = value.defining_op().filter(|it| it.is_constant());
                let new = match constant {
                    _ if is_tensor => match self.tensor(inner, value)?.0 {
                        ConvertedValue::Buffer(buffer) => parameters.pass(buffer),
                        ConvertedValue::Fill(scalar) => {
                            parameters.pass(self.evaluate(nest, known, scalar)?)
                        }
                        ConvertedValue::Splat(constant) => at.constant(constant),
                        ConvertedValue::Empty => {
                            let message = "reads an element of 'tensor.empty', which has no value";
                            return Err(Error::on(inner, message));
                        }
                    },
                    Some(constant) => {
                        let copy = constant.clone_mapped(&[]);
                        at.place(copy);
                        copy.result(0)
                    }
                    None => parameters.pass(self.evaluate(nest, known, value)?),
                };
                parameters.mapping.insert(value, new);
            }
        }
        Ok(())
    }

    /// Replaces the clone of an op that reads from a tensor; an op without a use left is `dead`.
    fn convert_access(
        old: Op<'c>,
        new: Op<'c>,
        parameters: &BodyParameters<'c>,
        dead: &mut Vec<Op<'c>>,
    ) {
        let value = match old.name() {
            "tensor.extract" | "memref.load" => {
                let at = Builder::before(new, old.location());
                let source = parameters.mapping[&old.operand(0)];
                match source.ty().is_memref() {
                    true => {
                        let stored = at.load(source, &new.operands()[1..]);
                        Some(as_element(&at, stored, old.result(0).ty()))
                    }
                    false => Some(source),
                }
            }
            // It is reported.
            "cf.assert" | "tensor.cast" => None,
            _ => match dimension(old) {
                Some(size) => Some(parameters.mapping[&size]),
                None => return,
            },
        };
        if let Some(value) = value {
            new.result(0).replace_all_uses_with(value);
        }
        dead.push(new);
    }
}

/// The size that an op reads from a tensor or memref.
fn dimension<'c>(op: Op<'c>) -> Option<Value<'c>> {
    matches!(op.name(), "tensor.dim" | "memref.dim" | "tensor.rank").then(|| op.result(0))
}

/// Verifies that an op can be in the function.
fn check(op: Op) -> Result<(), Error> {
    let is_supported = match op.name() {
        "scf.for" | "scf.while" | "scf.if" | "scf.yield" | "scf.condition" => {
            if op.attribute("unsignedCmp").is_some() {
                return Err(Error::on(op, "compares unsigned, expected signed bounds"));
            }
            true
        }
        "tensor.cast" => return Ok(()),
        "tensor.extract" | "memref.load" | "cf.assert" => true,
        _ => op.regions().is_empty() && op.has_no_effects(),
    };
    if !is_supported || op.results().iter().any(|value| value.ty().shaped().is_some()) {
        let message = "is in a loop or branch of a body, expected ops that compute numbers, and reads of tensors from \
                       outside";
        return Err(Error::on(op, message));
    }
    Ok(())
}
