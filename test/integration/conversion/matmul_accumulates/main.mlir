// matmul onto an argument.
func.func @main(%x0: tensor<7x5xf32>, %x1: tensor<5x3xf32>, %start: tensor<7x3xf32>) -> tensor<7x3xf32> {
  %r = linalg.matmul ins(%x0, %x1 : tensor<7x5xf32>, tensor<5x3xf32>) outs(%start : tensor<7x3xf32>) -> tensor<7x3xf32>
  return %r : tensor<7x3xf32>
}
