// RUN: lw-run %s --compile-from vector --compile-to llvm-ir | FileCheck %s
// RUN: lw-run %s --compile-from vector --compile-to assembly | FileCheck %s --check-prefix=ASM

// LLVM aborts on a vector of bf16 whose number of lanes is not a power of two, if the processor has bf16 instructions.
// The compiler gives it integers instead.
// CHECK-LABEL: define {{.*}}@copy
// CHECK-NOT:     bfloat
// CHECK:         load <33 x i16>
// ASM-LABEL: copy:
func.func @copy(%x: memref<33xbf16>, %y: memref<33xbf16>) {
  %c0 = arith.constant 0 : index
  %v = vector.load %x[%c0] : memref<33xbf16>, vector<33xbf16>
  vector.store %v, %y[%c0] : memref<33xbf16>, vector<33xbf16>
  return
}
