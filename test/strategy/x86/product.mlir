// Matrix products: register tiles; large operands are packed, panel by panel; epilogues fused at the tiles; batches;
// one row; convolutions.
// RUN: lw-run %s --target x86 --schedule-by priority --cpu znver4 --without graph-fuse-ops --without fold-unit-loops --print-schedule | FileCheck %s
// RUN: lw-run %s --target x86 --schedule-by priority --cpu znver4 --without graph-fuse-ops --without fold-unit-loops --compile-to schedule --dump-strategy 2>&1 | FileCheck %s --check-prefix=DUMP

// CHECK-LABEL: transform.sched.function @small in
// CHECK-NEXT:  transform.sched.sample_categorical "matmul.columns" in %f{{[0-9]+}} candidates [{{.*}}] decision 64
// CHECK-NEXT:  transform.sched.sample_categorical "matmul.rows" in %f{{[0-9]+}} candidates [{{.*}}] decision 6
// CHECK-NEXT:  transform.sched.split "matmul:i" in %f{{[0-9]+}} factors "-1, $matmul.rows"
// CHECK-NEXT:  transform.sched.split "matmul:j" in %f{{[0-9]+}} factors "-1, $matmul.columns"
// CHECK-NEXT:  transform.sched.reorder ["matmul:i.0", "matmul:j.0", "matmul:k", "matmul:i.1", "matmul:j.1"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.vectorize "matmul:j.1" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.unroll "matmul:i.1" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.parallel "matmul:i.0" in %f{{[0-9]+}}
// CHECK-NEXT:  {{transform.yield|%f}}
// DUMP-LABEL: function small:
// DUMP:       group matmul
// DUMP:       40 x86.product.tiled: chosen
func.func @small(%a: tensor<240x128xf32>, %b: tensor<128x256xf32>) -> tensor<240x256xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<240x256xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<240x256xf32>) -> tensor<240x256xf32>
  %r = linalg.matmul ins(%a, %b : tensor<240x128xf32>, tensor<128x256xf32>) outs(%z : tensor<240x256xf32>) -> tensor<240x256xf32>
  return %r : tensor<240x256xf32>
}

// CHECK-LABEL: transform.sched.function @large in
// CHECK-NEXT:  transform.sched.sample_categorical "matmul.columns" in %f{{[0-9]+}} candidates [{{.*}}] decision 64
// CHECK-NEXT:  transform.sched.sample_categorical "matmul.rows" in %f{{[0-9]+}} candidates [{{.*}}] decision 6
// CHECK-NEXT:  transform.sched.cache_read "matmul" in %f{{[0-9]+}} buffer "arg1" scope "global" consumers ["matmul"]
// CHECK-NEXT:  transform.sched.split "matmul:i" in %f{{[0-9]+}} factors "-1, $matmul.rows"
// CHECK-NEXT:  transform.sched.split "matmul:j" in %f{{[0-9]+}} factors "-1, $matmul.columns"
// CHECK-NEXT:  transform.sched.reorder ["matmul:j.0", "matmul:i.0", "matmul:k", "matmul:i.1", "matmul:j.1"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.vectorize "matmul:j.1" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.unroll "matmul:i.1" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.compute_at "arg1_global_temp_buffer" in %f{{[0-9]+}} loop "matmul:j.0"
// CHECK-NEXT:  transform.sched.vectorize "arg1_global_temp_buffer:cache_ax1" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.parallel "matmul:j.0" in %f{{[0-9]+}}
// CHECK-NEXT:  {{transform.yield|%f}}
// DUMP-LABEL: function large:
// DUMP:       group matmul
// DUMP:       50 x86.product.packed: chosen
func.func @large(%a: tensor<1024x1024xf32>, %b: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1024x1024xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %r = linalg.matmul ins(%a, %b : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%z : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  return %r : tensor<1024x1024xf32>
}

// CHECK-LABEL: transform.sched.function @odd in
// CHECK-NEXT:  transform.sched.sample_categorical "matmul.columns" in %f{{[0-9]+}} candidates [{{.*}}] decision 64
// CHECK-NEXT:  transform.sched.sample_categorical "matmul.rows" in %f{{[0-9]+}} candidates [{{.*}}] decision 5
// CHECK-NEXT:  transform.sched.split "matmul:i" in %f{{[0-9]+}} factors "-1, $matmul.rows"
// CHECK-NEXT:  transform.sched.split "matmul:j" in %f{{[0-9]+}} factors "-1, $matmul.columns"
// CHECK-NEXT:  transform.sched.reorder ["matmul:i.0", "matmul:j.0", "matmul:k", "matmul:i.1", "matmul:j.1"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.vectorize "matmul:j.1" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.unroll "matmul:i.1" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.parallel "matmul:i.0" in %f{{[0-9]+}}
// CHECK-NEXT:  {{transform.yield|%f}}
// DUMP-LABEL: function odd:
// DUMP:       group matmul
// DUMP:       40 x86.product.tiled: chosen
func.func @odd(%a: tensor<103x97xf32>, %b: tensor<97x101xf32>) -> tensor<103x101xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<103x101xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<103x101xf32>) -> tensor<103x101xf32>
  %r = linalg.matmul ins(%a, %b : tensor<103x97xf32>, tensor<97x101xf32>) outs(%z : tensor<103x101xf32>) -> tensor<103x101xf32>
  return %r : tensor<103x101xf32>
}

