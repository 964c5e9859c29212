// Elements before and behind.
func.func @main(%x: tensor<?x3xi8>, %v: i8) -> tensor<?x6xi8> {
  %r = graph.pad %x, %v low = [1, 0] high = [0, 3] : tensor<?x3xi8>, i8 -> tensor<?x6xi8>
  return %r : tensor<?x6xi8>
}
