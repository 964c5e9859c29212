// RUN: lw-opt %s --sched-reverse-compute-at='block=C.else loop=P:i' | FileCheck %s

// In the branch "else", the block runs where the condition does not hold.
// CHECK-LABEL: func.func @from_else
// CHECK:         loop.block "P"
// CHECK:         loop.block "C.else" [%v: spatial %arg0] = (%i)
// CHECK-NEXT:        where(symbol(%arg0) - 8 >= 0)
// CHECK:         loop.if (-symbol(%arg0) + 7 >= 0)
// CHECK:           loop.block "C"
func.func @from_else(%n: index, %A: memref<?xf32>, %B: memref<?xf32>) {
  %T = loop.buffer "T" scope(global) (%n) : memref<?xf32>
  loop.for serial %i in %n {
    loop.block "P" [%v: spatial %n] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<?xf32>
      memref.store %a, %T[%v] : memref<?xf32>
    }
  }
  loop.if (-symbol(%n) + 7 >= 0) {
    loop.for serial %i in %n {
      loop.block "C" [%v: spatial %n] = (%i) reads(%T[%v : 1]) writes(%B[%v : 1]) {
        %t = memref.load %T[%v] : memref<?xf32>
        memref.store %t, %B[%v] : memref<?xf32>
      }
    }
  } else {
    loop.for serial %i in %n {
      loop.block "C.else" [%v: spatial %n] = (%i) reads(%T[%v : 1]) writes(%B[%v : 1]) {
        %t = memref.load %T[%v] : memref<?xf32>
        memref.store %t, %B[%v] : memref<?xf32>
      }
    }
  }
  return
}
