// Two matrices of integers from -4 to 4, whose product is exact in f32.
#id = affine_map<(i, j) -> (i, j)>
func.func @main() -> (tensor<512x512xf32>, tensor<512x512xf32>) {
  %empty = tensor.empty() : tensor<512x512xf32>
  %A = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]}
      outs(%empty : tensor<512x512xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %n = affine.apply affine_map<(i, j) -> ((i * 7 + j * 3) mod 9 - 4)>(%i, %j)
    %integer = arith.index_cast %n : index to i32
    %number = arith.sitofp %integer : i32 to f32
    linalg.yield %number : f32
  } -> tensor<512x512xf32>
  %B = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]}
      outs(%empty : tensor<512x512xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %n = affine.apply affine_map<(i, j) -> ((i * 5 + j * 11) mod 9 - 4)>(%i, %j)
    %integer = arith.index_cast %n : index to i32
    %number = arith.sitofp %integer : i32 to f32
    linalg.yield %number : f32
  } -> tensor<512x512xf32>
  return %A, %B : tensor<512x512xf32>, tensor<512x512xf32>
}
