//! An emulated device: its memory, its loaded modules, and launches. Several threads may use it.

use crate::launch::{self, Argument, LaunchConfig, LaunchError, Profile};
use crate::memory::Memory;
use crate::module::{Kernel, LoadedModule, Module, initial_bytes, is_global};
use crate::parse::ParseError;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// An address in a device's memory.
pub type DevicePtr = u64;

/// The default memory size of a device, in bytes.
const DEFAULT_MEMORY: u64 = 64 << 30;

/// Why a device refuses an operation on its memory or the loading of a module.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DeviceError {
    /// An allocation is larger than the free memory.
    #[error("{bytes} bytes do not fit: {used} of {limit} bytes of the device are used")]
    OutOfMemory {
        /// The size of the allocation.
        bytes: u64,
        /// The bytes in use.
        used: u64,
        /// The bytes of the device.
        limit: u64,
    },
    /// The address is not the start of an allocation.
    #[error("{address:#x} is not the address of an allocation")]
    NotAllocated {
        /// The address.
        address: u64,
    },
    /// The range is not inside one allocation.
    #[error("the {bytes} bytes at {address:#x} are out of bounds: {near}")]
    OutOfBounds {
        /// The start of the range.
        address: u64,
        /// Its size.
        bytes: u64,
        /// The nearest allocation, in words.
        near: String,
    },
    /// The host reads bytes that nothing has written, or to which a kernel has stored undefined values.
    #[error(
        "{count} of the {bytes} bytes at {address:#x} are undefined, first byte {first}: nothing has written \
         them, or a kernel has stored undefined values there"
    )]
    Undefined {
        /// The start of the range that is read.
        address: u64,
        /// Its size.
        bytes: u64,
        /// The position of the first undefined byte in the range, from 0.
        first: u64,
        /// The number of undefined bytes.
        count: u64,
    },
    /// A variable that is declared but not defined, or has a wrong initialiser.
    #[error(transparent)]
    Module(#[from] ParseError),
}

/// An emulated device.
pub struct Device {
    memory: RwLock<Memory>,
    limit: u64,
}

impl Default for Device {
    fn default() -> Device {
        Device::new()
    }
}

impl Device {
    /// Creates a device with 64 GiB of memory.
    pub fn new() -> Device {
        Device::with_memory(DEFAULT_MEMORY)
    }

    /// Creates a device with `bytes` bytes of memory. Host memory is used only for allocations.
    pub fn with_memory(bytes: u64) -> Device {
        Device { memory: RwLock::default(), limit: bytes }
    }

    /// The bytes in use, and the total.
    pub fn memory(&self) -> (u64, u64) {
        (self.shared().used(), self.limit)
    }

    /// Allocates memory. No address is used twice, and each allocation is followed by an unused gap, so that overruns
    /// and uses after [`Device::free`] are faults.
    ///
    /// # Errors
    /// If the device has too little memory.
    pub fn alloc(&self, bytes: u64, align: u64) -> Result<DevicePtr, DeviceError> {
        let mut memory = self.exclusive();
        let align = align.checked_next_power_of_two().unwrap_or(1);
        let (used, limit) = (memory.used(), self.limit);
        let placed = memory.alloc(bytes, align, limit);
        placed.ok_or(DeviceError::OutOfMemory { bytes, used, limit })
    }

    /// # Errors
    /// If it is not the address of an allocation.
    pub fn free(&self, address: DevicePtr) -> Result<(), DeviceError> {
        match self.exclusive().free(address) {
            true => Ok(()),
            false => Err(DeviceError::NotAllocated { address }),
        }
    }

    /// The start and the size of the allocation that contains an address.
    pub fn allocation(&self, address: DevicePtr) -> Option<(DevicePtr, u64)> {
        let memory = self.shared();
        let found = &memory.allocations()[memory.find(address)?];
        Some((found.base, found.bytes))
    }

    /// Copies to the device.
    ///
    /// # Errors
    /// If the range is not inside one allocation.
    pub fn write(&self, address: DevicePtr, data: &[u8]) -> Result<(), DeviceError> {
        let memory = self.shared();
        let (number, offset) = range(&memory, address, data.len() as u64)?;
        if let Some(number) = number {
            memory.allocations()[number].write(offset, data);
        }
        Ok(())
    }

