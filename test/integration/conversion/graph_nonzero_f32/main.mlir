// The places of the elements of f32 that are not 0.
func.func @main(%x: tensor<?x3xf32>, %y: tensor<5xf32>) -> (tensor<?x2xi64>, tensor<i64>, tensor<5x1xi64>, tensor<i64>) {
  %p, %n = graph.nonzero %x : tensor<?x3xf32> -> tensor<?x2xi64>, tensor<i64>
  %q, %m = graph.nonzero %y : tensor<5xf32> -> tensor<5x1xi64>, tensor<i64>
  return %p, %n, %q, %m : tensor<?x2xi64>, tensor<i64>, tensor<5x1xi64>, tensor<i64>
}
