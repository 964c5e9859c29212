// RUN: lw-opt %s --sched-cache-write='block=rows buffer=B scope=local' \
// RUN:   --sched-cache-write='block=some buffer=B scope=shared' \
// RUN:   --sched-cache-write='block=tail buffer=B scope=global' \
// RUN:   --sched-cache-write='block=sum buffer=B scope=local' \
// RUN:   --sched-cache-write='block=dynamic buffer=B scope=global' \
// RUN:   --sched-cache-write='block=fused buffer=B scope=global' \
// RUN:   --sched-cache-write='block=P buffer=T scope=local' \
// RUN:   --sched-cache-write='block=best buffer=V scope=local' | FileCheck %s
// CHECK-DAG: #[[MAP0:.+]] = affine_map<(d0) -> (d0 + 2)>
// CHECK-DAG: #[[MAP1:.+]] = affine_map<(d0) -> (d0 + 3)>
// CHECK-DAG: #[[MAP2:.+]] = affine_map<()[s0] -> (s0 ceildiv 8)>
// CHECK-DAG: #[[MAP3:.+]] = affine_map<()[s0, s1] -> (s0 * s1)>
// CHECK-DAG: #[[MAP4:.+]] = affine_map<(d0) -> (-d0 + 7)>

// Each iteration of a parallel loop has its own local buffer, and copies the elements that it has written.
// CHECK-LABEL: func.func @rows
// CHECK:        %B_local_temp_buffer = loop.buffer "B_local_temp_buffer" scope(local) : memref<4x8xf32>
// CHECK-NEXT:   loop.for parallel %i in 4 {
// CHECK-NEXT:     loop.for serial %j in 8 {
// CHECK-NEXT:       loop.block "B_local_temp_buffer" [%v: spatial 4, %w: spatial 8] = (%i, %j)
// CHECK-NEXT:           reads(%arg0[%v : 1, %w : 1]) writes(%B_local_temp_buffer[%v : 1, %w : 1]) {
// CHECK-NEXT:         %0 = memref.load %arg0[%v, %w] : memref<4x8xf32>
// CHECK-NEXT:         memref.store %0, %B_local_temp_buffer[%v, %w] : memref<4x8xf32>
// CHECK:          loop.for serial %cache_ax0 in 1 {
// CHECK-NEXT:       loop.for serial %cache_ax1 in 8 {
// CHECK-NEXT:         loop.block "rows" [%v0: spatial 4, %v1: spatial 8] = (%i + %cache_ax0, %cache_ax1)
// CHECK-NEXT:             reads(%B_local_temp_buffer[%v0 : 1, %v1 : 1]) writes(%arg1[%v0 : 1, %v1 : 1]) {
// CHECK-NEXT:           %0 = memref.load %B_local_temp_buffer[%v0, %v1] : memref<4x8xf32>
// CHECK-NEXT:           memref.store %0, %arg1[%v0, %v1] : memref<4x8xf32>
func.func @rows(%A: memref<4x8xf32>, %B: memref<4x8xf32> {loop.name = "B"}) {
  loop.for parallel %i in 4 {
    loop.for serial %j in 8 {
      loop.block "rows" [%v: spatial 4, %w: spatial 8] = (%i, %j)
          reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<4x8xf32>
        memref.store %a, %B[%v, %w] : memref<4x8xf32>
      }
    }
  }
  return
}

// Only the written elements: the rest of the buffer keeps its values.
// CHECK-LABEL: func.func @some_cells
// CHECK:        %B_shared_temp_buffer = loop.buffer "B_shared_temp_buffer" scope(shared) : memref<1x8xf32>
// CHECK-NEXT:   loop.for serial %i in 8 {
// CHECK-NEXT:     loop.block "B_shared_temp_buffer" [%v: spatial 8] = (%i)
// CHECK-NEXT:         reads(%arg0[%v : 1]) writes(%B_shared_temp_buffer[0 : 1, %v : 1]) {
// CHECK-NEXT:       %0 = memref.load %arg0[%v] : memref<8xf32>
// CHECK-NEXT:       %c0 = arith.constant 0 : index
// CHECK-NEXT:       memref.store %0, %B_shared_temp_buffer[%c0, %v] : memref<1x8xf32>
// CHECK:        loop.for serial %cache_ax0 in 1 {
// CHECK-NEXT:     loop.for serial %cache_ax1 in 8 {
// CHECK-NEXT:       loop.block "some" [%v0: spatial 1, %v1: spatial 8] = (%cache_ax0, %cache_ax1)
// CHECK-NEXT:           reads(%B_shared_temp_buffer[%v0 : 1, %v1 : 1]) writes(%arg1[%v0 + 2 : 1, %v1 + 3 : 1]) {
// CHECK-NEXT:         %0 = affine.apply #[[MAP0]](%v0)
// CHECK-NEXT:         %1 = affine.apply #[[MAP1]](%v1)
// CHECK-NEXT:         %2 = memref.load %B_shared_temp_buffer[%v0, %v1] : memref<1x8xf32>
// CHECK-NEXT:         memref.store %2, %arg1[%0, %1] : memref<4x16xf32>
func.func @some_cells(%A: memref<8xf32>, %B: memref<4x16xf32> {loop.name = "B"}) {
  loop.for serial %i in 8 {
    loop.block "some" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[2 : 1, %v + 3 : 1]) {
      %c2 = arith.constant 2 : index
      %0 = affine.apply affine_map<(d0) -> (d0 + 3)>(%v)
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %B[%c2, %0] : memref<4x16xf32>
    }
  }
  return
}

