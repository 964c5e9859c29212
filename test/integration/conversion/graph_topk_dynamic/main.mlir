// Of a dimension whose size is known at run time.
func.func @main(%x: tensor<2x?xi32>) -> (tensor<2x3xi32>, tensor<2x3xi64>) {
  %v, %i = graph.topk %x k = 3 dim = 1 : tensor<2x?xi32> -> tensor<2x3xi32>, tensor<2x3xi64>
  return %v, %i : tensor<2x3xi32>, tensor<2x3xi64>
}
