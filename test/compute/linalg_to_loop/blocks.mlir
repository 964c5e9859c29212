// RUN: lw-opt %s --convert-linalg-to-loop | FileCheck %s
// RUN: lw-opt %s --convert-linalg-to-loop | lw-opt --canonicalize --cse
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// A fill that only starts a reduction becomes its init; the result is one block.
// CHECK-LABEL: func.func @fill_becomes_init
// CHECK-SAME: (%arg0: memref<4x8xf32>, %arg1: memref<4xf32> {loop.name = "out", loop.result})
// CHECK-NOT: loop.buffer
// CHECK: loop.block "reduce_add" [%vi: spatial 4, %vj: reduce 8] = (%i, %j)
// CHECK-NEXT: reads(%arg0[%vi : 1, %vj : 1]) writes(%arg1[%vi : 1])
// CHECK-NEXT: reducer(add, 0.000000e+00) {
// CHECK-NEXT: loop.init {
// CHECK-NEXT: %[[TEN:.*]] = arith.constant 1.000000e+01
// CHECK-NEXT: memref.store %[[TEN]], %arg1[%vi]
// CHECK-NOT: loop.block
func.func @fill_becomes_init(%x: tensor<4x8xf32>) -> tensor<4xf32> {
  %ten = arith.constant 10.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%ten : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x8xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %o, %a : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// If the start value is an argument, the init loads it; the argument is not changed.
// CHECK-LABEL: func.func @outs_is_loaded_by_init
// CHECK: loop.init {
// CHECK-NEXT: %[[START:.*]] = memref.load %arg1[%vi]
// CHECK-NEXT: memref.store %[[START]], %arg2[%vi]
func.func @outs_is_loaded_by_init(%x: tensor<4x8xf32>, %start: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x8xf32>) outs(%start : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.mulf %a, %o : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// A fill that another op reads is a separate block.
// CHECK-LABEL: func.func @fill_with_a_reader
// CHECK: loop.block "fill"
// CHECK: loop.block "exp"
func.func @fill_with_a_reader() -> tensor<4xf32> {
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%one : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = linalg.exp ins(%f : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// Maximum and its index: one block, two buffers, a reducer of two values.
// CHECK-LABEL: func.func @argmax
// CHECK: writes(%arg1[%vi : 1], %arg2[%vi : 1])
// CHECK-NEXT: reducer(argmax, 0xFF800000, 0)
func.func @argmax(%x: tensor<4x8xf32>) -> (tensor<4xf32>, tensor<4xi64>) {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0 : i64
  %ev = tensor.empty() : tensor<4xf32>
  %ei = tensor.empty() : tensor<4xi64>
  %fv = linalg.fill ins(%low : f32) outs(%ev : tensor<4xf32>) -> tensor<4xf32>
  %fi = linalg.fill ins(%zero : i64) outs(%ei : tensor<4xi64>) -> tensor<4xi64>
  %r:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x8xf32>) outs(%fv, %fi : tensor<4xf32>, tensor<4xi64>) {
  ^bb0(%a: f32, %v: f32, %i: i64):
    %j = linalg.index 1 : index
    %ji = arith.index_cast %j : index to i64
    %m = arith.maximumf %a, %v : f32
    %c = arith.cmpf ogt, %a, %v : f32
    %s = arith.select %c, %ji, %i : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<4xf32>, tensor<4xi64>)
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xi64>
}

// Two independent sums share a block; a body without a combiner is ordered.
// CHECK-LABEL: func.func @two_sums
// CHECK: reducer(add, 0.000000e+00, add, 0.000000e+00)
func.func @two_sums(%x: tensor<4x8xf32>, %p: tensor<4xf32>, %q: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %r:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x8xf32>) outs(%p, %q : tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%a: f32, %s: f32, %t: f32):
    %aa = arith.mulf %a, %a : f32
    %u = arith.addf %s, %a : f32
    %v = arith.addf %t, %aa : f32
    linalg.yield %u, %v : f32, f32
  } -> (tensor<4xf32>, tensor<4xf32>)
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @ordered
// CHECK: reducer(ordered)
func.func @ordered(%x: tensor<4x8xf32>, %p: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x8xf32>) outs(%p : tensor<4xf32>) {
  ^bb0(%a: f32, %s: f32):
    %u = arith.subf %a, %s : f32
    linalg.yield %u : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// Booleans are i8 in memory, i1 in the body; the identity of and is 1.
// CHECK-LABEL: func.func @booleans
// CHECK-SAME: memref<4x8xi8>
// CHECK: reducer(and, 1)
// CHECK: arith.trunci %{{.*}} : i8 to i1
// CHECK: arith.andi %{{.*}} : i1
// CHECK: arith.extui %{{.*}} : i1 to i8
func.func @booleans(%x: tensor<4x8xi1>, %p: tensor<4xi1>) -> tensor<4xi1> {
  %r = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x8xi1>) outs(%p : tensor<4xi1>) {
  ^bb0(%a: i1, %s: i1):
    %u = arith.andi %a, %s : i1
    linalg.yield %u : i1
  } -> tensor<4xi1>
  return %r : tensor<4xi1>
}

// Each element-wise result has its own block.
// CHECK-LABEL: func.func @two_results
// CHECK: writes(%arg1[%vi : 1, %vj : 1])
// CHECK: writes(%arg2[%vj : 1, %vi : 1])
func.func @two_results(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<8x4xf32>) {
  %e = tensor.empty() : tensor<4x8xf32>
  %t = tensor.empty() : tensor<8x4xf32>
  %r:2 = linalg.generic {indexing_maps = [#id, #id, affine_map<(i, j) -> (j, i)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x8xf32>) outs(%e, %t : tensor<4x8xf32>, tensor<8x4xf32>) {
  ^bb0(%a: f32, %o: f32, %p: f32):
    %n = arith.negf %a : f32
    linalg.yield %a, %n : f32, f32
  } -> (tensor<4x8xf32>, tensor<8x4xf32>)
  return %r#0, %r#1 : tensor<4x8xf32>, tensor<8x4xf32>
}

// Strides and dilations are affine maps; a window is reduced.
// CHECK-LABEL: func.func @convolution
// CHECK: loop.block "conv_1d_nwc_wcf" [%vi: spatial 1, %vj: spatial 3, %vk: spatial 5, %vl: reduce 2, %vm: reduce 4]
// CHECK-NEXT: %arg0[%vi : 1, %vj * 2 + %vl * 3 : 1, %vm : 1]
func.func @convolution(%x: tensor<1x8x4xf32>, %w: tensor<2x4x5xf32>, %o: tensor<1x3x5xf32>) -> tensor<1x3x5xf32> {
  %r = linalg.conv_1d_nwc_wcf {strides = dense<2> : tensor<1xi64>, dilations = dense<3> : tensor<1xi64>} ins(%x, %w : tensor<1x8x4xf32>, tensor<2x4x5xf32>) outs(%o : tensor<1x3x5xf32>) -> tensor<1x3x5xf32>
  return %r : tensor<1x3x5xf32>
}

// The result is also indexed by the reduction iterator: a copy, then iterations in order.
// CHECK-LABEL: func.func @scan
// CHECK: loop.block "copy"
// CHECK: [%vi: spatial 4, %vj: opaque 8]
// CHECK-NOT: reducer
func.func @scan(%x: tensor<4x8xf32>, %o: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x8xf32>) outs(%o : tensor<4x8xf32>) {
  ^bb0(%a: f32, %s: f32):
    %u = arith.addf %a, %s : f32
    linalg.yield %u : f32
  } -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// A gather may read any element.
// CHECK-LABEL: func.func @gather
// CHECK: reads(%arg1[%vi : 1], %arg0[*, %vj : 1])
func.func @gather(%t: tensor<?x8xf32>, %i: tensor<4xi64>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %r = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]} ins(%i : tensor<4xi64>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: i64, %o: f32):
    %row = arith.index_cast %a : i64 to index
    %j = linalg.index 1 : index
    %v = tensor.extract %t[%row, %j] : tensor<?x8xf32>
    linalg.yield %v : f32
  } -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// Of a maximum with its index, only the maximum is used: a plain reduction.
// CHECK-LABEL: func.func @maximum
// CHECK: loop.block "reduce" [%vi: spatial 4, %vj: reduce 8]
// CHECK: reducer(max, 0xFF800000)
// CHECK-NOT: arith.select
func.func @maximum(%x: tensor<4x8xf32>) -> tensor<4xf32> {
  %least = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0 : i64
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%least : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %i = tensor.empty() : tensor<4xi64>
  %g = linalg.fill ins(%zero : i64) outs(%i : tensor<4xi64>) -> tensor<4xi64>
  %r:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x8xf32>) outs(%f, %g : tensor<4xf32>, tensor<4xi64>) {
  ^bb0(%a: f32, %m: f32, %at: i64):
    %j = linalg.index 1 : index
    %here = arith.index_cast %j : index to i64
    %max = arith.maximumf %a, %m : f32
    %more = arith.cmpf ogt, %a, %m : f32
    %place = arith.select %more, %here, %at : i64
    linalg.yield %max, %place : f32, i64
  } -> (tensor<4xf32>, tensor<4xi64>)
  return %r#0 : tensor<4xf32>
}

// A branch on indices reads in one branch only; one on data that reads nothing is a choice.
// CHECK-LABEL: func.func @branches
// CHECK: loop.block "map"
// CHECK: loop.if
// CHECK: memref.load
// CHECK: } else {
// CHECK-NOT: memref.load
// CHECK: arith.select
func.func @branches(%x: tensor<3xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.map ins(%y : tensor<4xf32>) outs(%e : tensor<4xf32>) (%a: f32, %o: f32) {
    %c3 = arith.constant 3 : index
    %zero = arith.constant 0.0 : f32
    %i = linalg.index 0 : index
    %inside = arith.cmpi ult, %i, %c3 : index
    %v = scf.if %inside -> (f32) {
      %w = tensor.extract %x[%i] : tensor<3xf32>
      scf.yield %w : f32
    } else {
      scf.yield %zero : f32
    }
    %less = arith.cmpf olt, %v, %a : f32
    %s = scf.if %less -> (f32) {
      %t = arith.addf %v, %a : f32
      scf.yield %t : f32
    } else {
      scf.yield %v : f32
    }
    linalg.yield %s : f32
  }
  return %r : tensor<4xf32>
}
