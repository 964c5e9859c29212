func.func @main(%x: tensor<5x3xf32>, %acc: tensor<3xf32>) -> (tensor<5x3xf32>, tensor<3xf32>) {
  %e = tensor.empty() : tensor<5x3xf32>
  %r:2 = tm_tensor.scan dimension(0) inclusive(false) ins(%x : tensor<5x3xf32>) outs(%e, %acc : tensor<5x3xf32>, tensor<3xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.addf %a, %b : f32
    tm_tensor.yield %0 : f32
  } -> tensor<5x3xf32>, tensor<3xf32>
  return %r#0, %r#1 : tensor<5x3xf32>, tensor<3xf32>
}
