// RUN: lw-opt %s --sched-set-scope='buffer=S scope=shared' --sched-set-scope='buffer=S scope=local' \
// RUN:   --sched-set-scope='buffer=S scope=global' --sched-set-scope='buffer=T scope=local' \
// RUN:   --sched-set-scope='buffer=U scope=global' --sched-set-scope='buffer=P scope=local' \
// RUN:   --sched-set-scope='buffer=W scope=shared' --sched-set-scope='buffer=unused scope=local' \
// RUN:   --sched-set-scope='buffer=asserted scope=local proof=assume' \
// RUN:   --sched-set-scope='buffer=own_cells scope=local' | FileCheck %s

// If no iterations have private buffers, any scope is allowed.
// CHECK-LABEL: func.func @serial
// CHECK:         loop.buffer "S" scope(global) : memref<8xf32>
// CHECK:         loop.buffer "unused" scope(local) : memref<8xf32>
func.func @serial(%A: memref<8xf32>, %B: memref<8xf32>) {
  %S = loop.buffer "S" scope(global) : memref<8xf32>
  %unused = loop.buffer "unused" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    loop.block "s0" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%S[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %S[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.block "s1" [%v: spatial 8] = (%i) reads(%S[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %S[%v] : memref<8xf32>
      memref.store %a, %B[%v] : memref<8xf32>
    }
  }
  return
}

// Each iteration of the parallel loop reads what it has written.
// CHECK-LABEL: func.func @own
// CHECK:         loop.buffer "T" scope(local) : memref<4x8xf32>
func.func @own(%A: memref<4x8xf32>, %B: memref<4x8xf32>) {
  %T = loop.buffer "T" scope(global) : memref<4x8xf32>
  loop.for parallel %i in 4 {
    loop.for serial %j in 8 {
      loop.block "t0" [%v: spatial 4, %w: spatial 8] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%T[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<4x8xf32>
        memref.store %a, %T[%v, %w] : memref<4x8xf32>
      }
    }
    loop.for serial %j in 8 {
      loop.block "t1" [%v: spatial 4, %w: spatial 8] = (%i, %j) reads(%T[%v : 1, -%w + 7 : 1]) writes(%B[%v : 1, %w : 1]) {
        %0 = affine.apply affine_map<(d0) -> (7 - d0)>(%w)
        %t = memref.load %T[%v, %0] : memref<4x8xf32>
        memref.store %t, %B[%v, %w] : memref<4x8xf32>
      }
    }
  }
  return
}

// Iterations that write distinct elements can share a buffer.
// CHECK-LABEL: func.func @apart
// CHECK:         loop.buffer "U" scope(global) : memref<8xf32>
func.func @apart(%A: memref<8xf32>, %B: memref<8xf32>) {
  %U = loop.buffer "U" scope(local) : memref<8xf32>
  loop.for parallel %i in 8 {
    loop.block "u0" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%U[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %U[%v] : memref<8xf32>
    }
    loop.block "u1" [%v: spatial 8] = (%i) reads(%U[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %U[%v] : memref<8xf32>
      memref.store %a, %B[%v] : memref<8xf32>
    }
  }
  return
}

// A sum of dynamic length, in tiles of a dynamic number of threads.
// CHECK-LABEL: func.func @sums
// CHECK:         loop.buffer "P" scope(local) (%arg2) : memref<?xf32>
func.func @sums(%A: memref<?x?xf32>, %B: memref<?xf32>, %n: index, %m: index) {
  %P = loop.buffer "P" scope(global) (%n) : memref<?xf32>
  loop.for thread_bind[threadIdx.x] %i.0 in affine_map<()[s0] -> (s0 ceildiv 4)>()[%n] {
    loop.for serial %i.1 in 4 {
      loop.for serial %k in %m {
        loop.block "p0" [%v: spatial %n, %vk: reduce %m] = (%i.0 * 4 + %i.1, %k) where(%i.0 * 4 + %i.1 < %n)
            reads(%A[%v : 1, %vk : 1]) writes(%P[%v : 1]) reducer(add, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %P[%v] : memref<?xf32>
          }
          %a = memref.load %A[%v, %vk] : memref<?x?xf32>
          %b = memref.load %P[%v] : memref<?xf32>
          %s = arith.addf %b, %a : f32
          memref.store %s, %P[%v] : memref<?xf32>
        }
      }
    }
    loop.for serial %i.1 in 4 {
      loop.block "p1" [%v: spatial %n] = (%i.0 * 4 + %i.1) where(%i.0 * 4 + %i.1 < %n)
          reads(%P[%v : 1]) writes(%B[%v : 1]) {
        %a = memref.load %P[%v] : memref<?xf32>
        memref.store %a, %B[%v] : memref<?xf32>
      }
    }
  }
  return
}

// Threads of a thread block share its buffers.
// CHECK-LABEL: func.func @thread_blocks
// CHECK:         loop.buffer "W" scope(shared) : memref<4x8xf32>
// CHECK:         loop.buffer "asserted" scope(local) : memref<1xf32>
func.func @thread_blocks(%A: memref<4x8xf32>, %B: memref<4x8xf32>) {
  %W = loop.buffer "W" scope(global) : memref<4x8xf32>
  %asserted = loop.buffer "asserted" scope(global) : memref<1xf32>
  loop.for thread_bind[blockIdx.x] %i in 4 {
    loop.for thread_bind[threadIdx.x] %t in 8 {
      loop.block "w0" [%v: spatial 4, %w: spatial 8] = (%i, %t) reads(%A[%v : 1, %w : 1]) writes(%W[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<4x8xf32>
        memref.store %a, %W[%v, %w] : memref<4x8xf32>
      }
    }
    loop.sync
    loop.for thread_bind[threadIdx.x] %t in 8 {
      loop.block "w1" [%v: spatial 4, %w: spatial 8] = (%i, %t) reads(%W[%v : 1, -%w + 7 : 1]) writes(%B[%v : 1, %w : 1]) {
        %0 = affine.apply affine_map<(d0) -> (7 - d0)>(%w)
        %t0 = memref.load %W[%v, %0] : memref<4x8xf32>
        memref.store %t0, %B[%v, %w] : memref<4x8xf32>
      }
    }
  }
  loop.for thread_bind[threadIdx.x] %t in 1 {
    loop.block "asserted" [%v: spatial 1] = (%t) reads(%asserted[%v : 1]) writes(%B[%v : 1, %v : 1]) {
      %a = memref.load %asserted[%v] : memref<1xf32>
      memref.store %a, %B[%v, %v] : memref<4x8xf32>
    }
  }
  return
}

// Consecutive thread loops, in which no thread uses another thread's elements: each keeps its own.
// CHECK-LABEL: func.func @own_cells
// CHECK:         loop.buffer "own_cells" scope(local) : memref<4x8xf32>
func.func @own_cells(%A: memref<4x8xf32>, %B: memref<4x8xf32>) {
  %T = loop.buffer "own_cells" scope(shared) : memref<4x8xf32>
  loop.for thread_bind[blockIdx.x] %i in 4 {
    loop.for thread_bind[threadIdx.x] %t in 8 {
      loop.block "t0" [%v: spatial 4, %w: spatial 8] = (%i, %t) reads(%A[%v : 1, %w : 1]) writes(%T[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<4x8xf32>
        memref.store %a, %T[%v, %w] : memref<4x8xf32>
      }
    }
    loop.for thread_bind[threadIdx.x] %u in 8 {
      loop.block "t1" [%v: spatial 4, %w: spatial 8] = (%i, %u) reads(%T[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %T[%v, %w] : memref<4x8xf32>
        memref.store %a, %B[%v, %w] : memref<4x8xf32>
      }
    }
  }
  return
}
