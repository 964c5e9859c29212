// Returns its argument, so that lw-run writes the elements that it generates.
func.func @main(%x: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
  return %x : tensor<2x3x8xf32>
}
