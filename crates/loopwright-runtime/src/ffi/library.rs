//! Loads kernels from a shared library.

use super::abi::{KernelFunction, WorkspaceFunction};
use crate::kernel::{Kernel, SignatureError};
use libloading::os::unix;
use std::ffi::{CStr, c_char};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::{fmt, fs, io};

/// A loaded shared library. It stays loaded until it and all its kernels are dropped.
#[derive(Clone)]
pub struct Library {
    library: Arc<unix::Library>,
    path: PathBuf,
}

/// Why a kernel cannot be loaded from a library. Each message begins with the path.
#[derive(Debug, thiserror::Error)]
pub enum LibraryError {
    /// The file does not exist or cannot be read.
    #[error("{}: cannot be read: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system error.
        source: io::Error,
    },
    /// The system cannot load the library.
    #[error("{}: cannot be loaded: {source}", path.display())]
    Load {
        /// The file.
        path: PathBuf,
        /// The error of the dynamic linker.
        source: libloading::Error,
    },
    /// One of the three symbols of a kernel is missing.
    #[error("{}: has no symbol '{symbol}'", path.display())]
    Symbol {
        /// The file.
        path: PathBuf,
        /// The symbol that is missing.
        symbol: String,
        /// The error of the dynamic linker.
        source: libloading::Error,
    },
    /// The bytes of NAME_signature are not UTF-8.
    #[error("{}: the text of '{symbol}' is not UTF-8", path.display())]
    Text {
        /// The file.
        path: PathBuf,
        /// The symbol of the text.
        symbol: String,
    },
    /// The text of NAME_signature is not a signature.
    #[error("{}: '{symbol}': {source}", path.display())]
    Signature {
        /// The file.
        path: PathBuf,
        /// The symbol of the text.
        symbol: String,
        /// The syntax error.
        source: SignatureError,
    },
}

impl Library {
    /// Loads the library at this path; the system does not search for it by name elsewhere. All symbols that it needs
    /// are resolved now, so no later call fails because of them.
    ///
    /// # Errors
    /// The file does not exist, is not a library for this machine, or needs libraries that are missing.
    ///
    /// # Safety
    /// Loading and unloading the library has no harmful effect. If it defines NAME, NAME_workspace, NAME_signature and
    /// NAME_requirements, they are a kernel as `loopwright_runtime.h` and [`Kernel::from_raw`] specify. The file is not changed while it
    /// is loaded; replacing it by another file of the same name is harmless.
    pub unsafe fn open(path: impl AsRef<Path>) -> Result<Library, LibraryError> {
        let path = path.as_ref();
        let absolute = fs::canonicalize(path)
            .map_err(|source| LibraryError::Io { path: path.into(), source })?;
        // SAFETY: the caller guarantees that loading it is harmless.
        let library = unsafe { unix::Library::open(Some(absolute), unix::RTLD_NOW) };
        match library {
            Ok(library) => Ok(Library { library: Arc::new(library), path: path.into() }),
            Err(source) => Err(LibraryError::Load { path: path.into(), source }),
        }
    }

    /// Looks up the kernel of this name; it keeps the library loaded.
    ///
    /// # Errors
    /// If one of its three symbols is missing, or its signature text is not valid.
    pub fn kernel(&self, name: &str) -> Result<Kernel, LibraryError> {
        let (of_workspace, of_signature) =
            (format!("{name}_workspace"), format!("{name}_signature"));
        // SAFETY: `open` requires that symbols of these names have these types.
        let kernel = unsafe { self.symbol::<KernelFunction>(name)? };
        // SAFETY: as above.
        let workspace = unsafe { self.symbol::<WorkspaceFunction>(&of_workspace)? };
        // SAFETY: as above; a variable's symbol is its address.
        let signature = unsafe { self.symbol::<*const c_char>(&of_signature)? };
        // SAFETY: `open` requires that it is a text that ends with NUL; the library is loaded.
        let signature = unsafe { CStr::from_ptr(*signature) };
        let signature = signature.to_str().map_err(|_| LibraryError::Text {
            path: self.path.clone(),
            symbol: of_signature.clone(),
        })?;
        let signature = FromStr::from_str(signature).map_err(|source| LibraryError::Signature {
            path: self.path.clone(),
            symbol: of_signature,
            source,
        })?;
        let owner = Arc::clone(&self.library);
        let of_requirements = format!("{name}_requirements");
        // SAFETY: `open` requires that a symbol of this name is a text that ends with NUL.
        let requirements = unsafe {
            let text = self.symbol::<*const c_char>(&of_requirements);
            text.map_or(Ok(""), |text| CStr::from_ptr(*text).to_str())
        };
        let requirements = requirements
            .map_err(|_| LibraryError::Text { path: self.path.clone(), symbol: of_requirements })?;
        // SAFETY: `open` requires that it is a kernel; the owner keeps the library loaded.
        let kernel = unsafe { Kernel::from_raw(name, signature, *kernel, *workspace, owner) };
        Ok(kernel.with_requirements(requirements))
    }

    /// # Safety
    /// A symbol of this name has the type `T`.
    unsafe fn symbol<T>(&self, name: &str) -> Result<unix::Symbol<T>, LibraryError> {
        // SAFETY: the caller guarantees the type.
        unsafe { self.library.get(name.as_bytes()) }.map_err(|source| LibraryError::Symbol {
            path: self.path.clone(),
            symbol: name.into(),
            source,
        })
    }
}

impl fmt::Debug for Library {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "Library({})", self.path.display())
    }
}

#[cfg(test)]
pub(crate) mod tests;
