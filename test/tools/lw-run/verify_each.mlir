// The compiler's own passes, and the schedule, preserve the results of a function; passes after which the interpreter
// cannot run it are reported.
// RUN: lw-run %s --verify-each=numeric --compile-to vector --schedule %S/Inputs/vectorize.mlir --fp fast 2>&1 | FileCheck %s
// RUN: lw-run %s --verify-each=numeric --compile-to llvm 2>&1 | FileCheck %s --check-prefix=LLVM
// RUN: not lw-run %s --verify-each=true --compile-to llvm 2>&1 | FileCheck %s --check-prefix=WORD
// Math in a kernel, which a pass replaces by an approximation, may differ in the last place.
// RUN: lw-run %s --entry exponential --verify-each=numeric --target sm_80 --device emulator --input iota | FileCheck %s --check-prefix=KERNEL

// KERNEL: verify_each.mlir: sm_80 on emulator
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

func.func @exponential(%x: tensor<33xf32>) -> tensor<33xf32> {
  %e = tensor.empty() : tensor<33xf32>
  %z = linalg.exp ins(%x : tensor<33xf32>) outs(%e : tensor<33xf32>) -> tensor<33xf32>
  return %z : tensor<33xf32>
}
