// For inline-data-sized-tensors: a tensor whose size is a number of the data, from 0 to 7.
func.func @main(%x: tensor<8xf32>, %data: tensor<i64>) -> tensor<8xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : i64
  %c7 = arith.constant 7 : i64
  %c8 = arith.constant 8 : index
  %n_now = tensor.extract %data[] : tensor<i64>
  %n_low = arith.maxsi %n_now, %c0 : i64
  %n_high = arith.minsi %n_low, %c7 : i64
  %n = arith.index_cast %n_high : i64 to index
  %h = arith.subi %c8, %n : index
  %s = tensor.extract_slice %x[0] [%n] [1] : tensor<8xf32> to tensor<?xf32>
  %y = tensor.pad %s low[0] high[%h] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<?xf32> to tensor<8xf32>
  return %y : tensor<8xf32>
}
