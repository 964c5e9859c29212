// Reductions to few values: parts for thread blocks, joined by another kernel; one thread block for short reductions,
// and for each result of a sum over all dimensions but one.
// RUN: lw-run %s --target sm_80 --compile-to schedule | FileCheck %s
// RUN: lw-run %s --target sm_80 --compile-to schedule --dump-strategy 2>&1 >/dev/null | FileCheck %s --check-prefix=DUMP

// DUMP-LABEL: function long:
// DUMP:         35 nvptx.total: chosen
// CHECK-LABEL: func.func @long(
// CHECK:       loop.for thread_bind[blockIdx.x] %{{.*}} in 216
// CHECK-NEXT:    loop.for serial
// CHECK-NEXT:      loop.for thread_bind[threadIdx.x] %{{.*}} in 256
func.func @long(%x: tensor<4000000xf32>) -> tensor<f32> attributes {loop.fp = "reassoc"} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %r = linalg.reduce { arith.addf } ins(%x : tensor<4000000xf32>) outs(%z : tensor<f32>) dimensions = [0]
  return %r : tensor<f32>
}

// The order of a maximum is free.
// DUMP-LABEL: function short:
// DUMP:         35 nvptx.total: chosen
// CHECK-LABEL: func.func @short(
// CHECK:       loop.for serial %{{.*}} in 3 axis
// CHECK-NEXT:    loop.for thread_bind[threadIdx.x] %{{.*}} in 256 axis
// CHECK-NEXT:      loop.for unroll %{{.*}} in 4 axis
func.func @short(%x: tensor<3000xf32>) -> tensor<f32> {
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<f32>
  %z = linalg.fill ins(%low : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %r = linalg.reduce { arith.maximumf } ins(%x : tensor<3000xf32>) outs(%z : tensor<f32>) dimensions = [0]
  return %r : tensor<f32>
}

// DUMP-LABEL: function few:
// DUMP:         35 nvptx.total: its rows are too short to split
// CHECK-LABEL: func.func @few(
// CHECK:       loop.for thread_bind[threadIdx.x] %{{.*}} in 1 {
func.func @few(%x: tensor<5xf32>) -> tensor<f32> {
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<f32>
  %z = linalg.fill ins(%low : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %r = linalg.reduce { arith.maximumf } ins(%x : tensor<5xf32>) outs(%z : tensor<f32>) dimensions = [0]
  return %r : tensor<f32>
}

// The second dimension of four is kept; it is larger than the number of multiprocessors.
// DUMP-LABEL: function channels:
// DUMP:         35 nvptx.total: chosen
// CHECK-LABEL: func.func @channels(
// CHECK:       loop.for thread_bind[blockIdx.x] %{{.*}} in 256 {
// CHECK-NEXT:    loop.for serial %{{.*}} in 4 axis
// CHECK-NEXT:      loop.for thread_bind[threadIdx.x] %{{.*}} in 256 axis
// CHECK-NEXT:        loop.for unroll %{{.*}} in 2
func.func @channels(%x: tensor<8x256x14x14xf32>) -> tensor<256xf32> attributes {loop.fp = "reassoc"} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<256xf32>) -> tensor<256xf32>
  %r = linalg.reduce { arith.addf } ins(%x : tensor<8x256x14x14xf32>) outs(%z : tensor<256xf32>) dimensions = [0, 2, 3]
  return %r : tensor<256xf32>
}
