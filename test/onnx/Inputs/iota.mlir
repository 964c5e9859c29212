// The input, which a test of sizes that are not known reads from a file.
func.func @main(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  return %x : tensor<3x4xf32>
}
