// RUN: lw-opt %s --sched-merge=loops=two_P:j,two_C:j --sched-merge=loops=th_P:i,th_Q:i,th_C:i \
// RUN:   --sched-merge=loops=pa_P:i,pa_C:i --sched-merge=loops=in_P:i,in_C:j --sched-merge=loops=dy_P:i,dy_C:k \
// RUN:   --sched-merge=loops=ne_P:i,ne_C:i --sched-merge=loops=re_I:i,re_S:i | FileCheck %s
// CHECK-DAG: #[[MAP:.+]] = affine_map<()[s0] -> (s0 ceildiv 4)>

// A producer and its consumer, two loops deep: each element is read in the iteration that writes it.
// CHECK-LABEL: func.func @two
// CHECK:       loop.for serial %i in 4 {
// CHECK-NEXT:    loop.for serial %j in 6 {
// CHECK-NEXT:      loop.block "two_P" [%v: spatial 4, %w: spatial 6] = (%i, %j)
// CHECK:           loop.block "two_C" [%v: spatial 4, %w: spatial 6] = (%i, %j)
// CHECK-NOT:   loop.for
func.func @two(%A: memref<4x6xf32>, %T: memref<4x6xf32>, %C: memref<4x6xf32>) {
  loop.for serial %i in 4 {
    loop.for serial %j in 6 {
      loop.block "two_P" [%v: spatial 4, %w: spatial 6] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%T[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<4x6xf32>
        memref.store %a, %T[%v, %w] : memref<4x6xf32>
      }
    }
  }
  loop.for serial %i in 4 {
    loop.for serial %j in 6 {
      loop.block "two_C" [%v: spatial 4, %w: spatial 6] = (%i, %j) reads(%T[%v : 1, %w : 1]) writes(%C[%v : 1, %w : 1]) {
        %t = memref.load %T[%v, %w] : memref<4x6xf32>
        memref.store %t, %C[%v, %w] : memref<4x6xf32>
      }
    }
  }
  return
}

// Three nests. The third overwrites the elements that the second writes, in the same iteration.
// CHECK-LABEL: func.func @three
// CHECK:       loop.for serial %i in 8 {
// CHECK-NEXT:    loop.block "th_P"
// CHECK:         loop.block "th_Q"
// CHECK:         loop.block "th_C"
// CHECK-NOT:   loop.for
func.func @three(%A: memref<8xf32>, %B: memref<8xf32>) {
  loop.for serial %i in 8 {
    loop.block "th_P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %B[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.block "th_Q" [%v: spatial 8] = (%i) reads(%B[%v : 1]) writes(%A[%v : 1]) {
      %b = memref.load %B[%v] : memref<8xf32>
      memref.store %b, %A[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.block "th_C" [%v: spatial 8] = (%i) writes(%B[%v : 1]) {
      %one = arith.constant 1.0 : f32
      memref.store %one, %B[%v] : memref<8xf32>
    }
  }
  return
}

// Parallel loops with independent iterations.
// CHECK-LABEL: func.func @parallel
// CHECK:       loop.for parallel %i in 8 {
// CHECK-NEXT:    loop.block "pa_P"
// CHECK:         loop.block "pa_C"
// CHECK-NOT:   loop.for
func.func @parallel(%A: memref<8xf32>, %B: memref<8xf32>) {
  loop.for parallel %i in 8 {
    loop.block "pa_P" [%v: spatial 8] = (%i) writes(%A[%v : 1]) {
      %one = arith.constant 1.0 : f32
      memref.store %one, %A[%v] : memref<8xf32>
    }
  }
  loop.for parallel %i in 8 {
    loop.block "pa_C" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %B[%v] : memref<8xf32>
    }
  }
  return
}

// Inner loops are moved along, and renamed if their names already exist.
// CHECK-LABEL: func.func @inner
// CHECK:       loop.for serial %i in 4 {
// CHECK-NEXT:    loop.block "in_P"
// CHECK:         loop.for serial %i_1 in 6 {
// CHECK-NEXT:      loop.block "in_C" [%v: spatial 4, %w: spatial 6] = (%i, %i_1)
// CHECK-NOT:   loop.for
func.func @inner(%A: memref<4xf32>, %C: memref<4x6xf32>) {
  loop.for serial %i in 4 {
    loop.block "in_P" [%v: spatial 4] = (%i) writes(%A[%v : 1]) {
      %one = arith.constant 1.0 : f32
      memref.store %one, %A[%v] : memref<4xf32>
    }
  }
  loop.for serial %j in 4 {
    loop.for serial %i in 6 {
      loop.block "in_C" [%v: spatial 4, %w: spatial 6] = (%j, %i) reads(%A[%v : 1]) writes(%C[%v : 1, %w : 1]) {
        %a = memref.load %A[%v] : memref<4xf32>
        memref.store %a, %C[%v, %w] : memref<4x6xf32>
      }
    }
  }
  return
}

