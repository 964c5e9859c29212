// One element of a tensor is replaced.
func.func @main(%x: tensor<7xi32>, %v: i32, %i: index) -> (tensor<7xi32>, tensor<7xi32>) {
  %r = tensor.insert %v into %x[%i] : tensor<7xi32>
  return %r, %x : tensor<7xi32>, tensor<7xi32>
}
