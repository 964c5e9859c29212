//! Rewrite of masked stores of one known lane to scalar stores of that lane.
//!
//! ```text
//! masked.store(<16 x i16> %v, ptr %p, <true, false, ..>)  ->  store i16 (extractelement %v, 0), ptr %p
//! ```
//! If `%v` is the result of a truncation, LLVM 22's x86 code generator miscompiles such a store: it stores
//! the value before the truncation, four bytes instead of two,
//! <https://github.com/llvm/llvm-project/issues/179489>.

use super::llvm::LlvmModule;
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};

impl LlvmModule {
    /// See the head of the file. Must be called after the LLVM passes, which make masks constant.
    pub fn store_single_lanes(&mut self) {
        // SAFETY: the module is live; values belong to its functions, and a store is erased after the walk
        // has advanced past it.
        unsafe {
            let mut function = LLVMGetFirstFunction(self.raw());
            while !function.is_null() {
                let mut block = LLVMGetFirstBasicBlock(function);
                while !block.is_null() {
                    let mut op = LLVMGetFirstInstruction(block);
                    while !op.is_null() {
                        let next = LLVMGetNextInstruction(op);
                        if let Some(lane) = single_lane(op) {
                            replace(self, op, lane);
                        }
                        op = next;
                    }
                    block = LLVMGetNextBasicBlock(block);
                }
                function = LLVMGetNextFunction(function);
            }
        }
    }
}

/// The operand indices of a masked store.
const VALUE: c_uint = 0;
const POINTER: c_uint = 1;
const MASK: c_uint = 2;

/// The lane that a masked store writes, if it is exactly one, known lane.
///
/// # Safety
/// `op` must be a live instruction.
unsafe fn single_lane(op: *mut c_void) -> Option<u64> {
    // SAFETY: by the contract; an intrinsic has the operands of its declaration.
    unsafe {
        if LLVMIsACallInst(op).is_null() {
            return None;
        }
        let callee = LLVMGetCalledValue(op);
        let mut length = 0;
        let name = LLVMGetValueName2(callee, &mut length);
        let name = std::slice::from_raw_parts(name.cast::<u8>(), length);
        if !name.starts_with(b"llvm.masked.store.v") {
            return None;
        }
        let mask = LLVMGetOperand(op, MASK);
        if LLVMIsConstant(mask) == 0 {
            return None;
        }
        let mut single = None;
        for lane in 0..LLVMGetVectorSize(LLVMTypeOf(mask)) {
            let element = LLVMGetAggregateElement(mask, lane);
            if element.is_null() || LLVMIsAConstantInt(element).is_null() {
                return None;
            }
            let is_on = LLVMConstIntGetZExtValue(element) != 0;
            match (is_on, single) {
                (true, Some(_)) => return None,
                (true, None) => single = Some(u64::from(lane)),
                (false, _) => {}
            }
        }
        single
    }
}

/// Replaces a masked store by the store of one lane.
///
/// # Safety
/// `store` must be a live masked store of `module`; it is erased.
unsafe fn replace(module: &LlvmModule, store: *mut c_void, lane: u64) {
    // SAFETY: by the contract; the builder is disposed of after its use.
    unsafe {
        let builder = LLVMCreateBuilderInContext(module.raw_context());
        LLVMPositionBuilderBefore(builder, store);
        let (value, pointer) = (LLVMGetOperand(store, VALUE), LLVMGetOperand(store, POINTER));
        let number = LLVMConstInt(LLVMInt64TypeInContext(module.raw_context()), lane, 0);
        let element = LLVMBuildExtractElement(builder, value, number, EMPTY.as_ptr());
        let ty = LLVMTypeOf(element);
        let mut numbers = [number];
        let place = LLVMBuildGEP2(builder, ty, pointer, numbers.as_mut_ptr(), 1, EMPTY.as_ptr());
        // A vector is aligned to at least one element. These are the elements of memrefs.
        LLVMBuildStore(builder, element, place);
        LLVMDisposeBuilder(builder);
        LLVMInstructionEraseFromParent(store);
    }
}

const EMPTY: &CStr = c"";

unsafe extern "C" {
    fn LLVMGetFirstFunction(module: *mut c_void) -> *mut c_void;
    fn LLVMGetNextFunction(function: *mut c_void) -> *mut c_void;
    fn LLVMGetFirstBasicBlock(function: *mut c_void) -> *mut c_void;
    fn LLVMGetNextBasicBlock(block: *mut c_void) -> *mut c_void;
    fn LLVMGetFirstInstruction(block: *mut c_void) -> *mut c_void;
    fn LLVMGetNextInstruction(op: *mut c_void) -> *mut c_void;
    fn LLVMIsACallInst(value: *mut c_void) -> *mut c_void;
    fn LLVMGetCalledValue(call: *mut c_void) -> *mut c_void;
    fn LLVMGetValueName2(value: *mut c_void, length: *mut usize) -> *const c_char;
    fn LLVMGetOperand(value: *mut c_void, place: c_uint) -> *mut c_void;
    fn LLVMIsConstant(value: *mut c_void) -> c_int;
    fn LLVMIsAConstantInt(value: *mut c_void) -> *mut c_void;
    fn LLVMGetAggregateElement(value: *mut c_void, place: c_uint) -> *mut c_void;
    fn LLVMConstIntGetZExtValue(value: *mut c_void) -> u64;
    fn LLVMConstInt(ty: *mut c_void, value: u64, sign_extend: c_int) -> *mut c_void;
    fn LLVMInt64TypeInContext(context: *mut c_void) -> *mut c_void;
    fn LLVMTypeOf(value: *mut c_void) -> *mut c_void;
    fn LLVMGetVectorSize(ty: *mut c_void) -> c_uint;
    fn LLVMCreateBuilderInContext(context: *mut c_void) -> *mut c_void;
    fn LLVMPositionBuilderBefore(builder: *mut c_void, op: *mut c_void);
    fn LLVMBuildExtractElement(
        builder: *mut c_void,
        vector: *mut c_void,
        place: *mut c_void,
        name: *const c_char,
    ) -> *mut c_void;
    fn LLVMBuildGEP2(
        builder: *mut c_void,
        ty: *mut c_void,
        pointer: *mut c_void,
        indices: *mut *mut c_void,
        count: c_uint,
        name: *const c_char,
    ) -> *mut c_void;
    fn LLVMBuildStore(
        builder: *mut c_void,
        value: *mut c_void,
        pointer: *mut c_void,
    ) -> *mut c_void;
    fn LLVMDisposeBuilder(builder: *mut c_void);
    fn LLVMInstructionEraseFromParent(op: *mut c_void);
}
