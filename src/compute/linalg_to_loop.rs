//! `convert-linalg-to-loop`: lower functions on tensors to loop nests of schedule blocks over memrefs.
//!
//! ```text
//! func.func @f(%x: tensor<4x8xf32>) -> tensor<4xf32> {
//!   %0 = linalg.fill ins(%zero) outs(%empty)
//!   %1 = linalg.generic {.. "parallel", "reduction"} ins(%x) outs(%0) { addf } -> tensor<4xf32>
//!   return %1
//! }
//!   ->
//! func.func @f(%x: memref<4x8xf32>, %out: memref<4xf32> {loop.name = "out", loop.result}) {
//!   loop.for serial %i in 4 { loop.for serial %j in 8 {
//!     loop.block "reduce_add" [%vi: spatial 4, %vj: reduce 8] = (%i, %j)
//!         reads(%x[%vi : 1, %vj : 1]) writes(%out[%vi : 1]) reducer(add, 0.0) {
//!       loop.init { store 0.0, %out[%vi] }  ..
//! ```
//! - Every linalg op and every tensor op that moves data becomes one schedule block that writes one buffer (a reduction
//!   with several results writes one buffer for each result). Reshapes, slices, pads and concatenations are blocks with
//!   affine maps; there are no views.
//! - Results are written to destination arguments, marked `loop.result`. A value that is returned twice, or an
//!   argument that is returned, is copied. Scalars other than index become memrefs of rank 0; booleans are i8.
//! - A `linalg.fill` that only initialises reductions becomes the `loop.init` of these reductions. An `outs` operand
//!   whose value is read is loaded by `loop.init`; an `outs` operand whose value is not read is removed.
//! - Sizes are index arguments and dimensions of arguments; all other sizes are (semi-)affine maps of these. Affine
//!   maps have no minimum, maximum or select, so these become sums with a quotient by 2^62: `expr floordiv 2^62` is -1
//!   if `expr` is negative, and 0 otherwise. Sizes are therefore less than 2^62.
//! - Dense constants become module globals; splats stay scalars.
//! - If a result depends on the partial results of a reduction, as in a scan, the partial results become a buffer.
//!   Scatter ops become stores at loaded indices. Both run in order, with opaque iters.
//! - An `scf.for`, `scf.while` or `scf.if` whose regions are calls, as `outline-control-flow` leaves them, passes its
//!   loop-carried values in buffers. A tensor has the same size in all iterations and in both branches.
//! - A loop in the body of an op, and a branch on data that reads or divides, becomes a private function, which the
//!   schedule block calls. Other branches become `arith.select` or `loop.if`.
//! - `cf.assert` on sizes becomes a requirement of the function. An assertion on other values is removed, because the
//!   behaviour is undefined if its condition is false. A remark gives the number of removed assertions. With
//!   `keep-assertions`, each op with assertions in its body gets a schedule block before it that checks them in each
//!   iteration.
//!
//! An unsupported op is an error, which names the op. After an error, the IR is unchanged.

mod assertion;
mod body;
mod body_control_flow;
mod call;
mod constants;
mod control_flow;
mod data_slice;
mod function;
mod movement;
mod nest;
mod reshape;
mod scatter;
mod state;
mod structured;

use crate::compute::names::Names;
use crate::ir::{Attribute, CalleesFirst, Error, Op, Type, callee, walk};
use std::collections::{HashMap, HashSet};

