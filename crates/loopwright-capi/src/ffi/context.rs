//! Contexts: the threads of the CPU, and the receiver of messages.

use super::{ErrorRecord, given, guarded, protected, writable};
use loopwright_bindings::error::{ApiError, Code};
use loopwright_bindings::log::{self, Severity};
use loopwright_runtime::pool::Pool;
use std::ffi::{CString, c_char, c_void};
use std::num::NonZeroUsize;
use std::sync::Arc;

/// `lw_log_function`.
type LogFunction = unsafe extern "C" fn(severity: Severity, text: *const c_char, user: *mut c_void);

/// `lw_context_options`.
#[repr(C)]
pub struct LwContextOptions {
    threads: usize,
    log: Option<LogFunction>,
    log_user: *mut c_void,
    /// A number, since C can pass any.
    log_severity: u32,
}

/// `lw_context`.
pub struct Context {
    pub pool: Arc<Pool>,
    pub receiver: LogReceiver,
}

/// The receiver of messages.
#[derive(Clone, Copy)]
pub struct LogReceiver {
    function: Option<LogFunction>,
    user: *mut c_void,
    most: Severity,
}

// SAFETY: the header requires a function that several threads may call with `user`.
unsafe impl Send for LogReceiver {}
// SAFETY: as above.
unsafe impl Sync for LogReceiver {}

impl log::LogReceiver for LogReceiver {
    /// Without a function, the most severe messages.
    fn most(&self) -> Severity {
        self.function.map_or(Severity::Warning, |_| self.most)
    }

    fn receive(&self, severity: Severity, text: &str) {
        let Some(function) = self.function else { return };
        let text = CString::new(text.replace('\0', "")).expect("it has no NUL");
        // SAFETY: the function is one of the header's type, and the text lives during the call.
        unsafe { function(severity, text.as_ptr(), self.user) }
    }
}

/// Makes a context.
///
/// # Safety
/// As `loopwright.h` documents.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_context_create(
    options: *const LwContextOptions,
    context: *mut *mut Context,
    error: *mut ErrorRecord,
) -> Code {
    let make = || {
        writable(context, "context")?;
        // SAFETY: by contract.
        let options = unsafe { options.as_ref() };
        let threads = options.and_then(|it| NonZeroUsize::new(it.threads));
        let cores = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let pool = Pool::new(threads.unwrap_or_else(cores))
            .map_err(|error| ApiError::new(Code::Option, error.to_string()))?;
        let most = match options.map_or(0, |it| it.log_severity) {
            0 => Severity::Remark,
            number => {
                Severity::ALL.into_iter().find(|it| *it as u32 == number).ok_or_else(|| {
                    let message = format!("found log_severity {number}, expected an lw_severity");
                    ApiError::new(Code::Option, message)
                })?
            }
        };
        let receiver = LogReceiver {
            function: options.and_then(|it| it.log),
            user: options.map_or(std::ptr::null_mut(), |it| it.log_user),
            most,
        };
        let made = Box::new(Context { pool: Arc::new(pool), receiver });
        // SAFETY: it is not null.
        unsafe { context.write(Box::into_raw(made)) };
        Ok(())
    };
    // SAFETY: by contract.
    unsafe { guarded(error, make) }
}

/// Frees a context.
///
/// # Safety
/// As `loopwright.h` documents.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_context_destroy(context: *mut Context) {
    // SAFETY: by contract it is null or of `lw_context_create`.
    unsafe { destroy(context) }
}

/// Frees an object that is null, or was made by `Box::into_raw`.
///
/// # Safety
/// No other code uses the object.
pub unsafe fn destroy<T>(object: *mut T) {
    if !object.is_null() {
        // SAFETY: by contract.
        protected((), || drop(unsafe { Box::from_raw(object) }));
    }
}

/// The context of a parameter.
///
/// # Safety
/// It is null, or a context that lives during the call.
pub unsafe fn context_of<'a>(context: *const Context) -> Result<&'a Context, ApiError> {
    // SAFETY: by contract.
    unsafe { given(context, "context") }
}
