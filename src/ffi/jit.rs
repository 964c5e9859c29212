//! Object code that is linked into this process, by LLVM's ORC.

use super::llvm::{TargetMachine, c_string, host_triple, to_result};
use super::zeroed::ZeroedVariables;
use loopwright_runtime::profile;
use std::ffi::{c_char, c_void};
use std::ptr::null_mut;
use std::sync::Mutex;

/// Object code that is linked into this process until it is dropped.
pub struct LinkedObject {
    session: *mut c_void,
    /// Errors that ORC reported during other calls, such as missing symbols. ORC holds the pointer too.
    reported: *mut Mutex<Vec<String>>,
    /// What the code refers to, and is freed after it.
    _variables: Option<ZeroedVariables>,
}

// SAFETY: ORC locks its session, so it may be used and dropped on any thread.
unsafe impl Send for LinkedObject {}
// SAFETY: as above.
unsafe impl Sync for LinkedObject {}

impl LinkedObject {
    /// Links an object. Undefined symbols are those of `data`, [`profile::MARK`], or are looked up in the process, which has
    /// libm and libgcc.
    pub fn load<'d>(
        object: &[u8],
        data: impl IntoIterator<Item = (&'d str, &'d [u8])>,
    ) -> Result<Self, String> {
        let mut object = object.to_vec();
        let variables = ZeroedVariables::take(&mut object)?;
        let mut raw = null_mut();
        let machine = TargetMachine::unnamed(&host_triple())?;
        // SAFETY: the builders take ownership of what they are given. The buffer is copied from bytes that
        // outlive the call, and the session takes ownership of it, also on failure.
        unsafe {
            // Otherwise the session would detect this processor, to compile IR for it. It compiles none.
            let machine = LLVMOrcJITTargetMachineBuilderCreateFromTargetMachine(machine.into_raw());
            let builder = LLVMOrcCreateLLJITBuilder();
            LLVMOrcLLJITBuilderSetJITTargetMachineBuilder(builder, machine);
            to_result(LLVMOrcCreateLLJIT(&mut raw, builder))?;
            let reported = Box::into_raw(Box::default());
            let jit = Self { session: raw, reported, _variables: variables };
            LLVMOrcExecutionSessionSetErrorReporter(
                LLVMOrcLLJITGetExecutionSession(raw),
                report,
                jit.reported.cast(),
            );
            let buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(
                object.as_ptr().cast(),
                object.len(),
                c"object".as_ptr(),
            );
            let library = LLVMOrcLLJITGetMainJITDylib(jit.session);
            let mut symbols = vec![];
            let data = data.into_iter().map(|(name, bytes)| (name, bytes.as_ptr().addr() as u64));
            let variables = jit._variables.iter().flat_map(ZeroedVariables::addresses);
            for (name, address) in data.chain(variables) {
                let name = LLVMOrcLLJITMangleAndIntern(raw, c_string(name)?.as_ptr());
                symbols.push(Symbol { name, address, flags: [EXPORTED, 0] });
            }
            symbols.push(Symbol {
                name: LLVMOrcLLJITMangleAndIntern(raw, c_string(profile::MARK)?.as_ptr()),
                address: profile::mark_address() as u64,
                flags: [EXPORTED | CALLABLE, 0],
            });
            let symbols = LLVMOrcAbsoluteSymbols(symbols.as_mut_ptr(), symbols.len());
            to_result(LLVMOrcJITDylibDefine(library, symbols))?;
            to_result(LLVMOrcLLJITAddObjectFile(jit.session, library, buffer))?;
            Ok(jit)
        }
    }

    /// The address of a symbol, valid until this object is dropped. Links the object on first use.
    pub fn address(&self, symbol: &str) -> Result<u64, String> {
        let symbol = c_string(symbol)?;
        let mut address = 0;
        // SAFETY: the session is live, and the string outlives the call.
        let outcome =
            unsafe { to_result(LLVMOrcLLJITLookup(self.session, &mut address, symbol.as_ptr())) };
        // SAFETY: the list is ours, and a lock guards it.
        let mut reported = unsafe { (*self.reported).lock() }.unwrap_or_else(|e| e.into_inner());
        let reported = std::mem::take(&mut *reported);
        match outcome {
            Ok(()) => Ok(address),
            Err(error) if reported.is_empty() => Err(error),
            Err(error) => Err(format!("{}; {error}", reported.join("; "))),
        }
    }
}

impl Drop for LinkedObject {
    fn drop(&mut self) {
        // SAFETY: both are ours and not used afterwards. The session is freed before the list that it
        // points to. An error cannot be reported here; memory that could not be freed is held until the
        // process ends.
        unsafe {
            drop(to_result(LLVMOrcDisposeLLJIT(self.session)));
            drop(Box::from_raw(self.reported));
        }
    }
}

/// `LLVMOrcCSymbolMapPair`: a name and where it is.
#[repr(C)]
struct Symbol {
    name: *mut c_void,
    address: u64,
    /// Of LLVM, and of the target.
    flags: [u8; 2],
}

/// `LLVMJITSymbolGenericFlagsExported`.
const EXPORTED: u8 = 1;
/// `LLVMJITSymbolGenericFlagsCallable`.
const CALLABLE: u8 = 4;

/// Collects errors. Without it, ORC prints them.
unsafe extern "C" fn report(reported: *mut c_void, error: *mut c_void) {
    // SAFETY: `reported` is the list of `load`, and ownership of the error is transferred.
    unsafe {
        if let Err(message) = to_result(error) {
            let list = &*reported.cast::<Mutex<Vec<String>>>();
            list.lock().unwrap_or_else(|e| e.into_inner()).push(message);
        }
    }
}

unsafe extern "C" {
    fn LLVMOrcLLJITGetExecutionSession(jit: *mut c_void) -> *mut c_void;
    fn LLVMOrcExecutionSessionSetErrorReporter(
        session: *mut c_void,
        report: unsafe extern "C" fn(*mut c_void, *mut c_void),
        user: *mut c_void,
    );
    fn LLVMOrcJITTargetMachineBuilderCreateFromTargetMachine(machine: *mut c_void) -> *mut c_void;
    fn LLVMOrcCreateLLJITBuilder() -> *mut c_void;
    fn LLVMOrcLLJITBuilderSetJITTargetMachineBuilder(builder: *mut c_void, machine: *mut c_void);
    fn LLVMOrcCreateLLJIT(result: *mut *mut c_void, builder: *mut c_void) -> *mut c_void;
    fn LLVMOrcDisposeLLJIT(jit: *mut c_void) -> *mut c_void;
    fn LLVMOrcLLJITGetMainJITDylib(jit: *mut c_void) -> *mut c_void;
    fn LLVMOrcLLJITAddObjectFile(
        jit: *mut c_void,
        library: *mut c_void,
        object: *mut c_void,
    ) -> *mut c_void;
    fn LLVMOrcLLJITMangleAndIntern(jit: *mut c_void, name: *const c_char) -> *mut c_void;
    fn LLVMOrcAbsoluteSymbols(symbols: *mut Symbol, count: usize) -> *mut c_void;
    fn LLVMOrcJITDylibDefine(library: *mut c_void, symbols: *mut c_void) -> *mut c_void;
    fn LLVMOrcLLJITLookup(
        jit: *mut c_void,
        address: *mut u64,
        symbol: *const c_char,
    ) -> *mut c_void;
    fn LLVMCreateMemoryBufferWithMemoryRangeCopy(
        start: *const c_char,
        length: usize,
        name: *const c_char,
    ) -> *mut c_void;
}
