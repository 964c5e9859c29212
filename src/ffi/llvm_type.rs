//! Constructors of LLVM dialect types, and of vector types, for lowered code.

use super::{Context, Type};
use mlir_sys::*;

// SAFETY of this block: types are uniqued and live as long as their context; the arrays that are passed
// have the stated lengths.
impl<'c> Type<'c> {
    /// `!llvm.ptr` in the default address space.
    pub(crate) fn pointer(context: Context<'c>) -> Self {
        // SAFETY: see above.
        unsafe { Self::from_raw(mlirLLVMPointerTypeGet(context.to_raw(), 0)) }
    }

    /// `!llvm.array<length x element>`.
    pub(crate) fn llvm_array(element: Type<'c>, length: u32) -> Self {
        // SAFETY: see above.
        unsafe { Self::from_raw(mlirLLVMArrayTypeGet(element.to_raw(), length)) }
    }

    /// `!llvm.struct<(fields)>`.
    pub(crate) fn llvm_struct(context: Context<'c>, fields: &[Type<'c>]) -> Self {
        let fields: Vec<_> = fields.iter().map(|t| t.to_raw()).collect();
        // SAFETY: see above.
        unsafe {
            let (n, fields) = (fields.len() as isize, fields.as_ptr());
            Self::from_raw(mlirLLVMStructTypeLiteralGet(context.to_raw(), n, fields, false))
        }
    }

    /// `!llvm.func<result (inputs)>`; `None` is void.
    pub(crate) fn llvm_function(
        context: Context<'c>,
        inputs: &[Type<'c>],
        result: Option<Type<'c>>,
    ) -> Self {
        let inputs: Vec<_> = inputs.iter().map(|t| t.to_raw()).collect();
        // SAFETY: see above.
        unsafe {
            let result =
                result.map_or_else(|| mlirLLVMVoidTypeGet(context.to_raw()), |t| t.to_raw());
            let (n, inputs) = (inputs.len() as isize, inputs.as_ptr());
            Self::from_raw(mlirLLVMFunctionTypeGet(result, n, inputs, false))
        }
    }

    /// A vector of one dimension; the element type must be valid in vectors.
    pub fn vector(lanes: usize, element: Type<'c>) -> Self {
        let dims = [lanes as i64];
        // SAFETY: see above.
        unsafe { Self::from_raw(mlirVectorTypeGet(1, dims.as_ptr(), element.to_raw())) }
    }
}
