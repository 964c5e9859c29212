// Reductions of rows and their consumers: one thread block per row, or several rows if they are short.
// RUN: lw-run %s --target sm_80 --compile-to schedule | FileCheck %s
// RUN: lw-run %s --target sm_80 --compile-to schedule --dump-strategy 2>&1 >/dev/null | FileCheck %s --check-prefix=DUMP
// RUN: lw-run %s --target sm_80 --compile-to gpu | FileCheck %s --check-prefix=GPU

// A mean keeps its sum in shared memory.
// DUMP-LABEL: function means:
// DUMP-NEXT:    group reduce, map
// DUMP:         30 nvptx.rows: chosen
// CHECK-LABEL: func.func @means(
// CHECK:       scope(shared)
// CHECK:       loop.for thread_bind[blockIdx.x]
// CHECK:         loop.for thread_bind[threadIdx.x]
// CHECK:           loop.block "reduce"
// CHECK:         loop.sync
// CHECK:         loop.block "map"
func.func @means(%x: tensor<512x1024xf32>) -> tensor<512xf32> attributes {loop.fp = "reassoc"} {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 1024.0 : f32
  %e = tensor.empty() : tensor<512xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<512xf32>) -> tensor<512xf32>
  %s = linalg.reduce { arith.addf } ins(%x : tensor<512x1024xf32>) outs(%z : tensor<512xf32>) dimensions = [1]
  %r = linalg.map ins(%s : tensor<512xf32>) outs(%e : tensor<512xf32>) (%a: f32, %out: f32) {
    %b = arith.divf %a, %n : f32
    %mean = math.exp %b : f32
    linalg.yield %mean : f32
  }
  return %r : tensor<512xf32>
}

// Two values that are reduced together, for a dynamic number of rows, stay in global memory.
// DUMP-LABEL: function argmax:
// DUMP-NEXT:    group reduce, add
// DUMP:         30 nvptx.rows: chosen
// CHECK-LABEL: func.func @argmax(
// CHECK-NOT:   scope(shared)
// CHECK:       loop.for thread_bind[blockIdx.x]
// GPU-LABEL:   gpu.func @argmax_0(
#row = affine_map<(i, j) -> (i)>
#id = affine_map<(i, j) -> (i, j)>
#one = affine_map<(i) -> (i)>
func.func @argmax(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %p = tensor.empty(%n) : tensor<?xi64>
  %low = arith.constant 0xFF800000 : f32
  %none = arith.constant 0 : i64
  %f = linalg.fill ins(%low : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %g = linalg.fill ins(%none : i64) outs(%p : tensor<?xi64>) -> tensor<?xi64>
  %m:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x?xf32>) outs(%f, %g : tensor<?xf32>, tensor<?xi64>) {
  ^bb0(%a: f32, %v: f32, %w: i64):
    %j = linalg.index 1 : index
    %k = arith.index_cast %j : index to i64
    %is = arith.cmpf ogt, %a, %v : f32
    %best = arith.select %is, %a, %v : f32
    %at = arith.select %is, %k, %w : i64
    linalg.yield %best, %at : f32, i64
  } -> (tensor<?xf32>, tensor<?xi64>)
  %r = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]}
      ins(%m#0, %m#1 : tensor<?xf32>, tensor<?xi64>) outs(%e : tensor<?xf32>) {
  ^bb0(%v: f32, %t: i64, %o: f32):
    %q = arith.sitofp %t : i64 to f32
    %s = arith.addf %v, %q : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}
