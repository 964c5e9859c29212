// insert_slice: two slices into one tensor.empty that they fill together, and a third over both.
func.func @main(%x: tensor<3x5xf32>, %y: tensor<4x5xf32>, %z: tensor<2x2xf32>) -> tensor<7x5xf32> {
  %e = tensor.empty() : tensor<7x5xf32>
  %a = tensor.insert_slice %x into %e[0, 0] [3, 5] [1, 1] : tensor<3x5xf32> into tensor<7x5xf32>
  %b = tensor.insert_slice %y into %a[3, 0] [4, 5] [1, 1] : tensor<4x5xf32> into tensor<7x5xf32>
  %r = tensor.insert_slice %z into %b[2, 1] [2, 2] [1, 2] : tensor<2x2xf32> into tensor<7x5xf32>
  return %r : tensor<7x5xf32>
}
