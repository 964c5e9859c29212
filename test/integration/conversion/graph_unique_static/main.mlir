// A list of static size, of which only the values are used.
func.func @main(%x: tensor<11xi32>) -> tensor<11xi32> {
  %r, %f, %i, %c, %n = graph.unique %x : tensor<11xi32> -> tensor<11xi32>, tensor<11xi64>, tensor<11xi64>, tensor<11xi64>, tensor<i64>
  return %r : tensor<11xi32>
}
