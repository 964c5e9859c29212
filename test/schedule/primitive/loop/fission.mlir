// RUN: lw-opt %s --sched-fission=target=on_C --sched-fission='target=tw_C levels=2' --sched-fission='target=mi_C levels=2' \
// RUN:   --sched-fission=target=pa_C --sched-fission=target=ra_C:j --sched-fission=target=ne_C | FileCheck %s
// RUN: lw-opt %s --verify-each=numeric --sched-fission=target=on_C --sched-fission='target=tw_C levels=2' \
// RUN:   --sched-fission='target=mi_C levels=2' --sched-fission=target=pa_C --sched-fission=target=ra_C:j \
// RUN:   --sched-fission=target=ne_C -o /dev/null 2>&1 | count 0
// CHECK-DAG: #[[MAP:.+]] = affine_map<(d0) -> (d0 + 1)>

// A producer and its reader.
// CHECK-LABEL: func.func @one
// CHECK:       loop.for serial %i in 4 {
// CHECK-NEXT:    loop.block "on_P" [%v: spatial 4] = (%i)
// CHECK:       loop.for serial %i in 4 {
// CHECK-NEXT:    loop.block "on_C" [%v: spatial 4] = (%i)
func.func @one(%A: memref<4xf32>, %T: memref<4xf32>, %C: memref<4xf32>) {
  loop.for serial %i in 4 {
    loop.block "on_P" [%v: spatial 4] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<4xf32>
      memref.store %a, %T[%v] : memref<4xf32>
    }
    loop.block "on_C" [%v: spatial 4] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %t = memref.load %T[%v] : memref<4xf32>
      memref.store %t, %C[%v] : memref<4xf32>
    }
  }
  return
}

// Two loops deep: statements after the inner loop are moved along.
// CHECK-LABEL: func.func @two
// CHECK:       loop.for serial %i in 4 {
// CHECK-NEXT:    loop.for serial %j in 6 {
// CHECK-NEXT:      loop.block "tw_P" [%v: spatial 4, %w: spatial 6] = (%i, %j)
// CHECK:       loop.for serial %i in 4 {
// CHECK-NEXT:    loop.for serial %j in 6 {
// CHECK-NEXT:      loop.block "tw_C" [%v: spatial 4, %w: spatial 6] = (%i, %j)
// CHECK:         }
// CHECK-NEXT:    }
// CHECK-NEXT:    loop.block "tw_D" [%v: spatial 4] = (%i)
// CHECK-NOT:   loop.for
func.func @two(%T: memref<4x6xf32>, %C: memref<4x6xf32>, %D: memref<4xf32>) {
  loop.for serial %i in 4 {
    loop.for serial %j in 6 {
      loop.block "tw_P" [%v: spatial 4, %w: spatial 6] = (%i, %j) writes(%T[%v : 1, %w : 1]) {
        %one = arith.constant 1.0 : f32
        memref.store %one, %T[%v, %w] : memref<4x6xf32>
      }
      loop.block "tw_C" [%v: spatial 4, %w: spatial 6] = (%i, %j) reads(%T[%v : 1, %w : 1]) writes(%C[%v : 1, %w : 1]) {
        %t = memref.load %T[%v, %w] : memref<4x6xf32>
        memref.store %t, %C[%v, %w] : memref<4x6xf32>
      }
    }
    loop.block "tw_D" [%v: spatial 4] = (%i) reads(%C[%v : 1, 0 : 1]) writes(%D[%v : 1]) {
      %c0 = arith.constant 0 : index
      %c = memref.load %C[%v, %c0] : memref<4x6xf32>
      memref.store %c, %D[%v] : memref<4xf32>
    }
  }
  return
}

