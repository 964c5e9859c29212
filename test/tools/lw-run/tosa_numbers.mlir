// An index before the first element is rounded down; a rescale may round in any way; what is real for all inputs is 0 even
// for NaNs.
// RUN: lw-run %s --entry expected_numbers --output %t.resize.npy --output %t.rescale.npy --output %t.imaginary.npy
// RUN: lw-run %s --entry numbers --target x86 --check %t.resize.npy --check %t.rescale.npy --check %t.imaginary.npy --rtol 0 --atol 0 | FileCheck %s --check-prefix=NUMBERS
// NUMBERS-COUNT-3: max error 0{{.*}}passed
func.func @numbers() -> (tensor<1x1x7x1xi32>, tensor<1xi32>, tensor<1x2x3xf32>) {
  %x = "tosa.const"() {values = dense<[[[[10], [20]]]]> : tensor<1x1x2x1xi8>} : () -> tensor<1x1x2x1xi8>
  %scale = tosa.const_shape {values = dense<[1, 1, 4, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %offset = tosa.const_shape {values = dense<[0, -1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %border = tosa.const_shape {values = dense<[0, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %resize = tosa.resize %x, %scale, %offset, %border {mode = BILINEAR} : (tensor<1x1x2x1xi8>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x1x7x1xi32>

  %y = "tosa.const"() {values = dense<100> : tensor<1xi16>} : () -> tensor<1xi16>
  %multiplier = "tosa.const"() {values = dense<16384> : tensor<1xi16>} : () -> tensor<1xi16>
  %shift = "tosa.const"() {values = dense<15> : tensor<1xi8>} : () -> tensor<1xi8>
  %from = "tosa.const"() {values = dense<0> : tensor<1xi16>} : () -> tensor<1xi16>
  %to = "tosa.const"() {values = dense<0> : tensor<1xi32>} : () -> tensor<1xi32>
  %rescale = tosa.rescale %y, %multiplier, %shift, %from, %to {input_unsigned = false, output_unsigned = false, per_channel = true, rounding_mode = INEXACT_ROUND, scale32 = false} : (tensor<1xi16>, tensor<1xi16>, tensor<1xi8>, tensor<1xi16>, tensor<1xi32>) -> tensor<1xi32>

  %nan = "tosa.const"() {values = dense<0x7FC00000> : tensor<1x2x4xf32>} : () -> tensor<1x2x4xf32>
  %real, %imaginary = tosa.rfft2d %nan : (tensor<1x2x4xf32>) -> (tensor<1x2x3xf32>, tensor<1x2x3xf32>)
  return %resize, %rescale, %imaginary : tensor<1x1x7x1xi32>, tensor<1xi32>, tensor<1x2x3xf32>
}
func.func @expected_numbers() -> (tensor<1x1x7x1xi32>, tensor<1xi32>, tensor<1x2x3xf32>) {
  %0 = arith.constant dense<[[[[40], [40], [50], [60], [70], [80], [80]]]]> : tensor<1x1x7x1xi32>
  %1 = arith.constant dense<50> : tensor<1xi32>
  %2 = arith.constant dense<[[[0.0, 0x7FC00000, 0.0], [0.0, 0x7FC00000, 0.0]]]> : tensor<1x2x3xf32>
  return %0, %1, %2 : tensor<1x1x7x1xi32>, tensor<1xi32>, tensor<1x2x3xf32>
}
