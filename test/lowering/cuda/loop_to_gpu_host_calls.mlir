// The host executes a call that is not inlined. A function that only calls others gets the memory of its buffers.
// RUN: lw-opt %s --convert-loop-to-gpu | FileCheck %s
// RUN: lw-run %s --compile-from loop --entry twice --target sm_80 --device emulator --input iota --output %t.npy
// RUN: lw-run %s --compile-from loop --entry twice --input iota --check %t.npy

// CHECK-LABEL: func.func private @double(
// CHECK:         gpu.launch_func @kernels::@double_0
// CHECK-LABEL: func.func @twice(
// CHECK:         %[[T:.*]] = memref.alloc() {{.*}}memref<8xf32>
// CHECK:         call @double(%arg0, %[[T]]) {no_inline}
// CHECK:         call @double(%[[T]], %arg1) {no_inline}
// CHECK:         gpu.func @double_0
// CHECK-NOT:     gpu.func
func.func private @double(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"}) attributes {no_inline} {
  loop.for thread_bind[threadIdx.x] %i in 8 {
    loop.block "B" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      %y = arith.addf %x, %x : f32
      memref.store %y, %B[%v] : memref<8xf32>
    }
  }
  return
}
func.func @twice(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B", loop.result}) {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  func.call @double(%A, %T) {no_inline} : (memref<8xf32>, memref<8xf32>) -> ()
  func.call @double(%T, %B) {no_inline} : (memref<8xf32>, memref<8xf32>) -> ()
  return
}
