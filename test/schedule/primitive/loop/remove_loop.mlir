// RUN: lw-opt %s --sched-remove-loop='loop=known:t' --sched-remove-loop='loop=guarded:t' --sched-remove-loop='loop=once:t' \
// RUN:   --sched-remove-loop='loop=sum:t' --sched-remove-loop='loop=minimum:t' --mlir-print-local-scope | FileCheck %s

// CHECK-LABEL: func.func @known
// CHECK-NEXT:    loop.for serial %i in 8 {
// CHECK-NEXT:      loop.block "known"
func.func @known(%A: memref<8xf32>, %B: memref<8xf32>) {
  loop.for serial %t in 4 {
    loop.for serial %i in 8 {
      loop.block "known" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
        %a = memref.load %A[%v] : memref<8xf32>
        memref.store %a, %B[%v] : memref<8xf32>
      }
    }
  }
  return
}

// CHECK-LABEL: func.func @guarded
// CHECK-NEXT:    loop.if (symbol(%arg2) - 1 >= 0) {
// CHECK-NEXT:      loop.for serial %i in 8 {
// CHECK-NEXT:        loop.block "guarded"
func.func @guarded(%A: memref<8xf32>, %B: memref<8xf32>, %n: index) {
  loop.for serial %t in %n {
    loop.for serial %i in 8 {
      loop.block "guarded" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
        %a = memref.load %A[%v] : memref<8xf32>
        memref.store %a, %B[%v] : memref<8xf32>
      }
    }
  }
  return
}

// A single iteration may do anything.
// CHECK-LABEL: func.func @once
// CHECK-NEXT:    loop.for serial %i in 8 {
// CHECK-NEXT:      loop.block "once"
func.func @once(%A: memref<8xf32>) {
  loop.for unroll %t in 1 {
    loop.for serial %i in 8 {
      loop.block "once" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%A[%v : 1]) {
        %a = memref.load %A[%v] : memref<8xf32>
        %b = arith.addf %a, %a : f32
        memref.store %b, %A[%v] : memref<8xf32>
      }
    }
  }
  return
}

// A sum that restarts, and a reader of it.
// CHECK-LABEL: func.func @sum
// CHECK:         loop.if (symbol(%arg2) - 1 >= 0) {
// CHECK-NEXT:      loop.for serial %i in 8 {
// CHECK-NEXT:        loop.for serial %k in 4 {
// CHECK-NEXT:          loop.block "sum"
// CHECK:             loop.block "use"
func.func @sum(%A: memref<8x4xf32>, %B: memref<8xf32>, %n: index) {
  %S = loop.buffer "S" scope(global) : memref<8xf32>
  loop.for serial %t in %n {
    loop.for serial %i in 8 {
      loop.for serial %k in 4 {
        loop.block "sum" [%v: spatial 8, %w: reduce 4] = (%i, %k) reads(%A[%v : 1, %w : 1]) writes(%S[%v : 1]) reducer(add, 0.0) {
          loop.init {
            %z = arith.constant 0.0 : f32
            memref.store %z, %S[%v] : memref<8xf32>
          }
          %a = memref.load %A[%v, %w] : memref<8x4xf32>
          %s = memref.load %S[%v] : memref<8xf32>
          %r = arith.addf %s, %a : f32
          memref.store %r, %S[%v] : memref<8xf32>
        }
      }
    }
  }
  loop.for serial %i in 8 {
    loop.block "use" [%v: spatial 8] = (%i) reads(%S[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %S[%v] : memref<8xf32>
      memref.store %a, %B[%v] : memref<8xf32>
    }
  }
  return
}

// CHECK-LABEL: func.func @minimum
// CHECK-NEXT:    loop.if (symbol(%arg1) - 1 >= 0, 2 >= 0) {
func.func @minimum(%A: memref<8xf32>, %n: index) {
  loop.for serial %t in min affine_map<()[s0] -> (s0, 3)>()[%n] {
    loop.for serial %i in 8 {
      loop.block "minimum" [%v: spatial 8] = (%i) writes(%A[%v : 1]) {
        %a = arith.constant 1.0 : f32
        memref.store %a, %A[%v] : memref<8xf32>
      }
    }
  }
  return
}
