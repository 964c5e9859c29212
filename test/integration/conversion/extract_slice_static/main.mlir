// extract_slice with offsets and strides in both dimensions.
func.func @main(%x: tensor<7x13xf32>) -> tensor<3x4xf32> {
  %r = tensor.extract_slice %x[1, 2] [3, 4] [2, 3] : tensor<7x13xf32> to tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}
