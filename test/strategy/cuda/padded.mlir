// Padded element-wise ops.
// RUN: lw-run %s --target sm_80 --compile-to schedule | FileCheck %s
// RUN: lw-run %s --target sm_80 --compile-to schedule --dump-strategy 2>&1 >/dev/null | FileCheck %s --check-prefix=DUMP
// RUN: lw-run %s --target sm_80 --compile-to ptx 2>&1 >/dev/null | FileCheck %s --check-prefix=NOTHING --allow-empty
// NOTHING-NOT: remark

// If each element may be padding, a thread has one element; if rows are, it has a vector of elements.
// DUMP-LABEL: function padded:
// DUMP:        10 nvptx.elementwise: chosen
// CHECK-LABEL: func.func @padded(
// CHECK:       loop.for thread_bind[threadIdx.x]
// CHECK-NEXT:    loop.block "pad"
func.func @padded(%x: tensor<30x62xf32>) -> tensor<30x64xf32> {
  %zero = arith.constant 0.0 : f32
  %r = tensor.pad %x low[0, 1] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<30x62xf32> to tensor<30x64xf32>
  return %r : tensor<30x64xf32>
}

// DUMP-LABEL: function padded_rows:
// DUMP:        10 nvptx.elementwise: chosen
// CHECK-LABEL: func.func @padded_rows(
// CHECK:       loop.for thread_bind[threadIdx.x]
// CHECK-NEXT:    loop.for vectorize %{{.*}} in 4
// CHECK-NEXT:      loop.block "pad"
func.func @padded_rows(%x: tensor<30x64xf32>) -> tensor<32x64xf32> {
  %zero = arith.constant 0.0 : f32
  %r = tensor.pad %x low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<30x64xf32> to tensor<32x64xf32>
  return %r : tensor<32x64xf32>
}
