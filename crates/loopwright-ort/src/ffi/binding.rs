//! Bindings of inputs and outputs: values that several runs use.

use super::memory::{MemoryInfo, allocate_by};
use super::run::{Given, Requested, run};
use super::run_options::check_terminated;
use super::value::Value;
use super::{Held, guarded, held, held_mut, hold, put, put_new, text};
use crate::failure::Failure;
use crate::session::Session;
use ort::sys::{
    OrtAllocator, OrtIoBinding, OrtMemoryInfo, OrtRunOptions, OrtSession, OrtStatusPtr, OrtValue,
};
use std::ffi::c_char;
use std::ptr::null_mut;
use std::sync::{Mutex, PoisonError};

/// `OrtIoBinding`.
#[derive(Default)]
pub struct Binding {
    inputs: Vec<Given>,
    outputs: Vec<Requested>,
    /// The outputs of the last run.
    results: Mutex<Vec<Value>>,
}

impl Held for Binding {
    type Opaque = OrtIoBinding;
}

/// Makes a binding.
pub unsafe extern "system" fn create(
    session: *mut OrtSession,
    out: *mut *mut OrtIoBinding,
) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    guarded(|| unsafe {
        held::<Session>(session, "session")?;
        put_new(out, || Ok(Binding::default()))
    })
}

/// Binds an input to a value, whose elements runs read.
pub unsafe extern "system" fn bind_input(
    binding: *mut OrtIoBinding,
    name: *const c_char,
    value: *const OrtValue,
) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    guarded(|| unsafe {
        let inputs = &mut held_mut::<Binding>(binding, "binding_ptr")?.inputs;
        let (name, value) = (text(name, "name")?, held::<Value>(value, "val_ptr")?.clone());
        match inputs.iter_mut().find(|(it, _)| it == name) {
            Some((_, bound)) => *bound = value,
            None => inputs.push((name.to_owned(), value)),
        }
        Ok(())
    })
}

/// Binds an output to a value, or to a new one for each run.
fn bind(binding: &mut Binding, name: &str, value: Option<Value>) {
    match binding.outputs.iter_mut().find(|(it, _)| it == name) {
        Some((_, bound)) => *bound = value,
        None => binding.outputs.push((name.to_owned(), value)),
    }
}

/// Binds an output to a value, to whose elements runs write.
pub unsafe extern "system" fn bind_output(
    binding: *mut OrtIoBinding,
    name: *const c_char,
    value: *const OrtValue,
) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    guarded(|| unsafe {
        let value = held::<Value>(value, "val_ptr")?.clone();
        bind(held_mut(binding, "binding_ptr")?, text(name, "name")?, Some(value));
        Ok(())
    })
}

/// Requests an output, which is a new value in each run.
pub unsafe extern "system" fn bind_output_to_device(
    binding: *mut OrtIoBinding,
    name: *const c_char,
    memory: *const OrtMemoryInfo,
) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    guarded(|| unsafe {
        held::<MemoryInfo>(memory, "mem_info_ptr")?;
        bind(held_mut(binding, "binding_ptr")?, text(name, "name")?, None);
        Ok(())
    })
}

/// Removes all inputs.
pub unsafe extern "system" fn clear_inputs(binding: *mut OrtIoBinding) {
    // SAFETY: see `ffi`.
    if let Ok(binding) = unsafe { held_mut::<Binding>(binding, "binding_ptr") } {
        binding.inputs.clear();
    }
}

/// Removes all outputs.
pub unsafe extern "system" fn clear_outputs(binding: *mut OrtIoBinding) {
    // SAFETY: see `ffi`.
    if let Ok(binding) = unsafe { held_mut::<Binding>(binding, "binding_ptr") } {
        binding.outputs.clear();
        binding.results.get_mut().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

/// Runs a session with a binding.
pub unsafe extern "system" fn run_binding(
    session: *mut OrtSession,
    options: *const OrtRunOptions,
    binding: *const OrtIoBinding,
) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    guarded(|| unsafe {
        check_terminated(options)?;
        let session = held::<Session>(session, "session")?;
        let binding = held::<Binding>(binding, "binding_ptr")?;
        let results = run(session, &binding.inputs, &binding.outputs)?;
        *binding.results.lock().unwrap_or_else(PoisonError::into_inner) = results;
        Ok(())
    })
}

/// The outputs of the last run, as new objects that share the elements. The array is memory of the allocator.
pub unsafe extern "system" fn bound_outputs(
    binding: *const OrtIoBinding,
    allocator: *mut OrtAllocator,
    out: *mut *mut *mut OrtValue,
    count: *mut usize,
) -> OrtStatusPtr {
    // SAFETY: see `ffi`; the block has a place for each value.
    guarded(|| unsafe {
        let binding = held::<Binding>(binding, "binding_ptr")?;
        let results = binding.results.lock().unwrap_or_else(PoisonError::into_inner);
        if results.len() != binding.outputs.len() {
            return Err(Failure::argument("the bound outputs have no values before a run"));
        }
        put(count, results.len())?;
        put(out, null_mut())?;
        if results.is_empty() {
            return Ok(());
        }
        let size = results.len() * size_of::<*mut OrtValue>();
        let block = allocate_by(allocator, size)?.cast::<*mut OrtValue>();
        for (i, value) in results.iter().enumerate() {
            block.add(i).write(hold(value.clone()));
        }
        put(out, block)
    })
}
