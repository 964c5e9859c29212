//! The unsafe part of NVIDIA's driver API: detection of the driver, modules with their compiler log, launches.

use crate::device::{Device, DeviceError, Place, Settings};
use crate::gpu::{Cuda, GpuError, Launch};
use cudarc::driver::{CudaContext, CudaStream, DriverError, result, sys};
use std::ffi::{CString, c_void};
use std::sync::Arc;

/// Bytes of shared memory of a thread block that any launch may use without a request to the driver.
const UNASKED_SHARED: u32 = 48 << 10;

impl Cuda {
    /// Opens a GPU by its number, counted from 0.
    ///
    /// # Errors
    /// [`GpuError::NoDriver`], [`GpuError::NoDevice`], or an error of the driver.
    ///
    /// # Safety
    /// The kernels that are launched on the device access only the memory of their arguments, within bounds. Programs of
    /// this compiler do so if the accesses of the source are in bounds. Memory that a recorded launch uses outlives the
    /// recording.
    pub unsafe fn open(ordinal: usize) -> Result<Cuda, GpuError> {
        Cuda::connect(ordinal)
    }
}

impl Device {
    /// Opens the device with this name.
    ///
    /// # Errors
    /// [`DeviceError::Absent`], whose message mentions the emulator, if there is no driver or no such GPU; and
    /// [`DeviceError::Pool`].
    ///
    /// # Safety
    /// For a GPU, that of [`Cuda::open`]. The CPU runs only kernels, whose safety is that of
    /// [`Kernel::from_raw`](crate::kernel::Kernel::from_raw). The emulator checks each access.
    pub unsafe fn open(place: Place, settings: Settings) -> Result<Device, DeviceError> {
        Device::connect(place, settings)
    }
}

/// True if the driver's library can be loaded. Otherwise every other call panics.
pub(crate) fn is_present() -> bool {
    // SAFETY: loading the driver's library runs its initialisers, as intended.
    unsafe { sys::is_culib_present() }
}

/// Opens a context without event tracking: its only stream already orders copies and kernels.
pub(crate) fn context(ordinal: usize) -> Result<Arc<CudaContext>, DriverError> {
    let context = CudaContext::new(ordinal)?;
    // SAFETY: all uses of a buffer are on one stream, in order.
    unsafe { context.disable_event_tracking() };
    Ok(context)
}

/// Allocates memory with undefined contents, `bytes` long.
pub(crate) fn allocate(
    stream: &Arc<CudaStream>,
    bytes: usize,
) -> Result<cudarc::driver::CudaSlice<u8>, DriverError> {
    // SAFETY: all bytes are valid as u8. At least 1 byte is requested, because the driver refuses 0.
    unsafe { stream.alloc::<u8>(bytes.max(1)) }
}

/// A module, and its context, which must outlive it.
pub(crate) struct Module {
    module: sys::CUmodule,
    context: Arc<CudaContext>,
}

impl Module {
    /// Compiles PTX; the error is the compiler's log.
    pub(crate) fn load(context: &Arc<CudaContext>, ptx: &str) -> Result<Module, String> {
        const LOG_BYTES: usize = 16 << 10;
        let text = CString::new(ptx).map_err(|_| "it contains a NUL".to_owned())?;
        context.bind_to_thread().map_err(|error| message(&error))?;
        let mut log = vec![0u8; LOG_BYTES];
        let mut options = [
            sys::CUjit_option::CU_JIT_ERROR_LOG_BUFFER,
            sys::CUjit_option::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
        ];
        // The driver expects these numbers as pointer values.
        let mut values =
            [log.as_mut_ptr().cast::<c_void>(), std::ptr::without_provenance_mut(LOG_BYTES)];
        let mut module = std::ptr::null_mut();
        // SAFETY: the text ends with NUL, each option has its value, and the log has the stated length.
        let outcome = unsafe {
            sys::cuModuleLoadDataEx(
                &mut module,
                text.as_ptr().cast(),
                options.len() as u32,
                options.as_mut_ptr(),
                values.as_mut_ptr(),
            )
        };
        match outcome.result() {
            Ok(()) => Ok(Module { module, context: context.clone() }),
            Err(error) => {
                let end = log.iter().position(|byte| *byte == 0).unwrap_or(LOG_BYTES);
                let log = String::from_utf8_lossy(&log[..end]);
                Err(format!("{}\n{}", message(&error), log.trim()).trim().to_owned())
            }
        }
    }

