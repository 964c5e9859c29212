// The sums of the rows of exp(x - y): two element-wise ops and a reduction in one fusion group.
func.func @main(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) -> tensor<2xf32> {
  %sums = graph.fusion -> tensor<2xf32> {
    %difference = graph.sub %x, %y : tensor<2x3xf32>
    %power = graph.exp %difference : tensor<2x3xf32>
    %sum = graph.reduce add %power dims = [1] : tensor<2x3xf32> -> tensor<2xf32>
    %stored = graph.yield_store %sum : tensor<2xf32>
    graph.yield %stored : tensor<2xf32>
  }
  return %sums : tensor<2xf32>
}
