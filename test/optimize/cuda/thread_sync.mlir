// RUN: lw-opt %s --thread-sync --pass-report 2>%t.report | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT <%t.report
// RUN: lw-opt %s --thread-sync --thread-sync | FileCheck %s
// RUN: lw-opt %s --thread-sync='insert=false' | FileCheck %s --check-prefix=KEEPS
// RUN: lw-opt %s --thread-sync --verify-each=numeric --convert-loop-to-gpu
// REPORT-DAG: thread-sync  @reversed {{.*}} 1 removed, 1 inserted
// REPORT-DAG: thread-sync  @own_cells {{.*}} 2 removed
// REPORT-DAG: thread-sync  @carried {{.*}} 2 inserted
// REPORT-DAG: thread-sync  @tiles {{.*}} 1 removed
// KEEPS-LABEL: func.func @carried
// KEEPS-NOT: loop.sync
// KEEPS: return

// One barrier is enough between the first two; between the others there was none.
// CHECK-LABEL: func.func @reversed
// CHECK:         loop.block "S"
// CHECK:         loop.sync
// CHECK-NOT:     loop.sync
// CHECK:         loop.block "R"
// CHECK:         loop.sync
// CHECK-NOT:     loop.sync
// CHECK:         loop.block "B"
// CHECK-NOT:     loop.sync
// CHECK:         return
func.func @reversed(%A: memref<8xf32>, %B: memref<8xf32> {loop.result}) {
  %S = loop.buffer "S" scope(shared) : memref<8xf32>
  loop.for thread_bind[blockIdx.x] %b in 1 {
    loop.for thread_bind[threadIdx.x] %t in 8 {
      loop.block "S" [%v: spatial 8] = (%t) reads(%A[%v : 1]) writes(%S[%v : 1]) {
        %a = memref.load %A[%v] : memref<8xf32>
        memref.store %a, %S[%v] : memref<8xf32>
      }
    }
    loop.sync
    loop.sync
    loop.for thread_bind[threadIdx.x] %t in 8 {
      loop.block "R" [%v: spatial 8] = (%t) reads(%S[7 - %v : 1]) writes(%S[7 - %v : 1]) {
        %i = affine.apply affine_map<(d0) -> (7 - d0)>(%v)
        %a = memref.load %S[%i] : memref<8xf32>
        %c = arith.addf %a, %a : f32
        memref.store %c, %S[%i] : memref<8xf32>
      }
    }
    loop.for thread_bind[threadIdx.x] %t in 8 {
      loop.block "B" [%v: spatial 8] = (%t) reads(%S[%v : 1]) writes(%B[%v : 1]) {
        %a = memref.load %S[%v] : memref<8xf32>
        memref.store %a, %B[%v] : memref<8xf32>
      }
    }
  }
  return
}

// Each thread reads only what it has written.
// CHECK-LABEL: func.func @own_cells
// CHECK-NOT:     loop.sync
// CHECK:         return
func.func @own_cells(%A: memref<8xf32>, %B: memref<8xf32> {loop.result}) {
  %S = loop.buffer "S" scope(shared) : memref<8xf32>
  loop.for thread_bind[blockIdx.x] %b in 1 {
    loop.for thread_bind[threadIdx.x] %t in 8 {
      loop.block "S" [%v: spatial 8] = (%t) reads(%A[%v : 1]) writes(%S[%v : 1]) {
        %a = memref.load %A[%v] : memref<8xf32>
        memref.store %a, %S[%v] : memref<8xf32>
      }
      loop.sync
      loop.block "B" [%v: spatial 8] = (%t) reads(%S[%v : 1]) writes(%B[%v : 1]) {
        %a = memref.load %S[%v] : memref<8xf32>
        memref.store %a, %B[%v] : memref<8xf32>
      }
    }
    loop.sync
  }
  return
}

// Elements that are read in one iteration are overwritten in the next.
// CHECK-LABEL: func.func @carried
// CHECK:         loop.for serial %k in 4 {
// CHECK:           loop.block "S"
// CHECK:           loop.sync
// CHECK-NEXT:      loop.block "B"
// CHECK:           loop.sync
// CHECK-NEXT:    }
func.func @carried(%A: memref<4x8xf32>, %B: memref<4x8xf32> {loop.result}) {
  %S = loop.buffer "S" scope(shared) : memref<8xf32>
  loop.for thread_bind[blockIdx.x] %b in 1 {
    loop.for thread_bind[threadIdx.x] %t in 8 {
      loop.for serial %k in 4 {
        loop.block "S" [%u: spatial 4, %v: spatial 8] = (%k, %t) reads(%A[%u : 1, %v : 1]) writes(%S[%v : 1]) {
          %a = memref.load %A[%u, %v] : memref<4x8xf32>
          memref.store %a, %S[%v] : memref<8xf32>
        }
        loop.block "B" [%u: spatial 4, %v: spatial 8] = (%k, %t) reads(%S[7 - %v : 1]) writes(%B[%u : 1, %v : 1]) {
          %i = affine.apply affine_map<(d0) -> (7 - d0)>(%v)
          %a = memref.load %S[%i] : memref<8xf32>
          memref.store %a, %B[%u, %v] : memref<4x8xf32>
        }
      }
    }
  }
  return
}

// The barriers of a tile that is alternately read and written are kept; the one after the last loop orders nothing.
// CHECK-LABEL: func.func @tiles
// CHECK-COUNT-2: loop.sync
// CHECK-NOT:     loop.sync
// CHECK:         return
func.func @tiles(%A: memref<4x8xf32>, %B: memref<4x8xf32> {loop.result}) {
  %S = loop.buffer "S" scope(shared) : memref<8xf32>
  loop.for thread_bind[blockIdx.x] %b in 1 {
    loop.for serial %k in 4 {
      loop.sync
      loop.for thread_bind[threadIdx.x] %t in 8 {
        loop.block "S" [%u: spatial 4, %v: spatial 8] = (%k, %t) reads(%A[%u : 1, %v : 1]) writes(%S[%v : 1]) {
          %a = memref.load %A[%u, %v] : memref<4x8xf32>
          memref.store %a, %S[%v] : memref<8xf32>
        }
      }
      loop.sync
      loop.for thread_bind[threadIdx.x] %t in 8 {
        loop.block "B" [%u: spatial 4, %v: spatial 8] = (%k, %t) reads(%S[7 - %v : 1]) writes(%B[%u : 1, %v : 1]) {
          %i = affine.apply affine_map<(d0) -> (7 - d0)>(%v)
          %a = memref.load %S[%i] : memref<8xf32>
          memref.store %a, %B[%u, %v] : memref<4x8xf32>
        }
      }
    }
    loop.sync
  }
  return
}
