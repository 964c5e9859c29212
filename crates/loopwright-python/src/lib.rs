//! The native part of the Python package `loopwright`, which is the module `loopwright._native`.
//!
//! ```text
//! Python: loopwright.compile, .load, .Schedule ─► _native ─► loopwright-bindings: compile, load, schedule, run
//! NumPy arrays, objects with __dlpack__        ─► tensor  ─► loopwright-runtime: tensors in place, or copies of them
//! ```
//! Without the feature `compile`, the module has `load` and what runs loaded code, and needs no LLVM.
//!
//! The interpreter runs other threads while this module compiles, schedules or runs code.
//!
//! Must not depend on: what passes do.

#[cfg(feature = "compile")]
mod compile;
mod compiled;
mod error;
mod ffi;
#[cfg(feature = "compile")]
mod log;
#[cfg(feature = "compile")]
mod schedule;
mod tensor;

use pyo3::prelude::*;

/// The native part of loopwright.
#[pymodule(gil_used = true)]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<compiled::Compiled>()?;
    module.add_class::<compiled::Function>()?;
    module.add_class::<compiled::Argument>()?;
    module.add_class::<tensor::Buffer>()?;
    #[cfg(feature = "compile")]
    {
        module.add_class::<schedule::ScheduleState>()?;
        module.add_function(wrap_pyfunction!(compile::compile, module)?)?;
    }
    module.add_function(wrap_pyfunction!(compiled::load, module)?)?;
    module.add_function(wrap_pyfunction!(tensor::empty, module)?)
}