// Tiles that do not divide the size: the copy has no tail.
// CHECK-LABEL: func.func @tail
// CHECK:        %B_global_temp_buffer = loop.buffer "B_global_temp_buffer" scope(global) : memref<30xf32>
// CHECK-NEXT:   loop.for serial %i.0 in 4 {
// CHECK-NEXT:     loop.for serial %i.1 in 8 {
// CHECK-NEXT:       loop.block "B_global_temp_buffer" [%v: spatial 30] = (%i.0 * 8 + %i.1)
// CHECK-NEXT:           where(-(%i.0 * 8 + %i.1) + 29 >= 0)
// CHECK-NEXT:           reads(%arg0[%v : 1]) writes(%B_global_temp_buffer[%v : 1]) {
// CHECK-NEXT:         %0 = memref.load %arg0[%v] : memref<30xf32>
// CHECK-NEXT:         memref.store %0, %B_global_temp_buffer[%v] : memref<30xf32>
// CHECK:        loop.for serial %cache_ax0 in 30 {
// CHECK-NEXT:     loop.block "tail" [%v0: spatial 30] = (%cache_ax0)
// CHECK-NEXT:         reads(%B_global_temp_buffer[%v0 : 1]) writes(%arg1[%v0 : 1]) {
// CHECK-NEXT:       %0 = memref.load %B_global_temp_buffer[%v0] : memref<30xf32>
// CHECK-NEXT:       memref.store %0, %arg1[%v0] : memref<30xf32>
func.func @tail(%A: memref<30xf32>, %B: memref<30xf32> {loop.name = "B"}) {
  loop.for serial %i.0 in 4 {
    loop.for serial %i.1 in 8 {
      loop.block "tail" [%v: spatial 30] = (%i.0 * 8 + %i.1) where(%i.0 * 8 + %i.1 < 30)
          reads(%A[%v : 1]) writes(%B[%v : 1]) {
        %a = memref.load %A[%v] : memref<30xf32>
        memref.store %a, %B[%v] : memref<30xf32>
      }
    }
  }
  return
}

