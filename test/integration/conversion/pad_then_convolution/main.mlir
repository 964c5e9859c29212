// A padded convolution as torch-mlir emits it.
func.func @main(%x: tensor<1x2x5x7xf32>, %w: tensor<3x2x3x3xf32>) -> tensor<1x3x5x7xf32> {
  %c = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %c : f32
  } : tensor<1x2x5x7xf32> to tensor<1x2x7x9xf32>
  %zero_value = arith.constant 0.0 : f32
  %zero_empty = tensor.empty() : tensor<1x3x5x7xf32>
  %zero = linalg.fill ins(%zero_value : f32) outs(%zero_empty : tensor<1x3x5x7xf32>) -> tensor<1x3x5x7xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%p, %w : tensor<1x2x7x9xf32>, tensor<3x2x3x3xf32>) outs(%zero : tensor<1x3x5x7xf32>) -> tensor<1x3x5x7xf32>
  return %r : tensor<1x3x5x7xf32>
}
