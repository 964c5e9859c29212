// Buffers that are read along one dimension and written along another go through shared memory, tile by tile; buffers
// that are read and written along the same dimension do not.
// RUN: lw-run %s --target sm_80 --compile-to schedule | FileCheck %s
// RUN: lw-run %s --target sm_80 --compile-to schedule --dump-strategy 2>&1 >/dev/null | FileCheck %s --check-prefix=DUMP

// DUMP-LABEL: function plane:
// DUMP:         20 nvptx.transpose: chosen
// CHECK-LABEL: func.func @plane(
// CHECK:       loop.buffer "arg0_global_temp_buffer" scope(shared)
// CHECK:       loop.for thread_bind[blockIdx.y]
// CHECK-NEXT:    loop.for thread_bind[blockIdx.x]
// CHECK:           loop.for thread_bind[threadIdx.x] %{{.*}} in 256
// CHECK-NEXT:        loop.for vectorize %{{.*}} in 4
// CHECK-NEXT:          loop.block "arg0_global_temp_buffer"
// CHECK:           loop.sync
// CHECK:           loop.for thread_bind[threadIdx.x] %{{.*}} in 256
// CHECK-NEXT:        loop.for vectorize %{{.*}} in 4
// CHECK-NEXT:          loop.block "transpose"
func.func @plane(%x: tensor<128x64xf32>) -> tensor<64x128xf32> {
  %e = tensor.empty() : tensor<64x128xf32>
  %r = linalg.transpose ins(%x : tensor<128x64xf32>) outs(%e : tensor<64x128xf32>) permutation = [1, 0]
  return %r : tensor<64x128xf32>
}

// Both transposed buffers have a tile, and other reads are direct; unchanged dimensions are thread blocks.
// DUMP-LABEL: function sum_of_turned:
// DUMP:         20 nvptx.transpose: chosen
// CHECK-LABEL: func.func @sum_of_turned(
// CHECK-DAG:   loop.buffer "arg0_global_temp_buffer" scope(shared)
// CHECK-DAG:   loop.buffer "arg1_global_temp_buffer" scope(shared)
// CHECK:       loop.for thread_bind[blockIdx.z] %{{.*}} in 3
// CHECK:       loop.sync
// CHECK:       memref.load %arg2
func.func @sum_of_turned(%x: tensor<3x?x?xf32>, %y: tensor<3x?x?xf32>, %z: tensor<3x?x?xf32>, %n: index, %m: index) -> tensor<3x?x?xf32> {
  %e = tensor.empty(%n, %m) : tensor<3x?x?xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(b, i, j) -> (b, j, i)>, affine_map<(b, i, j) -> (b, j, i)>,
                       affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %y, %z : tensor<3x?x?xf32>, tensor<3x?x?xf32>, tensor<3x?x?xf32>) outs(%e : tensor<3x?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    %t = arith.addf %s, %c : f32
    linalg.yield %t : f32
  } -> tensor<3x?x?xf32>
  return %r : tensor<3x?x?xf32>
}

// DUMP-LABEL: function straight:
// DUMP:         20 nvptx.transpose: all loads are contiguous along the loop that stores contiguously
// DUMP:         10 nvptx.elementwise: chosen
func.func @straight(%x: tensor<8x16x32xf32>) -> tensor<16x8x32xf32> {
  %e = tensor.empty() : tensor<16x8x32xf32>
  %r = linalg.transpose ins(%x : tensor<8x16x32xf32>) outs(%e : tensor<16x8x32xf32>) permutation = [1, 0, 2]
  return %r : tensor<16x8x32xf32>
}

// If only one side has whole vectors, elements go to shared memory one by one, without bank conflicts in a warp.
// DUMP-LABEL: function odd:
// DUMP:         20 nvptx.transpose: chosen
// CHECK-LABEL: func.func @odd(
// CHECK-DAG:   scope(shared)
// CHECK-DAG:   scope(local)
// CHECK:       loop.for thread_bind[threadIdx.x]
// CHECK-NEXT:    loop.for vectorize %{{.*}} in 4
// CHECK:         loop.for unroll %{{.*}} in 4
// CHECK:       loop.sync
func.func @odd(%x: tensor<31x64xf32>) -> tensor<64x31xf32> {
  %e = tensor.empty() : tensor<64x31xf32>
  %r = linalg.transpose ins(%x : tensor<31x64xf32>) outs(%e : tensor<64x31xf32>) permutation = [1, 0]
  return %r : tensor<64x31xf32>
}

// Rows of 7 pixels are too short for a warp: a tile has 4 of them. Copying threads stay in rows of 8.
// DUMP-LABEL: function images:
// DUMP:         20 nvptx.transpose: chosen
// CHECK-LABEL: func.func @images(
// CHECK:       loop.for thread_bind[blockIdx.z] %{{.*}} in 4
// CHECK-NEXT:    loop.for thread_bind[blockIdx.y] %{{.*}} in 2
// CHECK:           loop.for thread_bind[threadIdx.x] %{{.*}} in 256
// CHECK-NEXT:        loop.for vectorize
// CHECK:           loop.sync
// CHECK:           loop.for thread_bind[threadIdx.x] %{{.*}} in 256
func.func @images(%x: tensor<2x7x7x64xf32>) -> tensor<2x64x7x7xf32> {
  %e = tensor.empty() : tensor<2x64x7x7xf32>
  %r = linalg.transpose ins(%x : tensor<2x7x7x64xf32>) outs(%e : tensor<2x64x7x7xf32>) permutation = [0, 3, 1, 2]
  return %r : tensor<2x64x7x7xf32>
}

// The sides of a tile are limited by the number of banks: for longer ones, lanes would access halves of vectors.
// DUMP-LABEL: function wide:
// DUMP:         20 nvptx.transpose: chosen
// CHECK-LABEL: func.func @wide(
// CHECK:       loop.for thread_bind[blockIdx.y] %{{.*}} in 8
// CHECK-NEXT:    loop.for thread_bind[blockIdx.x] %{{.*}} in 4
// CHECK:           loop.for thread_bind[threadIdx.x] %{{.*}} in 128
// CHECK-NEXT:        loop.for vectorize %{{.*}} in 2
func.func @wide(%x: tensor<64x128xf64>) -> tensor<128x64xf64> {
  %e = tensor.empty() : tensor<128x64xf64>
  %r = linalg.transpose ins(%x : tensor<64x128xf64>) outs(%e : tensor<128x64xf64>) permutation = [1, 0]
  return %r : tensor<128x64xf64>
}
