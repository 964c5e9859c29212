// RUN: lw-run %S/Inputs/layernorm.mlir --schedule %s --compile-to schedule --verify-each numeric | FileCheck %s
// RUN: lw-run %S/Inputs/layernorm.mlir --schedule %s --compile-to vector --verify-each numeric | FileCheck %s --check-prefix=VECTOR
// Layer normalization with gain and bias, with a given number of lanes.
// CHECK:      loop.for parallel %i in %dim {
// CHECK:        loop.for vectorize %rf_j.1 in 8
// CHECK:          loop.block "rf_reduce"
// CHECK:          loop.block "rf_reduce_1"
// CHECK:        loop.for vectorize %j.1 in 8
// CHECK:          loop.block "add"
// VECTOR:     arith.divf {{.*}} : vector<8xf32>

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op) {
    %f = transform.sched.function @main in %module version 1
    transform.sched.call @layernorm_rows in %f with {sum = "reduce", squares = "reduce_1", normalized = "add", lanes = 8}
    transform.yield
  }
}
