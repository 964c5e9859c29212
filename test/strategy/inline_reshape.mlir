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
// Also if the number of rows is unknown.
// CHECK-LABEL: transform.sched.function @dynamic in
// CHECK-NEXT:  transform.sched.compute_inline "collapse_shape" in
func.func @dynamic(%x: tensor<1x?x64xf32>, %w: tensor<64x32xf32>) -> tensor<?x32xf32> {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c1 : tensor<1x?x64xf32>
  %a = tensor.collapse_shape %x [[0, 1], [2]] : tensor<1x?x64xf32> into tensor<?x64xf32>
  %e = tensor.empty(%n) : tensor<?x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x32xf32>) -> tensor<?x32xf32>
  %r = linalg.matmul ins(%a, %w : tensor<?x64xf32>, tensor<64x32xf32>) outs(%f : tensor<?x32xf32>) -> tensor<?x32xf32>
  return %r : tensor<?x32xf32>
}
// A part of a tensor is copied: its rows are not those of the tensor.
// CHECK-LABEL: transform.sched.function @part in
// CHECK-NOT:   transform.sched.compute_inline "extract_slice"
func.func @part(%x: tensor<?x64xf32>, %n: index, %w: tensor<64x32xf32>) -> tensor<?x32xf32> {
  %zero = arith.constant 0.0 : f32
  %a = tensor.extract_slice %x[0, 0] [%n, 64] [1, 1] : tensor<?x64xf32> to tensor<?x64xf32>
  %e = tensor.empty(%n) : tensor<?x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x32xf32>) -> tensor<?x32xf32>
  %r = linalg.matmul ins(%a, %w : tensor<?x64xf32>, tensor<64x32xf32>) outs(%f : tensor<?x32xf32>) -> tensor<?x32xf32>
  return %r : tensor<?x32xf32>
}
