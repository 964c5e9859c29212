//===- RustVerified.h - verifiers that are written in Rust ------*- C++ -*-===//
#ifndef LOOPWRIGHT_RUST_VERIFIED_H
#define LOOPWRIGHT_RUST_VERIFIED_H
#include "mlir-c/IR.h"
#include "mlir/CAPI/IR.h"
#include "mlir/IR/OpDefinition.h"

extern "C" bool lwRustVerify(MlirOperation op); // src/ffi/verify.rs

namespace loopwright {
/// Runs after the verification of the op's regions, so that the Rust side may rely on what ODS guarantees
/// for everything nested in the op.
template <typename Op>
struct RustVerified : mlir::OpTrait::TraitBase<Op, RustVerified> {
  static llvm::LogicalResult verifyRegionTrait(mlir::Operation *op) {
    return llvm::success(lwRustVerify(wrap(op)));
  }
};
} // namespace loopwright
#endif
