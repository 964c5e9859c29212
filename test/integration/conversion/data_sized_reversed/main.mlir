// The first elements, in reverse order, between zeros and the rest: a slice, an op that reads it, an insert and a pad.
func.func @main(%x: tensor<8xf32>, %data: tensor<i64>) -> tensor<10xf32> {
  %n_data = tensor.extract %data[] : tensor<i64>
  %n = arith.index_cast %n_data : i64 to index
  %one = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %last = arith.subi %n, %one : index
  %s = tensor.extract_slice %x[0] [%n] [1] : tensor<8xf32> to tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %reversed = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%e : tensor<?xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %from = arith.subi %last, %i : index
    %v = tensor.extract %s[%from] : tensor<?xf32>
    linalg.yield %v : f32
  } -> tensor<?xf32>
  %y = tensor.insert_slice %reversed into %x[0] [%n] [1] : tensor<?xf32> into tensor<8xf32>
  %two = arith.constant 2 : index
  %low = arith.minsi %n, %two : index
  %high = arith.subi %two, %low : index
  %r = tensor.pad %y low[%low] high[%high] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<8xf32> to tensor<10xf32>
  return %r : tensor<10xf32>
}