// In the tiles of a parallel loop it does. The start of the sum is redirected too.
// CHECK-LABEL: func.func @sum_in_tiles
// CHECK:        %B_local_temp_buffer = loop.buffer "B_local_temp_buffer" scope(local) : memref<30xf32>
// CHECK-NEXT:   loop.for parallel %i.0 in 4 {
// CHECK-NEXT:     loop.for serial %i.1 in 8 {
// CHECK-NEXT:       loop.for serial %k in 6 {
// CHECK-NEXT:         loop.block "B_local_temp_buffer" [%v: spatial 30, %vk: reduce 6] = (%i.0 * 8 + %i.1, %k)
// CHECK-NEXT:             where(-(%i.0 * 8 + %i.1) + 29 >= 0)
// CHECK-NEXT:             reads(%arg0[%v : 1, %vk : 1]) writes(%B_local_temp_buffer[%v : 1])
// CHECK-NEXT:             reducer(add, 0.000000e+00) {
// CHECK-NEXT:           loop.init {
// CHECK-NEXT:             %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:             memref.store %cst, %B_local_temp_buffer[%v] : memref<30xf32>
// CHECK:                %0 = memref.load %arg0[%v, %vk] : memref<30x6xf32>
// CHECK-NEXT:           %1 = memref.load %B_local_temp_buffer[%v] : memref<30xf32>
// CHECK-NEXT:           %2 = arith.addf %1, %0 : f32
// CHECK-NEXT:           memref.store %2, %B_local_temp_buffer[%v] : memref<30xf32>
// CHECK:          loop.for serial %cache_ax0 in 8 {
// CHECK-NEXT:       loop.block "sum" [%v0: spatial 30] = (%i.0 * 8 + %cache_ax0)
// CHECK-NEXT:           where(%i.0 * -8 - %cache_ax0 + 29 >= 0)
// CHECK-NEXT:           reads(%B_local_temp_buffer[%v0 : 1]) writes(%arg1[%v0 : 1]) {
// CHECK-NEXT:         %0 = memref.load %B_local_temp_buffer[%v0] : memref<30xf32>
// CHECK-NEXT:         memref.store %0, %arg1[%v0] : memref<30xf32>
func.func @sum_in_tiles(%A: memref<30x6xf32>, %B: memref<30xf32> {loop.name = "B"}) {
  loop.for parallel %i.0 in 4 {
    loop.for serial %i.1 in 8 {
      loop.for serial %k in 6 {
        loop.block "sum" [%v: spatial 30, %vk: reduce 6] = (%i.0 * 8 + %i.1, %k) where(%i.0 * 8 + %i.1 < 30)
            reads(%A[%v : 1, %vk : 1]) writes(%B[%v : 1]) reducer(add, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %B[%v] : memref<30xf32>
          }
          %a = memref.load %A[%v, %vk] : memref<30x6xf32>
          %b = memref.load %B[%v] : memref<30xf32>
          %s = arith.addf %b, %a : f32
          memref.store %s, %B[%v] : memref<30xf32>
        }
      }
    }
  }
  return
}

// Dynamic sizes, in tiles.
// CHECK-LABEL: func.func @dynamic
// CHECK:        %B_global_temp_buffer = loop.buffer "B_global_temp_buffer" scope(global) (%arg2, %arg3) : memref<?x?xf32>
// CHECK-NEXT:   loop.for serial %i.0 in #[[MAP2]]()[%arg2] {
// CHECK-NEXT:     loop.for serial %i.1 in 8 {
// CHECK-NEXT:       loop.for serial %j in %arg3 {
// CHECK-NEXT:         loop.block "B_global_temp_buffer" [%v: spatial %arg2, %w: spatial %arg3] = (%i.0 * 8 + %i.1, %j)
// CHECK-NEXT:             where(%arg2 - (%i.0 * 8 + %i.1) - 1 >= 0)
// CHECK-NEXT:             reads(%arg0[%v : 1, %w : 1]) writes(%B_global_temp_buffer[%v : 1, %w : 1]) {
// CHECK-NEXT:           %0 = memref.load %arg0[%v, %w] : memref<?x?xf32>
// CHECK-NEXT:           memref.store %0, %B_global_temp_buffer[%v, %w] : memref<?x?xf32>
// CHECK:        loop.for serial %cache_ax0 in %arg2 {
// CHECK-NEXT:     loop.for serial %cache_ax1 in %arg3 {
// CHECK-NEXT:       loop.block "dynamic" [%v0: spatial %arg2, %v1: spatial %arg3] = (%cache_ax0, %cache_ax1)
// CHECK-NEXT:           reads(%B_global_temp_buffer[%v0 : 1, %v1 : 1]) writes(%arg1[%v0 : 1, %v1 : 1]) {
// CHECK-NEXT:         %0 = memref.load %B_global_temp_buffer[%v0, %v1] : memref<?x?xf32>
// CHECK-NEXT:         memref.store %0, %arg1[%v0, %v1] : memref<?x?xf32>
func.func @dynamic(%A: memref<?x?xf32>, %B: memref<?x?xf32> {loop.name = "B"}, %n: index, %m: index) {
  loop.for serial %i.0 in affine_map<()[s0] -> (s0 ceildiv 8)>()[%n] {
    loop.for serial %i.1 in 8 {
      loop.for serial %j in %m {
        loop.block "dynamic" [%v: spatial %n, %w: spatial %m] = (%i.0 * 8 + %i.1, %j) where(%i.0 * 8 + %i.1 < %n)
            reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
          %a = memref.load %A[%v, %w] : memref<?x?xf32>
          memref.store %a, %B[%v, %w] : memref<?x?xf32>
        }
      }
    }
  }
  return
}

