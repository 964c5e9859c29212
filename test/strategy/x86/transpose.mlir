// Turned rows: square tiles in registers. Where the last dimension stays, rows are copied.
// RUN: lw-run %s --target x86 --cpu znver4 --print-schedule | FileCheck %s
// RUN: lw-run %s --target x86 --cpu znver4 --compile-to schedule --dump-strategy 2>&1 | FileCheck %s --check-prefix=DUMP

// CHECK-LABEL: transform.sched.function @square in
// CHECK-NEXT:  transform.sched.split "transpose:j" in %f factors [-1, 16]
// CHECK-NEXT:  transform.sched.split "transpose:i" in %f factors [-1, 4, 16]
// CHECK-NEXT:  transform.sched.reorder ["transpose:i.0", "transpose:j.0", "transpose:i.1", "transpose:i.2", "transpose:j.1"] in %f
// CHECK-NEXT:  transform.sched.unroll "transpose:i.2" in %f
// CHECK-NEXT:  transform.sched.vectorize "transpose:j.1" in %f
// CHECK-NEXT:  transform.sched.annotate "transpose" in %f key "nontemporal" value true
// CHECK-NEXT:  transform.sched.parallel "transpose:i.0" in %f
// CHECK-NEXT:  transform.yield
// DUMP-LABEL: function square:
// DUMP:       group transpose
// DUMP:       20 x86.transpose: taken
func.func @square(%x: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
  %empty = tensor.empty() : tensor<4096x4096xf32>
  %r = linalg.transpose ins(%x : tensor<4096x4096xf32>) outs(%empty : tensor<4096x4096xf32>) permutation = [1, 0]
  return %r : tensor<4096x4096xf32>
}

// CHECK-LABEL: transform.sched.function @heads in
// CHECK-NEXT:  transform.sched.split "transpose:l" in %f factors [-1, 16]
// CHECK-NEXT:  transform.sched.split "transpose:k" in %f factors [-1, 4, 16]
// CHECK-NEXT:  transform.sched.reorder ["transpose:i", "transpose:j", "transpose:k.0", "transpose:l.0", "transpose:k.1", "transpose:k.2", "transpose:l.1"] in %f
// CHECK-NEXT:  transform.sched.unroll "transpose:k.2" in %f
// CHECK-NEXT:  transform.sched.vectorize "transpose:l.1" in %f
// CHECK-NEXT:  transform.sched.fuse ["transpose:i", "transpose:j"] in %f
// CHECK-NEXT:  transform.sched.parallel "transpose:i_j_fused" in %f
// CHECK-NEXT:  transform.yield
// DUMP-LABEL: function heads:
// DUMP:       group transpose
// DUMP:       20 x86.transpose: taken
func.func @heads(%x: tensor<8x100x12x50xf32>) -> tensor<8x12x50x100xf32> {
  %empty = tensor.empty() : tensor<8x12x50x100xf32>
  %r = linalg.transpose ins(%x : tensor<8x100x12x50xf32>) outs(%empty : tensor<8x12x50x100xf32>) permutation = [0, 2, 3, 1]
  return %r : tensor<8x12x50x100xf32>
}

// CHECK-LABEL: transform.sched.function @rows_stay in
// CHECK-NEXT:  transform.sched.vectorize "transpose:l" in %f factor 32
// CHECK-NEXT:  transform.sched.fuse ["transpose:i", "transpose:j"] in %f
// CHECK-NEXT:  transform.sched.parallel "transpose:i_j_fused" in %f
// CHECK-NEXT:  transform.yield
// DUMP-LABEL: function rows_stay:
// DUMP:       group transpose
// DUMP:       10 x86.elementwise: taken
func.func @rows_stay(%x: tensor<8x100x12x50xf32>) -> tensor<8x12x100x50xf32> {
  %empty = tensor.empty() : tensor<8x12x100x50xf32>
  %r = linalg.transpose ins(%x : tensor<8x100x12x50xf32>) outs(%empty : tensor<8x12x100x50xf32>) permutation = [0, 2, 1, 3]
  return %r : tensor<8x12x100x50xf32>
}
