//! Makes compiled code callable: the caller of a binding promises that the model, or the file, may run.

#[cfg(feature = "compile")]
use loopwright::codegen::{Jit, LinkError, x86::Object};
use loopwright_runtime::device::{Device, DeviceError, Place, Settings};
use loopwright_runtime::kernel::{Kernel, Library, LibraryError};
use std::path::Path;

/// The kernels of an object with these names.
#[cfg(feature = "compile")]
pub fn kernels<'n>(
    object: &Object,
    names: impl Iterator<Item = &'n str>,
) -> Result<Vec<Kernel>, LinkError> {
    // SAFETY: the object is code of this compiler, for a processor whose features this one has. Accesses of the model that the
    // compiler does not check are the caller's. The kernels keep the code alive.
    let code = unsafe { Jit::load(object) }?;
    names.map(|name| code.kernel(name)).collect()
}

/// The kernels of a shared library with these names.
pub fn library<'n>(
    path: &Path,
    names: impl Iterator<Item = &'n str>,
) -> Result<Vec<Kernel>, LibraryError> {
    // SAFETY: the caller states that the file is a library of this package. The kernels keep it loaded.
    let library = unsafe { Library::open(path) }?;
    names.map(|name| library.kernel(name)).collect()
}

/// Opens a device.
pub fn device(place: Place, settings: Settings) -> Result<Device, DeviceError> {
    // SAFETY: the kernels are code of this compiler. Accesses of the model that it does not check are the caller's. A call
    // owns the memory that it uses.
    unsafe { Device::open(place, settings) }
}
