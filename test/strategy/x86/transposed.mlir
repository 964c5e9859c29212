// Results along a loop that fills vectors poorly: vectors along another loop, with transposed tiles; not if whole
// vectors are along it.
// RUN: lw-run %s --target x86 --schedule-by priority --cpu znver4 --without graph-fuse-ops --without fold-unit-loops --print-schedule | FileCheck %s
// RUN: lw-run %s --target x86 --schedule-by priority --cpu znver4 --without graph-fuse-ops --without fold-unit-loops --compile-to schedule --dump-strategy 2>&1 | FileCheck %s --check-prefix=DUMP

// CHECK-LABEL: transform.sched.function @convolution in
// CHECK-NEXT:  transform.sched.sample_categorical "conv_2d_nchw_fchw.columns" in %f{{[0-9]+}} candidates [{{.*}}] decision 32
// CHECK-NEXT:  transform.sched.sample_categorical "conv_2d_nchw_fchw.rows" in %f{{[0-9]+}} candidates [{{.*}}] decision 8
// CHECK-NEXT:  transform.sched.cache_read "conv_2d_nchw_fchw" in %f{{[0-9]+}} buffer "arg1" scope "global" consumers ["conv_2d_nchw_fchw"]
// CHECK-NEXT:  transform.sched.transform_layout "arg1_global_temp_buffer" in %f{{[0-9]+}} index_map "(d0, d1, d2, d3) -> (d0 floordiv $conv_2d_nchw_fchw.columns, d1, d2, d3, d0 mod $conv_2d_nchw_fchw.columns)"
// CHECK-NEXT:  transform.sched.reorder ["arg1_global_temp_buffer:cache_ax1", "arg1_global_temp_buffer:cache_ax2", "arg1_global_temp_buffer:cache_ax3", "arg1_global_temp_buffer:cache_ax0"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.parallel "arg1_global_temp_buffer:cache_ax1" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.cache_write "conv_2d_nchw_fchw" in %f{{[0-9]+}} buffer "out" scope "global" index_map "(d0, d1, d2, d3) -> (d0, d2, d3, d1)"
// CHECK-NEXT:  transform.sched.split "out_global_temp_buffer:l" in %f{{[0-9]+}} factors "-1, $conv_2d_nchw_fchw.rows"
// CHECK-NEXT:  transform.sched.split "out_global_temp_buffer:j" in %f{{[0-9]+}} factors "-1, $conv_2d_nchw_fchw.columns"
// CHECK-NEXT:  transform.sched.reorder ["out_global_temp_buffer:i", "out_global_temp_buffer:k", "out_global_temp_buffer:l.0", "out_global_temp_buffer:j.0", "out_global_temp_buffer:m", "out_global_temp_buffer:n", "out_global_temp_buffer:o", "out_global_temp_buffer:l.1", "out_global_temp_buffer:j.1"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.vectorize "out_global_temp_buffer:j.1" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.unroll "out_global_temp_buffer:l.1" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.reverse_compute_at "conv_2d_nchw_fchw" in %f{{[0-9]+}} loop "out_global_temp_buffer:j.0"
// CHECK-NEXT:  transform.sched.vectorize "conv_2d_nchw_fchw:cache_ax3" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.fuse ["out_global_temp_buffer:i", "out_global_temp_buffer:k"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.parallel "out_global_temp_buffer:i_k_fused" in %f{{[0-9]+}}
// CHECK-NEXT:  {{transform.yield|%f}}
// DUMP-LABEL: function convolution:
// DUMP:       group conv_2d_nchw_fchw
// DUMP:       45 x86.product.transposed: chosen
func.func @convolution(%x: tensor<1x64x58x58xf32>, %k: tensor<64x64x3x3xf32>) -> tensor<1x64x56x56xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x64x56x56xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%x, %k : tensor<1x64x58x58xf32>, tensor<64x64x3x3xf32>) outs(%z : tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32>
  return %r : tensor<1x64x56x56xf32>
}

