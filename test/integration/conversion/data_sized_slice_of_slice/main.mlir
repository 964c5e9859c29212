// A slice of a slice whose size is data, which is from outside of a branch.
func.func @main(%x: tensor<9xf32>, %data: tensor<2xi64>, %flag: i1) -> tensor<3xf32> {
  %at_place = arith.constant 0 : index
  %at_data = tensor.extract %data[%at_place] : tensor<2xi64>
  %at = arith.index_cast %at_data : i64 to index
  %n_place = arith.constant 1 : index
  %n_data = tensor.extract %data[%n_place] : tensor<2xi64>
  %n = arith.index_cast %n_data : i64 to index
  %s = tensor.extract_slice %x[%at] [%n] [1] : tensor<9xf32> to tensor<?xf32>
  %r = scf.if %flag -> tensor<3xf32> {
    %t = tensor.extract_slice %s[1] [3] [2] : tensor<?xf32> to tensor<3xf32>
    scf.yield %t : tensor<3xf32>
  } else {
    %t = tensor.extract_slice %x[0] [3] [1] : tensor<9xf32> to tensor<3xf32>
    scf.yield %t : tensor<3xf32>
  }
  return %r : tensor<3xf32>
}
