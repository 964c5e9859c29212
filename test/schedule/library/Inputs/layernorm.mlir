func.func @main(%x: tensor<?x?xf32>, %gain: tensor<?xf32>, %bias: tensor<?xf32>) -> tensor<?x?xf32> attributes {loop.fp = "reassoc"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x?xf32>
  %m = tensor.dim %x, %c1 : tensor<?x?xf32>
  %zero = arith.constant 0.0 : f32
  %i = arith.index_cast %m : index to i64
  %count = arith.sitofp %i : i64 to f32
  %rows = tensor.empty(%n) : tensor<?xf32>
  %full = tensor.empty(%n, %m) : tensor<?x?xf32>
  %z = linalg.fill ins(%zero : f32) outs(%rows : tensor<?xf32>) -> tensor<?xf32>
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<?x?xf32>) outs(%z : tensor<?xf32>) dimensions = [1]
  %var = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x, %sum : tensor<?x?xf32>, tensor<?xf32>) outs(%z : tensor<?xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %mean = arith.divf %s, %count : f32
    %d = arith.subf %a, %mean : f32
    %q = arith.mulf %d, %d : f32
    %r = arith.addf %o, %q : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x, %sum, %var, %gain, %bias : tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) outs(%full : tensor<?x?xf32>) {
  ^bb0(%a: f32, %s: f32, %v: f32, %g: f32, %b: f32, %o: f32):
    %mean = arith.divf %s, %count : f32
    %d = arith.subf %a, %mean : f32
    %eps = arith.constant 1.0e-05 : f32
    %mv = arith.divf %v, %count : f32
    %w = arith.addf %mv, %eps : f32
    %q = math.sqrt %w : f32
    %n0 = arith.divf %d, %q : f32
    %n1 = arith.mulf %n0, %g : f32
    %n2 = arith.addf %n1, %b : f32
    linalg.yield %n2 : f32
  } -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}
