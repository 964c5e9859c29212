// If the interpreter cannot run a function, this is reported once, with the pass; the function is checked again once
// it can run. A pass that fails is not checked.
// RUN: lw-opt %s --verify-each=numeric --convert-vector-to-scf --convert-func-to-llvm --canonicalize --cse --verify-diagnostics -split-input-file -o %t
// RUN: not lw-opt %S/Inputs/contractable.mlir --verify-each=numeric --convert-linalg-to-loop=only=g 2>&1 | FileCheck %s --check-prefix=FAILED

// FAILED: error: 'builtin.module' op has no function 'g', which 'only' names
// FAILED-NOT: error

// expected-remark @below {{after pass 'convert-func-to-llvm' @lost cannot be checked: the function no longer exists}}
module {
  func.func @lost(%a: f32) -> f32 {
    return %a : f32
  }
}

// -----

// expected-remark @below {{@unknown cannot be checked before pass 'convert-vector-to-scf': argument 0 has the type vector<2x2xf32>}}
func.func @unknown(%a: vector<2x2xf32>) {
  return
}
