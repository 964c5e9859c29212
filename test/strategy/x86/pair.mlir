// Two products, and ops on the rows of the first between them: blocks of rows are computed in one loop.
// RUN: lw-run %s --target x86 --cpu znver4 --print-schedule | FileCheck %s
// RUN: lw-run %s --target x86 --cpu znver4 --compile-to schedule --dump-strategy 2>&1 | FileCheck %s --check-prefix=DUMP
// RUN: lw-run %s --target x86 --cpu haswell --compile-to schedule --dump-strategy 2>&1 | FileCheck %s --check-prefix=SMALL
#all = affine_map<(h, i, j) -> (h, i, j)>
#rows = affine_map<(h, i, j) -> (h, i)>

// CHECK-LABEL: transform.sched.function @heads in
// CHECK-NEXT:  transform.sched.sample_categorical "reduce.width" in %f{{[0-9]+}} candidates [{{.*}}] decision 64
// CHECK-NEXT:  transform.sched.sample_categorical "exp.width" in %f{{[0-9]+}} candidates [{{.*}}] decision 64
// CHECK-NEXT:  transform.sched.sample_categorical "reduce_1.width" in %f{{[0-9]+}} candidates [{{.*}}] decision 64
// CHECK-NEXT:  transform.sched.sample_categorical "div.width" in %f{{[0-9]+}} candidates [{{.*}}] decision 64
// CHECK-NEXT:  transform.sched.split "batch_matmul:j" in %f{{[0-9]+}} factors [-1, 8, 8]
// CHECK-NEXT:  transform.sched.split "batch_matmul:k" in %f{{[0-9]+}} factors [-1, 48]
// CHECK-NEXT:  transform.sched.reorder ["batch_matmul:i", "batch_matmul:j.0", "batch_matmul:k.0", "batch_matmul:j.1", "batch_matmul:l", "batch_matmul:j.2", "batch_matmul:k.1"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.vectorize "batch_matmul:k.1" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.unroll "batch_matmul:j.2" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.split "reduce:k" in %f{{[0-9]+}} factors "-1, $reduce.width"
// CHECK-NEXT:  transform.sched.rfactor "reduce:k.1" in %f{{[0-9]+}} factor_axis 2
// CHECK-NEXT:  transform.sched.reorder ["rf_reduce:i", "rf_reduce:j", "rf_reduce:k.0", "rf_reduce:rf_k.1"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.vectorize "rf_reduce:rf_k.1" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.split "reduce_1:k" in %f{{[0-9]+}} factors "-1, $reduce_1.width"
// CHECK-NEXT:  transform.sched.rfactor "reduce_1:k.1" in %f{{[0-9]+}} factor_axis 2
// CHECK-NEXT:  transform.sched.reorder ["rf_reduce_1:i", "rf_reduce_1:j", "rf_reduce_1:k.0", "rf_reduce_1:rf_k.1"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.vectorize "rf_reduce_1:rf_k.1" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.merge ["rf_reduce:j", "reduce:j", "exp:j", "rf_reduce_1:j", "reduce_1:j", "div:j"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.vectorize "exp:k" in %f{{[0-9]+}} factor "$exp.width"
// CHECK-NEXT:  transform.sched.vectorize "div:k" in %f{{[0-9]+}} factor "$div.width"
// CHECK-NEXT:  transform.sched.split "div:j" in %f{{[0-9]+}} factors [-1, 64]
// CHECK-NEXT:  transform.sched.split "batch_matmul_1:j" in %f{{[0-9]+}} factors [-1, 16, 4]
// CHECK-NEXT:  transform.sched.reorder ["batch_matmul_1:i", "batch_matmul_1:j.0", "batch_matmul_1:j.1", "batch_matmul_1:l", "batch_matmul_1:j.2", "batch_matmul_1:k"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.vectorize "batch_matmul_1:k" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.unroll "batch_matmul_1:j.2" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.merge ["batch_matmul:j.0", "div:j.0", "batch_matmul_1:j.0"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.fuse ["batch_matmul:i", "batch_matmul:j.0"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.parallel "batch_matmul:i_j.0_fused" in %f{{[0-9]+}}
// CHECK-NEXT:  {{transform.yield|%f}}
// DUMP-LABEL: function heads:
// DUMP:       group batch_matmul, reduce, exp, reduce_1, div, batch_matmul_1
// DUMP:       51 x86.product.pair: chosen
// DUMP:       40 x86.product.tiled: the group has two products
// A smaller second-level cache has room for fewer rows.
// SMALL-LABEL: function heads:
// SMALL:       51 x86.product.pair: chosen
// SMALL:       loop.for serial %j.1 in 32 axis(tile_inner from "j" pair "j.0")
func.func @heads(%q: tensor<12x512x64xf32>, %k: tensor<12x64x512xf32>, %v: tensor<12x512x64xf32>) -> tensor<12x512x64xf32> attributes {loop.fp = "fast"} {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %se = tensor.empty() : tensor<12x512x512xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<12x512x512xf32>) -> tensor<12x512x512xf32>
  %scores = linalg.batch_matmul ins(%q, %k : tensor<12x512x64xf32>, tensor<12x64x512xf32>) outs(%sz : tensor<12x512x512xf32>) -> tensor<12x512x512xf32>
  %re = tensor.empty() : tensor<12x512xf32>
  %rl = linalg.fill ins(%low : f32) outs(%re : tensor<12x512xf32>) -> tensor<12x512xf32>
  %rz = linalg.fill ins(%zero : f32) outs(%re : tensor<12x512xf32>) -> tensor<12x512xf32>
  %max = linalg.reduce { arith.maximumf } ins(%scores : tensor<12x512x512xf32>) outs(%rl : tensor<12x512xf32>) dimensions = [2]
  %exp = linalg.generic {indexing_maps = [#all, #rows, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%scores, %max : tensor<12x512x512xf32>, tensor<12x512xf32>) outs(%se : tensor<12x512x512xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.subf %a, %b : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<12x512x512xf32>
  %sum = linalg.reduce { arith.addf } ins(%exp : tensor<12x512x512xf32>) outs(%rz : tensor<12x512xf32>) dimensions = [2]
  %p = linalg.generic {indexing_maps = [#all, #rows, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%exp, %sum : tensor<12x512x512xf32>, tensor<12x512xf32>) outs(%se : tensor<12x512x512xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.divf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<12x512x512xf32>
  %oe = tensor.empty() : tensor<12x512x64xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<12x512x64xf32>) -> tensor<12x512x64xf32>
  %out = linalg.batch_matmul ins(%p, %v : tensor<12x512x512xf32>, tensor<12x512x64xf32>) outs(%oz : tensor<12x512x64xf32>) -> tensor<12x512x64xf32>
  return %out : tensor<12x512x64xf32>
}

// No part of all rows is a block. So each part is a group.
// DUMP-LABEL: function odd:
// DUMP:       group batch_matmul, reduce, exp, reduce_1, div, batch_matmul_1
// DUMP:       51 x86.product.pair: no block of 16 to 166 rows divides 197 rows
// DUMP:       group batch_matmul
// DUMP:       51 x86.product.pair: the group does not have two products
// DUMP:       40 x86.product.tiled: chosen
// DUMP:       group reduce, exp, reduce_1, div
// DUMP:       30 x86.rows: chosen
// DUMP:       group batch_matmul_1
// DUMP:       40 x86.product.tiled: chosen
func.func @odd(%q: tensor<12x197x64xf32>, %k: tensor<12x64x197xf32>, %v: tensor<12x197x64xf32>) -> tensor<12x197x64xf32> attributes {loop.fp = "fast"} {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %se = tensor.empty() : tensor<12x197x197xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<12x197x197xf32>) -> tensor<12x197x197xf32>
  %scores = linalg.batch_matmul ins(%q, %k : tensor<12x197x64xf32>, tensor<12x64x197xf32>) outs(%sz : tensor<12x197x197xf32>) -> tensor<12x197x197xf32>
  %re = tensor.empty() : tensor<12x197xf32>
  %rl = linalg.fill ins(%low : f32) outs(%re : tensor<12x197xf32>) -> tensor<12x197xf32>
  %rz = linalg.fill ins(%zero : f32) outs(%re : tensor<12x197xf32>) -> tensor<12x197xf32>
  %max = linalg.reduce { arith.maximumf } ins(%scores : tensor<12x197x197xf32>) outs(%rl : tensor<12x197xf32>) dimensions = [2]
  %exp = linalg.generic {indexing_maps = [#all, #rows, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%scores, %max : tensor<12x197x197xf32>, tensor<12x197xf32>) outs(%se : tensor<12x197x197xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.subf %a, %b : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<12x197x197xf32>
  %sum = linalg.reduce { arith.addf } ins(%exp : tensor<12x197x197xf32>) outs(%rz : tensor<12x197xf32>) dimensions = [2]
  %p = linalg.generic {indexing_maps = [#all, #rows, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%exp, %sum : tensor<12x197x197xf32>, tensor<12x197xf32>) outs(%se : tensor<12x197x197xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.divf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<12x197x197xf32>
  %oe = tensor.empty() : tensor<12x197x64xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<12x197x64xf32>) -> tensor<12x197x64xf32>
  %out = linalg.batch_matmul ins(%p, %v : tensor<12x197x197xf32>, tensor<12x197x64xf32>) outs(%oz : tensor<12x197x64xf32>) -> tensor<12x197x64xf32>
  return %out : tensor<12x197x64xf32>
}

// Rows of an unknown number are no group of two products.
// DUMP-LABEL: function dynamic_batch_matmul:
// DUMP:       51 x86.product.pair: the group does not have two products
func.func @dynamic(%q: tensor<12x?x64xf32>, %k: tensor<12x64x512xf32>, %v: tensor<12x512x64xf32>) -> tensor<12x?x64xf32> attributes {loop.fp = "fast"} {
  %one = arith.constant 1 : index
  %n = tensor.dim %q, %one : tensor<12x?x64xf32>
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %se = tensor.empty(%n) : tensor<12x?x512xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<12x?x512xf32>) -> tensor<12x?x512xf32>
  %scores = linalg.batch_matmul ins(%q, %k : tensor<12x?x64xf32>, tensor<12x64x512xf32>) outs(%sz : tensor<12x?x512xf32>) -> tensor<12x?x512xf32>
  %re = tensor.empty(%n) : tensor<12x?xf32>
  %rl = linalg.fill ins(%low : f32) outs(%re : tensor<12x?xf32>) -> tensor<12x?xf32>
  %rz = linalg.fill ins(%zero : f32) outs(%re : tensor<12x?xf32>) -> tensor<12x?xf32>
  %max = linalg.reduce { arith.maximumf } ins(%scores : tensor<12x?x512xf32>) outs(%rl : tensor<12x?xf32>) dimensions = [2]
  %exp = linalg.generic {indexing_maps = [#all, #rows, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%scores, %max : tensor<12x?x512xf32>, tensor<12x?xf32>) outs(%se : tensor<12x?x512xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.subf %a, %b : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<12x?x512xf32>
  %sum = linalg.reduce { arith.addf } ins(%exp : tensor<12x?x512xf32>) outs(%rz : tensor<12x?xf32>) dimensions = [2]
  %p = linalg.generic {indexing_maps = [#all, #rows, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%exp, %sum : tensor<12x?x512xf32>, tensor<12x?xf32>) outs(%se : tensor<12x?x512xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.divf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<12x?x512xf32>
  %oe = tensor.empty(%n) : tensor<12x?x64xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<12x?x64xf32>) -> tensor<12x?x64xf32>
  %out = linalg.batch_matmul ins(%p, %v : tensor<12x?x512xf32>, tensor<12x512x64xf32>) outs(%oz : tensor<12x?x64xf32>) -> tensor<12x?x64xf32>
  return %out : tensor<12x?x64xf32>
}

// DUMP-LABEL: function narrow:
// DUMP:       51 x86.product.pair: batch_matmul has narrow factors, for which other strategies are faster
// DUMP:       57 x86.product.vdpbf16ps: chosen
func.func @narrow(%q: tensor<12x512x64xbf16>, %k: tensor<12x64x512xbf16>, %v: tensor<12x512x64xf32>) -> tensor<12x512x64xf32> attributes {loop.fp = "fast"} {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %se = tensor.empty() : tensor<12x512x512xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<12x512x512xf32>) -> tensor<12x512x512xf32>
  %scores = linalg.batch_matmul ins(%q, %k : tensor<12x512x64xbf16>, tensor<12x64x512xbf16>) outs(%sz : tensor<12x512x512xf32>) -> tensor<12x512x512xf32>
  %re = tensor.empty() : tensor<12x512xf32>
  %rl = linalg.fill ins(%low : f32) outs(%re : tensor<12x512xf32>) -> tensor<12x512xf32>
  %rz = linalg.fill ins(%zero : f32) outs(%re : tensor<12x512xf32>) -> tensor<12x512xf32>
  %max = linalg.reduce { arith.maximumf } ins(%scores : tensor<12x512x512xf32>) outs(%rl : tensor<12x512xf32>) dimensions = [2]
  %exp = linalg.generic {indexing_maps = [#all, #rows, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%scores, %max : tensor<12x512x512xf32>, tensor<12x512xf32>) outs(%se : tensor<12x512x512xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.subf %a, %b : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<12x512x512xf32>
  %sum = linalg.reduce { arith.addf } ins(%exp : tensor<12x512x512xf32>) outs(%rz : tensor<12x512xf32>) dimensions = [2]
  %p = linalg.generic {indexing_maps = [#all, #rows, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%exp, %sum : tensor<12x512x512xf32>, tensor<12x512xf32>) outs(%se : tensor<12x512x512xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.divf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<12x512x512xf32>
  %oe = tensor.empty() : tensor<12x512x64xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<12x512x64xf32>) -> tensor<12x512x64xf32>
  %out = linalg.batch_matmul ins(%p, %v : tensor<12x512x512xf32>, tensor<12x512x64xf32>) outs(%oz : tensor<12x512x64xf32>) -> tensor<12x512x64xf32>
  return %out : tensor<12x512x64xf32>
}
