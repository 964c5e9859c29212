//! `inline-read-only-globals`: replace loads of an `ml_program.global` by its value.
//!
//! ```text
//! ml_program.global private @w(dense<1.0> : tensor<4xf32>) : tensor<4xf32>
//! %w = ml_program.global_load_const @w : tensor<4xf32>
//!   ->
//! %w = arith.constant dense<1.0> : tensor<4xf32>
//! ```
//! It is an error if the module stores to a global, or if a global is public and mutable, or has no value in the module
//! and is loaded.

use crate::ir::{Attribute, Builder, Error, Op, walk};
use std::collections::HashMap;

/// Replaces the loads in `module`, and erases the globals.
pub fn inline<'c>(module: Op<'c>) -> Result<(), Error<'c>> {
    let ops = walk(module);
    // Lists, because loads are erased on the way.
    let named = |name: &str| ops.iter().copied().filter(|op| op.is(name)).collect::<Vec<_>>();
    if let Some(store) = named("ml_program.global_store").first() {
        return Err(Error::on(*store, "changes a global, expected globals that are only read"));
    }
    let globals: HashMap<&str, Op> = named("ml_program.global")
        .into_iter()
        .filter_map(|op| Some((op.symbol_name()?, op)))
        .collect();
    for global in globals.values() {
        let is_public =
            global.attribute("sym_visibility").is_none_or(|v| v.as_str() != Some("private"));
        if is_public && global.attribute("is_mutable").is_some() {
            return Err(Error::on(
                *global,
                "is public and mutable, expected a global that is only read",
            ));
        }
    }
    let loads = [named("ml_program.global_load"), named("ml_program.global_load_const")].concat();
    for load in loads {
        let name = load.attribute("global").and_then(Attribute::as_symbol).unwrap_or_default();
        let global = globals.get(name).copied();
        let global =
            global.ok_or_else(|| Error::on(load, format!("loads @{name}, which is not there")))?;
        let result = load.result(0);
        let value = global.attribute("value").filter(|value| value.ty() == result.ty());
        let value =
            value.filter(|value| value.as_elements().is_some() || result.ty().shaped().is_none());
        let value = value.ok_or_else(|| {
            let message = format!("has no value of type {} in the program", result.ty());
            Error::on(global, message).note(load.location(), "it is loaded here")
        })?;
        result.replace_all_uses_with(Builder::before(load, load.location()).constant(value));
        load.erase();
    }
    globals.into_values().for_each(Op::erase);
    Ok(())
}
