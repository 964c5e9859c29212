//! Constants of the module.

use super::buffer::{ALIGNMENT, static_bytes};
use super::plan::ConversionPlan;
use crate::dialect::weight::{LIFTED, WEIGHT};
use crate::ir::{Attribute, Block, Builder, Context, Error, Location, Op, Region, Type};

/// (C9)
pub(crate) fn check(global: Op) -> Result<(), Error> {
    let ty = global.attribute("type").and_then(Attribute::as_type);
    let Some((dims, element)) = ty.and_then(|ty| ty.shaped()) else {
        return Err(Error::on(
            global,
            "is not a row-major memref in the default memory space (C2)",
        ));
    };
    let found = match (static_bytes(&dims, element), global.attribute("initial_value")) {
        (None, _) => format!("has elements of type {element}, or too many elements"),
        (_, None) if global.attribute(WEIGHT).is_none() => "is external".into(),
        (Some(bytes), _) if bytes > u32::MAX.into() => format!("has {bytes} bytes"),
        (_, Some(value)) if value.is_unit() && global.attribute(LIFTED).is_none() => {
            "is uninitialized".into()
        }
        (_, Some(value)) if !value.is_unit() && !value.has_elements() => {
            "has a value without data".into()
        }
        _ => return Ok(()),
    };
    let expected = "a value of at most 4 GiB: pass it as an argument instead (C9)";
    Err(Error::on(global, format!("{found}, expected {expected}")))
}

/// The name of the global that a `memref.get_global` returns.
pub(crate) fn named<'c>(get: Op<'c>) -> Option<&'c str> {
    get.attribute("name").and_then(Attribute::as_symbol)
}

/// Replaces a `memref.global` by an LLVM global of the same name: an internal one, or a declaration if the bytes are given
/// when the code is linked. A weight that may have any address has another name, which tells the linker. A global without a
/// value is public and 0, so that whoever runs the transforms can read it.
pub(crate) fn convert<'c>(plan: &ConversionPlan<'c>, global: Op<'c>) {
    let at = Builder::before(global, global.location());
    let context = at.context();
    let ty = global.attribute("type").and_then(Attribute::as_type);
    let (dims, element) = ty.and_then(|ty| ty.shaped()).expect("globals were checked");
    let elements: i64 = dims.iter().flatten().product();
    let given = global.attribute("initial_value");
    let is_lifted = given.is_some_and(Attribute::is_unit);
    // In one dimension, because LLVM would make a constant of each row of a nested array.
    let value = given.filter(|_| !is_lifted).map(|value| value.flattened());
    let value = value.map(|value| value.expect("globals were checked (C9)"));
    let ty = Type::llvm_array(element, elements as u32);
    let kind = if value.is_some() { "internal" } else { "external" };
    // An attribute with zeros would be translated element by element.
    let initializer = match is_lifted {
        true => zeros(global.location(), ty),
        false => Region::new(),
    };
    let unaligned = global.symbol_name().and_then(|name| plan.unaligned.get(name));
    let (name, alignment) = match unaligned {
        Some(symbol) => (Attribute::string(context, symbol), 1),
        None => (global.attribute("sym_name").expect("a symbol has a name"), ALIGNMENT),
    };
    let mut spec = at
        .spec("llvm.mlir.global")
        .attribute("sym_name", name)
        .attribute("global_type", ty.to_attribute())
        .attribute("linkage", linkage(context, kind))
        .attribute("alignment", Attribute::integer(Type::integer(context, 64), alignment))
        .region(initializer);
    if let Some(value) = value {
        spec = spec.attribute("value", value);
    }
    if global.attribute("constant").is_some() {
        spec = spec.attribute("constant", Attribute::unit(context));
    }
    at.insert(spec);
    global.erase();
}

/// The initializer of a global that is 0.
fn zeros<'c>(location: Location<'c>, ty: Type<'c>) -> Region<'c> {
    let block = Block::new(&[]);
    let at = Builder::at_end(block, location);
    let zero = at.insert(at.spec("llvm.mlir.zero").results(&[ty])).result(0);
    at.insert(at.spec("llvm.return").operands(&[zero]));
    Region::of(block)
}

/// `#llvm.linkage<kind>`.
pub(crate) fn linkage<'c>(context: Context<'c>, kind: &str) -> Attribute<'c> {
    Attribute::parse(context, &format!("#llvm.linkage<{kind}>")).expect("valid text")
}
