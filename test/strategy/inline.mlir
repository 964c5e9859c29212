// A value that two readers need at the same index is computed once in their block, however long the chain is.
// RUN: lw-run %s --target x86 --compile-to schedule | FileCheck %s
// CHECK-COUNT-1: loop.block
// CHECK-COUNT-6: arith.mulf
// CHECK-NOT:     arith.mulf
// CHECK-NOT:     loop.block
#id = affine_map<(i) -> (i)>
func.func @main(%x: tensor<36xf32>) -> tensor<36xf32> {
  %e = tensor.empty() : tensor<36xf32>
  %r0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %x : tensor<36xf32>, tensor<36xf32>) outs(%e : tensor<36xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.mulf %p, %p : f32
    %t = arith.subf %s, %q : f32
    linalg.yield %t : f32
  } -> tensor<36xf32>
  %r1 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%r0, %x : tensor<36xf32>, tensor<36xf32>) outs(%e : tensor<36xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.mulf %p, %p : f32
    %t = arith.subf %s, %q : f32
    linalg.yield %t : f32
  } -> tensor<36xf32>
  %r2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%r1, %r0 : tensor<36xf32>, tensor<36xf32>) outs(%e : tensor<36xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.mulf %p, %p : f32
    %t = arith.subf %s, %q : f32
    linalg.yield %t : f32
  } -> tensor<36xf32>
  %r3 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%r2, %r1 : tensor<36xf32>, tensor<36xf32>) outs(%e : tensor<36xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.mulf %p, %p : f32
    %t = arith.subf %s, %q : f32
    linalg.yield %t : f32
  } -> tensor<36xf32>
  %r4 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%r3, %r2 : tensor<36xf32>, tensor<36xf32>) outs(%e : tensor<36xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.mulf %p, %p : f32
    %t = arith.subf %s, %q : f32
    linalg.yield %t : f32
  } -> tensor<36xf32>
  %r5 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%r4, %r3 : tensor<36xf32>, tensor<36xf32>) outs(%e : tensor<36xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.mulf %p, %p : f32
    %t = arith.subf %s, %q : f32
    linalg.yield %t : f32
  } -> tensor<36xf32>
  return %r5 : tensor<36xf32>
}
