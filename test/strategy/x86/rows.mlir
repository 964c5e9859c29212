// Nests over the same rows, some of which reduce: one loop over rows; rows are reduced by lanes, if the contract
// permits partial sums.
// RUN: lw-run %s --target x86 --cpu znver4 --print-schedule | FileCheck %s
// RUN: lw-run %s --target x86 --cpu znver4 --compile-to schedule --dump-strategy 2>&1 | FileCheck %s --check-prefix=DUMP

// CHECK-LABEL: transform.sched.function @softmax in
// CHECK-NEXT:  transform.sched.sample_categorical "reduce.width" in %f{{[0-9]+}} candidates [{{.*}}] decision 64
// CHECK-NEXT:  transform.sched.sample_categorical "exp.width" in %f{{[0-9]+}} candidates [{{.*}}] decision 64
// CHECK-NEXT:  transform.sched.sample_categorical "reduce_1.width" in %f{{[0-9]+}} candidates [{{.*}}] decision 64
// CHECK-NEXT:  transform.sched.sample_categorical "div.width" in %f{{[0-9]+}} candidates [{{.*}}] decision 64
// CHECK-NEXT:  transform.sched.split "reduce:l" in %f{{[0-9]+}} factors "-1, $reduce.width"
// CHECK-NEXT:  transform.sched.rfactor "reduce:l.1" in %f{{[0-9]+}} factor_axis 3
// CHECK-NEXT:  transform.sched.reorder ["rf_reduce:i", "rf_reduce:j", "rf_reduce:k", "rf_reduce:l.0", "rf_reduce:rf_l.1"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.vectorize "rf_reduce:rf_l.1" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.split "reduce_1:l" in %f{{[0-9]+}} factors "-1, $reduce_1.width"
// CHECK-NEXT:  transform.sched.rfactor "reduce_1:l.1" in %f{{[0-9]+}} factor_axis 3
// CHECK-NEXT:  transform.sched.reorder ["rf_reduce_1:i", "rf_reduce_1:j", "rf_reduce_1:k", "rf_reduce_1:l.0", "rf_reduce_1:rf_l.1"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.vectorize "rf_reduce_1:rf_l.1" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.merge ["rf_reduce:k", "reduce:k", "exp:k", "rf_reduce_1:k", "reduce_1:k", "div:k"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.vectorize "exp:l" in %f{{[0-9]+}} factor "$exp.width"
// CHECK-NEXT:  transform.sched.prefetch "exp:l.0" in %f{{[0-9]+}} buffer "arg0" distance 8
// CHECK-NEXT:  transform.sched.vectorize "div:l" in %f{{[0-9]+}} factor "$div.width"
// CHECK-NEXT:  transform.sched.annotate "div" in %f{{[0-9]+}} key "nontemporal" value true
// CHECK-NEXT:  transform.sched.parallel "div:i" in %f{{[0-9]+}}
// CHECK-NEXT:  {{transform.yield|%f}}
// DUMP-LABEL: function softmax:
// DUMP:       group reduce, exp, reduce_1, div
// DUMP:       30 x86.rows: chosen
func.func @softmax(%x: tensor<64x12x512x512xf32>) -> tensor<64x12x512x512xf32> attributes {loop.fp = "reassoc"} {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %rows = tensor.empty() : tensor<64x12x512xf32>
  %empty = tensor.empty() : tensor<64x12x512x512xf32>
  %l = linalg.fill ins(%low : f32) outs(%rows : tensor<64x12x512xf32>) -> tensor<64x12x512xf32>
  %z = linalg.fill ins(%zero : f32) outs(%rows : tensor<64x12x512xf32>) -> tensor<64x12x512xf32>
  %max = linalg.reduce { arith.maximumf } ins(%x : tensor<64x12x512x512xf32>) outs(%l : tensor<64x12x512xf32>) dimensions = [3]
  %exp = linalg.generic {indexing_maps = [affine_map<(b, h, i, j) -> (b, h, i, j)>, affine_map<(b, h, i, j) -> (b, h, i)>, affine_map<(b, h, i, j) -> (b, h, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x, %max : tensor<64x12x512x512xf32>, tensor<64x12x512xf32>) outs(%empty : tensor<64x12x512x512xf32>) {
  ^bb0(%a: f32, %m: f32, %out: f32):
    %d = arith.subf %a, %m : f32
    %e = math.exp %d : f32
    linalg.yield %e : f32
  } -> tensor<64x12x512x512xf32>
  %sum = linalg.reduce { arith.addf } ins(%exp : tensor<64x12x512x512xf32>) outs(%z : tensor<64x12x512xf32>) dimensions = [3]
  %r = linalg.generic {indexing_maps = [affine_map<(b, h, i, j) -> (b, h, i, j)>, affine_map<(b, h, i, j) -> (b, h, i)>, affine_map<(b, h, i, j) -> (b, h, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%exp, %sum : tensor<64x12x512x512xf32>, tensor<64x12x512xf32>) outs(%empty : tensor<64x12x512x512xf32>) {
  ^bb0(%a: f32, %s: f32, %out: f32):
    %q = arith.divf %a, %s : f32
    linalg.yield %q : f32
  } -> tensor<64x12x512x512xf32>
  return %r : tensor<64x12x512x512xf32>
}

// CHECK-LABEL: transform.sched.function @strict in
// CHECK-NEXT:  transform.sched.parallel "reduce:i" in %f{{[0-9]+}}
// CHECK-NEXT:  {{transform.yield|%f}}
// DUMP-LABEL: function strict:
// DUMP:       group reduce
// DUMP:       30 x86.rows: chosen
func.func @strict(%x: tensor<400x1000xf32>) -> tensor<400xf32> {
  %zero = arith.constant 0.0 : f32
  %rows = tensor.empty() : tensor<400xf32>
  %z = linalg.fill ins(%zero : f32) outs(%rows : tensor<400xf32>) -> tensor<400xf32>
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<400x1000xf32>) outs(%z : tensor<400xf32>) dimensions = [1]
  return %sum : tensor<400xf32>
}

// CHECK-LABEL: transform.sched.function @short in
// CHECK-NEXT:  {{transform.yield|%f}}
// DUMP-LABEL: function short:
// DUMP:       group reduce
// DUMP:       30 x86.rows: chosen
func.func @short(%x: tensor<4000x20xf32>) -> tensor<4000xf32> attributes {loop.fp = "reassoc"} {
  %zero = arith.constant 0.0 : f32
  %rows = tensor.empty() : tensor<4000xf32>
  %z = linalg.fill ins(%zero : f32) outs(%rows : tensor<4000xf32>) -> tensor<4000xf32>
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<4000x20xf32>) outs(%z : tensor<4000xf32>) dimensions = [1]
  return %sum : tensor<4000xf32>
}
