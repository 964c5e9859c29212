// RUN: lw-opt %s --lower-vthread | FileCheck %s

// Nests that do not become kernels either.

// (C3) one virtual thread reads what another one writes.
// CHECK-LABEL: func.func @clash
// CHECK:         thread_bind[vthread]
func.func @clash(%A: memref<8xf32>, %T: memref<8xf32>, %B: memref<8xf32> {loop.result}) {
  loop.for thread_bind[threadIdx.x] %t in 4 {
    loop.for thread_bind[vthread] %y in 2 {
      loop.block "T" [%v: spatial 8] = (%y * 4 + %t) reads(%A[%v : 1]) writes(%T[%v : 1]) {
        %x = memref.load %A[%v] : memref<8xf32>
        memref.store %x, %T[%v] : memref<8xf32>
      }
      loop.block "B" [%v: spatial 8] = (%y * -4 + %t + 4) reads(%T[%v : 1]) writes(%B[%v : 1]) {
        %x = memref.load %T[%v] : memref<8xf32>
        memref.store %x, %B[%v] : memref<8xf32>
      }
    }
  }
  return
}

// (C3) a barrier orders the threads, but not the virtual threads: they use the same cells.
// CHECK-LABEL: func.func @barrier
// CHECK:         thread_bind[vthread]
func.func @barrier(%A: memref<2x4xf32>, %B: memref<2x4xf32> {loop.result}) {
  %T = loop.buffer "T" scope(shared) : memref<4xf32>
  loop.for thread_bind[blockIdx.x] %b in 1 {
    loop.for thread_bind[vthread] %y in 2 {
      loop.for thread_bind[threadIdx.x] %t in 4 {
        loop.block "T" [%u: spatial 2, %v: spatial 4] = (%y, %t) reads(%A[%u : 1, %v : 1]) writes(%T[%v : 1]) {
          %x = memref.load %A[%u, %v] : memref<2x4xf32>
          memref.store %x, %T[%v] : memref<4xf32>
        }
      }
      loop.sync
      loop.for thread_bind[threadIdx.x] %t in 4 {
        loop.block "B" [%u: spatial 2, %v: spatial 4] = (%y, %t) reads(%T[-%v + 3 : 1]) writes(%B[%u : 1, %v : 1]) {
          %p = affine.apply affine_map<(d0) -> (3 - d0)>(%v)
          %x = memref.load %T[%p] : memref<4xf32>
          memref.store %x, %B[%u, %v] : memref<2x4xf32>
        }
      }
      loop.sync
    }
  }
  return
}
