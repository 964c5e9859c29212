//! Sessions, and the names and types of their inputs and outputs.

use super::environment::Environment;
use super::memory::{cpu_memory, write_text};
use super::options::HeldOptions;
use super::type_info::TypeInfo;
use super::{Held, array, guarded, held, null_parameter, put, put_new, text};
use crate::failure::Failure;
use crate::interface::Port;
use crate::log::gathered;
use crate::options::SessionOptions;
use crate::session::Session;
use loopwright_bindings::log::GatheredLog;
use ort::sys::{
    OrtAllocator, OrtEnv, OrtMemoryInfo, OrtSession, OrtSessionOptions, OrtStatusPtr, OrtTypeInfo,
    os_char,
};
use std::ffi::{CStr, OsStr, c_char, c_int, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::LazyLock;

impl Held for Session {
    type Opaque = OrtSession;
}

/// Makes a session.
///
/// # Safety
/// See `ffi`.
unsafe fn create_by(
    env: *const OrtEnv,
    options: *const OrtSessionOptions,
    out: *mut *mut OrtSession,
    make: impl FnOnce(&SessionOptions, &GatheredLog) -> Result<Session, Failure>,
) -> Result<(), Failure> {
    // SAFETY: see `ffi`.
    unsafe {
        let environment = held::<Environment>(env, "env")?;
        let defaults = HeldOptions::default();
        let held_options = match options.is_null() {
            true => &defaults,
            false => held::<HeldOptions>(options, "options")?,
        };
        held_options.check_cancelled()?;
        let mut chosen = held_options.options.clone();
        if chosen.has_global_threads {
            chosen.threads = environment.threads;
        }
        let (logger, level) = environment.log();
        let logger = held_options.logger.or(logger);
        let log = gathered(held_options.level.unwrap_or(level));
        let made = put_new(out, || {
            let session = make(&chosen, &log)?;
            held_options.check_cancelled()?;
            Ok(session)
        });
        if let Some(logger) = logger {
            logger.forward(&log);
        }
        made
    }
}

/// Makes a session of a file.
pub unsafe extern "system" fn create(
    env: *const OrtEnv,
    path: *const os_char,
    options: *const OrtSessionOptions,
    out: *mut *mut OrtSession,
) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    guarded(|| unsafe {
        if path.is_null() {
            return Err(null_parameter("model_path"));
        }
        let path = Path::new(OsStr::from_bytes(CStr::from_ptr(path).to_bytes()));
        create_by(env, options, out, |options, log| Session::open(path, options, log))
    })
}

/// Makes a session of a model in memory.
pub unsafe extern "system" fn create_from_memory(
    env: *const OrtEnv,
    bytes: *const c_void,
    size: usize,
    options: *const OrtSessionOptions,
    out: *mut *mut OrtSession,
) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    guarded(|| unsafe {
        let bytes = array(bytes.cast::<u8>(), size, "model_data")?;
        create_by(env, options, out, |options, log| Session::decode(bytes, options, log))
    })
}

/// The number of inputs.
pub unsafe extern "system" fn input_count(
    session: *const OrtSession,
    out: *mut usize,
) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    guarded(|| unsafe { put(out, held::<Session>(session, "session")?.inputs.len()) })
}

/// The number of outputs.
pub unsafe extern "system" fn output_count(
    session: *const OrtSession,
    out: *mut usize,
) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    guarded(|| unsafe { put(out, held::<Session>(session, "session")?.outputs.len()) })
}

/// Inputs with defaults are constants of the compiled code, so none can be overridden.
pub unsafe extern "system" fn overridable_count(
    session: *const OrtSession,
    out: *mut usize,
) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    guarded(|| unsafe {
        held::<Session>(session, "session")?;
        put(out, 0)
    })
}

fn port<'p>(ports: &'p [Port], index: usize, word: &str) -> Result<&'p Port, Failure> {
    ports.get(index).ok_or_else(|| {
        let count = ports.len();
        Failure::argument(format!("found {word} {index}, expected one below {count}"))
    })
}

/// The name of an input.
pub unsafe extern "system" fn input_name(
    session: *const OrtSession,
    index: usize,
    allocator: *mut OrtAllocator,
    out: *mut *mut c_char,
) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    guarded(|| unsafe {
        let port = port(&held::<Session>(session, "session")?.inputs, index, "input")?;
        write_text(allocator, out, &port.name)
    })
}

/// The name of an output.
pub unsafe extern "system" fn output_name(
    session: *const OrtSession,
    index: usize,
    allocator: *mut OrtAllocator,
    out: *mut *mut c_char,
) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    guarded(|| unsafe {
        let port = port(&held::<Session>(session, "session")?.outputs, index, "output")?;
        write_text(allocator, out, &port.name)
    })
}

/// The type of an input.
pub unsafe extern "system" fn input_type(
    session: *const OrtSession,
    index: usize,
    out: *mut *mut OrtTypeInfo,
) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    guarded(|| unsafe {
        let port = port(&held::<Session>(session, "session")?.inputs, index, "input")?;
        put_new(out, || Ok(TypeInfo::of_port(port)))
    })
}

/// The type of an output.
pub unsafe extern "system" fn output_type(
    session: *const OrtSession,
    index: usize,
    out: *mut *mut OrtTypeInfo,
) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    guarded(|| unsafe {
        let port = port(&held::<Session>(session, "session")?.outputs, index, "output")?;
        put_new(out, || Ok(TypeInfo::of_port(port)))
    })
}

/// The memory of each input or output.
pub unsafe extern "system" fn memory_of_ports(
    session: *const OrtSession,
    out: *mut *const OrtMemoryInfo,
    count: usize,
) -> OrtStatusPtr {
    // SAFETY: see `ffi`; the array has `count` places.
    guarded(|| unsafe {
        held::<Session>(session, "session")?;
        (0..count).try_for_each(|i| put(out.wrapping_add(i), cpu_memory()))
    })
}

/// The name and version of this package.
pub unsafe extern "system" fn build_info() -> *const c_char {
    concat!("loopwright ", env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// The names of providers: only that of the CPU.
pub unsafe extern "system" fn providers(
    out: *mut *mut *mut c_char,
    count: *mut c_int,
) -> OrtStatusPtr {
    /// An array that is never written.
    struct Names([*const c_char; 1]);
    // SAFETY: the text is a constant.
    unsafe impl Send for Names {}
    // SAFETY: as above.
    unsafe impl Sync for Names {}
    static NAMES: LazyLock<Names> = LazyLock::new(|| Names([c"CPUExecutionProvider".as_ptr()]));
    // SAFETY: see `ffi`.
    guarded(|| unsafe {
        put(out, NAMES.0.as_ptr().cast_mut().cast())?;
        put(count, 1)
    })
}

/// Keeps the names of providers, which are constants.
pub unsafe extern "system" fn release_providers(_: *mut *mut c_char, _: c_int) -> OrtStatusPtr {
    OrtStatusPtr::default()
}

/// Accepts the provider of the CPU, and refuses all others.
pub unsafe extern "system" fn append_provider(
    _: *mut OrtSessionOptions,
    name: *const c_char,
    _: *const *const c_char,
    _: *const *const c_char,
    _: usize,
) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    guarded(|| unsafe {
        match text(name, "provider_name")? {
            "CPU" | "CPUExecutionProvider" => Ok(()),
            name => {
                let message = format!("found the execution provider '{name}', expected CPU");
                Err(Failure::unsupported(message))
            }
        }
    })
}
