// The maximum of a softmax may ignore NaN.
// RUN: lw-opt %s --relax-softmax-maximum | FileCheck %s

#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
#bij = affine_map<(b, i, j) -> (b, i, j)>
#bi = affine_map<(b, i, j) -> (b, i)>
#bi0 = affine_map<(b, i, j) -> (b, i, 0)>

// One op computes the difference and the exponential.
// CHECK-LABEL: func.func @softmax(
// CHECK-NOT:     arith.maximumf
// CHECK:         arith.maxnumf
func.func @softmax(%x: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {loop.fp = "reassoc"} {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %rows = tensor.empty() : tensor<4xf32>
  %all = tensor.empty() : tensor<4x8xf32>
  %lows = linalg.fill ins(%low : f32) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %max = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x8xf32>) outs(%lows : tensor<4xf32>) {
  ^bb0(%a: f32, %m: f32):
    %new = arith.maximumf %a, %m : f32
    linalg.yield %new : f32
  } -> tensor<4xf32>
  %e = linalg.generic {indexing_maps = [#ij, #i, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x, %max : tensor<4x8xf32>, tensor<4xf32>) outs(%all : tensor<4x8xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %d = arith.subf %a, %m : f32
    %y = math.exp %d : f32
    linalg.yield %y : f32
  } -> tensor<4x8xf32>
  %sum = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%e : tensor<4x8xf32>) outs(%zeros : tensor<4xf32>) {
  ^bb0(%a: f32, %s: f32):
    %new = arith.addf %a, %s : f32
    linalg.yield %new : f32
  } -> tensor<4xf32>
  %p = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]} ins(%e, %sum : tensor<4x8xf32>, tensor<4xf32>) outs(%all : tensor<4x8xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %q = arith.divf %a, %s : f32
    linalg.yield %q : f32
  } -> tensor<4x8xf32>
  return %p : tensor<4x8xf32>
}

