//! The main function of an opt tool, and what it does when MLIR crashes or the output is closed.

use super::instrument::Manager;
use melior::dialect::DialectRegistry;
use mlir_sys::{MlirDialectRegistry, MlirPassManager};
use std::ffi::{CString, OsString, c_char, c_int, c_void};
use std::os::unix::ffi::OsStringExt;

/// Installs crash handlers: a crash inside MLIR ends the process with one line and exit code 1 instead of a
/// stack dump, and so does an integer division without a result in compiled code. With the environment
/// variable LOOPWRIGHT_BACKTRACE, the stack is printed instead.
pub fn catch_crashes(tool: &str) {
    let crash = format!(
        "{tool}: error: internal error: crashed, most likely in MLIR (LOOPWRIGHT_BACKTRACE=1 shows \
         where)\n"
    );
    let division = format!(
        "{tool}: error: the compiled code divides an integer by 0, or the least integer by -1 (the \
         interpreter, which is lw-run without --target, says where)\n"
    );
    if let (Ok(crash), Ok(division)) = (CString::new(crash), CString::new(division)) {
        // SAFETY: the messages are never freed.
        unsafe { lwCatchCrashes(crash.into_raw(), division.into_raw()) }
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
    fn lwCatchCrashes(crash: *const c_char, division: *const c_char);
    fn lwOptMain(
        argc: c_int,
        argv: *mut *mut c_char,
        registry: MlirDialectRegistry,
        setup: Option<SetUp>,
        rust: *mut c_void,
    ) -> c_int;
}
