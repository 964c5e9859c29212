// RUN: lw-opt %s --verify-each=numeric --plan-allocation-location --split-input-file | FileCheck %s
// RUN: lw-opt %s --plan-allocation-location --plan-allocation-location --split-input-file | FileCheck %s
// RUN: lw-opt %s --plan-allocation-location --split-input-file --pass-report -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=COUNTS

// A row belongs to the iteration that computes it, also for a dynamic number of rows.
// CHECK-LABEL: func.func @rows(
// CHECK:         loop.buffer "T" scope(local) : memref<1x96xf32>
// CHECK:         loop.buffer "U" scope(local) : memref<1x96xf32>
// COUNTS:        plan-allocation-location  @rows {{.*}} ms  changed, 2 local
func.func @rows(%A: memref<40x96xf32>, %B: memref<40x96xf32> {loop.result}, %C: memref<?x96xf32>, %D: memref<?x96xf32> {loop.result}) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %C, %c0 : memref<?x96xf32>
  %T = loop.buffer "T" scope(global) : memref<40x96xf32>
  %U = loop.buffer "U" scope(global) (%n) : memref<?x96xf32>
  loop.for parallel %i in 40 {
    loop.for serial %j in 96 {
      loop.block "T" [%v: spatial 40, %w: spatial 96] = (%i, %j)
          reads(%A[%v : 1, %w : 1]) writes(%T[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<40x96xf32>
        %r = math.exp %a : f32
        memref.store %r, %T[%v, %w] : memref<40x96xf32>
      }
    }
    loop.for serial %j in 96 {
      loop.block "B" [%v: spatial 40, %w: spatial 96] = (%i, %j)
          reads(%T[%v : 1, -%w + 95 : 1]) writes(%B[%v : 1, %w : 1]) {
        %i0 = affine.apply affine_map<(d0) -> (-d0 + 95)>(%w)
        %a = memref.load %T[%v, %i0] : memref<40x96xf32>
        memref.store %a, %B[%v, %w] : memref<40x96xf32>
      }
    }
  }
  loop.for parallel %i in %n {
    loop.for serial %j in 96 {
      loop.block "U" [%v: spatial %n, %w: spatial 96] = (%i, %j)
          reads(%C[%v : 1, %w : 1]) writes(%U[%v : 1, %w : 1]) {
        %a = memref.load %C[%v, %w] : memref<?x96xf32>
        %r = math.exp %a : f32
        memref.store %r, %U[%v, %w] : memref<?x96xf32>
      }
    }
    loop.for serial %j in 96 {
      loop.block "D" [%v: spatial %n, %w: spatial 96] = (%i, %j)
          reads(%U[%v : 1, -%w + 95 : 1]) writes(%D[%v : 1, %w : 1]) {
        %i0 = affine.apply affine_map<(d0) -> (-d0 + 95)>(%w)
        %a = memref.load %U[%v, %i0] : memref<?x96xf32>
        memref.store %a, %D[%v, %w] : memref<?x96xf32>
      }
    }
  }
  return
}

// -----

