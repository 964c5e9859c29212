//! LLVM by its C API: target machines, modules, passes, object code.
//!
//! The functions are declared by hand: they are few, and are in libLLVM, on which libMLIR depends.

use super::Op;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr::null_mut;
use std::sync::Once;

/// A code generator for a processor.
pub struct TargetMachine(*mut c_void);

/// A module of LLVM IR, with the context that owns it.
pub struct LlvmModule {
    context: *mut c_void,
    module: *mut c_void,
    /// Errors that LLVM reported to the context. LLVM holds the pointer too.
    errors: *mut Vec<String>,
}

/// The form in which code is emitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum EmitKind {
    Assembly = 0,
    Object = 1,
}

/// The version of LLVM that this process runs: major, minor, patch.
pub fn version() -> (u32, u32, u32) {
    let (mut major, mut minor, mut patch) = (0, 0, 0);
    // SAFETY: LLVM writes the three numbers.
    unsafe { LLVMGetVersion(&raw mut major, &raw mut minor, &raw mut patch) };
    (major, minor, patch)
}

/// The triple of this machine.
pub fn host_triple() -> String {
    // SAFETY: the message is owned by the caller.
    unsafe { take_message(LLVMGetDefaultTargetTriple()) }
}

/// The name of this machine's processor, and its features as `+avx2,-sse4a,...`.
pub fn host_processor() -> (String, String) {
    // SAFETY: the messages are owned by the caller.
    unsafe { (take_message(LLVMGetHostCPUName()), take_message(LLVMGetHostCPUFeatures())) }
}

impl TargetMachine {
    /// A target machine for position independent code at the highest optimization level. The error states
    /// which name LLVM does not know.
    pub fn new(triple: &str, cpu: &str, features: &str) -> Result<Self, String> {
        // LLVM prints a warning about unknown names and ignores them. The check uses a machine without a
        // processor name.
        let base = Self::unnamed(triple)?;
        let c_cpu = c_string(cpu)?;
        // SAFETY: the machine is live; the strings end with NUL and outlive the calls.
        unsafe {
            if !lwKnowsProcessor(base.0, c_cpu.as_ptr()) {
                return Err(format!("'{cpu}' is not a processor of {triple}"));
            }
            for feature in features.split(',').filter(|feature| !feature.is_empty()) {
                let name = feature.strip_prefix(['+', '-']).unwrap_or("");
                if !lwKnowsFeature(base.0, c_string(name)?.as_ptr()) {
                    return Err(format!("'{feature}' is not a feature of {triple}"));
                }
            }
        }
        let machine = Self::unchecked(triple, cpu, features)?;
        // LLVM would abort the process.
        match triple.starts_with("x86_64") && !machine.has("64bit") {
            true => Err(format!("'{cpu}' has no 64-bit mode, which {triple} needs")),
            false => Ok(machine),
        }
    }

    /// The baseline processor of a triple.
    pub(super) fn unnamed(triple: &str) -> Result<Self, String> {
        Self::unchecked(triple, "", "")
    }

    /// A target machine for a processor and features that LLVM knows.
    fn unchecked(triple: &str, cpu: &str, features: &str) -> Result<Self, String> {
        initialize_host();
        const AGGRESSIVE: c_int = 3;
        const PIC: c_int = 2;
        const DEFAULT_CODE_MODEL: c_int = 0;
        let [c_triple, c_cpu, c_features] =
            [c_string(triple)?, c_string(cpu)?, c_string(features)?];
        let (mut target, mut message) = (null_mut(), null_mut());
        // SAFETY: the strings end with NUL and outlive the calls; the message is ours.
        let machine = unsafe {
            if LLVMGetTargetFromTriple(c_triple.as_ptr(), &mut target, &mut message) != 0 {
                return Err(take_message(message));
            }
            LLVMCreateTargetMachine(
                target,
                c_triple.as_ptr(),
                c_cpu.as_ptr(),
                c_features.as_ptr(),
                AGGRESSIVE,
                PIC,
                DEFAULT_CODE_MODEL,
            )
        };
        match machine.is_null() {
            true => Err(format!("no code can be generated for {triple} {cpu} {features}")),
            false => Ok(Self(machine)),
        }
    }

