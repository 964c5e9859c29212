// A sum of matrix products.
func.func @main(%x0: tensor<2x7x5xf32>, %x1: tensor<2x5x3xf32>) -> tensor<7x3xf32> {
  %start_value = arith.constant 0.0 : f32
  %start_empty = tensor.empty() : tensor<7x3xf32>
  %start = linalg.fill ins(%start_value : f32) outs(%start_empty : tensor<7x3xf32>) -> tensor<7x3xf32>
  %r = linalg.batch_reduce_matmul ins(%x0, %x1 : tensor<2x7x5xf32>, tensor<2x5x3xf32>) outs(%start : tensor<7x3xf32>) -> tensor<7x3xf32>
  return %r : tensor<7x3xf32>
}
