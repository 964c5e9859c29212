//! Machine code that runs in this process.

use super::Error;
use super::x86::Object;
use crate::ffi::{self, kernel::Kernel};

/// An object that is linked into this process. Addresses from it are valid until it is dropped.
pub struct Jit(ffi::Jit);

impl Jit {
    /// Links an object by itself: two of them may define the same names. What it calls of libm and
    /// libgcc comes from the process.
    pub fn load(object: &Object) -> Result<Self, Error> {
        ffi::Jit::load(object.bytes()).map(Self).map_err(Error::Link)
    }

    /// A kernel of the object, for tests and measurements.
    pub fn kernel(&self, name: &str) -> Result<Kernel<'_>, Error> {
        Kernel::of(&self.0, name).map_err(Error::Link)
    }

    /// The address of a symbol of the object.
    pub fn address(&self, symbol: &str) -> Result<u64, Error> {
        self.0.address(symbol).map_err(Error::Link)
    }
}
