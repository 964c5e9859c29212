// A named op on complex numbers.
func.func @main(%a: tensor<5x7xcomplex<f32>>, %b: tensor<7x3xcomplex<f32>>, %c: tensor<5x3xcomplex<f32>>) -> tensor<5x3xcomplex<f32>> {
  %r = linalg.matmul ins(%a, %b : tensor<5x7xcomplex<f32>>, tensor<7x3xcomplex<f32>>)
      outs(%c : tensor<5x3xcomplex<f32>>) -> tensor<5x3xcomplex<f32>>
  return %r : tensor<5x3xcomplex<f32>>
}
