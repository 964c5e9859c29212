// conv_2d.
func.func @main(%x0: tensor<7x5xi32>, %x1: tensor<3x2xi32>) -> tensor<5x4xi32> {
  %start_value = arith.constant 0 : i32
  %start_empty = tensor.empty() : tensor<5x4xi32>
  %start = linalg.fill ins(%start_value : i32) outs(%start_empty : tensor<5x4xi32>) -> tensor<5x4xi32>
  %r = linalg.conv_2d ins(%x0, %x1 : tensor<7x5xi32>, tensor<3x2xi32>) outs(%start : tensor<5x4xi32>) -> tensor<5x4xi32>
  return %r : tensor<5x4xi32>
}
