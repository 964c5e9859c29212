// Sums, products and limits of i8.
func.func @main(%x: tensor<?x5xi8>) -> (tensor<5xi8>, tensor<5xi8>, tensor<5xi8>, tensor<5xi8>, tensor<5xi8>, tensor<5xi8>, tensor<5xi8>, tensor<5xi8>) {
  %r0 = graph.reduce add %x dims = [0]  : tensor<?x5xi8> -> tensor<5xi8>
  %r1 = graph.reduce mul %x dims = [0]  : tensor<?x5xi8> -> tensor<5xi8>
  %r2 = graph.reduce max %x dims = [0]  : tensor<?x5xi8> -> tensor<5xi8>
  %r3 = graph.reduce min %x dims = [0]  : tensor<?x5xi8> -> tensor<5xi8>
  %r4 = graph.reduce max %x dims = [0] unsigned : tensor<?x5xi8> -> tensor<5xi8>
  %r5 = graph.reduce min %x dims = [0] unsigned : tensor<?x5xi8> -> tensor<5xi8>
  %r6 = graph.reduce and %x dims = [0]  : tensor<?x5xi8> -> tensor<5xi8>
  %r7 = graph.reduce or %x dims = [0]  : tensor<?x5xi8> -> tensor<5xi8>
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7 : tensor<5xi8>, tensor<5xi8>, tensor<5xi8>, tensor<5xi8>, tensor<5xi8>, tensor<5xi8>, tensor<5xi8>, tensor<5xi8>
}
