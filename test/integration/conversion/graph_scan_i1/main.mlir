// Partial results of i1.
func.func @main(%x: tensor<?x7xi1>) -> tensor<5x?x7xi1> {
  %r0 = graph.scan and %x dim = 1 : tensor<?x7xi1>
  %r1 = graph.scan and %x dim = 1 exclusive : tensor<?x7xi1>
  %r2 = graph.scan and %x dim = 1 reverse : tensor<?x7xi1>
  %r3 = graph.scan and %x dim = 1 exclusive reverse : tensor<?x7xi1>
  %r4 = graph.scan or %x dim = 1 exclusive : tensor<?x7xi1>
  %r = graph.stack %r0, %r1, %r2, %r3, %r4 dim = 0 : tensor<?x7xi1>, tensor<?x7xi1>, tensor<?x7xi1>, tensor<?x7xi1>, tensor<?x7xi1> -> tensor<5x?x7xi1>
  return %r : tensor<5x?x7xi1>
}
