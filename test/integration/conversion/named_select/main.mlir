// select by a tensor of i1.
func.func @main(%x0: tensor<7x5xi1>, %x1: tensor<7x5xf16>, %x2: tensor<7x5xf16>) -> tensor<7x5xf16> {
  %e0 = tensor.empty() : tensor<7x5xf16>
  %r0 = linalg.select ins(%x0, %x1, %x2 : tensor<7x5xi1>, tensor<7x5xf16>, tensor<7x5xf16>) outs(%e0 : tensor<7x5xf16>) -> tensor<7x5xf16>
  return %r0 : tensor<7x5xf16>
}
