// RUN: lw-opt %s --sched-cache-read='block=box buffer=A scope=shared' \
// RUN:   --sched-cache-read='block=edge buffer=A scope=global' \
// RUN:   --sched-cache-read='block=gather buffer=A scope=local' \
// RUN:   --sched-cache-read='block=dynamic buffer=A scope=global' \
// RUN:   --sched-cache-read='block=partial buffer=A scope=global' \
// RUN:   --sched-cache-read='block=one buffer=A scope=local consumers=one' \
// RUN:   --sched-cache-read='block=two buffer=A scope=local' \
// RUN:   --sched-cache-read='block=same_loop buffer=T scope=local' \
// RUN:   --sched-cache-read='block=own buffer=A scope=local' \
// RUN:   --sched-cache-read='block=in_place buffer=A scope=global' \
// RUN:   --sched-cache-read='block=versions buffer=A scope=global' \
// RUN:   --sched-cache-read='block=point buffer=A scope=global' \
// RUN:   --sched-cache-read='block=ahead buffer=A scope=global' | FileCheck %s
// CHECK-DAG: #[[MAP0:.+]] = affine_map<(d0) -> (d0 + 2)>
// CHECK-DAG: #[[MAP1:.+]] = affine_map<(d0) -> (d0 + 3)>
// CHECK-DAG: #[[MAP2:.+]] = affine_map<(d0) -> (d0 * 2)>
// CHECK-DAG: #[[MAP3:.+]] = affine_map<(d0) -> (d0 - 1)>
// CHECK-DAG: #[[MAP4:.+]] = affine_map<(d0) -> (d0 + 1)>
// CHECK-DAG: #[[MAP5:.+]] = affine_map<()[s0, s1] -> (s0 + 2, s1)>
// CHECK-DAG: #[[MAP6:.+]] = affine_map<(d0, d1) -> (d0 + d1)>
// CHECK-DAG: #[[MAP7:.+]] = affine_map<()[s0, s1] -> (s0, s1)>
// CHECK-DAG: #[[MAP8:.+]] = affine_map<(d0) -> (d0 + 4)>
// CHECK-DAG: #[[MAP9:.+]] = affine_map<(d0) -> (-d0 + 7)>

// Only the box that is read: rows 2, 4 .. 8 of columns 3 to 10.
// CHECK-LABEL: func.func @box
// CHECK:        %A_shared_temp_buffer = loop.buffer "A_shared_temp_buffer" scope(shared) : memref<7x8xf32>
// CHECK-NEXT:   loop.for serial %cache_ax0 in 7 {
// CHECK-NEXT:     loop.for serial %cache_ax1 in 8 {
// CHECK-NEXT:       loop.block "A_shared_temp_buffer" [%v0: spatial 7, %v1: spatial 8] = (%cache_ax0, %cache_ax1)
// CHECK-NEXT:           reads(%arg0[%v0 + 2 : 1, %v1 + 3 : 1]) writes(%A_shared_temp_buffer[%v0 : 1, %v1 : 1]) {
// CHECK-NEXT:         %0 = affine.apply #[[MAP0]](%v0)
// CHECK-NEXT:         %1 = affine.apply #[[MAP1]](%v1)
// CHECK-NEXT:         %2 = memref.load %arg0[%0, %1] : memref<16x16xf32>
// CHECK-NEXT:         memref.store %2, %A_shared_temp_buffer[%v0, %v1] : memref<7x8xf32>
// CHECK:        loop.for serial %i in 4 {
// CHECK-NEXT:     loop.for serial %j in 8 {
// CHECK-NEXT:       loop.block "box" [%v: spatial 4, %w: spatial 8] = (%i, %j)
// CHECK-NEXT:           reads(%A_shared_temp_buffer[%v * 2 : 1, %w : 1]) writes(%arg1[%v : 1, %w : 1]) {
// CHECK-NEXT:         %0 = affine.apply #[[MAP2]](%v)
// CHECK-NEXT:         %1 = memref.load %A_shared_temp_buffer[%0, %w] : memref<7x8xf32>
// CHECK-NEXT:         memref.store %1, %arg1[%v, %w] : memref<4x8xf32>
func.func @box(%A: memref<16x16xf32> {loop.name = "A"}, %B: memref<4x8xf32>) {
  loop.for serial %i in 4 {
    loop.for serial %j in 8 {
      loop.block "box" [%v: spatial 4, %w: spatial 8] = (%i, %j)
          reads(%A[%v * 2 + 2 : 1, %w + 3 : 1]) writes(%B[%v : 1, %w : 1]) {
        %0 = affine.apply affine_map<(d0) -> (d0 * 2 + 2)>(%v)
        %1 = affine.apply affine_map<(d0) -> (d0 + 3)>(%w)
        %a = memref.load %A[%0, %1] : memref<16x16xf32>
        memref.store %a, %B[%v, %w] : memref<4x8xf32>
      }
    }
  }
  return
}

