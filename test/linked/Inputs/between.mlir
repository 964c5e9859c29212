func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = graph.exp %x : tensor<8xf32>
  return %e : tensor<8xf32>
}
