//! Registration of the dialects, and the main function of an opt tool.

use super::instrument::Manager;
use super::text::borrow;
use melior::dialect::DialectRegistry;
use mlir_sys::{MlirDialectRegistry, MlirPassManager, MlirStringRef};
use std::ffi::{CString, OsString, c_char, c_int, c_void};
use std::os::unix::ffi::OsStringExt;

/// Registers the C++ classes of the Loopwright dialects.
pub fn register_dialects_in(registry: MlirDialectRegistry) {
    // SAFETY: a live registry.
    unsafe { lwRegisterDialects(registry) }
}

/// True if a registry has a dialect with this name, whichever library has registered it.
pub fn has_dialect(registry: MlirDialectRegistry, name: &str) -> bool {
    // SAFETY: a live registry; the text is read during the call.
    unsafe { lwHasDialect(registry, borrow(name)) }
}

/// Adds the dialects of this package, and its transform ops, to a registry of MLIR's C API, as the plugin does. Unlike
/// [`register_dialects`](crate::register_dialects), adds no `tm_tensor`: the program may have its own. Does nothing
/// if the registry has the dialects of this package from another library: it must not have both.
///
/// # Safety
/// The registry must be live.
pub unsafe fn register_dialects_of_plugin(registry: MlirDialectRegistry) {
    if !has_dialect(registry, "loop") {
        crate::register_dialects_in(registry);
    }
}

/// Registers the C++ classes of the dialects of other projects that the tools read.
pub fn register_foreign_dialects_in(registry: MlirDialectRegistry) {
    // SAFETY: a live registry.
    unsafe { lwRegisterForeignDialects(registry) }
}

/// Installs a crash handler: a crash inside MLIR ends the process with one line and exit code 1 instead of
/// a stack dump. The environment variable LOOPWRIGHT_BACKTRACE keeps the dump.
pub fn catch_crashes(tool: &str) {
    let message = format!(
        "{tool}: error: internal error: crashed, most likely in MLIR (LOOPWRIGHT_BACKTRACE=1 shows \
         where)\n"
    );
    if let Ok(message) = CString::new(message) {
        // SAFETY: the message is never freed.
        unsafe { lwCatchCrashes(message.into_raw()) }
    }
}

/// Ends this process quietly, with exit code 0, when it writes to a pipe whose reader has ended, such as `head`: the
/// reader has what it wants.
pub fn end_at_closed_pipe() {
    extern "C" fn end(_: c_int) {
        // SAFETY: `_exit` may be called in a signal handler.
        unsafe { libc::_exit(0) }
    }
    let handler: extern "C" fn(c_int) = end;
    // SAFETY: the handler calls only `_exit`.
    unsafe { libc::signal(libc::SIGPIPE, handler as libc::sighandler_t) };
}

/// Called with each pass manager of the driver before it runs.
type Setup<'s> = dyn Fn(Manager<'_>) + 's;

extern "C" fn set_up(setup: *mut c_void, manager: MlirPassManager) {
    // SAFETY: `setup` is the reference below, and the driver's manager lives during the call.
    unsafe { (*setup.cast::<&Setup>())(Manager::from_raw(manager)) }
}

/// Runs MLIR's opt driver with command-line arguments, the program name first; returns its exit code.
/// `setup` is called with each pass manager after its passes were added.
pub fn opt_main(
    registry: &DialectRegistry,
    arguments: impl Iterator<Item = OsString>,
    setup: Option<&Setup>,
) -> i32 {
    let arguments: Vec<CString> = arguments
        .map(|a| CString::new(a.into_vec()).expect("arguments of a process hold no NUL"))
        .collect();
    let mut argv: Vec<*mut c_char> = arguments.iter().map(|a| a.as_ptr().cast_mut()).collect();
    argv.push(std::ptr::null_mut());
    let call = setup.is_some().then_some(set_up as SetUp);
    let mut setup: &Setup = setup.unwrap_or(&|_| {});
    // SAFETY: argv has argc strings and a null, all of which outlive the call, as does the closure; the driver does
    // not write to the strings.
    unsafe {
        let rust = (&raw mut setup).cast();
        lwOptMain(arguments.len() as c_int, argv.as_mut_ptr(), registry.to_raw(), call, rust)
    }
}

type SetUp = extern "C" fn(*mut c_void, MlirPassManager);

unsafe extern "C" {
    fn lwHasDialect(registry: MlirDialectRegistry, name: MlirStringRef) -> bool;
    fn lwRegisterDialects(registry: MlirDialectRegistry);
    fn lwRegisterForeignDialects(registry: MlirDialectRegistry);
    fn lwCatchCrashes(message: *const c_char);
    fn lwOptMain(
        argc: c_int,
        argv: *mut *mut c_char,
        registry: MlirDialectRegistry,
        setup: Option<SetUp>,
        rust: *mut c_void,
    ) -> c_int;
}
