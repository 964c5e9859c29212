//===- RustVerified.td - verifiers that are written in Rust ---------------===//
#ifndef LOOPWRIGHT_RUST_VERIFIED_TD
#define LOOPWRIGHT_RUST_VERIFIED_TD
include "mlir/IR/OpBase.td"

// Two traits, no C++ an op: Rust finds its verifier by the op's name.
def RustVerified : NativeOpTrait<"RustVerified"> {
  let cppNamespace = "::loopwright";
}

#endif
