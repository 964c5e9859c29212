// RUN: lw-opt %s --sched-decompose-reduction="block=B loop=B:j0" --sched-decompose-reduction="block=tiled loop=tiled:k.0" \
// RUN:   --sched-decompose-reduction="block=mixed loop=mixed:f" --sched-decompose-reduction="block=first loop=first:i" \
// RUN:   --sched-decompose-reduction="block=kinds loop=kinds:k" --sched-decompose-reduction="block=inside loop=inside:k" \
// RUN:   --sched-decompose-reduction="block=told loop=told:u" | FileCheck %s
// CHECK-DAG: #[[LOAD:.+]] = affine_map<(d0) -> (d0 * 2)>

// The sum of the source document's Rfactor example, unchanged.
// CHECK-LABEL: func.func @s0
// CHECK:       loop.for serial %i in 32 {
// CHECK-NEXT:    loop.block "B__reduce_init" [%i0: spatial 32] = (%i)
// CHECK-NEXT:        writes(%arg1[%i0 : 1]) {
// CHECK-NEXT:      %[[Z:.+]] = arith.constant 0.0
// CHECK-NEXT:      memref.store %[[Z]], %arg1[%i0] : memref<32xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    loop.for serial %j0 in 2 {
// CHECK-NEXT:      loop.for serial %k0 in 16 {
// CHECK-NEXT:        loop.block "B" [%i0: spatial 32, %i1: reduce 2, %i2: reduce 16] = (%i, %j0, %k0)
// CHECK-NEXT:            reads(%arg1[%i0 : 1], %arg0[%i0 : 1, %i1 : 1, %i2 : 1]) writes(%arg1[%i0 : 1])
// CHECK-NEXT:            reducer(add, 0.0{{.*}}) {
// CHECK-NEXT:          memref.load %arg1[%i0]
func.func @s0(%A: memref<32x2x16xf32>, %B: memref<32xf32>) {
  loop.for serial %i in 32 {
    loop.for serial %j0 in 2 {
      loop.for serial %k0 in 16 {
        loop.block "B" [%i0: spatial 32, %i1: reduce 2, %i2: reduce 16] = (%i, %j0, %k0)
            reads(%A[%i0 : 1, %i1 : 1, %i2 : 1]) writes(%B[%i0 : 1]) reducer(add, 0.0) {
          %zero = arith.constant 0.0 : f32
          loop.init { memref.store %zero, %B[%i0] : memref<32xf32> }
          %b = memref.load %B[%i0] : memref<32xf32>
          %a = memref.load %A[%i0, %i1, %i2] : memref<32x2x16xf32>
          %s = arith.addf %b, %a : f32
          memref.store %s, %B[%i0] : memref<32xf32>
        }
      }
    }
  }
  return
}

// Inner spatial loops are copied, with their conditions; the first instance of a point is in the domain if the
// domain is not empty.
// CHECK-LABEL: func.func @tiles
// CHECK:       loop.for serial %i.0 in 2 axis(tile_outer from "i" pair "i.1") {
// CHECK-NEXT:    loop.for serial %i.1 in 3 axis(tile_inner from "i" pair "i.0") {
// CHECK-NEXT:      loop.block "tiled__reduce_init_1" [%v: spatial 5] = (%i.0 * 3 + %i.1)
// CHECK-NEXT:          where(%i.0 * -3 - %i.1 + 4 >= 0)
// CHECK-NEXT:          reads(%arg2[%v * 2 : 1]) writes(%arg1[%v : 1]) {
// CHECK-NEXT:        %[[AT:.+]] = affine.apply #[[LOAD]](%v)
// CHECK-NEXT:        %[[S:.+]] = memref.load %arg2[%[[AT]]]
// CHECK-NEXT:        memref.store %[[S]], %arg1[%v]
// CHECK:       loop.for serial %k.0 in {{.*}} {
// CHECK-NEXT:    loop.for serial %i.0 in 2
// CHECK-NEXT:      loop.for serial %k.1 in 4
// CHECK-NEXT:        loop.for serial %i.1 in 3
// CHECK-NEXT:          loop.block "tiled" [%v: spatial 5, %vk: reduce %{{.+}}]
// CHECK-NEXT:              where(%i.0 * -3 - %i.1 + 4 >= 0, %k.0 * -4 - %k.1 + %{{.+}} - 1 >= 0)
// CHECK-NOT:             loop.init
func.func @tiles(%A: memref<5x?xi32>, %B: memref<5xi32>, %C: memref<10xi32>) {
  %c1 = arith.constant 1 : index
  %n = memref.dim %A, %c1 : memref<5x?xi32>
  loop.for serial %k.0 in affine_map<()[s0] -> (s0 ceildiv 4)>()[%n] {
    loop.for serial %i.0 in 2 axis(tile_outer from "i" pair "i.1") {
      loop.for serial %k.1 in 4 {
        loop.for serial %i.1 in 3 axis(tile_inner from "i" pair "i.0") {
          loop.block "tiled" [%v: spatial 5, %vk: reduce %n] = (%i.0 * 3 + %i.1, %k.0 * 4 + %k.1)
              where(%i.0 * -3 - %i.1 + 4 >= 0, %k.0 * -4 - %k.1 + %n - 1 >= 0)
              reads(%A[%v : 1, %vk : 1], %C[%v * 2 + %vk : 1]) writes(%B[%v : 1]) reducer(add, 0) {
            loop.init {
              // At the start the reduce iters are 0.
              %at = affine.apply affine_map<(d0, d1) -> (d0 * 2 + d1)>(%v, %vk)
              %c = memref.load %C[%at] : memref<10xi32>
              memref.store %c, %B[%v] : memref<5xi32>
            }
            %b = memref.load %B[%v] : memref<5xi32>
            %a = memref.load %A[%v, %vk] : memref<5x?xi32>
            %s = arith.addi %b, %a : i32
            memref.store %s, %B[%v] : memref<5xi32>
          }
        }
      }
    }
  }
  loop.block "tiled__reduce_init" [] = () {}
  return
}

