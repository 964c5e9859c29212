// (x - y) * x, far larger than the caches.
func.func @main(%x: tensor<4096x4096xf32>, %y: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
  %empty = tensor.empty() : tensor<4096x4096xf32>
  %d = linalg.sub ins(%x, %y : tensor<4096x4096xf32>, tensor<4096x4096xf32>) outs(%empty : tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %r = linalg.mul ins(%d, %x : tensor<4096x4096xf32>, tensor<4096x4096xf32>) outs(%empty : tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  return %r : tensor<4096x4096xf32>
}
