// Partial results of i32.
func.func @main(%x: tensor<?x7xi32>) -> tensor<11x?x7xi32> {
  %r0 = graph.scan add %x dim = 1 : tensor<?x7xi32>
  %r1 = graph.scan add %x dim = 1 exclusive : tensor<?x7xi32>
  %r2 = graph.scan add %x dim = 1 reverse : tensor<?x7xi32>
  %r3 = graph.scan add %x dim = 1 exclusive reverse : tensor<?x7xi32>
  %r4 = graph.scan mul %x dim = 1 exclusive : tensor<?x7xi32>
  %r5 = graph.scan max %x dim = 1 reverse : tensor<?x7xi32>
  %r6 = graph.scan min %x dim = 1 exclusive reverse : tensor<?x7xi32>
  %r7 = graph.scan max %x dim = 1 unsigned : tensor<?x7xi32>
  %r8 = graph.scan min %x dim = 1 exclusive unsigned : tensor<?x7xi32>
  %r9 = graph.scan and %x dim = 1 reverse : tensor<?x7xi32>
  %r10 = graph.scan or %x dim = 1 exclusive reverse : tensor<?x7xi32>
  %r = graph.stack %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8, %r9, %r10 dim = 0 : tensor<?x7xi32>, tensor<?x7xi32>, tensor<?x7xi32>, tensor<?x7xi32>, tensor<?x7xi32>, tensor<?x7xi32>, tensor<?x7xi32>, tensor<?x7xi32>, tensor<?x7xi32>, tensor<?x7xi32>, tensor<?x7xi32> -> tensor<11x?x7xi32>
  return %r : tensor<11x?x7xi32>
}
