//! Modules: parsing, and their top-level op.

use super::Op;
use super::handle::Context as Handle;
use super::text::borrow;
use melior::Context;
use melior::ir::Module;
use mlir_sys::*;

/// Parses and verifies a file. `None` if it cannot be read or is not a valid module; diagnostics with the
/// reason and the location go to the context's handlers.
pub fn parse_file<'c>(context: &'c Context, path: &str) -> Option<Module<'c>> {
    parse_file_in(handle_of(context), path)
}

/// A context, as a handle.
pub fn handle_of(context: &Context) -> Handle<'_> {
    // SAFETY: the context is live as long as it is borrowed.
    unsafe { Handle::from_raw(context.to_raw()) }
}

/// Same as [`parse_file`], in the context of existing IR.
pub fn parse_file_in<'c>(context: Handle<'c>, path: &str) -> Option<Module<'c>> {
    // SAFETY: the context is live; a module that is not null is owned by the caller.
    unsafe {
        Module::from_option_raw(mlirModuleCreateParseFromFile(context.to_raw(), borrow(path)))
    }
}

/// Parses and verifies a text, whose locations are in file `name`. Returns `None` under the conditions of
/// [`parse_file`].
pub fn parse_text_in<'c>(context: Handle<'c>, text: &str, name: &str) -> Option<Module<'c>> {
    // SAFETY: the context is live, and the texts are read during the call; a module that is not null is
    // owned by the caller.
    unsafe {
        let op = mlirOperationCreateParse(context.to_raw(), borrow(text), borrow(name));
        (!op.ptr.is_null()).then(|| Module::from_option_raw(mlirModuleFromOperation(op)))?
    }
}

/// The op of a module, as a handle.
pub fn top<'m>(module: &'m Module<'_>) -> Op<'m> {
    // SAFETY: the op is live as long as the module.
    unsafe { Op::from_raw(module.as_operation().to_raw()) }
}
