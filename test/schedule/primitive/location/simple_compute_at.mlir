// RUN: lw-opt %s --sched-simple-compute-at='block=in_P loop=in_C:i' --sched-simple-compute-at='block=dy_P loop=dy_C:i' \
// RUN:   --sched-simple-compute-at='block=pa_P loop=pa_C:j' --sched-simple-compute-at='block=le_P loop=le_C:i' \
// RUN:   --sched-simple-compute-at='block=co_P loop=co_C:j' \
// RUN:   --sched-simple-compute-at='block=wh_P loop=wh_C:i' | FileCheck %s
// CHECK-DAG: #[[MAP:.+]] = affine_map<()[s0] -> (s0 ceildiv 4)>
// CHECK-DAG: #[[MAP1:.+]] = affine_map<(d0)[s0] -> (4, d0 * -4 + s0)>

// Inner loops are moved along, and renamed if their names already exist.
// CHECK-LABEL: func.func @inner_loops
// CHECK:      loop.for serial %i in 4 {
// CHECK-NEXT:   loop.for serial %i_1 in 6 {
// CHECK-NEXT:     loop.for serial %j in 1 {
// CHECK-NEXT:       loop.block "in_P" [%v: spatial 4, %w: spatial 6] = (%i, %i_1 + %j)
// CHECK-NEXT:           reads(%arg0[%v : 1, %w : 1]) writes(%arg1[%v : 1, %w : 1]) {
// CHECK:        loop.block "in_C" [%v: spatial 4] = (%i)
// CHECK-NEXT:       writes(%arg2[%v : 1]) {
func.func @inner_loops(%A: memref<4x6xf32>, %C: memref<4x6xf32>, %D: memref<4xf32>) {
  loop.for serial %k in 4 {
    loop.for serial %i in 6 {
      loop.for serial %j in 1 {
        loop.block "in_P" [%v: spatial 4, %w: spatial 6] = (%k, %i + %j) reads(%A[%v : 1, %w : 1]) writes(%C[%v : 1, %w : 1]) {
          %a = memref.load %A[%v, %w] : memref<4x6xf32>
          memref.store %a, %C[%v, %w] : memref<4x6xf32>
        }
      }
    }
  }
  loop.for serial %i in 4 {
    loop.block "in_C" [%v: spatial 4] = (%i) writes(%D[%v : 1]) {
      %one = arith.constant 1.0 : f32
      memref.store %one, %D[%v] : memref<4xf32>
    }
  }
  return
}

// A size that is the same value, with the loop's variable in an inner extent.
// CHECK-LABEL: func.func @dynamic
// CHECK:      loop.for serial %i in #[[MAP]]()[%dim] {
// CHECK-NEXT:   loop.for serial %j in min #[[MAP1]](%i)[%dim] {
// CHECK-NEXT:     loop.block "dy_P" [%v: spatial %dim] = (%j + %i * 4)
// CHECK-NEXT:         reads(%arg0[%v : 1]) writes(%arg1[%v : 1]) {
// CHECK:        loop.for serial %j in 4 {
// CHECK-NEXT:     loop.block "dy_C" [%v: spatial %dim] = (%i * 4 + %j)
// CHECK-NEXT:         where(%dim - %i * 4 - %j - 1 >= 0)
// CHECK-NEXT:         writes(%arg2[%v : 1]) {
func.func @dynamic(%A: memref<?xf32>, %C: memref<?xf32>, %D: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %A, %c0 : memref<?xf32>
  loop.for serial %o in affine_map<()[s0] -> (s0 ceildiv 4)>()[%n] {
    loop.for serial %j in min affine_map<(d0)[s0] -> (4, s0 - d0 * 4)>(%o)[%n] {
      loop.block "dy_P" [%v: spatial %n] = (%o * 4 + %j) reads(%A[%v : 1]) writes(%C[%v : 1]) {
        %a = memref.load %A[%v] : memref<?xf32>
        memref.store %a, %C[%v] : memref<?xf32>
      }
    }
  }
  loop.for serial %i in affine_map<()[s0] -> (s0 ceildiv 4)>()[%n] {
    loop.for serial %j in 4 {
      loop.block "dy_C" [%v: spatial %n] = (%i * 4 + %j) where(%n - 1 - %i * 4 - %j >= 0) writes(%D[%v : 1]) {
        %one = arith.constant 1.0 : f32
        memref.store %one, %D[%v] : memref<?xf32>
      }
    }
  }
  return
}

