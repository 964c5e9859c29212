// TOSA ops whose lowering or folding upstream gives other values are converted before it.
// RUN: lw-run %s --entry input --target x86 --output %t.x.npy --output %t.flags.npy
// RUN: lw-run %s --entry zero --target x86 --input %t.x.npy --output %t.x86.npy
// RUN: lw-run %s --entry zero --target sm_80 --device emulator --input %t.x.npy --check %t.x86.npy
// RUN: lw-run %s --entry zero --input %t.x.npy --check %t.x86.npy
// RUN: lw-run %s --entry expected_zero --target x86 --output %t.zero.npy
// RUN: lw-run %s --entry zero --target x86 --input %t.x.npy --check %t.zero.npy --rtol 0 --atol 0 | FileCheck %s
// RUN: lw-run %s --entry expected_any --target x86 --output %t.any.npy
// RUN: lw-run %s --entry any --target x86 --input %t.flags.npy --check %t.any.npy | FileCheck %s
// RUN: lw-run %s --entry any --target sm_80 --device emulator --input %t.flags.npy --check %t.any.npy | FileCheck %s
// RUN: not lw-run %s --entry all --input %t.flags.npy --check %t.any.npy 2>&1 | FileCheck %s --check-prefix=ALL
// CHECK: max error 0{{.*}}passed

// NaN and an infinity times 0 are NaN.
func.func @input() -> (tensor<2x2xf32>, tensor<3x2xi1>) {
  %x = arith.constant dense<[[0x7FC00000, 0x7F800000], [-1.0, 2.0]]> : tensor<2x2xf32>
  %flags = arith.constant dense<[[false, false], [false, true], [true, true]]> : tensor<3x2xi1>
  return %x, %flags : tensor<2x2xf32>, tensor<3x2xi1>
}
func.func @zero(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = "tosa.const"() {values = dense<0.0> : tensor<1x1xf32>} : () -> tensor<1x1xf32>
  %shift = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %y = tosa.mul %x, %0, %shift : (tensor<2x2xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}
func.func @expected_zero() -> tensor<2x2xf32> {
  %y = arith.constant dense<[[0x7FC00000, 0x7FC00000], [-0.0, 0.0]]> : tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}

// The maximum of booleans is true if one of them is, the minimum if all are.
func.func @any(%x: tensor<3x2xi1>) -> tensor<3x1xi1> {
  %y = tosa.reduce_max %x {axis = 1 : i32} : (tensor<3x2xi1>) -> tensor<3x1xi1>
  return %y : tensor<3x1xi1>
}
func.func @expected_any() -> tensor<3x1xi1> {
  %y = arith.constant dense<[[false], [true], [true]]> : tensor<3x1xi1>
  return %y : tensor<3x1xi1>
}
// ALL: max error 1 {{.*}}FAILED, worst at [1, 0]
func.func @all(%x: tensor<3x2xi1>) -> tensor<3x1xi1> {
  %y = tosa.reduce_min %x {axis = 1 : i32} : (tensor<3x2xi1>) -> tensor<3x1xi1>
  return %y : tensor<3x1xi1>
}
