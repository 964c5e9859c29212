//! Modules: parsing, and their top-level op.

use super::Op;
use super::handle::Context as Handle;
use super::text::borrow;
use loopwright_runtime::tensor::{ElementType, Tensor};
use melior::Context;
use melior::ir::Module;
use mlir_sys::*;

/// Parses and verifies a file. `None` if it cannot be read or is not a valid module; diagnostics with the
/// reason and the location go to the context's handlers.
pub fn parse_file<'c>(context: &'c Context, path: &str) -> Option<Module<'c>> {
    // SAFETY: the context is live; a module that is not null is owned by the caller.
    unsafe {
        Module::from_option_raw(mlirModuleCreateParseFromFile(context.to_raw(), borrow(path)))
    }
}

/// A context, as a handle.
pub fn handle_of(context: &Context) -> Handle<'_> {
    // SAFETY: the context is live as long as it is borrowed.
    unsafe { Handle::from_raw(context.to_raw()) }
}

/// Parses and verifies a text, whose locations are in file `name`. Returns `None` under the conditions of
/// [`parse_file`].
pub fn parse_text_in<'c>(context: Handle<'c>, text: &str, name: &str) -> Option<Module<'c>> {
    // The lexer finds the end by a NUL behind the text.
    let ended = format!("{text}\0");
    let text = &ended[..text.len()];
    // SAFETY: the context is live, and the texts are read during the call; a module that is not null is
    // owned by the caller.
    unsafe {
        let op = mlirOperationCreateParse(context.to_raw(), borrow(text), borrow(name));
        (!op.ptr.is_null()).then(|| Module::from_option_raw(mlirModuleFromOperation(op)))?
    }
}

/// Same as [`parse_file`], for the bytes of a text or of bytecode, whose locations are in file `name`. Also `None` if there
/// is no memory for a copy.
pub fn parse_bytes_in<'c>(context: Handle<'c>, bytes: &[u8], name: &str) -> Option<Module<'c>> {
    // Bytecode has resources at aligned offsets, and the lexer finds the end of a text by a NUL behind it.
    let mut copy = Tensor::zeros(ElementType::I8, &[bytes.len() + 1]).ok()?;
    copy.bytes_mut()[..bytes.len()].copy_from_slice(bytes);
    // SAFETY: the context is live, and both texts are read during the call only: MLIR copies what it keeps. A module that is
    // not null is owned by the caller.
    unsafe {
        let text = MlirStringRef { data: copy.bytes().as_ptr().cast(), length: bytes.len() };
        Module::from_option_raw(lwParseModule(context.to_raw(), text, borrow(name)))
    }
}

unsafe extern "C" {
    fn lwParseModule(context: MlirContext, text: MlirStringRef, name: MlirStringRef) -> MlirModule;
}

/// The op of a module, as a handle. This crate keeps the rule of handles; see [`handle_of_module`].
pub(crate) fn top<'m>(module: &'m Module<'_>) -> Op<'m> {
    // SAFETY: the op is live as long as the module.
    unsafe { Op::from_raw(module.as_operation().to_raw()) }
}

/// The op of a module, as a handle, from which the handles of all that it contains can be had.
///
/// # Safety
/// Handles are not counted or checked. A handle that comes from the result, directly or through another handle, must
/// not be used after the op that it stands for was erased, and a value not after its op or block. "Used" includes
/// methods of the handle, and functions of this crate that get it. Passes, steps of schedules and
/// [`erase`](Op::erase) erase ops. Code that changes IR holds names from one change to the next, not handles.
pub unsafe fn handle_of_module<'m>(module: &'m Module<'_>) -> Op<'m> {
    top(module)
}

/// A module that a function reads: a borrowed [`Module`], or a handle to its op.
pub trait ModuleRef<'c>: sealed::Module<'c> {}

/// A module that a function changes: a [`Module`] that is borrowed mutably, so that there are no handles of it, or a
/// handle to its op.
pub trait ModuleMut<'c>: sealed::Module<'c> {}

impl<'m> ModuleRef<'m> for &'m Module<'_> {}
impl<'c> ModuleRef<'c> for Op<'c> {}
impl<'m> ModuleMut<'m> for &'m mut Module<'_> {}
impl<'c> ModuleMut<'c> for Op<'c> {}

/// The op of a module that a function of this crate gets.
pub(crate) fn op_of<'c>(module: impl sealed::Module<'c>) -> Op<'c> {
    module.op(sealed::Seal(()))
}

mod sealed {
    use super::{Op, top};

    /// Only this module can make one, so other crates cannot call [`Module::op`].
    pub struct Seal(pub(super) ());

    pub trait Module<'c> {
        fn op(self, key: Seal) -> Op<'c>;
    }

    impl<'m> Module<'m> for &'m melior::ir::Module<'_> {
        fn op(self, _: Seal) -> Op<'m> {
            top(self)
        }
    }

    impl<'m> Module<'m> for &'m mut melior::ir::Module<'_> {
        fn op(self, _: Seal) -> Op<'m> {
            top(self)
        }
    }

    impl<'c> Module<'c> for Op<'c> {
        fn op(self, _: Seal) -> Op<'c> {
            self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_ends_where_its_slice_does() {
        let context = melior::Context::new();
        let text = "module {}@@@";
        assert!(parse_text_in(handle_of(&context), &text[..9], "x").is_some());
    }
}
