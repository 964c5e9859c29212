// Attention of 12 heads over 512 positions: softmax(q kᵀ / 8) v. The maximum has its index, as PyTorch exports it.
func.func @main(%q: tensor<1x12x512x64xf32>, %k: tensor<1x12x512x64xf32>, %v: tensor<1x12x512x64xf32>) -> tensor<1x12x512x64xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %none = arith.constant 0 : i64
  %eight = arith.constant 8.0 : f32
  %kt_empty = tensor.empty() : tensor<1x12x64x512xf32>
  %kt = linalg.transpose ins(%k : tensor<1x12x512x64xf32>) outs(%kt_empty : tensor<1x12x64x512xf32>) permutation = [0, 1, 3, 2]
  %qs = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<1x12x512x64xf32> into tensor<12x512x64xf32>
  %ks = tensor.collapse_shape %kt [[0, 1], [2], [3]] : tensor<1x12x64x512xf32> into tensor<12x64x512xf32>
  %vs = tensor.collapse_shape %v [[0, 1], [2], [3]] : tensor<1x12x512x64xf32> into tensor<12x512x64xf32>
  %empty = tensor.empty() : tensor<12x512x512xf32>
  %s_start = linalg.fill ins(%zero : f32) outs(%empty : tensor<12x512x512xf32>) -> tensor<12x512x512xf32>
  %s = linalg.batch_matmul ins(%qs, %ks : tensor<12x512x64xf32>, tensor<12x64x512xf32>) outs(%s_start : tensor<12x512x512xf32>) -> tensor<12x512x512xf32>
  %scaled = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s : tensor<12x512x512xf32>) outs(%empty : tensor<12x512x512xf32>) {
  ^bb0(%x: f32, %o: f32):
    %d = arith.divf %x, %eight : f32
    linalg.yield %d : f32
  } -> tensor<12x512x512xf32>
  %rows = tensor.empty() : tensor<12x512xf32>
  %places = tensor.empty() : tensor<12x512xi64>
  %max_start = linalg.fill ins(%low : f32) outs(%rows : tensor<12x512xf32>) -> tensor<12x512xf32>
  %place_start = linalg.fill ins(%none : i64) outs(%places : tensor<12x512xi64>) -> tensor<12x512xi64>
  %max:2 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>, affine_map<(b, i, j) -> (b, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%scaled : tensor<12x512x512xf32>) outs(%max_start, %place_start : tensor<12x512xf32>, tensor<12x512xi64>) {
  ^bb0(%x: f32, %m: f32, %p: i64):
    %j = linalg.index 2 : index
    %here = arith.index_cast %j : index to i64
    %larger = arith.maximumf %x, %m : f32
    %is_larger = arith.cmpf ogt, %x, %m : f32
    %place = arith.select %is_larger, %here, %p : i64
    linalg.yield %larger, %place : f32, i64
  } -> (tensor<12x512xf32>, tensor<12x512xi64>)
  %e = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%scaled, %max#0 : tensor<12x512x512xf32>, tensor<12x512xf32>) outs(%empty : tensor<12x512x512xf32>) {
  ^bb0(%x: f32, %m: f32, %o: f32):
    %d = arith.subf %x, %m : f32
    %y = math.exp %d : f32
    linalg.yield %y : f32
  } -> tensor<12x512x512xf32>
  %sum_start = linalg.fill ins(%zero : f32) outs(%rows : tensor<12x512xf32>) -> tensor<12x512xf32>
  %sum = linalg.reduce { arith.addf } ins(%e : tensor<12x512x512xf32>) outs(%sum_start : tensor<12x512xf32>) dimensions = [2]
  %p = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%e, %sum : tensor<12x512x512xf32>, tensor<12x512xf32>) outs(%empty : tensor<12x512x512xf32>) {
  ^bb0(%x: f32, %m: f32, %o: f32):
    %d = arith.divf %x, %m : f32
    linalg.yield %d : f32
  } -> tensor<12x512x512xf32>
  %r_empty = tensor.empty() : tensor<12x512x64xf32>
  %r_start = linalg.fill ins(%zero : f32) outs(%r_empty : tensor<12x512x64xf32>) -> tensor<12x512x64xf32>
  %r = linalg.batch_matmul ins(%p, %vs : tensor<12x512x512xf32>, tensor<12x512x64xf32>) outs(%r_start : tensor<12x512x64xf32>) -> tensor<12x512x64xf32>
  %out = tensor.expand_shape %r [[0, 1], [2], [3]] output_shape [1, 12, 512, 64] : tensor<12x512x64xf32> into tensor<1x12x512x64xf32>
  return %out : tensor<1x12x512x64xf32>
}
