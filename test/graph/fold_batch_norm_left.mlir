// Products whose weights are not multiplied: one for each condition.
// RUN: lw-opt %s --fold-batch-norm --mlir-print-local-scope | FileCheck %s

#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
#j = affine_map<(i, j) -> (j)>

// (C1) The contract is not fast.
// CHECK-LABEL: func.func @reassoc(
// CHECK:         %[[Y:.*]] = linalg.matmul ins(%arg0, %{{[a-z0-9]*}} : {{.*}}) outs(
// CHECK-NEXT:    linalg.generic {{.*}} ins(%[[Y]],
func.func @reassoc(%x: tensor<5x3xf32>) -> tensor<5x4xf32> attributes {loop.fp = "reassoc"} {
  %w = arith.constant dense<[[1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 5.0]]> : tensor<3x4xf32>
  %g = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %rows = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<5xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x4xf32>
  %s = linalg.fill ins(%zero : f32) outs(%e : tensor<5x4xf32>) -> tensor<5x4xf32>
  %y = linalg.matmul ins(%x, %w : tensor<5x3xf32>, tensor<3x4xf32>) outs(%s : tensor<5x4xf32>) -> tensor<5x4xf32>
  %z = linalg.generic {indexing_maps = [#ij, #j, #ij], iterator_types = ["parallel", "parallel"]} ins(%y, %g : tensor<5x4xf32>, tensor<4xf32>) outs(%e : tensor<5x4xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %r = arith.mulf %a, %m : f32
    linalg.yield %r : f32
  } -> tensor<5x4xf32>
  return %z : tensor<5x4xf32>
}

// (C2) The weights are an argument.
// CHECK-LABEL: func.func @weights(
// CHECK:         %[[Y:.*]] = linalg.matmul ins(%arg0, %{{[a-z0-9]*}} : {{.*}}) outs(
// CHECK-NEXT:    linalg.generic {{.*}} ins(%[[Y]],
func.func @weights(%x: tensor<5x3xf32>, %v: tensor<3x4xf32>) -> tensor<5x4xf32> attributes {loop.fp = "fast"} {
  %w = arith.constant dense<[[1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 5.0]]> : tensor<3x4xf32>
  %g = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %rows = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<5xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x4xf32>
  %s = linalg.fill ins(%zero : f32) outs(%e : tensor<5x4xf32>) -> tensor<5x4xf32>
  %y = linalg.matmul ins(%x, %v : tensor<5x3xf32>, tensor<3x4xf32>) outs(%s : tensor<5x4xf32>) -> tensor<5x4xf32>
  %z = linalg.generic {indexing_maps = [#ij, #j, #ij], iterator_types = ["parallel", "parallel"]} ins(%y, %g : tensor<5x4xf32>, tensor<4xf32>) outs(%e : tensor<5x4xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %r = arith.mulf %a, %m : f32
    linalg.yield %r : f32
  } -> tensor<5x4xf32>
  return %z : tensor<5x4xf32>
}

// (C3) The sums start from an argument.
// CHECK-LABEL: func.func @start(
// CHECK:         %[[Y:.*]] = linalg.matmul ins(%arg0, %{{[a-z0-9]*}} : {{.*}}) outs(
// CHECK-NEXT:    linalg.generic {{.*}} ins(%[[Y]],
func.func @start(%x: tensor<5x3xf32>, %v: tensor<5x4xf32>) -> tensor<5x4xf32> attributes {loop.fp = "fast"} {
  %w = arith.constant dense<[[1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 5.0]]> : tensor<3x4xf32>
  %g = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %rows = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<5xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x4xf32>
  %s = linalg.fill ins(%zero : f32) outs(%e : tensor<5x4xf32>) -> tensor<5x4xf32>
  %y = linalg.matmul ins(%x, %w : tensor<5x3xf32>, tensor<3x4xf32>) outs(%v : tensor<5x4xf32>) -> tensor<5x4xf32>
  %z = linalg.generic {indexing_maps = [#ij, #j, #ij], iterator_types = ["parallel", "parallel"]} ins(%y, %g : tensor<5x4xf32>, tensor<4xf32>) outs(%e : tensor<5x4xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %r = arith.mulf %a, %m : f32
    linalg.yield %r : f32
  } -> tensor<5x4xf32>
  return %z : tensor<5x4xf32>
}

// (C4) The factors have an index where the weights have none.
// CHECK-LABEL: func.func @rows(
// CHECK:         %[[Y:.*]] = linalg.matmul ins(%arg0, %{{[a-z0-9]*}} : {{.*}}) outs(
// CHECK-NEXT:    linalg.generic {{.*}} ins(%[[Y]],
func.func @rows(%x: tensor<5x3xf32>) -> tensor<5x4xf32> attributes {loop.fp = "fast"} {
  %w = arith.constant dense<[[1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 5.0]]> : tensor<3x4xf32>
  %g = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %rows = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<5xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x4xf32>
  %s = linalg.fill ins(%zero : f32) outs(%e : tensor<5x4xf32>) -> tensor<5x4xf32>
  %y = linalg.matmul ins(%x, %w : tensor<5x3xf32>, tensor<3x4xf32>) outs(%s : tensor<5x4xf32>) -> tensor<5x4xf32>
  %z = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]} ins(%y, %rows : tensor<5x4xf32>, tensor<5xf32>) outs(%e : tensor<5x4xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %r = arith.mulf %a, %m : f32
    linalg.yield %r : f32
  } -> tensor<5x4xf32>
  return %z : tensor<5x4xf32>
}

// (C4) The factors are an argument.
// CHECK-LABEL: func.func @factors(
// CHECK:         %[[Y:.*]] = linalg.matmul ins(%arg0, %{{[a-z0-9]*}} : {{.*}}) outs(
// CHECK-NEXT:    linalg.generic {{.*}} ins(%[[Y]],
func.func @factors(%x: tensor<5x3xf32>, %v: tensor<4xf32>) -> tensor<5x4xf32> attributes {loop.fp = "fast"} {
  %w = arith.constant dense<[[1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 5.0]]> : tensor<3x4xf32>
  %g = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %rows = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<5xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x4xf32>
  %s = linalg.fill ins(%zero : f32) outs(%e : tensor<5x4xf32>) -> tensor<5x4xf32>
  %y = linalg.matmul ins(%x, %w : tensor<5x3xf32>, tensor<3x4xf32>) outs(%s : tensor<5x4xf32>) -> tensor<5x4xf32>
  %z = linalg.generic {indexing_maps = [#ij, #j, #ij], iterator_types = ["parallel", "parallel"]} ins(%y, %v : tensor<5x4xf32>, tensor<4xf32>) outs(%e : tensor<5x4xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %r = arith.mulf %a, %m : f32
    linalg.yield %r : f32
  } -> tensor<5x4xf32>
  return %z : tensor<5x4xf32>
}

// (C4) The op multiplies the result by itself.
// CHECK-LABEL: func.func @square(
// CHECK:         %[[Y:.*]] = linalg.matmul ins(%arg0, %{{[a-z0-9]*}} : {{.*}}) outs(
// CHECK-NEXT:    linalg.generic {{.*}} ins(%[[Y]],
func.func @square(%x: tensor<5x3xf32>) -> tensor<5x4xf32> attributes {loop.fp = "fast"} {
  %w = arith.constant dense<[[1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 5.0]]> : tensor<3x4xf32>
  %g = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %rows = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<5xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x4xf32>
  %s = linalg.fill ins(%zero : f32) outs(%e : tensor<5x4xf32>) -> tensor<5x4xf32>
  %y = linalg.matmul ins(%x, %w : tensor<5x3xf32>, tensor<3x4xf32>) outs(%s : tensor<5x4xf32>) -> tensor<5x4xf32>
  %z = linalg.generic {indexing_maps = [#ij, #j, #ij], iterator_types = ["parallel", "parallel"]} ins(%y, %g : tensor<5x4xf32>, tensor<4xf32>) outs(%e : tensor<5x4xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %t = arith.mulf %a, %m : f32
    %r = arith.mulf %t, %a : f32
    linalg.yield %r : f32
  } -> tensor<5x4xf32>
  return %z : tensor<5x4xf32>
}

// (C4) The op divides by the result.
// CHECK-LABEL: func.func @divisor(
// CHECK:         %[[Y:.*]] = linalg.matmul ins(%arg0, %{{[a-z0-9]*}} : {{.*}}) outs(
// CHECK-NEXT:    linalg.generic {{.*}} ins(%[[Y]],
func.func @divisor(%x: tensor<5x3xf32>) -> tensor<5x4xf32> attributes {loop.fp = "fast"} {
  %w = arith.constant dense<[[1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 5.0]]> : tensor<3x4xf32>
  %g = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %rows = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<5xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x4xf32>
  %s = linalg.fill ins(%zero : f32) outs(%e : tensor<5x4xf32>) -> tensor<5x4xf32>
  %y = linalg.matmul ins(%x, %w : tensor<5x3xf32>, tensor<3x4xf32>) outs(%s : tensor<5x4xf32>) -> tensor<5x4xf32>
  %z = linalg.generic {indexing_maps = [#ij, #j, #ij], iterator_types = ["parallel", "parallel"]} ins(%y, %g : tensor<5x4xf32>, tensor<4xf32>) outs(%e : tensor<5x4xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %r = arith.divf %m, %a : f32
    linalg.yield %r : f32
  } -> tensor<5x4xf32>
  return %z : tensor<5x4xf32>
}

// (C4) The op computes a function of the result.
// CHECK-LABEL: func.func @function(
// CHECK:         %[[Y:.*]] = linalg.matmul ins(%arg0, %{{[a-z0-9]*}} : {{.*}}) outs(
// CHECK-NEXT:    linalg.generic {{.*}} ins(%[[Y]],
func.func @function(%x: tensor<5x3xf32>) -> tensor<5x4xf32> attributes {loop.fp = "fast"} {
  %w = arith.constant dense<[[1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 5.0]]> : tensor<3x4xf32>
  %g = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %rows = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<5xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x4xf32>
  %s = linalg.fill ins(%zero : f32) outs(%e : tensor<5x4xf32>) -> tensor<5x4xf32>
  %y = linalg.matmul ins(%x, %w : tensor<5x3xf32>, tensor<3x4xf32>) outs(%s : tensor<5x4xf32>) -> tensor<5x4xf32>
  %z = linalg.generic {indexing_maps = [#ij, #j, #ij], iterator_types = ["parallel", "parallel"]} ins(%y, %g : tensor<5x4xf32>, tensor<4xf32>) outs(%e : tensor<5x4xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %t = math.exp %a : f32
    %r = arith.mulf %t, %m : f32
    linalg.yield %r : f32
  } -> tensor<5x4xf32>
  return %z : tensor<5x4xf32>
}

// (C4) The op uses its output.
// CHECK-LABEL: func.func @output(
// CHECK:         %[[Y:.*]] = linalg.matmul ins(%arg0, %{{[a-z0-9]*}} : {{.*}}) outs(
// CHECK-NEXT:    linalg.generic {{.*}} ins(%[[Y]],
func.func @output(%x: tensor<5x3xf32>) -> tensor<5x4xf32> attributes {loop.fp = "fast"} {
  %w = arith.constant dense<[[1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 5.0]]> : tensor<3x4xf32>
  %g = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %rows = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<5xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x4xf32>
  %s = linalg.fill ins(%zero : f32) outs(%e : tensor<5x4xf32>) -> tensor<5x4xf32>
  %y = linalg.matmul ins(%x, %w : tensor<5x3xf32>, tensor<3x4xf32>) outs(%s : tensor<5x4xf32>) -> tensor<5x4xf32>
  %z = linalg.generic {indexing_maps = [#ij, #j, #ij], iterator_types = ["parallel", "parallel"]} ins(%y, %g : tensor<5x4xf32>, tensor<4xf32>) outs(%e : tensor<5x4xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %t = arith.mulf %a, %m : f32
    %r = arith.addf %t, %o : f32
    linalg.yield %r : f32
  } -> tensor<5x4xf32>
  return %z : tensor<5x4xf32>
}

// (C4) The op reads the result at another place.
// CHECK-LABEL: func.func @elsewhere(
// CHECK:         %[[Y:.*]] = linalg.matmul ins(%arg0, %{{[a-z0-9]*}} : {{.*}}) outs(
// CHECK-NEXT:    linalg.generic {{.*}} ins(%[[Y]],
func.func @elsewhere(%x: tensor<5x3xf32>) -> tensor<5x4xf32> attributes {loop.fp = "fast"} {
  %w = arith.constant dense<[[1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 5.0]]> : tensor<3x4xf32>
  %g = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %rows = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<5xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x4xf32>
  %s = linalg.fill ins(%zero : f32) outs(%e : tensor<5x4xf32>) -> tensor<5x4xf32>
  %y = linalg.matmul ins(%x, %w : tensor<5x3xf32>, tensor<3x4xf32>) outs(%s : tensor<5x4xf32>) -> tensor<5x4xf32>
  %z = linalg.generic {indexing_maps = [affine_map<(i, j) -> (-i + 4, j)>, #j, #ij], iterator_types = ["parallel", "parallel"]} ins(%y, %g : tensor<5x4xf32>, tensor<4xf32>) outs(%e : tensor<5x4xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %r = arith.mulf %a, %m : f32
    linalg.yield %r : f32
  } -> tensor<5x4xf32>
  return %z : tensor<5x4xf32>
}

// (C4) The result has two readers.
// CHECK-LABEL: func.func @readers(
// CHECK:         %[[Y:.*]] = linalg.matmul ins(%arg0, %{{[a-z0-9]*}} : {{.*}}) outs(
// CHECK-NEXT:    linalg.generic {{.*}} ins(%[[Y]],
func.func @readers(%x: tensor<5x3xf32>) -> (tensor<5x4xf32>, tensor<5x4xf32>) attributes {loop.fp = "fast"} {
  %w = arith.constant dense<[[1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 5.0]]> : tensor<3x4xf32>
  %g = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %rows = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<5xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x4xf32>
  %s = linalg.fill ins(%zero : f32) outs(%e : tensor<5x4xf32>) -> tensor<5x4xf32>
  %y = linalg.matmul ins(%x, %w : tensor<5x3xf32>, tensor<3x4xf32>) outs(%s : tensor<5x4xf32>) -> tensor<5x4xf32>
  %z = linalg.generic {indexing_maps = [#ij, #j, #ij], iterator_types = ["parallel", "parallel"]} ins(%y, %g : tensor<5x4xf32>, tensor<4xf32>) outs(%e : tensor<5x4xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %r = arith.mulf %a, %m : f32
    linalg.yield %r : f32
  } -> tensor<5x4xf32>
  return %z, %y : tensor<5x4xf32>, tensor<5x4xf32>
}

// (C5) The op only adds a bias.
// CHECK-LABEL: func.func @bias(
// CHECK:         %[[Y:.*]] = linalg.matmul ins(%arg0, %{{[a-z0-9]*}} : {{.*}}) outs(
// CHECK-NEXT:    linalg.generic {{.*}} ins(%[[Y]],
func.func @bias(%x: tensor<5x3xf32>) -> tensor<5x4xf32> attributes {loop.fp = "fast"} {
  %w = arith.constant dense<[[1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 5.0]]> : tensor<3x4xf32>
  %g = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %rows = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<5xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x4xf32>
  %s = linalg.fill ins(%zero : f32) outs(%e : tensor<5x4xf32>) -> tensor<5x4xf32>
  %y = linalg.matmul ins(%x, %w : tensor<5x3xf32>, tensor<3x4xf32>) outs(%s : tensor<5x4xf32>) -> tensor<5x4xf32>
  %z = linalg.generic {indexing_maps = [#ij, #j, #ij], iterator_types = ["parallel", "parallel"]} ins(%y, %g : tensor<5x4xf32>, tensor<4xf32>) outs(%e : tensor<5x4xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %r = arith.addf %a, %m : f32
    linalg.yield %r : f32
  } -> tensor<5x4xf32>
  return %z : tensor<5x4xf32>
}