// Elements that each thread reads back alone become local; elements that other threads of the block read become shared.
// CHECK-LABEL: func.func @kernel(
// CHECK:         loop.buffer "S" scope(local) : memref<1xf32>
// CHECK:         loop.buffer "G" scope(local) : memref<1x1xf32>
// CHECK:         loop.buffer "H" scope(shared) : memref<1x32xf32>
// COUNTS:        plan-allocation-location  @kernel {{.*}} ms  changed, 2 local, 1 shared
func.func @kernel(%A: memref<4x32xf32>, %B: memref<4x32xf32> {loop.result}) {
  %S = loop.buffer "S" scope(shared) : memref<32xf32>
  %G = loop.buffer "G" scope(global) : memref<4x32xf32>
  %H = loop.buffer "H" scope(global) : memref<4x32xf32>
  loop.for thread_bind[blockIdx.x] %b in 4 {
    loop.for thread_bind[threadIdx.x] %t in 32 {
      loop.block "S" [%v: spatial 4, %w: spatial 32] = (%b, %t)
          reads(%A[%v : 1, %w : 1]) writes(%S[%w : 1]) {
        %a = memref.load %A[%v, %w] : memref<4x32xf32>
        memref.store %a, %S[%w] : memref<32xf32>
      }
      loop.block "G" [%v: spatial 4, %w: spatial 32] = (%b, %t)
          reads(%S[%w : 1]) writes(%G[%v : 1, %w : 1]) {
        %a = memref.load %S[%w] : memref<32xf32>
        %r = math.exp %a : f32
        memref.store %r, %G[%v, %w] : memref<4x32xf32>
      }
      loop.block "H" [%v: spatial 4, %w: spatial 32] = (%b, %t)
          reads(%G[%v : 1, %w : 1]) writes(%H[%v : 1, %w : 1]) {
        %a = memref.load %G[%v, %w] : memref<4x32xf32>
        %r = arith.negf %a : f32
        memref.store %r, %H[%v, %w] : memref<4x32xf32>
      }
    }
    loop.sync
    loop.for thread_bind[threadIdx.x] %t in 32 {
      loop.block "B" [%v: spatial 4, %w: spatial 32] = (%b, %t)
          reads(%H[%v : 1, -%w + 31 : 1]) writes(%B[%v : 1, %w : 1]) {
        %i0 = affine.apply affine_map<(d0) -> (-d0 + 31)>(%w)
        %a = memref.load %H[%v, %i0] : memref<4x32xf32>
        memref.store %a, %B[%v, %w] : memref<4x32xf32>
      }
    }
  }
  return
}

// -----

