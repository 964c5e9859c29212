// A product with few results and a long sum: thread blocks compute parts of each sum, and a second kernel adds the parts.
// RUN: lw-run %s --target sm_80 --fp reassoc --compile-to schedule | FileCheck %s
// RUN: lw-run %s --target sm_80 --compile-to schedule | FileCheck %s --check-prefix=STRICT
// RUN: lw-run %s --entry matrix --input random:1 --output %t.npy
// RUN: lw-run %s --entry matrix --input random:1 --target sm_80 --device emulator --fp reassoc --check %t.npy
// RUN: lw-run %s --entry convolution --input random:1 --output %t.npy
// RUN: lw-run %s --entry convolution --input random:1 --target sm_90a --device emulator --fp fast --check %t.npy

// STRICT-NOT: "rf_

// The operands of the next step of a part are copied while those of this step are multiplied.
// CHECK-LABEL: func.func @matrix(
// CHECK:       loop.buffer "arg0_global_temp_buffer" scope(shared) : memref<2x
// CHECK:       loop.buffer "arg1_global_temp_buffer" scope(shared) : memref<2x
// CHECK:       loop.for thread_bind[blockIdx.z] %{{.*}} in [[PARTS:[0-9]+]] axis
// CHECK:       loop.block "arg1_global_temp_buffer.prologue"
// CHECK:       loop.block "arg1_global_temp_buffer"
// CHECK:         attributes {loop.annotations = {async_copy = true}}
// CHECK:       loop.for unroll %k.1.1
// The second kernel applies the bias and the maximum.
// CHECK:       loop.for thread_bind[blockIdx.x]
// CHECK-NEXT:    loop.for thread_bind[threadIdx.x]
// CHECK-NEXT:      loop.for serial %k.0 in [[PARTS]]
// CHECK:             vectorize
// CHECK:         arith.maximumf
func.func @matrix(%a: tensor<64x1024xf32>, %b: tensor<1024x64xf32>, %c: tensor<64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %p = linalg.matmul ins(%a, %b : tensor<64x1024xf32>, tensor<1024x64xf32>) outs(%z : tensor<64x64xf32>) -> tensor<64x64xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%p, %c : tensor<64x64xf32>, tensor<64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    %m = arith.maximumf %s, %zero : f32
    linalg.yield %m : f32
  } -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

// Results are scattered from the matrix of the sums.
// CHECK-LABEL: func.func @convolution(
// CHECK:       thread_bind[blockIdx.z]
// CHECK:       thread_bind[blockIdx.x]
// CHECK:       arith.maximumf
func.func @convolution(%x: tensor<1x64x9x9xf32>, %k: tensor<37x64x3x3xf32>) -> tensor<1x37x7x7xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x37x7x7xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x37x7x7xf32>) -> tensor<1x37x7x7xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%x, %k : tensor<1x64x9x9xf32>, tensor<37x64x3x3xf32>)
      outs(%z : tensor<1x37x7x7xf32>) -> tensor<1x37x7x7xf32>
  %m = linalg.max ins(%r, %z : tensor<1x37x7x7xf32>, tensor<1x37x7x7xf32>) outs(%e : tensor<1x37x7x7xf32>) -> tensor<1x37x7x7xf32>
  return %m : tensor<1x37x7x7xf32>
}
