// RUN: lw-opt %s --graph-fuse-ops='explain=true' 2>&1 >/dev/null | FileCheck %s

// One reason a line: why a reader is not in the group of what it reads.
#ij = affine_map<(i, j) -> (i, j)>
#ji = affine_map<(i, j) -> (j, i)>
#j = affine_map<(i, j) -> (j)>
#i = affine_map<(i, j) -> (i)>
func.func private @g(tensor<8x8xf32>) -> tensor<8x8xf32>
func.func @main(%x: tensor<8x8xf32>, %w: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %r = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %fr = linalg.fill ins(%zero : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %0 = call @g(%x) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK-DAG: :[[#@LINE+1]]:8: remark: exp reads 256 bytes from call at line 15: not fused: one of the two has no loops over its results; it would have to be a linalg or tensor op (convert-graph-to-linalg converts graph ops)
  %1 = linalg.exp ins(%0 : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK-DAG: :[[#@LINE+1]]:8: remark: matmul reads 256 bytes from exp at line 17: not fused: the reader uses each element of the value many times, and the value has 1 operations; it would have to only move elements
  %2 = linalg.matmul ins(%1, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %t = linalg.transpose ins(%w : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) permutation = [1, 0]
  // CHECK-DAG: :[[#@LINE+1]]:8: remark: matmul reads 256 bytes from transpose at line 20: not fused: the value has 2 readers; the reader, which uses each element many times, would have to be the only one
  %3 = linalg.matmul ins(%x, %t : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK-DAG: :[[#@LINE+1]]:9: remark: transpose reads 256 bytes from matmul at line 19: not fused: the value is computed in tiles; each result of the reader would have to depend on the value at the same place alone
  %t2 = linalg.transpose ins(%2 : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) permutation = [1, 0]
  // CHECK-DAG: :[[#@LINE+1]]:8: remark: matmul reads 256 bytes from matmul at line 22: not fused: the reader uses each element of the value many times, and the value has 2 operations
  %4 = linalg.matmul ins(%3, %t : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  // The product takes what is computed at the same place, and so no reduction.
  %5 = linalg.generic {indexing_maps = [#ij, #ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%4, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.addf %p, %q : f32
    linalg.yield %s : f32
  } -> tensor<8x8xf32>
  // CHECK-DAG: :[[#@LINE+1]]:8: remark: add reads 256 bytes from add at line 28: not fused: the group would have an anchor and a reduction
  %6 = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%5 : tensor<8x8xf32>) outs(%fr : tensor<8xf32>) {
  ^bb0(%p: f32, %o: f32):
    %s = arith.addf %p, %o : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  // CHECK-DAG: :[[#@LINE+2]]:8: remark: mul reads 256 bytes from matmul at line 22: not fused: the group would have two anchors
  %7 = linalg.matmul ins(%w, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %8 = linalg.generic {indexing_maps = [#ij, #ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%3, %7 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.mulf %p, %q : f32
    linalg.yield %s : f32
  } -> tensor<8x8xf32>
  // A reduction of columns has other rows than its reader.
  %9 = linalg.generic {indexing_maps = [#ji, #i], iterator_types = ["parallel", "reduction"]} ins(%8 : tensor<8x8xf32>) outs(%fr : tensor<8xf32>) {
  ^bb0(%p: f32, %o: f32):
    %s = arith.addf %p, %o : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  // CHECK-DAG: :[[#@LINE+1]]:9: remark: div reads 32 bytes from add at line 47: not fused: no outer loop is shared; the leading dimensions of the value would have to be those of the reader's result
  %10 = linalg.generic {indexing_maps = [#ij, #j, #ij], iterator_types = ["parallel", "parallel"]} ins(%8, %9 : tensor<8x8xf32>, tensor<8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.divf %p, %q : f32
    linalg.yield %s : f32
  } -> tensor<8x8xf32>
  return %10, %5, %6, %9, %8, %t2 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
}

// The tiles of a product do not compute a value of many operations from other places.
func.func @gathered(%x: tensor<8x8xf32>, %w: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %y = linalg.matmul ins(%x, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.generic {indexing_maps = [#ij, #ji, #ij], iterator_types = ["parallel", "parallel"]} ins(%w, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %1 = arith.addf %p, %q : f32
    %2 = arith.mulf %1, %p : f32
    %3 = arith.subf %2, %q : f32
    %4 = arith.mulf %3, %1 : f32
    linalg.yield %4 : f32
  } -> tensor<8x8xf32>
  // CHECK-DAG: :[[#@LINE+1]]:8: remark: add reads 256 bytes from add at line 67: not fused: the group would have an anchor and a value with 4 operations on elements at other places, whose loads are not along the vectors of a tile
  %r = linalg.generic {indexing_maps = [#ij, #ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%y, %s : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %1 = arith.addf %p, %q : f32
    linalg.yield %1 : f32
  } -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}
