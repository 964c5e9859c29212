// RUN: lw-opt %s --verify-each=numeric --bound-dynamic-buffers --split-input-file | FileCheck %s
// RUN: lw-opt %s --bound-dynamic-buffers --split-input-file --pass-report -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=COUNTS
// RUN: not lw-opt %s --bound-dynamic-buffers --convert-loop-to-gpu --split-input-file -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=LIMIT --implicit-check-not=error

// A condition on the size around the accesses. The padding requested between rows is kept.
// CHECK-LABEL: func.func @condition(
// CHECK:         loop.buffer "S" scope(shared) round(32, 1) : memref<128xf32>
// COUNTS:        bound-dynamic-buffers  @condition {{.*}} ms  changed, 1 buffers
func.func @condition(%A: memref<4x?xf32>, %B: memref<4x?xf32> {loop.result}) {
  %c1 = arith.constant 1 : index
  %n = memref.dim %A, %c1 : memref<4x?xf32>
  %S = loop.buffer "S" scope(shared) round(32, 1) (%n) : memref<?xf32>
  loop.if (-symbol(%n) + 128 >= 0) {
  loop.for thread_bind[blockIdx.x] %b in 4 {
    loop.for serial %k in %n {
      loop.block "S" [%v: spatial 4, %w: spatial %n] = (%b, %k)
          reads(%A[%v : 1, %w : 1]) writes(%S[%w : 1]) {
        %a = memref.load %A[%v, %w] : memref<4x?xf32>
        memref.store %a, %S[%w] : memref<?xf32>
      }
    }
    loop.for serial %k in %n {
      loop.block "B" [%v: spatial 4, %w: spatial %n] = (%b, %k)
          reads(%S[symbol(%n) - %w - 1 : 1]) writes(%B[%v : 1, %w : 1]) {
        %i = affine.apply affine_map<(d0)[s0] -> (s0 - d0 - 1)>(%w)[%n]
        %a = memref.load %S[%i] : memref<?xf32>
        memref.store %a, %B[%v, %w] : memref<4x?xf32>
      }
    }
  }
  }
  return
}

// -----

// A loop of at most 64 iterations, and the index itself: rows are read from their end, but at most 64 elements.
// CHECK-LABEL: func.func @extent(
// CHECK:         loop.buffer "S" scope(local) : memref<64xf32>
// COUNTS:        bound-dynamic-buffers  @extent {{.*}} ms  changed, 1 buffers
func.func @extent(%A: memref<?xf32>, %B: memref<?xf32> {loop.result}) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %A, %c0 : memref<?xf32>
  %S = loop.buffer "S" scope(local) (%n) : memref<?xf32>
  loop.for parallel %b in 2 {
    loop.for serial %k in min affine_map<()[s0] -> (s0, 64)>()[%n] {
      loop.block "S" [%w: spatial %n] = (%k) reads(%A[%w : 1]) writes(%S[%w : 1]) {
        %a = memref.load %A[%w] : memref<?xf32>
        memref.store %a, %S[%w] : memref<?xf32>
      }
    }
    loop.for serial %k in %n {
      loop.block "B" [%w: spatial %n] = (%k) where (-%k + 63 >= 0, %b - 1 >= 0) reads(%S[%w : 1]) writes(%B[%w : 1]) {
        %a = memref.load %S[%w] : memref<?xf32>
        memref.store %a, %B[%w] : memref<?xf32>
      }
    }
  }
  return
}

// -----

// More memory than a device has: lowering refuses it, at the buffer.
// CHECK-LABEL: func.func @large(
// CHECK:         loop.buffer "S" scope(shared) : memref<65536xf32>
// LIMIT:         error: 'loop.buffer' op "S" and the buffers before it take 262144 bytes of shared memory, expected at most 166912 on sm_80 (C4)
func.func @large(%A: memref<4x?xf32>, %B: memref<4x?xf32> {loop.result}) {
  %c1 = arith.constant 1 : index
  %n = memref.dim %A, %c1 : memref<4x?xf32>
  %S = loop.buffer "S" scope(shared) (%n) : memref<?xf32>
  loop.if (-symbol(%n) + 65536 >= 0) {
  loop.for thread_bind[blockIdx.x] %b in 4 {
    loop.for serial %k in %n {
      loop.block "S" [%v: spatial 4, %w: spatial %n] = (%b, %k)
          reads(%A[%v : 1, %w : 1]) writes(%S[%w : 1]) {
        %a = memref.load %A[%v, %w] : memref<4x?xf32>
        memref.store %a, %S[%w] : memref<?xf32>
      }
    }
    loop.for serial %k in %n {
      loop.block "B" [%v: spatial 4, %w: spatial %n] = (%b, %k)
          reads(%S[symbol(%n) - %w - 1 : 1]) writes(%B[%v : 1, %w : 1]) {
        %i = affine.apply affine_map<(d0)[s0] -> (s0 - d0 - 1)>(%w)[%n]
        %a = memref.load %S[%i] : memref<?xf32>
        memref.store %a, %B[%v, %w] : memref<4x?xf32>
      }
    }
  }
  }
  return
}

// -----