// An extent that depends on the split loop.
// CHECK-LABEL: func.func @minimum
// CHECK:       loop.for serial %i in 4 {
// CHECK-NEXT:    loop.for serial %j in #[[MAP]](%i) {
// CHECK-NEXT:      loop.block "mi_P"
// CHECK:       loop.for serial %i in 4 {
// CHECK-NEXT:    loop.for serial %j in #[[MAP]](%i) {
// CHECK-NEXT:      loop.block "mi_C"
func.func @minimum(%T: memref<4x4xf32>, %C: memref<4x4xf32>) {
  loop.for serial %i in 4 {
    loop.for serial %j in affine_map<(d0) -> (d0 + 1)>(%i) {
      loop.block "mi_P" [%v: spatial 4, %w: spatial 4] = (%i, %j) writes(%T[%v : 1, %w : 1]) {
        %one = arith.constant 1.0 : f32
        memref.store %one, %T[%v, %w] : memref<4x4xf32>
      }
      loop.block "mi_C" [%v: spatial 4, %w: spatial 4] = (%i, %j) writes(%C[%v : 1, %w : 1]) {
        %two = arith.constant 2.0 : f32
        memref.store %two, %C[%v, %w] : memref<4x4xf32>
      }
    }
  }
  return
}

// Concurrent iterations: the second part reads what the first one wrote in the same iteration.
// CHECK-LABEL: func.func @parallel
// CHECK:       loop.for parallel %i in 8 {
// CHECK-NEXT:    loop.block "pa_P"
// CHECK:       loop.for parallel %i in 8 {
// CHECK-NEXT:    loop.block "pa_C"
func.func @parallel(%A: memref<8xf32>, %B: memref<8xf32>) {
  loop.for parallel %i in 8 {
    loop.block "pa_P" [%v: spatial 8] = (%i) writes(%A[%v : 1]) {
      %one = arith.constant 1.0 : f32
      memref.store %one, %A[%v] : memref<8xf32>
    }
    loop.block "pa_C" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %B[%v] : memref<8xf32>
    }
  }
  return
}

// The second part reads what an earlier iteration of the first one wrote, and starts with a loop.
// CHECK-LABEL: func.func @earlier
// CHECK:       loop.for serial %i in 4 {
// CHECK-NEXT:    loop.block "ra_P"
// CHECK:       loop.for serial %i in 4 {
// CHECK-NEXT:    loop.for serial %j in 2 {
// CHECK-NEXT:      loop.block "ra_C"
func.func @earlier(%A: memref<5xf32>, %B: memref<4x2xf32>) {
  loop.for serial %i in 4 {
    loop.block "ra_P" [%v: spatial 4] = (%i) writes(%A[%v + 1 : 1]) {
      %one = arith.constant 1.0 : f32
      %k = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
      memref.store %one, %A[%k] : memref<5xf32>
    }
    loop.for serial %j in 2 {
      loop.block "ra_C" [%v: spatial 4, %w: spatial 2] = (%i, %j) reads(%A[%v : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %A[%v] : memref<5xf32>
        memref.store %a, %B[%v, %w] : memref<4x2xf32>
      }
    }
  }
  return
}

// In a schedule block of loops.
// CHECK-LABEL: func.func @nested
// CHECK:       loop.block "outer"
// CHECK:         loop.for serial %i in 4 {
// CHECK-NEXT:      loop.block "ne_P"
// CHECK:         loop.for serial %i in 4 {
// CHECK-NEXT:      loop.block "ne_C"
func.func @nested(%A: memref<4x4xf32>, %B: memref<4x4xf32>) {
  loop.for serial %o in 4 {
    loop.block "outer" [%u: spatial 4] = (%o) reads(%A[%u : 1, 0 : 4]) writes(%A[%u : 1, 0 : 4], %B[%u : 1, 0 : 4]) {
      loop.for serial %i in 4 {
        loop.block "ne_P" [%v: spatial 4] = (%i) writes(%A[%u : 1, %v : 1]) {
          %one = arith.constant 1.0 : f32
          memref.store %one, %A[%u, %v] : memref<4x4xf32>
        }
        loop.block "ne_C" [%v: spatial 4] = (%i) reads(%A[%u : 1, %v : 1]) writes(%B[%u : 1, %v : 1]) {
          %a = memref.load %A[%u, %v] : memref<4x4xf32>
          memref.store %a, %B[%u, %v] : memref<4x4xf32>
        }
      }
    }
  }
  return
}