/// Converts the functions of `module` that compute on tensors or hold linalg ops, and public functions of numbers
/// without calls from and to others. If `only` is not empty, it converts
/// only those that `only` names. With `keep_assertions`, blocks check the assertions on values other than sizes.
pub fn convert<'c>(
    module: Op<'c>,
    only: &[String],
    keep_assertions: bool,
) -> Result<(), Error<'c>> {
    let Some(body) = module.body(0) else { return Ok(()) };
    let functions: Vec<_> = body.ops().into_iter().filter(|op| op.is("func.func")).collect();
    if let Some(name) = only.iter().find(|name| functions.iter().all(|f| symbol(*f) != **name)) {
        return Err(Error::on(module, format!("has no function '{name}', which 'only' names")));
    }
    let is_wanted = |f: &Op<'c>| only.is_empty() || only.iter().any(|name| symbol(*f) == name);
    let called: HashSet<&str> =
        walk(module).into_iter().filter(|op| op.is("func.call")).filter_map(callee).collect();
    let calls = |f: Op| walk(f).iter().any(|op| op.is("func.call"));
    let is_entry = |f: Op| is_on_scalars(f) && !called.contains(symbol(f)) && !calls(f);
    let functions: Vec<_> = functions
        .into_iter()
        .filter(|f| is_wanted(f) && (is_converted(*f) || is_entry(*f)))
        .collect();
    let mut symbols = Names::default();
    body.ops().iter().filter_map(|op| op.symbol_name()).for_each(|name| symbols.insert(name));
    let (globals, functions_of_bodies, done) = (vec![], vec![], HashMap::new());
    let mut state = ModuleState { symbols, globals, functions_of_bodies, done, keep_assertions };
    let mut replaced = vec![];
    let CalleesFirst { order, recursive } = CalleesFirst::of(&functions);
    if let Some(function) = recursive {
        let message = "calls itself, which convert-linalg-to-loop cannot convert";
        return Err(Error::on(function, message));
    }
    for function in order {
        match function::convert(&mut state, function) {
            Ok(new) => replaced.push((function, new)),
            Err(error) => {
                // The new functions are in no module yet: erasing them leaves the module unchanged.
                replaced.into_iter().for_each(|(_, new): (Op, Op)| new.erase());
                state.globals.into_iter().for_each(|(_, global)| global.erase());
                state.functions_of_bodies.into_iter().for_each(Op::erase);
                return Err(error);
            }
        }
    }
    if let Some((first, _)) = replaced.first() {
        state.globals.iter().for_each(|(_, global)| body.insert_before(*first, *global));
        state.functions_of_bodies.iter().for_each(|op| body.insert_before(*first, *op));
    }
    for (old, new) in &replaced {
        body.insert_before(*old, *new);
    }
    // Calls among the old functions refer to them by name only, so the order is irrelevant.
    replaced.into_iter().for_each(|(old, _)| old.erase());
    Ok(())
}

/// The name of a function.
fn symbol<'c>(function: Op<'c>) -> &'c str {
    function.symbol_name().unwrap_or_default()
}

/// True if the function has a body with tensors in it or in its type, or with ops that this conversion converts.
fn is_converted(function: Op) -> bool {
    let is_tensor = |ty: Type| matches!(ty.kind(), crate::ir::TypeKind::Tensor { .. });
    function.body(0).is_some_and(|body| {
        body.arguments().iter().any(|argument| is_tensor(argument.ty()))
            || walk(function).iter().any(|op| {
                op.name().starts_with("linalg.") || op.results().iter().any(|r| is_tensor(r.ty()))
            })
    })
}

/// True for a public function with a body that returns numbers, and takes only numbers.
fn is_on_scalars(function: Op) -> bool {
    let visibility = function.attribute("sym_visibility").and_then(Attribute::as_str);
    let ty = function.attribute("function_type").and_then(Attribute::as_type);
    let (inputs, results) = ty.and_then(Type::signature).unwrap_or_default();
    let is_public = visibility.is_none_or(|it| it == "public") && function.body(0).is_some();
    is_public
        && !results.is_empty()
        && inputs.iter().chain(&results).all(|ty| ty.shaped().is_none())
}

/// The state shared by the functions of a module.
struct ModuleState<'c> {
    /// The symbols of the module.
    symbols: Names,
    /// The new globals, by their value.
    globals: Vec<(Attribute<'c>, Op<'c>)>,
    /// The new functions that hold loops and branches of bodies.
    functions_of_bodies: Vec<Op<'c>>,
    /// The new functions by name.
    done: HashMap<&'c str, function::Signature<'c>>,
    /// True if assertions on values other than sizes are checked.
    keep_assertions: bool,
}
