// Rows that are computed together are predicted to be faster than each nest on its own.
// RUN: lw-opt %s --auto-schedule='machine=%S/../auto_schedule/Inputs/machine.json top=8' -o /dev/null | FileCheck %s
// CHECK: transform.tune.alternatives<"rows: M, D"> selected_region = 0 {
// CHECK-NEXT: // x86.rows: predicted {{.*}} ms, limited by memory
// CHECK: // one by one: predicted {{.*}} ms, limited by memory
func.func @rows(%A: memref<4096x4096xf32>, %O: memref<4096x4096xf32>) attributes {loop.fp = "fast"} {
  %M = loop.buffer "M" scope(global) : memref<4096xf32>
  loop.for serial %i in 4096 {
    loop.for serial %j in 4096 {
      loop.block "M" [%v: spatial 4096, %r: reduce 4096] = (%i, %j)
          reads(%A[%v : 1, %r : 1]) writes(%M[%v : 1]) reducer(add, 0.0) {
        loop.init {
          %zero = arith.constant 0.0 : f32
          memref.store %zero, %M[%v] : memref<4096xf32>
        }
        %a = memref.load %A[%v, %r] : memref<4096x4096xf32>
        %m = memref.load %M[%v] : memref<4096xf32>
        %s = arith.addf %m, %a : f32
        memref.store %s, %M[%v] : memref<4096xf32>
      }
    }
  }
  loop.for serial %i in 4096 {
    loop.for serial %j in 4096 {
      loop.block "D" [%v: spatial 4096, %w: spatial 4096] = (%i, %j)
          reads(%A[%v : 1, %w : 1], %M[%v : 1]) writes(%O[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<4096x4096xf32>
        %m = memref.load %M[%v] : memref<4096xf32>
        %d = arith.divf %a, %m : f32
        memref.store %d, %O[%v, %w] : memref<4096x4096xf32>
      }
    }
  }
  return
}
