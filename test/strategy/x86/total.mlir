// Reductions to one value: parts on threads, each reduced by lanes; whole vectors of partial results.
// RUN: lw-run %s --target x86 --cpu znver4 --print-schedule | FileCheck %s
// RUN: lw-run %s --target x86 --cpu znver4 --compile-to schedule --dump-strategy 2>&1 | FileCheck %s --check-prefix=DUMP

// CHECK-LABEL: transform.sched.function @large in
// CHECK-NEXT:  transform.sched.sample_categorical "reduce.parts" in %f{{[0-9]+}} candidates [{{.*}}] decision 64
// CHECK-NEXT:  transform.sched.sample_categorical "reduce.width" in %f{{[0-9]+}} candidates [{{.*}}] decision 128
// CHECK-NEXT:  transform.sched.split "reduce:i" in %f{{[0-9]+}} factors "$reduce.parts, -1"
// CHECK-NEXT:  transform.sched.rfactor "reduce:i.0" in %f{{[0-9]+}} factor_axis 0
// CHECK-NEXT:  transform.sched.split "rf_reduce:i.1" in %f{{[0-9]+}} factors "-1, $reduce.width"
// CHECK-NEXT:  transform.sched.rfactor "rf_reduce:i.1.1" in %f{{[0-9]+}} factor_axis 1
// CHECK-NEXT:  transform.sched.reorder ["rf_rf_reduce:rf_i.0", "rf_rf_reduce:i.1.0", "rf_rf_reduce:rf_i.1.1"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.vectorize "rf_rf_reduce:rf_i.1.1" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.merge ["rf_rf_reduce:rf_i.0", "rf_reduce:rf_i.0"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.parallel "rf_rf_reduce:rf_i.0" in %f{{[0-9]+}}
// CHECK-NEXT:  {{transform.yield|%f}}
// DUMP-LABEL: function large:
// DUMP:       group reduce
// DUMP:       30 x86.total: chosen
func.func @large(%x: tensor<1000000xf32>) -> tensor<f32> attributes {loop.fp = "reassoc"} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<1000000xf32>) outs(%z : tensor<f32>) dimensions = [0]
  return %sum : tensor<f32>
}

// CHECK-LABEL: transform.sched.function @small in
// CHECK-NEXT:  transform.sched.sample_categorical "reduce.width" in %f{{[0-9]+}} candidates [{{.*}}] decision 64
// CHECK-NEXT:  transform.sched.split "reduce:i" in %f{{[0-9]+}} factors "-1, $reduce.width"
// CHECK-NEXT:  transform.sched.rfactor "reduce:i.1" in %f{{[0-9]+}} factor_axis 0
// CHECK-NEXT:  transform.sched.reorder ["rf_reduce:i.0", "rf_reduce:rf_i.1"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.vectorize "rf_reduce:rf_i.1" in %f{{[0-9]+}}
// CHECK-NEXT:  {{transform.yield|%f}}
// DUMP-LABEL: function small:
// DUMP:       group reduce
// DUMP:       30 x86.total: chosen
func.func @small(%x: tensor<1000xf32>) -> tensor<f32> attributes {loop.fp = "reassoc"} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<1000xf32>) outs(%z : tensor<f32>) dimensions = [0]
  return %sum : tensor<f32>
}

// Several loops reduce: each iteration of the outermost one is a part.
// CHECK-LABEL: transform.sched.function @matrix in
// CHECK-NEXT:  transform.sched.sample_categorical "reduce.width" in %f{{[0-9]+}} candidates [{{.*}}] decision 64
// CHECK-NEXT:  transform.sched.rfactor "reduce:i" in %f{{[0-9]+}} factor_axis 0
// CHECK-NEXT:  transform.sched.split "rf_reduce:j" in %f{{[0-9]+}} factors "-1, $reduce.width"
// CHECK-NEXT:  transform.sched.rfactor "rf_reduce:j.1" in %f{{[0-9]+}} factor_axis 1
// CHECK:       transform.sched.vectorize "rf_rf_reduce:rf_j.1" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.merge ["rf_rf_reduce:rf_i", "rf_reduce:rf_i"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.parallel "rf_rf_reduce:rf_i" in %f{{[0-9]+}}
// DUMP-LABEL: function matrix:
// DUMP:       30 x86.total: chosen
func.func @matrix(%x: tensor<512x1000xf32>) -> tensor<f32> attributes {loop.fp = "reassoc"} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<512x1000xf32>) outs(%z : tensor<f32>) dimensions = [0, 1]
  return %sum : tensor<f32>
}

// Its order may not be changed.
// CHECK-LABEL: transform.sched.function @in_order in
// CHECK-NEXT:  {{transform.yield|%f}}
// DUMP-LABEL: function in_order:
// DUMP:       30 x86.total: several loops reduce, in an order that may not be changed
func.func @in_order(%x: tensor<512x1000xf32>) -> tensor<f32> attributes {loop.fp = "strict"} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<512x1000xf32>) outs(%z : tensor<f32>) dimensions = [0, 1]
  return %sum : tensor<f32>
}

// Rows of 16 elements are not worth vectors.
// CHECK-LABEL: transform.sched.function @short_rows in
// CHECK-NEXT:  {{transform.yield|%f}}
// DUMP-LABEL: function short_rows:
// DUMP:       30 x86.total: several loops reduce, and the innermost one is shorter than two vectors
func.func @short_rows(%x: tensor<512x16xf32>) -> tensor<f32> attributes {loop.fp = "reassoc"} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<512x16xf32>) outs(%z : tensor<f32>) dimensions = [0, 1]
  return %sum : tensor<f32>
}