// As PyTorch exports it: the maximum has its index, differences and exponentials are ops of their own, and rows have a dimension
// of size 1.
// CHECK-LABEL: func.func @exported(
// CHECK-NOT:     arith.maximumf
// CHECK:         arith.maxnumf
// CHECK-NEXT:    arith.cmpf
func.func @exported(%x: tensor<2x4x8xf32>) -> tensor<2x4x8xf32> attributes {loop.fp = "fast"} {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0 : i64
  %rows = tensor.empty() : tensor<2x4xf32>
  %rows1 = tensor.empty() : tensor<2x4x1xf32>
  %places = tensor.empty() : tensor<2x4xi64>
  %all = tensor.empty() : tensor<2x4x8xf32>
  %lows = linalg.fill ins(%low : f32) outs(%rows : tensor<2x4xf32>) -> tensor<2x4xf32>
  %nones = linalg.fill ins(%none : i64) outs(%places : tensor<2x4xi64>) -> tensor<2x4xi64>
  %zeros = linalg.fill ins(%zero : f32) outs(%rows1 : tensor<2x4x1xf32>) -> tensor<2x4x1xf32>
  %max:2 = linalg.generic {indexing_maps = [#bij, #bi, #bi], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x : tensor<2x4x8xf32>) outs(%lows, %nones : tensor<2x4xf32>, tensor<2x4xi64>) {
  ^bb0(%a: f32, %m: f32, %p: i64):
    %j = linalg.index 2 : index
    %here = arith.index_cast %j : index to i64
    %new = arith.maximumf %a, %m : f32
    %is = arith.cmpf ogt, %a, %m : f32
    %place = arith.select %is, %here, %p : i64
    linalg.yield %new, %place : f32, i64
  } -> (tensor<2x4xf32>, tensor<2x4xi64>)
  %max1 = tensor.expand_shape %max#0 [[0], [1, 2]] output_shape [2, 4, 1] : tensor<2x4xf32> into tensor<2x4x1xf32>
  %d = linalg.generic {indexing_maps = [#bij, #bi0, #bij], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %max1 : tensor<2x4x8xf32>, tensor<2x4x1xf32>) outs(%all : tensor<2x4x8xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %y = arith.subf %a, %m : f32
    linalg.yield %y : f32
  } -> tensor<2x4x8xf32>
  %e = linalg.generic {indexing_maps = [#bij, #bij], iterator_types = ["parallel", "parallel", "parallel"]} ins(%d : tensor<2x4x8xf32>) outs(%all : tensor<2x4x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %y = math.exp %a : f32
    linalg.yield %y : f32
  } -> tensor<2x4x8xf32>
  %sum = linalg.generic {indexing_maps = [#bij, #bi0], iterator_types = ["parallel", "parallel", "reduction"]} ins(%e : tensor<2x4x8xf32>) outs(%zeros : tensor<2x4x1xf32>) {
  ^bb0(%a: f32, %s: f32):
    %new = arith.addf %a, %s : f32
    linalg.yield %new : f32
  } -> tensor<2x4x1xf32>
  %p = linalg.generic {indexing_maps = [#bij, #bi0, #bij], iterator_types = ["parallel", "parallel", "parallel"]} ins(%e, %sum : tensor<2x4x8xf32>, tensor<2x4x1xf32>) outs(%all : tensor<2x4x8xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %q = arith.divf %a, %s : f32
    linalg.yield %q : f32
  } -> tensor<2x4x8xf32>
  return %p : tensor<2x4x8xf32>
}

// Rows of -infinity give zeros: the maximum and the sum are compared and selected first.
// CHECK-LABEL: func.func @masked(
// CHECK-NOT:     arith.maximumf
// CHECK:         arith.maxnumf
func.func @masked(%x: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {loop.fp = "fast"} {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %rows = tensor.empty() : tensor<4xf32>
  %all = tensor.empty() : tensor<4x8xf32>
  %lows = linalg.fill ins(%low : f32) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %max = linalg.reduce { arith.maximumf } ins(%x : tensor<4x8xf32>) outs(%lows : tensor<4xf32>) dimensions = [1]
  %e = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]} ins(%x, %max : tensor<4x8xf32>, tensor<4xf32>) outs(%all : tensor<4x8xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %is = arith.cmpf oeq, %m, %low : f32
    %shift = arith.select %is, %zero, %m : f32
    %d = arith.subf %a, %shift : f32
    %y = math.exp %d : f32
    linalg.yield %y : f32
  } -> tensor<4x8xf32>
  %sum = linalg.reduce { arith.addf } ins(%e : tensor<4x8xf32>) outs(%zeros : tensor<4xf32>) dimensions = [1]
  %p = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]} ins(%e, %sum : tensor<4x8xf32>, tensor<4xf32>) outs(%all : tensor<4x8xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %is = arith.cmpf oeq, %s, %zero : f32
    %by = arith.select %is, %one, %s : f32
    %q = arith.divf %a, %by : f32
    linalg.yield %q : f32
  } -> tensor<4x8xf32>
  return %p : tensor<4x8xf32>
}

// The start value of a maximum that ignores NaN may be NaN, as in what linalg.softmax stands for.
// CHECK-LABEL: func.func @starts_from_nan(
// CHECK:         %[[LOW:.*]] = arith.constant 0xFF800000 : f32
// CHECK-NEXT:    %[[ROWS:.*]] = tensor.empty() : tensor<4xf32>
// CHECK-NEXT:    %[[LOWS:.*]] = linalg.fill ins(%[[LOW]] : f32) outs(%[[ROWS]]
// CHECK:         linalg.generic {{.*}} outs(%[[LOWS]]
// CHECK:         arith.maxnumf
func.func @starts_from_nan(%x: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {loop.fp = "reassoc"} {
  %low = arith.constant 0x7FC00000 : f32
  %zero = arith.constant 0.0 : f32
  %rows = tensor.empty() : tensor<4xf32>
  %all = tensor.empty() : tensor<4x8xf32>
  %lows = linalg.fill ins(%low : f32) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %max = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x8xf32>) outs(%lows : tensor<4xf32>) {
  ^bb0(%a: f32, %m: f32):
    %new = arith.maxnumf %a, %m : f32
    linalg.yield %new : f32
  } -> tensor<4xf32>
  %e = linalg.generic {indexing_maps = [#ij, #i, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x, %max : tensor<4x8xf32>, tensor<4xf32>) outs(%all : tensor<4x8xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %d = arith.subf %a, %m : f32
    %y = math.exp %d : f32
    linalg.yield %y : f32
  } -> tensor<4x8xf32>
  %sum = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%e : tensor<4x8xf32>) outs(%zeros : tensor<4xf32>) {
  ^bb0(%a: f32, %s: f32):
    %new = arith.addf %a, %s : f32
    linalg.yield %new : f32
  } -> tensor<4xf32>
  %p = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]} ins(%e, %sum : tensor<4x8xf32>, tensor<4xf32>) outs(%all : tensor<4x8xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %q = arith.divf %a, %s : f32
    linalg.yield %q : f32
  } -> tensor<4x8xf32>
  return %p : tensor<4x8xf32>
}

