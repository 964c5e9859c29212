// Fusion groups with a sort, a scan and a scatter.
func.func @main(%x: tensor<3x7xf32>, %i: tensor<3x2xi64>, %u: tensor<3x2xf32>) -> (tensor<3x7xf32>, tensor<3x7xf32>, tensor<3x7xf32>) {
  %s = graph.fusion -> tensor<3x7xf32> {
    %v, %p = graph.sort %x dim = 1 : tensor<3x7xf32> -> tensor<3x7xf32>, tensor<3x7xi64>
    %g0 = graph.yield_store %v : tensor<3x7xf32>
    graph.yield %g0 : tensor<3x7xf32>
  }
  %c = graph.fusion -> tensor<3x7xf32> {
    %v = graph.scan add %s dim = 1 : tensor<3x7xf32>
    %w = graph.mul %v, %x : tensor<3x7xf32>
    %g1 = graph.yield_store %w : tensor<3x7xf32>
    graph.yield %g1 : tensor<3x7xf32>
  }
  %t = graph.fusion -> tensor<3x7xf32> {
    %v = graph.scatter_elements add %c, %i, %u dim = 1 : tensor<3x7xf32>, tensor<3x2xi64>, tensor<3x2xf32>
    %g2 = graph.yield_store %v : tensor<3x7xf32>
    graph.yield %g2 : tensor<3x7xf32>
  }
  return %s, %c, %t : tensor<3x7xf32>, tensor<3x7xf32>, tensor<3x7xf32>
}