// Two loads, one under a condition: the union box of both, within the buffer.
// CHECK-LABEL: func.func @edge
// CHECK:        %A_global_temp_buffer = loop.buffer "A_global_temp_buffer" scope(global) : memref<8xf32>
// CHECK-NEXT:   loop.for serial %cache_ax0 in 8 {
// CHECK-NEXT:     loop.block "A_global_temp_buffer" [%v0: spatial 8] = (%cache_ax0)
// CHECK-NEXT:         reads(%arg0[%v0 : 1]) writes(%A_global_temp_buffer[%v0 : 1]) {
// CHECK-NEXT:       %0 = memref.load %arg0[%v0] : memref<8xf32>
// CHECK-NEXT:       memref.store %0, %A_global_temp_buffer[%v0] : memref<8xf32>
// CHECK:        loop.for serial %i in 8 {
// CHECK-NEXT:     loop.block "edge" [%v: spatial 8] = (%i)
// CHECK-NEXT:         reads(%A_global_temp_buffer[%v - 1 : 2]) writes(%arg1[%v : 1]) {
// CHECK-NEXT:       %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:       %0 = affine.apply #[[MAP3]](%v)
// CHECK-NEXT:       %1 = memref.load %A_global_temp_buffer[%v] : memref<8xf32>
// CHECK-NEXT:       %2 = loop.if (%v - 1 >= 0) -> f32 {
// CHECK-NEXT:         %4 = memref.load %A_global_temp_buffer[%0] : memref<8xf32>
// CHECK-NEXT:         loop.yield %4 : f32
// CHECK-NEXT:       } else {
// CHECK-NEXT:         loop.yield %cst : f32
// CHECK:            %3 = arith.addf %1, %2 : f32
// CHECK-NEXT:       memref.store %3, %arg1[%v] : memref<8xf32>
func.func @edge(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32>) {
  loop.for serial %i in 8 {
    loop.block "edge" [%v: spatial 8] = (%i) reads(%A[%v - 1 : 2]) writes(%B[%v : 1]) {
      %zero = arith.constant 0.0 : f32
      %before = affine.apply affine_map<(d0) -> (d0 - 1)>(%v)
      %a = memref.load %A[%v] : memref<8xf32>
      %b = loop.if (%v - 1 >= 0) -> (f32) {
        %c = memref.load %A[%before] : memref<8xf32>
        loop.yield %c : f32
      } else {
        loop.yield %zero : f32
      }
      %s = arith.addf %a, %b : f32
      memref.store %s, %B[%v] : memref<8xf32>
    }
  }
  return
}