// (C1) the contract is strict
// CHECK-LABEL: func.func @strict(
// CHECK-NOT:     arith.maxnumf
// CHECK:         arith.maximumf
func.func @strict(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %rows = tensor.empty() : tensor<4xf32>
  %all = tensor.empty() : tensor<4x8xf32>
  %lows = linalg.fill ins(%low : f32) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %max = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x8xf32>) outs(%lows : tensor<4xf32>) {
  ^bb0(%a: f32, %m: f32):
    %new = arith.maximumf %a, %m : f32
    linalg.yield %new : f32
  } -> tensor<4xf32>
  %e = linalg.generic {indexing_maps = [#ij, #i, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x, %max : tensor<4x8xf32>, tensor<4xf32>) outs(%all : tensor<4x8xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %d = arith.subf %a, %m : f32
    %y = math.exp %d : f32
    linalg.yield %y : f32
  } -> tensor<4x8xf32>
  %sum = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%e : tensor<4x8xf32>) outs(%zeros : tensor<4xf32>) {
  ^bb0(%a: f32, %s: f32):
    %new = arith.addf %a, %s : f32
    linalg.yield %new : f32
  } -> tensor<4xf32>
  %p = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]} ins(%e, %sum : tensor<4x8xf32>, tensor<4xf32>) outs(%all : tensor<4x8xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %q = arith.divf %a, %s : f32
    linalg.yield %q : f32
  } -> tensor<4x8xf32>
  return %p : tensor<4x8xf32>
}

// (C3) the maximum is a result of the function
// CHECK-LABEL: func.func @is_result(
// CHECK-NOT:     arith.maxnumf
// CHECK:         arith.maximumf
func.func @is_result(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4xf32>) attributes {loop.fp = "reassoc"} {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %rows = tensor.empty() : tensor<4xf32>
  %all = tensor.empty() : tensor<4x8xf32>
  %lows = linalg.fill ins(%low : f32) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %max = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x8xf32>) outs(%lows : tensor<4xf32>) {
  ^bb0(%a: f32, %m: f32):
    %new = arith.maximumf %a, %m : f32
    linalg.yield %new : f32
  } -> tensor<4xf32>
  %e = linalg.generic {indexing_maps = [#ij, #i, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x, %max : tensor<4x8xf32>, tensor<4xf32>) outs(%all : tensor<4x8xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %d = arith.subf %a, %m : f32
    %y = math.exp %d : f32
    linalg.yield %y : f32
  } -> tensor<4x8xf32>
  %sum = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%e : tensor<4x8xf32>) outs(%zeros : tensor<4xf32>) {
  ^bb0(%a: f32, %s: f32):
    %new = arith.addf %a, %s : f32
    linalg.yield %new : f32
  } -> tensor<4xf32>
  %p = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]} ins(%e, %sum : tensor<4x8xf32>, tensor<4xf32>) outs(%all : tensor<4x8xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %q = arith.divf %a, %s : f32
    linalg.yield %q : f32
  } -> tensor<4x8xf32>
  return %p, %max : tensor<4x8xf32>, tensor<4xf32>
}

