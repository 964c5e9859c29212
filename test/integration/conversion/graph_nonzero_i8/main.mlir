// The places of the elements of i8 that are not 0.
func.func @main(%x: tensor<?x3xi8>, %y: tensor<5xi8>) -> (tensor<?x2xi64>, tensor<i64>, tensor<5x1xi64>, tensor<i64>) {
  %p, %n = graph.nonzero %x : tensor<?x3xi8> -> tensor<?x2xi64>, tensor<i64>
  %q, %m = graph.nonzero %y : tensor<5xi8> -> tensor<5x1xi64>, tensor<i64>
  return %p, %n, %q, %m : tensor<?x2xi64>, tensor<i64>, tensor<5x1xi64>, tensor<i64>
}