    /// Copies from the device.
    ///
    /// # Errors
    /// If the range is not inside one allocation, or bytes of it are undefined; the defined bytes are copied then.
    pub fn read(&self, address: DevicePtr, data: &mut [u8]) -> Result<(), DeviceError> {
        let memory = self.shared();
        let (number, offset) = range(&memory, address, data.len() as u64)?;
        if let Some(number) = number {
            let allocation = &memory.allocations()[number];
            allocation.read(offset, data);
            if let Some((first, count)) = allocation.first_undefined(offset, data.len()) {
                let (bytes, first, count) = (data.len() as u64, first as u64, count as u64);
                return Err(DeviceError::Undefined { address, bytes, first, count });
            }
        }
        Ok(())
    }

    /// Fills memory with a byte.
    ///
    /// # Errors
    /// If the range is not inside one allocation.
    pub fn memset(&self, address: DevicePtr, value: u8, bytes: u64) -> Result<(), DeviceError> {
        let memory = self.shared();
        let (number, offset) = range(&memory, address, bytes)?;
        let Some(number) = number else { return Ok(()) };
        let data = vec![value; bytes.min(1 << 16) as usize];
        for at in (0..bytes).step_by(1 << 16) {
            let part = &data[..(bytes - at).min(1 << 16) as usize];
            memory.allocations()[number].write(offset + at as usize, part);
        }
        Ok(())
    }

    /// Copies within the device; uninitialised bytes stay uninitialised in the copy.
    ///
    /// # Errors
    /// If a range is not inside one allocation.
    pub fn copy(&self, to: DevicePtr, from: DevicePtr, bytes: u64) -> Result<(), DeviceError> {
        let memory = self.shared();
        let (source, source_at) = range(&memory, from, bytes)?;
        let (target, target_at) = range(&memory, to, bytes)?;
        if let (Some(source), Some(target)) = (source, target) {
            let (source, target) = (&memory.allocations()[source], &memory.allocations()[target]);
            let mut data = vec![0; bytes as usize];
            source.read(source_at, &mut data);
            let state = source.state(source_at, data.len());
            target.write(target_at, &data);
            target.set_state(target_at, &state);
        }
        Ok(())
    }

    /// Loads a module: allocates its variables and sets their initial values.
    ///
    /// # Errors
    /// If they do not fit, or a variable is not defined.
    pub fn load(&self, module: &Module) -> Result<LoadedModule, DeviceError> {
        let content = &module.content;
        let mut addresses = vec![0; content.variables.len()];
        for (variable, address) in content.variables.iter().zip(&mut addresses) {
            if is_global(variable) && variable.is_extern {
                let reason = format!("{} is declared, but not defined", variable.name);
                return Err(ParseError::syntax(variable.line, reason).into());
            }
            if is_global(variable) {
                *address = self.alloc(variable.bytes(), variable.align.into())?;
            }
        }
        let number = |name: &str| content.variables.iter().position(|it| it.name == name);
        for (i, variable) in content.variables.iter().enumerate().filter(|(_, it)| is_global(it)) {
            let address = |name: &str| number(name).map(|it| addresses[it]).filter(|it| *it != 0);
            self.write(addresses[i], &initial_bytes(variable, address)?)?;
            if variable.space == crate::syntax::Space::Const {
                self.exclusive().make_constant(addresses[i]);
            }
        }
        Ok(LoadedModule { content: content.clone(), variables: Arc::from(addresses) })
    }

    /// Frees the variables of a module.
    pub fn unload(&self, module: &LoadedModule) {
        let mut memory = self.exclusive();
        for address in module.variables.iter().filter(|it| **it != 0) {
            memory.free(*address);
        }
    }

    /// Runs a kernel to its end.
    ///
    /// # Errors
    /// If the launch is not possible, or at the first fault; memory then holds everything written before the fault.
    pub fn launch(
        &self,
        kernel: &Kernel,
        config: &LaunchConfig,
        arguments: &[Argument],
    ) -> Result<Profile, LaunchError> {
        launch::run(&self.shared(), kernel, config, arguments)
    }

    fn shared(&self) -> RwLockReadGuard<'_, Memory> {
        self.memory.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn exclusive(&self) -> RwLockWriteGuard<'_, Memory> {
        self.memory.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The number of an allocation and an offset in it; no number for an empty range.
fn range(memory: &Memory, address: u64, bytes: u64) -> Result<(Option<usize>, usize), DeviceError> {
    if bytes == 0 {
        return Ok((None, 0));
    }
    let found = memory.find(address).filter(|it| {
        let allocation = &memory.allocations()[*it];
        bytes <= allocation.bytes - (address - allocation.base)
    });
    match found {
        Some(number) => Ok((Some(number), (address - memory.allocations()[number].base) as usize)),
        None => Err(DeviceError::OutOfBounds { address, bytes, near: memory.near(address) }),
    }
}
