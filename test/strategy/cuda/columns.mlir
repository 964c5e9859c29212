// Reductions of columns, and products of few rows: adjacent threads have adjacent columns, several threads share
// one column, and if that is not enough, several thread blocks.
// RUN: lw-run %s --target sm_80 --compile-to schedule | FileCheck %s
// RUN: lw-run %s --target sm_80 --compile-to schedule --dump-strategy 2>&1 >/dev/null | FileCheck %s --check-prefix=DUMP

// DUMP-LABEL: function sums:
// DUMP:         29 nvptx.columns: chosen
// CHECK-LABEL: func.func @sums(
// CHECK:       scope(shared) : memref<32x768xf32>
// CHECK:       loop.for thread_bind[blockIdx.x] %{{.*}} in 24
// CHECK-NEXT:    loop.for thread_bind[threadIdx.y] %{{.*}} in 32
// CHECK-NEXT:      loop.for thread_bind[threadIdx.x] %{{.*}} in 8
// CHECK-NEXT:        loop.for serial
// CHECK-NEXT:          loop.for vectorize %{{.*}} in 4
// CHECK:         loop.sync
// CHECK-NEXT:    loop.for thread_bind[threadIdx.x] %{{.*}} in 8
// CHECK-NEXT:      loop.for serial %{{.*}} in 32
// CHECK-NEXT:        loop.for vectorize %{{.*}} in 4
// CHECK:           loop.for vectorize %{{.*}} in 4
// CHECK-NEXT:        loop.block "reduce"
func.func @sums(%x: tensor<1024x768xf32>) -> tensor<768xf32> attributes {loop.fp = "reassoc"} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<768xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<768xf32>) -> tensor<768xf32>
  %r = linalg.reduce { arith.addf } ins(%x : tensor<1024x768xf32>) outs(%z : tensor<768xf32>) dimensions = [0]
  return %r : tensor<768xf32>
}

// If the order of float operations matters, each thread reduces serially.
// DUMP-LABEL: function in_turn:
// DUMP:         29 nvptx.columns: undone
// DUMP:         28 nvptx.columns_in_turn: chosen
// CHECK-LABEL: func.func @in_turn(
// CHECK-NOT:   scope(shared)
// CHECK:       loop.for thread_bind[threadIdx.x] %{{.*}} in 256
// CHECK-NEXT:    loop.for serial %{{.*}} in 1024
// CHECK-NEXT:      loop.for vectorize %{{.*}} in 4
func.func @in_turn(%x: tensor<1024x768xf32>) -> tensor<768xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<768xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<768xf32>) -> tensor<768xf32>
  %r = linalg.reduce { arith.addf } ins(%x : tensor<1024x768xf32>) outs(%z : tensor<768xf32>) dimensions = [0]
  return %r : tensor<768xf32>
}

// Few long columns: partial results, from which another kernel computes sums, and from those the means.
// DUMP-LABEL: function few_columns:
// DUMP:         29 nvptx.columns: chosen
// CHECK-LABEL: func.func @few_columns(
// CHECK:       loop.for thread_bind[blockIdx.x] %{{.*}} in 48
// CHECK-NEXT:    loop.for thread_bind[threadIdx.y] %{{.*}} in 32
// CHECK-NEXT:      loop.for thread_bind[threadIdx.x] %{{.*}} in 4
// CHECK:       loop.for thread_bind[blockIdx.x] %{{.*}} in 1
// CHECK-NEXT:    loop.for thread_bind[threadIdx.y] %{{.*}} in 8
// CHECK-NEXT:      loop.for thread_bind[threadIdx.x] %{{.*}} in 4
// CHECK:         loop.for vectorize
// CHECK:           arith.divf
func.func @few_columns(%x: tensor<100000x16xf32>) -> tensor<16xf32> attributes {loop.fp = "reassoc"} {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 1.0e5 : f32
  %e = tensor.empty() : tensor<16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %s = linalg.reduce { arith.addf } ins(%x : tensor<100000x16xf32>) outs(%z : tensor<16xf32>) dimensions = [0]
  %r = linalg.map ins(%s : tensor<16xf32>) outs(%e : tensor<16xf32>) (%a: f32, %out: f32) {
    %mean = arith.divf %a, %n : f32
    linalg.yield %mean : f32
  }
  return %r : tensor<16xf32>
}

