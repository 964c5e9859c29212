// Convolution, bias and relu with a dynamic batch.
func.func @main(%x: tensor<?x2x5x3xf32>, %w: tensor<3x2x2x2xf32>, %bias: tensor<3xf32>) -> tensor<?x3x4x2xf32> {
  %n_axis = arith.constant 0 : index
  %n = tensor.dim %x, %n_axis : tensor<?x2x5x3xf32>
  %e = tensor.empty(%n) : tensor<?x3x4x2xf32>
  %start = linalg.broadcast ins(%bias : tensor<3xf32>) outs(%e : tensor<?x3x4x2xf32>) dimensions = [0, 2, 3]
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<?x2x5x3xf32>, tensor<3x2x2x2xf32>) outs(%start : tensor<?x3x4x2xf32>) -> tensor<?x3x4x2xf32>
  %r_empty = tensor.empty(%n) : tensor<?x3x4x2xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k, l) -> (i, j, k, l)>, affine_map<(i, j, k, l) -> (i, j, k, l)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c : tensor<?x3x4x2xf32>) outs(%r_empty : tensor<?x3x4x2xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %zero = arith.constant 0.0 : f32
    %s = arith.maximumf %in0, %zero : f32
    linalg.yield %s : f32
  } -> tensor<?x3x4x2xf32>
  return %r : tensor<?x3x4x2xf32>
}