// A loop to which both kinds of iters are bound starts a point at each of its iterations, which is early enough.
// CHECK-LABEL: func.func @mixed_loop
// CHECK:       loop.for serial %f in 12 {
// CHECK-NEXT:    loop.block "mixed__reduce_init" [%v: spatial 4] = (%f floordiv 3)
// CHECK:       loop.for serial %f in 12 {
// CHECK-NEXT:    loop.block "mixed" [%v: spatial 4, %vk: reduce 3] = (%f floordiv 3, %f mod 3)
func.func @mixed_loop(%A: memref<4x3xi32>, %B: memref<4xi32>) {
  loop.for serial %f in 12 {
    loop.block "mixed" [%v: spatial 4, %vk: reduce 3] = (%f floordiv 3, %f mod 3)
        reads(%A[%v : 1, %vk : 1]) writes(%B[%v : 1]) reducer(add, 0) {
      loop.init {
        %zero = arith.constant 0 : i32
        memref.store %zero, %B[%v] : memref<4xi32>
      }
      %b = memref.load %B[%v] : memref<4xi32>
      %a = memref.load %A[%v, %vk] : memref<4x3xi32>
      %s = arith.addi %b, %a : i32
      memref.store %s, %B[%v] : memref<4xi32>
    }
  }
  return
}

// One block per value.
// CHECK-LABEL: func.func @two_values
// CHECK:       loop.for serial %i in 2 {
// CHECK-NEXT:    loop.block "first__reduce_init" [%v: spatial 2] = (%i)
// CHECK-NEXT:        writes(%arg1[%v : 1]) {
// CHECK:         loop.block "first__reduce_init_1" [%v: spatial 2] = (%i)
// CHECK-NEXT:        writes(%arg2[%v : 1]) {
// CHECK:       loop.for serial %i in 2 {
// CHECK-NEXT:    loop.for serial %k in 5 {
// CHECK-NEXT:      loop.block "first"
func.func @two_values(%A: memref<5x2xf32>, %V: memref<2xf32>, %I: memref<2xi64>) {
  loop.for serial %i in 2 {
    loop.for serial %k in 5 {
      loop.block "first" [%v: spatial 2, %vk: reduce 5] = (%i, %k)
          reads(%A[%vk : 1, %v : 1]) writes(%V[%v : 1], %I[%v : 1]) reducer(argmax, 0xFF800000, 0) {
        loop.init {
          %lowest = arith.constant 0xFF800000 : f32
          %none = arith.constant 0 : i64
          memref.store %lowest, %V[%v] : memref<2xf32>
          memref.store %none, %I[%v] : memref<2xi64>
        }
        %a = memref.load %A[%vk, %v] : memref<5x2xf32>
        %best = memref.load %V[%v] : memref<2xf32>
        %at = memref.load %I[%v] : memref<2xi64>
        %here = arith.index_cast %vk : index to i64
        %more = arith.cmpf ogt, %a, %best : f32
        %max = arith.select %more, %a, %best : f32
        %new = arith.select %more, %here, %at : i64
        memref.store %max, %V[%v] : memref<2xf32>
        memref.store %new, %I[%v] : memref<2xi64>
      }
    }
  }
  return
}

