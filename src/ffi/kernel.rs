//! Compiled functions as kernels of the runtime.

use super::jit::LinkedObject;
use loopwright_runtime::kernel::{Kernel, KernelFunction, Signature, WorkspaceFunction};
use loopwright_runtime::pool::Pool;
use std::ffi::{CStr, c_char};
use std::fmt::Display;
use std::num::NonZeroUsize;
use std::sync::Arc;
use tracing::info_span;

/// The name of the function that computes transformed weights. It has a dot, so no function of C can have it.
pub const TRANSFORM: &str = "loop.transform_weights";

/// An object that is linked into this process.
pub struct Jit(Arc<LinkedObject>);

/// Why an object cannot be linked, or has no such symbol.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot link into this process: {0}")]
pub struct LinkError(pub(crate) String);

/// The promise that [`Jit::load`] is safe for code that does not exist yet, such as that of a
/// [`BackgroundModel`](crate::pipeline::BackgroundModel).
#[derive(Clone, Copy, Debug)]
pub struct LoadPromise(());

impl LoadPromise {
    /// Makes the promise.
    ///
    /// # Safety
    /// All code that is loaded with this promise meets the conditions of [`Jit::load`].
    pub unsafe fn new() -> LoadPromise {
        LoadPromise(())
    }

    /// [`Jit::load`], for code that the promise is about.
    pub(crate) fn load(self, object: impl AsRef<[u8]>) -> Result<Jit, LinkError> {
        // SAFETY: promised by the caller of `new`.
        unsafe { Jit::load(object) }
    }
}

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
    /// [weights](crate::pipeline::Weights) of a model. If the code has a function that transforms weights (see
    /// [`lift_weight_transforms`](crate::pipeline::Settings::lift_weight_transforms)), it runs once, on all cores. Large
    /// variables are in huge pages.
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
        let code = Arc::new(code);
        transform_weights(&code).map_err(LinkError)?;
        Ok(Self(code))
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

/// Links code whose function of transforms is all that can run, and returns the bytes of globals that it has computed.
/// `data` are the weights that the code refers to, `globals` the names of the results with their sizes in bytes.
///
/// # Errors
/// If the code does not link, has no such global, or the transforms fail.
pub(crate) fn computed_globals<'d>(
    object: impl AsRef<[u8]>,
    data: impl IntoIterator<Item = (&'d str, &'d [u8])>,
    globals: &[(&str, usize)],
) -> Result<Vec<Vec<u8>>, LinkError> {
    // SAFETY: this compiler made the code with checked bounds, from a module that declares the data and the globals with
    // these sizes. The data live until the end.
    unsafe {
        let code = Jit::load_with(object, data)?;
        let read = |(name, bytes): &(&str, usize)| {
            let address = code.address(name)? as usize as *const u8;
            Ok(std::slice::from_raw_parts(address, *bytes).to_vec())
        };
        globals.iter().map(read).collect()
    }
}

/// Calls the function of transforms, if the code has one.
fn transform_weights(code: &Arc<LinkedObject>) -> Result<(), String> {
    match code.address(TRANSFORM) {
        Ok(_) => {}
        // LLVM's text for a symbol that is not there. Any other error is one of the code.
        Err(error) if error.contains(&format!("Symbols not found: [ {TRANSFORM} ]")) => {
            return Ok(());
        }
        Err(error) => return Err(error),
    }
    let _span =
        info_span!(target: "loopwright::codegen", "codegen", name = %"transform weights").entered();
    let error = |error: &dyn Display| format!("weights cannot be transformed: {error}");
    let threads = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let pool = Pool::new(threads).map_err(|it| error(&it))?;
    kernel(code, TRANSFORM)?.call(&pool, &mut []).map_err(|it| error(&it))
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
