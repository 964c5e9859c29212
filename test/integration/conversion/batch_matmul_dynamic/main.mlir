// batch_matmul with a dynamic batch.
func.func @main(%a: tensor<?x7x5xf32>, %b: tensor<?x5x3xf32>) -> tensor<?x7x3xf32> {
  %n_axis = arith.constant 0 : index
  %n = tensor.dim %a, %n_axis : tensor<?x7x5xf32>
  %zero_value = arith.constant 0.0 : f32
  %zero_empty = tensor.empty(%n) : tensor<?x7x3xf32>
  %zero = linalg.fill ins(%zero_value : f32) outs(%zero_empty : tensor<?x7x3xf32>) -> tensor<?x7x3xf32>
  %c = linalg.batch_matmul ins(%a, %b : tensor<?x7x5xf32>, tensor<?x5x3xf32>) outs(%zero : tensor<?x7x3xf32>) -> tensor<?x7x3xf32>
  return %c : tensor<?x7x3xf32>
}
