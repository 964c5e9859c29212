// RUN: lw-opt %s --sched-loop-partition='loop=P:i factors=3,-1' --sched-specialize='target=R:i condition="arg0 == 8"' | FileCheck %s

// Each virtual thread has its own "T" in both loops.
// CHECK-LABEL: func.func @own
// CHECK-DAG:     %[[T:.*]] = loop.buffer "T" scope(local) : memref<1xf32>
// CHECK-DAG:     %[[T1:.*]] = loop.buffer "T_1" scope(local) : memref<1xf32>
// CHECK:         loop.for serial %i.0 in 3
// CHECK:           loop.block "P"
// CHECK:             memref.store %{{.*}}, %[[T]]
// CHECK:           loop.block "Q"
// CHECK:             memref.load %[[T]]
// CHECK:         loop.for serial %i.1 in 5
// CHECK:           loop.block "P.1"
// CHECK-SAME:          (%i.1 + 3, %j)
// CHECK-NEXT:          writes(%[[T1]][0 : 1])
// CHECK:             memref.store %{{.*}}, %[[T1]]
// CHECK:           loop.block "Q.1"
// CHECK:             memref.load %[[T1]]

func.func @own(%A: memref<8x4xf32>, %B: memref<8x4xf32>) {
  %T = loop.buffer "T" scope(local) : memref<1xf32>
  loop.for serial %i in 8 {
    loop.for thread_bind[vthread] %j in 4 {
      loop.block "P" [%v: spatial 8, %w: spatial 4] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%T[0 : 1]) {
        %x = memref.load %A[%v, %w] : memref<8x4xf32>
        %c0 = arith.constant 0 : index
        memref.store %x, %T[%c0] : memref<1xf32>
      }
      loop.block "Q" [%v: spatial 8, %w: spatial 4] = (%i, %j) reads(%T[0 : 1]) writes(%B[%v : 1, %w : 1]) {
        %c0 = arith.constant 0 : index
        %x = memref.load %T[%c0] : memref<1xf32>
        memref.store %x, %B[%v, %w] : memref<8x4xf32>
      }
    }
  }
  return
}

// CHECK-LABEL: func.func @branches
// CHECK-DAG:     %[[T:.*]] = loop.buffer "T" scope(local) : memref<1xf32>
// CHECK-DAG:     %[[T1:.*]] = loop.buffer "T_1" scope(local) : memref<1xf32>
// CHECK:         loop.if
// CHECK:           loop.block "S"
// CHECK:             memref.load %[[T]]
// CHECK:         else
// CHECK:           loop.block "S.else"
// CHECK:             memref.load %[[T1]]
func.func @branches(%n: index, %A: memref<?x4xf32>, %B: memref<?x4xf32>) {
  %T = loop.buffer "T" scope(local) : memref<1xf32>
  loop.for serial %i in %n {
    loop.for thread_bind[vthread] %j in 4 {
      loop.block "R" [%v: spatial %n, %w: spatial 4] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%T[0 : 1]) {
        %x = memref.load %A[%v, %w] : memref<?x4xf32>
        %c0 = arith.constant 0 : index
        memref.store %x, %T[%c0] : memref<1xf32>
      }
      loop.block "S" [%v: spatial %n, %w: spatial 4] = (%i, %j) reads(%T[0 : 1]) writes(%B[%v : 1, %w : 1]) {
        %c0 = arith.constant 0 : index
        %x = memref.load %T[%c0] : memref<1xf32>
        memref.store %x, %B[%v, %w] : memref<?x4xf32>
      }
    }
  }
  return
}
