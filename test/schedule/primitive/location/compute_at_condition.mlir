// A block that moves to other loops keeps the conditions under which it runs, over its iters.
// RUN: lw-opt %s --split-input-file --sched-verify --transform-interpreter | FileCheck %s

// The partial results of a sum over 49 values, in tiles of 16: the predicate of the tail stays, and nothing is assumed.
// CHECK-LABEL: func.func @rfactor_tail
// CHECK:      loop.for serial %i in 4 {
// CHECK-NEXT:   loop.for serial %rf_k.1 in 16 {
// CHECK-NEXT:     loop.for serial %k.0 in 4 {
// CHECK-NEXT:       loop.block "rf_B" [%v: spatial 4, %vk.0: reduce 4, %vk.1: spatial 16] = (%i, %k.0, %rf_k.1)
// CHECK-NEXT:           where(-%rf_k.1 - %k.0 * 16 + 48 >= 0)
module attributes {transform.with_named_sequence} {
  func.func @rfactor_tail(%A: memref<4x64xi32>, %B: memref<4xi32> {loop.result}) {
    loop.for serial %i in 4 {
      loop.for serial %k in 49 {
        loop.block "B" [%v: spatial 4, %vk: reduce 49] = (%i, %k)
            reads(%A[%v : 1, %vk : 1]) writes(%B[%v : 1]) reducer(add, 0) {
          loop.init {
            %z = arith.constant 0 : i32
            memref.store %z, %B[%v] : memref<4xi32>
          }
          %a = memref.load %A[%v, %vk] : memref<4x64xi32>
          %b = memref.load %B[%v] : memref<4xi32>
          %c = arith.addi %b, %a : i32
          memref.store %c, %B[%v] : memref<4xi32>
        }
      }
    }
    return
  }
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    transform.sched.split "B:k" in %f factors [-1, 16]
    transform.sched.rfactor "B:k.1" in %f
    transform.sched.compute_at "rf_B" in %f loop "B:i"
    transform.yield
  }
}

// -----

// The condition of a `loop.if` on loops that are fused in the reader; one on an outer loop stays as it is.
// CHECK-LABEL: func.func @branch
// CHECK:      loop.for serial %o in 3 {
// CHECK-NEXT:   loop.for serial %f in 8 {
// CHECK-NEXT:     loop.block "P" [%v: spatial 8] = (%f)
// CHECK-NEXT:         where(%f + %o - 2 >= 0)
// CHECK:          loop.block "R"
module attributes {transform.with_named_sequence} {
  func.func @branch(%A: memref<8xi32>, %B: memref<3x8xi32>) {
    %T = loop.buffer "T" scope(global) : memref<8xi32>
    loop.for serial %z in 8 {
      loop.block "Z" [%v: spatial 8] = (%z) writes(%B[0 : 3, %v : 1]) {
        %zero = arith.constant 0 : i32
        %0 = arith.constant 0 : index
        memref.store %zero, %B[%0, %v] : memref<3x8xi32>
      }
    }
    loop.for serial %o in 3 {
      loop.for serial %i in 8 {
        loop.if (%i + %o - 2 >= 0) {
          loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
            %a = memref.load %A[%v] : memref<8xi32>
            memref.store %a, %T[%v] : memref<8xi32>
          }
        }
      }
      loop.for serial %f in 8 {
        loop.block "R" [%u: spatial 3, %v: spatial 8] = (%o, %f) where(%f + %o - 2 >= 0)
            reads(%T[%v : 1]) writes(%B[%u : 1, %v : 1]) {
          %t = memref.load %T[%v] : memref<8xi32>
          memref.store %t, %B[%u, %v] : memref<3x8xi32>
        }
      }
    }
    return
  }
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    transform.sched.compute_at "P" in %f loop "R:f"
    transform.yield
  }
}

// -----

// The consumer keeps its predicate, which is on a split loop.
// CHECK-LABEL: func.func @consumer
// CHECK:      loop.for serial %i in 12 {
// CHECK-NEXT:   loop.block "P"
// CHECK:        loop.block "R" [%v: spatial 12] = (%i)
// CHECK-NEXT:       where(-%i + 9 >= 0)
module attributes {transform.with_named_sequence} {
  func.func @consumer(%A: memref<12xi32>, %B: memref<12xi32>) {
    %T = loop.buffer "T" scope(global) : memref<12xi32>
    loop.for serial %i in 12 {
      loop.block "P" [%v: spatial 12] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
        %a = memref.load %A[%v] : memref<12xi32>
        memref.store %a, %T[%v] : memref<12xi32>
      }
    }
    loop.for serial %i.0 in 3 {
      loop.for serial %i.1 in 4 {
        loop.block "R" [%v: spatial 12] = (%i.0 * 4 + %i.1) where(9 - %i.0 * 4 - %i.1 >= 0)
            reads(%T[%v : 1]) writes(%B[%v : 1]) {
          %t = memref.load %T[%v] : memref<12xi32>
          memref.store %t, %B[%v] : memref<12xi32>
        }
      }
    }
    return
  }
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    transform.sched.reverse_compute_at "R" in %f loop "P:i"
    transform.yield
  }
}
