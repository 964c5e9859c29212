// A remark is printed once, although the model is compiled for each target; and behind an error.
// RUN: lw-compile %s -o remarks.lwb --target sm_80 --target sm_90a 2>&1 | FileCheck %s --check-prefix=ONCE
// RUN: not lw-compile %s -o no/such/remarks.lwb --target sm_80 --target sm_90a 2>&1 | FileCheck %s --check-prefix=FAILED

// ONCE: remarks.mlir:[[#@LINE+10]]:3: remark: this assertion is not checked
// ONCE-NOT: remark:

// FAILED: no/such/remarks.lwb: error
// FAILED-NEXT: remarks.mlir:[[#@LINE+6]]:3: remark: this assertion is not checked
// FAILED-NOT: remark:
func.func @f(%x: tensor<4xf32>, %k: tensor<i64>) -> tensor<4xf32> {
  %zero = arith.constant 0 : i64
  %v = tensor.extract %k[] : tensor<i64>
  %c = arith.cmpi sgt, %v, %zero : i64
  cf.assert %c, "k is positive"
  return %x : tensor<4xf32>
}