// CHECK-LABEL: transform.sched.function @vector in
// CHECK-NEXT:  transform.sched.sample_categorical "matmul.piece" in %f{{[0-9]+}} candidates [{{.*}}] decision 8
// CHECK-NEXT:  transform.sched.sample_categorical "matmul.rows" in %f{{[0-9]+}} candidates [{{.*}}] decision 8
// CHECK-NEXT:  transform.sched.split "matmul:j" in %f{{[0-9]+}} factors "-1, $matmul.piece, 64"
// CHECK-NEXT:  transform.sched.split "matmul:k" in %f{{[0-9]+}} factors "-1, $matmul.rows"
// CHECK-NEXT:  transform.sched.reorder ["matmul:i", "matmul:j.0", "matmul:k.0", "matmul:j.1", "matmul:k.1", "matmul:j.2"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.vectorize "matmul:j.2" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.unroll "matmul:k.1" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.parallel "matmul:j.0" in %f{{[0-9]+}}
// CHECK-NEXT:  {{transform.yield|%f}}
// DUMP-LABEL: function vector:
// DUMP:       group matmul
// DUMP:       35 x86.product.vector_matrix: chosen
func.func @vector(%a: tensor<1x1000xf32>, %b: tensor<1000x1000xf32>) -> tensor<1x1000xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x1000xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x1000xf32>) -> tensor<1x1000xf32>
  %r = linalg.matmul ins(%a, %b : tensor<1x1000xf32>, tensor<1000x1000xf32>) outs(%z : tensor<1x1000xf32>) -> tensor<1x1000xf32>
  return %r : tensor<1x1000xf32>
}