// For a data-dependent index, the whole dimension.
// CHECK-LABEL: func.func @gather
// CHECK:        %A_local_temp_buffer = loop.buffer "A_local_temp_buffer" scope(local) : memref<16x2xf32>
// CHECK-NEXT:   loop.for serial %cache_ax0 in 16 {
// CHECK-NEXT:     loop.for serial %cache_ax1 in 2 {
// CHECK-NEXT:       loop.block "A_local_temp_buffer" [%v0: spatial 16, %v1: spatial 2] = (%cache_ax0, %cache_ax1)
// CHECK-NEXT:           reads(%arg1[%v0 : 1, %v1 + 1 : 1]) writes(%A_local_temp_buffer[%v0 : 1, %v1 : 1]) {
// CHECK-NEXT:         %0 = affine.apply #[[MAP4]](%v1)
// CHECK-NEXT:         %1 = memref.load %arg1[%v0, %0] : memref<16x8xf32>
// CHECK-NEXT:         memref.store %1, %A_local_temp_buffer[%v0, %v1] : memref<16x2xf32>
// CHECK:        loop.for serial %i in 4 {
// CHECK-NEXT:     loop.for serial %j in 2 {
// CHECK-NEXT:       loop.block "gather" [%v: spatial 4, %w: spatial 2] = (%i, %j)
// CHECK-NEXT:           reads(%arg0[%v : 1], %A_local_temp_buffer[*, %w : 1]) writes(%arg2[%v : 1, %w : 1]) {
// CHECK-NEXT:         %0 = memref.load %arg0[%v] : memref<4xi32>
// CHECK-NEXT:         %1 = arith.index_cast %0 : i32 to index
// CHECK-NEXT:         %2 = memref.load %A_local_temp_buffer[%1, %w] : memref<16x2xf32>
// CHECK-NEXT:         memref.store %2, %arg2[%v, %w] : memref<4x2xf32>
func.func @gather(%I: memref<4xi32>, %A: memref<16x8xf32> {loop.name = "A"}, %B: memref<4x2xf32>) {
  loop.for serial %i in 4 {
    loop.for serial %j in 2 {
      loop.block "gather" [%v: spatial 4, %w: spatial 2] = (%i, %j)
          reads(%I[%v : 1], %A[*, %w + 1 : 1]) writes(%B[%v : 1, %w : 1]) {
        %n = memref.load %I[%v] : memref<4xi32>
        %at = arith.index_cast %n : i32 to index
        %1 = affine.apply affine_map<(d0) -> (d0 + 1)>(%w)
        %a = memref.load %A[%at, %1] : memref<16x8xf32>
        memref.store %a, %B[%v, %w] : memref<4x2xf32>
      }
    }
  }
  return
}

// Dynamic sizes: only the box that is read, and for a loop of n + 2 clamped to the buffer, whose size is computed.
// CHECK-LABEL: func.func @dynamic
// CHECK:        %c1 = arith.constant 1 : index
// CHECK-NEXT:   %dim = memref.dim %arg0, %c1 : memref<?x?xf32>
// CHECK-NEXT:   %c0 = arith.constant 0 : index
// CHECK-NEXT:   %dim_0 = memref.dim %arg0, %c0 : memref<?x?xf32>
// CHECK-NEXT:   %A_global_temp_buffer = loop.buffer "A_global_temp_buffer" scope(global) (%arg2 + 2, %dim) : memref<?x?xf32>
// CHECK-NEXT:   loop.for serial %cache_ax0 in min #[[MAP5]]()[%arg2, %dim_0] {
// CHECK-NEXT:     loop.for serial %cache_ax1 in %dim {
// CHECK-NEXT:       loop.block "A_global_temp_buffer" [%v0: spatial min(%arg2 + 2, %dim_0), %v1: spatial %dim] = (%cache_ax0, %cache_ax1)
// CHECK-NEXT:           reads(%arg0[%v0 : 1, %v1 : 1]) writes(%A_global_temp_buffer[%v0 : 1, %v1 : 1]) {
// CHECK-NEXT:         %0 = memref.load %arg0[%v0, %v1] : memref<?x?xf32>
// CHECK-NEXT:         memref.store %0, %A_global_temp_buffer[%v0, %v1] : memref<?x?xf32>
// CHECK:        loop.for serial %i in %arg2 {
// CHECK-NEXT:     loop.for serial %j in %dim {
// CHECK-NEXT:       loop.for serial %k in 3 {
// CHECK-NEXT:         loop.block "dynamic" [%v: spatial %arg2, %w: spatial %dim, %k0: opaque 3] = (%i, %j, %k)
// CHECK-NEXT:             reads(%A_global_temp_buffer[%v + %k0 : 1, %w : 1]) writes(%arg1[%v : 1, %w : 1]) {
// CHECK-NEXT:           %0 = affine.apply #[[MAP6]](%v, %k0)
// CHECK-NEXT:           %1 = memref.load %A_global_temp_buffer[%0, %w] : memref<?x?xf32>
// CHECK-NEXT:           memref.store %1, %arg1[%v, %w] : memref<?x?xf32>
func.func @dynamic(%A: memref<?x?xf32> {loop.name = "A"}, %B: memref<?x?xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  %m = memref.dim %A, %c1 : memref<?x?xf32>
  loop.for serial %i in %n {
    loop.for serial %j in %m {
      loop.for serial %k in 3 {
        loop.block "dynamic" [%v: spatial %n, %w: spatial %m, %k0: opaque 3] = (%i, %j, %k)
            reads(%A[%v + %k0 : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
          %0 = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%v, %k0)
          %a = memref.load %A[%0, %w] : memref<?x?xf32>
          memref.store %a, %B[%v, %w] : memref<?x?xf32>
        }
      }
    }
  }
  return
}

