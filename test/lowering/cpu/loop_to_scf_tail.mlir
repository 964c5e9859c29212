// The lowering of the tail of a split: whole vectors, without masks, unless a predicate requires them.
// RUN: lw-opt %s --sched-split='loop=P:i factors=-1,8 tail=peel' --sched-vectorize=loop=P:i.1 \
// RUN:   --sched-split='loop=S:i factors=-1,8 tail=shift_inwards' --sched-vectorize=loop=S:i.1 \
// RUN:   --sched-split='loop=G:i factors=-1,8' --sched-vectorize=loop=G:i.1 \
// RUN:   --convert-loop-to-scf | FileCheck %s

// CHECK-LABEL: func.func @peel(
// CHECK:         scf.for
// CHECK:           vector.load %{{.*}} : memref<?xf32>, vector<8xf32>
// CHECK-NOT:       mask
// CHECK:           vector.store %{{.*}} : memref<?xf32>, vector<8xf32>
// CHECK:         scf.for
// CHECK-NOT:       scf.if
// CHECK:           memref.load
// CHECK:           memref.store
func.func @peel(%A: memref<?xf32>, %B: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %A, %c0 : memref<?xf32>
  loop.for serial %i in %n {
    loop.block "P" [%v: spatial %n] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %A[%v] : memref<?xf32>
      memref.store %a, %B[%v] : memref<?xf32>
    }
  }
  return
}

// CHECK-LABEL: func.func @shift_inwards(
// CHECK:         scf.for
// CHECK-NOT:       scf.if
// CHECK:           vector.load %{{.*}} : memref<30xf32>, vector<8xf32>
// CHECK-NOT:       mask
// CHECK:           vector.store %{{.*}} : memref<30xf32>, vector<8xf32>
// CHECK-NOT:     memref.load
func.func @shift_inwards(%A: memref<30xf32>, %B: memref<30xf32>) {
  loop.for serial %i in 30 {
    loop.block "S" [%v: spatial 30] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %A[%v] : memref<30xf32>
      memref.store %a, %B[%v] : memref<30xf32>
    }
  }
  return
}

// CHECK-LABEL: func.func @guard(
// CHECK:         mask
func.func @guard(%A: memref<30xf32>, %B: memref<30xf32>) {
  loop.for serial %i in 30 {
    loop.block "G" [%v: spatial 30] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %A[%v] : memref<30xf32>
      memref.store %a, %B[%v] : memref<30xf32>
    }
  }
  return
}

// The first lane of the loop is always on, so a reduction needs no branch: masks of later vectors may be empty.
// CHECK-LABEL: func.func @later_lanes
// CHECK:         scf.for
// CHECK-NOT:       scf.if
// CHECK:           vector.create_mask
// CHECK:           memref.load %{{.+}}[%{{.+}}]
// CHECK:           vector.maskedstore
// CHECK:           vector.create_mask
// CHECK:           vector.maskedstore
// CHECK:         return
func.func @later_lanes(%A: memref<?xf32>, %B: memref<?xf32>, %m: index, %n: index) {
  loop.for serial %t in affine_map<()[s0] -> (s0 ceildiv 32)>()[%n] {
    loop.for serial %i in %m {
      loop.for vectorize %l in 32 {
        loop.block "B" [%vi: reduce %m, %vj: spatial %n] = (%i, %t * 32 + %l) where(-%t * 32 - %l + symbol(%n) - 1 >= 0)
            reads(%A[%vi : 1], %B[%vj : 1]) writes(%B[%vj : 1]) reducer(add, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %B[%vj] : memref<?xf32>
          }
          %x = memref.load %A[%vi] : memref<?xf32>
          %y = memref.load %B[%vj] : memref<?xf32>
          %z = arith.addf %y, %x : f32
          memref.store %z, %B[%vj] : memref<?xf32>
        }
      }
    }
  }
  return
}

// What all lanes load depends on the lane's vector: an empty vector must not load it.
// CHECK-LABEL: func.func @loads_by_vector
// CHECK:         scf.for
// CHECK:           scf.if
// CHECK:             memref.load
// CHECK:           scf.if
// CHECK:             memref.load
// CHECK:         return
func.func @loads_by_vector(%A: memref<?xf32>, %B: memref<?xf32>, %m: index, %n: index) {
  loop.for serial %t in affine_map<()[s0] -> (s0 ceildiv 32)>()[%n] {
    loop.for serial %i in %m {
      loop.for vectorize %l in 32 {
        loop.block "B" [%vi: reduce %m, %vj: spatial %n] = (%i, %t * 32 + %l) where(-%t * 32 - %l + symbol(%n) - 1 >= 0)
            reads(%A[%vj floordiv 16 : 1], %B[%vj : 1]) writes(%B[%vj : 1]) reducer(add, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %B[%vj] : memref<?xf32>
          }
          %j = affine.apply affine_map<(d0) -> (d0 floordiv 16)>(%vj)
          %x = memref.load %A[%j] : memref<?xf32>
          %y = memref.load %B[%vj] : memref<?xf32>
          %z = arith.addf %y, %x : f32
          memref.store %z, %B[%vj] : memref<?xf32>
        }
      }
    }
  }
  return
}
