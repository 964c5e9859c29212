//! Verifier of the loop dialect's attributes on function arguments.

use super::verify_loop::is_name;
use super::weight::IS_LIFTED;
use crate::ir::{Attribute, Error, Op, TypeKind, Value};

pub(super) fn verify<'c>(
    function: Op<'c>,
    index: usize,
    name: &str,
    value: Attribute<'c>,
) -> Result<(), Error<'c>> {
    let fail =
        |message: String| Err(Error::on(function, format!("argument {index}: '{name}' {message}")));
    let Some(body) = function.body(0) else { return Ok(()) };
    let TypeKind::MemRef { dims, .. } = body.argument(index).ty().kind() else {
        return fail("is for row-major memrefs in the default memory space".into());
    };
    match name {
        "loop.name" => match value.as_str() {
            Some(text) if is_name(text) => Ok(()),
            _ => fail(format!("is {value}, expected a name in quotes")),
        },
        "loop.result" if value.is_unit() => Ok(()),
        "loop.result" => verify_shape(&body.arguments(), &dims, value).or_else(fail),
        IS_LIFTED if value.is_unit() && is_private(function) => Ok(()),
        IS_LIFTED => {
            fail(format!("is {value}, expected a unit on an argument of a private function"))
        }
        _ => fail("is not an argument attribute of the loop dialect".into()),
    }
}

fn is_private(function: Op) -> bool {
    function.attribute("sym_visibility").and_then(Attribute::as_str) == Some("private")
}

fn verify_shape(arguments: &[Value], dims: &[Option<i64>], value: Attribute) -> Result<(), String> {
    let shape = value.entry("shape").and_then(Attribute::as_map);
    let from = value.entry("from").and_then(Attribute::as_array);
    let (Some(shape), Some(from)) = (shape, from) else {
        return Err("is neither a unit nor {shape = affine_map<..>, from = [..]}".into());
    };
    if shape.dims != 0 || shape.symbols != from.len() || shape.results.len() != dims.len() {
        return Err(format!(
            "has a shape of {} dims, {} symbols and {} results, expected 0, {} and {}",
            shape.dims,
            shape.symbols,
            shape.results.len(),
            from.len(),
            dims.len()
        ));
    }
    for source in from {
        let place = source.as_integers().unwrap_or_default();
        let argument = place.first().and_then(|i| arguments.get(usize::try_from(*i).ok()?));
        let fits = argument.is_some_and(|argument| match (&place[..], argument.ty().shaped()) {
            ([_], None) => argument.ty().is_index(),
            ([_, dim], Some((dims, _))) => usize::try_from(*dim).is_ok_and(|dim| dim < dims.len()),
            _ => false,
        });
        if !fits {
            return Err(format!(
                "has {source}, expected an index argument or a dimension of a memref"
            ));
        }
    }
    Ok(())
}
