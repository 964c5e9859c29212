// RUN: lw-opt %s --schedule-by-strategy=chip=sm_80 | FileCheck %s

// The whole size is one vector: one thread handles it, and no thread loop is in the loop of the vector's lanes.
// CHECK-LABEL: @one_vector
// CHECK:      loop.for thread_bind[threadIdx.x] %{{.*}} in 1
// CHECK-NEXT:   loop.for vectorize %i in 4
// CHECK-NEXT:     loop.block "B"
func.func @one_vector(%A: memref<4xf32>, %B: memref<4xf32> {loop.result}) {
  loop.for serial %i in 4 {
    loop.block "B" [%v: spatial 4] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %A[%v] : memref<4xf32>
      memref.store %a, %B[%v] : memref<4xf32>
    }
  }
  return
}

// CHECK-LABEL: @one_element
// CHECK:      loop.for thread_bind[threadIdx.x] %{{.*}} in 1
// CHECK-NEXT:   loop.block "B"
func.func @one_element(%A: memref<f32>, %B: memref<f32> {loop.result}) {
  loop.block "B" [] = () reads(%A[]) writes(%B[]) {
    %a = memref.load %A[] : memref<f32>
    memref.store %a, %B[] : memref<f32>
  }
  return
}
