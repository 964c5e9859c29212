//! Lists the kernels of a file.

use ptx_emulator::{Device, Module};
use std::fmt::Write;

/// A line for each kernel, and one for each of its parameters.
pub fn kernels(module: &Module) -> String {
    let mut out = String::new();
    let device = Device::new();
    let loaded = device.load(module).ok();
    for name in module.kernels() {
        let mut line = name.to_string();
        if let Some(kernel) = loaded.as_ref().and_then(|it| it.kernel(name)) {
            let limits = kernel.limits();
            if let Some([x, y, z]) = limits.required_block {
                let _ = write!(line, ", blocks of {x} x {y} x {z} threads");
            } else if let Some(most) = limits.max_threads {
                let _ = write!(line, ", blocks of at most {most} threads");
            }
            let _ = write!(
                line,
                ", about {} registers, {} bytes of shared memory",
                kernel.registers(),
                kernel.static_shared()
            );
        }
        let _ = writeln!(out, "{line}");
        for parameter in module.parameters(name).unwrap_or_default() {
            let _ =
                writeln!(out, "  {} {}, {} bytes", parameter.ty, parameter.name, parameter.bytes);
        }
    }
    out
}