// CHECK-LABEL: transform.sched.function @relu in
// CHECK-NEXT:  transform.sched.sample_categorical "matmul.columns" in %f{{[0-9]+}} candidates [{{.*}}] decision 64
// CHECK-NEXT:  transform.sched.sample_categorical "matmul.rows" in %f{{[0-9]+}} candidates [{{.*}}] decision 6
// CHECK-NEXT:  transform.sched.cache_read "matmul" in %f{{[0-9]+}} buffer "arg1" scope "global" consumers ["matmul"]
// CHECK-NEXT:  transform.sched.split "matmul:i" in %f{{[0-9]+}} factors "-1, $matmul.rows"
// CHECK-NEXT:  transform.sched.split "matmul:j" in %f{{[0-9]+}} factors "-1, $matmul.columns"
// CHECK-NEXT:  transform.sched.reorder ["matmul:j.0", "matmul:i.0", "matmul:k", "matmul:i.1", "matmul:j.1"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.vectorize "matmul:j.1" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.unroll "matmul:i.1" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.reverse_compute_at "max" in %f{{[0-9]+}} loop "matmul:i.0"
// CHECK-NEXT:  transform.sched.vectorize "max:j" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.unroll "max:i" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.compute_at "arg1_global_temp_buffer" in %f{{[0-9]+}} loop "matmul:j.0"
// CHECK-NEXT:  transform.sched.vectorize "arg1_global_temp_buffer:cache_ax1" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.parallel "matmul:j.0" in %f{{[0-9]+}}
// CHECK-NEXT:  {{transform.yield|%f}}
// DUMP-LABEL: function relu:
// DUMP:       group matmul, max
// DUMP:       50 x86.product.packed: chosen
func.func @relu(%a: tensor<960x960xf32>, %b: tensor<960x960xf32>, %c: tensor<960xf32>) -> tensor<960x960xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<960x960xf32>
  %z = linalg.fill ins(%zero : f32) outs(%empty : tensor<960x960xf32>) -> tensor<960x960xf32>
  %p = linalg.matmul ins(%a, %b : tensor<960x960xf32>, tensor<960x960xf32>) outs(%z : tensor<960x960xf32>) -> tensor<960x960xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%p, %c : tensor<960x960xf32>, tensor<960xf32>) outs(%empty : tensor<960x960xf32>) {
  ^bb0(%u: f32, %v: f32, %out: f32):
    %s = arith.addf %u, %v : f32
    %m = arith.maximumf %s, %zero : f32
    linalg.yield %m : f32
  } -> tensor<960x960xf32>
  return %r : tensor<960x960xf32>
}

// Two threads have six products each.
// CHECK-LABEL: transform.sched.function @batch in
// CHECK-NEXT:  transform.sched.sample_categorical "batch_matmul.columns" in %f{{[0-9]+}} candidates [{{.*}}] decision 64
// CHECK-NEXT:  transform.sched.sample_categorical "batch_matmul.rows" in %f{{[0-9]+}} candidates [{{.*}}] decision 6
// CHECK-NEXT:  transform.sched.split "batch_matmul:j" in %f{{[0-9]+}} factors "-1, $batch_matmul.rows"
// CHECK-NEXT:  transform.sched.split "batch_matmul:k" in %f{{[0-9]+}} factors "-1, $batch_matmul.columns"
// CHECK-NEXT:  transform.sched.reorder ["batch_matmul:i", "batch_matmul:j.0", "batch_matmul:k.0", "batch_matmul:l", "batch_matmul:j.1", "batch_matmul:k.1"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.vectorize "batch_matmul:k.1" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.unroll "batch_matmul:j.1" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.parallel "batch_matmul:i" in %f{{[0-9]+}}
// CHECK-NEXT:  {{transform.yield|%f}}
// DUMP-LABEL: function batch:
// DUMP:       group batch_matmul
// DUMP:       40 x86.product.tiled: chosen
func.func @batch(%a: tensor<12x512x64xf32>, %b: tensor<12x64x512xf32>) -> tensor<12x512x512xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<12x512x512xf32>
  %z = linalg.fill ins(%zero : f32) outs(%empty : tensor<12x512x512xf32>) -> tensor<12x512x512xf32>
  %r = linalg.batch_matmul ins(%a, %b : tensor<12x512x64xf32>, tensor<12x64x512xf32>) outs(%z : tensor<12x512x512xf32>) -> tensor<12x512x512xf32>
  return %r : tensor<12x512x512xf32>
}

// Of nine products, one thread would have five: the tiles of rows of each are shared.
// CHECK-LABEL: transform.sched.function @nine in
// CHECK:       transform.sched.parallel "batch_matmul:j.0" in %f{{[0-9]+}}
func.func @nine(%a: tensor<9x512x64xf32>, %b: tensor<9x64x512xf32>) -> tensor<9x512x512xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<9x512x512xf32>
  %z = linalg.fill ins(%zero : f32) outs(%empty : tensor<9x512x512xf32>) -> tensor<9x512x512xf32>
  %r = linalg.batch_matmul ins(%a, %b : tensor<9x512x64xf32>, tensor<9x64x512xf32>) outs(%z : tensor<9x512x512xf32>) -> tensor<9x512x512xf32>
  return %r : tensor<9x512x512xf32>
}

