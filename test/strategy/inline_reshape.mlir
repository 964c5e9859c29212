// A product reads a factor past a reshape that adds or removes dimensions of one element, and not past one that reads its elements
// in another order.
// RUN: lw-run %s --target x86 --without fold-unit-loops --print-schedule | FileCheck %s
// CHECK-LABEL: transform.sched.function @unit in
// CHECK-NEXT:  transform.sched.compute_inline "collapse_shape" in
// CHECK-LABEL: transform.sched.function @turned in
// CHECK-NOT:   transform.sched.compute_inline "transpose"
func.func @unit(%x: tensor<1x32x64xf32>, %w: tensor<64x32xf32>) -> tensor<32x32xf32> {
  %zero = arith.constant 0.0 : f32
  %a = tensor.collapse_shape %x [[0, 1], [2]] : tensor<1x32x64xf32> into tensor<32x64xf32>
  %e = tensor.empty() : tensor<32x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
  %r = linalg.matmul ins(%a, %w : tensor<32x64xf32>, tensor<64x32xf32>) outs(%f : tensor<32x32xf32>) -> tensor<32x32xf32>
  return %r : tensor<32x32xf32>
}
func.func @turned(%x: tensor<64x32xf32>, %w: tensor<64x32xf32>) -> tensor<32x32xf32> {
  %zero = arith.constant 0.0 : f32
  %t = tensor.empty() : tensor<32x64xf32>
  %a = linalg.transpose ins(%x : tensor<64x32xf32>) outs(%t : tensor<32x64xf32>) permutation = [1, 0]
  %e = tensor.empty() : tensor<32x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
  %r = linalg.matmul ins(%a, %w : tensor<32x64xf32>, tensor<64x32xf32>) outs(%f : tensor<32x32xf32>) -> tensor<32x32xf32>
  return %r : tensor<32x32xf32>
}
