// RUN: lw-opt %s --sched-sync-threads=target=S0:j --sched-sync-threads='target=Q:t place=after' \
// RUN:   --sched-sync-threads='target=P:t place=after' --sched-sync-threads='target=R place=before' | FileCheck %s

// The example of the source document: a barrier before a loop, where no thread loop is open yet.
// CHECK-LABEL: func.func @s0
// CHECK:        loop.for serial %i in 32 {
// CHECK-NEXT:     loop.sync
// CHECK-NEXT:     loop.for serial %j in 32 {
func.func @s0(%A: memref<32x32xf32>, %B: memref<32x32xf32>) {
  loop.for serial %i in 32 {
    loop.for serial %j in 32 {
      loop.block "S0" [%i0: spatial 32, %i1: spatial 32] = (%i, %j)
          reads(%A[%i0 : 1, %i1 : 1]) writes(%B[%i0 : 1, %i1 : 1]) {
        %0 = memref.load %A[%i0, %i1] : memref<32x32xf32>
        memref.store %0, %B[%i0, %i1] : memref<32x32xf32>
      }
    }
  }
  return
}

// Between writes and reads of threads, and after them.
// CHECK-LABEL: func.func @between
// CHECK:        loop.for thread_bind[blockIdx.x] %i in %arg2 {
// CHECK-NEXT:     loop.for thread_bind[threadIdx.x] %t in 8 {
// CHECK:          loop.sync
// CHECK-NEXT:     loop.for thread_bind[threadIdx.x] %t in 8 {
// CHECK:          loop.sync
// CHECK-NEXT:   }
func.func @between(%A: memref<?x8xf32>, %B: memref<?x8xf32>, %n: index) {
  %T = loop.buffer "T" scope(shared) : memref<8xf32>
  loop.for thread_bind[blockIdx.x] %i in %n {
    loop.for thread_bind[threadIdx.x] %t in 8 {
      loop.block "P" [%v: spatial %n, %w: spatial 8] = (%i, %t) reads(%A[%v : 1, %w : 1]) writes(%T[%w : 1]) {
        %a = memref.load %A[%v, %w] : memref<?x8xf32>
        memref.store %a, %T[%w] : memref<8xf32>
      }
    }
    loop.for thread_bind[threadIdx.x] %t in 8 {
      loop.block "Q" [%v: spatial %n, %w: spatial 8] = (%i, %t) reads(%T[-%w + 7 : 1]) writes(%B[%v : 1, %w : 1]) {
        %0 = affine.apply affine_map<(d0) -> (7 - d0)>(%w)
        %a = memref.load %T[%0] : memref<8xf32>
        memref.store %a, %B[%v, %w] : memref<?x8xf32>
      }
    }
  }
  return
}

// In the thread loop, in a loop whose extent is uniform over the thread block.
// CHECK-LABEL: func.func @in_threads
// CHECK:        loop.for thread_bind[blockIdx.x] %i in 4 {
// CHECK-NEXT:     loop.for thread_bind[threadIdx.x] %t in 8 {
// CHECK-NEXT:       loop.for serial %k in #{{.*}}(%i) {
// CHECK-NEXT:         loop.sync
// CHECK-NEXT:         loop.block "R"
func.func @in_threads() {
  loop.for thread_bind[blockIdx.x] %i in 4 {
    loop.for thread_bind[threadIdx.x] %t in 8 {
      loop.for serial %k in affine_map<(d0) -> (d0 + 1)>(%i) {
        loop.block "R" [%v: spatial 4, %w: spatial 8, %x: spatial 4] = (%i, %t, %k) {}
      }
    }
  }
  return
}
