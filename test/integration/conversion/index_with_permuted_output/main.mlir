// linalg.index counts loops, not dimensions of the output.
func.func @main(%x: tensor<7x5xi32>) -> tensor<5x7xi32> {
  %e = tensor.empty() : tensor<5x7xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j, i)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<7x5xi32>) outs(%e : tensor<5x7xi32>) {
  ^bb0(%in0: i32, %out0: i32):
    %i = linalg.index 0 : index
    %v = arith.index_cast %i : index to i32
    %hundred = arith.constant 100 : i32
    %p = arith.muli %v, %hundred : i32
    %s = arith.addi %p, %in0 : i32
    linalg.yield %s : i32
  } -> tensor<5x7xi32>
  return %r : tensor<5x7xi32>
}
