//! An emulator that runs PTX kernels on the CPU: warps of 32 lanes that diverge and reconverge, shared memory, barriers,
//! shuffles, atomics, asynchronous copies, tensor cores. It checks each memory access (bounds, alignment, races), each
//! barrier and each use of an undefined value, and counts instructions and memory traffic.
//!
//! ```
//! use ptx_emulator::{Device, LaunchConfig, Module};
//!
//! let text = r#"
//! .version 8.0
//! .target sm_90a
//! .address_size 64
//! .visible .entry double(.param .u64 data)
//! {
//!     .reg .b32 %r<3>;
//!     .reg .b64 %rd<3>;
//!     ld.param.u64 %rd1, [data];
//!     mov.u32 %r1, %tid.x;
//!     mad.wide.u32 %rd2, %r1, 4, %rd1;
//!     ld.global.u32 %r2, [%rd2];
//!     shl.b32 %r2, %r2, 1;
//!     st.global.u32 [%rd2], %r2;
//!     ret;
//! }"#;
//! let device = Device::new();
//! let module = device.load(&Module::parse(text)?)?;
//! let kernel = module.kernel("double").ok_or("no such kernel")?;
//! let data = device.alloc(16, 16)?;
//! device.write(data, &[1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0])?;
//! let config = LaunchConfig { block: [4, 1, 1], ..LaunchConfig::default() };
//! let profile = device.launch(&kernel, &config, &[data.into()])?;
//! let mut result = [0; 16];
//! device.read(data, &mut result)?;
//! assert_eq!(result[12], 8);
//! assert_eq!(profile.counters.global_loads.bytes, 16);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Nothing here has been compared with hardware yet.

mod block;
pub mod counters;
mod decode;
mod device;
pub mod fault;
mod ffi;
mod launch;
mod lex;
mod liveness;
mod memory;
mod module;
mod numeric;
pub mod occupancy;
mod parse;
mod program;
mod race;
mod random;
mod registers;
mod report;
mod syntax;
mod undefined;
mod warp;

pub use device::{Device, DeviceError, DevicePtr};
pub use fault::{Fault, FaultKind, Role};
pub use launch::{Argument, LaunchConfig, LaunchError, Profile};
pub use module::{Kernel, LoadedModule, Module};
pub use parse::ParseError;
pub use program::Parameter;
pub use syntax::{Limits, Space, Type};
