// Arithmetic on f8E4M3FN.
func.func @main(%x: tensor<100xf8E4M3FN>, %y: tensor<100xf8E4M3FN>) -> (tensor<100xf8E4M3FN>, tensor<100xf8E4M3FN>, tensor<100xf8E4M3FN>, tensor<100xf8E4M3FN>, tensor<100xf8E4M3FN>, tensor<100xf8E4M3FN>, tensor<100xf8E4M3FN>, tensor<100xf8E4M3FN>) {
  %r0 = arith.addf %x, %y : tensor<100xf8E4M3FN>
  %r1 = arith.subf %x, %y : tensor<100xf8E4M3FN>
  %r2 = arith.mulf %x, %y : tensor<100xf8E4M3FN>
  %r3 = arith.maximumf %x, %y : tensor<100xf8E4M3FN>
  %r4 = arith.minimumf %x, %y : tensor<100xf8E4M3FN>
  %r5 = arith.negf %x : tensor<100xf8E4M3FN>
  %r6_empty = tensor.empty() : tensor<100xf8E4M3FN>
  %r6 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x, %y : tensor<100xf8E4M3FN>, tensor<100xf8E4M3FN>) outs(%r6_empty : tensor<100xf8E4M3FN>) {
  ^bb0(%in0: f8E4M3FN, %in1: f8E4M3FN, %out0: f8E4M3FN):
    %c = arith.cmpf olt, %in0, %in1 : f8E4M3FN
    %h = arith.constant 0.5 : f8E4M3FN
    %v = arith.select %c, %in0, %h : f8E4M3FN
    linalg.yield %v : f8E4M3FN
  } -> tensor<100xf8E4M3FN>
  %r7_empty = tensor.empty() : tensor<100xf8E4M3FN>
  %r7 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<100xf8E4M3FN>) outs(%r7_empty : tensor<100xf8E4M3FN>) {
  ^bb0(%in0: f8E4M3FN, %out0: f8E4M3FN):
    %n = arith.fptosi %in0 : f8E4M3FN to i32
    %v = arith.sitofp %n : i32 to f8E4M3FN
    linalg.yield %v : f8E4M3FN
  } -> tensor<100xf8E4M3FN>
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7 : tensor<100xf8E4M3FN>, tensor<100xf8E4M3FN>, tensor<100xf8E4M3FN>, tensor<100xf8E4M3FN>, tensor<100xf8E4M3FN>, tensor<100xf8E4M3FN>, tensor<100xf8E4M3FN>, tensor<100xf8E4M3FN>
}