// The quotient and the remainder of one loop are all pairs of two loops.
// CHECK-LABEL: func.func @fused
// CHECK:        %B_global_temp_buffer = loop.buffer "B_global_temp_buffer" scope(global) (%arg2, %arg3) : memref<?x?xf32>
// CHECK-NEXT:   loop.for serial %f in #[[MAP3]]()[%arg2, %arg3] {
// CHECK-NEXT:     loop.block "B_global_temp_buffer" [%v: spatial %arg2, %w: spatial %arg3] = (%f floordiv symbol(%arg3), %f mod symbol(%arg3))
// CHECK-NEXT:         reads(%arg0[%v : 1, %w : 1]) writes(%B_global_temp_buffer[%v : 1, %w : 1]) {
// CHECK-NEXT:       %0 = memref.load %arg0[%v, %w] : memref<?x?xf32>
// CHECK-NEXT:       memref.store %0, %B_global_temp_buffer[%v, %w] : memref<?x?xf32>
// CHECK:        loop.for serial %cache_ax0 in %arg2 {
// CHECK-NEXT:     loop.for serial %cache_ax1 in %arg3 {
// CHECK-NEXT:       loop.block "fused" [%v0: spatial %arg2, %v1: spatial %arg3] = (%cache_ax0, %cache_ax1)
// CHECK-NEXT:           reads(%B_global_temp_buffer[%v0 : 1, %v1 : 1]) writes(%arg1[%v0 : 1, %v1 : 1]) {
// CHECK-NEXT:         %0 = memref.load %B_global_temp_buffer[%v0, %v1] : memref<?x?xf32>
// CHECK-NEXT:         memref.store %0, %arg1[%v0, %v1] : memref<?x?xf32>
func.func @fused(%A: memref<?x?xf32>, %B: memref<?x?xf32> {loop.name = "B"}, %n: index, %m: index) {
  loop.for serial %f in affine_map<()[s0, s1] -> (s0 * s1)>()[%n, %m] {
    loop.block "fused" [%v: spatial %n, %w: spatial %m] = (%f floordiv symbol(%m), %f mod symbol(%m))
        reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
      %a = memref.load %A[%v, %w] : memref<?x?xf32>
      memref.store %a, %B[%v, %w] : memref<?x?xf32>
    }
  }
  return
}

// A reader shares a loop with the block: the copy is in it, between the two.
// CHECK-LABEL: func.func @reader_in_the_loop
// CHECK:        %T = loop.buffer "T" scope(global) : memref<4x8xf32>
// CHECK-NEXT:   %T_local_temp_buffer = loop.buffer "T_local_temp_buffer" scope(local) : memref<4x8xf32>
// CHECK-NEXT:   loop.for serial %i in 4 {
// CHECK-NEXT:     loop.for serial %j in 8 {
// CHECK-NEXT:       loop.block "T_local_temp_buffer" [%v: spatial 4, %w: spatial 8] = (%i, %j)
// CHECK-NEXT:           reads(%arg0[%v : 1, %w : 1]) writes(%T_local_temp_buffer[%v : 1, %w : 1]) {
// CHECK-NEXT:         %0 = memref.load %arg0[%v, %w] : memref<4x8xf32>
// CHECK-NEXT:         memref.store %0, %T_local_temp_buffer[%v, %w] : memref<4x8xf32>
// CHECK:          loop.for serial %cache_ax0 in 1 {
// CHECK-NEXT:       loop.for serial %cache_ax1 in 8 {
// CHECK-NEXT:         loop.block "P" [%v0: spatial 4, %v1: spatial 8] = (%i + %cache_ax0, %cache_ax1)
// CHECK-NEXT:             reads(%T_local_temp_buffer[%v0 : 1, %v1 : 1]) writes(%T[%v0 : 1, %v1 : 1]) {
// CHECK-NEXT:           %0 = memref.load %T_local_temp_buffer[%v0, %v1] : memref<4x8xf32>
// CHECK-NEXT:           memref.store %0, %T[%v0, %v1] : memref<4x8xf32>
// CHECK:          loop.for serial %j in 8 {
// CHECK-NEXT:       loop.block "Q" [%v: spatial 4, %w: spatial 8] = (%i, %j)
// CHECK-NEXT:           reads(%T[%v : 1, -%w + 7 : 1]) writes(%arg1[%v : 1, %w : 1]) {
// CHECK-NEXT:         %0 = affine.apply #[[MAP4]](%w)
// CHECK-NEXT:         %1 = memref.load %T[%v, %0] : memref<4x8xf32>
// CHECK-NEXT:         memref.store %1, %arg1[%v, %w] : memref<4x8xf32>
func.func @reader_in_the_loop(%A: memref<4x8xf32>, %B: memref<4x8xf32>) {
  %T = loop.buffer "T" scope(global) : memref<4x8xf32>
  loop.for serial %i in 4 {
    loop.for serial %j in 8 {
      loop.block "P" [%v: spatial 4, %w: spatial 8] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%T[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<4x8xf32>
        memref.store %a, %T[%v, %w] : memref<4x8xf32>
      }
    }
    loop.for serial %j in 8 {
      loop.block "Q" [%v: spatial 4, %w: spatial 8] = (%i, %j) reads(%T[%v : 1, -%w + 7 : 1]) writes(%B[%v : 1, %w : 1]) {
        %0 = affine.apply affine_map<(d0) -> (7 - d0)>(%w)
        %t = memref.load %T[%v, %0] : memref<4x8xf32>
        memref.store %t, %B[%v, %w] : memref<4x8xf32>
      }
    }
  }
  return
}

