// matmul whose second operand is transposed.
func.func @main(%x0: tensor<7x5xf32>, %x1: tensor<3x5xf32>) -> tensor<7x3xf32> {
  %start_value = arith.constant 0.0 : f32
  %start_empty = tensor.empty() : tensor<7x3xf32>
  %start = linalg.fill ins(%start_value : f32) outs(%start_empty : tensor<7x3xf32>) -> tensor<7x3xf32>
  %r = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>] ins(%x0, %x1 : tensor<7x5xf32>, tensor<3x5xf32>) outs(%start : tensor<7x3xf32>) -> tensor<7x3xf32>
  return %r : tensor<7x3xf32>
}
