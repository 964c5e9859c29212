// The distinct elements of lists of i8.
func.func @main(%x: tensor<?xi8>) -> (tensor<?xi8>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>, tensor<i64>) {
  %r0, %r1, %r2, %r3, %r4 = graph.unique %x : tensor<?xi8> -> tensor<?xi8>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>, tensor<i64>
  return %r0, %r1, %r2, %r3, %r4 : tensor<?xi8>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>, tensor<i64>
}
