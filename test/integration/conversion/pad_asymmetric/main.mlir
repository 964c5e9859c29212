// A pad with a constant and a different width on each side, one of which is 0.
func.func @main(%x: tensor<7x5xf32>) -> tensor<10x6xf32> {
  %c = arith.constant -1.5 : f32
  %r = tensor.pad %x low[1, 0] high[2, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %c : f32
  } : tensor<7x5xf32> to tensor<10x6xf32>
  return %r : tensor<10x6xf32>
}
