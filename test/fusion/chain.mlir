// Two products in one group (R5): the second reads rows that are computed from the first.
// RUN: lw-opt %s --graph-fuse-ops='explain=true' -o /dev/null 2>&1 | FileCheck %s
// RUN: lw-opt %s --graph-fuse-ops | FileCheck %s --check-prefix=GROUPS
#ij = affine_map<(i, j) -> (i, j)>
#r = affine_map<(i, j) -> (i)>
#c = affine_map<(i, j) -> (j)>

// Attention of one head.
// CHECK:     remark: loc("scores"): group of matmul (anchor), maximum (reduction), exp (broadcast), add (reduction), div (broadcast), matmul (anchor)
// CHECK-DAG: remark: loc("max"): maximum reads 16384 bytes from matmul at scores: fused, blocks: a block of rows of the value is computed, and then read by the second of two anchors
// CHECK-DAG: remark: loc("sum"): add reads 16384 bytes from exp at exp: fused, rows: both run over the same rows, in 1 loops
// CHECK-DAG: remark: loc("out"): matmul reads 16384 bytes from div at weights: fused, blocks: a block of rows of the value is computed, and then read by the second of two anchors
// GROUPS-LABEL: func.func @attention(
// GROUPS:       graph.fusion
// GROUPS-NOT:   graph.fusion
// GROUPS:       return
func.func @attention(%q: tensor<64x16xf32>, %k: tensor<16x64xf32>, %v: tensor<64x32xf32>) -> tensor<64x32xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %se = tensor.empty() : tensor<64x64xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<64x64xf32>) -> tensor<64x64xf32>
  %scores = linalg.matmul ins(%q, %k : tensor<64x16xf32>, tensor<16x64xf32>) outs(%sz : tensor<64x64xf32>) -> tensor<64x64xf32> loc("scores")
  %re = tensor.empty() : tensor<64xf32>
  %rl = linalg.fill ins(%low : f32) outs(%re : tensor<64xf32>) -> tensor<64xf32>
  %rz = linalg.fill ins(%zero : f32) outs(%re : tensor<64xf32>) -> tensor<64xf32>
  %max = linalg.generic {indexing_maps = [#ij, #r], iterator_types = ["parallel", "reduction"]} ins(%scores : tensor<64x64xf32>) outs(%rl : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.maximumf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<64xf32> loc("max")
  %exp = linalg.generic {indexing_maps = [#ij, #r, #ij], iterator_types = ["parallel", "parallel"]} ins(%scores, %max : tensor<64x64xf32>, tensor<64xf32>) outs(%se : tensor<64x64xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.subf %a, %b : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<64x64xf32> loc("exp")
  %sum = linalg.generic {indexing_maps = [#ij, #r], iterator_types = ["parallel", "reduction"]} ins(%exp : tensor<64x64xf32>) outs(%rz : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<64xf32> loc("sum")
  %p = linalg.generic {indexing_maps = [#ij, #r, #ij], iterator_types = ["parallel", "parallel"]} ins(%exp, %sum : tensor<64x64xf32>, tensor<64xf32>) outs(%se : tensor<64x64xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.divf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<64x64xf32> loc("weights")
  %oe = tensor.empty() : tensor<64x32xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<64x32xf32>) -> tensor<64x32xf32>
  %out = linalg.matmul ins(%p, %v : tensor<64x64xf32>, tensor<64x32xf32>) outs(%oz : tensor<64x32xf32>) -> tensor<64x32xf32> loc("out")
  return %out : tensor<64x32xf32>
}

// The lengths of sums and rows together are the most.
// GROUPS-LABEL: func.func @widest(
// GROUPS:       graph.fusion
// GROUPS-NOT:   graph.fusion
// GROUPS:       return
func.func @widest(%q: tensor<64x128xf32>, %k: tensor<128x64xf32>, %v: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %se = tensor.empty() : tensor<64x64xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<64x64xf32>) -> tensor<64x64xf32>
  %scores = linalg.matmul ins(%q, %k : tensor<64x128xf32>, tensor<128x64xf32>) outs(%sz : tensor<64x64xf32>) -> tensor<64x64xf32> loc("scores")
  %re = tensor.empty() : tensor<64xf32>
  %rl = linalg.fill ins(%low : f32) outs(%re : tensor<64xf32>) -> tensor<64xf32>
  %rz = linalg.fill ins(%zero : f32) outs(%re : tensor<64xf32>) -> tensor<64xf32>
  %max = linalg.generic {indexing_maps = [#ij, #r], iterator_types = ["parallel", "reduction"]} ins(%scores : tensor<64x64xf32>) outs(%rl : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.maximumf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<64xf32> loc("max")
  %exp = linalg.generic {indexing_maps = [#ij, #r, #ij], iterator_types = ["parallel", "parallel"]} ins(%scores, %max : tensor<64x64xf32>, tensor<64xf32>) outs(%se : tensor<64x64xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.subf %a, %b : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<64x64xf32> loc("exp")
  %sum = linalg.generic {indexing_maps = [#ij, #r], iterator_types = ["parallel", "reduction"]} ins(%exp : tensor<64x64xf32>) outs(%rz : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<64xf32> loc("sum")
  %p = linalg.generic {indexing_maps = [#ij, #r, #ij], iterator_types = ["parallel", "parallel"]} ins(%exp, %sum : tensor<64x64xf32>, tensor<64xf32>) outs(%se : tensor<64x64xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.divf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<64x64xf32> loc("weights")
  %oe = tensor.empty() : tensor<64x128xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<64x128xf32>) -> tensor<64x128xf32>
  %out = linalg.matmul ins(%p, %v : tensor<64x64xf32>, tensor<64x128xf32>) outs(%oz : tensor<64x128xf32>) -> tensor<64x128xf32> loc("out")
  return %out : tensor<64x128xf32>
}

// All keys and values would be read again for each block of rows.
// GROUPS-LABEL: func.func @wide(
// GROUPS-COUNT-3: graph.fusion
// GROUPS:       return
func.func @wide(%q: tensor<64x128xf32>, %k: tensor<128x64xf32>, %v: tensor<64x129xf32>) -> tensor<64x129xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %se = tensor.empty() : tensor<64x64xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<64x64xf32>) -> tensor<64x64xf32>
  %scores = linalg.matmul ins(%q, %k : tensor<64x128xf32>, tensor<128x64xf32>) outs(%sz : tensor<64x64xf32>) -> tensor<64x64xf32> loc("scores")
  %re = tensor.empty() : tensor<64xf32>
  %rl = linalg.fill ins(%low : f32) outs(%re : tensor<64xf32>) -> tensor<64xf32>
  %rz = linalg.fill ins(%zero : f32) outs(%re : tensor<64xf32>) -> tensor<64xf32>
  %max = linalg.generic {indexing_maps = [#ij, #r], iterator_types = ["parallel", "reduction"]} ins(%scores : tensor<64x64xf32>) outs(%rl : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.maximumf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<64xf32> loc("max")
  %exp = linalg.generic {indexing_maps = [#ij, #r, #ij], iterator_types = ["parallel", "parallel"]} ins(%scores, %max : tensor<64x64xf32>, tensor<64xf32>) outs(%se : tensor<64x64xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.subf %a, %b : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<64x64xf32> loc("exp")
  %sum = linalg.generic {indexing_maps = [#ij, #r], iterator_types = ["parallel", "reduction"]} ins(%exp : tensor<64x64xf32>) outs(%rz : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<64xf32> loc("sum")
  %p = linalg.generic {indexing_maps = [#ij, #r, #ij], iterator_types = ["parallel", "parallel"]} ins(%exp, %sum : tensor<64x64xf32>, tensor<64xf32>) outs(%se : tensor<64x64xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.divf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<64x64xf32> loc("weights")
  %oe = tensor.empty() : tensor<64x129xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<64x129xf32>) -> tensor<64x129xf32>
  %out = linalg.matmul ins(%p, %v : tensor<64x64xf32>, tensor<64x129xf32>) outs(%oz : tensor<64x129xf32>) -> tensor<64x129xf32> loc("out")
  return %out : tensor<64x129xf32>
}

// The weights are a result, too, so they must be stored.
// GROUPS-LABEL: func.func @weights(
// GROUPS-COUNT-3: graph.fusion
// GROUPS:       return
func.func @weights(%q: tensor<64x16xf32>, %k: tensor<16x64xf32>, %v: tensor<64x32xf32>) -> (tensor<64x32xf32>, tensor<64x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %se = tensor.empty() : tensor<64x64xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<64x64xf32>) -> tensor<64x64xf32>
  %scores = linalg.matmul ins(%q, %k : tensor<64x16xf32>, tensor<16x64xf32>) outs(%sz : tensor<64x64xf32>) -> tensor<64x64xf32> loc("scores")
  %re = tensor.empty() : tensor<64xf32>
  %rl = linalg.fill ins(%low : f32) outs(%re : tensor<64xf32>) -> tensor<64xf32>
  %rz = linalg.fill ins(%zero : f32) outs(%re : tensor<64xf32>) -> tensor<64xf32>
  %max = linalg.generic {indexing_maps = [#ij, #r], iterator_types = ["parallel", "reduction"]} ins(%scores : tensor<64x64xf32>) outs(%rl : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.maximumf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<64xf32> loc("max")
  %exp = linalg.generic {indexing_maps = [#ij, #r, #ij], iterator_types = ["parallel", "parallel"]} ins(%scores, %max : tensor<64x64xf32>, tensor<64xf32>) outs(%se : tensor<64x64xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.subf %a, %b : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<64x64xf32> loc("exp")
  %sum = linalg.generic {indexing_maps = [#ij, #r], iterator_types = ["parallel", "reduction"]} ins(%exp : tensor<64x64xf32>) outs(%rz : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<64xf32> loc("sum")
  %p = linalg.generic {indexing_maps = [#ij, #r, #ij], iterator_types = ["parallel", "parallel"]} ins(%exp, %sum : tensor<64x64xf32>, tensor<64xf32>) outs(%se : tensor<64x64xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.divf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<64x64xf32> loc("weights")
  %oe = tensor.empty() : tensor<64x32xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<64x32xf32>) -> tensor<64x32xf32>
  %out = linalg.matmul ins(%p, %v : tensor<64x64xf32>, tensor<64x32xf32>) outs(%oz : tensor<64x32xf32>) -> tensor<64x32xf32> loc("out")
  return %out, %p : tensor<64x32xf32>, tensor<64x64xf32>
}

// Without ops on rows, the first product would gain nothing.
// GROUPS-LABEL: func.func @no_rows(
// GROUPS-COUNT-2: graph.fusion
// GROUPS:       return
func.func @no_rows(%q: tensor<64x16xf32>, %k: tensor<16x64xf32>, %v: tensor<64x32xf32>) -> tensor<64x32xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %se = tensor.empty() : tensor<64x64xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<64x64xf32>) -> tensor<64x64xf32>
  %scores = linalg.matmul ins(%q, %k : tensor<64x16xf32>, tensor<16x64xf32>) outs(%sz : tensor<64x64xf32>) -> tensor<64x64xf32> loc("scores")
  %oe = tensor.empty() : tensor<64x32xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<64x32xf32>) -> tensor<64x32xf32>
  %out = linalg.matmul ins(%scores, %v : tensor<64x64xf32>, tensor<64x32xf32>) outs(%oz : tensor<64x32xf32>) -> tensor<64x32xf32> loc("out")
  return %out : tensor<64x32xf32>
}

// All sizes must be known.
// GROUPS-LABEL: func.func @dynamic(
// GROUPS-COUNT-3: graph.fusion
// GROUPS:       return
func.func @dynamic(%q: tensor<?x16xf32>, %k: tensor<16x64xf32>, %v: tensor<64x32xf32>) -> tensor<?x32xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %q, %c0 : tensor<?x16xf32>
  %se = tensor.empty(%n) : tensor<?x64xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<?x64xf32>) -> tensor<?x64xf32>
  %scores = linalg.matmul ins(%q, %k : tensor<?x16xf32>, tensor<16x64xf32>) outs(%sz : tensor<?x64xf32>) -> tensor<?x64xf32> loc("scores")
  %re = tensor.empty(%n) : tensor<?xf32>
  %rl = linalg.fill ins(%low : f32) outs(%re : tensor<?xf32>) -> tensor<?xf32>
  %rz = linalg.fill ins(%zero : f32) outs(%re : tensor<?xf32>) -> tensor<?xf32>
  %max = linalg.generic {indexing_maps = [#ij, #r], iterator_types = ["parallel", "reduction"]} ins(%scores : tensor<?x64xf32>) outs(%rl : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.maximumf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<?xf32> loc("max")
  %exp = linalg.generic {indexing_maps = [#ij, #r, #ij], iterator_types = ["parallel", "parallel"]} ins(%scores, %max : tensor<?x64xf32>, tensor<?xf32>) outs(%se : tensor<?x64xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.subf %a, %b : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<?x64xf32> loc("exp")
  %sum = linalg.generic {indexing_maps = [#ij, #r], iterator_types = ["parallel", "reduction"]} ins(%exp : tensor<?x64xf32>) outs(%rz : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<?xf32> loc("sum")
  %p = linalg.generic {indexing_maps = [#ij, #r, #ij], iterator_types = ["parallel", "parallel"]} ins(%exp, %sum : tensor<?x64xf32>, tensor<?xf32>) outs(%se : tensor<?x64xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.divf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<?x64xf32> loc("weights")
  %oe = tensor.empty(%n) : tensor<?x32xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<?x32xf32>) -> tensor<?x32xf32>
  %out = linalg.matmul ins(%p, %v : tensor<?x64xf32>, tensor<64x32xf32>) outs(%oz : tensor<?x32xf32>) -> tensor<?x32xf32> loc("out")
  return %out : tensor<?x32xf32>
}

// A softmax of columns needs all rows.
// GROUPS-LABEL: func.func @columns(
// GROUPS-COUNT-3: graph.fusion
// GROUPS:       return
func.func @columns(%q: tensor<64x16xf32>, %k: tensor<16x64xf32>, %v: tensor<64x32xf32>) -> tensor<64x32xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %se = tensor.empty() : tensor<64x64xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<64x64xf32>) -> tensor<64x64xf32>
  %scores = linalg.matmul ins(%q, %k : tensor<64x16xf32>, tensor<16x64xf32>) outs(%sz : tensor<64x64xf32>) -> tensor<64x64xf32> loc("scores")
  %re = tensor.empty() : tensor<64xf32>
  %rl = linalg.fill ins(%low : f32) outs(%re : tensor<64xf32>) -> tensor<64xf32>
  %rz = linalg.fill ins(%zero : f32) outs(%re : tensor<64xf32>) -> tensor<64xf32>
  %max = linalg.generic {indexing_maps = [#ij, #c], iterator_types = ["reduction", "parallel"]} ins(%scores : tensor<64x64xf32>) outs(%rl : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.maximumf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<64xf32> loc("max")
  %exp = linalg.generic {indexing_maps = [#ij, #c, #ij], iterator_types = ["parallel", "parallel"]} ins(%scores, %max : tensor<64x64xf32>, tensor<64xf32>) outs(%se : tensor<64x64xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.subf %a, %b : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<64x64xf32> loc("exp")
  %sum = linalg.generic {indexing_maps = [#ij, #c], iterator_types = ["reduction", "parallel"]} ins(%exp : tensor<64x64xf32>) outs(%rz : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<64xf32> loc("sum")
  %p = linalg.generic {indexing_maps = [#ij, #c, #ij], iterator_types = ["parallel", "parallel"]} ins(%exp, %sum : tensor<64x64xf32>, tensor<64xf32>) outs(%se : tensor<64x64xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.divf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<64x64xf32> loc("weights")
  %oe = tensor.empty() : tensor<64x32xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<64x32xf32>) -> tensor<64x32xf32>
  %out = linalg.matmul ins(%p, %v : tensor<64x64xf32>, tensor<64x32xf32>) outs(%oz : tensor<64x32xf32>) -> tensor<64x32xf32> loc("out")
  return %out : tensor<64x32xf32>
}
