//! Tensor constants: splats become scalars, other constants become module globals, one a value.

use super::nest::is_bool;
use super::state::{ConvertedValue, FunctionConversion, unranked};
use crate::dialect::loop_op::{is_storable, stored_type};
use crate::ir::{Attribute, Builder, Error, Op, OpSpec, Type, TypeKind, Value};

impl<'c> FunctionConversion<'_, 'c> {
    pub(super) fn constant(&mut self, op: Op<'c>) -> Result<(), Error<'c>> {
        // The result type of a reshape has the sizes as well.
        let is_shape = |(user, place): &(Op, usize)| user.is("tensor.reshape") && *place == 1;
        if op.result(0).uses().iter().all(is_shape) {
            return Ok(());
        }
        let value = op.attribute("value").ok_or_else(|| Error::on(op, "has no value"))?;
        let elements = value.as_elements().ok_or_else(|| {
            Error::on(op, "is not a dense constant of numbers, or its data is missing")
        })?;
        let (dims, element) = elements.ty.shaped().ok_or_else(|| unranked(op))?;
        let is_single = dims.iter().flatten().all(|size| *size == 1);
        let source = if elements.is_empty() {
            ConvertedValue::Empty
        } else if elements.splat || is_single {
            ConvertedValue::Splat(scalar_attribute(element, elements.bits(0)))
        } else {
            ConvertedValue::Buffer(self.global(op, value)?)
        };
        let dims = dims.iter().map(|d| d.unwrap_or_default().into()).collect();
        self.set(op.result(0), source, dims);
        Ok(())
    }

    /// `memref.get_global` of the constant's global, which is created once a module.
    fn global(&mut self, op: Op<'c>, value: Attribute<'c>) -> Result<Value<'c>, Error<'c>> {
        let (context, location) = (op.context(), op.location());
        let bad = || Error::on(op, "has elements that cannot be in memory");
        let (dims, element) = value.ty().shaped().ok_or_else(|| unranked(op))?;
        let stored = stored_type(context, element);
        let ty = Type::memref(&dims, Some(stored).filter(|ty| is_storable(*ty)).ok_or_else(bad)?);
        let known =
            self.module.globals.iter().find(|(v, _)| *v == value).map(|(_, global)| *global);
        let global = match known {
            Some(global) => global,
            None => {
                let held = match stored == element {
                    true => value,
                    false => {
                        let elements = value.as_elements().ok_or_else(bad)?;
                        let bytes: Vec<u8> = match is_bool(element) {
                            true => elements.iter().map(|bits| bits as u8).collect(),
                            false => elements.iter().flat_map(u64::to_le_bytes).collect(),
                        };
                        Attribute::dense(Type::tensor(&dims, stored), &bytes).ok_or_else(bad)?
                    }
                };
                let name = self.module.symbols.numbered("const", 0);
                let global = OpSpec::new("memref.global", location)
                    .attribute("sym_name", Attribute::string(context, &name))
                    .attribute("sym_visibility", Attribute::string(context, "private"))
                    .attribute("type", ty.to_attribute())
                    .attribute("initial_value", held)
                    .attribute("constant", Attribute::unit(context))
                    .create()
                    .ok_or_else(bad)?;
                self.module.globals.push((value, global));
                global
            }
        };
        let name = global.symbol_name().unwrap_or_default();
        let at = Builder::before(self.entry, location);
        let name = Attribute::symbol(context, name);
        Ok(at.value(at.spec("memref.get_global").attribute("name", name).results(&[ty])))
    }
}

/// The scalar with these bits, as a typed attribute.
fn scalar_attribute(element: Type, bits: u64) -> Attribute {
    let number = match element.kind() {
        TypeKind::Float(kind) => kind.with_bits(bits),
        _ => None,
    };
    match (number, element.kind()) {
        (Some(number), _) => Attribute::float(element, number),
        (None, TypeKind::Integer(width @ 1..=64)) => {
            let unused = 64 - width;
            Attribute::integer(element, (bits << unused) as i64 >> unused)
        }
        (None, _) => Attribute::integer(element, bits as i64),
    }
}