// A bound loop: the block runs in its threads then.
// CHECK-LABEL: func.func @bound
// CHECK:      loop.for thread_bind[blockIdx.x] %i in 4 {
// CHECK-NEXT:   loop.for thread_bind[threadIdx.x] %j in 6 {
// CHECK-NEXT:     loop.block "pa_P" [%v: spatial 4, %w: spatial 6] = (%i, %j)
// CHECK-NEXT:         reads(%arg0[%v : 1, %w : 1]) writes(%arg1[%v : 1, %w : 1]) {
// CHECK:          loop.block "pa_C" [%v: spatial 4, %w: spatial 6] = (%i, %j)
// CHECK-NEXT:         writes(%arg2[%v : 1, %w : 1]) {
func.func @bound(%A: memref<4x6xf32>, %C: memref<4x6xf32>, %D: memref<4x6xf32>) {
  loop.for serial %i in 4 {
    loop.for serial %j in 6 {
      loop.block "pa_P" [%v: spatial 4, %w: spatial 6] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%C[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<4x6xf32>
        memref.store %a, %C[%v, %w] : memref<4x6xf32>
      }
    }
  }
  loop.for thread_bind[blockIdx.x] %i in 4 {
    loop.for thread_bind[threadIdx.x] %j in 6 {
      loop.block "pa_C" [%v: spatial 4, %w: spatial 6] = (%i, %j) writes(%D[%v : 1, %w : 1]) {
        %one = arith.constant 1.0 : f32
        memref.store %one, %D[%v, %w] : memref<4x6xf32>
      }
    }
  }
  return
}

// Other statements in the old loops of the block are unchanged.
// CHECK-LABEL: func.func @left_alone
// CHECK:      loop.for serial %i in 6 {
// CHECK-NEXT:   loop.block "le_B" [%v: spatial 6] = (%i)
// CHECK-NEXT:       reads(%arg0[%v : 1]) writes(%arg1[%v : 1]) {
// CHECK:      loop.for serial %i in 6 {
// CHECK-NEXT:   loop.block "le_P" [%v: spatial 6] = (%i)
// CHECK-NEXT:       reads(%arg0[%v : 1]) writes(%arg2[%v : 1]) {
// CHECK:        loop.block "le_C" [%v: spatial 6] = (%i)
// CHECK-NEXT:       writes(%arg3[%v : 1]) {
func.func @left_alone(%A: memref<6xf32>, %B: memref<6xf32>, %C: memref<6xf32>, %D: memref<6xf32>) {
  loop.for serial %i in 6 {
    loop.block "le_P" [%v: spatial 6] = (%i) reads(%A[%v : 1]) writes(%C[%v : 1]) {
      %a = memref.load %A[%v] : memref<6xf32>
      memref.store %a, %C[%v] : memref<6xf32>
    }
    loop.block "le_B" [%v: spatial 6] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %A[%v] : memref<6xf32>
      memref.store %a, %B[%v] : memref<6xf32>
    }
  }
  loop.for serial %i in 6 {
    loop.block "le_C" [%v: spatial 6] = (%i) writes(%D[%v : 1]) {
      %one = arith.constant 1.0 : f32
      memref.store %one, %D[%v] : memref<6xf32>
    }
  }
  return
}

// Under a loop that encloses both.
// CHECK-LABEL: func.func @common
// CHECK:      loop.for serial %i in 4 {
// CHECK-NEXT:   loop.for serial %j in 6 {
// CHECK-NEXT:     loop.block "co_P" [%v: spatial 4, %w: spatial 6] = (%i, %j)
// CHECK-NEXT:         reads(%arg0[%v : 1, %w : 1]) writes(%arg1[%v : 1, %w : 1]) {
// CHECK:          loop.block "co_C" [%v: spatial 4, %w: spatial 6] = (%i, %j)
// CHECK-NEXT:         writes(%arg2[%v : 1, %w : 1]) {
func.func @common(%A: memref<4x6xf32>, %C: memref<4x6xf32>, %D: memref<4x6xf32>) {
  loop.for serial %i in 4 {
    loop.for serial %j in 6 {
      loop.block "co_C" [%v: spatial 4, %w: spatial 6] = (%i, %j) writes(%D[%v : 1, %w : 1]) {
        %one = arith.constant 1.0 : f32
        memref.store %one, %D[%v, %w] : memref<4x6xf32>
      }
    }
    loop.for serial %k in 6 {
      loop.block "co_P" [%v: spatial 4, %w: spatial 6] = (%i, %k) reads(%A[%v : 1, %w : 1]) writes(%C[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<4x6xf32>
        memref.store %a, %C[%v, %w] : memref<4x6xf32>
      }
    }
  }
  return
}

// The elements that the block reads were written in earlier iterations, according to the predicate.
// CHECK-LABEL: func.func @predicate
// CHECK:      loop.for serial %i in 8 {
// CHECK-NEXT:   loop.block "wh_P" [%v: spatial 8] = (%i)
// CHECK-NEXT:       where(%i - 4 >= 0)
// CHECK:        loop.block "wh_C"
func.func @predicate(%A: memref<8xf32>, %B: memref<8xf32>, %D: memref<8xf32>) {
  loop.for serial %i in 8 {
    loop.block "wh_C" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %B[%v] : memref<8xf32>
    }
  }
  loop.for serial %k in 8 {
    loop.block "wh_P" [%v: spatial 8] = (%k) where(%k - 4 >= 0) reads(%B[-%v + 7 : 1]) writes(%D[%v : 1]) {
      %w = affine.apply affine_map<(d0) -> (-d0 + 7)>(%v)
      %b = memref.load %B[%w] : memref<8xf32>
      memref.store %b, %D[%v] : memref<8xf32>
    }
  }
  return
}
