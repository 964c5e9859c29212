// The distinct elements of lists of f16.
func.func @main(%x: tensor<?xf16>) -> (tensor<?xf16>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>, tensor<i64>) {
  %r0, %r1, %r2, %r3, %r4 = graph.unique %x : tensor<?xf16> -> tensor<?xf16>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>, tensor<i64>
  return %r0, %r1, %r2, %r3, %r4 : tensor<?xf16>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>, tensor<i64>
}
