// Updates of elements of bf16, some beyond the rows.
func.func @main(%x: tensor<4x5xbf16>, %i: tensor<3x?xi64>, %u: tensor<3x?xbf16>) -> tensor<5x4x5xbf16> {
  %r0 = graph.scatter_elements replace %x, %i, %u dim = 1 : tensor<4x5xbf16>, tensor<3x?xi64>, tensor<3x?xbf16>
  %r1 = graph.scatter_elements add %x, %i, %u dim = 1 : tensor<4x5xbf16>, tensor<3x?xi64>, tensor<3x?xbf16>
  %r2 = graph.scatter_elements mul %x, %i, %u dim = 1 : tensor<4x5xbf16>, tensor<3x?xi64>, tensor<3x?xbf16>
  %r3 = graph.scatter_elements max %x, %i, %u dim = 1 : tensor<4x5xbf16>, tensor<3x?xi64>, tensor<3x?xbf16>
  %r4 = graph.scatter_elements min %x, %i, %u dim = 1 : tensor<4x5xbf16>, tensor<3x?xi64>, tensor<3x?xbf16>
  %r = graph.stack %r0, %r1, %r2, %r3, %r4 dim = 0 : tensor<4x5xbf16>, tensor<4x5xbf16>, tensor<4x5xbf16>, tensor<4x5xbf16>, tensor<4x5xbf16> -> tensor<5x4x5xbf16>
  return %r : tensor<5x4x5xbf16>
}