// Tiles of rows would be too few for the threads.
// CHECK-LABEL: transform.sched.function @wide in
// CHECK:       transform.sched.reorder ["matmul:j.0", "matmul:i.0", "matmul:k", "matmul:i.1", "matmul:j.1"] in %f{{[0-9]+}}
// CHECK:       transform.sched.parallel "matmul:j.0" in %f{{[0-9]+}}
// CHECK-NEXT:  {{transform.yield|%f}}
// DUMP-LABEL: function wide:
// DUMP:       40 x86.product.tiled: chosen
func.func @wide(%a: tensor<24x64xf32>, %b: tensor<64x4096xf32>) -> tensor<24x4096xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<24x4096xf32>
  %z = linalg.fill ins(%zero : f32) outs(%empty : tensor<24x4096xf32>) -> tensor<24x4096xf32>
  %r = linalg.matmul ins(%a, %b : tensor<24x64xf32>, tensor<64x4096xf32>) outs(%z : tensor<24x4096xf32>) -> tensor<24x4096xf32>
  return %r : tensor<24x4096xf32>
}

// CHECK-LABEL: transform.sched.function @conv in
// CHECK-NEXT:  transform.sched.sample_categorical "pad.width" in %f{{[0-9]+}} candidates [{{.*}}] decision 32
// CHECK-NEXT:  transform.sched.vectorize "pad:l" in %f{{[0-9]+}} factor "$pad.width"
// CHECK-NEXT:  transform.sched.fuse ["pad:i", "pad:j"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.parallel "pad:i_j_fused" in %f{{[0-9]+}}
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
// DUMP-LABEL: function conv:
// DUMP:       group pad
// DUMP:       10 x86.elementwise: chosen
// DUMP:       group conv_2d_nchw_fchw
// DUMP:       45 x86.product.transposed: chosen
func.func @conv(%x: tensor<1x64x56x56xf32>, %k: tensor<64x64x3x3xf32>) -> tensor<1x64x56x56xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%n: index, %c: index, %h: index, %w: index):
    tensor.yield %zero : f32
  } : tensor<1x64x56x56xf32> to tensor<1x64x58x58xf32>
  %empty = tensor.empty() : tensor<1x64x56x56xf32>
  %z = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%p, %k : tensor<1x64x58x58xf32>, tensor<64x64x3x3xf32>) outs(%z : tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32>
  return %r : tensor<1x64x56x56xf32>
}

