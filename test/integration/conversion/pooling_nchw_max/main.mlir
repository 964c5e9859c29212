// Maximum of windows, with strides.
func.func @main(%x0: tensor<2x2x5x7xf32>, %x1: tensor<2x3xf32>) -> tensor<2x2x2x3xf32> {
  %start_value = arith.constant 0xFF800000 : f32
  %start_empty = tensor.empty() : tensor<2x2x2x3xf32>
  %start = linalg.fill ins(%start_value : f32) outs(%start_empty : tensor<2x2x2x3xf32>) -> tensor<2x2x2x3xf32>
  %r = linalg.pooling_nchw_max {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[2, 2]> : tensor<2xi64>} ins(%x0, %x1 : tensor<2x2x5x7xf32>, tensor<2x3xf32>) outs(%start : tensor<2x2x2x3xf32>) -> tensor<2x2x2x3xf32>
  return %r : tensor<2x2x2x3xf32>
}
