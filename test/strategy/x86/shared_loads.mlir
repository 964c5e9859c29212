// Short loops along which most loads read the same elements are unrolled around the vectors of an element-wise nest, if that
// saves half of the loads and stores.
// RUN: lw-run %s --target x86 --cpu znver4 --print-schedule | FileCheck %s
// RUN: lw-run %s --entry tiles --input random:3 --output %t.npy
// RUN: lw-run %s --entry tiles --target x86 --input random:3 --check %t.npy --rtol 0 --atol 0 | FileCheck %s --check-prefix=SAME
// RUN: lw-run %s --entry tiles --target x86 --cpu x86-64 --input random:3 --check %t.npy --rtol 0 --atol 0 | FileCheck %s --check-prefix=SAME
// SAME: max error 0.000e0 (bound 0.000e0): passed

#even = affine_map<(a, b, i) -> (2 * a, i)>
#odd = affine_map<(a, b, i) -> (2 * a + 1, i)>
#next = affine_map<(a, b, i) -> (2 * a + 2, i)>
#plain = affine_map<(a, b, i) -> (a, b, i)>

// 12 loads and 4 stores become 3 and 4. The rows have 70 elements, so the last vector is a partial one.
// CHECK-LABEL: transform.sched.function @tiles
// CHECK-NEXT:  transform.sched.sample_categorical "[[B:[a-z_0-9]+]].width" in %f{{[0-9]*}} candidates [16, 32] decision 16
// CHECK-NEXT:  transform.sched.vectorize "[[B]]:k" in %f{{[0-9]*}} factor "$[[B]].width"
// CHECK-NEXT:  transform.sched.reorder ["[[B]]:i", "[[B]]:k.0", "[[B]]:j", "[[B]]:k.1"] in %f
// CHECK-NEXT:  transform.sched.unroll "[[B]]:j" in %f
func.func @tiles(%x: tensor<65x70xf32>) -> tensor<32x4x70xf32> {
  %empty = tensor.empty() : tensor<32x4x70xf32>
  %r = linalg.generic {indexing_maps = [#even, #odd, #next, #plain], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %x, %x : tensor<65x70xf32>, tensor<65x70xf32>, tensor<65x70xf32>) outs(%empty : tensor<32x4x70xf32>) {
  ^bb0(%p: f32, %q: f32, %s: f32, %o: f32):
    %b = linalg.index 1 : index
    %two = arith.constant 2 : index
    %is_low = arith.cmpi ult, %b, %two : index
    %t = arith.subf %p, %q : f32
    %u = arith.addf %q, %s : f32
    %v = arith.select %is_low, %t, %u : f32
    linalg.yield %v : f32
  } -> tensor<32x4x70xf32>
  return %r : tensor<32x4x70xf32>
}

// Two results would save 3 of 8 loads and stores.
// CHECK-LABEL: transform.sched.function @pairs
// CHECK-NOT:   unroll
func.func @pairs(%x: tensor<65x64xf32>) -> tensor<32x2x64xf32> {
  %empty = tensor.empty() : tensor<32x2x64xf32>
  %r = linalg.generic {indexing_maps = [#even, #odd, #next, #plain], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %x, %x : tensor<65x64xf32>, tensor<65x64xf32>, tensor<65x64xf32>) outs(%empty : tensor<32x2x64xf32>) {
  ^bb0(%p: f32, %q: f32, %s: f32, %o: f32):
    %b = linalg.index 1 : index
    %zero = arith.constant 0 : index
    %is_first = arith.cmpi eq, %b, %zero : index
    %t = arith.subf %p, %q : f32
    %u = arith.addf %q, %s : f32
    %v = arith.select %is_first, %t, %u : f32
    linalg.yield %v : f32
  } -> tensor<32x2x64xf32>
  return %r : tensor<32x2x64xf32>
}

// Five iterations are too many to have their own code.
// CHECK-LABEL: transform.sched.function @long
// CHECK-NOT:   unroll
func.func @long(%x: tensor<65x64xf32>) -> tensor<32x5x64xf32> {
  %empty = tensor.empty() : tensor<32x5x64xf32>
  %r = linalg.generic {indexing_maps = [#even, #odd, #next, #plain], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %x, %x : tensor<65x64xf32>, tensor<65x64xf32>, tensor<65x64xf32>) outs(%empty : tensor<32x5x64xf32>) {
  ^bb0(%p: f32, %q: f32, %s: f32, %o: f32):
    %b = linalg.index 1 : index
    %two = arith.constant 2 : index
    %is_low = arith.cmpi ult, %b, %two : index
    %t = arith.subf %p, %q : f32
    %u = arith.addf %q, %s : f32
    %v = arith.select %is_low, %t, %u : f32
    linalg.yield %v : f32
  } -> tensor<32x5x64xf32>
  return %r : tensor<32x5x64xf32>
}
