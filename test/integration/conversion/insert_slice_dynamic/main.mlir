// insert_slice whose offset is an argument and whose size is that of the source.
func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>, %offset: index) -> tensor<?xf32> {
  %n_axis = arith.constant 0 : index
  %n = tensor.dim %x, %n_axis : tensor<?xf32>
  %r = tensor.insert_slice %x into %y[%offset] [%n] [1] : tensor<?xf32> into tensor<?xf32>
  return %r : tensor<?xf32>
}
