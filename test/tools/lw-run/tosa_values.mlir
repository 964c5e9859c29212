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
// RUN: lw-run %s --entry expected_casts --output %t.casts.npy --output %t.truths.npy --output %t.units.npy
// RUN: lw-run %s --entry casts --input %t.x.npy --input %t.flags.npy --check %t.casts.npy --check %t.truths.npy --check %t.units.npy --rtol 0 --atol 0 | FileCheck %s
// RUN: lw-run %s --entry casts --target x86 --input %t.x.npy --input %t.flags.npy --check %t.casts.npy --check %t.truths.npy --check %t.units.npy --rtol 0 --atol 0 | FileCheck %s
// RUN: lw-run %s --entry signs --target x86 | FileCheck %s --check-prefix=SIGNS
// RUN: lw-run %s --entry least --output %t.least.npy
// RUN: lw-run %s --entry expected_maxima --output %t.pool.npy --output %t.max.npy --output %t.min.npy --output %t.at.npy
// RUN: lw-run %s --entry maxima --input %t.least.npy --check %t.pool.npy --check %t.max.npy --check %t.min.npy --check %t.at.npy --rtol 0 --atol 0 | FileCheck %s
// RUN: lw-run %s --entry maxima --target x86 --input %t.least.npy --check %t.pool.npy --check %t.max.npy --check %t.min.npy --check %t.at.npy --rtol 0 --atol 0 | FileCheck %s
// RUN: lw-run %s --entry maxima --target sm_80 --device emulator --input %t.least.npy --check %t.pool.npy --check %t.max.npy --check %t.min.npy --check %t.at.npy --rtol 0 --atol 0 | FileCheck %s
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

// What is not 0 is true, NaN as well; true is 1.
func.func @casts(%x: tensor<2x2xf32>, %flags: tensor<3x2xi1>) -> (tensor<2x2xi1>, tensor<2xi1>, tensor<3x2xf32>) {
  %0 = tosa.cast %x : (tensor<2x2xf32>) -> tensor<2x2xi1>
  %half = "tosa.const"() {values = dense<0.5> : tensor<2xf32>} : () -> tensor<2xf32>
  %1 = tosa.cast %half : (tensor<2xf32>) -> tensor<2xi1>
  %true = "tosa.const"() {values = dense<true> : tensor<3x2xi1>} : () -> tensor<3x2xi1>
  %2 = tosa.cast %true : (tensor<3x2xi1>) -> tensor<3x2xf32>
  %3 = tosa.cast %flags : (tensor<3x2xi1>) -> tensor<3x2xf32>
  %4 = tosa.sub %2, %3 : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return %0, %1, %4 : tensor<2x2xi1>, tensor<2xi1>, tensor<3x2xf32>
}
func.func @expected_casts() -> (tensor<2x2xi1>, tensor<2xi1>, tensor<3x2xf32>) {
  %0 = arith.constant dense<true> : tensor<2x2xi1>
  %1 = arith.constant dense<true> : tensor<2xi1>
  %2 = arith.constant dense<[[1.0, 1.0], [1.0, 0.0], [0.0, 0.0]]> : tensor<3x2xf32>
  return %0, %1, %2 : tensor<2x2xi1>, tensor<2xi1>, tensor<3x2xf32>
}

// -0 + 0 and -0 - -0 are 0, of which the reciprocal is +infinity.
// SIGNS: [inf, inf]
func.func @signs() -> tensor<2xf32> {
  %x = "tosa.const"() {values = dense<[-0.0, 1.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %zero = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %minus = "tosa.const"() {values = dense<-0.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %least = tosa.reduce_min %x {axis = 0 : i32} : (tensor<2xf32>) -> tensor<1xf32>
  %sum = tosa.add %least, %zero : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  %all = tosa.sub %x, %minus : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %difference = tosa.reduce_min %all {axis = 0 : i32} : (tensor<2xf32>) -> tensor<1xf32>
  %both = tosa.concat %sum, %difference {axis = 0 : i32} : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
  %y = tosa.reciprocal %both : (tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// Windows and rows whose values are all -infinity, and a least finite value behind -infinity.
func.func @least() -> tensor<1x4x4x1xf32> {
  %x = arith.constant dense<[[[[0xFF800000], [0xFF800000], [1.0], [2.0]],
    [[0xFF800000], [0xFF800000], [3.0], [0x7F800000]],
    [[0xFF800000], [0xFF7FFFFF], [0xFF800000], [0xFF800000]],
    [[0x7F800000], [0x7F800000], [0x7F800000], [0x7F800000]]]]> : tensor<1x4x4x1xf32>
  return %x : tensor<1x4x4x1xf32>
}
func.func @maxima(%x: tensor<1x4x4x1xf32>) -> (tensor<1x3x3x1xf32>, tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>, tensor<1x4x1xi32>) {
  %0 = tosa.max_pool2d %x {kernel = array<i64: 2, 2>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 2, 2>} : (tensor<1x4x4x1xf32>) -> tensor<1x3x3x1xf32>
  %1 = tosa.reduce_max %x {axis = 2 : i32} : (tensor<1x4x4x1xf32>) -> tensor<1x4x1x1xf32>
  %2 = tosa.reduce_min %x {axis = 2 : i32} : (tensor<1x4x4x1xf32>) -> tensor<1x4x1x1xf32>
  %3 = tosa.argmax %x {axis = 2 : i32} : (tensor<1x4x4x1xf32>) -> tensor<1x4x1xi32>
  return %0, %1, %2, %3 : tensor<1x3x3x1xf32>, tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>, tensor<1x4x1xi32>
}
func.func @expected_maxima() -> (tensor<1x3x3x1xf32>, tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>, tensor<1x4x1xi32>) {
  %0 = arith.constant dense<[[[[0xFF800000], [1.0], [2.0]], [[0xFF800000], [3.0], [0x7F800000]],
    [[0x7F800000], [0x7F800000], [0x7F800000]]]]> : tensor<1x3x3x1xf32>
  %1 = arith.constant dense<[[[[2.0]], [[0x7F800000]], [[0xFF7FFFFF]], [[0x7F800000]]]]> : tensor<1x4x1x1xf32>
  %2 = arith.constant dense<[[[[0xFF800000]], [[0xFF800000]], [[0xFF800000]], [[0x7F800000]]]]> : tensor<1x4x1x1xf32>
  %3 = arith.constant dense<[[[3], [3], [1], [0]]]> : tensor<1x4x1xi32>
  return %0, %1, %2, %3 : tensor<1x3x3x1xf32>, tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>, tensor<1x4x1xi32>
}
