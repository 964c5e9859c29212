//! The request for tile registers (AMX).

use std::io;

/// Asks the kernel for tile registers, for all threads of this process.
///
/// # Errors
/// If the processor has none, or the kernel does not grant them: it is older than Linux 5.16, a sandbox forbids the system
/// call, or the stack for signals of a thread is too small.
pub fn request_tiles() -> io::Result<()> {
    const ARCH_REQ_XCOMP_PERM: libc::c_ulong = 0x1023;
    const XFEATURE_XTILEDATA: libc::c_ulong = 18;
    // SAFETY: the call has two numbers as arguments, and accesses no memory of this process.
    let outcome =
        unsafe { libc::syscall(libc::SYS_arch_prctl, ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA) };
    if outcome == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}