// (C3) the element is subtracted from the maximum
// CHECK-LABEL: func.func @other_difference(
// CHECK-NOT:     arith.maxnumf
// CHECK:         arith.maximumf
func.func @other_difference(%x: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {loop.fp = "reassoc"} {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %rows = tensor.empty() : tensor<4xf32>
  %all = tensor.empty() : tensor<4x8xf32>
  %lows = linalg.fill ins(%low : f32) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %max = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x8xf32>) outs(%lows : tensor<4xf32>) {
  ^bb0(%a: f32, %m: f32):
    %new = arith.maximumf %a, %m : f32
    linalg.yield %new : f32
  } -> tensor<4xf32>
  %e = linalg.generic {indexing_maps = [#ij, #i, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x, %max : tensor<4x8xf32>, tensor<4xf32>) outs(%all : tensor<4x8xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %d = arith.subf %m, %a : f32
    %y = math.exp %d : f32
    linalg.yield %y : f32
  } -> tensor<4x8xf32>
  %sum = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%e : tensor<4x8xf32>) outs(%zeros : tensor<4xf32>) {
  ^bb0(%a: f32, %s: f32):
    %new = arith.addf %a, %s : f32
    linalg.yield %new : f32
  } -> tensor<4xf32>
  %p = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]} ins(%e, %sum : tensor<4x8xf32>, tensor<4xf32>) outs(%all : tensor<4x8xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %q = arith.divf %a, %s : f32
    linalg.yield %q : f32
  } -> tensor<4x8xf32>
  return %p : tensor<4x8xf32>
}

// (C4) the exponentials are a result of the function
// CHECK-LABEL: func.func @not_divided(
// CHECK-NOT:     arith.maxnumf
// CHECK:         arith.maximumf
func.func @not_divided(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) attributes {loop.fp = "reassoc"} {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %rows = tensor.empty() : tensor<4xf32>
  %all = tensor.empty() : tensor<4x8xf32>
  %lows = linalg.fill ins(%low : f32) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %max = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x8xf32>) outs(%lows : tensor<4xf32>) {
  ^bb0(%a: f32, %m: f32):
    %new = arith.maximumf %a, %m : f32
    linalg.yield %new : f32
  } -> tensor<4xf32>
  %e = linalg.generic {indexing_maps = [#ij, #i, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x, %max : tensor<4x8xf32>, tensor<4xf32>) outs(%all : tensor<4x8xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %d = arith.subf %a, %m : f32
    %y = math.exp %d : f32
    linalg.yield %y : f32
  } -> tensor<4x8xf32>
  %sum = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%e : tensor<4x8xf32>) outs(%zeros : tensor<4xf32>) {
  ^bb0(%a: f32, %s: f32):
    %new = arith.addf %a, %s : f32
    linalg.yield %new : f32
  } -> tensor<4xf32>
  %p = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]} ins(%e, %sum : tensor<4x8xf32>, tensor<4xf32>) outs(%all : tensor<4x8xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %q = arith.divf %a, %s : f32
    linalg.yield %q : f32
  } -> tensor<4x8xf32>
  return %p, %e : tensor<4x8xf32>, tensor<4x8xf32>
}

// (C4) not the exponentials are added up
// CHECK-LABEL: func.func @other_sum(
// CHECK-NOT:     arith.maxnumf
// CHECK:         arith.maximumf
func.func @other_sum(%x: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {loop.fp = "reassoc"} {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %rows = tensor.empty() : tensor<4xf32>
  %all = tensor.empty() : tensor<4x8xf32>
  %lows = linalg.fill ins(%low : f32) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %max = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x8xf32>) outs(%lows : tensor<4xf32>) {
  ^bb0(%a: f32, %m: f32):
    %new = arith.maximumf %a, %m : f32
    linalg.yield %new : f32
  } -> tensor<4xf32>
  %e = linalg.generic {indexing_maps = [#ij, #i, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x, %max : tensor<4x8xf32>, tensor<4xf32>) outs(%all : tensor<4x8xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %d = arith.subf %a, %m : f32
    %y = math.exp %d : f32
    linalg.yield %y : f32
  } -> tensor<4x8xf32>
  %sum = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x8xf32>) outs(%zeros : tensor<4xf32>) {
  ^bb0(%a: f32, %s: f32):
    %new = arith.addf %a, %s : f32
    linalg.yield %new : f32
  } -> tensor<4xf32>
  %p = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]} ins(%e, %sum : tensor<4x8xf32>, tensor<4xf32>) outs(%all : tensor<4x8xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %q = arith.divf %a, %s : f32
    linalg.yield %q : f32
  } -> tensor<4x8xf32>
  return %p : tensor<4x8xf32>
}

