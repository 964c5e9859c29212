// Threads pass on values through the function's buffer: no load or store may be moved across a barrier or removed. LLVM
// would do so for a buffer that is declared as not modified by others.
// RUN: lw-run %s --compile-to gpu | FileCheck %s --check-prefix=GPU
// RUN: lw-run %s --compile-to ptx | grep -v '\.loc' | FileCheck %s

// GPU: gpu.func @main_0(%arg0: memref<33xf32>, %arg1: memref<33xf32> {llvm.noalias, llvm.readonly})

// CHECK:      .visible .entry main_0(
// CHECK:        st.global.b32
// CHECK:        bar.sync 0;
// CHECK-NEXT:   ld.global.b32
// CHECK-NEXT:   bar.sync 0;
// CHECK-NEXT:   st.global.b32
// CHECK-NEXT:   bar.sync 0;
// CHECK-NEXT:   ld.global.b32
// CHECK-NEXT:   bar.sync 0;
// CHECK-NEXT:   st.global.b32
// CHECK-NEXT:   ret;
func.func @main(%A: memref<33xf32> {loop.result}, %B: memref<33xf32>) {
  %x = loop.buffer "x" scope(local) : memref<1xf32>
  loop.for thread_bind[threadIdx.x] %t in 32 {
    loop.block "A" [%v: spatial 32] = (%t) reads(%B[%v : 1]) writes(%A[%v : 1]) {
      %b = memref.load %B[%v] : memref<33xf32>
      memref.store %b, %A[%v] : memref<33xf32>
    }
    loop.sync
    loop.for serial %k in 2 {
      loop.block "x" [%v: spatial 32] = (%t) reads(%A[%v + 1 : 1]) writes(%x[0 : 1]) {
        %c0 = arith.constant 0 : index
        %i = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
        %a = memref.load %A[%i] : memref<33xf32>
        memref.store %a, %x[%c0] : memref<1xf32>
      }
      loop.sync
      loop.block "move" [%v: spatial 32] = (%t) reads(%x[0 : 1]) writes(%A[%v : 1]) {
        %c0 = arith.constant 0 : index
        %a = memref.load %x[%c0] : memref<1xf32>
        memref.store %a, %A[%v] : memref<33xf32>
      }
      loop.sync
    }
  }
  return
}
