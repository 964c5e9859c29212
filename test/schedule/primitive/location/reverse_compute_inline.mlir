// RUN: lw-opt %s --sched-reverse-compute-inline=block=tr_C --sched-reverse-compute-inline=block=un_C \
// RUN:   --sched-reverse-compute-inline=block=dy_C --sched-reverse-compute-inline=block=gu_C | FileCheck %s

// CHECK-LABEL: func.func @transposed
// CHECK-NEXT:  loop.for parallel %i.0 in 2 {
// CHECK-NEXT:    loop.for serial %i.1 in 4 {
// CHECK-NEXT:      loop.for serial %j in 8 {
// CHECK-NEXT:        loop.block "tr_P" [%v: spatial 6, %w: spatial 8] = (%i.0 * 4 + %i.1, %j)
// CHECK-NEXT:            where(
// CHECK-NEXT:            reads(%arg0[%v : 1, %w : 1], %arg1[%w : 1]) writes(%arg2[%w : 1, %v : 1]) {
// CHECK-NEXT:          %[[A:.+]] = memref.load %arg0[%v, %w] : memref<6x8xf32>
// CHECK-NEXT:          %[[T:.+]] = math.absf %[[A]] : f32
// CHECK-NEXT:          %[[B:.+]] = memref.load %arg1[%w] : memref<8xf32>
// CHECK-NEXT:          %[[S:.+]] = arith.addf %[[T]], %[[B]] : f32
// CHECK-NEXT:          %[[M:.+]] = arith.mulf %[[S]], %[[T]] : f32
// CHECK-NEXT:          memref.store %[[M]], %arg2[%w, %v] : memref<8x6xf32>
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:  }
// CHECK-NEXT:  return
func.func @transposed(%A: memref<6x8xf32>, %B: memref<8xf32>, %C: memref<8x6xf32>) {
  %T = loop.buffer "T" scope(global) : memref<6x8xf32>
  loop.for parallel %i.0 in 2 {
    loop.for serial %i.1 in 4 {
      loop.for serial %j in 8 {
        loop.block "tr_P" [%v: spatial 6, %w: spatial 8] = (%i.0 * 4 + %i.1, %j) where(%i.0 * 4 + %i.1 < 6)
            reads(%A[%v : 1, %w : 1]) writes(%T[%v : 1, %w : 1]) {
          %a = memref.load %A[%v, %w] : memref<6x8xf32>
          %t = math.absf %a : f32
          memref.store %t, %T[%v, %w] : memref<6x8xf32>
        }
      }
    }
  }
  loop.for serial %i in 8 {
    loop.for serial %j in 6 {
      loop.block "tr_C" [%v: spatial 8, %w: spatial 6] = (%i, %j) reads(%T[%w : 1, %v : 1], %B[%v : 1]) writes(%C[%v : 1, %w : 1]) {
        %t = memref.load %T[%w, %v] : memref<6x8xf32>
        %b = memref.load %B[%v] : memref<8xf32>
        %s = arith.addf %t, %b : f32
        %u = memref.load %T[%w, %v] : memref<6x8xf32>
        %m = arith.mulf %s, %u : f32
        memref.store %m, %C[%v, %w] : memref<8x6xf32>
      }
    }
  }
  return
}

// A dimension of size 1, on either side.
// CHECK-LABEL: func.func @unit
// CHECK:       loop.block "un_P" [%v: spatial 6] = (%i)
// CHECK-NEXT:      reads(%arg0[%v : 1]) writes(%arg1[0 : 1, %v : 1]) {
func.func @unit(%A: memref<6xf32>, %C: memref<1x6xf32>) {
  %T = loop.buffer "T" scope(global) : memref<6x1xf32>
  loop.for serial %i in 6 {
    loop.block "un_P" [%v: spatial 6] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1, 0 : 1]) {
      %c0 = arith.constant 0 : index
      %a = memref.load %A[%v] : memref<6xf32>
      memref.store %a, %T[%v, %c0] : memref<6x1xf32>
    }
  }
  loop.for serial %i in 6 {
    loop.block "un_C" [%u: spatial 1, %v: spatial 6] = (0, %i) reads(%T[%v : 1, 0 : 1]) writes(%C[%u : 1, %v : 1]) {
      %c0 = arith.constant 0 : index
      %t = memref.load %T[%v, %c0] : memref<6x1xf32>
      memref.store %t, %C[%u, %v] : memref<1x6xf32>
    }
  }
  return
}

// CHECK-LABEL: func.func @dynamic
// CHECK:       loop.block "dy_P" [%v: spatial %dim] = (%i)
// CHECK-NEXT:      reads(%arg0[%v : 1]) writes(%arg1[-%v + %dim - 1 : 1]) {
func.func @dynamic(%A: memref<?xf32>, %C: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %A, %c0 : memref<?xf32>
  %T = loop.buffer "T" scope(global) (%n) : memref<?xf32>
  loop.for serial %i in %n {
    loop.block "dy_P" [%v: spatial %n] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<?xf32>
      memref.store %a, %T[%v] : memref<?xf32>
    }
  }
  loop.for serial %i in %n {
    loop.block "dy_C" [%v: spatial %n] = (%i) reads(%T[%v : 1]) writes(%C[%n - %v - 1 : 1]) {
      %back = affine.apply affine_map<(d0)[s0] -> (s0 - d0 - 1)>(%v)[%n]
      %t = memref.load %T[%v] : memref<?xf32>
      memref.store %t, %C[%back] : memref<?xf32>
    }
  }
  return
}

// A load in a branch.
// CHECK-LABEL: func.func @guarded
// CHECK:       loop.block "gu_P" [%v: spatial 6] = (%i)
// CHECK-NEXT:      reads(%arg0[%v : 1]) writes(%arg1[%v : 1]) {
// CHECK:         %[[A:.+]] = memref.load %arg0[%v] : memref<6xf32>
// CHECK:         loop.if (%v - 2 >= 0) -> f32 {
// CHECK-NEXT:      loop.yield %[[A]] : f32
// CHECK-NEXT:    } else {
func.func @guarded(%A: memref<6xf32>, %C: memref<6xf32>) {
  %T = loop.buffer "T" scope(global) : memref<6xf32>
  loop.for serial %i in 6 {
    loop.block "gu_P" [%v: spatial 6] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<6xf32>
      memref.store %a, %T[%v] : memref<6xf32>
    }
  }
  loop.for serial %i in 6 {
    loop.block "gu_C" [%v: spatial 6] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %zero = arith.constant 0.0 : f32
      %x = loop.if (%v >= 2) -> (f32) {
        %t = memref.load %T[%v] : memref<6xf32>
        loop.yield %t : f32
      } else {
        loop.yield %zero : f32
      }
      memref.store %x, %C[%v] : memref<6xf32>
    }
  }
  return
}
