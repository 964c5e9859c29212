// Convolution in f16, rounded after each step.
func.func @main(%x0: tensor<1x2x3x5xf16>, %x1: tensor<2x2x2x2xf16>) -> tensor<1x2x2x4xf16> {
  %start_value = arith.constant 0.0 : f16
  %start_empty = tensor.empty() : tensor<1x2x2x4xf16>
  %start = linalg.fill ins(%start_value : f16) outs(%start_empty : tensor<1x2x2x4xf16>) -> tensor<1x2x2x4xf16>
  %r = linalg.conv_2d_nchw_fchw {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[1, 1]> : tensor<2xi64>} ins(%x0, %x1 : tensor<1x2x3x5xf16>, tensor<2x2x2x2xf16>) outs(%start : tensor<1x2x2x4xf16>) -> tensor<1x2x2x4xf16>
  return %r : tensor<1x2x2x4xf16>
}
