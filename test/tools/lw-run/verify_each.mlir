// The compiler's own passes, and the schedule, preserve the results of a function; passes after which the interpreter
// cannot run it are reported.
// RUN: lw-run %s --verify-each=numeric --compile-to vector --schedule %S/Inputs/vectorize.mlir --fp fast 2>&1 | FileCheck %s
// RUN: lw-run %s --verify-each=numeric --compile-to llvm 2>&1 | FileCheck %s --check-prefix=LLVM
// RUN: not lw-run %s --verify-each=true --compile-to llvm 2>&1 | FileCheck %s --check-prefix=WORD

// CHECK-NOT: remark
// CHECK: math.fma
// LLVM: verify_each.mlir: remark: after pass 'convert-memref-to-pointer' @main cannot be checked: the function no longer exists
// WORD: invalid value 'true' for '--verify-each <WHAT>'
func.func @main(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %z = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"]}
      ins(%x, %y : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %p, %a : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  return %z : tensor<8xf32>
}
