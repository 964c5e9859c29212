// broadcast along a new first and a new last dimension.
func.func @main(%x: tensor<?xf32>) -> tensor<2x?x3xf32> {
  %n_axis = arith.constant 0 : index
  %n = tensor.dim %x, %n_axis : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<2x?x3xf32>
  %r = linalg.broadcast ins(%x : tensor<?xf32>) outs(%e : tensor<2x?x3xf32>) dimensions = [0, 2]
  return %r : tensor<2x?x3xf32>
}
