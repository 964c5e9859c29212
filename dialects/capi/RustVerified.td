//===- RustVerified.td - verifiers that are written in Rust ---------------===//
#ifndef LOOPWRIGHT_RUST_VERIFIED_TD
#define LOOPWRIGHT_RUST_VERIFIED_TD
include "mlir/IR/OpBase.td"

// One trait instead of C++ code for each op: Rust finds the verifier by the op's name.
def RustVerified : NativeOpTrait<"RustVerified"> {
  let cppNamespace = "::loopwright";
}

#endif
