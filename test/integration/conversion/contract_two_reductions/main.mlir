// contract over two loops, with a batch inside and a permuted result.
func.func @main(%x0: tensor<2x3x5x2xf32>, %x1: tensor<2x5x7x2xf32>) -> tensor<7x2x3xf32> {
  %start_value = arith.constant 0.0 : f32
  %start_empty = tensor.empty() : tensor<7x2x3xf32>
  %start = linalg.fill ins(%start_value : f32) outs(%start_empty : tensor<7x2x3xf32>) -> tensor<7x2x3xf32>
  %r = linalg.contract indexing_maps = [affine_map<(a, b, c, d, e) -> (e, a, c, d)>, affine_map<(a, b, c, d, e) -> (e, c, b, d)>, affine_map<(a, b, c, d, e) -> (b, e, a)>] ins(%x0, %x1 : tensor<2x3x5x2xf32>, tensor<2x5x7x2xf32>) outs(%start : tensor<7x2x3xf32>) -> tensor<7x2x3xf32>
  return %r : tensor<7x2x3xf32>
}
