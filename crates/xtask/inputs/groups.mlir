// Two equal groups, whose two arguments have one type.
func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = graph.fusion -> tensor<4xf32> {
    %a = arith.subf %x, %y : tensor<4xf32>
    %s = graph.yield_store %a : tensor<4xf32>
    graph.yield %s : tensor<4xf32>
  }
  %1 = graph.fusion -> tensor<4xf32> {
    %a = arith.subf %y, %0 : tensor<4xf32>
    %s = graph.yield_store %a : tensor<4xf32>
    graph.yield %s : tensor<4xf32>
  }
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
