// Schedules with storage primitives run on the interpreter and on x86. There, `shared` and `local` buffers are
// memory of the thread that runs an iteration, or, outside of such loops, ordinary memory.
//
// RUN: lw-run %s --entry fill --output %t.A.npy
// RUN: lw-run %s --input %t.A.npy --input %t.A.npy --output %t.C.npy

// Tiles of a parallel loop, with copies of rows of A and a cache of the result.
// RUN: lw-opt %s --sched-split='loop=C:i factors=-1,4' --sched-parallel=loop=C:i.0 \
// RUN:   --sched-cache-read='block=C buffer=A scope=local' --sched-cache-write='block=C buffer=C scope=local' \
// RUN:   --sched-cache-read='block=C_local_temp_buffer buffer=B scope=shared' -o %t.tiles.mlir
// RUN: FileCheck %s --check-prefix=TILES --input-file=%t.tiles.mlir
// RUN: lw-run %t.tiles.mlir --input %t.A.npy --input %t.A.npy --check %t.C.npy --rtol 0 --atol 0 --seed 1
// RUN: lw-run %t.tiles.mlir --input %t.A.npy --input %t.A.npy --check %t.C.npy --rtol 0 --atol 0 --seed 2
// RUN: lw-run %t.tiles.mlir --target x86 --input %t.A.npy --input %t.A.npy --check %t.C.npy --rtol 0 --atol 0
// RUN: lw-run %t.tiles.mlir --target x86 --compile-to vector | FileCheck %s --check-prefix=VECTOR

// Copies before the nest, then the nest in thread blocks: all thread blocks share the copies.
// RUN: lw-opt %s --sched-cache-read='block=C buffer=A scope=global' \
// RUN:   --sched-cache-read='block=C buffer=B scope=shared' --sched-set-scope='buffer=A_global_temp_buffer scope=local' \
// RUN:   --sched-set-scope='buffer=A_global_temp_buffer scope=global' \
// RUN:   --sched-parallel=loop=A_global_temp_buffer:cache_ax0 --sched-parallel=loop=C:i \
// RUN:   --sched-parallel=loop=B_shared_temp_buffer:cache_ax1 -o %t.front.mlir
// RUN: lw-run %t.front.mlir --input %t.A.npy --input %t.A.npy --check %t.C.npy --rtol 0 --atol 0 --seed 3
// RUN: lw-run %t.front.mlir --target x86 --input %t.A.npy --input %t.A.npy --check %t.C.npy --rtol 0 --atol 0

// A thread block's copy of its reads, in the loop of the block.
// RUN: lw-opt %s --sched-bind='loop=C:i thread=blockIdx.x' --sched-cache-read='block=C buffer=A scope=shared' \
// RUN:   --sched-cache-write='block=C buffer=C scope=shared' -o %t.blocks.mlir
// RUN: lw-run %t.blocks.mlir --input %t.A.npy --input %t.A.npy --check %t.C.npy --rtol 0 --atol 0 --seed 4
// RUN: lw-run %t.blocks.mlir --target x86 --input %t.A.npy --input %t.A.npy --check %t.C.npy --rtol 0 --atol 0

// TILES:         loop.for parallel %i.0 in 4
// TILES:           loop.block "A_local_temp_buffer" [%v0: spatial 13, %v1: spatial 13] = (%i.0 * 4 + %cache_ax0, %cache_ax1)
// TILES:           loop.block "C_local_temp_buffer"
// TILES:           loop.block "C" [%v0: spatial 13, %v1: spatial 13] = (%i.0 * 4 + %cache_ax0, %cache_ax1)

// VECTOR-LABEL:  func.func @main
// VECTOR:          memref.alloc() {alignment = 64 : i64} : memref<13x13xf32>
// VECTOR:          scf.parallel
// VECTOR-COUNT-2:    memref.alloca() {alignment = 64 : i64} : memref<4x13xf32>
func.func @main(%A: memref<13x13xf32> {loop.name = "A"}, %B: memref<13x13xf32> {loop.name = "B"},
                %C: memref<13x13xf32> {loop.name = "C", loop.result}) {
  loop.for serial %i in 13 {
    loop.for serial %j in 13 {
      loop.for serial %k in 13 {
        loop.block "C" [%v: spatial 13, %w: spatial 13, %vk: reduce 13] = (%i, %j, %k)
            reads(%A[%v : 1, %vk : 1], %B[%vk : 1, %w : 1]) writes(%C[%v : 1, %w : 1]) reducer(add, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %C[%v, %w] : memref<13x13xf32>
          }
          %a = memref.load %A[%v, %vk] : memref<13x13xf32>
          %b = memref.load %B[%vk, %w] : memref<13x13xf32>
          %c = memref.load %C[%v, %w] : memref<13x13xf32>
          %p = arith.mulf %a, %b : f32
          %s = arith.addf %c, %p : f32
          memref.store %s, %C[%v, %w] : memref<13x13xf32>
        }
      }
    }
  }
  return
}

func.func @fill(%A: memref<13x13xf32> {loop.result}) {
  loop.for serial %i in 13 {
    loop.for serial %j in 13 {
      loop.block "fill" [%v: spatial 13, %w: spatial 13] = (%i, %j) writes(%A[%v : 1, %w : 1]) {
        %n = affine.apply affine_map<(d0, d1) -> ((d0 * 13 + d1) mod 17)>(%v, %w)
        %whole = arith.index_cast %n : index to i32
        %f = arith.sitofp %whole : i32 to f32
        memref.store %f, %A[%v, %w] : memref<13x13xf32>
      }
    }
  }
  return
}
