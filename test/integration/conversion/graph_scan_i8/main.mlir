// Partial results of i8.
func.func @main(%x: tensor<?x7xi8>) -> tensor<11x?x7xi8> {
  %r0 = graph.scan add %x dim = 1 : tensor<?x7xi8>
  %r1 = graph.scan add %x dim = 1 exclusive : tensor<?x7xi8>
  %r2 = graph.scan add %x dim = 1 reverse : tensor<?x7xi8>
  %r3 = graph.scan add %x dim = 1 exclusive reverse : tensor<?x7xi8>
  %r4 = graph.scan mul %x dim = 1 exclusive : tensor<?x7xi8>
  %r5 = graph.scan max %x dim = 1 reverse : tensor<?x7xi8>
  %r6 = graph.scan min %x dim = 1 exclusive reverse : tensor<?x7xi8>
  %r7 = graph.scan max %x dim = 1 unsigned : tensor<?x7xi8>
  %r8 = graph.scan min %x dim = 1 exclusive unsigned : tensor<?x7xi8>
  %r9 = graph.scan and %x dim = 1 reverse : tensor<?x7xi8>
  %r10 = graph.scan or %x dim = 1 exclusive reverse : tensor<?x7xi8>
  %r = graph.stack %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8, %r9, %r10 dim = 0 : tensor<?x7xi8>, tensor<?x7xi8>, tensor<?x7xi8>, tensor<?x7xi8>, tensor<?x7xi8>, tensor<?x7xi8>, tensor<?x7xi8>, tensor<?x7xi8>, tensor<?x7xi8>, tensor<?x7xi8>, tensor<?x7xi8> -> tensor<11x?x7xi8>
  return %r : tensor<11x?x7xi8>
}
