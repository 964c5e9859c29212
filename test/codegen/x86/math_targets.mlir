// Math functions use fused multiply-adds on processors that have them, and multiplications and additions on others.
// RUN: lw-opt %s --lw-x86-pipeline='from=vector' | FileCheck %s --check-prefix=FUSED
// RUN: lw-opt %s --lw-x86-pipeline='from=vector fma=false' | FileCheck %s --implicit-check-not=fma
// RUN: lw-run %s --compile-from vector --compile-to llvm --cpu haswell | FileCheck %s --check-prefix=FUSED
// RUN: lw-run %s --compile-from vector --compile-to llvm --cpu sandybridge | FileCheck %s --implicit-check-not=fma

// The kernel calls no other function; it is called by its entry point.
// RUN: lw-run %s --compile-from vector --compile-to assembly --cpu x86-64 | FileCheck %s --check-prefix=ASSEMBLY --implicit-check-not=call

// FUSED:    llvm.intr.fma(%{{.*}}) : (vector<8xf32>, vector<8xf32>, vector<8xf32>) -> vector<8xf32>
// CHECK:    llvm.fmul %{{.*}} : vector<8xf32>
// CHECK:    llvm.fadd %{{.*}} : vector<8xf32>
// ASSEMBLY: callq{{[[:space:]]+}}main_kernel
func.func @main(%A: memref<64xf32>, %B: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c8 {
    %x = vector.load %A[%i] : memref<64xf32>, vector<8xf32>
    %y = math.tanh %x : vector<8xf32>
    vector.store %y, %B[%i] : memref<64xf32>, vector<8xf32>
  }
  return
}
