//! Compiled functions as kernels of the runtime.

use super::jit::LinkedObject;
use loopwright_runtime::kernel::{Kernel, KernelFunction, Signature, WorkspaceFunction};
use std::ffi::{CStr, c_char};
use std::sync::Arc;
use tracing::info_span;

/// An object that is linked into this process.
pub struct Jit(Arc<LinkedObject>);

/// Why an object cannot be linked, or has no such symbol.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot link into this process: {0}")]
pub struct LinkError(String);

impl Jit {
    /// Links an object separately from others: two objects may define the same names. Calls of libm and libgcc
    /// are resolved in the process.
    ///
    /// # Safety
    /// Safe code can call the kernels of the object. So its functions, `_workspace`, `_signature` and `_requirements`
    /// must be those of this compiler, or of another that keeps the contract of [`Kernel::from_raw`]: for all arguments
    /// that the requirements permit, a function accesses only elements of its arguments, and its threads have no data
    /// races. This holds for code that was compiled from linalg or graph ops and scheduled without
    /// [`force`](crate::schedule::Schedule::force), except for accesses at indices that are data. Such accesses, and
    /// those of loop nests that were written by hand, are checked if the code was compiled with
    /// [`check_bounds`](crate::pipeline::Settings::check_bounds). The processor must have all instructions of the code.
    pub unsafe fn load(object: impl AsRef<[u8]>) -> Result<Self, LinkError> {
        // SAFETY: the caller keeps the contract, and there are no data.
        unsafe { Self::load_with(object, []) }
    }

    /// [`Jit::load`] for code that refers to data by name, such as the
    /// [weights](crate::pipeline::Weights) of a model.
    ///
    /// # Safety
    /// As [`Jit::load`]. The data must have the sizes and the alignment that the code expects, and must live as long as
    /// this object and its kernels.
    pub unsafe fn load_with<'d>(
        object: impl AsRef<[u8]>,
        data: impl IntoIterator<Item = (&'d str, &'d [u8])>,
    ) -> Result<Self, LinkError> {
        let _span = info_span!(target: "loopwright::codegen", "codegen", name = %"link").entered();
        let code = LinkedObject::load(object.as_ref(), data).map_err(LinkError)?;
        Ok(Self(Arc::new(code)))
    }

    /// A kernel of the object; it keeps the code alive.
    pub fn kernel(&self, name: &str) -> Result<Kernel, LinkError> {
        kernel(&self.0, name).map_err(LinkError)
    }

    /// The address of a symbol of the object, valid as long as this object or one of its kernels is alive.
    pub fn address(&self, symbol: &str) -> Result<u64, LinkError> {
        self.0.address(symbol).map_err(LinkError)
    }
}

/// The kernel `name` of code with the entry points of `convert-memref-to-pointer`.
fn kernel(code: &Arc<LinkedObject>, name: &str) -> Result<Kernel, String> {
    let entry = code.address(name)?;
    let workspace = code.address(&format!("{name}_workspace"))?;
    let signature = code.address(&format!("{name}_signature"))?;
    // SAFETY: by the contract of `Jit::load`, symbols with these names have these types, and the text ends with NUL.
    let (entry, workspace, text) = unsafe {
        (
            std::mem::transmute::<usize, KernelFunction>(entry as usize),
            std::mem::transmute::<usize, WorkspaceFunction>(workspace as usize),
            CStr::from_ptr(signature as usize as *const c_char).to_string_lossy(),
        )
    };
    let signature: Signature =
        text.parse().map_err(|error| format!("{name}_signature: {error}"))?;
    let requirements = code.address(&format!("{name}_requirements"))?;
    // SAFETY: by the same contract, the functions are those of this signature; the code lives as long as its owner.
    unsafe {
        let requirements = CStr::from_ptr(requirements as usize as *const c_char).to_string_lossy();
        let kernel = Kernel::from_raw(name, signature, entry, workspace, code.clone());
        Ok(kernel.with_requirements(&requirements))
    }
}

/// Loads a library that a test has just made with this compiler.
#[cfg(test)]
pub fn open_library(path: &std::path::Path) -> loopwright_runtime::kernel::Library {
    // SAFETY: the library contains kernels, and nothing changes the file.
    unsafe { loopwright_runtime::kernel::Library::open(path) }.expect("it loads")
}
