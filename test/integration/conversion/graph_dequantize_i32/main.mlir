// Differences of i32 beyond 32 bits.
func.func @main(%x: tensor<3xi32>, %y: tensor<f32>, %z: tensor<i32>) -> tensor<3xf32> {
  %r = graph.dequantize %x, %y, %z : tensor<3xi32>, tensor<f32>, tensor<i32> -> tensor<3xf32>
  return %r : tensor<3xf32>
}
