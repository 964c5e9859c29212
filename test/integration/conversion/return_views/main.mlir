// A slice and two reshapes of one argument are returned.
func.func @main(%x: tensor<6x5xf32>) -> (tensor<2x5xf32>, tensor<30xf32>, tensor<2x3x5xf32>) {
  %a = tensor.extract_slice %x[2, 0] [2, 5] [1, 1] : tensor<6x5xf32> to tensor<2x5xf32>
  %b = tensor.collapse_shape %x [[0, 1]] : tensor<6x5xf32> into tensor<30xf32>
  %c = tensor.expand_shape %x [[0, 1], [2]] output_shape [2, 3, 5] : tensor<6x5xf32> into tensor<2x3x5xf32>
  return %a, %b, %c : tensor<2x5xf32>, tensor<30xf32>, tensor<2x3x5xf32>
}
