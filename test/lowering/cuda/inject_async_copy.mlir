// Copies of blocks with the annotation `async_copy`, and waits before the next barriers.
// RUN: lw-opt %s --convert-loop-to-gpu --canonicalize --inject-async-copy | FileCheck %s

// CHECK-LABEL: gpu.func @main_0(
// CHECK-SAME:    workgroup(%[[S:.+]] : memref<512xf32, #gpu.address_space<workgroup>>
// CHECK:         nvgpu.device_async_copy %arg0[%{{.*}}], %[[S]][%{{.*}}], 4 {bypassL1} : memref<1024xf32> to memref<512xf32
// CHECK-NOT:     vector.load
// CHECK-NOT:     vector.store
// CHECK:         %[[G:.+]] = nvgpu.device_async_create_group
// CHECK-NEXT:    nvgpu.device_async_wait %[[G]] {numGroups = 0 : i32}
// CHECK-NEXT:    gpu.barrier
// CHECK:         vector.load %[[S]]
// No copies are in flight at this barrier.
// CHECK-NOT:     nvgpu
// CHECK:         gpu.barrier
func.func @main(%A: memref<1024xf32> {loop.name = "A"}, %B: memref<1024xf32> {loop.name = "B", loop.result}) {
  %S = loop.buffer "S" scope(shared) : memref<512xf32>
  loop.for thread_bind[blockIdx.x] %b in 2 {
    loop.for thread_bind[threadIdx.x] %t in 128 {
      loop.for vectorize %l in 4 {
        loop.block "copy" [%vb: spatial 2, %v: spatial 512] = (%b, %t * 4 + %l)
            reads(%A[%vb * 512 + %v : 1]) writes(%S[%v : 1]) attributes {loop.annotations = {async_copy = true}} {
          %i = affine.apply affine_map<(d0, d1) -> (d0 * 512 + d1)>(%vb, %v)
          %a = memref.load %A[%i] : memref<1024xf32>
          memref.store %a, %S[%v] : memref<512xf32>
        }
      }
    }
    loop.sync
    loop.for thread_bind[threadIdx.x] %t in 128 {
      loop.for vectorize %l in 4 {
        loop.block "B" [%vb: spatial 2, %v: spatial 512] = (%b, %t * 4 + %l)
            reads(%S[%v : 1]) writes(%B[%vb * 512 + %v : 1]) {
          %s = memref.load %S[%v] : memref<512xf32>
          %i = affine.apply affine_map<(d0, d1) -> (d0 * 512 + d1)>(%vb, %v)
          memref.store %s, %B[%i] : memref<1024xf32>
        }
      }
    }
    loop.sync
    loop.for thread_bind[threadIdx.x] %t in 128 {
      loop.block "again" [%vb: spatial 2, %v: spatial 128] = (%b, %t)
          reads(%S[%v : 1]) writes(%B[%vb * 512 + %v : 1]) {
        %s = memref.load %S[%v] : memref<512xf32>
        %i = affine.apply affine_map<(d0, d1) -> (d0 * 512 + d1)>(%vb, %v)
        memref.store %s, %B[%i] : memref<1024xf32>
      }
    }
  }
  return
}