// A block that may not run for its whole domain: other elements may not exist.
// CHECK-LABEL: func.func @partial
// CHECK:        %c0 = arith.constant 0 : index
// CHECK-NEXT:   %dim = memref.dim %arg0, %c0 : memref<?xf32>
// CHECK-NEXT:   %A_global_temp_buffer = loop.buffer "A_global_temp_buffer" scope(global) (%arg2) : memref<?xf32>
// CHECK-NEXT:   loop.for serial %cache_ax0 in min #[[MAP7]]()[%arg2, %dim] {
// CHECK-NEXT:     loop.block "A_global_temp_buffer" [%v0: spatial min(%arg2, %dim)] = (%cache_ax0)
// CHECK-NEXT:         reads(%arg0[%v0 : 1]) writes(%A_global_temp_buffer[%v0 : 1]) {
// CHECK-NEXT:       %0 = memref.load %arg0[%v0] : memref<?xf32>
// CHECK-NEXT:       memref.store %0, %A_global_temp_buffer[%v0] : memref<?xf32>
// CHECK:        loop.for serial %i in %arg3 {
// CHECK-NEXT:     loop.block "partial" [%v: spatial %arg2] = (%i)
// CHECK-NEXT:         where(%arg2 - %i - 1 >= 0)
// CHECK-NEXT:         reads(%A_global_temp_buffer[%v : 1]) writes(%arg1[%v : 1]) {
// CHECK-NEXT:       %0 = memref.load %A_global_temp_buffer[%v] : memref<?xf32>
// CHECK-NEXT:       memref.store %0, %arg1[%v] : memref<?xf32>
func.func @partial(%A: memref<?xf32> {loop.name = "A"}, %B: memref<?xf32>, %n: index, %m: index) {
  loop.for serial %i in %m {
    loop.block "partial" [%v: spatial %n] = (%i) where(%n - %i - 1 >= 0) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %A[%v] : memref<?xf32>
      memref.store %a, %B[%v] : memref<?xf32>
    }
  }
  return
}

