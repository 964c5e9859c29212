// Products of i8 that are added in i32.
func.func @main(%x: tensor<5x7xi8>, %y: tensor<7x3xi8>) -> tensor<5x3xi32> {
  %r = graph.matmul %x, %y : tensor<5x7xi8>, tensor<7x3xi8> -> tensor<5x3xi32>
  return %r : tensor<5x3xi32>
}
