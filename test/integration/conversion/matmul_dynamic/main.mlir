// matmul with all sizes dynamic; an empty sum is zero.
func.func @main(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %m_axis = arith.constant 0 : index
  %m = tensor.dim %a, %m_axis : tensor<?x?xf32>
  %n_axis = arith.constant 1 : index
  %n = tensor.dim %b, %n_axis : tensor<?x?xf32>
  %zero_value = arith.constant 0.0 : f32
  %zero_empty = tensor.empty(%m, %n) : tensor<?x?xf32>
  %zero = linalg.fill ins(%zero_value : f32) outs(%zero_empty : tensor<?x?xf32>) -> tensor<?x?xf32>
  %c = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%zero : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %c : tensor<?x?xf32>
}