// Copied loops keep their kinds.
// CHECK-LABEL: func.func @kinds
// CHECK:       loop.for parallel %i in 4 {
// CHECK-NEXT:    loop.for vectorize %j in 8 {
// CHECK-NEXT:      loop.block "kinds__reduce_init"
// CHECK:       loop.for serial %k in 5 {
// CHECK-NEXT:    loop.for parallel %i in 4 {
// CHECK-NEXT:      loop.for vectorize %j in 8 {
// CHECK-NEXT:        loop.block "kinds"
func.func @kinds(%A: memref<4x8x5xf32>, %B: memref<4x8xf32>) {
  loop.for serial %k in 5 {
    loop.for parallel %i in 4 {
      loop.for vectorize %j in 8 {
        loop.block "kinds" [%v: spatial 4, %w: spatial 8, %vk: reduce 5] = (%i, %j, %k)
            reads(%A[%v : 1, %w : 1, %vk : 1]) writes(%B[%v : 1, %w : 1]) reducer(add, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %B[%v, %w] : memref<4x8xf32>
          }
          %b = memref.load %B[%v, %w] : memref<4x8xf32>
          %a = memref.load %A[%v, %w, %vk] : memref<4x8x5xf32>
          %s = arith.addf %b, %a : f32
          memref.store %s, %B[%v, %w] : memref<4x8xf32>
        }
      }
    }
  }
  return
}

// In another schedule block.
// CHECK-LABEL: func.func @nested
// CHECK:       loop.block "outer"
// CHECK:         loop.block "inside__reduce_init" [%v: spatial 4] = (%vo)
// CHECK:         loop.for serial %k in 5
func.func @nested(%A: memref<4x5xf32>, %B: memref<4xf32>) {
  loop.for serial %i in 4 {
    loop.block "outer" [%vo: spatial 4] = (%i) reads(%A[%vo : 1, 0 : 5]) writes(%B[%vo : 1]) {
      loop.for serial %k in 5 {
        loop.block "inside" [%v: spatial 4, %vk: reduce 5] = (%vo, %k)
            reads(%A[%v : 1, %vk : 1]) writes(%B[%v : 1]) reducer(add, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %B[%v] : memref<4xf32>
          }
          %b = memref.load %B[%v] : memref<4xf32>
          %a = memref.load %A[%v, %vk] : memref<4x5xf32>
          %s = arith.addf %b, %a : f32
          memref.store %s, %B[%v] : memref<4xf32>
        }
      }
    }
  }
  return
}

// The predicate needs a loop to which no iter is bound; a start may run more than once, so the copy is serial.
// CHECK-LABEL: func.func @predicate_of_another_loop
// CHECK:       loop.for serial %u in 1 {
// CHECK-NEXT:    loop.for serial %i in 4 {
// CHECK-NEXT:      loop.block "told__reduce_init" [%v: spatial 4] = (%i)
// CHECK-NEXT:          where(%u == 0)
// CHECK:       loop.for unroll %u in 1 {
// CHECK-NEXT:    loop.for serial %i in 4 {
// CHECK-NEXT:      loop.for serial %k in 8 {
// CHECK-NEXT:        loop.block "told"
func.func @predicate_of_another_loop(%A: memref<4x8xf32>, %C: memref<4xf32>) {
  loop.for unroll %u in 1 {
    loop.for serial %i in 4 {
      loop.for serial %k in 8 {
        loop.block "told" [%v: spatial 4, %vk: reduce 8] = (%i, %k) where(%u == 0)
            reads(%A[%v : 1, %vk : 1]) writes(%C[%v : 1]) reducer(add, 0.0) {
          %zero = arith.constant 0.0 : f32
          loop.init { memref.store %zero, %C[%v] : memref<4xf32> }
          %c = memref.load %C[%v] : memref<4xf32>
          %a = memref.load %A[%v, %vk] : memref<4x8xf32>
          %s = arith.addf %c, %a : f32
          memref.store %s, %C[%v] : memref<4xf32>
        }
      }
    }
  }
  return
}
