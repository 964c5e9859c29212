// A vector times a transposed matrix reads the matrix in place: each element is read once, along its rows.
// RUN: lw-run %s --target x86 --fp fast --compile-to schedule | FileCheck %s
// RUN: lw-run %s --entry vector --input random:1 --output %t.npy --target x86 --no-schedule
// RUN: lw-run %s --entry vector --input random:1 --check %t.npy --rtol 1e-5 --target x86 --fp fast


// CHECK-LABEL: func.func @vector(
// CHECK-NOT:     loop.block "copy"
// CHECK:         reads(%arg0[%vi : 1, %{{.*}} : 1], %arg1[%vj : 1, %{{.*}} : 1])
func.func @vector(%x: tensor<1x64xf32>, %w: tensor<48x64xf32>) -> tensor<1x48xf32> {
  %zero = arith.constant 0.0 : f32
  %t = tensor.empty() : tensor<64x48xf32>
  %v = linalg.transpose ins(%w : tensor<48x64xf32>) outs(%t : tensor<64x48xf32>) permutation = [1, 0]
  %e = tensor.empty() : tensor<1x48xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x48xf32>) -> tensor<1x48xf32>
  %y = linalg.matmul ins(%x, %v : tensor<1x64xf32>, tensor<64x48xf32>) outs(%z : tensor<1x48xf32>) -> tensor<1x48xf32>
  return %y : tensor<1x48xf32>
}

// A matrix reads each element several times, from rows that vectors fill.
// CHECK-LABEL: func.func @matrix(
// CHECK:         loop.block "transpose"
func.func @matrix(%x: tensor<32x64xf32>, %w: tensor<48x64xf32>) -> tensor<32x48xf32> {
  %zero = arith.constant 0.0 : f32
  %t = tensor.empty() : tensor<64x48xf32>
  %v = linalg.transpose ins(%w : tensor<48x64xf32>) outs(%t : tensor<64x48xf32>) permutation = [1, 0]
  %e = tensor.empty() : tensor<32x48xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<32x48xf32>) -> tensor<32x48xf32>
  %y = linalg.matmul ins(%x, %v : tensor<32x64xf32>, tensor<64x48xf32>) outs(%z : tensor<32x48xf32>) -> tensor<32x48xf32>
  return %y : tensor<32x48xf32>
}

// Along its columns, the matrix would be read with strides.
// CHECK-LABEL: func.func @columns(
// CHECK:         loop.block "transpose"
func.func @columns(%x: tensor<1x4x64xf32>, %w: tensor<64x48x4xf32>) -> tensor<1x48xf32> {
  %zero = arith.constant 0.0 : f32
  %t = tensor.empty() : tensor<4x64x48xf32>
  %v = linalg.transpose ins(%w : tensor<64x48x4xf32>) outs(%t : tensor<4x64x48xf32>) permutation = [2, 0, 1]
  %e = tensor.empty() : tensor<1x48xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x48xf32>) -> tensor<1x48xf32>
  %y = linalg.generic {
    indexing_maps = [affine_map<(i, j, k, l) -> (i, k, l)>, affine_map<(i, j, k, l) -> (k, l, j)>, affine_map<(i, j, k, l) -> (i, j)>],
    iterator_types = ["parallel", "parallel", "reduction", "reduction"]
  } ins(%x, %v : tensor<1x4x64xf32>, tensor<4x64x48xf32>) outs(%z : tensor<1x48xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %p = arith.mulf %a, %b : f32
    %r = arith.addf %s, %p : f32
    linalg.yield %r : f32
  } -> tensor<1x48xf32>
  return %y : tensor<1x48xf32>
}
