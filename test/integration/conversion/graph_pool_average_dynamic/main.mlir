// Positions whose number is known at run time, with padding that does not count.
func.func @main(%x: tensor<?x?x?x3xf32>) -> tensor<?x?x?x3xf32> {
  %r = graph.pool average channels_last %x window = [2, 3] low = [1, 1] high = [0, 1] : tensor<?x?x?x3xf32> -> tensor<?x?x?x3xf32>
  return %r : tensor<?x?x?x3xf32>
}
