// RUN: lw-opt %s --sched-double-buffer='block=arg0_global_temp_buffer with=arg1_global_temp_buffer' --mlir-print-local-scope | FileCheck %s
// RUN: lw-opt %s --sched-double-buffer='block=arg0_global_temp_buffer copies=3 with=arg1_global_temp_buffer' --mlir-print-local-scope \
// RUN:   | FileCheck %s --check-prefix=THREE

// The copies of a matmul in tiles of both dimensions. The iterations of one block stay in order, whatever it accesses,
// so only the copies and their readers are checked. A copy has the part of one iteration.
// CHECK-LABEL: func.func @matmul(
// CHECK:         loop.buffer "arg0_global_temp_buffer" scope(global) : memref<2x128x16xf32>
// CHECK:         loop.buffer "arg1_global_temp_buffer" scope(global) : memref<2x16x128xf32>
// CHECK:         loop.block "arg0_global_temp_buffer.prologue"
// CHECK:         loop.block "arg1_global_temp_buffer.prologue"
// CHECK:         loop.for serial %k.0 in 3
// CHECK:           loop.block "arg0_global_temp_buffer" {{.*}} = (%i.0 * 64 + %cache_ax0, %k.0 * 16 + %cache_ax1 + 16, (%k.0 + 1) mod 2
// CHECK:           loop.block "arg1_global_temp_buffer" {{.*}} = (%k.0 * 16 + %cache_ax0 + 16, %j.0 * 64 + %cache_ax1, (%k.0 + 1) mod 2
// CHECK:           loop.block "matmul" {{.*}} = (%i.0 * 64 + %i.1, %j.0 * 64 + %j.1, %k.0 * 16 + %k.1, %k.0 mod 2, %k.0 mod 2)
// CHECK:         loop.block "matmul.epilogue"
// THREE:         loop.buffer "arg0_global_temp_buffer" scope(global) : memref<3x128x16xf32>
// THREE:         loop.block "arg1_global_temp_buffer.prologue"
// THREE:         loop.block "arg1_global_temp_buffer.prologue_1"
// THREE:         loop.for serial %k.0 in 2
// THREE:         loop.block "matmul.epilogue_1"
func.func @matmul(%arg0: memref<128x64xf32>, %arg1: memref<64x128xf32>, %arg2: memref<128x128xf32> {loop.name = "out", loop.result}) {
  %arg0_global_temp_buffer = loop.buffer "arg0_global_temp_buffer" scope(global) : memref<128x64xf32>
  %arg1_global_temp_buffer = loop.buffer "arg1_global_temp_buffer" scope(global) : memref<64x128xf32>
  loop.for serial %i.0 in 2 axis(tile_outer from "i" pair "i.1") {
    loop.for serial %j.0 in 2 axis(tile_outer from "j" pair "j.1") {
      loop.for serial %k.0 in 4 axis(tile_outer from "k" pair "k.1") {
        loop.for serial %cache_ax0 in 64 {
          loop.for serial %cache_ax1 in 16 {
            loop.block "arg0_global_temp_buffer" [%v0: spatial 128, %v1: spatial 64] = (%i.0 * 64 + %cache_ax0, %k.0 * 16 + %cache_ax1)
                reads(%arg0[%v0 : 1, %v1 : 1]) writes(%arg0_global_temp_buffer[%v0 : 1, %v1 : 1]) {
              %0 = memref.load %arg0[%v0, %v1] : memref<128x64xf32>
              memref.store %0, %arg0_global_temp_buffer[%v0, %v1] : memref<128x64xf32>
            }
          }
        }
        loop.for serial %cache_ax0 in 16 {
          loop.for serial %cache_ax1 in 64 {
            loop.block "arg1_global_temp_buffer" [%v0: spatial 64, %v1: spatial 128] = (%k.0 * 16 + %cache_ax0, %j.0 * 64 + %cache_ax1)
                reads(%arg1[%v0 : 1, %v1 : 1]) writes(%arg1_global_temp_buffer[%v0 : 1, %v1 : 1]) {
              %0 = memref.load %arg1[%v0, %v1] : memref<64x128xf32>
              memref.store %0, %arg1_global_temp_buffer[%v0, %v1] : memref<64x128xf32>
            }
          }
        }
        loop.for serial %i.1 in 64 axis(tile_inner from "i" pair "i.0") {
          loop.for serial %j.1 in 64 axis(tile_inner from "j" pair "j.0") {
            loop.for serial %k.1 in 16 axis(tile_inner from "k" pair "k.0") {
              loop.block "matmul" [%vi: spatial 128, %vj: spatial 128, %vk: reduce 64] = (%i.0 * 64 + %i.1, %j.0 * 64 + %j.1, %k.0 * 16 + %k.1)
                  reads(%arg0_global_temp_buffer[%vi : 1, %vk : 1], %arg1_global_temp_buffer[%vk : 1, %vj : 1]) writes(%arg2[%vi : 1, %vj : 1])
                  reducer(add, 0.000000e+00) {
                loop.init {
                  %cst = arith.constant 0.000000e+00 : f32
                  memref.store %cst, %arg2[%vi, %vj] : memref<128x128xf32>
                }
                %0 = memref.load %arg0_global_temp_buffer[%vi, %vk] : memref<128x64xf32>
                %1 = memref.load %arg1_global_temp_buffer[%vk, %vj] : memref<64x128xf32>
                %2 = memref.load %arg2[%vi, %vj] : memref<128x128xf32>
                %3 = arith.mulf %0, %1 : f32
                %4 = arith.addf %2, %3 : f32
                memref.store %4, %arg2[%vi, %vj] : memref<128x128xf32>
              }
            }
          }
        }
      }
    }
  }
  return
}
