//! Structured linalg ops: the information of their interface.

use super::Op;
use super::affine::Map;
use mlir_sys::*;
use std::ffi::c_void;

/// The kind of an iterator of a structured op.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IteratorKind {
    /// The iterations are independent.
    Parallel,
    /// The iterations are combined.
    Reduction,
    /// The op declares it as `window`.
    Window,
}

/// The loops of a structured op; its body is region 0.
#[derive(Clone, Debug)]
pub struct Structured {
    /// Outermost first.
    pub iterators: Vec<IteratorKind>,
    /// Maps from the loops to the indices of each operand, inputs first.
    pub maps: Vec<Map>,
    /// The number of inputs; the remaining operands are outputs.
    pub inputs: usize,
}

impl Structured {
    /// The loops of `op`, if it is a structured linalg op (`linalg.generic` or a named one).
    pub fn of(op: Op) -> Option<Structured> {
        unsafe extern "C" fn iterator(to: *mut c_void, kind: i32) {
            // SAFETY: `to` is the structure below.
            unsafe { &mut *to.cast::<Structured>() }.iterators.push(match kind {
                0 => IteratorKind::Parallel,
                1 => IteratorKind::Reduction,
                _ => IteratorKind::Window,
            });
        }
        unsafe extern "C" fn map(to: *mut c_void, raw: MlirAffineMap) {
            // SAFETY: `to` is the structure below and `raw` is a map of the op.
            unsafe { (*to.cast::<Structured>()).maps.push(Map::from_raw(raw)) }
        }
        // SAFETY: the op is live; the other functions are called for structured ops only; the callbacks run
        // during the calls.
        unsafe {
            if !lwLinalgIsStructured(op.to_raw()) {
                return None;
            }
            let inputs = lwLinalgNumInputs(op.to_raw()) as usize;
            let mut all = Structured { iterators: vec![], maps: vec![], inputs };
            lwLinalgIterators(op.to_raw(), iterator, (&raw mut all).cast());
            lwLinalgMaps(op.to_raw(), map, (&raw mut all).cast());
            Some(all)
        }
    }
}

/// Replaces a `linalg.softmax`, `linalg.pack` or `linalg.unpack` on tensors by the ops that it stands for; false if
/// upstream does not decompose it. The op must not be used afterwards.
pub fn decompose_linalg(op: Op) -> bool {
    // SAFETY: the op is live, and callers give it up.
    unsafe { lwLinalgDecompose(op.to_raw()) }
}

unsafe extern "C" {
    fn lwLinalgDecompose(op: MlirOperation) -> bool;
    fn lwLinalgIsStructured(op: MlirOperation) -> bool;
    fn lwLinalgNumInputs(op: MlirOperation) -> isize;
    fn lwLinalgIterators(
        op: MlirOperation,
        each: unsafe extern "C" fn(*mut c_void, i32),
        user: *mut c_void,
    );
    fn lwLinalgMaps(
        op: MlirOperation,
        each: unsafe extern "C" fn(*mut c_void, MlirAffineMap),
        user: *mut c_void,
    );
}
