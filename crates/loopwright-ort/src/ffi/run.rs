//! Runs.

use super::run_options::check_terminated;
use super::status::status;
use super::value::Value;
use super::{array, guarded, held, hold, null_parameter, texts};
use crate::failure::Failure;
use crate::plan::{Planned, RunPlan};
use crate::session::{Session, SessionCode};
use crate::tensor_type::{TensorType, shape_text};
use loopwright_bindings::error::ApiError;
use loopwright_bindings::run::run as run_function;
use loopwright_runtime::dlpack::{DLTensor, Imported};
use ort::sys::{OrtRunOptions, OrtSession, OrtStatusPtr, OrtValue, RunAsyncCallbackFn};
use std::ffi::{c_char, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

/// An input and its name.
pub type Given = (String, Value);

/// The name of a requested output, and the value that receives it, if it is not a new one.
pub type Requested = (String, Option<Value>);

/// Runs a session; returns the requested outputs.
///
/// # Errors
/// If the inputs or outputs do not fit the model. Then no output is written.
///
/// # Safety
/// The elements of the values live during the call. No other code writes the inputs or accesses the outputs.
pub unsafe fn run(
    session: &Session,
    inputs: &[Given],
    outputs: &[Requested],
) -> Result<Vec<Value>, Failure> {
    let types: Vec<(&str, &TensorType)> =
        inputs.iter().map(|(name, value)| (name.as_str(), &value.ty)).collect();
    let names: Vec<&str> = outputs.iter().map(|(name, _)| name.as_str()).collect();
    let RunPlan { arguments, requested } = session.plan(&types, &names)?;
    let mut values = vec![];
    for (at, argument) in arguments.iter().enumerate() {
        values.push(match argument {
            Planned::Input(number) => inputs[*number].1.clone(),
            Planned::Result(ty) => {
                let places = requested.iter().zip(outputs).filter(|(place, _)| **place == at);
                // The first value of the program receives the result.
                match places.filter_map(|(_, (name, value))| Some((name, value.as_ref()?))).next() {
                    Some((name, value)) => {
                        check_output(name, ty, &value.ty)?;
                        value.clone()
                    }
                    None => Value::zeros(ty.clone())?,
                }
            }
        });
    }
    // Checks the other values too, before the run.
    for ((name, value), at) in outputs.iter().zip(&requested) {
        if let Some(value) = value {
            check_output(name, &values[*at].ty, &value.ty)?;
        }
    }
    // SAFETY: by contract.
    unsafe { call(session, &arguments, &values) }?;
    let mut results: Vec<Value> = vec![];
    for (i, ((_, value), at)) in outputs.iter().zip(&requested).enumerate() {
        let is_first = !requested[..i].contains(at);
        let result = &values[*at];
        results.push(match value {
            // It is the value that received the result, or a further one for the same output.
            Some(value) => {
                // SAFETY: by contract.
                unsafe { value.copy_from(result) }?;
                value.clone()
            }
            None if is_first => result.clone(),
            None => {
                let copy = Value::zeros(result.ty.clone())?;
                // SAFETY: by contract.
                unsafe { copy.copy_from(result) }?;
                copy
            }
        });
    }
    Ok(results)
}

/// Calls the function of a session.
///
/// # Safety
/// As for [`run`].
unsafe fn call(session: &Session, arguments: &[Planned], values: &[Value]) -> Result<(), Failure> {
    let SessionCode::Compiled(function) = &session.code else {
        // SAFETY: by contract.
        return unsafe { values[1].copy_from(&values[0]) };
    };
    let tables: Vec<DLTensor> = values.iter().map(Value::table).collect();
    let mut imported = vec![];
    for (argument, table) in arguments.iter().zip(&tables) {
        let is_input = matches!(argument, Planned::Input(_));
        // SAFETY: the table is as DLPack specifies it, and by contract the elements live.
        let borrowed = unsafe { Imported::borrowed(table, is_input) };
        imported.push(borrowed.map_err(|error| Failure::argument(error.to_string()))?);
    }
    Ok(run_function(function, imported)?)
}

/// Checks a value that receives an output.
fn check_output(name: &str, expected: &TensorType, found: &TensorType) -> Result<(), Failure> {
    if expected == found {
        return Ok(());
    }
    let text = |ty: &TensorType| format!("{} {}", ty.element.word(), shape_text(&ty.sizes));
    let (found, expected) = (text(found), text(expected));
    Err(Failure::argument(format!(
        "output '{name}' is to be written to {found}, expected {expected}"
    )))
}

/// The pointers of a run.
struct Pointers {
    session: *const OrtSession,
    options: *const OrtRunOptions,
    input_names: *const *const c_char,
    inputs: *const *const OrtValue,
    input_count: usize,
    output_names: *const *const c_char,
    output_count: usize,
    outputs: *mut *mut OrtValue,
}

impl Pointers {
    /// Reads the inputs and the requested outputs.
    ///
    /// # Safety
    /// See `ffi`.
    unsafe fn read(&self) -> Result<(Vec<Given>, Vec<Requested>), Failure> {
        // SAFETY: see `ffi`.
        unsafe {
            let names = texts(self.input_names, self.input_count, "input_names")?;
            let values = array(self.inputs, self.input_count, "inputs")?;
            let inputs = names.into_iter().zip(values).map(|(name, value)| {
                Ok((name.to_owned(), held::<Value>(*value, "inputs")?.clone()))
            });
            let inputs = inputs.collect::<Result<_, Failure>>()?;
            if self.outputs.is_null() && self.output_count > 0 {
                return Err(null_parameter("outputs"));
            }
            let names = texts(self.output_names, self.output_count, "output_names")?;
            let outputs = names.into_iter().enumerate().map(|(i, name)| {
                let value = self.outputs.add(i).read();
                let value = value.cast::<Value>().as_ref().cloned();
                (name.to_owned(), value)
            });
            Ok((inputs, outputs.collect()))
        }
    }

    /// Runs, and writes the outputs that are new.
    ///
    /// # Safety
    /// See `ffi`.
    unsafe fn run(&self, inputs: &[Given], outputs: &[Requested]) -> Result<(), Failure> {
        // SAFETY: see `ffi`.
        unsafe {
            check_terminated(self.options)?;
            let results = run(held::<Session>(self.session, "session")?, inputs, outputs)?;
            for (i, (result, (_, given))) in results.into_iter().zip(outputs).enumerate() {
                if given.is_none() {
                    self.outputs.add(i).write(hold(result));
                }
            }
            Ok(())
        }
    }
}

/// Runs a session.
pub unsafe extern "system" fn run_session(
    session: *mut OrtSession,
    options: *const OrtRunOptions,
    input_names: *const *const c_char,
    inputs: *const *const OrtValue,
    input_count: usize,
    output_names: *const *const c_char,
    output_count: usize,
    outputs: *mut *mut OrtValue,
) -> OrtStatusPtr {
    let pointers = Pointers {
        session,
        options,
        input_names,
        inputs,
        input_count,
        output_names,
        output_count,
        outputs,
    };
    // SAFETY: see `ffi`.
    guarded(|| unsafe {
        let (inputs, outputs) = pointers.read()?;
        pointers.run(&inputs, &outputs)
    })
}

/// A run on another thread.
struct Job {
    pointers: Pointers,
    inputs: Vec<Given>,
    requested: Vec<Requested>,
    callback: unsafe extern "C" fn(*mut c_void, *mut *mut OrtValue, usize, OrtStatusPtr),
    user: *mut c_void,
}

// SAFETY: the contract of the table lets another thread use what the pointers point to until the callback is called.
unsafe impl Send for Job {}

impl Job {
    fn done(self) {
        let Job { pointers, inputs, requested, callback, user } = self;
        // SAFETY: see `ffi`.
        let run = || unsafe { pointers.run(&inputs, &requested) };
        let outcome = catch_unwind(AssertUnwindSafe(run))
            .unwrap_or_else(|panic| Err(ApiError::of_panic(&*panic).into()));
        let status = outcome.map_or_else(status, |()| OrtStatusPtr::default());
        // SAFETY: see `ffi`.
        unsafe { callback(user, pointers.outputs, pointers.output_count, status) }
    }
}

/// Runs a session on another thread, which calls a function at the end.
pub unsafe extern "system" fn run_async(
    session: *mut OrtSession,
    options: *const OrtRunOptions,
    input_names: *const *const c_char,
    inputs: *const *const OrtValue,
    input_count: usize,
    output_names: *const *const c_char,
    output_count: usize,
    outputs: *mut *mut OrtValue,
    callback: RunAsyncCallbackFn,
    user: *mut c_void,
) -> OrtStatusPtr {
    let pointers = Pointers {
        session,
        options,
        input_names,
        inputs,
        input_count,
        output_names,
        output_count,
        outputs,
    };
    // SAFETY: see `ffi`.
    guarded(|| unsafe {
        let callback = callback.ok_or_else(|| null_parameter("run_async_callback"))?;
        let (inputs, requested) = pointers.read()?;
        let job = Job { pointers, inputs, requested, callback, user };
        let started = thread::Builder::new().name("loopwright-run".to_owned()).spawn(|| job.done());
        let failed = |error| Failure::argument(format!("cannot start a thread: {error}"));
        started.map(drop).map_err(failed)
    })
}
