// tensor.reshape by a constant shape.
func.func @main(%x: tensor<6x5xf32>) -> tensor<3x2x5xf32> {
  %shape = arith.constant dense<[3, 2, 5]> : tensor<3xi64>
  %r = tensor.reshape %x(%shape) : (tensor<6x5xf32>, tensor<3xi64>) -> tensor<3x2x5xf32>
  return %r : tensor<3x2x5xf32>
}
