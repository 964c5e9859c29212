// linalg.elementwise with three operands.
func.func @main(%x0: tensor<13xi1>, %x1: tensor<13xi32>, %x2: tensor<13xi32>) -> tensor<13xi32> {
  %e0 = tensor.empty() : tensor<13xi32>
  %r0 = linalg.elementwise kind=#linalg.elementwise_kind<select> ins(%x0, %x1, %x2 : tensor<13xi1>, tensor<13xi32>, tensor<13xi32>) outs(%e0 : tensor<13xi32>) -> tensor<13xi32>
  return %r0 : tensor<13xi32>
}