// One of several results of a reduction.
// CHECK-LABEL: func.func @best
// CHECK:        %V_local_temp_buffer = loop.buffer "V_local_temp_buffer" scope(local) : memref<4xf32>
// CHECK-NEXT:   loop.for serial %i in 4 {
// CHECK-NEXT:     loop.for serial %k in 6 {
// CHECK-NEXT:       loop.block "V_local_temp_buffer" [%v: spatial 4, %vk: reduce 6] = (%i, %k)
// CHECK-NEXT:           reads(%arg0[%v : 1, %vk : 1]) writes(%V_local_temp_buffer[%v : 1], %arg2[%v : 1])
// CHECK-NEXT:           reducer(argmax, 0xFF800000, 0) {
// CHECK-NEXT:         loop.init {
// CHECK-NEXT:           %cst = arith.constant 0xFF800000 : f32
// CHECK-NEXT:           %c0_i64 = arith.constant 0 : i64
// CHECK-NEXT:           memref.store %cst, %V_local_temp_buffer[%v] : memref<4xf32>
// CHECK-NEXT:           memref.store %c0_i64, %arg2[%v] : memref<4xi64>
// CHECK:              %0 = arith.index_cast %vk : index to i64
// CHECK-NEXT:         %1 = memref.load %arg0[%v, %vk] : memref<4x6xf32>
// CHECK-NEXT:         %2 = memref.load %V_local_temp_buffer[%v] : memref<4xf32>
// CHECK-NEXT:         %3 = memref.load %arg2[%v] : memref<4xi64>
// CHECK-NEXT:         %4 = arith.cmpf ogt, %1, %2 : f32
// CHECK-NEXT:         %5 = arith.maximumf %1, %2 : f32
// CHECK-NEXT:         %6 = arith.select %4, %0, %3 : i64
// CHECK-NEXT:         memref.store %5, %V_local_temp_buffer[%v] : memref<4xf32>
// CHECK-NEXT:         memref.store %6, %arg2[%v] : memref<4xi64>
// CHECK:        loop.for serial %cache_ax0 in 4 {
// CHECK-NEXT:     loop.block "best" [%v0: spatial 4] = (%cache_ax0)
// CHECK-NEXT:         reads(%V_local_temp_buffer[%v0 : 1]) writes(%arg1[%v0 : 1]) {
// CHECK-NEXT:       %0 = memref.load %V_local_temp_buffer[%v0] : memref<4xf32>
// CHECK-NEXT:       memref.store %0, %arg1[%v0] : memref<4xf32>
func.func @best(%A: memref<4x6xf32>, %V: memref<4xf32> {loop.name = "V"}, %I: memref<4xi64>) {
  loop.for serial %i in 4 {
    loop.for serial %k in 6 {
      loop.block "best" [%v: spatial 4, %vk: reduce 6] = (%i, %k)
          reads(%A[%v : 1, %vk : 1]) writes(%V[%v : 1], %I[%v : 1]) reducer(argmax, 0xFF800000, 0) {
        loop.init {
          %low = arith.constant 0xFF800000 : f32
          %none = arith.constant 0 : i64
          memref.store %low, %V[%v] : memref<4xf32>
          memref.store %none, %I[%v] : memref<4xi64>
        }
        %at = arith.index_cast %vk : index to i64
        %a = memref.load %A[%v, %vk] : memref<4x6xf32>
        %b = memref.load %V[%v] : memref<4xf32>
        %c = memref.load %I[%v] : memref<4xi64>
        %g = arith.cmpf ogt, %a, %b : f32
        %x = arith.maximumf %a, %b : f32
        %y = arith.select %g, %at, %c : i64
        memref.store %x, %V[%v] : memref<4xf32>
        memref.store %y, %I[%v] : memref<4xi64>
      }
    }
  }
  return
}