    /// Transfers ownership of the machine.
    pub(super) fn into_raw(self) -> *mut c_void {
        std::mem::ManuallyDrop::new(self).0
    }

    /// True if the processor has a feature, such as `avx2`. False for a feature that LLVM does not know.
    pub fn has(&self, feature: &str) -> bool {
        let (Ok(name), Ok(wanted)) = (c_string(feature), c_string(&format!("+{feature}"))) else {
            return false;
        };
        // SAFETY: the machine is live; the strings end with NUL and outlive the calls.
        unsafe { lwKnowsFeature(self.0, name.as_ptr()) && lwHasFeature(self.0, wanted.as_ptr()) }
    }

    /// The data layout, as LLVM's text.
    pub fn data_layout(&self) -> String {
        // SAFETY: the machine is live; the layout is disposed of, and the message is ours.
        unsafe {
            let layout = LLVMCreateTargetDataLayout(self.0);
            let text = take_message(LLVMCopyStringRepOfTargetData(layout));
            LLVMDisposeTargetData(layout);
            text
        }
    }
}

impl Drop for TargetMachine {
    fn drop(&mut self) {
        // SAFETY: the machine is ours and not used afterwards.
        unsafe { LLVMDisposeTargetMachine(self.0) }
    }
}

// SAFETY of this block: context and module are live until the drop; ownership of each message that LLVM
// returns is taken; strings that are passed end with NUL and outlive the call.
impl LlvmModule {
    /// Translates a module of the LLVM dialect. `None` on failure; diagnostics of its MLIR context give the
    /// reason.
    pub fn translate(module: Op) -> Option<Self> {
        // SAFETY: see above; `errors` is freed by the drop, after the context that points to it.
        unsafe {
            let context = LLVMContextCreate();
            let errors: *mut Vec<String> = Box::into_raw(Box::default());
            LLVMContextSetDiagnosticHandler(context, receive, errors.cast());
            let raw = mlir_sys::mlirTranslateModuleToLLVMIR(module.to_raw(), context.cast());
            let translated = Self { context, module: raw.cast(), errors };
            (!raw.is_null()).then_some(translated)
        }
    }

    /// Makes the processor the target of all functions.
    pub fn set_target(
        &mut self,
        triple: &str,
        cpu: &str,
        features: &str,
        machine: &TargetMachine,
    ) -> Result<(), String> {
        let [triple, cpu, features] = [c_string(triple)?, c_string(cpu)?, c_string(features)?];
        // SAFETY: see above.
        unsafe {
            let layout = LLVMCreateTargetDataLayout(machine.0);
            LLVMSetModuleDataLayout(self.module, layout);
            LLVMDisposeTargetData(layout);
            LLVMSetTarget(self.module, triple.as_ptr());
            let mut function = LLVMGetFirstFunction(self.module);
            while !function.is_null() {
                if LLVMIsDeclaration(function) == 0 {
                    let add = LLVMAddTargetDependentFunctionAttr;
                    add(function, c"target-cpu".as_ptr(), cpu.as_ptr());
                    add(function, c"target-features".as_ptr(), features.as_ptr());
                    // Keep the vector width of the program, also where LLVM would split vectors.
                    add(function, c"prefer-vector-width".as_ptr(), c"512".as_ptr());
                }
                function = LLVMGetNextFunction(function);
            }
        }
        Ok(())
    }

    pub fn verify(&self) -> Result<(), String> {
        const RETURN_STATUS: c_int = 2;
        let mut message = null_mut();
        // SAFETY: see above.
        unsafe {
            let broken = LLVMVerifyModule(self.module, RETURN_STATUS, &mut message) != 0;
            let message = take_message(message);
            if broken { Err(message) } else { Ok(()) }
        }
    }

    /// Runs passes, in the text form of LLVM's `opt -passes=`.
    pub fn run_passes(&mut self, passes: &str, machine: &TargetMachine) -> Result<(), String> {
        let passes = c_string(passes)?;
        // SAFETY: see above; the options are disposed of after their use.
        unsafe {
            let options = LLVMCreatePassBuilderOptions();
            let error = LLVMRunPasses(self.module, passes.as_ptr(), machine.0, options);
            LLVMDisposePassBuilderOptions(options);
            to_result(error)?;
        }
        self.reported()
    }

