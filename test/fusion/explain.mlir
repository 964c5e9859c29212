// RUN: lw-opt %s --graph-fuse-ops='explain=true' 2>&1 >/dev/null | FileCheck %s
// RUN: lw-opt %s --graph-fuse-ops='why-not=total,divided' 2>&1 >/dev/null | FileCheck %s --check-prefix=WHY
// RUN: lw-opt %s --graph-fuse-ops='why-not=20,31' 2>&1 >/dev/null | FileCheck %s --check-prefix=LINES
// RUN: not lw-opt %s --graph-fuse-ops='why-not=total,nothing' 2>&1 >/dev/null | FileCheck %s --check-prefix=UNKNOWN
// RUN: not lw-opt %s --graph-fuse-ops='why-not=20,20' 2>&1 >/dev/null | FileCheck %s --check-prefix=SAME
// RUN: not lw-opt %s --graph-fuse-ops='why-not=total' 2>&1 >/dev/null | FileCheck %s --check-prefix=ONE

// WHY: remark: loc("divided"): div reads 4 bytes from add at total: not fused: no outer loop is shared; the leading dimensions of the value would have to be those of the reader's result
// LINES: remark: exp and matmul: not fused: neither reads a value of the other; one would have to
// UNKNOWN: error: 'func.func' op is given why-not=nothing, expected the line or the name of an op on tensors: line 20, total, line 31, divided
// SAME: error: 'func.func' op is given why-not=20,20, expected two ops, these are one
// ONE: error: 'func.func' op is given why-not=total, expected two ops

#ij = affine_map<(i, j) -> (i, j)>
#none = affine_map<(i, j) -> ()>
func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  // CHECK: :[[#@LINE+1]]:8: remark: group of exp (elementwise): reads 128 bytes, writes 128 bytes
  %0 = linalg.exp ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %e1 = tensor.empty() : tensor<f32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<f32>) -> tensor<f32>
  %1 = linalg.generic {indexing_maps = [#ij, #none], iterator_types = ["reduction", "reduction"]} ins(%0 : tensor<4x8xf32>) outs(%f1 : tensor<f32>) {
  ^bb0(%p: f32, %o: f32):
    %s = arith.addf %p, %o : f32
    linalg.yield %s : f32
  } -> tensor<f32> loc("total")
  // CHECK: remark: loc("total"): group of add (reduction): reads 128 bytes, writes 4 bytes
  // CHECK: :[[#@LINE+1]]:8: remark: group of matmul (anchor): reads 384 bytes, writes 128 bytes
  %2 = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%f : tensor<4x8xf32>) -> tensor<4x8xf32>
  // CHECK: remark: loc("divided"): group of div (broadcast): reads 132 bytes, writes 128 bytes
  // CHECK: remark: loc("total"): add reads 128 bytes from exp at line 20: not fused: no outer loop is shared, and the value has 1 operations and 2 readers; it would have to have one reader, which reads each element once, or at most 3 operations without functions such as exp
  // CHECK: remark: loc("divided"): div reads 128 bytes from exp at line 20: not fused: a value would leave the group and come back into it through another group
  // CHECK: remark: loc("divided"): div reads 4 bytes from add at total: not fused: no outer loop is shared
  %3 = linalg.generic {indexing_maps = [#ij, #none, #ij], iterator_types = ["parallel", "parallel"]} ins(%0, %1 : tensor<4x8xf32>, tensor<f32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.divf %p, %q : f32
    linalg.yield %s : f32
  } -> tensor<4x8xf32> loc("divided")
  return %2, %3 : tensor<4x8xf32>, tensor<4x8xf32>
}
