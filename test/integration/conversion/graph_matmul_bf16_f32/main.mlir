// Products of bf16 that are added in f32.
func.func @main(%x: tensor<5x7xbf16>, %y: tensor<7x3xbf16>) -> tensor<5x3xf32> {
  %r = graph.matmul %x, %y : tensor<5x7xbf16>, tensor<7x3xbf16> -> tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}
