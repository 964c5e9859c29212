//! Replaces the function that transforms weights by its results, for code that other programs load.

use super::{Phase, Settings, Weights, lower, object};
use crate::dialect::weight::{LIFTED, TRANSFORMS};
use crate::ffi::computed_globals;
use crate::ir::{Attribute, Op, Type, top};
use crate::machine::x86::CpuTarget;
use crate::optimize::r#loop::storage_rewrite::static_bytes;
use melior::Context;
use melior::ir::Module;

/// Runs the transforms of a module in [`Phase::Vector`] on this machine, makes what they compute constants of the module,
/// and erases the function. A module without transforms does not change. The settings may be for another processor.
///
/// # Errors
/// If the transforms cannot be compiled for this machine, or there is no memory for the weights.
///
/// # Panics
/// If the module is of another context.
pub fn fold_weight_transforms<'c>(
    context: &'c Context,
    module: &mut Module<'c>,
    settings: &Settings,
) -> Result<(), String> {
    let is_transforms = |op: &Op| op.attribute(TRANSFORMS).is_some();
    let Some(transforms) = ops(module).into_iter().find(is_transforms) else { return Ok(()) };
    let copy = (*module.as_operation()).clone();
    let mut copy = Module::from_operation(copy).ok_or("the copy of a module is no module")?;
    // What only the others call is private, and erased later.
    let is_other = |op: &Op| {
        op.is("func.func") && !is_transforms(op) && op.attribute("sym_visibility").is_none()
    };
    ops(&copy).into_iter().filter(is_other).for_each(Op::erase);
    let mut weights = Weights::detach(context, &mut copy);
    let here = Settings {
        target: CpuTarget::host(),
        // The nests may be of a user, and nothing else has checked their accesses.
        check_bounds: true,
        contract: settings.contract,
        ..Settings::default()
    };
    lower(context, &mut copy, Phase::Vector, Phase::Llvm, &here)
        .map_err(|error| format!("the transforms of weights cannot be compiled: {error}"))?;
    let code = object(&copy, &here).map_err(|error| error.to_string())?;
    let lifted: Vec<Op> =
        ops(module).into_iter().filter(|op| op.attribute(LIFTED).is_some()).collect();
    let mut wanted = vec![];
    for global in &lifted {
        let ty = global.attribute("type").and_then(Attribute::as_type);
        let bytes = ty.and_then(static_bytes).and_then(|bytes| usize::try_from(bytes).ok());
        let bytes = bytes.ok_or("a transformed weight has no static shape")?;
        wanted.push((global.symbol_name().unwrap_or_default(), bytes));
    }
    let linked = weights.linked_to(&code);
    let values = linked.and_then(|linked| computed_globals(&code, linked, &wanted));
    let values = values.map_err(|error| error.to_string())?;
    for (global, bytes) in lifted.into_iter().zip(values) {
        let ty = global.attribute("type").and_then(Attribute::as_type).and_then(Type::shaped);
        let ty = ty.map(|(dims, element)| Type::tensor(&dims, element));
        let value = ty.and_then(|ty| Attribute::dense(ty, &bytes));
        let value = value.ok_or("a transformed weight has no elements")?;
        global.set_attribute("initial_value", value);
        global.set_attribute("constant", Attribute::unit(global.context()));
        global.remove_attribute(LIFTED);
    }
    transforms.erase();
    Ok(())
}

fn ops<'m>(module: &'m Module) -> Vec<Op<'m>> {
    top(module).body(0).map(|body| body.ops()).unwrap_or_default()
}
