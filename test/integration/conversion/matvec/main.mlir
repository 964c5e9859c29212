// matvec.
func.func @main(%x0: tensor<7x5xf32>, %x1: tensor<5xf32>) -> tensor<7xf32> {
  %start_value = arith.constant 0.0 : f32
  %start_empty = tensor.empty() : tensor<7xf32>
  %start = linalg.fill ins(%start_value : f32) outs(%start_empty : tensor<7xf32>) -> tensor<7xf32>
  %r = linalg.matvec ins(%x0, %x1 : tensor<7x5xf32>, tensor<5xf32>) outs(%start : tensor<7xf32>) -> tensor<7xf32>
  return %r : tensor<7xf32>
}