// CHECK-LABEL: transform.sched.function @with_bias in
// CHECK-NEXT:  transform.sched.sample_categorical "conv_2d_nchw_fchw.columns" in %f{{[0-9]+}} candidates [{{.*}}] decision 32
// CHECK-NEXT:  transform.sched.sample_categorical "conv_2d_nchw_fchw.rows" in %f{{[0-9]+}} candidates [{{.*}}] decision 10
// CHECK-NEXT:  transform.sched.cache_read "conv_2d_nchw_fchw" in %f{{[0-9]+}} buffer "arg1" scope "global" consumers ["conv_2d_nchw_fchw"]
// CHECK-NEXT:  transform.sched.transform_layout "arg1_global_temp_buffer" in %f{{[0-9]+}} index_map "(d0, d1, d2, d3) -> (d0 floordiv $conv_2d_nchw_fchw.columns, d1, d2, d3, d0 mod $conv_2d_nchw_fchw.columns)"
// CHECK-NEXT:  transform.sched.reorder ["arg1_global_temp_buffer:cache_ax1", "arg1_global_temp_buffer:cache_ax2", "arg1_global_temp_buffer:cache_ax3", "arg1_global_temp_buffer:cache_ax0"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.parallel "arg1_global_temp_buffer:cache_ax1" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.cache_write "conv_2d_nchw_fchw" in %f{{[0-9]+}} buffer "conv_2d_nchw_fchw" scope "global" index_map "(d0, d1, d2, d3) -> (d0, d2, d3, d1)"
// CHECK-NEXT:  transform.sched.split "conv_2d_nchw_fchw_global_temp_buffer:l" in %f{{[0-9]+}} factors "-1, $conv_2d_nchw_fchw.rows"
// CHECK-NEXT:  transform.sched.split "conv_2d_nchw_fchw_global_temp_buffer:j" in %f{{[0-9]+}} factors "-1, $conv_2d_nchw_fchw.columns"
// CHECK-NEXT:  transform.sched.reorder ["conv_2d_nchw_fchw_global_temp_buffer:j.0", "conv_2d_nchw_fchw_global_temp_buffer:i", "conv_2d_nchw_fchw_global_temp_buffer:k", "conv_2d_nchw_fchw_global_temp_buffer:l.0", "conv_2d_nchw_fchw_global_temp_buffer:m", "conv_2d_nchw_fchw_global_temp_buffer:n", "conv_2d_nchw_fchw_global_temp_buffer:o", "conv_2d_nchw_fchw_global_temp_buffer:l.1", "conv_2d_nchw_fchw_global_temp_buffer:j.1"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.vectorize "conv_2d_nchw_fchw_global_temp_buffer:j.1" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.unroll "conv_2d_nchw_fchw_global_temp_buffer:l.1" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.reverse_compute_at "conv_2d_nchw_fchw" in %f{{[0-9]+}} loop "conv_2d_nchw_fchw_global_temp_buffer:l.0"
// CHECK-NEXT:  transform.sched.reverse_compute_at "add" in %f{{[0-9]+}} loop "conv_2d_nchw_fchw_global_temp_buffer:l.0"
// CHECK-NEXT:  transform.sched.vectorize "add:l" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.compute_inline "conv_2d_nchw_fchw" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.parallel "conv_2d_nchw_fchw_global_temp_buffer:j.0" in %f{{[0-9]+}}
// CHECK-NEXT:  {{transform.yield|%f}}
// DUMP-LABEL: function with_bias:
// DUMP:       group conv_2d_nchw_fchw, add
// DUMP:       45 x86.product.transposed: chosen
func.func @with_bias(%x: tensor<1x128x30x30xf32>, %k: tensor<208x128x3x3xf32>, %b: tensor<208xf32>) -> tensor<1x208x28x28xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x208x28x28xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x208x28x28xf32>) -> tensor<1x208x28x28xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%x, %k : tensor<1x128x30x30xf32>, tensor<208x128x3x3xf32>) outs(%z : tensor<1x208x28x28xf32>) -> tensor<1x208x28x28xf32>
  %o = tensor.empty() : tensor<1x208x28x28xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(n, f, h, w) -> (n, f, h, w)>, affine_map<(n, f, h, w) -> (f)>, affine_map<(n, f, h, w) -> (n, f, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%r, %b : tensor<1x208x28x28xf32>, tensor<208xf32>) outs(%o : tensor<1x208x28x28xf32>) {
  ^bb0(%v: f32, %w: f32, %_: f32):
    %t = arith.addf %v, %w : f32
    linalg.yield %t : f32
  } -> tensor<1x208x28x28xf32>
  return %s : tensor<1x208x28x28xf32>
}

