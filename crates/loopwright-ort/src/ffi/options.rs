//! The options of sessions.

use super::environment::Logger;
use super::{Held, guarded, held, held_mut, put, put_new, text};
use crate::failure::Failure;
use crate::options::{SessionOptions, entry, set_entry, threads_of};
use ort::sys::{
    GraphOptimizationLevel, OrtErrorCode, OrtLoggingFunction, OrtLoggingLevel, OrtSessionOptions,
    OrtStatusPtr,
};
use std::ffi::{c_char, c_int, c_void};
use std::sync::atomic::{AtomicBool, Ordering};

/// `OrtSessionOptions`.
#[derive(Default)]
pub struct HeldOptions {
    pub options: SessionOptions,
    /// The logger of the session, instead of that of the environment.
    pub logger: Option<Logger>,
    /// The level of the session, instead of that of the environment.
    pub level: Option<OrtLoggingLevel>,
    /// Set by other threads.
    pub is_cancelled: AtomicBool,
}

impl Held for HeldOptions {
    type Opaque = OrtSessionOptions;
}

/// Changes options.
///
/// # Safety
/// See `ffi`.
unsafe fn change(
    options: *mut OrtSessionOptions,
    change: impl FnOnce(&mut HeldOptions) -> Result<(), Failure>,
) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    guarded(|| unsafe { change(held_mut::<HeldOptions>(options, "options")?) })
}

/// Makes options with defaults.
pub unsafe extern "system" fn create(out: *mut *mut OrtSessionOptions) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    guarded(|| unsafe { put_new(out, || Ok(HeldOptions::default())) })
}

/// Copies options.
pub unsafe extern "system" fn copy(
    options: *const OrtSessionOptions,
    out: *mut *mut OrtSessionOptions,
) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    guarded(|| unsafe {
        let options = held::<HeldOptions>(options, "in_options")?;
        put_new(out, || {
            Ok(HeldOptions {
                options: options.options.clone(),
                logger: options.logger,
                level: options.level,
                is_cancelled: AtomicBool::new(false),
            })
        })
    })
}

/// Sets the level of optimizations.
pub unsafe extern "system" fn set_level(
    options: *mut OrtSessionOptions,
    level: GraphOptimizationLevel,
) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    unsafe {
        change(options, |options| {
            options.options.level = level;
            Ok(())
        })
    }
}

/// Sets the threads of a run.
pub unsafe extern "system" fn set_threads(
    options: *mut OrtSessionOptions,
    threads: c_int,
) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    unsafe {
        change(options, |options| {
            options.options.threads = threads_of(threads)?;
            Ok(())
        })
    }
}

/// Lets a session use the threads of the environment.
pub unsafe extern "system" fn use_global_threads(options: *mut OrtSessionOptions) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    unsafe {
        change(options, |options| {
            options.options.has_global_threads = true;
            Ok(())
        })
    }
}

/// Fixes the size of a named dimension.
pub unsafe extern "system" fn set_dimension(
    options: *mut OrtSessionOptions,
    name: *const c_char,
    size: i64,
) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    unsafe { change(options, |options| options.options.fix(text(name, "dim_name")?, size)) }
}

/// Sets the value of a key.
pub unsafe extern "system" fn set_config(
    options: *mut OrtSessionOptions,
    key: *const c_char,
    value: *const c_char,
) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    unsafe {
        change(options, |options| {
            let (key, value) = (text(key, "config_key")?, text(value, "config_value")?);
            set_entry(&mut options.options.entries, key, value);
            Ok(())
        })
    }
}

/// Writes 1 if a key has a value, otherwise 0.
pub unsafe extern "system" fn has_config(
    options: *const OrtSessionOptions,
    key: *const c_char,
    out: *mut c_int,
) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    guarded(|| unsafe {
        let entries = &held::<HeldOptions>(options, "options")?.options.entries;
        put(out, entry(entries, text(key, "config_key")?).is_some().into())
    })
}

/// Writes the value of a key, with NUL, and its length. Without a buffer, or if the buffer is too short, only the length is
/// written.
pub unsafe extern "system" fn config(
    options: *const OrtSessionOptions,
    key: *const c_char,
    out: *mut c_char,
    size: *mut usize,
) -> OrtStatusPtr {
    // SAFETY: see `ffi`; the buffer has `size` bytes.
    guarded(|| unsafe {
        let entries = &held::<HeldOptions>(options, "options")?.options.entries;
        let key = text(key, "config_key")?;
        let value = entry(entries, key)
            .ok_or_else(|| Failure::argument(format!("the option '{key}' has no value")))?;
        let value = super::c_text(value);
        let bytes = value.as_bytes_with_nul();
        let room = size.as_ref().copied().ok_or_else(|| super::null_parameter("size"))?;
        size.write(bytes.len());
        match (out.is_null(), room < bytes.len()) {
            (true, _) => Ok(()),
            (false, true) => Err(Failure::argument(format!(
                "a buffer has {room} bytes, expected {} for the option '{key}'",
                bytes.len()
            ))),
            (false, false) => {
                out.cast::<u8>().copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
                Ok(())
            }
        }
    })
}

/// Sets the least severe level of messages.
pub unsafe extern "system" fn set_log_level(
    options: *mut OrtSessionOptions,
    level: c_int,
) -> OrtStatusPtr {
    use OrtLoggingLevel::*;
    const LEVELS: [OrtLoggingLevel; 5] = [
        ORT_LOGGING_LEVEL_VERBOSE,
        ORT_LOGGING_LEVEL_INFO,
        ORT_LOGGING_LEVEL_WARNING,
        ORT_LOGGING_LEVEL_ERROR,
        ORT_LOGGING_LEVEL_FATAL,
    ];
    // SAFETY: see `ffi`.
    unsafe {
        change(options, |options| {
            let known = LEVELS.into_iter().find(|it| *it as c_int == level);
            options.level = Some(known.ok_or_else(|| {
                Failure::argument(format!("found the level {level} of messages, expected 0 to 4"))
            })?);
            Ok(())
        })
    }
}

/// Sets the logger.
pub unsafe extern "system" fn set_logger(
    options: *mut OrtSessionOptions,
    function: OrtLoggingFunction,
    parameter: *mut c_void,
) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    unsafe {
        change(options, |options| {
            options.logger = Some(Logger::new(function, parameter));
            Ok(())
        })
    }
}

/// Cancels sessions that are created later with these options.
pub unsafe extern "system" fn cancel(
    options: *mut OrtSessionOptions,
    is_cancelled: bool,
) -> OrtStatusPtr {
    // SAFETY: see `ffi`. Another thread may use the options, hence the shared reference.
    guarded(|| unsafe {
        held::<HeldOptions>(options, "options")?.is_cancelled.store(is_cancelled, Ordering::SeqCst);
        Ok(())
    })
}

impl HeldOptions {
    /// Fails if the creation of sessions has been cancelled.
    pub fn check_cancelled(&self) -> Result<(), Failure> {
        match self.is_cancelled.load(Ordering::SeqCst) {
            true => Err(Failure::new(
                OrtErrorCode::ORT_MODEL_LOAD_CANCELED,
                "the creation of the session was cancelled",
            )),
            false => Ok(()),
        }
    }
}
