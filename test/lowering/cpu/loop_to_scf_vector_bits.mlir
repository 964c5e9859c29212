// RUN: not lw-opt %s --convert-loop-to-scf=vector-bits=0 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not lw-opt %s --convert-loop-to-scf=vector-bits=-512 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not lw-opt %s --convert-loop-to-scf=vector-bits=500 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: lw-opt %s --convert-loop-to-scf=vector-bits=64 | FileCheck %s

// ZERO: error: 'func.func' op is given vector-bits 0, expected a power of two from 64 to 65536
// NEGATIVE: error: 'func.func' op is given vector-bits -512, expected a power of two from 64 to 65536
// OTHER: error: 'func.func' op is given vector-bits 500, expected a power of two from 64 to 65536

// CHECK-LABEL: @width
// CHECK: vector.load %{{.*}} : memref<4xf32>, vector<2xf32>
func.func @width(%A: memref<4xf32>, %B: memref<4xf32>) {
  loop.for vectorize %i in 4 {
    loop.block "B" [%v: spatial 4] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %0 = memref.load %A[%v] : memref<4xf32>
      memref.store %0, %B[%v] : memref<4xf32>
    }
  }
  return
}
