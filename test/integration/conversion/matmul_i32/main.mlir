// matmul in i32.
func.func @main(%x0: tensor<7x5xi32>, %x1: tensor<5x3xi32>) -> tensor<7x3xi32> {
  %start_value = arith.constant 0 : i32
  %start_empty = tensor.empty() : tensor<7x3xi32>
  %start = linalg.fill ins(%start_value : i32) outs(%start_empty : tensor<7x3xi32>) -> tensor<7x3xi32>
  %r = linalg.matmul ins(%x0, %x1 : tensor<7x5xi32>, tensor<5x3xi32>) outs(%start : tensor<7x3xi32>) -> tensor<7x3xi32>
  return %r : tensor<7x3xi32>
}
