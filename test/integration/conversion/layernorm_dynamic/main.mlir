// layernorm with a dynamic number of rows.
func.func @main(%x: tensor<?x13xf32>, %scale: tensor<13xf32>, %shift: tensor<13xf32>) -> tensor<?x13xf32> {
  %n_axis = arith.constant 0 : index
  %n = tensor.dim %x, %n_axis : tensor<?x13xf32>
  %zero_value = arith.constant 0.0 : f32
  %zero_empty = tensor.empty(%n) : tensor<?xf32>
  %zero = linalg.fill ins(%zero_value : f32) outs(%zero_empty : tensor<?xf32>) -> tensor<?xf32>
  %mean_sum = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<?x13xf32>) outs(%zero : tensor<?xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %s = arith.addf %in0, %out0 : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  %mean_empty = tensor.empty(%n) : tensor<?xf32>
  %mean = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%mean_sum : tensor<?xf32>) outs(%mean_empty : tensor<?xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %count = arith.constant 1.300000e+01 : f64
    %c = arith.truncf %count : f64 to f32
    %q = arith.divf %in0, %c : f32
    linalg.yield %q : f32
  } -> tensor<?xf32>
  %centred_empty = tensor.empty(%n) : tensor<?x13xf32>
  %centred = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x, %mean : tensor<?x13xf32>, tensor<?xf32>) outs(%centred_empty : tensor<?x13xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %d = arith.subf %in0, %in1 : f32
    linalg.yield %d : f32
  } -> tensor<?x13xf32>
  %square_empty = tensor.empty(%n) : tensor<?x13xf32>
  %square = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%centred : tensor<?x13xf32>) outs(%square_empty : tensor<?x13xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %p = arith.mulf %in0, %in0 : f32
    linalg.yield %p : f32
  } -> tensor<?x13xf32>
  %variance_sum = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%square : tensor<?x13xf32>) outs(%zero : tensor<?xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %s = arith.addf %in0, %out0 : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  %variance_empty = tensor.empty(%n) : tensor<?xf32>
  %variance = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%variance_sum : tensor<?xf32>) outs(%variance_empty : tensor<?xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %count = arith.constant 1.300000e+01 : f64
    %c = arith.truncf %count : f64 to f32
    %q = arith.divf %in0, %c : f32
    linalg.yield %q : f32
  } -> tensor<?xf32>
  %r_empty = tensor.empty(%n) : tensor<?x13xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%centred, %variance, %scale, %shift : tensor<?x13xf32>, tensor<?xf32>, tensor<13xf32>, tensor<13xf32>) outs(%r_empty : tensor<?x13xf32>) {
  ^bb0(%in0: f32, %in1: f32, %in2: f32, %in3: f32, %out0: f32):
    %epsilon = arith.constant 9.99999974E-6 : f32
    %v = arith.addf %in1, %epsilon : f32
    %root = math.rsqrt %v : f32
    %p = arith.mulf %in0, %root : f32
    %q = arith.mulf %p, %in2 : f32
    %s = arith.addf %q, %in3 : f32
    linalg.yield %s : f32
  } -> tensor<?x13xf32>
  return %r : tensor<?x13xf32>
}
