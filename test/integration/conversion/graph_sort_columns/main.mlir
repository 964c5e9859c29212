// The first dimension, of a size that is known at run time.
func.func @main(%x: tensor<?x2xf32>) -> (tensor<?x2xf32>, tensor<?x2xi64>) {
  %v, %i = graph.sort %x dim = 0 descending : tensor<?x2xf32> -> tensor<?x2xf32>, tensor<?x2xi64>
  return %v, %i : tensor<?x2xf32>, tensor<?x2xi64>
}
