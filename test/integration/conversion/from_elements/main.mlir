// from_elements: scalars become tensors of rank 0, 1 and 2.
func.func @main(%a: f32, %b: f32) -> (tensor<f32>, tensor<3xf32>, tensor<2x2xf32>) {
  %x = tensor.from_elements %b : tensor<f32>
  %y = tensor.from_elements %a, %b, %a : tensor<3xf32>
  %z = tensor.from_elements %a, %a, %b, %a : tensor<2x2xf32>
  return %x, %y, %z : tensor<f32>, tensor<3xf32>, tensor<2x2xf32>
}
