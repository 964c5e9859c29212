// RUN: lw-opt %s --thread-sync --split-input-file --verify-diagnostics | FileCheck %s

// (C1) no threads, no kernel.
// CHECK-LABEL: func.func @no_threads
// CHECK:         loop.sync
func.func @no_threads(%A: memref<8xf32>) {
  loop.for serial %i in 8 {
    loop.block "A" [%v: spatial 8] = (%i) writes(%A[%v : 1]) {
      %c = arith.constant 1.0 : f32
      memref.store %c, %A[%v] : memref<8xf32>
    }
    loop.sync
  }
  return
}

// -----

// (C2) not all threads reach the point at which the barrier is needed.
// CHECK-LABEL: func.func @under_condition
// CHECK-NOT:     loop.sync
// CHECK:         return
func.func @under_condition(%A: memref<8xf32>, %B: memref<8xf32>) {
  %S = loop.buffer "S" scope(shared) : memref<8xf32>
  loop.for thread_bind[blockIdx.x] %b in 1 {
    loop.for thread_bind[threadIdx.x] %t in 8 {
      loop.if (%t - 1 >= 0) {
        loop.block "S" [%v: spatial 8] = (%t) reads(%A[%v : 1]) writes(%S[%v : 1]) {
          %a = memref.load %A[%v] : memref<8xf32>
          memref.store %a, %S[%v] : memref<8xf32>
        }
        // expected-remark @+1 {{"S" and "B" may access one cell in different threads, and no barrier that all threads reach can be placed between them}}
        loop.block "B" [%v: spatial 8] = (%t) reads(%S[7 - %v : 1]) writes(%B[%v : 1]) {
          %i = affine.apply affine_map<(d0) -> (7 - d0)>(%v)
          %a = memref.load %S[%i] : memref<8xf32>
          memref.store %a, %B[%v] : memref<8xf32>
        }
      }
    }
  }
  return
}

// -----

// Each iteration has its own elements, but so many that compact-buffers makes all iterations share them: this relies on
// the barrier at the end.
// CHECK-LABEL: func.func @large(
// CHECK:         loop.block "write"
// CHECK:         loop.sync
// CHECK:         loop.block "read"
// CHECK:         loop.sync
// CHECK:         return
func.func @large(%A: memref<64x32xf32>, %B: memref<64x32xf32>) {
  %S = loop.buffer "S" scope(shared) : memref<64x32xf32>
  loop.for thread_bind[blockIdx.x] %b in 1 {
    loop.for serial %i in 64 {
      loop.for thread_bind[threadIdx.x] %t in 32 {
        loop.block "write" [%v: spatial 64, %w: spatial 32] = (%i, %t) reads(%A[%v : 1, %w : 1]) writes(%S[%v : 1, %w : 1]) {
          %a = memref.load %A[%v, %w] : memref<64x32xf32>
          memref.store %a, %S[%v, %w] : memref<64x32xf32>
        }
      }
      loop.sync
      loop.for thread_bind[threadIdx.x] %t in 32 {
        loop.block "read" [%v: spatial 64, %w: spatial 32] = (%i, %t) reads(%S[%v : 1, -%w + 31 : 1]) writes(%B[%v : 1, %w : 1]) {
          %0 = affine.apply affine_map<(d0) -> (31 - d0)>(%w)
          %s = memref.load %S[%v, %0] : memref<64x32xf32>
          memref.store %s, %B[%v, %w] : memref<64x32xf32>
        }
      }
      loop.sync
    }
  }
  return
}

// -----

// If they are few, each iteration keeps its own.
// CHECK-LABEL: func.func @few(
// CHECK:         loop.block "write"
// CHECK:         loop.sync
// CHECK:         loop.block "read"
// CHECK-NOT:     loop.sync
// CHECK:         return
func.func @few(%A: memref<4x32xf32>, %B: memref<4x32xf32>) {
  %S = loop.buffer "S" scope(shared) : memref<4x32xf32>
  loop.for thread_bind[blockIdx.x] %b in 1 {
    loop.for serial %i in 4 {
      loop.for thread_bind[threadIdx.x] %t in 32 {
        loop.block "write" [%v: spatial 4, %w: spatial 32] = (%i, %t) reads(%A[%v : 1, %w : 1]) writes(%S[%v : 1, %w : 1]) {
          %a = memref.load %A[%v, %w] : memref<4x32xf32>
          memref.store %a, %S[%v, %w] : memref<4x32xf32>
        }
      }
      loop.sync
      loop.for thread_bind[threadIdx.x] %t in 32 {
        loop.block "read" [%v: spatial 4, %w: spatial 32] = (%i, %t) reads(%S[%v : 1, -%w + 31 : 1]) writes(%B[%v : 1, %w : 1]) {
          %0 = affine.apply affine_map<(d0) -> (31 - d0)>(%w)
          %s = memref.load %S[%v, %0] : memref<4x32xf32>
          memref.store %s, %B[%v, %w] : memref<4x32xf32>
        }
      }
      loop.sync
    }
  }
  return
}
