// Arithmetic on f8E5M2FNUZ.
func.func @main(%x: tensor<100xf8E5M2FNUZ>, %y: tensor<100xf8E5M2FNUZ>) -> (tensor<100xf8E5M2FNUZ>, tensor<100xf8E5M2FNUZ>, tensor<100xf8E5M2FNUZ>, tensor<100xf8E5M2FNUZ>, tensor<100xf8E5M2FNUZ>, tensor<100xf8E5M2FNUZ>, tensor<100xf8E5M2FNUZ>, tensor<100xf8E5M2FNUZ>) {
  %r0 = arith.addf %x, %y : tensor<100xf8E5M2FNUZ>
  %r1 = arith.subf %x, %y : tensor<100xf8E5M2FNUZ>
  %r2 = arith.mulf %x, %y : tensor<100xf8E5M2FNUZ>
  %r3 = arith.maximumf %x, %y : tensor<100xf8E5M2FNUZ>
  %r4 = arith.minimumf %x, %y : tensor<100xf8E5M2FNUZ>
  %r5 = arith.negf %x : tensor<100xf8E5M2FNUZ>
  %r6_empty = tensor.empty() : tensor<100xf8E5M2FNUZ>
  %r6 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x, %y : tensor<100xf8E5M2FNUZ>, tensor<100xf8E5M2FNUZ>) outs(%r6_empty : tensor<100xf8E5M2FNUZ>) {
  ^bb0(%in0: f8E5M2FNUZ, %in1: f8E5M2FNUZ, %out0: f8E5M2FNUZ):
    %c = arith.cmpf olt, %in0, %in1 : f8E5M2FNUZ
    %h = arith.constant 0.5 : f8E5M2FNUZ
    %v = arith.select %c, %in0, %h : f8E5M2FNUZ
    linalg.yield %v : f8E5M2FNUZ
  } -> tensor<100xf8E5M2FNUZ>
  %r7_empty = tensor.empty() : tensor<100xf8E5M2FNUZ>
  %r7 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<100xf8E5M2FNUZ>) outs(%r7_empty : tensor<100xf8E5M2FNUZ>) {
  ^bb0(%in0: f8E5M2FNUZ, %out0: f8E5M2FNUZ):
    %n = arith.fptosi %in0 : f8E5M2FNUZ to i32
    %v = arith.sitofp %n : i32 to f8E5M2FNUZ
    linalg.yield %v : f8E5M2FNUZ
  } -> tensor<100xf8E5M2FNUZ>
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7 : tensor<100xf8E5M2FNUZ>, tensor<100xf8E5M2FNUZ>, tensor<100xf8E5M2FNUZ>, tensor<100xf8E5M2FNUZ>, tensor<100xf8E5M2FNUZ>, tensor<100xf8E5M2FNUZ>, tensor<100xf8E5M2FNUZ>, tensor<100xf8E5M2FNUZ>
}
