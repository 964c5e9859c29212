// extract_slice of one row, one column and one element as tensors of lower rank.
func.func @main(%x: tensor<7x5xbf16>) -> (tensor<5xbf16>, tensor<7xbf16>, tensor<bf16>) {
  %row = tensor.extract_slice %x[3, 0] [1, 5] [1, 1] : tensor<7x5xbf16> to tensor<5xbf16>
  %column = tensor.extract_slice %x[0, 4] [7, 1] [1, 1] : tensor<7x5xbf16> to tensor<7xbf16>
  %cell = tensor.extract_slice %x[6, 2] [1, 1] [1, 1] : tensor<7x5xbf16> to tensor<bf16>
  return %row, %column, %cell : tensor<5xbf16>, tensor<7xbf16>, tensor<bf16>
}