    /// Generates code. The module does not change, because the code is generated from a copy.
    pub fn emit(&self, machine: &TargetMachine, what: EmitKind) -> Result<Vec<u8>, String> {
        let (mut message, mut buffer) = (null_mut(), null_mut());
        // SAFETY: see above; the copy and the buffer are disposed of after their use.
        unsafe {
            let copy = LLVMCloneModule(self.module);
            let failed = LLVMTargetMachineEmitToMemoryBuffer(
                machine.0,
                copy,
                what as c_int,
                &mut message,
                &mut buffer,
            ) != 0;
            LLVMDisposeModule(copy);
            if failed {
                return Err(take_message(message));
            }
            let (start, length) = (LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer));
            let bytes = std::slice::from_raw_parts(start.cast::<u8>(), length).to_vec();
            LLVMDisposeMemoryBuffer(buffer);
            self.reported().map(|()| bytes)
        }
    }

    pub(super) fn raw(&self) -> *mut c_void {
        self.module
    }

    pub(super) fn raw_context(&self) -> *mut c_void {
        self.context
    }

    /// The module as LLVM assembly language.
    pub fn text(&self) -> String {
        // SAFETY: see above.
        unsafe { take_message(LLVMPrintModuleToString(self.module)) }
    }

    /// The errors that LLVM reported during other calls.
    fn reported(&self) -> Result<(), String> {
        // SAFETY: the list is ours, and LLVM adds to it only while it runs.
        let errors = unsafe { std::mem::take(&mut *self.errors) };
        if errors.is_empty() { Ok(()) } else { Err(errors.join("; ")) }
    }
}

// SAFETY: a module has a context of its own, and nothing else refers to the context or to the list of errors. So the thread that
// owns the module may use all of them.
unsafe impl Send for LlvmModule {}

impl Drop for LlvmModule {
    fn drop(&mut self) {
        // SAFETY: all are ours and not used afterwards; the context is freed before the list that it points
        // to.
        unsafe {
            if !self.module.is_null() {
                LLVMDisposeModule(self.module);
            }
            LLVMContextDispose(self.context);
            drop(Box::from_raw(self.errors));
        }
    }
}

/// Initializes LLVM's x86 target, once per process.
pub(super) fn initialize_host() {
    static ONCE: Once = Once::new();
    // SAFETY: initialization has no preconditions, and `Once` prevents a second run.
    ONCE.call_once(|| unsafe {
        LLVMInitializeX86TargetInfo();
        LLVMInitializeX86Target();
        LLVMInitializeX86TargetMC();
        LLVMInitializeX86AsmPrinter();
        LLVMInitializeX86AsmParser();
    });
}

/// Collects errors. Without a handler, LLVM prints them and exits.
unsafe extern "C" fn receive(diagnostic: *mut c_void, errors: *mut c_void) {
    const ERROR: c_int = 0;
    // SAFETY: the diagnostic is live during the call, and `errors` is the list of `translate`.
    unsafe {
        if LLVMGetDiagInfoSeverity(diagnostic) == ERROR {
            let message = take_message(LLVMGetDiagInfoDescription(diagnostic));
            (*errors.cast::<Vec<String>>()).push(message);
        }
    }
}

/// A NUL-terminated string for LLVM.
pub(super) fn c_string(text: &str) -> Result<CString, String> {
    CString::new(text).map_err(|_| format!("'{}' has a NUL in it", text.escape_debug()))
}

/// The text of an `LLVMErrorRef`, whose ownership it takes; null means success.
///
/// # Safety
/// `error` must be null or an error whose ownership was not taken yet.
pub(super) unsafe fn to_result(error: *mut c_void) -> Result<(), String> {
    if error.is_null() {
        return Ok(());
    }
    // SAFETY: not null, and ours by the contract; the text is copied before it is disposed of.
    unsafe {
        let raw = LLVMGetErrorMessage(error);
        let text = CStr::from_ptr(raw).to_string_lossy().into_owned();
        LLVMDisposeErrorMessage(raw);
        Err(text)
    }
}

/// Copies and frees a message; null gives an empty string.
///
/// # Safety
/// `message` must be null or a message whose ownership LLVM has transferred.
unsafe fn take_message(message: *mut c_char) -> String {
    if message.is_null() {
        return String::new();
    }
    // SAFETY: not null, and ours by the contract.
    unsafe {
        let text = CStr::from_ptr(message).to_string_lossy().into_owned();
        LLVMDisposeMessage(message);
        text
    }
}