// CHECK-LABEL: transform.sched.function @deep in
// CHECK-NEXT:  transform.sched.sample_categorical "matmul.columns" in %f{{[0-9]+}} candidates [{{.*}}] decision 64
// CHECK-NEXT:  transform.sched.sample_categorical "matmul.rows" in %f{{[0-9]+}} candidates [{{.*}}] decision 5
// CHECK-NEXT:  transform.sched.sample_categorical "matmul.depth" in %f{{[0-9]+}} candidates [{{.*}}] decision 1000
// CHECK-NEXT:  transform.sched.cache_read "matmul" in %f{{[0-9]+}} buffer "arg1" scope "global" consumers ["matmul"]
// CHECK-NEXT:  transform.sched.split "matmul:i" in %f{{[0-9]+}} factors "-1, $matmul.rows"
// CHECK-NEXT:  transform.sched.split "matmul:j" in %f{{[0-9]+}} factors "-1, $matmul.columns"
// CHECK-NEXT:  transform.sched.split "matmul:k" in %f{{[0-9]+}} factors "-1, $matmul.depth"
// CHECK-NEXT:  transform.sched.reorder ["matmul:j.0", "matmul:k.0", "matmul:i.0", "matmul:k.1", "matmul:i.1", "matmul:j.1"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.vectorize "matmul:j.1" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.unroll "matmul:i.1" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.reverse_compute_at "add" in %f{{[0-9]+}} loop "matmul:j.0"
// CHECK-NEXT:  transform.sched.vectorize "add:j" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.compute_at "arg1_global_temp_buffer" in %f{{[0-9]+}} loop "matmul:k.0"
// CHECK-NEXT:  transform.sched.vectorize "arg1_global_temp_buffer:cache_ax1" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.parallel "matmul:j.0" in %f{{[0-9]+}}
// CHECK-NEXT:  {{transform.yield|%f}}
// DUMP-LABEL: function deep:
// DUMP:       group matmul, add
// DUMP:       50 x86.product.packed: chosen
func.func @deep(%a: tensor<100x4000xf32>, %b: tensor<4000x300xf32>, %c: tensor<300xf32>) -> tensor<100x300xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<100x300xf32>
  %z = linalg.fill ins(%zero : f32) outs(%empty : tensor<100x300xf32>) -> tensor<100x300xf32>
  %p = linalg.matmul ins(%a, %b : tensor<100x4000xf32>, tensor<4000x300xf32>) outs(%z : tensor<100x300xf32>) -> tensor<100x300xf32>
  %o = tensor.empty() : tensor<100x300xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%p, %c : tensor<100x300xf32>, tensor<300xf32>) outs(%o : tensor<100x300xf32>) {
  ^bb0(%x: f32, %y: f32, %_: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<100x300xf32>
  return %r : tensor<100x300xf32>
}

// CHECK-LABEL: transform.sched.function @few_rows in
// CHECK-NEXT:  transform.sched.sample_categorical "matmul.columns" in %f{{[0-9]+}} candidates [{{.*}}] decision 48
// CHECK-NEXT:  transform.sched.sample_categorical "matmul.rows" in %f{{[0-9]+}} candidates [{{.*}}] decision 8
// CHECK-NEXT:  transform.sched.split "matmul:i" in %f{{[0-9]+}} factors "-1, $matmul.rows"
// CHECK-NEXT:  transform.sched.split "matmul:j" in %f{{[0-9]+}} factors "-1, $matmul.columns"
// CHECK-NEXT:  transform.sched.reorder ["matmul:j.0", "matmul:i.0", "matmul:k", "matmul:i.1", "matmul:j.1"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.vectorize "matmul:j.1" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.unroll "matmul:i.1" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.parallel "matmul:j.0" in %f{{[0-9]+}}
// CHECK-NEXT:  {{transform.yield|%f}}
// DUMP-LABEL: function few_rows:
// DUMP:       group matmul
// DUMP:       40 x86.product.tiled: chosen
func.func @few_rows(%a: tensor<64x1000xf32>, %b: tensor<1000x1000xf32>) -> tensor<64x1000xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x1000xf32>
  %z = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x1000xf32>) -> tensor<64x1000xf32>
  %p = linalg.matmul ins(%a, %b : tensor<64x1000xf32>, tensor<1000x1000xf32>) outs(%z : tensor<64x1000xf32>) -> tensor<64x1000xf32>
  return %p : tensor<64x1000xf32>
}

// What follows a product of one row is computed for each piece of results.
// CHECK-LABEL: transform.sched.function @row_and_bias in
// CHECK:       transform.sched.reverse_compute_at "add" in %f{{[0-9]+}} loop "matmul:j.0"
// CHECK-NEXT:  transform.sched.vectorize "add:j" in %f{{[0-9]+}}
// DUMP-LABEL: function row_and_bias:
// DUMP:       group matmul, add
// DUMP:       35 x86.product.vector_matrix: chosen
func.func @row_and_bias(%a: tensor<1x4096xf32>, %b: tensor<4096x4096xf32>, %c: tensor<1x4096xf32>) -> tensor<1x4096xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4096xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4096xf32>) -> tensor<1x4096xf32>
  %p = linalg.matmul ins(%a, %b : tensor<1x4096xf32>, tensor<4096x4096xf32>) outs(%z : tensor<1x4096xf32>) -> tensor<1x4096xf32>
  %r = linalg.add ins(%p, %c : tensor<1x4096xf32>, tensor<1x4096xf32>) outs(%e : tensor<1x4096xf32>) -> tensor<1x4096xf32>
  return %r : tensor<1x4096xf32>
}

