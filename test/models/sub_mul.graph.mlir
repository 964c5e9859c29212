// (x - y) * x on [64, 128]: one fusion group of two ops.
module {
  func.func @main(%x: tensor<64x128xf32>, %y: tensor<64x128xf32>) -> tensor<64x128xf32> {
    %out = graph.fusion -> tensor<64x128xf32> {
      %difference = graph.sub %x, %y : tensor<64x128xf32>
      %product = graph.mul %difference, %x : tensor<64x128xf32>
      %stored = graph.yield_store %product : tensor<64x128xf32>
      graph.yield %stored : tensor<64x128xf32>
    }
    return %out : tensor<64x128xf32>
  }
}
