// transpose with both sizes dynamic.
func.func @main(%x: tensor<?x?xi8>) -> tensor<?x?xi8> {
  %n_axis = arith.constant 0 : index
  %n = tensor.dim %x, %n_axis : tensor<?x?xi8>
  %m_axis = arith.constant 1 : index
  %m = tensor.dim %x, %m_axis : tensor<?x?xi8>
  %e = tensor.empty(%m, %n) : tensor<?x?xi8>
  %r = linalg.transpose ins(%x : tensor<?x?xi8>) outs(%e : tensor<?x?xi8>) permutation = [1, 0]
  return %r : tensor<?x?xi8>
}
