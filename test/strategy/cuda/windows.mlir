// Windows: a pooling and a depthwise convolution are one kernel with what follows; a thread reduces its windows.
// RUN: lw-run %s --target sm_80 --compile-to schedule | FileCheck %s
// RUN: lw-run %s --target sm_80 --compile-to schedule --dump-strategy 2>&1 >/dev/null | FileCheck %s --check-prefix=DUMP
// RUN: lw-run %s --entry depthwise --input random:1 --output %t.npy
// RUN: lw-run %s --entry depthwise --input random:1 --target sm_80 --device emulator --check %t.npy
// RUN: lw-run %s --entry pooling --input random:1 --output %t.npy
// RUN: lw-run %s --entry pooling --input random:1 --target sm_90a --device emulator --check %t.npy
// RUN: lw-run %s --entry rows --output %t.x.npy
// RUN: lw-run %s --entry of_unknown_size --input %t.x.npy --output %t.npy
// RUN: lw-run %s --entry of_unknown_size --input %t.x.npy --target sm_80 --device emulator --check %t.npy
// RUN: lw-run %s --entry single --input random:1 --output %t.npy
// RUN: lw-run %s --entry single --input random:1 --target sm_80 --device emulator --check %t.npy

// DUMP-LABEL: function depthwise:
// DUMP:       group depthwise_conv_2d_nchw_chw, max
// DUMP:        31 nvptx.windows: chosen
// CHECK-LABEL: func.func @depthwise(
// CHECK:       thread_bind[blockIdx.x]
// CHECK-NEXT:    thread_bind[threadIdx.x]
// CHECK:           loop.for serial
// CHECK:           arith.maximumf
// CHECK-NOT:   thread_bind[blockIdx.x]
// CHECK:       return
func.func @depthwise(%x: tensor<1x32x14x14xf32>, %k: tensor<32x3x3xf32>) -> tensor<1x32x12x12xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x32x12x12xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x32x12x12xf32>) -> tensor<1x32x12x12xf32>
  %r = linalg.depthwise_conv_2d_nchw_chw ins(%x, %k : tensor<1x32x14x14xf32>, tensor<32x3x3xf32>)
      outs(%z : tensor<1x32x12x12xf32>) -> tensor<1x32x12x12xf32>
  %m = linalg.max ins(%r, %z : tensor<1x32x12x12xf32>, tensor<1x32x12x12xf32>) outs(%e : tensor<1x32x12x12xf32>) -> tensor<1x32x12x12xf32>
  return %m : tensor<1x32x12x12xf32>
}

// The results fit in one thread block.
// DUMP-LABEL: function pooling:
// DUMP:        31 nvptx.windows: chosen
// CHECK-LABEL: func.func @pooling(
// CHECK-NOT:   thread_bind[blockIdx.x]
// CHECK:       thread_bind[threadIdx.x] %{{.*}} in 128
func.func @pooling(%x: tensor<1x8x9x9xf32>) -> tensor<1x8x4x4xf32> {
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<1x8x4x4xf32>
  %window = tensor.empty() : tensor<3x3xf32>
  %start = linalg.fill ins(%low : f32) outs(%e : tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32>
  %r = linalg.pooling_nchw_max {strides = dense<2> : vector<2xi64>} ins(%x, %window : tensor<1x8x9x9xf32>, tensor<3x3xf32>)
      outs(%start : tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32>
  return %r : tensor<1x8x4x4xf32>
}

// The number of results is a size plus or less a number, by which thread numbers are divided: a thread keeps one result.
// CHECK-LABEL: func.func @of_unknown_size(
// CHECK:       loop.buffer "{{.*}}" scope(local) (%dim - 1) : memref<2x?x3xf32>
// CHECK:       thread_bind[threadIdx.x]
// CHECK-NEXT:    loop.for serial %{{.*}} in 3 {
// CHECK-NEXT:      loop.block
func.func @of_unknown_size(%x: tensor<2x?x3xf32>) -> tensor<2x?x3xf32> {
  %most = graph.pool max channels_last %x window = [3] strides = [1] low = [1] : tensor<2x?x3xf32> -> tensor<2x?x3xf32>
  %y = graph.neg %most : tensor<2x?x3xf32>
  return %y : tensor<2x?x3xf32>
}

// All elements of a window are reduced to one result, which has no loop that threads could share.
// DUMP-LABEL: function single:
// DUMP:        31 nvptx.windows: {{.*}} has a single result
func.func @single(%a: tensor<7xf32>) -> tensor<1xf32> {
  %x = tensor.extract_slice %a[6] [1] [2] : tensor<7xf32> to tensor<1xf32>
  %y = graph.softmax %x dim = 0 : tensor<1xf32>
  return %y : tensor<1xf32>
}

func.func @rows() -> tensor<2x9x3xf32> {
  %x = graph.iota dim = 1 : tensor<2x9x3xf32>
  return %x : tensor<2x9x3xf32>
}
