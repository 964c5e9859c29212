// Constants, and tensors of given sizes.
func.func @main(%v: f32, %n: index) -> (tensor<2xi32>, tensor<3x2xf32>, tensor<?x2xf32>, tensor<2x3xi32>, tensor<?xf16>) {
  %r0 = graph.constant dense<[4, -5]> : tensor<2xi32>
  %r1 = graph.full %v : f32 to tensor<3x2xf32>
  %r2 = graph.full %v sizes(%n) : f32 to tensor<?x2xf32>
  %r3 = graph.iota dim = 1 : tensor<2x3xi32>
  %r4 = graph.iota dim = 0 sizes(%n) : tensor<?xf16>
  return %r0, %r1, %r2, %r3, %r4 : tensor<2xi32>, tensor<3x2xf32>, tensor<?x2xf32>, tensor<2x3xi32>, tensor<?xf16>
}
