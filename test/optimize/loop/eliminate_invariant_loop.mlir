// RUN: lw-opt %s --eliminate-invariant-loop --split-input-file | FileCheck %s

// With a static and with a dynamic number of iterations.
// CHECK-LABEL: func.func @element_wise(
// CHECK-NEXT:    loop.for serial %i in 8 {
// CHECK-NEXT:      loop.block "B"
// CHECK:         loop.if (symbol(%{{.*}}) - 1 >= 0, symbol(%{{.*}}) - 3 >= 0) {
// CHECK-NEXT:      loop.for parallel %i in 8 {
// CHECK-NEXT:        loop.block "C"
// CHECK-NOT:     loop.for serial %t
func.func @element_wise(%A: memref<8xf32>, %B: memref<8xf32>, %C: memref<8xf32>, %n: index) {
  loop.for serial %t in 4 {
    loop.for serial %i in 8 {
      loop.for unroll %u in 2 {
        loop.block "B" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
          %a = memref.load %A[%v] : memref<8xf32>
          memref.store %a, %B[%v] : memref<8xf32>
        }
      }
    }
  }
  loop.for serial %t in min affine_map<()[s0] -> (s0, s0 - 2)>()[%n] {
    loop.for parallel %i in 8 {
      loop.block "C" [%v: spatial 8] = (%i) reads(%B[%v : 1]) writes(%C[%v : 1]) {
        %a = memref.load %B[%v] : memref<8xf32>
        memref.store %a, %C[%v] : memref<8xf32>
      }
    }
  }
  return
}

// -----

// A reduction that starts and ends in the body, and a block that reads what a previous block has written.
// CHECK-LABEL: func.func @computed_inside(
// CHECK-NOT:     %t
// CHECK:         loop.for serial %i in 8 {
// CHECK-NEXT:      loop.for serial %k in 4 {
// CHECK:         loop.for serial %i in 8 {
// CHECK-NEXT:      loop.block "T"
// CHECK:           loop.block "C"
func.func @computed_inside(%A: memref<8x4xf32>, %S: memref<8xf32>, %C: memref<8xf32>) {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %t in 3 {
    loop.for serial %i in 8 {
      loop.for serial %k in 4 {
        loop.block "S" [%v: spatial 8, %vk: reduce 4] = (%i, %k)
            reads(%A[%v : 1, %vk : 1]) writes(%S[%v : 1]) reducer(add, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %S[%v] : memref<8xf32>
          }
          %a = memref.load %A[%v, %vk] : memref<8x4xf32>
          %s = memref.load %S[%v] : memref<8xf32>
          %r = arith.addf %s, %a : f32
          memref.store %r, %S[%v] : memref<8xf32>
        }
      }
    }
  }
  loop.for serial %t in 3 {
    loop.for serial %i in 8 {
      loop.block "T" [%v: spatial 8] = (%i) reads(%S[%v : 1]) writes(%T[%v : 1]) {
        %a = memref.load %S[%v] : memref<8xf32>
        memref.store %a, %T[%v] : memref<8xf32>
      }
      loop.block "C" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
        %a = memref.load %T[%v] : memref<8xf32>
        memref.store %a, %C[%v] : memref<8xf32>
      }
    }
  }
  return
}

// -----

// Unchanged: a histogram's loop, a time step, a sum over an enclosing loop, a swap, an annotated loop, a call.
// CHECK-LABEL: func.func @kept(
// CHECK:         loop.for serial %t0 in 3
// CHECK:         loop.for serial %t1 in 3
// CHECK:         loop.for serial %t2 in 3
// CHECK:         loop.for serial %t3 in 3
// CHECK:         loop.for serial %t4 in 3
// CHECK:         loop.for serial %t5 in 3
func.func private @external(memref<8xf32>)
func.func @kept(%A: memref<8xf32>, %B: memref<8xf32>, %S: memref<8xf32>) {
  loop.for serial %t0 in 3 {
    loop.for serial %i in 8 {
      loop.block "H" [%v: spatial 8] = (%i) reads(%A[%v : 1], %B[%v : 1]) writes(%B[%v : 1]) {
        %a = memref.load %A[%v] : memref<8xf32>
        %b = memref.load %B[%v] : memref<8xf32>
        %r = arith.addf %a, %b : f32
        memref.store %r, %B[%v] : memref<8xf32>
      }
    }
  }
  loop.for serial %t1 in 3 {
    loop.for serial %i in 7 {
      loop.block "W" [%v: spatial 7] = (%i) reads(%A[%v + 1 : 1]) writes(%A[%v : 1]) {
        %at = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
        %a = memref.load %A[%at] : memref<8xf32>
        memref.store %a, %A[%v] : memref<8xf32>
      }
    }
  }
  loop.for serial %k in 4 {
    loop.for serial %t2 in 3 {
      loop.for serial %i in 8 {
        loop.block "S" [%v: spatial 8, %vk: reduce 4] = (%i, %k) reads(%A[%v : 1]) writes(%S[%v : 1]) reducer(add, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %S[%v] : memref<8xf32>
          }
          %a = memref.load %A[%v] : memref<8xf32>
          %s = memref.load %S[%v] : memref<8xf32>
          %r = arith.addf %s, %a : f32
          memref.store %r, %S[%v] : memref<8xf32>
        }
      }
    }
  }
  loop.for serial %t3 in 3 {
    loop.for serial %i in 8 {
      loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
        %a = memref.load %A[%v] : memref<8xf32>
        memref.store %a, %B[%v] : memref<8xf32>
      }
      loop.block "Q" [%v: spatial 8] = (%i) reads(%S[%v : 1]) writes(%A[%v : 1]) {
        %a = memref.load %S[%v] : memref<8xf32>
        memref.store %a, %A[%v] : memref<8xf32>
      }
    }
  }
  loop.for serial %t4 in 3 attributes {loop.annotations = {note = 1}} {
    loop.for serial %i in 8 {
      loop.block "N" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
        %a = memref.load %A[%v] : memref<8xf32>
        memref.store %a, %B[%v] : memref<8xf32>
      }
    }
  }
  loop.for serial %t5 in 3 {
    loop.block "X" [] = () reads(%B[*]) writes(%B[*]) {
      func.call @external(%B) : (memref<8xf32>) -> ()
    }
  }
  return
}
