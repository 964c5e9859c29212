//! Environments: the logger of a program, and the threads that its sessions share.

use super::{Held, c_text, guarded, held, held_mut, put_new};
use crate::failure::Failure;
use crate::log::level;
use crate::options::threads_of;
use loopwright_bindings::log::GatheredLog;
use ort::sys::{OrtEnv, OrtLoggingFunction, OrtLoggingLevel, OrtStatusPtr, OrtThreadingOptions};
use std::ffi::{c_char, c_int, c_void};
use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};

/// `OrtEnv`.
pub struct Environment {
    logger: Option<Logger>,
    level: Mutex<OrtLoggingLevel>,
    /// The threads that sessions share; None without global threads, or for one per core.
    pub threads: Option<NonZeroUsize>,
}

impl Held for Environment {
    type Opaque = OrtEnv;
}

/// A function of the program that receives messages.
#[derive(Clone, Copy)]
pub struct Logger {
    function: OrtLoggingFunction,
    parameter: *mut c_void,
}

impl Logger {
    /// The logger of a function and its first argument.
    pub fn new(function: OrtLoggingFunction, parameter: *mut c_void) -> Logger {
        Logger { function, parameter }
    }

    /// Passes on what was gathered.
    pub fn forward(self, gathered: &GatheredLog) {
        for (severity, message) in gathered.take() {
            let level = level(severity);
            let (function, parameter) = (self.function, self.parameter);
            let message = c_text(&message);
            // SAFETY: by the contract of the table, the function may be called with the parameter while the environment or the
            // options that it was given to are in use; the texts live during the call.
            unsafe {
                function(
                    parameter,
                    level,
                    c"loopwright".as_ptr(),
                    c"".as_ptr(),
                    c"".as_ptr(),
                    message.as_ptr(),
                )
            }
        }
    }
}

/// `OrtThreadingOptions`.
#[derive(Clone, Copy, Default)]
pub struct Threading {
    threads: Option<NonZeroUsize>,
}

impl Held for Threading {
    type Opaque = OrtThreadingOptions;
}

impl Environment {
    /// The logger, and the least severe level that it gets.
    pub fn log(&self) -> (Option<Logger>, OrtLoggingLevel) {
        (self.logger, *self.level.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

fn environment(
    logger: Option<Logger>,
    level: OrtLoggingLevel,
    threading: Threading,
) -> Result<Environment, Failure> {
    Ok(Environment { logger, level: Mutex::new(level), threads: threading.threads })
}

/// Makes an environment without a logger: messages are dropped.
pub unsafe extern "system" fn create(
    level: OrtLoggingLevel,
    _: *const c_char,
    out: *mut *mut OrtEnv,
) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    guarded(|| unsafe { put_new(out, || environment(None, level, Threading::default())) })
}

/// Makes an environment with a logger.
pub unsafe extern "system" fn create_with_logger(
    function: OrtLoggingFunction,
    parameter: *mut c_void,
    level: OrtLoggingLevel,
    _: *const c_char,
    out: *mut *mut OrtEnv,
) -> OrtStatusPtr {
    let logger = Some(Logger { function, parameter });
    // SAFETY: see `ffi`.
    guarded(|| unsafe { put_new(out, || environment(logger, level, Threading::default())) })
}

/// Makes an environment with global threads.
pub unsafe extern "system" fn create_with_threads(
    level: OrtLoggingLevel,
    _: *const c_char,
    threading: *const OrtThreadingOptions,
    out: *mut *mut OrtEnv,
) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    guarded(|| unsafe {
        let threading = *held::<Threading>(threading, "tp_options")?;
        put_new(out, || environment(None, level, threading))
    })
}

/// Makes an environment with a logger and global threads.
pub unsafe extern "system" fn create_with_logger_and_threads(
    function: OrtLoggingFunction,
    parameter: *mut c_void,
    level: OrtLoggingLevel,
    _: *const c_char,
    threading: *const OrtThreadingOptions,
    out: *mut *mut OrtEnv,
) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    guarded(|| unsafe {
        let threading = *held::<Threading>(threading, "tp_options")?;
        put_new(out, || environment(Some(Logger { function, parameter }), level, threading))
    })
}

/// There is no telemetry.
pub unsafe extern "system" fn telemetry(_: *const OrtEnv) -> OrtStatusPtr {
    OrtStatusPtr::default()
}

/// Sets the level of the logger.
pub unsafe extern "system" fn set_level(env: *mut OrtEnv, level: OrtLoggingLevel) -> OrtStatusPtr {
    // SAFETY: see `ffi`. The environment may be in use by other threads, hence the lock.
    guarded(|| unsafe {
        let environment = held::<Environment>(env, "ort_env")?;
        *environment.level.lock().unwrap_or_else(PoisonError::into_inner) = level;
        Ok(())
    })
}

/// Makes options of global threads.
pub unsafe extern "system" fn create_threading(out: *mut *mut OrtThreadingOptions) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    guarded(|| unsafe { put_new(out, || Ok(Threading::default())) })
}

/// Sets the number of global threads of a run.
pub unsafe extern "system" fn set_global_threads(
    threading: *mut OrtThreadingOptions,
    threads: c_int,
) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    guarded(|| unsafe {
        held_mut::<Threading>(threading, "tp_options")?.threads = threads_of(threads)?;
        Ok(())
    })
}
