// RUN: lw-opt %s --verify-each=numeric --sched-double-buffer=block=pa_S --sched-double-buffer=block=th_S \
// RUN:   --sched-double-buffer=block=in_S | FileCheck %s

// A copy has the elements of one iteration, with some exceptions.

// (T2) An enclosing parallel loop, whose iterations share the buffer.
// CHECK-LABEL: func.func @parallel(
// CHECK:         loop.buffer "T2" scope(global) : memref<2x4x64xf32>
func.func @parallel(%A: memref<4x64xf32>, %B: memref<4x64xf32> {loop.result}) {
  %T = loop.buffer "T2" scope(global) : memref<4x64xf32>
  loop.for parallel %i in 4 {
    loop.for serial %k in 4 {
      loop.for serial %j in 16 {
        loop.block "pa_S" [%u: spatial 4, %v: spatial 64] = (%i, %k * 16 + %j) reads(%A[%u : 1, %v : 1]) writes(%T[%u : 1, %v : 1]) {
          %a = memref.load %A[%u, %v] : memref<4x64xf32>
          memref.store %a, %T[%u, %v] : memref<4x64xf32>
        }
      }
      loop.for serial %j in 16 {
        loop.block "pa_V" [%u: spatial 4, %v: spatial 64] = (%i, %k * 16 + %j) reads(%T[%u : 1, %v : 1]) writes(%B[%u : 1, %v : 1]) {
          %a = memref.load %T[%u, %v] : memref<4x64xf32>
          memref.store %a, %B[%u, %v] : memref<4x64xf32>
        }
      }
    }
  }
  return
}

// (T3) Threads that share the buffer, and no barrier.
// CHECK-LABEL: func.func @threads(
// CHECK:         loop.buffer "T3" scope(shared) : memref<2x64xf32>
func.func @threads(%A: memref<64xf32>, %B: memref<64xf32> {loop.result}) {
  %T = loop.buffer "T3" scope(shared) : memref<64xf32>
  loop.for thread_bind[blockIdx.x] %b in 1 {
    loop.for serial %k in 4 {
      loop.for thread_bind[threadIdx.x] %j in 16 {
        loop.block "th_S" [%v: spatial 64] = (%k * 16 + %j) reads(%A[%v : 1]) writes(%T[%v : 1]) {
          %a = memref.load %A[%v] : memref<64xf32>
          memref.store %a, %T[%v] : memref<64xf32>
        }
      }
      loop.for thread_bind[threadIdx.x] %j in 16 {
        loop.block "th_V" [%v: spatial 64] = (%k * 16 + %j) reads(%T[%v : 1]) writes(%B[%v : 1]) {
          %a = memref.load %T[%v] : memref<64xf32>
          memref.store %a, %B[%v] : memref<64xf32>
        }
      }
    }
  }
  return
}

// The offset of an enclosing loop is kept; padding between rows uses the new sizes. Overlapping tiles add an iter.
// CHECK-LABEL: func.func @inside(
// CHECK:         loop.buffer "T4" scope(global) round(1, 0, 1, 0, 8, 3) : memref<2x2x6xf32>
// CHECK:         loop.block "in_S.prologue" [%u: spatial 2, %v: spatial 18, %v_in: spatial 6, %version: spatial 2] = (%i, %j, %j, 0)
// CHECK:         loop.block "in_S" [%u: spatial 2, %v: spatial 18, %v_in: spatial 6, %version: spatial 2]
// CHECK:           writes(%{{.*}}[%version : 1, %u : 1, %v_in : 1])
func.func @inside(%A: memref<2x18xf32>, %B: memref<2x18xf32> {loop.result}) {
  %T = loop.buffer "T4" scope(global) round(1, 0, 8, 3) : memref<2x18xf32>
  loop.for serial %i in 2 {
    loop.for serial %k in 4 {
      loop.for serial %j in 6 {
        loop.block "in_S" [%u: spatial 2, %v: spatial 18] = (%i, %k * 4 + %j) reads(%A[%u : 1, %v : 1]) writes(%T[%u : 1, %v : 1]) {
          %a = memref.load %A[%u, %v] : memref<2x18xf32>
          memref.store %a, %T[%u, %v] : memref<2x18xf32>
        }
      }
      loop.for serial %j in 6 {
        loop.block "in_V" [%u: spatial 2, %v: spatial 18] = (%i, %k * 4 + %j) reads(%T[%u : 1, %v : 1]) writes(%B[%u : 1, %v : 1]) {
          %a = memref.load %T[%u, %v] : memref<2x18xf32>
          memref.store %a, %B[%u, %v] : memref<2x18xf32>
        }
      }
    }
  }
  return
}
