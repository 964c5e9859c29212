// Arguments are returned unchanged, in another order.
func.func @main(%x: tensor<7x5xf32>, %y: tensor<3xi1>, %z: tensor<?xbf16>) -> (tensor<?xbf16>, tensor<7x5xf32>, tensor<3xi1>) {
  return %z, %x, %y : tensor<?xbf16>, tensor<7x5xf32>, tensor<3xi1>
}
