//! Compiles models.

use crate::compiled::{Compiled, pool};
use crate::error::exception;
use crate::log::{flush, gathered};
use loopwright_bindings::compile::{self as bindings, CompileOptions, Model};
use pyo3::prelude::*;
use std::path::{Path, PathBuf};

/// How a model is compiled: the parameters of the Python function `compile`.
#[derive(FromPyObject)]
pub struct Options {
    target: String,
    cpu: Option<String>,
    device: Option<String>,
    threads: Option<i64>,
    fp: Option<String>,
    dims: Vec<(String, u64)>,
    schedule: Option<(Vec<u8>, String)>,
    name: Option<String>,
    require_vector: bool,
}

/// The model of the Python functions: a file, or `data` with the file in messages.
pub fn model(path: PathBuf, data: Option<Vec<u8>>, is_onnx: bool) -> Model<'static> {
    match data {
        None => Model::File(path),
        Some(bytes) if is_onnx => Model::Onnx { bytes: bytes.into(), path },
        Some(bytes) => {
            Model::Bytes { bytes: bytes.into(), name: path.to_string_lossy().into_owned() }
        }
    }
}

/// The Python function `compile` of the package, which documents it.
#[pyfunction]
#[pyo3(signature = (path, data, is_onnx, options))]
pub fn compile(
    py: Python,
    path: PathBuf,
    data: Option<Vec<u8>>,
    is_onnx: bool,
    options: Options,
) -> PyResult<Compiled> {
    let pool = pool(options.threads)?;
    let log = gathered(py)?;
    let target = options.target.clone();
    let compiled = py.detach(|| {
        let schedule = options.schedule.as_ref();
        let settings = CompileOptions {
            target: Some(options.target),
            cpu: options.cpu,
            schedule: schedule.map(|(text, name)| (text.as_slice(), name.clone())),
            contract: options.fp,
            dimensions: options.dims,
            name: options.name,
            require_vector: options.require_vector,
        };
        let artifact = bindings::compile(&log, &model(path, data, is_onnx), &settings)?;
        let module = artifact.load(&pool, options.device.as_deref())?;
        Ok((artifact, module))
    });
    flush(py, &log)?;
    let (artifact, module) = compiled.map_err(|error| exception(py, error))?;
    let save = move |path: &Path| artifact.save(path);
    Compiled::new(py, module, target, Some(Box::new(save)))
}
