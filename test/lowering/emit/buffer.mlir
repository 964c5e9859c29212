// Buffers that are private to the iterations of parallel loops, of a function with several of both.
// RUN: lw-opt %s --convert-loop-to-scf | FileCheck %s

// A loop has only the buffers that it uses, and each loop its own.
// CHECK-LABEL: @by_loop(
// CHECK-NOT:     memref.alloc
// CHECK:         scf.parallel
// CHECK-NEXT:      %[[T:.*]] = memref.alloca() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NOT:       memref.alloca
// CHECK:           memref.store %{{.*}}, %[[T]]
// CHECK:           memref.load %[[T]]
// CHECK:         scf.parallel
// CHECK-NEXT:      %[[OTHER_T:.*]] = memref.alloca() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:      %[[U:.*]] = memref.alloca() {alignment = 64 : i64} : memref<4xf32>
// CHECK:           memref.store %{{.*}}, %[[OTHER_T]]
// CHECK:           memref.load %[[OTHER_T]]
// CHECK:           memref.store %{{.*}}, %[[U]]
// CHECK:           memref.load %[[U]]
// CHECK:         return
func.func @by_loop(%A: memref<4xf32>, %B: memref<4xf32>, %C: memref<4xf32>) {
  %T = loop.buffer "T" scope(local) : memref<4xf32>
  %U = loop.buffer "U" scope(local) : memref<4xf32>
  loop.for parallel %i in 4 {
    loop.block "T" [%v: spatial 4] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %x = memref.load %A[%v] : memref<4xf32>
      memref.store %x, %T[%v] : memref<4xf32>
    }
    loop.block "B" [%v: spatial 4] = (%i) reads(%T[%v : 1]) writes(%B[%v : 1]) {
      %x = memref.load %T[%v] : memref<4xf32>
      memref.store %x, %B[%v] : memref<4xf32>
    }
  }
  loop.for parallel %i in 4 {
    loop.block "T_1" [%v: spatial 4] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %x = memref.load %A[%v] : memref<4xf32>
      memref.store %x, %T[%v] : memref<4xf32>
    }
    loop.block "U" [%v: spatial 4] = (%i) reads(%T[%v : 1]) writes(%U[%v : 1]) {
      %x = memref.load %T[%v] : memref<4xf32>
      memref.store %x, %U[%v] : memref<4xf32>
    }
    loop.block "C" [%v: spatial 4] = (%i) reads(%U[%v : 1]) writes(%C[%v : 1]) {
      %x = memref.load %U[%v] : memref<4xf32>
      memref.store %x, %C[%v] : memref<4xf32>
    }
  }
  return
}

// The threads of a loop that runs serially use the buffer of the function one after the other.
// CHECK-LABEL: @in_parallel_and_in_turn(
// CHECK:         %[[ONE:.*]] = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK:         scf.parallel
// CHECK-NEXT:      %[[OWN:.*]] = memref.alloca() {alignment = 64 : i64} : memref<4xf32>
// CHECK:           memref.store %{{.*}}, %[[OWN]]
// CHECK:           memref.load %[[OWN]]
// CHECK:         scf.for
// CHECK:           memref.store %{{.*}}, %[[ONE]]
// CHECK:           memref.load %[[ONE]]
// CHECK:         return
func.func @in_parallel_and_in_turn(%A: memref<4xf32>, %B: memref<4xf32>, %C: memref<4xf32>) {
  %T = loop.buffer "T" scope(local) : memref<4xf32>
  loop.for parallel %i in 4 {
    loop.block "T" [%v: spatial 4] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %x = memref.load %A[%v] : memref<4xf32>
      memref.store %x, %T[%v] : memref<4xf32>
    }
    loop.block "B" [%v: spatial 4] = (%i) reads(%T[%v : 1]) writes(%B[%v : 1]) {
      %x = memref.load %T[%v] : memref<4xf32>
      memref.store %x, %B[%v] : memref<4xf32>
    }
  }
  loop.for thread_bind[threadIdx.x] %i in 4 {
    loop.block "T_1" [%v: spatial 4] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %x = memref.load %A[%v] : memref<4xf32>
      memref.store %x, %T[%v] : memref<4xf32>
    }
    loop.block "C" [%v: spatial 4] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %x = memref.load %T[%v] : memref<4xf32>
      memref.store %x, %C[%v] : memref<4xf32>
    }
  }
  return
}
