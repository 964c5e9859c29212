// One dimension; bytes whose products are added in i32.
func.func @main(%x: tensor<2x3x9xi8>, %y: tensor<2x3x4xi8>) -> tensor<2x2x6xi32> {
  %r = graph.conv channels_first %x, %y : tensor<2x3x9xi8>, tensor<2x3x4xi8> -> tensor<2x2x6xi32>
  return %r : tensor<2x2x6xi32>
}
