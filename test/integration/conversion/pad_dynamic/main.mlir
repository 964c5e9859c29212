// A pad whose widths and value are arguments.
func.func @main(%x: tensor<?x3xf32>, %low: index, %high: index, %c: f32) -> tensor<?x4xf32> {
  %r = tensor.pad %x low[%low, 0] high[%high, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %c : f32
  } : tensor<?x3xf32> to tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}
