//! Constants of the module.

use super::buffer::{ALIGNMENT, element_bytes, static_bytes};
use crate::ir::{Attribute, Builder, Context, Error, Op, Region, Type};

/// The attribute of a global whose bytes are given when the code is linked.
pub(crate) const WEIGHT: &str = "loop.weight";

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
        (Some(_), None) if global.attribute(WEIGHT).is_some() => return Ok(()),
        (_, None) => "is external".into(),
        (_, Some(value)) if value.is_unit() => "is uninitialized".into(),
        (_, Some(value)) if !value.has_elements() => "has a value without data".into(),
        (Some(bytes), _) if bytes > u32::MAX.into() => format!("has {bytes} bytes"),
        _ => return Ok(()),
    };
    let expected = "a value of at most 4 GiB: pass it as an argument instead (C9)";
    Err(Error::on(global, format!("{found}, expected {expected}")))
}

/// Replaces a `memref.global` by an LLVM global of the same name: an internal one, or a declaration if the bytes are given
/// when the code is linked.
pub(crate) fn convert(global: Op) {
    let at = Builder::before(global, global.location());
    let context = at.context();
    let ty = global.attribute("type").and_then(Attribute::as_type);
    let (dims, element) = ty.and_then(|ty| ty.shaped()).expect("globals were checked");
    let dims: Vec<i64> = dims.into_iter().flatten().collect();
    // LLVM's constants are nested arrays. A resource keeps its shape, because its data is not copied. Other
    // data is flattened, which also covers rank 0.
    let (value, dims) = match global.attribute("initial_value") {
        None => (None, vec![dims.iter().product()]),
        Some(value) => match value.flattened() {
            Some(flat) => (Some(flat), vec![dims.iter().product()]),
            None if dims.is_empty() => (Some(single(value, element)), vec![1]),
            None => (Some(value), dims),
        },
    };
    let ty = dims.iter().rev().fold(element, |ty, dim| Type::llvm_array(ty, *dim as u32));
    let kind = if value.is_some() { "internal" } else { "external" };
    let mut spec = at
        .spec("llvm.mlir.global")
        .attribute("sym_name", global.attribute("sym_name").expect("a symbol has a name"))
        .attribute("global_type", ty.to_attribute())
        .attribute("linkage", linkage(context, kind))
        .attribute("alignment", Attribute::integer(Type::integer(context, 64), ALIGNMENT))
        .region(Region::new());
    if let Some(value) = value {
        spec = spec.attribute("value", value);
    }
    if global.attribute("constant").is_some() {
        spec = spec.attribute("constant", Attribute::unit(context));
    }
    at.insert(spec);
    global.erase();
}

/// The single element of a resource as dense elements.
fn single<'c>(resource: Attribute<'c>, element: Type<'c>) -> Attribute<'c> {
    let size = element_bytes(element).expect("globals were checked (C2)") as usize;
    let elements = resource.as_elements().expect("globals were checked (C9)");
    let bytes = elements.bits(0).to_le_bytes();
    let ty = Type::tensor(&[Some(1)], element);
    Attribute::dense(ty, &bytes[..size]).expect("one element of that size")
}

/// `#llvm.linkage<kind>`.
pub(crate) fn linkage<'c>(context: Context<'c>, kind: &str) -> Attribute<'c> {
    Attribute::parse(context, &format!("#llvm.linkage<{kind}>")).expect("valid text")
}
