// Sorted rows of i64, and the first elements of them.
func.func @main(%x: tensor<?x13xi64>) -> (tensor<2x?x13xi64>, tensor<2x?x13xi64>, tensor<2x?x4xi64>, tensor<2x?x4xi64>) {
  %v0, %i0 = graph.sort %x dim = 1 : tensor<?x13xi64> -> tensor<?x13xi64>, tensor<?x13xi64>
  %v1, %i1 = graph.sort %x dim = 1 descending : tensor<?x13xi64> -> tensor<?x13xi64>, tensor<?x13xi64>
  %v2, %i2 = graph.topk %x k = 4 dim = 1 : tensor<?x13xi64> -> tensor<?x4xi64>, tensor<?x4xi64>
  %v3, %i3 = graph.topk %x k = 4 dim = 1 smallest : tensor<?x13xi64> -> tensor<?x4xi64>, tensor<?x4xi64>
  %r0 = graph.stack %v0, %v1 dim = 0 : tensor<?x13xi64>, tensor<?x13xi64> -> tensor<2x?x13xi64>
  %r1 = graph.stack %i0, %i1 dim = 0 : tensor<?x13xi64>, tensor<?x13xi64> -> tensor<2x?x13xi64>
  %r2 = graph.stack %v2, %v3 dim = 0 : tensor<?x4xi64>, tensor<?x4xi64> -> tensor<2x?x4xi64>
  %r3 = graph.stack %i2, %i3 dim = 0 : tensor<?x4xi64>, tensor<?x4xi64> -> tensor<2x?x4xi64>
  return %r0, %r1, %r2, %r3 : tensor<2x?x13xi64>, tensor<2x?x13xi64>, tensor<2x?x4xi64>, tensor<2x?x4xi64>
}
