// RUN: lw-opt %s --lower-vthread --verify-each=numeric --pass-report 2>%t.report | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT <%t.report
// RUN: lw-opt %s --lower-vthread --lower-vthread | FileCheck %s
// RUN: lw-opt %s --lower-vthread --verify-each=numeric --convert-loop-to-gpu
// REPORT-DAG: lower-vthread  @rows {{.*}} changed, 1 loops, 2 copies
// REPORT-DAG: lower-vthread  @triangle {{.*}} unchanged

// Two rows for each thread, with one sum each.
// CHECK-LABEL: func.func @rows
// CHECK:         loop.buffer "L" scope(local)
// CHECK-NEXT:    loop.buffer "L_1" scope(local)
// CHECK-NOT:     vthread
// CHECK:           loop.for serial %k in 5 {
// CHECK-NEXT:        loop.block "S" [%v: spatial 8, %z: spatial 1, %r: reduce 5] = (%t, 0, %k)
// CHECK:             loop.block "S_1" [%v: spatial 8, %z: spatial 1, %r: reduce 5] = (%t + 4, 0, %k)
// CHECK:           loop.block "B" [%v: spatial 8] = (%t)
// CHECK:           loop.block "B_1" [%v: spatial 8] = (%t + 4)
func.func @rows(%A: memref<8x5xf32>, %B: memref<8xf32> {loop.result}) {
  %L = loop.buffer "L" scope(local) : memref<1xf32>
  loop.for thread_bind[blockIdx.x] %b in 1 {
    loop.for thread_bind[vthread] %y in 2 {
      loop.for thread_bind[threadIdx.x] %t in 4 {
        loop.for serial %k in 5 {
          loop.block "S" [%v: spatial 8, %z: spatial 1, %r: reduce 5] = (%y * 4 + %t, 0, %k)
              reads(%A[%v : 1, %r : 1]) writes(%L[%z : 1]) reducer(add, 0.0) {
            loop.init {
              %zero = arith.constant 0.0 : f32
              memref.store %zero, %L[%z] : memref<1xf32>
            }
            %x = memref.load %L[%z] : memref<1xf32>
            %a = memref.load %A[%v, %r] : memref<8x5xf32>
            %s = arith.addf %x, %a : f32
            memref.store %s, %L[%z] : memref<1xf32>
          }
        }
        loop.block "B" [%v: spatial 8] = (%y * 4 + %t) reads(%L[0 : 1]) writes(%B[%v : 1]) {
          %c0 = arith.constant 0 : index
          %x = memref.load %L[%c0] : memref<1xf32>
          memref.store %x, %B[%v] : memref<8xf32>
        }
      }
    }
  }
  return
}

// (C2) one does more work than the other.
// CHECK-LABEL: func.func @triangle
// CHECK:         thread_bind[vthread]
func.func @triangle(%A: memref<2x2xf32> {loop.result}) {
  loop.for thread_bind[blockIdx.x] %b in 1 {
    loop.for thread_bind[vthread] %y in 2 {
      loop.for serial %k in affine_map<(d0) -> (d0 + 1)>(%y) {
        loop.block "A" [%u: spatial 2, %v: spatial 2] = (%y, %k) writes(%A[%u : 1, %v : 1]) {
          %c = arith.constant 1.0 : f32
          memref.store %c, %A[%u, %v] : memref<2x2xf32>
        }
      }
    }
    loop.for serial %k in 1 {
      loop.block "Z" [%u: spatial 2, %v: spatial 2] = (%k, %k + 1) writes(%A[%u : 1, %v : 1]) {
        %c = arith.constant 2.0 : f32
        memref.store %c, %A[%u, %v] : memref<2x2xf32>
      }
    }
  }
  return
}

// (C1) too many copies.
// CHECK-LABEL: func.func @many
// CHECK:         thread_bind[vthread]
func.func @many(%A: memref<65xf32> {loop.result}) {
  loop.for thread_bind[threadIdx.x] %b in 1 {
    loop.for thread_bind[vthread] %y in 65 {
      loop.block "A" [%u: spatial 65] = (%y) writes(%A[%u : 1]) {
        %c = arith.constant 1.0 : f32
        memref.store %c, %A[%u] : memref<65xf32>
      }
    }
  }
  return
}

// (C4) a kernel that would become two: each would have its own local memory.
// CHECK-LABEL: func.func @kernel
// CHECK:         loop.for thread_bind[vthread] %y in 2 {
// CHECK:           loop.block "L"
// CHECK:           loop.block "A"
func.func @kernel(%A: memref<2x2xf32> {loop.result}) {
  %L = loop.buffer "L" scope(local) : memref<2xf32>
  loop.for thread_bind[vthread] %y in 2 {
    loop.for serial %k in 2 {
      loop.block "L" [%v: spatial 2] = (%k) writes(%L[%v : 1]) {
        %c = arith.constant 1.0 : f32
        memref.store %c, %L[%v] : memref<2xf32>
      }
    }
    loop.for serial %k in 2 {
      loop.block "A" [%u: spatial 2, %v: spatial 2] = (%y, %k) reads(%L[%v : 1]) writes(%A[%u : 1, %v : 1]) {
        %l = memref.load %L[%v] : memref<2xf32>
        memref.store %l, %A[%u, %v] : memref<2x2xf32>
      }
    }
  }
  return
}

