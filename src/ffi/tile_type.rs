//! Types of tile registers: those of the amx dialect, and LLVM's.

use super::text::{borrow, read};
use super::{Context, Type, TypeKind};
use mlir_sys::*;

// SAFETY of this block: types are uniqued and live as long as their context; texts are read during the calls.
impl<'c> Type<'c> {
    /// `!amx.tile<rows x columns x element>`.
    ///
    /// # Panics
    /// If the amx dialect is not loaded, or has no tiles of such elements.
    pub fn tile([rows, columns]: [i64; 2], element: Type<'c>) -> Self {
        parsed(element.context(), &format!("!amx.tile<{rows}x{columns}x{element}>"))
    }

    /// The rows, columns and element type of a tile.
    pub fn tile_shape(self) -> Option<([i64; 2], Type<'c>)> {
        // SAFETY: see above; a tile is ranked.
        let is_tile = unsafe {
            let dialect = mlirTypeGetDialect(self.to_raw());
            read(mlirDialectGetNamespace(dialect)) == "amx" && mlirTypeIsAShaped(self.to_raw())
        };
        match (is_tile.then(|| self.shape())?, self.kind()) {
            ((dims, element), TypeKind::Other) => match dims[..] {
                [Some(rows), Some(columns)] => Some(([rows, columns], element)),
                _ => None,
            },
            _ => None,
        }
    }

    /// `!llvm.x86_amx`.
    pub(crate) fn llvm_tile(context: Context<'c>) -> Self {
        parsed(context, "!llvm.x86_amx")
    }
}

fn parsed<'c>(context: Context<'c>, text: &str) -> Type<'c> {
    // SAFETY: the context is live; the text is read during the call.
    let raw = unsafe { mlirTypeParseGet(context.to_raw(), borrow(text)) };
    assert!(!raw.ptr.is_null(), "{text} is not a type: is its dialect loaded?");
    // SAFETY: the type is of this context.
    unsafe { Type::from_raw(raw) }
}
