// Reductions with contiguous results: vectors of results, also if windows have stride two.
// RUN: lw-run %s --target x86 --schedule-by priority --cpu znver4 --print-schedule | FileCheck %s
// RUN: lw-run %s --target x86 --schedule-by priority --cpu znver4 --compile-to schedule --dump-strategy 2>&1 | FileCheck %s --check-prefix=DUMP

// CHECK-LABEL: transform.sched.function @sums in
// CHECK-NEXT:  transform.sched.sample_categorical "reduce.columns" in %f{{[0-9]+}} candidates [{{.*}}] decision 64
// CHECK-NEXT:  transform.sched.split "reduce:j" in %f{{[0-9]+}} factors "-1, $reduce.columns"
// CHECK-NEXT:  transform.sched.reorder ["reduce:j.0", "reduce:i", "reduce:j.1"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.vectorize "reduce:j.1" in %f{{[0-9]+}}
// CHECK-NEXT:  {{transform.yield|%f}}
// DUMP-LABEL: function sums:
// DUMP:       group reduce
// DUMP:       10 x86.columns: chosen
func.func @sums(%x: tensor<500x300xf32>) -> tensor<300xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<300xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<300xf32>) -> tensor<300xf32>
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<500x300xf32>) outs(%z : tensor<300xf32>) dimensions = [0]
  return %sum : tensor<300xf32>
}

// A row of less than four vectors is one tile.
// CHECK-LABEL: transform.sched.function @pool in
// CHECK-NEXT:  transform.sched.reorder ["pooling_nchw_max:i", "pooling_nchw_max:j", "pooling_nchw_max:k", "pooling_nchw_max:m", "pooling_nchw_max:n", "pooling_nchw_max:l"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.vectorize "pooling_nchw_max:l" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.fuse ["pooling_nchw_max:i", "pooling_nchw_max:j"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.parallel "pooling_nchw_max:i_j_fused" in %f{{[0-9]+}}
// CHECK-NEXT:  {{transform.yield|%f}}
// DUMP-LABEL: function pool:
// DUMP:       group pooling_nchw_max
// DUMP:       10 x86.columns: chosen
func.func @pool(%x: tensor<2x64x57x57xf32>) -> tensor<2x64x28x28xf32> {
  %low = arith.constant 0xFF800000 : f32
  %w = tensor.empty() : tensor<3x3xf32>
  %e = tensor.empty() : tensor<2x64x28x28xf32>
  %l = linalg.fill ins(%low : f32) outs(%e : tensor<2x64x28x28xf32>) -> tensor<2x64x28x28xf32>
  %r = linalg.pooling_nchw_max {strides = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<2x64x57x57xf32>, tensor<3x3xf32>) outs(%l : tensor<2x64x28x28xf32>) -> tensor<2x64x28x28xf32>
  return %r : tensor<2x64x28x28xf32>
}

// What follows a reduction of windows is computed in its loops. Windows are no rows.
// CHECK-LABEL: transform.sched.function @pool_and_relu in
// CHECK:       transform.sched.vectorize "pooling_nchw_max:l"
// CHECK:       transform.sched.reverse_compute_at "map" in %f{{[0-9]+}} loop "pooling_nchw_max:k"
// CHECK-NEXT:  transform.sched.vectorize "map:
// CHECK:       transform.sched.parallel
// DUMP-LABEL: function pool_and_relu:
// DUMP:       group pooling_nchw_max, map
// DUMP:       30 x86.rows: pooling_nchw_max reduces windows
// DUMP:       10 x86.columns: chosen
func.func @pool_and_relu(%x: tensor<1x64x113x113xf32>) -> tensor<1x64x56x56xf32> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x64x56x56xf32>
  %z = linalg.fill ins(%low : f32) outs(%e : tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32>
  %w = tensor.empty() : tensor<3x3xf32>
  %p = linalg.pooling_nchw_max {strides = dense<2> : vector<2xi64>} ins(%x, %w : tensor<1x64x113x113xf32>, tensor<3x3xf32>) outs(%z : tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32>
  %r = linalg.map ins(%p : tensor<1x64x56x56xf32>) outs(%e : tensor<1x64x56x56xf32>)
    (%v: f32, %o: f32) {
      %m = arith.maximumf %v, %zero : f32
      linalg.yield %m : f32
    }
  return %r : tensor<1x64x56x56xf32>
}

// Tiles have about the same size: 80 results are 48 and 32, on 16 lanes.
// CHECK-LABEL: transform.sched.function @even_tiles in
// CHECK-NEXT:  transform.sched.sample_categorical "pooling_nchw_max.columns" in %f{{[0-9]+}} candidates [{{.*}}] decision 48
// CHECK-NEXT:  transform.sched.split "pooling_nchw_max:l" in %f{{[0-9]+}} factors "-1, $pooling_nchw_max.columns"
func.func @even_tiles(%x: tensor<1x64x82x82xf32>) -> tensor<1x64x80x80xf32> {
  %low = arith.constant 0xFF800000 : f32
  %w = tensor.empty() : tensor<3x3xf32>
  %e = tensor.empty() : tensor<1x64x80x80xf32>
  %l = linalg.fill ins(%low : f32) outs(%e : tensor<1x64x80x80xf32>) -> tensor<1x64x80x80xf32>
  %r = linalg.pooling_nchw_max ins(%x, %w : tensor<1x64x82x82xf32>, tensor<3x3xf32>) outs(%l : tensor<1x64x80x80xf32>) -> tensor<1x64x80x80xf32>
  return %r : tensor<1x64x80x80xf32>
}

// A depthwise convolution: the loop over channels, which linalg has last, is outside of those over rows, as in memory. The
// padding is a condition of the load, not a copy.
// CHECK-LABEL: transform.sched.function @depthwise in
// CHECK:       transform.sched.compute_inline "pad" in
// CHECK-NOT:   "pad:
// CHECK:       transform.sched.reorder ["depthwise_conv_2d_nchw_chw:i", "depthwise_conv_2d_nchw_chw:l", "depthwise_conv_2d_nchw_chw:j", "depthwise_conv_2d_nchw_chw:m", "depthwise_conv_2d_nchw_chw:n", "depthwise_conv_2d_nchw_chw:k"]
// CHECK:       transform.sched.parallel "depthwise_conv_2d_nchw_chw:i_l_fused" in
func.func @depthwise(%x: tensor<1x96x56x56xf32>, %w: tensor<96x3x3xf32>) -> tensor<1x96x56x56xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x96x56x56xf32> to tensor<1x96x58x58xf32>
  %e = tensor.empty() : tensor<1x96x56x56xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x96x56x56xf32>) -> tensor<1x96x56x56xf32>
  %r = linalg.depthwise_conv_2d_nchw_chw ins(%p, %w : tensor<1x96x58x58xf32>, tensor<96x3x3xf32>) outs(%z : tensor<1x96x56x56xf32>) -> tensor<1x96x56x56xf32>
  return %r : tensor<1x96x56x56xf32>
}

