//! `expand-atomics`: give `llvm.atomicrmw` ops device scope and relaxed ordering, and expand those without a PTX
//! instruction to [compare-and-exchange loops](super::compare_exchange).
//!
//! ```text
//! llvm.atomicrmw fadd %p, %x acq_rel : !llvm.ptr, f32      llvm.atomicrmw fmax %p, %x acq_rel : !llvm.ptr, f32
//!   ->                                                       ->
//! llvm.atomicrmw fadd %p, %x syncscope("device")           scf.while (%old = %first) { .. llvm.cmpxchg %p, %old, %new
//!     monotonic : !llvm.ptr, f32                               syncscope("device") monotonic monotonic .. }
//! ```
//! - (C1) elements have 16, 32 or 64 bits. PTX has no atomic update of 8 bits, and an update of the word that contains
//!   the 8 bits may access memory past the end of the buffer

use super::compare_exchange::{self, ConcurrentThreads, MONOTONIC, number};
use crate::ir::{Attribute, Builder, Error, FloatKind, Op, Type, TypeKind, walk};

/// The arith op of an update, by the number of LLVM's `AtomicBinOp`; `None` if there is none.
fn combining(kind: i64) -> Option<&'static str> {
    Some(match kind {
        1 => "arith.addi",
        3 => "arith.andi",
        5 => "arith.ori",
        6 => "arith.xori",
        7 => "arith.maxsi",
        8 => "arith.minsi",
        9 => "arith.maxui",
        10 => "arith.minui",
        11 => "arith.addf",
        13 => "arith.maxnumf",
        14 => "arith.minnumf",
        19 => "arith.maximumf",
        20 => "arith.minimumf",
        _ => return None,
    })
}

/// True if PTX for sm_80 has an instruction for the update. For bf16 PTX has one from sm_90 on.
fn is_instruction(name: &str, ty: Type) -> bool {
    match ty.kind() {
        TypeKind::Integer(bits) => bits >= 32,
        TypeKind::Float(kind) => name == "arith.addf" && kind != FloatKind::BF16,
        _ => false,
    }
}

/// Expands the updates of a `gpu.module`; returns the number of loops made.
///
/// # Errors
/// If an update has 8 bits (C1).
pub fn expand<'c>(module: Op<'c>) -> Result<u64, Error<'c>> {
    let updates: Vec<_> = walk(module).into_iter().filter(|op| op.is("llvm.atomicrmw")).collect();
    let is_byte = |op: &&Op| op.operand(1).ty().kind() == TypeKind::Integer(8);
    if let Some(op) = updates.iter().find(is_byte) {
        return Err(Error::on(*op, REFUSED));
    }
    let mut loops = 0;
    for op in updates {
        let [address, value] = op.operands()[..] else { continue };
        let kind = op.attribute("bin_op").and_then(Attribute::as_i64);
        let Some(name) = kind.and_then(combining) else { continue };
        let at = Builder::before(op, op.location());
        if is_instruction(name, value.ty()) {
            op.set_attribute("ordering", number(at, MONOTONIC));
            op.set_attribute("syncscope", Attribute::string(at.context(), "device"));
            continue;
        }
        let old = compare_exchange::update(name, value, address, ConcurrentThreads::Device, at);
        op.result(0).replace_all_uses_with(old);
        op.erase();
        loops += 1;
    }
    Ok(loops)
}

const REFUSED: &str = "updates 8 bits, expected 16, 32 or 64, which NVPTX updates atomically (C1)";
