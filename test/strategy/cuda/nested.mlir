// Reductions along several loops of dynamic sizes: a thread block for each row, and another kernel that joins if there
// are few results.
// RUN: lw-run %s --target sm_80 --compile-to schedule | FileCheck %s
// RUN: lw-run %s --target sm_80 --compile-to schedule --dump-strategy 2>&1 >/dev/null | FileCheck %s --check-prefix=DUMP

// DUMP-LABEL: function all:
// DUMP:         35 nvptx.total: undone
// DUMP:         27 nvptx.nested: chosen
// CHECK-LABEL: func.func @all(
// CHECK:       loop.for thread_bind[blockIdx.x] %{{.*}} in %{{.*}} {
// CHECK:         loop.for thread_bind[threadIdx.x] %{{.*}} in 256
// CHECK-NEXT:      loop.block "rf_reduce"
// CHECK:       loop.for thread_bind[threadIdx.x] %{{.*}} in 256
// CHECK-NEXT:    loop.block "reduce"
func.func @all(%x: tensor<?x?xf32>) -> tensor<f32> attributes {loop.fp = "reassoc"} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %r = linalg.reduce { arith.addf } ins(%x : tensor<?x?xf32>) outs(%z : tensor<f32>) dimensions = [0, 1]
  return %r : tensor<f32>
}

// Enough results for all multiprocessors, as far as is known.
// DUMP-LABEL: function images:
// DUMP:         30 nvptx.rows: undone
// DUMP:         27 nvptx.nested: chosen
// CHECK-LABEL: func.func @images(
// CHECK:       loop.for thread_bind[blockIdx.x]
// CHECK-NEXT:    loop.for serial
// CHECK-NEXT:      loop.for serial
// CHECK-NEXT:        loop.for thread_bind[threadIdx.x] %{{.*}} in 256
// CHECK-NEXT:          loop.block "reduce"
func.func @images(%x: tensor<?x?x?xf32>) -> tensor<?xf32> attributes {loop.fp = "reassoc"} {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x?x?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %r = linalg.reduce { arith.addf } ins(%x : tensor<?x?x?xf32>) outs(%z : tensor<?xf32>) dimensions = [1, 2]
  return %r : tensor<?xf32>
}

// A single loop is not nested.
// DUMP-LABEL: function one:
// DUMP:         35 nvptx.total: chosen
// DUMP:         27 nvptx.nested: it has only one reduction loop
func.func @one(%x: tensor<?xf32>) -> tensor<f32> attributes {loop.fp = "reassoc"} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %r = linalg.reduce { arith.addf } ins(%x : tensor<?xf32>) outs(%z : tensor<f32>) dimensions = [0]
  return %r : tensor<f32>
}
