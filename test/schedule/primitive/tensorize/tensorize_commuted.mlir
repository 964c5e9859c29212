// Operands of commutative ops match in either order, also where both are loads: the indices decide which is which.
// RUN: lw-opt %s --sched-tensorize='target=C:i intrinsic=x86.fma_f32x16' | FileCheck %s
// RUN: not lw-opt %s --sched-tensorize='target=D:i intrinsic=x86.fma_f32x16' 2>&1 | FileCheck %s --check-prefix=OTHER
// CHECK: loop.block "C_o"
// CHECK-NEXT: attributes {loop.annotations = {intrinsic = "x86.fma_f32x16"}}
// OTHER: error: {{.*}}"D:i" is not x86.fma_f32x16: it computes 'arith.subf', expected 'arith.addf' (C4)
func.func @main(%A: memref<4xf32>, %B: memref<4x16xf32>, %C: memref<16xf32>, %D: memref<16xf32>) attributes {loop.fp = "fast"} {
  loop.for serial %k in 4 {
    loop.for serial %i in 16 {
      loop.block "C" [%v: spatial 16, %vk: reduce 4] = (%i, %k) reads(%A[%vk : 1], %B[%vk : 1, %v : 1], %C[%v : 1]) writes(%C[%v : 1]) reducer(add, 0.0) {
        %a = memref.load %A[%vk] : memref<4xf32>
        %b = memref.load %B[%vk, %v] : memref<4x16xf32>
        %p = arith.mulf %b, %a : f32
        %c = memref.load %C[%v] : memref<16xf32>
        %d = arith.addf %c, %p : f32
        memref.store %d, %C[%v] : memref<16xf32>
      }
    }
  }
  loop.for serial %i in 16 {
    loop.block "D" [%v: spatial 16] = (%i) reads(%A[0 : 1], %B[0 : 1, %v : 1], %D[%v : 1]) writes(%D[%v : 1]) {
      %c0 = arith.constant 0 : index
      %a = memref.load %A[%c0] : memref<4xf32>
      %b = memref.load %B[%c0, %v] : memref<4x16xf32>
      %p = arith.mulf %a, %b : f32
      %c = memref.load %D[%v] : memref<16xf32>
      %d = arith.subf %c, %p : f32
      memref.store %d, %D[%v] : memref<16xf32>
    }
  }
  return
}
