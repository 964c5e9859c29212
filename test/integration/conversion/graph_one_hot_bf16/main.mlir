// Indices of i32 in new dimensions of bf16, some beyond the depth.
func.func @main(%i: tensor<?x3xi32>, %on: bf16, %off: bf16) -> (tensor<?x5x3xbf16>, tensor<?x3x1xbf16>, tensor<0x?x3xbf16>) {
  %r0 = graph.one_hot %i, %on, %off depth = 5 dim = 1 : tensor<?x3xi32>, bf16 -> tensor<?x5x3xbf16>
  %r1 = graph.one_hot %i, %on, %off depth = 1 dim = 2 : tensor<?x3xi32>, bf16 -> tensor<?x3x1xbf16>
  %r2 = graph.one_hot %i, %on, %off depth = 0 dim = 0 : tensor<?x3xi32>, bf16 -> tensor<0x?x3xbf16>
  return %r0, %r1, %r2 : tensor<?x5x3xbf16>, tensor<?x3x1xbf16>, tensor<0x?x3xbf16>
}
