// A public function whose name C++ has as a keyword.
func.func @new(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
