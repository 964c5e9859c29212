// A pad whose value depends on the index in the result.
func.func @main(%x: tensor<3x5xi64>) -> tensor<6x7xi64> {
  %r = tensor.pad %x low[2, 1] high[1, 1] {
  ^bb0(%i: index, %j: index):
    %ten = arith.constant 10 : index
    %p = arith.muli %i, %ten : index
    %s = arith.addi %p, %j : index
    %v = arith.index_cast %s : index to i64
    tensor.yield %v : i64
  } : tensor<3x5xi64> to tensor<6x7xi64>
  return %r : tensor<6x7xi64>
}
