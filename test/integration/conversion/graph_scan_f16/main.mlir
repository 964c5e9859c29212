// Partial results of f16.
func.func @main(%x: tensor<?x7xf16>) -> tensor<7x?x7xf16> {
  %r0 = graph.scan add %x dim = 1 : tensor<?x7xf16>
  %r1 = graph.scan add %x dim = 1 exclusive : tensor<?x7xf16>
  %r2 = graph.scan add %x dim = 1 reverse : tensor<?x7xf16>
  %r3 = graph.scan add %x dim = 1 exclusive reverse : tensor<?x7xf16>
  %r4 = graph.scan mul %x dim = 1 exclusive : tensor<?x7xf16>
  %r5 = graph.scan max %x dim = 1 reverse : tensor<?x7xf16>
  %r6 = graph.scan min %x dim = 1 exclusive reverse : tensor<?x7xf16>
  %r = graph.stack %r0, %r1, %r2, %r3, %r4, %r5, %r6 dim = 0 : tensor<?x7xf16>, tensor<?x7xf16>, tensor<?x7xf16>, tensor<?x7xf16>, tensor<?x7xf16>, tensor<?x7xf16>, tensor<?x7xf16> -> tensor<7x?x7xf16>
  return %r : tensor<7x?x7xf16>
}
