//! The state of a schedule, of which the Python class `Schedule` has one.

use crate::compile::model;
use crate::error::exception;
use crate::log::{flush, gathered};
use loopwright::schedule::trace::Spelling;
use loopwright_bindings::error::{ApiError, Code};
use loopwright_bindings::log::GatheredLog;
use loopwright_bindings::schedule::{Query, ScheduleThread, Scheduled};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use std::path::PathBuf;

/// A function that is scheduled; see `loopwright.Schedule`.
#[pyclass(frozen, module = "loopwright._native")]
pub struct ScheduleState {
    thread: ScheduleThread,
    log: GatheredLog,
}

impl ScheduleState {
    fn ask<T: Send>(
        &self,
        py: Python,
        run: impl FnOnce(&ScheduleThread) -> Result<T, ApiError> + Send,
    ) -> PyResult<T> {
        let answer = py.detach(|| run(&self.thread));
        flush(py, &self.log)?;
        answer.map_err(|error| exception(py, error))
    }
}

#[pymethods]
impl ScheduleState {
    #[new]
    #[pyo3(signature = (path, data, is_onnx, function, dims, fp))]
    fn new(
        py: Python,
        path: PathBuf,
        data: Option<Vec<u8>>,
        is_onnx: bool,
        function: String,
        dims: Vec<(String, u64)>,
        fp: Option<String>,
    ) -> PyResult<ScheduleState> {
        let model = model(path, data, is_onnx);
        let log = gathered(py)?;
        let scheduled = Scheduled { model, function, dimensions: dims, contract: fp };
        let started = py.detach(|| ScheduleThread::start(log.clone(), scheduled));
        flush(py, &log)?;
        let thread = started.map_err(|error| exception(py, error))?;
        Ok(ScheduleState { thread, log })
    }

    /// Applies a step, as JSON; returns the names of what it has created.
    fn step(&self, py: Python, step: String) -> PyResult<Vec<String>> {
        let applied = py.detach(|| self.thread.step(step));
        flush(py, &self.log)?;
        applied.map_err(|error| match error.code {
            Code::Argument => PyTypeError::new_err(error.message),
            _ => exception(py, error),
        })
    }

    /// Applies the steps of a trace; `name` is the file in its locations.
    fn replay(&self, py: Python, trace: Vec<u8>, name: String) -> PyResult<()> {
        self.ask(py, |thread| thread.replay(trace, name))
    }

    /// Answers a question on the nest, such as `loops` of a block.
    fn query(&self, py: Python, query: &str, name: String) -> PyResult<Vec<String>> {
        let query = Query::from_name(query).ok_or_else(|| {
            exception(py, ApiError::new(Code::Argument, format!("found no query '{query}'")))
        })?;
        self.ask(py, move |thread| thread.query(query, name))
    }

    /// The nest as text.
    fn show(&self, py: Python) -> PyResult<String> {
        self.ask(py, ScheduleThread::nest)
    }

    /// The cost ledger as JSON.
    fn cost(&self, py: Python) -> PyResult<String> {
        self.ask(py, ScheduleThread::cost)
    }

    /// The steps so far as `script`, `json` or `rust`.
    fn trace(&self, py: Python, spelling: &str) -> PyResult<String> {
        let spelling = Spelling::from_word(spelling).ok_or_else(|| {
            let words = Spelling::ALL.map(Spelling::word).join(", ");
            let message = format!("found spelling '{spelling}', expected one of {words}");
            exception(py, ApiError::new(Code::Argument, message))
        })?;
        self.ask(py, move |thread| thread.trace(spelling))
    }
}