// (C2) the index of the maximum is used.
// CHECK-LABEL: func.func @index_is_used(
// CHECK-NOT:     arith.maxnumf
func.func @index_is_used(%x: tensor<4x8xf32>, %lows: tensor<4xf32>, %nones: tensor<4xi64>, %all: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4xi64>) attributes {loop.fp = "fast"} {
  %zeros = arith.constant dense<0.0> : tensor<4xf32>
  %max:2 = linalg.generic {indexing_maps = [#ij, #i, #i], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x8xf32>) outs(%lows, %nones : tensor<4xf32>, tensor<4xi64>) {
  ^bb0(%a: f32, %m: f32, %p: i64):
    %j = linalg.index 1 : index
    %here = arith.index_cast %j : index to i64
    %new = arith.maximumf %a, %m : f32
    %is = arith.cmpf ogt, %a, %m : f32
    %place = arith.select %is, %here, %p : i64
    linalg.yield %new, %place : f32, i64
  } -> (tensor<4xf32>, tensor<4xi64>)
  %e = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]} ins(%x, %max#0 : tensor<4x8xf32>, tensor<4xf32>) outs(%all : tensor<4x8xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %d = arith.subf %a, %m : f32
    %y = math.exp %d : f32
    linalg.yield %y : f32
  } -> tensor<4x8xf32>
  %sum = linalg.reduce { arith.addf } ins(%e : tensor<4x8xf32>) outs(%zeros : tensor<4xf32>) dimensions = [1]
  %p = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]} ins(%e, %sum : tensor<4x8xf32>, tensor<4xf32>) outs(%all : tensor<4x8xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %q = arith.divf %a, %s : f32
    linalg.yield %q : f32
  } -> tensor<4x8xf32>
  return %p, %max#1 : tensor<4x8xf32>, tensor<4xi64>
}

// (C3) the maxima are those of columns, and are subtracted from rows.
// CHECK-LABEL: func.func @other_rows(
// CHECK-NOT:     arith.maxnumf
func.func @other_rows(%x: tensor<8x8xf32>, %lows: tensor<8xf32>, %all: tensor<8x8xf32>) -> tensor<8x8xf32> attributes {loop.fp = "fast"} {
  %zeros = arith.constant dense<0.0> : tensor<8xf32>
  %max = linalg.reduce { arith.maximumf } ins(%x : tensor<8x8xf32>) outs(%lows : tensor<8xf32>) dimensions = [0]
  %e = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]} ins(%x, %max : tensor<8x8xf32>, tensor<8xf32>) outs(%all : tensor<8x8xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %d = arith.subf %a, %m : f32
    %y = math.exp %d : f32
    linalg.yield %y : f32
  } -> tensor<8x8xf32>
  %sum = linalg.reduce { arith.addf } ins(%e : tensor<8x8xf32>) outs(%zeros : tensor<8xf32>) dimensions = [1]
  %p = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]} ins(%e, %sum : tensor<8x8xf32>, tensor<8xf32>) outs(%all : tensor<8x8xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %q = arith.divf %a, %s : f32
    linalg.yield %q : f32
  } -> tensor<8x8xf32>
  return %p : tensor<8x8xf32>
}

