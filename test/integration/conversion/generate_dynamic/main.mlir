// tensor.generate: an element depends on its indices and on an input.
func.func @main(%x: tensor<?xf32>) -> tensor<?x3xf32> {
  %n_axis = arith.constant 0 : index
  %n = tensor.dim %x, %n_axis : tensor<?xf32>
  %r = tensor.generate %n {
  ^bb0(%i: index, %j: index):
    %c = tensor.extract %x[%i] : tensor<?xf32>
    %k = arith.index_cast %j : index to i32
    %f = arith.sitofp %k : i32 to f32
    %s = arith.addf %c, %f : f32
    tensor.yield %s : f32
  } : tensor<?x3xf32>
  return %r : tensor<?x3xf32>
}