// (C1) none.
// CHECK-LABEL: func.func @none
// CHECK:         thread_bind[vthread] %y in 0
func.func @none(%A: memref<4xf32> {loop.result}) {
  loop.for thread_bind[threadIdx.x] %b in 4 {
    loop.for thread_bind[vthread] %y in 0 {
      loop.block "A" [%u: spatial 4] = (%b + %y) writes(%A[%u : 1]) {
        %c = arith.constant 1.0 : f32
        memref.store %c, %A[%u] : memref<4xf32>
      }
    }
  }
  return
}

// A local buffer that is filled before the loop has one instance, and no copies.
// CHECK-LABEL: func.func @outside
// CHECK-NEXT:    loop.buffer "L" scope(local) : memref<1xf32>
// CHECK-NOT:     vthread
// CHECK:           loop.block "B" [%v: spatial 8] = (%t)
// CHECK:             memref.load %L
// CHECK:           loop.block "B_1" [%v: spatial 8] = (%t + 4)
// CHECK:             memref.load %L
func.func @outside(%A: memref<4xf32>, %B: memref<8xf32> {loop.result}) {
  %L = loop.buffer "L" scope(local) : memref<1xf32>
  loop.for thread_bind[threadIdx.x] %t in 4 {
    loop.block "L" [%v: spatial 4] = (%t) reads(%A[%v : 1]) writes(%L[0 : 1]) {
      %c0 = arith.constant 0 : index
      %a = memref.load %A[%v] : memref<4xf32>
      memref.store %a, %L[%c0] : memref<1xf32>
    }
    loop.for thread_bind[vthread] %y in 2 {
      loop.block "B" [%v: spatial 8] = (%y * 4 + %t) reads(%L[0 : 1]) writes(%B[%v : 1]) {
        %c0 = arith.constant 0 : index
        %x = memref.load %L[%c0] : memref<1xf32>
        memref.store %x, %B[%v] : memref<8xf32>
      }
    }
  }
  return
}

// Nested loops: four virtual threads.
// CHECK-LABEL: func.func @nested
// CHECK-NOT:     vthread
// CHECK:         loop.for thread_bind[threadIdx.x] %t in 4 {
// CHECK:           loop.block "B" [%u: spatial 2, %v: spatial 2, %w: spatial 4] = (0, 0, %t)
// CHECK:           loop.block "B_1_1" [%u: spatial 2, %v: spatial 2, %w: spatial 4] = (0, 1, %t)
// CHECK:           loop.block "B_1" [%u: spatial 2, %v: spatial 2, %w: spatial 4] = (1, 0, %t)
// CHECK:           loop.block "B_1_1_1" [%u: spatial 2, %v: spatial 2, %w: spatial 4] = (1, 1, %t)
func.func @nested(%A: memref<2x2x4xf32>, %B: memref<2x2x4xf32> {loop.result}) {
  loop.for thread_bind[vthread] %y in 2 {
    loop.for thread_bind[vthread] %x in 2 {
      loop.for thread_bind[threadIdx.x] %t in 4 {
        loop.block "B" [%u: spatial 2, %v: spatial 2, %w: spatial 4] = (%y, %x, %t)
            reads(%A[%u : 1, %v : 1, %w : 1]) writes(%B[%u : 1, %v : 1, %w : 1]) {
          %a = memref.load %A[%u, %v, %w] : memref<2x2x4xf32>
          memref.store %a, %B[%u, %v, %w] : memref<2x2x4xf32>
        }
      }
    }
  }
  return
}

// A schedule block around the loop accesses the copies of its buffer, too.
// CHECK-LABEL: func.func @in_block
// CHECK-DAG:     %T = loop.buffer "T" scope(local) : memref<1xf32>
// CHECK-DAG:     %T_1 = loop.buffer "T_1" scope(local) : memref<1xf32>
// CHECK:         loop.block "O"
// CHECK-NEXT:        reads(%arg0[%o : 1, 0 : 2], %T[0 : 1], %T_1[0 : 1]) writes(%T[0 : 1], %T_1[0 : 1], %arg1[%o : 1, 0 : 2])
func.func @in_block(%A: memref<4x2xf32>, %B: memref<4x2xf32>) {
  %T = loop.buffer "T" scope(local) : memref<1xf32>
  loop.for thread_bind[blockIdx.x] %i in 4 {
    loop.block "O" [%o: spatial 4] = (%i) reads(%A[%o : 1, 0 : 2], %T[0 : 1]) writes(%T[0 : 1], %B[%o : 1, 0 : 2]) {
      loop.for thread_bind[vthread] %j in 2 {
        loop.block "P" [%w: spatial 2] = (%j) reads(%A[%o : 1, %w : 1]) writes(%T[0 : 1]) {
          %x = memref.load %A[%o, %w] : memref<4x2xf32>
          %c0 = arith.constant 0 : index
          memref.store %x, %T[%c0] : memref<1xf32>
        }
        loop.block "Q" [%w: spatial 2] = (%j) reads(%T[0 : 1]) writes(%B[%o : 1, %w : 1]) {
          %c0 = arith.constant 0 : index
          %x = memref.load %T[%c0] : memref<1xf32>
          memref.store %x, %B[%o, %w] : memref<4x2xf32>
        }
      }
    }
  }
  return
}
