//! The native part of the Python package `loopwright`, which is the module `loopwright._native`.
//!
//! ```text
//! Python: loopwright.compile, .load, .Schedule ─► _native ─► loopwright-bindings: compile, load, schedule, run
//! NumPy arrays, objects with __dlpack__        ─► tensor  ─► loopwright-runtime: tensors in place, or copies of them
//! ```
//! The interpreter runs other threads while this module compiles, schedules or runs code.
//!
//! Must not depend on: what passes do.

mod compiled;
mod error;
mod ffi;
mod log;
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
    module.add_class::<schedule::ScheduleState>()?;
    module.add_class::<tensor::Buffer>()?;
    module.add_function(wrap_pyfunction!(compiled::compile, module)?)?;
    module.add_function(wrap_pyfunction!(compiled::load, module)?)?;
    module.add_function(wrap_pyfunction!(tensor::empty, module)?)
}