// A size that is the same value.
// CHECK-LABEL: func.func @dynamic
// CHECK:       loop.for serial %i in #[[MAP]]()[%dim] {
// CHECK:         loop.block "dy_P" [%v: spatial %dim] = (%i * 4 + %j)
// CHECK:         loop.for serial %j in 4 {
// CHECK-NEXT:      loop.block "dy_C" [%v: spatial %dim] = (%j + %i * 4)
// CHECK-NEXT:          where(-%j + %dim - %i * 4 - 1 >= 0)
func.func @dynamic(%A: memref<?xf32>, %C: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %A, %c0 : memref<?xf32>
  loop.for serial %i in affine_map<()[s0] -> (s0 ceildiv 4)>()[%n] {
    loop.for serial %j in 4 {
      loop.block "dy_P" [%v: spatial %n] = (%i * 4 + %j) where(%n - 1 - %i * 4 - %j >= 0) writes(%A[%v : 1]) {
        %one = arith.constant 1.0 : f32
        memref.store %one, %A[%v] : memref<?xf32>
      }
    }
  }
  loop.for serial %k in affine_map<()[s0] -> (s0 ceildiv 4)>()[%n] {
    loop.for serial %j in 4 {
      loop.block "dy_C" [%v: spatial %n] = (%k * 4 + %j) where(%n - 1 - %k * 4 - %j >= 0) reads(%A[%v : 1]) writes(%C[%v : 1]) {
        %a = memref.load %A[%v] : memref<?xf32>
        memref.store %a, %C[%v] : memref<?xf32>
      }
    }
  }
  return
}

// In a schedule block of loops, whose regions are unchanged.
// CHECK-LABEL: func.func @nested
// CHECK:       loop.block "outer"
// CHECK:         loop.for serial %i in 4 {
// CHECK-NEXT:      loop.block "ne_P"
// CHECK:           loop.block "ne_C"
// CHECK-NOT:   loop.for
func.func @nested(%A: memref<4x4xf32>, %B: memref<4x4xf32>) {
  loop.for serial %o in 4 {
    loop.block "outer" [%u: spatial 4] = (%o) reads(%A[%u : 1, 0 : 4]) writes(%A[%u : 1, 0 : 4], %B[%u : 1, 0 : 4]) {
      loop.for serial %i in 4 {
        loop.block "ne_P" [%v: spatial 4] = (%i) writes(%A[%u : 1, %v : 1]) {
          %one = arith.constant 1.0 : f32
          memref.store %one, %A[%u, %v] : memref<4x4xf32>
        }
      }
      loop.for serial %i in 4 {
        loop.block "ne_C" [%v: spatial 4] = (%i) reads(%A[%u : 1, %v : 1]) writes(%B[%u : 1, %v : 1]) {
          %a = memref.load %A[%u, %v] : memref<4x4xf32>
          memref.store %a, %B[%u, %v] : memref<4x4xf32>
        }
      }
    }
  }
  return
}

// The start values of a sum, written before it: in the loop over its points.
// CHECK-LABEL: func.func @started
// CHECK:       loop.for serial %i in 4 {
// CHECK-NEXT:    loop.block "re_I"
// CHECK:         loop.for serial %k in 8 {
// CHECK-NEXT:      loop.block "re_S"
func.func @started(%A: memref<4x8xf32>, %S: memref<4xf32>) {
  loop.for serial %i in 4 {
    loop.block "re_I" [%v: spatial 4] = (%i) writes(%S[%v : 1]) {
      %zero = arith.constant 0.0 : f32
      memref.store %zero, %S[%v] : memref<4xf32>
    }
  }
  loop.for serial %i in 4 {
    loop.for serial %k in 8 {
      loop.block "re_S" [%v: spatial 4, %w: reduce 8] = (%i, %k) reads(%A[%v : 1, %w : 1], %S[%v : 1]) writes(%S[%v : 1]) reducer(add, 0.0) {
        %a = memref.load %A[%v, %w] : memref<4x8xf32>
        %s = memref.load %S[%v] : memref<4xf32>
        %t = arith.addf %s, %a : f32
        memref.store %t, %S[%v] : memref<4xf32>
      }
    }
  }
  return
}
