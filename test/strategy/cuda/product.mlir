// Matrix products: tiles in shared memory and registers; epilogues fused with the stores; batches; partial tiles;
// convolutions; small products.
// RUN: lw-run %s --target sm_80 --compile-to schedule | FileCheck %s
// RUN: lw-run %s --target sm_80 --compile-to schedule --dump-strategy 2>&1 >/dev/null | FileCheck %s --check-prefix=DUMP
// RUN: lw-run %s --target sm_80 --print-schedule | FileCheck %s --check-prefix=STEPS

// DUMP-LABEL: function whole:
// DUMP:        40 nvptx.product: chosen
// CHECK-LABEL: func.func @whole(
// CHECK:       loop.buffer "arg0_global_temp_buffer" scope(shared)
// CHECK:       loop.buffer "arg1_global_temp_buffer" scope(shared)
// CHECK:       scope(local)
// CHECK:       loop.for thread_bind[blockIdx.y]
// CHECK-NEXT:    loop.for thread_bind[blockIdx.x]
// The sums start in each thread. All threads copy vectors of the operands of the first step of the reduction; in each step
// they copy those of the next one, and multiply these.
// CHECK:           loop.for thread_bind[threadIdx.y]
// CHECK-NEXT:        loop.for thread_bind[threadIdx.x]
// CHECK:           loop.block "arg0_global_temp_buffer.prologue"
// CHECK:           loop.block "arg1_global_temp_buffer.prologue"
// CHECK:           loop.sync
// CHECK:           loop.for serial %k.0 in 3
// CHECK:             loop.for vectorize
// CHECK-NEXT:          loop.block "arg0_global_temp_buffer"
// CHECK:             loop.for vectorize
// CHECK-NEXT:          loop.block "arg1_global_temp_buffer"
// CHECK:             loop.for thread_bind[threadIdx.y]
// CHECK:             loop.for unroll %k.1
// CHECK:             loop.block "out_global_temp_buffer"
// CHECK:             loop.sync
// CHECK:           loop.block "out_global_temp_buffer.epilogue"
// CHECK:           loop.for vectorize
// CHECK-NEXT:        loop.block "matmul"
// STEPS-LABEL: transform.sched.function @whole in
// STEPS:       transform.sched.cache_read "matmul"
// STEPS:       transform.sched.cache_write
// STEPS:       transform.sched.decompose_reduction
// STEPS:       transform.sched.sync_threads
func.func @whole(%a: tensor<128x64xf32>, %b: tensor<64x128xf32>) -> tensor<128x128xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x128xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<128x128xf32>) -> tensor<128x128xf32>
  %r = linalg.matmul ins(%a, %b : tensor<128x64xf32>, tensor<64x128xf32>) outs(%z : tensor<128x128xf32>) -> tensor<128x128xf32>
  return %r : tensor<128x128xf32>
}

// Partial tiles are padded in shared memory. Bias and relu are applied at the stores: one kernel.
// DUMP-LABEL: function odd_with_bias:
// DUMP:        40 nvptx.product: chosen
// CHECK-LABEL: func.func @odd_with_bias(
// CHECK:       thread_bind[blockIdx.x]
// CHECK-NOT:   thread_bind[blockIdx.x]
// CHECK:         arith.maximumf
func.func @odd_with_bias(%a: tensor<70x33xf32>, %b: tensor<33x51xf32>, %c: tensor<51xf32>) -> tensor<70x51xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<70x51xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<70x51xf32>) -> tensor<70x51xf32>
  %r = linalg.matmul ins(%a, %b : tensor<70x33xf32>, tensor<33x51xf32>) outs(%z : tensor<70x51xf32>) -> tensor<70x51xf32>
  %s = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%r, %c : tensor<70x51xf32>, tensor<51xf32>) outs(%e : tensor<70x51xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %sum = arith.addf %x, %y : f32
    %relu = arith.maximumf %sum, %zero : f32
    linalg.yield %relu : f32
  } -> tensor<70x51xf32>
  return %s : tensor<70x51xf32>
}