// (C4) the exponentials are written to other places: their rows are other ones.
// CHECK-LABEL: func.func @transposed(
// CHECK-NOT:     arith.maxnumf
func.func @transposed(%x: tensor<8x8xf32>, %lows: tensor<8xf32>, %all: tensor<8x8xf32>) -> tensor<8x8xf32> attributes {loop.fp = "fast"} {
  %zeros = arith.constant dense<0.0> : tensor<8xf32>
  %max = linalg.reduce { arith.maximumf } ins(%x : tensor<8x8xf32>) outs(%lows : tensor<8xf32>) dimensions = [1]
  %e = linalg.generic {indexing_maps = [#ij, #i, affine_map<(i, j) -> (j, i)>], iterator_types = ["parallel", "parallel"]} ins(%x, %max : tensor<8x8xf32>, tensor<8xf32>) outs(%all : tensor<8x8xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %d = arith.subf %a, %m : f32
    %y = math.exp %d : f32
    linalg.yield %y : f32
  } -> tensor<8x8xf32>
  %sum = linalg.reduce { arith.addf } ins(%e : tensor<8x8xf32>) outs(%zeros : tensor<8xf32>) dimensions = [1]
  %p = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]} ins(%e, %sum : tensor<8x8xf32>, tensor<8xf32>) outs(%all : tensor<8x8xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %q = arith.divf %a, %s : f32
    linalg.yield %q : f32
  } -> tensor<8x8xf32>
  return %p : tensor<8x8xf32>
}

// (C4) where the sum is NaN, the quotient is by another number.
// CHECK-LABEL: func.func @other_divisor(
// CHECK-NOT:     arith.maxnumf
func.func @other_divisor(%x: tensor<8x8xf32>, %lows: tensor<8xf32>, %all: tensor<8x8xf32>) -> tensor<8x8xf32> attributes {loop.fp = "fast"} {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %zeros = arith.constant dense<0.0> : tensor<8xf32>
  %max = linalg.reduce { arith.maximumf } ins(%x : tensor<8x8xf32>) outs(%lows : tensor<8xf32>) dimensions = [1]
  %e = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]} ins(%x, %max : tensor<8x8xf32>, tensor<8xf32>) outs(%all : tensor<8x8xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %d = arith.subf %a, %m : f32
    %y = math.exp %d : f32
    linalg.yield %y : f32
  } -> tensor<8x8xf32>
  %sum = linalg.reduce { arith.addf } ins(%e : tensor<8x8xf32>) outs(%zeros : tensor<8xf32>) dimensions = [1]
  %p = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]} ins(%e, %sum : tensor<8x8xf32>, tensor<8xf32>) outs(%all : tensor<8x8xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %is = arith.cmpf ogt, %s, %zero : f32
    %by = arith.select %is, %s, %one : f32
    %q = arith.divf %a, %by : f32
    linalg.yield %q : f32
  } -> tensor<8x8xf32>
  return %p : tensor<8x8xf32>
}

// (C3) the element is read at another place than that of the row.
// CHECK-LABEL: func.func @other_element(
// CHECK-NOT:     arith.maxnumf
func.func @other_element(%x: tensor<8x8xf32>, %lows: tensor<8xf32>, %all: tensor<8x8xf32>) -> tensor<8x8xf32> attributes {loop.fp = "fast"} {
  %zeros = arith.constant dense<0.0> : tensor<8xf32>
  %max = linalg.reduce { arith.maximumf } ins(%x : tensor<8x8xf32>) outs(%lows : tensor<8xf32>) dimensions = [1]
  %e = linalg.generic {indexing_maps = [#ij, affine_map<(i, j) -> (j, i)>, #i, #ij], iterator_types = ["parallel", "parallel"]} ins(%x, %x, %max : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8xf32>) outs(%all : tensor<8x8xf32>) {
  ^bb0(%here: f32, %there: f32, %m: f32, %o: f32):
    %d = arith.subf %there, %m : f32
    %y = math.exp %d : f32
    linalg.yield %y : f32
  } -> tensor<8x8xf32>
  %sum = linalg.reduce { arith.addf } ins(%e : tensor<8x8xf32>) outs(%zeros : tensor<8xf32>) dimensions = [1]
  %p = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]} ins(%e, %sum : tensor<8x8xf32>, tensor<8xf32>) outs(%all : tensor<8x8xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %q = arith.divf %a, %s : f32
    linalg.yield %q : f32
  } -> tensor<8x8xf32>
  return %p : tensor<8x8xf32>
}
