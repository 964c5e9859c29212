//! The GPU emulator as a device: runs kernels on the CPU, checks every access and barrier, and counts instructions and
//! memory traffic.

use super::{Code, Device, GpuError, Launch, Memory, Replay, same_device};
use ptx_emulator::{Argument, DeviceError, DevicePtr, LaunchConfig, LoadedModule, Module, Profile};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The alignment of every allocation in bytes, as in CUDA.
const ALIGNMENT: u64 = 256;

/// An emulated GPU.
#[derive(Default)]
pub struct Emulator {
    device: Arc<ptx_emulator::Device>,
    profiles: Rc<RefCell<Vec<(String, Profile)>>>,
    seed: u64,
}

impl Emulator {
    /// An emulator whose `seed` determines the order in which warps run.
    pub fn new(seed: u64) -> Emulator {
        Emulator { seed, ..Emulator::default() }
    }

    /// The launches since the last call of this function or of `take_profiles`: the name of each kernel, and its
    /// counters.
    pub fn take_launches(&self) -> Vec<(String, Profile)> {
        self.profiles.take()
    }
}

impl Device for Emulator {
    fn name(&self) -> String {
        "emulator".to_owned()
    }

    fn capability(&self) -> (u32, u32) {
        (9, 0)
    }

    fn load(&self, chip: &str, ptx: &str) -> Result<Box<dyn Code>, GpuError> {
        let refused = |reason: String| GpuError::Load { chip: chip.to_owned(), reason };
        let module = Module::parse(ptx).map_err(|error| refused(error.to_string()))?;
        let module = self.device.load(&module).map_err(|error| refused(error.to_string()))?;
        Ok(Box::new(Loaded {
            module,
            device: self.device.clone(),
            profiles: self.profiles.clone(),
            seed: self.seed,
        }))
    }

    fn allocate(&self, bytes: usize) -> Result<Box<dyn Memory>, GpuError> {
        let address = self.device.alloc(bytes as u64, ALIGNMENT).map_err(failed("memory"))?;
        Ok(Box::new(Allocation { address, device: self.device.clone() }))
    }

    fn take_profiles(&self) -> Vec<(String, String)> {
        let text = |(name, profile): (String, Profile)| (name, profile.to_string());
        self.take_launches().into_iter().map(text).collect()
    }

    fn finish(&self) -> Result<(), GpuError> {
        // Launches are synchronous.
        Ok(())
    }

    fn record(
        &self,
        launches: &mut dyn FnMut() -> Result<(), GpuError>,
    ) -> Result<Option<Box<dyn Replay>>, GpuError> {
        launches().map(|()| None)
    }

    fn time(
        &self,
        launches: &mut dyn FnMut() -> Result<(), GpuError>,
    ) -> Result<Duration, GpuError> {
        let start = Instant::now();
        launches().map(|()| start.elapsed())
    }
}

struct Loaded {
    module: LoadedModule,
    device: Arc<ptx_emulator::Device>,
    profiles: Rc<RefCell<Vec<(String, Profile)>>>,
    seed: u64,
}

impl Code for Loaded {
    fn launch(&self, launch: &Launch) -> Result<(), GpuError> {
        let Launch { kernel: name, grid, block, shared, arguments } = launch;
        let kernel = self.module.kernel(name).ok_or_else(|| GpuError::Device {
            what: (*name).to_owned(),
            reason: "there is no such kernel".to_owned(),
        })?;
        let config = LaunchConfig {
            grid: *grid,
            block: *block,
            dynamic_shared: *shared,
            seed: self.seed,
            ..LaunchConfig::default()
        };
        let arguments: Vec<Argument> = arguments.iter().map(|it| Argument::bytes(it)).collect();
        let profile = self.device.launch(&kernel, &config, &arguments).map_err(failed(name))?;
        self.profiles.borrow_mut().push(((*name).to_owned(), profile));
        Ok(())
    }
}

impl Drop for Loaded {
    fn drop(&mut self) {
        self.device.unload(&self.module);
    }
}

struct Allocation {
    address: DevicePtr,
    device: Arc<ptx_emulator::Device>,
}

impl Memory for Allocation {
    fn address(&self) -> u64 {
        self.address
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), GpuError> {
        self.device.write(self.address, bytes).map_err(failed("a copy to the device"))
    }

    fn copy_from(&mut self, other: &dyn Memory, bytes: usize) -> Result<(), GpuError> {
        let other = same_device::<Allocation>(other)?;
        self.device
            .copy(self.address, other.address, bytes as u64)
            .map_err(failed("a copy on the device"))
    }

    fn read(&self, bytes: &mut [u8]) -> Result<(), GpuError> {
        self.device.read(self.address, bytes).map_err(|error| match error {
            DeviceError::Undefined { first, count, .. } => {
                GpuError::UndefinedBytes { first, undefined: count }
            }
            error => failed("a copy from the device")(error),
        })
    }
}

impl Drop for Allocation {
    fn drop(&mut self) {
        // The address is that of an allocation, so this cannot fail.
        let _ = self.device.free(self.address);
    }
}

fn failed<E: std::fmt::Display>(what: &str) -> impl FnOnce(E) -> GpuError {
    move |error| GpuError::Device { what: what.to_owned(), reason: error.to_string() }
}
