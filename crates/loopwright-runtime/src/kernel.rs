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

pub use crate::ffi::abi::{BodyFunction, CallThreads, KernelFunction, Runtime, WorkspaceFunction};
pub use crate::ffi::library::{Library, LibraryError};
pub use crate::ffi::raw_buffer::RawBuffer;
pub use argument::{Argument, CallError};
pub use signature::{ArgumentType, BufferType, Signature, SignatureError};
pub use workspace::Workspace;

use crate::ffi::abi::Code;
use crate::pool::ParallelFor;
use argument::Plan;
use std::ffi::c_void;
use std::fmt;
use std::marker::PhantomData;

/// A compiled function and its signature. A clone shares the code.
#[derive(Clone)]
pub struct Kernel {
    pub(crate) name: String,
    pub(crate) signature: Signature,
    /// The texts of the conditions on sizes: `{i}` stands for the value of size i.
    pub(crate) requirements: Vec<String>,
    pub(crate) code: Code,
}

/// A kernel with checked arguments, which can run any number of times. It borrows the arguments: the results can be
/// read after it is dropped.
pub struct Call<'a> {
    pub(crate) kernel: &'a Kernel,
    pub(crate) pool: &'a dyn ParallelFor,
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

    /// The condition that a negative result of the workspace function stands for, with the sizes in it.
    fn requirement(&self, bytes: i64, sizes: &[i64]) -> Option<String> {
        let text = self.requirements.get(usize::try_from(-1 - bytes).ok()?)?;
        Some(with_sizes(text, sizes))
    }

    /// Runs the kernel once, its loops on the threads of `pool`: a [`Pool`](crate::pool::Pool), or
    /// [`Workers`](crate::pool::Workers) of the caller. Its workspace is allocated for this call only; use
    /// [`Kernel::prepare`] to reuse it.
    ///
    /// # Errors
    /// If the arguments do not fit, or memory cannot be allocated; the kernel has not run then.
    pub fn call(
        &self,
        pool: &dyn ParallelFor,
        arguments: &mut [Argument],
    ) -> Result<(), CallError> {
        self.prepare(pool, arguments, &mut Workspace::default())?.run();
        Ok(())
    }

    /// Checks the arguments, and makes the workspace large enough.
    ///
    /// # Errors
    /// If the arguments do not fit, or memory cannot be allocated.
    pub fn prepare<'a>(
        &'a self,
        pool: &'a dyn ParallelFor,
        arguments: &'a mut [Argument],
        workspace: &'a mut Workspace,
    ) -> Result<Call<'a>, CallError> {
        let Plan { buffers, sizes } = argument::check(&self.name, &self.signature, arguments)?;
        let bytes = self.workspace_bytes(&sizes);
        let Ok(bytes) = usize::try_from(bytes) else {
            let requirement = self.requirement(bytes, &sizes);
            return Err(CallError::Sizes { kernel: self.name.clone(), requirement, sizes });
        };
        let workspace = workspace
            .at_least(bytes)
            .map_err(|_| CallError::WorkspaceMemory { kernel: self.name.clone(), bytes })?;
        Ok(Call { kernel: self, pool, buffers, sizes, workspace, arguments: PhantomData })
    }
}

/// A text of a requirement, with the value of size i for each `{i}`.
pub(crate) fn with_sizes(text: &str, sizes: &[i64]) -> String {
    let with = |text: String, (i, size): (usize, &i64)| {
        text.replace(&format!("{{{i}}}"), &size.to_string())
    };
    sizes.iter().enumerate().fold(text.to_owned(), with)
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
