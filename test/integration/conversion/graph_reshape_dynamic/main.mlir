// Sizes that are known at run time.
func.func @main(%x: tensor<?x12xf32>, %n: index, %m: index) -> (tensor<?x3x4xf32>, tensor<?x?xf32>) {
  %r0 = graph.reshape %x sizes(%n) : tensor<?x12xf32> to tensor<?x3x4xf32>
  %r1 = graph.reshape %x sizes(%m, %n) : tensor<?x12xf32> to tensor<?x?xf32>
  return %r0, %r1 : tensor<?x3x4xf32>, tensor<?x?xf32>
}
