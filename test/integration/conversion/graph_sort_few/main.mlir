// Rows of 0 and 1 elements.
func.func @main(%x: tensor<3x0xf32>, %y: tensor<3x1xf32>) -> (tensor<3x0xf32>, tensor<3x0xi64>, tensor<3x1xf32>, tensor<3x1xi64>, tensor<3x0xf32>, tensor<3x0xi64>) {
  %v0, %i0 = graph.sort %x dim = 1 : tensor<3x0xf32> -> tensor<3x0xf32>, tensor<3x0xi64>
  %v1, %i1 = graph.sort %y dim = 1 : tensor<3x1xf32> -> tensor<3x1xf32>, tensor<3x1xi64>
  %v2, %i2 = graph.topk %y k = 0 dim = 1 : tensor<3x1xf32> -> tensor<3x0xf32>, tensor<3x0xi64>
  return %v0, %i0, %v1, %i1, %v2, %i2 : tensor<3x0xf32>, tensor<3x0xi64>, tensor<3x1xf32>, tensor<3x1xi64>, tensor<3x0xf32>, tensor<3x0xi64>
}
