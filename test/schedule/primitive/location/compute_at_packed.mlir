// A copy in panels, moved into the loop over panels: each panel is copied once, because the indices of the copy give the
// column that a panel needs, as 16 * (w floordiv 16) + w mod 16.
// RUN: lw-opt %s --verify-each=numeric --sched-split='loop=C:j factors=-1,16' --sched-reorder='loops=C:j.0,C:i' --sched-cache-read='block=C buffer=arg1 scope=global index_map="(k, j) -> (j floordiv 16, k, j mod 16)"' --sched-compute-at='block=arg1_global_temp_buffer loop=C:j.0' --sched-parallel=loop=C:j.0 | FileCheck %s
// CHECK: loop.buffer "arg1_global_temp_buffer" scope(global) : memref<4x8x16xf32>
// CHECK: loop.for parallel %j.0 in 4
// CHECK-NEXT: loop.for serial %cache_ax0 in 8
// CHECK-NEXT: loop.for serial %cache_ax1 in 16
// CHECK-NEXT: loop.block "arg1_global_temp_buffer" [%v0: spatial 8, %v1: spatial 64] = (%cache_ax0, %j.0 * 16 + %cache_ax1)
// CHECK: loop.for serial %i in 8
func.func @main(%A: memref<8x8xf32>, %B: memref<8x64xf32>, %C: memref<8x64xf32> {loop.result}) {
  loop.for serial %i in 8 {
    loop.for serial %j in 64 {
      loop.for serial %k in 8 {
        loop.block "C" [%v: spatial 8, %w: spatial 64, %vk: reduce 8] = (%i, %j, %k) reads(%A[%v : 1, %vk : 1], %B[%vk : 1, %w : 1]) writes(%C[%v : 1, %w : 1]) reducer(add, 0.0) {
          loop.init {
            %z = arith.constant 0.0 : f32
            memref.store %z, %C[%v, %w] : memref<8x64xf32>
          }
          %a = memref.load %A[%v, %vk] : memref<8x8xf32>
          %b = memref.load %B[%vk, %w] : memref<8x64xf32>
          %p = arith.mulf %a, %b : f32
          %c = memref.load %C[%v, %w] : memref<8x64xf32>
          %d = arith.addf %c, %p : f32
          memref.store %d, %C[%v, %w] : memref<8x64xf32>
        }
      }
    }
  }
  return
}