// CHECK-LABEL: transform.sched.function @small_image in
// CHECK-NEXT:  transform.sched.sample_categorical "conv_2d_nchw_fchw.columns" in %f{{[0-9]+}} candidates [{{.*}}] decision 32
// CHECK-NEXT:  transform.sched.sample_categorical "conv_2d_nchw_fchw.rows" in %f{{[0-9]+}} candidates [{{.*}}] decision 7
// CHECK-NEXT:  transform.sched.cache_read "conv_2d_nchw_fchw" in %f{{[0-9]+}} buffer "arg1" scope "global" consumers ["conv_2d_nchw_fchw"]
// CHECK-NEXT:  transform.sched.transform_layout "arg1_global_temp_buffer" in %f{{[0-9]+}} index_map "(d0, d1, d2, d3) -> (d0 floordiv $conv_2d_nchw_fchw.columns, d1, d2, d3, d0 mod $conv_2d_nchw_fchw.columns)"
// CHECK-NEXT:  transform.sched.reorder ["arg1_global_temp_buffer:cache_ax1", "arg1_global_temp_buffer:cache_ax2", "arg1_global_temp_buffer:cache_ax3", "arg1_global_temp_buffer:cache_ax0"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.parallel "arg1_global_temp_buffer:cache_ax1" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.cache_write "conv_2d_nchw_fchw" in %f{{[0-9]+}} buffer "out" scope "global" index_map "(d0, d1, d2, d3) -> (d0, d2, d3, d1)"
// CHECK-NEXT:  transform.sched.split "out_global_temp_buffer:l" in %f{{[0-9]+}} factors "-1, $conv_2d_nchw_fchw.rows"
// CHECK-NEXT:  transform.sched.split "out_global_temp_buffer:j" in %f{{[0-9]+}} factors "-1, $conv_2d_nchw_fchw.columns"
// CHECK-NEXT:  transform.sched.reorder ["out_global_temp_buffer:i", "out_global_temp_buffer:k", "out_global_temp_buffer:l.0", "out_global_temp_buffer:j.0", "out_global_temp_buffer:m", "out_global_temp_buffer:n", "out_global_temp_buffer:o", "out_global_temp_buffer:l.1", "out_global_temp_buffer:j.1"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.vectorize "out_global_temp_buffer:j.1" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.unroll "out_global_temp_buffer:l.1" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.reverse_compute_at "conv_2d_nchw_fchw" in %f{{[0-9]+}} loop "out_global_temp_buffer:j.0"
// CHECK-NEXT:  transform.sched.vectorize "conv_2d_nchw_fchw:cache_ax3" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.fuse ["out_global_temp_buffer:i", "out_global_temp_buffer:k", "out_global_temp_buffer:l.0", "out_global_temp_buffer:j.0"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.parallel "out_global_temp_buffer:i_k_l.0_j.0_fused" in %f{{[0-9]+}}
// CHECK-NEXT:  {{transform.yield|%f}}
// DUMP-LABEL: function small_image:
// DUMP:       group conv_2d_nchw_fchw
// DUMP:       45 x86.product.transposed: chosen
func.func @small_image(%x: tensor<1x64x9x9xf32>, %k: tensor<64x64x3x3xf32>) -> tensor<1x64x7x7xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x64x7x7xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x64x7x7xf32>) -> tensor<1x64x7x7xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%x, %k : tensor<1x64x9x9xf32>, tensor<64x64x3x3xf32>) outs(%z : tensor<1x64x7x7xf32>) -> tensor<1x64x7x7xf32>
  return %r : tensor<1x64x7x7xf32>
}

