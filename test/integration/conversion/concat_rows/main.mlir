// concat: three inputs along rows.
func.func @main(%x: tensor<3x5xf32>, %y: tensor<1x5xf32>, %z: tensor<7x5xf32>) -> tensor<11x5xf32> {
  %r = tensor.concat dim(0) %x, %y, %z : (tensor<3x5xf32>, tensor<1x5xf32>, tensor<7x5xf32>) -> tensor<11x5xf32>
  return %r : tensor<11x5xf32>
}
