// Of sizes that are known: all elements, and none; and of no elements.
func.func @main(%x: tensor<2x3x2xi32>, %y: tensor<0x2xi32>) -> (tensor<12x3xi64>, tensor<i64>, tensor<12x3xi64>, tensor<i64>, tensor<0x2xi64>, tensor<i64>) {
  %p, %n = graph.nonzero %x : tensor<2x3x2xi32> -> tensor<12x3xi64>, tensor<i64>
  %z = graph.xor %x, %x : tensor<2x3x2xi32>
  %q, %m = graph.nonzero %z : tensor<2x3x2xi32> -> tensor<12x3xi64>, tensor<i64>
  %o, %k = graph.nonzero %y : tensor<0x2xi32> -> tensor<0x2xi64>, tensor<i64>
  return %p, %n, %q, %m, %o, %k : tensor<12x3xi64>, tensor<i64>, tensor<12x3xi64>, tensor<i64>, tensor<0x2xi64>, tensor<i64>
}
