// Minimum of windows, channels last.
func.func @main(%x0: tensor<1x5x7x2xf32>, %x1: tensor<2x3xf32>) -> tensor<1x4x5x2xf32> {
  %start_value = arith.constant 0x7F800000 : f32
  %start_empty = tensor.empty() : tensor<1x4x5x2xf32>
  %start = linalg.fill ins(%start_value : f32) outs(%start_empty : tensor<1x4x5x2xf32>) -> tensor<1x4x5x2xf32>
  %r = linalg.pooling_nhwc_min {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[1, 1]> : tensor<2xi64>} ins(%x0, %x1 : tensor<1x5x7x2xf32>, tensor<2x3xf32>) outs(%start : tensor<1x4x5x2xf32>) -> tensor<1x4x5x2xf32>
  return %r : tensor<1x4x5x2xf32>
}