unsafe extern "C" {
    fn lwKnowsProcessor(machine: *mut c_void, cpu: *const c_char) -> bool;
    fn lwKnowsFeature(machine: *mut c_void, feature: *const c_char) -> bool;
    fn lwHasFeature(machine: *mut c_void, feature: *const c_char) -> bool;

    fn LLVMGetVersion(major: *mut u32, minor: *mut u32, patch: *mut u32);
    fn LLVMInitializeX86TargetInfo();
    fn LLVMInitializeX86Target();
    fn LLVMInitializeX86TargetMC();
    fn LLVMInitializeX86AsmPrinter();
    fn LLVMInitializeX86AsmParser();
    fn LLVMGetDefaultTargetTriple() -> *mut c_char;
    fn LLVMGetHostCPUName() -> *mut c_char;
    fn LLVMGetHostCPUFeatures() -> *mut c_char;
    fn LLVMGetTargetFromTriple(
        triple: *const c_char,
        target: *mut *mut c_void,
        message: *mut *mut c_char,
    ) -> c_int;
    fn LLVMCreateTargetMachine(
        target: *mut c_void,
        triple: *const c_char,
        cpu: *const c_char,
        features: *const c_char,
        level: c_int,
        relocation: c_int,
        code_model: c_int,
    ) -> *mut c_void;
    fn LLVMDisposeTargetMachine(machine: *mut c_void);
    fn LLVMCreateTargetDataLayout(machine: *mut c_void) -> *mut c_void;
    fn LLVMCopyStringRepOfTargetData(layout: *mut c_void) -> *mut c_char;
    fn LLVMDisposeTargetData(layout: *mut c_void);

    fn LLVMContextCreate() -> *mut c_void;
    fn LLVMContextDispose(context: *mut c_void);
    fn LLVMContextSetDiagnosticHandler(
        context: *mut c_void,
        handler: unsafe extern "C" fn(*mut c_void, *mut c_void),
        user: *mut c_void,
    );
    fn LLVMGetDiagInfoSeverity(diagnostic: *mut c_void) -> c_int;
    fn LLVMGetDiagInfoDescription(diagnostic: *mut c_void) -> *mut c_char;
    fn LLVMCloneModule(module: *mut c_void) -> *mut c_void;
    fn LLVMDisposeModule(module: *mut c_void);
    fn LLVMSetModuleDataLayout(module: *mut c_void, layout: *mut c_void);
    fn LLVMSetTarget(module: *mut c_void, triple: *const c_char);
    fn LLVMGetFirstFunction(module: *mut c_void) -> *mut c_void;
    fn LLVMGetNextFunction(function: *mut c_void) -> *mut c_void;
    fn LLVMIsDeclaration(function: *mut c_void) -> c_int;
    fn LLVMAddTargetDependentFunctionAttr(
        function: *mut c_void,
        name: *const c_char,
        value: *const c_char,
    );
    fn LLVMVerifyModule(module: *mut c_void, action: c_int, message: *mut *mut c_char) -> c_int;
    fn LLVMPrintModuleToString(module: *mut c_void) -> *mut c_char;

    fn LLVMCreatePassBuilderOptions() -> *mut c_void;
    fn LLVMDisposePassBuilderOptions(options: *mut c_void);
    fn LLVMRunPasses(
        module: *mut c_void,
        passes: *const c_char,
        machine: *mut c_void,
        options: *mut c_void,
    ) -> *mut c_void;
    fn LLVMTargetMachineEmitToMemoryBuffer(
        machine: *mut c_void,
        module: *mut c_void,
        kind: c_int,
        message: *mut *mut c_char,
        buffer: *mut *mut c_void,
    ) -> c_int;

    fn LLVMGetBufferStart(buffer: *mut c_void) -> *const c_char;
    fn LLVMGetBufferSize(buffer: *mut c_void) -> usize;
    fn LLVMDisposeMemoryBuffer(buffer: *mut c_void);
    fn LLVMDisposeMessage(message: *mut c_char);
    fn LLVMGetErrorMessage(error: *mut c_void) -> *mut c_char;
    fn LLVMDisposeErrorMessage(message: *mut c_char);
}