// CHECK-LABEL: transform.sched.function @whole_vectors in
// CHECK-NEXT:  transform.sched.sample_categorical "conv_2d_nchw_fchw.rows" in %f{{[0-9]+}} candidates [{{.*}}] decision 13
// CHECK-NEXT:  transform.sched.split "conv_2d_nchw_fchw:j" in %f{{[0-9]+}} factors "-1, $conv_2d_nchw_fchw.rows"
// CHECK-NEXT:  transform.sched.reorder ["conv_2d_nchw_fchw:i", "conv_2d_nchw_fchw:k", "conv_2d_nchw_fchw:j.0", "conv_2d_nchw_fchw:m", "conv_2d_nchw_fchw:n", "conv_2d_nchw_fchw:o", "conv_2d_nchw_fchw:j.1", "conv_2d_nchw_fchw:l"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.vectorize "conv_2d_nchw_fchw:l" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.unroll "conv_2d_nchw_fchw:j.1" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.fuse ["conv_2d_nchw_fchw:i", "conv_2d_nchw_fchw:k"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.parallel "conv_2d_nchw_fchw:i_k_fused" in %f{{[0-9]+}}
// CHECK-NEXT:  {{transform.yield|%f}}
// DUMP-LABEL: function whole_vectors:
// DUMP:       group conv_2d_nchw_fchw
// DUMP:       40 x86.product.tiled: chosen
func.func @whole_vectors(%x: tensor<1x64x34x34xf32>, %k: tensor<64x64x3x3xf32>) -> tensor<1x64x32x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x64x32x32xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x64x32x32xf32>) -> tensor<1x64x32x32xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%x, %k : tensor<1x64x34x34xf32>, tensor<64x64x3x3xf32>) outs(%z : tensor<1x64x32x32xf32>) -> tensor<1x64x32x32xf32>
  return %r : tensor<1x64x32x32xf32>
}

// CHECK-LABEL: transform.sched.function @dynamic in
// CHECK-NEXT:  transform.sched.specialize "conv_2d_nchw_fchw:i" in %f{{[0-9]+}} condition "dim(arg2, 3) >= 8"
// CHECK-NEXT:  transform.sched.sample_categorical "conv_2d_nchw_fchw.columns" in %f{{[0-9]+}} candidates [{{.*}}] decision 48
// CHECK-NEXT:  transform.sched.sample_categorical "conv_2d_nchw_fchw.rows" in %f{{[0-9]+}} candidates [{{.*}}] decision 8
// CHECK-NEXT:  transform.sched.split "conv_2d_nchw_fchw:j" in %f{{[0-9]+}} factors "-1, $conv_2d_nchw_fchw.rows"
// CHECK-NEXT:  transform.sched.split "conv_2d_nchw_fchw:l" in %f{{[0-9]+}} factors "-1, $conv_2d_nchw_fchw.columns"
// CHECK:       transform.sched.parallel "conv_2d_nchw_fchw:i_k_fused" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.sample_categorical "conv_2d_nchw_fchw.else.columns" in %f{{[0-9]+}} candidates [{{.*}}] decision 64
// CHECK-NEXT:  transform.sched.split "conv_2d_nchw_fchw.else:l" in %f{{[0-9]+}} factors "-1, $conv_2d_nchw_fchw.else.columns"
// CHECK-NEXT:  transform.sched.reorder ["conv_2d_nchw_fchw.else:i", "conv_2d_nchw_fchw.else:j", "conv_2d_nchw_fchw.else:k", "conv_2d_nchw_fchw.else:l.0", "conv_2d_nchw_fchw.else:m", "conv_2d_nchw_fchw.else:n", "conv_2d_nchw_fchw.else:o", "conv_2d_nchw_fchw.else:l.1"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.vectorize "conv_2d_nchw_fchw.else:l.1" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.fuse ["conv_2d_nchw_fchw.else:i", "conv_2d_nchw_fchw.else:j"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.parallel "conv_2d_nchw_fchw.else:i_j_fused" in %f{{[0-9]+}}
// CHECK-NEXT:  {{transform.yield|%f}}
// DUMP-LABEL: function dynamic:
// DUMP:       group conv_2d_nchw_fchw
// DUMP:       45 x86.product.transposed: the number of contiguous results is not known
// DUMP:       40 x86.product.tiled: chosen if dim(arg2, 3) >= 8
// DUMP:       10 x86.columns: chosen for all other sizes
func.func @dynamic(%x: tensor<1x64x58x?xf32>, %k: tensor<64x64x3x3xf32>, %o: tensor<1x64x56x?xf32>) -> tensor<1x64x56x?xf32> {
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%o : tensor<1x64x56x?xf32>) -> tensor<1x64x56x?xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%x, %k : tensor<1x64x58x?xf32>, tensor<64x64x3x3xf32>) outs(%z : tensor<1x64x56x?xf32>) -> tensor<1x64x56x?xf32>
  return %r : tensor<1x64x56x?xf32>
}

