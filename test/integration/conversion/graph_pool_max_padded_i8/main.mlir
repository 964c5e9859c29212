// Padding has no influence on a maximum.
func.func @main(%x: tensor<1x2x6x5xi8>) -> tensor<1x2x6x6xi8> {
  %r = graph.pool max channels_first %x window = [3, 2] low = [1, 1] high = [1, 1] : tensor<1x2x6x5xi8> -> tensor<1x2x6x6xi8>
  return %r : tensor<1x2x6x6xi8>
}
