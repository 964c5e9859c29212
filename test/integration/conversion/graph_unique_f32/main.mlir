// The distinct elements of lists of f32.
func.func @main(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>, tensor<i64>) {
  %r0, %r1, %r2, %r3, %r4 = graph.unique %x : tensor<?xf32> -> tensor<?xf32>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>, tensor<i64>
  return %r0, %r1, %r2, %r3, %r4 : tensor<?xf32>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>, tensor<i64>
}