// DUMP-LABEL: function batches:
// DUMP:        40 nvptx.product: chosen
// CHECK-LABEL: func.func @batches(
// CHECK:       loop.for thread_bind[blockIdx.z] %{{.*}} in 3
// CHECK-NEXT:    loop.for thread_bind[blockIdx.y]
// CHECK-NEXT:      loop.for thread_bind[blockIdx.x]
func.func @batches(%a: tensor<3x64x32xf32>, %b: tensor<3x32x64xf32>) -> tensor<3x64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x64x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<3x64x64xf32>) -> tensor<3x64x64xf32>
  %r = linalg.batch_matmul ins(%a, %b : tensor<3x64x32xf32>, tensor<3x32x64xf32>) outs(%z : tensor<3x64x64xf32>) -> tensor<3x64x64xf32>
  return %r : tensor<3x64x64xf32>
}

// A matrix of patches exists only in shared memory, tile by tile.
// DUMP-LABEL: function convolution:
// DUMP:        40 nvptx.product: chosen
// CHECK-LABEL: func.func @convolution(
// CHECK-NOT:    scope(global)
// CHECK-COUNT-1: thread_bind[blockIdx.x]
// CHECK-NOT:    thread_bind[blockIdx.x]
func.func @convolution(%a: tensor<2x10x10x8xf32>, %b: tensor<3x3x8x16xf32>) -> tensor<2x8x8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x8x8x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x8x8x16xf32>) -> tensor<2x8x8x16xf32>
  %r = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%a, %b : tensor<2x10x10x8xf32>, tensor<3x3x8x16xf32>) outs(%z : tensor<2x8x8x16xf32>) -> tensor<2x8x8x16xf32>
  return %r : tensor<2x8x8x16xf32>
}

// DUMP-LABEL: function few_rows:
// DUMP:        40 nvptx.product: only 3 rows
// CHECK-LABEL: func.func @few_rows(
func.func @few_rows(%a: tensor<3x64xf32>, %b: tensor<64x128xf32>) -> tensor<3x128xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x128xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<3x128xf32>) -> tensor<3x128xf32>
  %r = linalg.matmul ins(%a, %b : tensor<3x64xf32>, tensor<64x128xf32>) outs(%z : tensor<3x128xf32>) -> tensor<3x128xf32>
  return %r : tensor<3x128xf32>
}

// Sums start from a bias: it is read at their start, although tiles are partial, and there is one kernel.
// DUMP-LABEL: function convolution_with_bias:
// DUMP-NEXT:    group conv
// DUMP-NEXT:        40 nvptx.product: chosen
// CHECK-LABEL: func.func @convolution_with_bias(
// CHECK-NOT:   scope(global)
// CHECK:       loop.block "{{.*}}__reduce_init"
// CHECK:         memref.load %arg2
// CHECK-NOT:   blockIdx.x
// CHECK:       return
func.func @convolution_with_bias(%x: tensor<1x3x18x18xf32>, %w: tensor<20x3x3x3xf32>, %c: tensor<20xf32>) -> tensor<1x20x16x16xf32> {
  %e = tensor.empty() : tensor<1x20x16x16xf32>
  %b = linalg.broadcast ins(%c : tensor<20xf32>) outs(%e : tensor<1x20x16x16xf32>) dimensions = [0, 2, 3]
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x18x18xf32>, tensor<20x3x3x3xf32>)
      outs(%b : tensor<1x20x16x16xf32>) -> tensor<1x20x16x16xf32>
  return %r : tensor<1x20x16x16xf32>
}

// Factors may be narrower than sums.
// DUMP-LABEL: function mixed:
// DUMP:        40 nvptx.product: chosen
func.func @mixed(%a: tensor<64x64xf16>, %b: tensor<64x64xf16>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %r = linalg.matmul ins(%a, %b : tensor<64x64xf16>, tensor<64x64xf16>) outs(%z : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

// A product without batches, of a value that is computed before.
// CHECK-LABEL: func.func @empty(
// CHECK:       return
func.func @empty(%a: tensor<7x0x17x5xf32>, %b: tensor<0x5x11xf32>) -> tensor<0x17x11xf32> {
  %x = graph.reduce max %a dims = [0] : tensor<7x0x17x5xf32> -> tensor<0x17x5xf32>
  %y = graph.matmul %x, %b : tensor<0x17x5xf32>, tensor<0x5x11xf32> -> tensor<0x17x11xf32>
  return %y : tensor<0x17x11xf32>
}