// Some readers, then all remaining ones; the second copy has another name.
// CHECK-LABEL: func.func @some_readers
// CHECK:        %A_local_temp_buffer = loop.buffer "A_local_temp_buffer" scope(local) : memref<8xf32>
// CHECK-NEXT:   %A_local_temp_buffer_1 = loop.buffer "A_local_temp_buffer_1" scope(local) : memref<8xf32>
// CHECK-NEXT:   loop.for serial %cache_ax0 in 8 {
// CHECK-NEXT:     loop.block "A_local_temp_buffer_1" [%v0: spatial 8] = (%cache_ax0)
// CHECK-NEXT:         reads(%arg0[%v0 : 1]) writes(%A_local_temp_buffer_1[%v0 : 1]) {
// CHECK-NEXT:       %0 = memref.load %arg0[%v0] : memref<8xf32>
// CHECK-NEXT:       memref.store %0, %A_local_temp_buffer_1[%v0] : memref<8xf32>
// CHECK:        loop.for serial %cache_ax0 in 8 {
// CHECK-NEXT:     loop.block "A_local_temp_buffer" [%v0: spatial 8] = (%cache_ax0)
// CHECK-NEXT:         reads(%A_local_temp_buffer_1[%v0 : 1]) writes(%A_local_temp_buffer[%v0 : 1]) {
// CHECK-NEXT:       %0 = memref.load %A_local_temp_buffer_1[%v0] : memref<8xf32>
// CHECK-NEXT:       memref.store %0, %A_local_temp_buffer[%v0] : memref<8xf32>
// CHECK:        loop.for serial %i in 8 {
// CHECK-NEXT:     loop.block "one" [%v: spatial 8] = (%i)
// CHECK-NEXT:         reads(%A_local_temp_buffer[%v : 1]) writes(%arg1[%v : 1]) {
// CHECK-NEXT:       %0 = memref.load %A_local_temp_buffer[%v] : memref<8xf32>
// CHECK-NEXT:       memref.store %0, %arg1[%v] : memref<8xf32>
// CHECK:        loop.for serial %i in 4 {
// CHECK-NEXT:     loop.block "three" [%v: spatial 4] = (%i)
// CHECK-NEXT:         reads(%A_local_temp_buffer_1[%v + 4 : 1]) writes(%arg2[%v : 1]) {
// CHECK-NEXT:       %0 = affine.apply #[[MAP8]](%v)
// CHECK-NEXT:       %1 = memref.load %A_local_temp_buffer_1[%0] : memref<8xf32>
// CHECK-NEXT:       memref.store %1, %arg2[%v] : memref<4xf32>
// CHECK:        loop.for serial %i in 4 {
// CHECK-NEXT:     loop.block "two" [%v: spatial 4] = (%i)
// CHECK-NEXT:         reads(%A_local_temp_buffer_1[%v : 1]) writes(%arg2[%v : 1]) {
// CHECK-NEXT:       %0 = memref.load %A_local_temp_buffer_1[%v] : memref<8xf32>
// CHECK-NEXT:       memref.store %0, %arg2[%v] : memref<4xf32>
func.func @some_readers(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32>, %C: memref<4xf32>) {
  loop.for serial %i in 8 {
    loop.block "one" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %B[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 4 {
    loop.block "three" [%v: spatial 4] = (%i) reads(%A[%v + 4 : 1]) writes(%C[%v : 1]) {
      %0 = affine.apply affine_map<(d0) -> (d0 + 4)>(%v)
      %a = memref.load %A[%0] : memref<8xf32>
      memref.store %a, %C[%v] : memref<4xf32>
    }
  }
  loop.for serial %i in 4 {
    loop.block "two" [%v: spatial 4] = (%i) reads(%A[%v : 1]) writes(%C[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %C[%v] : memref<4xf32>
    }
  }
  return
}

// The writer shares a loop with the reader: the copy is in it, and copies the elements that one iteration reads.
// CHECK-LABEL: func.func @same_loop
// CHECK:        %T = loop.buffer "T" scope(global) : memref<30xf32>
// CHECK-NEXT:   %T_local_temp_buffer = loop.buffer "T_local_temp_buffer" scope(local) : memref<30xf32>
// CHECK-NEXT:   loop.for parallel %i.0 in 4 {
// CHECK-NEXT:     loop.for serial %i.1 in 8 {
// CHECK-NEXT:       loop.block "P" [%v: spatial 30] = (%i.0 * 8 + %i.1)
// CHECK-NEXT:           where(-(%i.0 * 8 + %i.1) + 29 >= 0)
// CHECK-NEXT:           reads(%arg0[%v : 1]) writes(%T[%v : 1]) {
// CHECK-NEXT:         %0 = memref.load %arg0[%v] : memref<30xf32>
// CHECK-NEXT:         memref.store %0, %T[%v] : memref<30xf32>
// CHECK:          loop.for serial %cache_ax0 in 8 {
// CHECK-NEXT:       loop.block "T_local_temp_buffer" [%v0: spatial 30] = (%i.0 * 8 + %cache_ax0)
// CHECK-NEXT:           where(%i.0 * -8 - %cache_ax0 + 29 >= 0)
// CHECK-NEXT:           reads(%T[%v0 : 1]) writes(%T_local_temp_buffer[%v0 : 1]) {
// CHECK-NEXT:         %0 = memref.load %T[%v0] : memref<30xf32>
// CHECK-NEXT:         memref.store %0, %T_local_temp_buffer[%v0] : memref<30xf32>
// CHECK:          loop.for serial %j in 8 {
// CHECK-NEXT:       loop.block "same_loop" [%v: spatial 30] = (%i.0 * 8 + %j)
// CHECK-NEXT:           where(-(%i.0 * 8 + %j) + 29 >= 0)
// CHECK-NEXT:           reads(%T_local_temp_buffer[%v : 1]) writes(%arg1[%v : 1]) {
// CHECK-NEXT:         %0 = memref.load %T_local_temp_buffer[%v] : memref<30xf32>
// CHECK-NEXT:         memref.store %0, %arg1[%v] : memref<30xf32>
func.func @same_loop(%A: memref<30xf32>, %B: memref<30xf32>) {
  %T = loop.buffer "T" scope(global) : memref<30xf32>
  loop.for parallel %i.0 in 4 {
    loop.for serial %i.1 in 8 {
      loop.block "P" [%v: spatial 30] = (%i.0 * 8 + %i.1) where(%i.0 * 8 + %i.1 < 30)
          reads(%A[%v : 1]) writes(%T[%v : 1]) {
        %a = memref.load %A[%v] : memref<30xf32>
        memref.store %a, %T[%v] : memref<30xf32>
      }
    }
    loop.for serial %j in 8 {
      loop.block "same_loop" [%v: spatial 30] = (%i.0 * 8 + %j) where(%i.0 * 8 + %j < 30)
          reads(%T[%v : 1]) writes(%B[%v : 1]) {
        %t = memref.load %T[%v] : memref<30xf32>
        memref.store %t, %B[%v] : memref<30xf32>
      }
    }
  }
  return
}

// Each iteration of a parallel loop has its own local buffer, and so its own copy.
// CHECK-LABEL: func.func @own_copy
// CHECK:        %A_local_temp_buffer = loop.buffer "A_local_temp_buffer" scope(local) : memref<4x8xf32>
// CHECK-NEXT:   loop.for parallel %i in 4 {
// CHECK-NEXT:     loop.for serial %cache_ax0 in 1 {
// CHECK-NEXT:       loop.for serial %cache_ax1 in 8 {
// CHECK-NEXT:         loop.block "A_local_temp_buffer" [%v0: spatial 4, %v1: spatial 8] = (%i + %cache_ax0, %cache_ax1)
// CHECK-NEXT:             reads(%arg0[%v0 : 1, %v1 : 1]) writes(%A_local_temp_buffer[%v0 : 1, %v1 : 1]) {
// CHECK-NEXT:           %0 = memref.load %arg0[%v0, %v1] : memref<4x8xf32>
// CHECK-NEXT:           memref.store %0, %A_local_temp_buffer[%v0, %v1] : memref<4x8xf32>
// CHECK:          loop.for serial %j in 8 {
// CHECK-NEXT:       loop.block "own" [%v: spatial 4, %w: spatial 8] = (%i, %j)
// CHECK-NEXT:           reads(%A_local_temp_buffer[%v : 1, %w : 1]) writes(%arg1[%v : 1, %w : 1]) {
// CHECK-NEXT:         %0 = memref.load %A_local_temp_buffer[%v, %w] : memref<4x8xf32>
// CHECK-NEXT:         memref.store %0, %arg1[%v, %w] : memref<4x8xf32>
func.func @own_copy(%A: memref<4x8xf32> {loop.name = "A"}, %B: memref<4x8xf32>) {
  loop.for parallel %i in 4 {
    loop.for serial %j in 8 {
      loop.block "own" [%v: spatial 4, %w: spatial 8] = (%i, %j)
          reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<4x8xf32>
        memref.store %a, %B[%v, %w] : memref<4x8xf32>
      }
    }
  }
  return
}

// An element that only its own instance overwrites.
// CHECK-LABEL: func.func @in_place
// CHECK:        %A_global_temp_buffer = loop.buffer "A_global_temp_buffer" scope(global) : memref<8xf32>
// CHECK-NEXT:   loop.for serial %cache_ax0 in 8 {
// CHECK-NEXT:     loop.block "A_global_temp_buffer" [%v0: spatial 8] = (%cache_ax0)
// CHECK-NEXT:         reads(%arg0[%v0 : 1]) writes(%A_global_temp_buffer[%v0 : 1]) {
// CHECK-NEXT:       %0 = memref.load %arg0[%v0] : memref<8xf32>
// CHECK-NEXT:       memref.store %0, %A_global_temp_buffer[%v0] : memref<8xf32>
// CHECK:        loop.for serial %i in 8 {
// CHECK-NEXT:     loop.block "in_place" [%v: spatial 8] = (%i)
// CHECK-NEXT:         reads(%A_global_temp_buffer[%v : 1]) writes(%arg0[%v : 1]) {
// CHECK-NEXT:       %0 = memref.load %A_global_temp_buffer[%v] : memref<8xf32>
// CHECK-NEXT:       %1 = arith.addf %0, %0 : f32
// CHECK-NEXT:       memref.store %1, %arg0[%v] : memref<8xf32>
func.func @in_place(%A: memref<8xf32> {loop.name = "A"}) {
  loop.for serial %i in 8 {
    loop.block "in_place" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%A[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      %s = arith.addf %a, %a : f32
      memref.store %s, %A[%v] : memref<8xf32>
    }
  }
  return
}

// The reader of the old values keeps the buffer.
// CHECK-LABEL: func.func @versions
// CHECK:        %A_global_temp_buffer = loop.buffer "A_global_temp_buffer" scope(global) : memref<8xf32>
// CHECK-NEXT:   loop.for serial %i in 8 {
// CHECK-NEXT:     loop.block "before" [%v: spatial 8] = (%i)
// CHECK-NEXT:         reads(%arg0[%v : 1]) writes(%arg1[%v : 1]) {
// CHECK-NEXT:       %0 = memref.load %arg0[%v] : memref<8xf32>
// CHECK-NEXT:       memref.store %0, %arg1[%v] : memref<8xf32>
// CHECK:        loop.for serial %i in 8 {
// CHECK-NEXT:     loop.block "writer" [%v: spatial 8] = (%i)
// CHECK-NEXT:         writes(%arg0[%v : 1]) {
// CHECK-NEXT:       %cst = arith.constant 1.000000e+00 : f32
// CHECK-NEXT:       memref.store %cst, %arg0[%v] : memref<8xf32>
// CHECK:        loop.for serial %cache_ax0 in 8 {
// CHECK-NEXT:     loop.block "A_global_temp_buffer" [%v0: spatial 8] = (%cache_ax0)
// CHECK-NEXT:         reads(%arg0[%v0 : 1]) writes(%A_global_temp_buffer[%v0 : 1]) {
// CHECK-NEXT:       %0 = memref.load %arg0[%v0] : memref<8xf32>
// CHECK-NEXT:       memref.store %0, %A_global_temp_buffer[%v0] : memref<8xf32>
// CHECK:        loop.for serial %i in 8 {
// CHECK-NEXT:     loop.block "versions" [%v: spatial 8] = (%i)
// CHECK-NEXT:         reads(%A_global_temp_buffer[-%v + 7 : 1]) writes(%arg1[%v : 1]) {
// CHECK-NEXT:       %0 = affine.apply #[[MAP9]](%v)
// CHECK-NEXT:       %1 = memref.load %A_global_temp_buffer[%0] : memref<8xf32>
// CHECK-NEXT:       memref.store %1, %arg1[%v] : memref<8xf32>
func.func @versions(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32>) {
  loop.for serial %i in 8 {
    loop.block "before" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %B[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.block "writer" [%v: spatial 8] = (%i) writes(%A[%v : 1]) {
      %one = arith.constant 1.0 : f32
      memref.store %one, %A[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.block "versions" [%v: spatial 8] = (%i) reads(%A[-%v + 7 : 1]) writes(%B[%v : 1]) {
      %0 = affine.apply affine_map<(d0) -> (7 - d0)>(%v)
      %a = memref.load %A[%0] : memref<8xf32>
      memref.store %a, %B[%v] : memref<8xf32>
    }
  }
  return
}

// A buffer of one element needs no loop.
// CHECK-LABEL: func.func @point
// CHECK:        %A_global_temp_buffer = loop.buffer "A_global_temp_buffer" scope(global) : memref<f32>
// CHECK-NEXT:   loop.block "A_global_temp_buffer" [] = ()
// CHECK-NEXT:       reads(%arg0[]) writes(%A_global_temp_buffer[]) {
// CHECK-NEXT:     %0 = memref.load %arg0[] : memref<f32>
// CHECK-NEXT:     memref.store %0, %A_global_temp_buffer[] : memref<f32>
// CHECK:        loop.for serial %i in 8 {
// CHECK-NEXT:     loop.block "point" [%v: spatial 8] = (%i)
// CHECK-NEXT:         reads(%A_global_temp_buffer[]) writes(%arg1[%v : 1]) {
// CHECK-NEXT:       %0 = memref.load %A_global_temp_buffer[] : memref<f32>
// CHECK-NEXT:       memref.store %0, %arg1[%v] : memref<8xf32>
func.func @point(%A: memref<f32> {loop.name = "A"}, %B: memref<8xf32>) {
  loop.for serial %i in 8 {
    loop.block "point" [%v: spatial 8] = (%i) reads(%A[]) writes(%B[%v : 1]) {
      %a = memref.load %A[] : memref<f32>
      memref.store %a, %B[%v] : memref<8xf32>
    }
  }
  return
}

// Each element is read before it is overwritten.
// CHECK-LABEL: func.func @ahead
// CHECK:        loop.for serial %cache_ax0 in 8 {
// CHECK-NEXT:     loop.block "A_global_temp_buffer" [%v0: spatial 8] = (%cache_ax0)
// CHECK-NEXT:         reads(%arg0[%v0 + 1 : 1]) writes(%A_global_temp_buffer[%v0 : 1]) {
// CHECK-NEXT:       %0 = affine.apply #[[MAP4]](%v0)
// CHECK-NEXT:       %1 = memref.load %arg0[%0] : memref<9xf32>
// CHECK-NEXT:       memref.store %1, %A_global_temp_buffer[%v0] : memref<8xf32>
// CHECK:        loop.for serial %i in 8 {
// CHECK-NEXT:     loop.block "ahead" [%v: spatial 8] = (%i)
// CHECK-NEXT:         reads(%A_global_temp_buffer[%v : 1]) writes(%arg0[%v : 1]) {
// CHECK-NEXT:       %0 = memref.load %A_global_temp_buffer[%v] : memref<8xf32>
// CHECK-NEXT:       memref.store %0, %arg0[%v] : memref<9xf32>
func.func @ahead(%A: memref<9xf32> {loop.name = "A"}) {
  loop.for serial %i in 8 {
    loop.block "ahead" [%v: spatial 8] = (%i) reads(%A[%v + 1 : 1]) writes(%A[%v : 1]) {
      %0 = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
      %a = memref.load %A[%0] : memref<9xf32>
      memref.store %a, %A[%v] : memref<9xf32>
    }
  }
  return
}