// (C3) The size is unbounded; the condition is on another size, and the else branch has no condition.
// CHECK-LABEL: func.func @unknown(
// CHECK:         loop.buffer "S" scope(shared) (%{{.*}}) : memref<?xf32>
// COUNTS:        bound-dynamic-buffers  @unknown {{.*}} ms  unchanged
// LIMIT:         error: 'loop.buffer' op "S" of scope shared is of dynamic size, expected a static one (C3)
func.func @unknown(%A: memref<4x?xf32>, %B: memref<4x?xf32> {loop.result}, %m: index) {
  %c1 = arith.constant 1 : index
  %n = memref.dim %A, %c1 : memref<4x?xf32>
  %S = loop.buffer "S" scope(shared) (%n) : memref<?xf32>
  loop.if (-symbol(%m) + 128 >= 0) {
  loop.for thread_bind[blockIdx.x] %b in 4 {
    loop.for serial %k in %n {
      loop.block "S" [%v: spatial 4, %w: spatial %n] = (%b, %k)
          reads(%A[%v : 1, %w : 1]) writes(%S[%w : 1]) {
        %a = memref.load %A[%v, %w] : memref<4x?xf32>
        memref.store %a, %S[%w] : memref<?xf32>
      }
    }
    loop.for serial %k in %n {
      loop.block "B" [%v: spatial 4, %w: spatial %n] = (%b, %k)
          reads(%S[symbol(%n) - %w - 1 : 1]) writes(%B[%v : 1, %w : 1]) {
        %i = affine.apply affine_map<(d0)[s0] -> (s0 - d0 - 1)>(%w)[%n]
        %a = memref.load %S[%i] : memref<?xf32>
        memref.store %a, %B[%v, %w] : memref<4x?xf32>
      }
    }
  }
  }
  return
}

// -----

// CHECK-LABEL: func.func @otherwise(
// CHECK:         loop.buffer "S" scope(shared) (%{{.*}}) : memref<?xf32>
// LIMIT:         error: 'loop.buffer' op "S" of scope shared is of dynamic size, expected a static one (C3)
func.func @otherwise(%A: memref<4x?xf32>, %B: memref<4x?xf32> {loop.result}) {
  %c1 = arith.constant 1 : index
  %n = memref.dim %A, %c1 : memref<4x?xf32>
  %S = loop.buffer "S" scope(shared) (%n) : memref<?xf32>
  loop.if (-symbol(%n) + 128 >= 0) {
  } else {
  loop.for thread_bind[blockIdx.x] %b in 4 {
    loop.for serial %k in %n {
      loop.block "S" [%v: spatial 4, %w: spatial %n] = (%b, %k)
          reads(%A[%v : 1, %w : 1]) writes(%S[%w : 1]) {
        %a = memref.load %A[%v, %w] : memref<4x?xf32>
        memref.store %a, %S[%w] : memref<?xf32>
      }
    }
    loop.for serial %k in %n {
      loop.block "B" [%v: spatial 4, %w: spatial %n] = (%b, %k)
          reads(%S[symbol(%n) - %w - 1 : 1]) writes(%B[%v : 1, %w : 1]) {
        %i = affine.apply affine_map<(d0)[s0] -> (s0 - d0 - 1)>(%w)[%n]
        %a = memref.load %S[%i] : memref<?xf32>
        memref.store %a, %B[%v, %w] : memref<4x?xf32>
      }
    }
  }
  }
  return
}

// -----

// (C1) An index from data; (C2) a buffer that no loop owns.
// CHECK-LABEL: func.func @kept(
// CHECK:         loop.buffer "X" scope(local) (%{{.*}}) : memref<?xf32>
// CHECK:         loop.buffer "F" scope(local) (%{{.*}}) : memref<?xf32>
func.func @kept(%A: memref<?xf32>, %I: memref<?xi32>, %B: memref<?xf32> {loop.result}) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %A, %c0 : memref<?xf32>
  %X = loop.buffer "X" scope(local) (%n) : memref<?xf32>
  %F = loop.buffer "F" scope(local) (%n) : memref<?xf32>
  loop.if (-symbol(%n) + 16 >= 0) {
    loop.for parallel %b in 2 {
      loop.for serial %k in %n {
        loop.block "X" [%w: spatial %n] = (%k) reads(%A[%w : 1], %I[%w : 1]) writes(%X[*]) {
          %a = memref.load %A[%w] : memref<?xf32>
          %i = memref.load %I[%w] : memref<?xi32>
          %j = arith.index_cast %i : i32 to index
          memref.store %a, %X[%j] : memref<?xf32>
        }
      }
    }
    loop.for serial %k in %n {
      loop.block "F" [%w: spatial %n] = (%k) reads(%A[%w : 1]) writes(%F[%w : 1]) {
        %a = memref.load %A[%w] : memref<?xf32>
        memref.store %a, %F[%w] : memref<?xf32>
      }
      loop.block "B" [%w: spatial %n] = (%k) reads(%F[%w : 1]) writes(%B[%w : 1]) {
        %a = memref.load %F[%w] : memref<?xf32>
        memref.store %a, %B[%w] : memref<?xf32>
      }
    }
  }
  return
}
