// A factor whose transforms are lifted is packed as a whole, for few rows too: that costs nothing in a call.
// RUN: lw-opt %s --schedule-by-strategy='cpu=znver4' | FileCheck %s

// CHECK-LABEL: func.func @few_rows(
// CHECK: %[[panels:.*]] = loop.buffer "w_global_temp_buffer" scope(global) : memref<21x8x125x48xf32>
// CHECK: loop.for parallel
// CHECK: loop.block "w_global_temp_buffer"
// CHECK: writes(%[[panels]][
// CHECK: loop.for parallel
// CHECK: loop.for serial %k.0 in 125
// CHECK: loop.for unroll %k.1 in 8
// CHECK: loop.block "B"
// CHECK: %[[panels]][
memref.global "private" constant @w : memref<1000x1000xf32>
func.func @few_rows(%A: memref<8x1000xf32> {loop.name = "A"}, %B: memref<8x1000xf32> {loop.name = "B", loop.result}) {
  %w = memref.get_global @w : memref<1000x1000xf32> {loop.transforms_are_lifted}
  loop.for serial %i in 8 {
    loop.for serial %j in 1000 {
      loop.for serial %k in 1000 {
        loop.block "B" [%vi: spatial 8, %vj: spatial 1000, %vk: reduce 1000] = (%i, %j, %k)
            reads(%A[%vi : 1, %vk : 1], %w[%vk : 1, %vj : 1]) writes(%B[%vi : 1, %vj : 1]) reducer(add, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %B[%vi, %vj] : memref<8x1000xf32>
          }
          %a = memref.load %A[%vi, %vk] : memref<8x1000xf32>
          %b = memref.load %w[%vk, %vj] : memref<1000x1000xf32>
          %c = memref.load %B[%vi, %vj] : memref<8x1000xf32>
          %p = arith.mulf %a, %b : f32
          %s = arith.addf %c, %p : f32
          memref.store %s, %B[%vi, %vj] : memref<8x1000xf32>
        }
      }
    }
  }
  return
}
