//! The options of runs.

use super::{Held, c_text, guarded, held, held_mut, put, put_new, text};
use crate::failure::Failure;
use ort::sys::{OrtRunOptions, OrtStatusPtr};
use std::ffi::{CString, c_char, c_int};
use std::ptr::null;
use std::sync::atomic::{AtomicBool, Ordering};

/// `OrtRunOptions`.
#[derive(Default)]
pub struct RunOptions {
    tag: CString,
    verbosity: c_int,
    level: c_int,
    /// Set by other threads.
    is_terminated: AtomicBool,
    entries: Vec<(CString, CString)>,
}

impl Held for RunOptions {
    type Opaque = OrtRunOptions;
}

/// Fails if the options, which may be null, terminate runs.
///
/// # Safety
/// See `ffi`.
pub unsafe fn check_terminated(options: *const OrtRunOptions) -> Result<(), Failure> {
    // SAFETY: see `ffi`.
    let options = unsafe { options.cast::<RunOptions>().as_ref() };
    match options.is_some_and(|it| it.is_terminated.load(Ordering::SeqCst)) {
        true => Err(Failure::new(
            ort::sys::OrtErrorCode::ORT_FAIL,
            "the run was terminated by its options",
        )),
        false => Ok(()),
    }
}

/// Makes options with defaults.
pub unsafe extern "system" fn create(out: *mut *mut OrtRunOptions) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    guarded(|| unsafe { put_new(out, || Ok(RunOptions::default())) })
}

/// Sets the tag.
pub unsafe extern "system" fn set_tag(
    options: *mut OrtRunOptions,
    tag: *const c_char,
) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    guarded(|| unsafe {
        held_mut::<RunOptions>(options, "options")?.tag = c_text(text(tag, "run_tag")?);
        Ok(())
    })
}

/// The tag, which lives until it is set again.
pub unsafe extern "system" fn tag(
    options: *const OrtRunOptions,
    out: *mut *const c_char,
) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    guarded(|| unsafe { put(out, held::<RunOptions>(options, "options")?.tag.as_ptr()) })
}

/// Sets the verbosity of messages. Runs emit none.
pub unsafe extern "system" fn set_verbosity(
    options: *mut OrtRunOptions,
    verbosity: c_int,
) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    guarded(|| unsafe {
        held_mut::<RunOptions>(options, "options")?.verbosity = verbosity;
        Ok(())
    })
}

/// The verbosity of messages.
pub unsafe extern "system" fn verbosity(
    options: *const OrtRunOptions,
    out: *mut c_int,
) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    guarded(|| unsafe { put(out, held::<RunOptions>(options, "options")?.verbosity) })
}

/// Sets the level of messages. Runs emit none.
pub unsafe extern "system" fn set_level(options: *mut OrtRunOptions, level: c_int) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    guarded(|| unsafe {
        held_mut::<RunOptions>(options, "options")?.level = level;
        Ok(())
    })
}

/// The level of messages.
pub unsafe extern "system" fn level(
    options: *const OrtRunOptions,
    out: *mut c_int,
) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    guarded(|| unsafe { put(out, held::<RunOptions>(options, "options")?.level) })
}

/// Terminates runs that begin later with these options.
pub unsafe extern "system" fn terminate(options: *mut OrtRunOptions) -> OrtStatusPtr {
    // SAFETY: see `ffi`. Another thread may use the options, hence the shared reference.
    guarded(|| unsafe {
        held::<RunOptions>(options, "options")?.is_terminated.store(true, Ordering::SeqCst);
        Ok(())
    })
}

/// Lets runs begin again.
pub unsafe extern "system" fn unterminate(options: *mut OrtRunOptions) -> OrtStatusPtr {
    // SAFETY: as above.
    guarded(|| unsafe {
        held::<RunOptions>(options, "options")?.is_terminated.store(false, Ordering::SeqCst);
        Ok(())
    })
}

/// Sets the value of a key. No key has an effect.
pub unsafe extern "system" fn set_config(
    options: *mut OrtRunOptions,
    key: *const c_char,
    value: *const c_char,
) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    guarded(|| unsafe {
        let entries = &mut held_mut::<RunOptions>(options, "options")?.entries;
        let (key, value) = (text(key, "config_key")?, text(value, "config_value")?);
        let key = c_text(key);
        entries.retain(|(it, _)| *it != key);
        entries.push((key, c_text(value)));
        Ok(())
    })
}

/// The value of a key, which lives until it is set again; null if there is none.
pub unsafe extern "system" fn config(
    options: *const OrtRunOptions,
    key: *const c_char,
) -> *const c_char {
    // SAFETY: see `ffi`.
    let found = unsafe {
        held::<RunOptions>(options, "options").and_then(|it| Ok((it, text(key, "config_key")?)))
    };
    let Ok((options, key)) = found else { return null() };
    let key = c_text(key);
    let value = options.entries.iter().find(|(it, _)| *it == key);
    value.map_or(null(), |(_, value)| value.as_ptr())
}
