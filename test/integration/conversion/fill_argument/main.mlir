// fill of a scalar argument.
func.func @main(%x0: f32, %start: tensor<7x5xf32>) -> tensor<7x5xf32> {
  %r = linalg.fill ins(%x0 : f32) outs(%start : tensor<7x5xf32>) -> tensor<7x5xf32>
  return %r : tensor<7x5xf32>
}