    fn function(&self, kernel: &str) -> Result<sys::CUfunction, DriverError> {
        self.context.bind_to_thread()?;
        let name = CString::new(kernel).unwrap_or_default();
        // SAFETY: the module is loaded as long as `self` lives.
        unsafe { result::module::get_function(self.module, name) }
    }

    /// A table of the multiprocessor resources of a kernel, as compiled by the driver. `shared` is the number of bytes
    /// of shared memory that the launch requests for a thread block.
    pub(crate) fn resources(&self, kernel: &str, shared: u32) -> Result<String, DriverError> {
        use sys::CUfunction_attribute::*;
        let function = self.function(kernel)?;
        let rows = [
            ("registers", CU_FUNC_ATTRIBUTE_NUM_REGS, 0, "per thread"),
            ("shared memory", CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, shared, "bytes per block"),
            ("local memory", CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, 0, "bytes per thread"),
        ];
        let mut table = String::new();
        for (name, attribute, more, unit) in rows {
            let value = i64::from(attribute_of(function, attribute)?) + i64::from(more);
            table += &format!("{name:<24}{value} {unit}\n");
        }
        Ok(table)
    }

    /// The bytes of shared memory that a launch may request for a thread block.
    pub(crate) fn room(&self, kernel: &str) -> Result<u32, DriverError> {
        let most = sys::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN;
        let declared = sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES;
        let left = self.context.attribute(most)? - attribute_of(self.function(kernel)?, declared)?;
        Ok(u32::try_from(left).unwrap_or(0))
    }

    /// Launches a kernel on a stream. Each argument has the bytes of its parameter.
    pub(crate) fn launch(&self, stream: &CudaStream, launch: &Launch) -> Result<(), DriverError> {
        let function = self.function(launch.kernel)?;
        if launch.shared > UNASKED_SHARED {
            let attribute =
                sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
            let bytes = i32::try_from(launch.shared).unwrap_or(i32::MAX);
            // SAFETY: the function belongs to this module.
            unsafe { result::function::set_function_attribute(function, attribute, bytes) }?;
        }
        let mut pointers: Vec<*mut c_void> =
            launch.arguments.iter().map(|bytes| bytes.as_ptr().cast_mut().cast()).collect();
        let [grid, block] = [launch.grid, launch.block].map(|[x, y, z]| (x, y, z));
        let (shared, stream) = (launch.shared, stream.cu_stream());
        // SAFETY: the function belongs to this module, and the driver reads the arguments before it returns. The caller
        // checks that there is an argument of the right length for each parameter.
        unsafe { result::launch_kernel(function, grid, block, shared, stream, &mut pointers) }
    }
}

/// An attribute that the driver reports for a function of a loaded module.
fn attribute_of(
    function: sys::CUfunction,
    attribute: sys::CUfunction_attribute,
) -> Result<i32, DriverError> {
    // SAFETY: the function belongs to a loaded module.
    unsafe { result::function::get_function_attribute(function, attribute) }
}

impl Drop for Module {
    fn drop(&mut self) {
        // If the context does not bind, it is destroyed, and the module with it.
        if self.context.bind_to_thread().is_ok() {
            // SAFETY: the module was loaded, and no other reference to it exists.
            let _ = unsafe { result::module::unload(self.module) };
        }
    }
}

/// The driver's name and text for an error.
pub(crate) fn message(error: &DriverError) -> String {
    let text = |text: Result<&std::ffi::CStr, DriverError>| {
        text.map(|text| text.to_string_lossy().into_owned()).unwrap_or_default()
    };
    format!("{} ({})", text(error.error_string()), text(error.error_name()))
}
