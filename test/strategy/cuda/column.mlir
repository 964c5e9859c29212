// A matrix with one column has the memory layout of a row: lanes share a reduction along it, and element-wise ops on it
// are vectorized.
// RUN: lw-run %s --target sm_80 --compile-to schedule --dump-strategy 2>&1 >/dev/null | FileCheck %s --check-prefix=DUMP
// RUN: lw-run %s --target sm_80 --compile-to ptx | FileCheck %s

// DUMP-LABEL: function product:
// DUMP:         30 nvptx.rows: chosen
// CHECK-LABEL: .entry product_0(
// CHECK-NOT:     ld.global{{[^v]*}} %r
// CHECK:         ld.global.nc.v4
// CHECK-NOT:     ld.global{{[^v]*}} %r
// CHECK:         shfl.sync
// CHECK:         ret;
func.func @product(%A: tensor<64x256xf32>, %B: tensor<256x1xf32>) -> tensor<64x1xf32> attributes {loop.fp = "fast"} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x1xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<64x1xf32>) -> tensor<64x1xf32>
  %r = linalg.matmul ins(%A, %B : tensor<64x256xf32>, tensor<256x1xf32>) outs(%i : tensor<64x1xf32>) -> tensor<64x1xf32>
  return %r : tensor<64x1xf32>
}

// DUMP-LABEL: function sum:
// DUMP:         10 nvptx.elementwise: chosen
// CHECK-LABEL: .entry sum_0(
// CHECK-COUNT-2: ld.global.nc.v4
// CHECK-NOT:     ld.global
// CHECK:         st.global.v4
// CHECK-NOT:     st.global
// CHECK:         ret;
func.func @sum(%x: tensor<4096x1xf32>, %y: tensor<4096x1xf32>) -> tensor<4096x1xf32> {
  %e = tensor.empty() : tensor<4096x1xf32>
  %r = linalg.add ins(%x, %y : tensor<4096x1xf32>, tensor<4096x1xf32>) outs(%e : tensor<4096x1xf32>) -> tensor<4096x1xf32>
  return %r : tensor<4096x1xf32>
}

// A buffer that is read along rows is not treated as a column.
// DUMP-LABEL: function turned:
// DUMP:         10 nvptx.elementwise: chosen
// CHECK-LABEL: .entry turned_0(
// CHECK-NOT:     ld.global{{.*}}v4
// CHECK:         ret;
func.func @turned(%x: tensor<128x64xf32>) -> tensor<128x1xf32> {
  %e = tensor.empty() : tensor<128x1xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, 3)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<128x64xf32>) outs(%e : tensor<128x1xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<128x1xf32>
  return %r : tensor<128x1xf32>
}
