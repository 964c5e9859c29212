// insert_slice into an argument, with offsets and strides; the argument is returned too.
func.func @main(%x: tensor<3x4xf32>, %y: tensor<7x13xf32>) -> (tensor<7x13xf32>, tensor<7x13xf32>) {
  %r = tensor.insert_slice %x into %y[1, 2] [3, 4] [2, 3] : tensor<3x4xf32> into tensor<7x13xf32>
  return %r, %y : tensor<7x13xf32>, tensor<7x13xf32>
}
