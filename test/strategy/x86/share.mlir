// Threads share a nest that takes less time than waking them only if the program keeps them awake, and what the nest reads need
// not move to another core.
// RUN: lw-run %s --target x86 --cpu znver4 --without graph-fuse-ops --without fold-unit-loops --print-schedule \
// RUN:   | FileCheck %s --implicit-check-not=sched.parallel

// The second sum reads what the product has written.
// CHECK-LABEL: transform.sched.function @sums in
// CHECK: transform.sched.parallel "matmul:j.0" in
// CHECK: transform.sched.parallel "reduce:i" in
func.func @sums(%a: tensor<64x2048xf32>, %b: tensor<2048x2048xf32>) -> (tensor<64x2048xf32>, tensor<64xf32>, tensor<64xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x2048xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<64x2048xf32>) -> tensor<64x2048xf32>
  %p = linalg.matmul ins(%a, %b : tensor<64x2048xf32>, tensor<2048x2048xf32>) outs(%z : tensor<64x2048xf32>) -> tensor<64x2048xf32>
  %e1 = tensor.empty() : tensor<64xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<64xf32>) -> tensor<64xf32>
  %of_argument = linalg.reduce { arith.addf } ins(%a : tensor<64x2048xf32>) outs(%z1 : tensor<64xf32>) dimensions = [1]
  %of_product = linalg.reduce { arith.addf } ins(%p : tensor<64x2048xf32>) outs(%z1 : tensor<64xf32>) dimensions = [1]
  return %p, %of_argument, %of_product : tensor<64x2048xf32>, tensor<64xf32>, tensor<64xf32>
}

// CHECK-LABEL: transform.sched.function @alone in
func.func @alone(%a: tensor<64x2048xf32>) -> tensor<64xf32> {
  %zero = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<64xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<64xf32>) -> tensor<64xf32>
  %r = linalg.reduce { arith.addf } ins(%a : tensor<64x2048xf32>) outs(%z1 : tensor<64xf32>) dimensions = [1]
  return %r : tensor<64xf32>
}

