// Windows: a pooling and a depthwise convolution are one kernel with what follows; a thread reduces its windows.
// RUN: lw-run %s --target sm_80 --compile-to schedule | FileCheck %s
// RUN: lw-run %s --target sm_80 --compile-to schedule --dump-strategy 2>&1 >/dev/null | FileCheck %s --check-prefix=DUMP
// RUN: lw-run %s --entry depthwise --input random:1 --output %t.npy
// RUN: lw-run %s --entry depthwise --input random:1 --target sm_80 --device emulator --check %t.npy
// RUN: lw-run %s --entry pooling --input random:1 --output %t.npy
// RUN: lw-run %s --entry pooling --input random:1 --target sm_90a --device emulator --check %t.npy

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