// Results read every other element of the image: each lane would be loaded on its own, so vectors run along filters, even
// if sums are short.
// DUMP-LABEL: function strided:
// DUMP:       group conv_2d_nchw_fchw
// DUMP:       45 x86.product.transposed: chosen
func.func @strided(%x: tensor<1x64x56x56xf32>, %k: tensor<128x64x1x1xf32>) -> tensor<1x128x28x28xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x128x28x28xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x128x28x28xf32>) -> tensor<1x128x28x28xf32>
  %r = linalg.conv_2d_nchw_fchw {strides = dense<2> : vector<2xi64>} ins(%x, %k : tensor<1x64x56x56xf32>, tensor<128x64x1x1xf32>) outs(%z : tensor<1x128x28x28xf32>) -> tensor<1x128x28x28xf32>
  return %r : tensor<1x128x28x28xf32>
}

// Three results of each row: to add up three vectors costs less than to transpose the rows.
// DUMP-LABEL: function three:
// DUMP:       45 x86.product.transposed: the packed values would be used only 3 times
// DUMP:       30 x86.rows: chosen
func.func @three(%x: tensor<256x512xf32>, %w: tensor<3x512xf32>) -> tensor<256x3xf32> attributes {loop.fp = "fast"} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256x3xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<256x3xf32>) -> tensor<256x3xf32>
  %y = linalg.matmul indexing_maps = [
    affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>
  ] ins(%x, %w : tensor<256x512xf32>, tensor<3x512xf32>) outs(%z : tensor<256x3xf32>) -> tensor<256x3xf32>
  return %y : tensor<256x3xf32>
}

// Rows of seven results fill less than half a vector, so sums of 64 products pay for transposing them; those of 28 do not.
// DUMP-LABEL: function seven:
// DUMP:       45 x86.product.transposed: chosen
func.func @seven(%x: tensor<1x64x7x7xf32>, %k: tensor<64x64x1x1xf32>) -> tensor<1x64x7x7xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x64x7x7xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x64x7x7xf32>) -> tensor<1x64x7x7xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%x, %k : tensor<1x64x7x7xf32>, tensor<64x64x1x1xf32>) outs(%z : tensor<1x64x7x7xf32>) -> tensor<1x64x7x7xf32>
  return %r : tensor<1x64x7x7xf32>
}

// DUMP-LABEL: function twenty_eight:
// DUMP:       45 x86.product.transposed: its sums are too short to pay for transposing results
func.func @twenty_eight(%x: tensor<1x64x28x28xf32>, %k: tensor<64x64x1x1xf32>) -> tensor<1x64x28x28xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x64x28x28xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x64x28x28xf32>) -> tensor<1x64x28x28xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%x, %k : tensor<1x64x28x28xf32>, tensor<64x64x1x1xf32>) outs(%z : tensor<1x64x28x28xf32>) -> tensor<1x64x28x28xf32>
  return %r : tensor<1x64x28x28xf32>
}