// Unchanged: (C1) one that escapes; (C2) one without a loop that could own it, one that is read after the loop, one
// of which iterations read what others have written; (C3) one of dynamic size, and one of 64 KiB.
// CHECK-LABEL: func.func @kept(
// CHECK:         loop.buffer "E" scope(global)
// CHECK:         loop.buffer "N" scope(global)
// CHECK:         loop.buffer "R" scope(global)
// CHECK:         loop.buffer "O" scope(global)
// CHECK:         loop.buffer "D" scope(global)
// CHECK:         loop.buffer "L" scope(global)
// COUNTS:        plan-allocation-location  @kept {{.*}} ms  unchanged
func.func private @external(memref<8xf32>)
func.func @kept(%A: memref<8xf32>, %B: memref<8xf32>, %C: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %C, %c0 : memref<?xf32>
  %E = loop.buffer "E" scope(global) : memref<8xf32>
  %N = loop.buffer "N" scope(global) : memref<8xf32>
  %R = loop.buffer "R" scope(global) : memref<8xf32>
  %O = loop.buffer "O" scope(global) : memref<8xf32>
  %D = loop.buffer "D" scope(global) (%n) : memref<?xf32>
  %L = loop.buffer "L" scope(global) : memref<131072xf32>
  loop.for serial %i in 8 {
    loop.block "N" [%v: spatial 8] = (%i)
        reads(%A[%v : 1]) writes(%N[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %N[%v] : memref<8xf32>
    }
    loop.block "O" [%v: spatial 8] = (%i)
        reads(%N[%v : 1]) writes(%O[%v : 1]) {
      %a = memref.load %N[%v] : memref<8xf32>
      memref.store %a, %O[%v] : memref<8xf32>
    }
  }
  loop.for parallel %i in 8 {
    loop.block "E" [%v: spatial 8] = (%i)
        reads(%A[%v : 1]) writes(%E[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %E[%v] : memref<8xf32>
    }
    loop.block "call" [] = () reads(%E[*]) writes(%E[*]) {
      func.call @external(%E) : (memref<8xf32>) -> ()
    }
    loop.block "R" [%v: spatial 8] = (%i)
        reads(%A[%v : 1]) writes(%R[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %R[%v] : memref<8xf32>
    }
    loop.block "R1" [%v: spatial 8] = (%i)
        reads(%R[%v : 1]) writes(%A[%v : 1]) {
      %a = memref.load %R[%v] : memref<8xf32>
      memref.store %a, %A[%v] : memref<8xf32>
    }
    loop.block "B" [%v: spatial 8] = (%i)
        reads(%O[-%v + 7 : 1]) writes(%B[%v : 1]) {
      %i0 = affine.apply affine_map<(d0) -> (-d0 + 7)>(%v)
      %a = memref.load %O[%i0] : memref<8xf32>
      memref.store %a, %B[%v] : memref<8xf32>
    }
    loop.for serial %j in %n {
      loop.block "D" [%v: spatial %n] = (%j)
          reads(%C[%v : 1]) writes(%D[%v : 1]) {
        %a = memref.load %C[%v] : memref<?xf32>
        memref.store %a, %D[%v] : memref<?xf32>
      }
    }
    loop.for serial %j in %n {
      loop.block "C" [%v: spatial %n] = (%j)
          reads(%D[%v : 1]) writes(%C[%v : 1]) {
        %a = memref.load %D[%v] : memref<?xf32>
        memref.store %a, %C[%v] : memref<?xf32>
      }
    }
    loop.for serial %j in 131072 {
      loop.block "L" [%u: spatial 8, %v: spatial 131072] = (%i, %j)
          reads(%A[%u : 1]) writes(%L[%v : 1]) {
        %a = memref.load %A[%u] : memref<8xf32>
        memref.store %a, %L[%v] : memref<131072xf32>
      }
    }
    loop.for serial %j in 131072 {
      loop.block "L1" [%u: spatial 8, %v: spatial 131072] = (%i, %j)
          reads(%L[-%v + 16383 : 1]) writes(%A[%u : 1]) {
        %i0 = affine.apply affine_map<(d0) -> (-d0 + 16383)>(%v)
        %a = memref.load %L[%i0] : memref<131072xf32>
        memref.store %a, %A[%u] : memref<8xf32>
      }
    }
  }
  loop.for serial %i in 8 {
    loop.block "R2" [%v: spatial 8] = (%i)
        reads(%R[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %R[%v] : memref<8xf32>
      memref.store %a, %B[%v] : memref<8xf32>
    }
  }
  return
}

// -----

// A thread has its own elements, but the thread number in the index rules out registers: 132 of them with stride 128.
// CHECK-LABEL: func.func @told_by_the_thread(
// CHECK:         loop.buffer "T" scope(shared) : memref<132xf32>
func.func @told_by_the_thread(%A: memref<132xf32>, %B: memref<132xf32> {loop.result}) {
  %T = loop.buffer "T" scope(shared) : memref<132xf32>
  loop.for thread_bind[blockIdx.x] %b in 1 {
    loop.for thread_bind[threadIdx.x] %i in 32 {
      loop.for serial %s in 2 {
        loop.for serial %j in 4 {
          loop.block "T" [%v: spatial 132] = (%s * 128 + %i * 4 + %j) where(%s * -32 - %i + 32 >= 0)
              reads(%A[%v : 1]) writes(%T[%v : 1]) {
            %a = memref.load %A[%v] : memref<132xf32>
            memref.store %a, %T[%v] : memref<132xf32>
          }
        }
      }
      loop.for serial %s in 2 {
        loop.for serial %j in 4 {
          loop.block "B" [%v: spatial 132] = (%s * 128 + %i * 4 + %j) where(%s * -32 - %i + 32 >= 0)
              reads(%T[%v : 1]) writes(%B[%v : 1]) {
            %a = memref.load %T[%v] : memref<132xf32>
            memref.store %a, %B[%v] : memref<132xf32>
          }
        }
      }
    }
  }
  return
}
