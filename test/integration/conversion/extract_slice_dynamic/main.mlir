// extract_slice whose offset, size and stride are arguments of the function.
func.func @main(%x: tensor<13xi32>, %offset: index, %size: index, %stride: index) -> tensor<?xi32> {
  %r = tensor.extract_slice %x[%offset] [%size] [%stride] : tensor<13xi32> to tensor<?xi32>
  return %r : tensor<?xi32>
}
