// RUN: lw-opt %s --eliminate-common-global-memory-read | FileCheck %s

// Nests that do not become kernels: (C1) threads in lanes, which read separately; (C6) a call between reads may write.
// CHECK-LABEL: func.func @c1_lanes(
// CHECK-NOT:     temp_buffer
// CHECK-LABEL: func.func @c6_call(
// CHECK-NOT:     temp_buffer
func.func private @other(memref<64xf32>)
func.func @c1_lanes(%g: memref<64xf32>, %Y: memref<64xf32> {loop.result}, %Z: memref<64xf32> {loop.result}) {
  loop.for vectorize %l in 4 {
    loop.for thread_bind[threadIdx.x] %t in 16 {
      loop.block "Y" [%v: spatial 64] = (%t * 4 + %l) reads(%g[%v : 1]) writes(%Y[%v : 1]) {
        %a = memref.load %g[%v] : memref<64xf32>
        memref.store %a, %Y[%v] : memref<64xf32>
      }
      loop.block "Z" [%v: spatial 64] = (%t * 4 + %l) reads(%g[%v : 1]) writes(%Z[%v : 1]) {
        %a = memref.load %g[%v] : memref<64xf32>
        memref.store %a, %Z[%v] : memref<64xf32>
      }
    }
  }
  return
}
func.func @c6_call(%g: memref<64xf32>, %Y: memref<64xf32> {loop.result}, %Z: memref<64xf32> {loop.result}) {
  loop.for thread_bind[threadIdx.x] %t in 64 {
    loop.block "Y" [%v: spatial 64] = (%t) reads(%g[%v : 1]) writes(%Y[%v : 1]) {
      %a = memref.load %g[%v] : memref<64xf32>
      memref.store %a, %Y[%v] : memref<64xf32>
    }
    loop.block "X" [%v: spatial 64] = (%t) reads(%g[*]) writes(%g[*]) {
      func.call @other(%g) : (memref<64xf32>) -> ()
    }
    loop.block "Z" [%v: spatial 64] = (%t) reads(%g[%v : 1]) writes(%Z[%v : 1]) {
      %a = memref.load %g[%v] : memref<64xf32>
      memref.store %a, %Z[%v] : memref<64xf32>
    }
  }
  return
}
