//! The unsafe call for devices: tools run the kernels of the module that they are given.

use loopwright_runtime::device::{Device, DeviceError, Place, Settings};

/// Opens a device.
pub fn open(place: Place, settings: Settings) -> Result<Device, DeviceError> {
    // SAFETY: the kernels are code of this compiler. Accesses of the module that it does not check are the user's, who can
    // run the kernels on the emulator, which checks them all. A call owns the memory that its recording uses.
    unsafe { Device::open(place, settings) }
}