// A product with few columns has no strategy. What follows it is then scheduled alone.
// DUMP-LABEL: function few_columns:
// DUMP-NEXT:  group matmul, map
// DUMP-NOT:   chosen
// DUMP:       group matmul{{$}}
// DUMP-NOT:   chosen
// DUMP:       group map
// DUMP:       10 x86.elementwise: chosen
func.func @few_columns(%a: tensor<512x64xf32>, %b: tensor<64x3xf32>) -> tensor<512x3xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512x3xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<512x3xf32>) -> tensor<512x3xf32>
  %p = linalg.matmul ins(%a, %b : tensor<512x64xf32>, tensor<64x3xf32>) outs(%z : tensor<512x3xf32>) -> tensor<512x3xf32>
  %r = linalg.map ins(%p : tensor<512x3xf32>) outs(%e : tensor<512x3xf32>)
    (%v: f32, %o: f32) {
      %m = math.exp %v : f32
      linalg.yield %m : f32
    }
  return %r : tensor<512x3xf32>
}

// The number of rows is known at run time: tiles, of which the last one may be partial, and another schedule for a single row. There may be
// only one tile of rows, so threads share the columns.
// CHECK-LABEL: transform.sched.function @unknown_rows in
// CHECK-NEXT:  transform.sched.specialize "matmul:i" in %f{{[0-9]+}} condition "dim(arg0, 0) >= 2"
// CHECK-NEXT:  transform.sched.sample_categorical "matmul.columns" in %f{{[0-9]+}} candidates [{{.*}}] decision 64
// CHECK-NEXT:  transform.sched.sample_categorical "matmul.rows" in %f{{[0-9]+}} candidates [{{.*}}] decision 6
// CHECK-NEXT:  transform.sched.split "matmul:i" in %f{{[0-9]+}} factors "-1, $matmul.rows"
// CHECK-NEXT:  transform.sched.split "matmul:j" in %f{{[0-9]+}} factors "-1, $matmul.columns"
// CHECK:       transform.sched.parallel "matmul:j.0" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.sample_categorical "matmul.else.piece" in %f{{[0-9]+}} candidates [1, 2, 4] decision 2
// CHECK-NEXT:  transform.sched.sample_categorical "matmul.else.rows" in %f{{[0-9]+}} candidates [1, 2, 4, 8, 16] decision 8
// CHECK-NEXT:  transform.sched.split "matmul.else:j" in %f{{[0-9]+}} factors "-1, $matmul.else.piece, 64"
// CHECK:       transform.sched.unroll "matmul.else:k.1" in %f{{[0-9]+}}
// DUMP-LABEL: function unknown_rows:
// DUMP:       50 x86.product.packed: the factor to pack fits in half of the second-level cache
// DUMP:       40 x86.product.tiled: chosen if dim(arg0, 0) >= 2
// DUMP:       35 x86.product.vector_matrix: chosen for all other sizes
func.func @unknown_rows(%a: tensor<?x256xf32>, %b: tensor<256x256xf32>) -> tensor<?x256xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c0 : tensor<?x256xf32>
  %e = tensor.empty(%m) : tensor<?x256xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x256xf32>) -> tensor<?x256xf32>
  %r = linalg.matmul ins(%a, %b : tensor<?x256xf32>, tensor<256x256xf32>) outs(%z : tensor<?x256xf32>) -> tensor<?x256xf32>
  return %r : tensor<?x256xf32>
}

// A large matrix is packed for many rows: three branches.
// DUMP-LABEL: function unknown_rows_of_a_large_matrix:
// DUMP:       50 x86.product.packed: chosen if dim(arg0, 0) >= 65
// DUMP:       40 x86.product.tiled: chosen if dim(arg0, 0) >= 2
// DUMP:       35 x86.product.vector_matrix: chosen for all other sizes
func.func @unknown_rows_of_a_large_matrix(%a: tensor<?x1024xf32>, %b: tensor<1024x1024xf32>) -> tensor<?x1024xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c0 : tensor<?x1024xf32>
  %e = tensor.empty(%m) : tensor<?x1024xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x1024xf32>) -> tensor<?x1024xf32>
  %r = linalg.matmul ins(%a, %b : tensor<?x1024xf32>, tensor<1024x1024xf32>) outs(%z : tensor<?x1024xf32>) -> tensor<?x1024xf32>
  return %r : tensor<?x1024xf32>
}
