// A softmax whose maximum ignores NaN, and starts from NaN.
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
func.func @softmax(%x: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {loop.fp = "fast"} {
  %nan = arith.constant 0x7FC00000 : f32
  %zero = arith.constant 0.0 : f32
  %rows = tensor.empty() : tensor<4xf32>
  %all = tensor.empty() : tensor<4x8xf32>
  %nans = linalg.fill ins(%nan : f32) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %max = linalg.reduce { arith.maxnumf } ins(%x : tensor<4x8xf32>) outs(%nans : tensor<4xf32>) dimensions = [1]
  %e = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%x, %max : tensor<4x8xf32>, tensor<4xf32>) outs(%all : tensor<4x8xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %d = arith.subf %a, %m : f32
    %y = math.exp %d : f32
    linalg.yield %y : f32
  } -> tensor<4x8xf32>
  %sum = linalg.reduce { arith.addf } ins(%e : tensor<4x8xf32>) outs(%zeros : tensor<4xf32>) dimensions = [1]
  %p = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%e, %sum : tensor<4x8xf32>, tensor<4xf32>) outs(%all : tensor<4x8xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %q = arith.divf %a, %s : f32
    linalg.yield %q : f32
  } -> tensor<4x8xf32>
  return %p : tensor<4x8xf32>
}