// A convolution of several filters reads each element of the padded copy for each filter: the copy stays.
// CHECK-LABEL: transform.sched.function @filters in
// CHECK-NOT:   transform.sched.compute_inline "pad" in
// CHECK:       "pad:
func.func @filters(%x: tensor<1x8x16x16xf32>, %w: tensor<16x8x3x3xf32>) -> tensor<1x16x16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x8x16x16xf32> to tensor<1x8x18x18xf32>
  %e = tensor.empty() : tensor<1x16x16x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x16x16x16xf32>) -> tensor<1x16x16x16xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%p, %w : tensor<1x8x18x18xf32>, tensor<16x8x3x3xf32>) outs(%z : tensor<1x16x16x16xf32>) -> tensor<1x16x16x16xf32>
  return %r : tensor<1x16x16x16xf32>
}

// The number of results is not known, and the elements are loaded with a stride, one by one: a tile is one vector.
// CHECK-LABEL: transform.sched.function @strided in
// CHECK:       transform.sched.sample_categorical "pooling_nchw_max.columns" in %f{{[0-9]+}} candidates [16, {{.*}}] decision 16
func.func @strided(%x: tensor<1x8x?x?xf32>, %e: tensor<1x8x?x?xf32>) -> tensor<1x8x?x?xf32> {
  %low = arith.constant 0xFF800000 : f32
  %window = tensor.empty() : tensor<3x3xf32>
  %start = linalg.fill ins(%low : f32) outs(%e : tensor<1x8x?x?xf32>) -> tensor<1x8x?x?xf32>
  %r = linalg.pooling_nchw_max {strides = dense<2> : vector<2xi64>} ins(%x, %window : tensor<1x8x?x?xf32>, tensor<3x3xf32>)
      outs(%start : tensor<1x8x?x?xf32>) -> tensor<1x8x?x?xf32>
  return %r : tensor<1x8x?x?xf32>
}

// A long window: adjacent results read adjacent elements, so results fill vectors, although windows are rows, too.
// DUMP-LABEL: function long_windows:
// DUMP:       35 x86.product.vector_matrix: chosen
// DUMP:       30 x86.rows: contract reduces windows
// DUMP:       10 x86.columns: applies, but has a lower priority
func.func @long_windows(%x: tensor<8x130xf32>, %w: tensor<8x31xf32>, %b: tensor<8xf32>) -> tensor<8x100xf32> attributes {loop.fp = "fast"} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x100xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x100xf32>) -> tensor<8x100xf32>
  %y = linalg.generic {
    indexing_maps = [affine_map<(c, i, k) -> (c, i + k)>, affine_map<(c, i, k) -> (c, k)>, affine_map<(c, i, k) -> (c, i)>],
    iterator_types = ["parallel", "parallel", "reduction"]
  } ins(%x, %w : tensor<8x130xf32>, tensor<8x31xf32>) outs(%z : tensor<8x100xf32>) {
  ^bb0(%a: f32, %f: f32, %s: f32):
    %p = arith.mulf %a, %f : f32
    %r = arith.addf %s, %p : f32
    linalg.yield %r : f32
  } -> tensor<8x100xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(c, i) -> (c, i)>, affine_map<(c, i) -> (c)>, affine_map<(c, i) -> (c, i)>],
    iterator_types = ["parallel", "parallel"]
  } ins(%y, %b : tensor<8x100xf32>, tensor<8xf32>) outs(%e : tensor<8x100xf32>) {
  ^bb0(%a: f32, %f: f32, %o: f32):
    %s = arith.addf %a, %f : f32
    linalg.yield %s : f32
  } -> tensor<8x100xf32>
  return %r : tensor<8x100xf32>
}