// A product of few rows has all of them in the registers of a thread, which reads its columns once.
// DUMP-LABEL: function few_rows:
// DUMP:         40 nvptx.product: only 4 rows
// DUMP:         29 nvptx.columns: chosen
// CHECK-LABEL: func.func @few_rows(
// CHECK:       loop.for thread_bind[threadIdx.y] %{{.*}} in 32
// CHECK-NEXT:    loop.for thread_bind[threadIdx.x] %{{.*}} in 8
// CHECK-NEXT:      loop.for serial %{{.*}} in 24
// CHECK-NEXT:        loop.for unroll %{{.*}} in 4
// CHECK-NEXT:          loop.for vectorize %{{.*}} in 4
func.func @few_rows(%a: tensor<4x768xf32>, %b: tensor<768x1024xf32>) -> tensor<4x1024xf32> attributes {loop.fp = "reassoc"} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x1024xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4x1024xf32>) -> tensor<4x1024xf32>
  %r = linalg.matmul ins(%a, %b : tensor<4x768xf32>, tensor<768x1024xf32>) outs(%z : tensor<4x1024xf32>) -> tensor<4x1024xf32>
  return %r : tensor<4x1024xf32>
}

// Dynamic sizes: surplus threads do nothing.
// DUMP-LABEL: function unknown:
// DUMP:         29 nvptx.columns: chosen
// CHECK-LABEL: func.func @unknown(
// CHECK:       loop.for thread_bind[threadIdx.y] %{{.*}} in 8
// CHECK-NEXT:    loop.for thread_bind[threadIdx.x] %{{.*}} in 32
// CHECK:             where(
func.func @unknown(%x: tensor<?x?xf32>) -> tensor<?xf32> attributes {loop.fp = "reassoc"} {
  %zero = arith.constant 0.0 : f32
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %r = linalg.reduce { arith.addf } ins(%x : tensor<?x?xf32>) outs(%z : tensor<?xf32>) dimensions = [0]
  return %r : tensor<?xf32>
}

// A buffer that is read along rows is not included.
// DUMP-LABEL: function rows:
// DUMP:         30 nvptx.rows: chosen
// DUMP:         29 nvptx.columns: reduce reads with a large stride along its results
func.func @rows(%x: tensor<1024x768xf32>) -> tensor<1024xf32> attributes {loop.fp = "reassoc"} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1024xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
  %r = linalg.reduce { arith.addf } ins(%x : tensor<1024x768xf32>) outs(%z : tensor<1024xf32>) dimensions = [1]
  return %r : tensor<1024xf32>
}

// Reductions of several values together are not included.
// DUMP-LABEL: function argmax:
// DUMP:         29 nvptx.columns: reduce reduces several values at once
// DUMP:          1 nvptx.serial: chosen
#id = affine_map<(j, i) -> (i, j)>
#column = affine_map<(j, i) -> (j)>
func.func @argmax(%x: tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?xi64>) {
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %p = tensor.empty(%n) : tensor<?xi64>
  %low = arith.constant 0xFF800000 : f32
  %none = arith.constant 0 : i64
  %f = linalg.fill ins(%low : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %g = linalg.fill ins(%none : i64) outs(%p : tensor<?xi64>) -> tensor<?xi64>
  %m:2 = linalg.generic {indexing_maps = [#id, #column, #column], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x?xf32>) outs(%f, %g : tensor<?xf32>, tensor<?xi64>) {
  ^bb0(%a: f32, %v: f32, %w: i64):
    %i = linalg.index 1 : index
    %k = arith.index_cast %i : index to i64
    %is = arith.cmpf ogt, %a, %v : f32
    %best = arith.select %is, %a, %v : f32
    %at = arith.select %is, %k, %w : i64
    linalg.yield %best, %at : f32, i64
  } -> (tensor<?xf32>, tensor<?xi64>)
  return %m#0, %m#1 : tensor<?xf32>, tensor<?xi64>
}
