// RUN: lw-opt %s --inline-read-only-globals | FileCheck %s
// RUN: lw-run %s --entry y --output %t.y.npy
// RUN: lw-run %s --entry main --check %t.y.npy --rtol 0 --atol 0 --execute input | FileCheck %s --check-prefix=SAME
// RUN: lw-run %s --entry main --check %t.y.npy --rtol 0 --atol 0 --target x86 | FileCheck %s --check-prefix=SAME
// RUN: lw-run %s --entry main --check %t.y.npy --rtol 0 --atol 0 --target sm_80 --device emulator | FileCheck %s --check-prefix=SAME
// SAME: max error 0{{.*}}passed

// CHECK-NOT: ml_program
ml_program.global private @scale(dense<[1.0, 2.0]> : tensor<2xf32>) : tensor<2xf32>
ml_program.global private mutable @shift(dense<3.0> : tensor<2xf32>) : tensor<2xf32>

// CHECK-LABEL: func.func @main
// CHECK-DAG: arith.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// CHECK-DAG: arith.constant dense<3.000000e+00> : tensor<2xf32>
// CHECK-NOT: ml_program
func.func @main() -> tensor<2xf32> {
  %scale = ml_program.global_load_const @scale : tensor<2xf32>
  %shift = ml_program.global_load @shift : tensor<2xf32>
  %e = tensor.empty() : tensor<2xf32>
  %y = linalg.mul ins(%scale, %shift : tensor<2xf32>, tensor<2xf32>) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}
func.func @y() -> tensor<2xf32> {
  %y = arith.constant dense<[3.0, 6.0]> : tensor<2xf32>
  return %y : tensor<2xf32>
}
