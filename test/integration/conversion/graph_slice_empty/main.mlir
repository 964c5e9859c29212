// A start behind the end.
func.func @main(%x: tensor<5x2xf32>) -> tensor<0x2xf32> {
  %r = graph.slice %x dims = [0] starts = [4] ends = [2] steps = [1] : tensor<5x2xf32> -> tensor<0x2xf32>
  return %r : tensor<0x2xf32>
}
