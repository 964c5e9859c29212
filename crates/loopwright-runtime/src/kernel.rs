//! Compiled kernels: functions on tensors, called through the C ABI of `loopwright_runtime.h`.
//!
//! ```text
//! Library::open("k.so") -> library.kernel("matmul") -> kernel.call(&pool, &mut [Input(&a), Output(&mut c)])
//!                                                   -> kernel.prepare(..) -> call.run(), call.run(), ...
//! ```
//! A call is checked against the kernel's signature: [`CallError`] lists what is refused. After that there is no
//! overhead: [`Call::run`] calls one function pointer.

mod argument;
mod signature;
mod workspace;

pub use crate::ffi::abi::{BodyFunction, KernelFunction, Runtime, WorkspaceFunction};
pub use crate::ffi::library::{Library, LibraryError};
pub use crate::ffi::raw_buffer::RawBuffer;
pub use argument::{Argument, CallError};
pub use signature::{ArgumentType, BufferType, Signature, SignatureError};
pub use workspace::Workspace;

use crate::ffi::abi::Code;
use crate::pool::Pool;
use argument::Plan;
use std::ffi::c_void;
use std::fmt;
use std::marker::PhantomData;

/// A compiled function and its signature. A clone shares the code.
#[derive(Clone)]
pub struct Kernel {
    pub(crate) name: String,
    pub(crate) signature: Signature,
    pub(crate) code: Code,
}

/// A kernel with checked arguments, which can run any number of times. It borrows the arguments: the results can be
/// read after it is dropped.
pub struct Call<'a> {
    pub(crate) kernel: &'a Kernel,
    pub(crate) pool: &'a Pool,
    pub(crate) buffers: Vec<*mut c_void>,
    pub(crate) sizes: Vec<i64>,
    pub(crate) workspace: &'a mut [u8],
    arguments: PhantomData<&'a mut ()>,
}

impl Kernel {
    /// Its name in the library, or the name that was given to `from_raw`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The types of its arguments.
    pub fn signature(&self) -> &Signature {
        &self.signature
    }

    /// Runs the kernel once, its loops on the threads of `pool`. Its workspace is allocated for this call only; use
    /// [`Kernel::prepare`] to reuse it.
    ///
    /// # Errors
    /// If the arguments do not fit, or memory cannot be allocated; the kernel has not run then.
    pub fn call(&self, pool: &Pool, arguments: &mut [Argument]) -> Result<(), CallError> {
        self.prepare(pool, arguments, &mut Workspace::default())?.run();
        Ok(())
    }

    /// Checks the arguments, and makes the workspace large enough.
    ///
    /// # Errors
    /// If the arguments do not fit, or memory cannot be allocated.
    pub fn prepare<'a>(
        &'a self,
        pool: &'a Pool,
        arguments: &'a mut [Argument],
        workspace: &'a mut Workspace,
    ) -> Result<Call<'a>, CallError> {
        let Plan { buffers, sizes } = argument::check(&self.name, &self.signature, arguments)?;
        let Ok(bytes) = usize::try_from(self.workspace_bytes(&sizes)) else {
            return Err(CallError::Sizes { kernel: self.name.clone(), sizes });
        };
        let workspace = workspace
            .at_least(bytes)
            .map_err(|_| CallError::WorkspaceMemory { kernel: self.name.clone(), bytes })?;
        Ok(Call { kernel: self, pool, buffers, sizes, workspace, arguments: PhantomData })
    }
}

/// Checks arguments for code that runs on another device.
pub(crate) fn check_arguments(
    name: &str,
    signature: &Signature,
    arguments: &mut [Argument],
) -> Result<(), CallError> {
    argument::check(name, signature, arguments).map(drop)
}

impl fmt::Debug for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "Kernel({}: {})", self.name, self.signature)
    }
}

#[cfg(test)]
mod tests;
