// batch_matmul whose second operand is transposed.
func.func @main(%x0: tensor<2x7x5xf32>, %x1: tensor<2x3x5xf32>) -> tensor<2x7x3xf32> {
  %start_value = arith.constant 0.0 : f32
  %start_empty = tensor.empty() : tensor<2x7x3xf32>
  %start = linalg.fill ins(%start_value : f32) outs(%start_empty : tensor<2x7x3xf32>) -> tensor<2x7x3xf32>
  %r = linalg.batch_matmul indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>] ins(%x0, %x1 : tensor<2x7x5xf32>, tensor<2x3x5xf32>) outs(%start : tensor<2x7x3xf32>) -> tensor<2x7x3xf32>
  return %r : tensor<2x7x3xf32>
}
