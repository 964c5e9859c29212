// RUN: lw-run %S/Inputs/softmax.mlir --schedule %s --compile-to schedule --verify-each numeric | FileCheck %s
// RUN: lw-run %S/Inputs/softmax.mlir --schedule %s --target x86 --cpu znver4 --compile-to vector --verify-each numeric | FileCheck %s --check-prefix=VECTOR
// Softmax of rows of any length, in one loop over rows.
// CHECK:      loop.for parallel %i in %dim {
// CHECK:        loop.for vectorize %rf_j.1 in 16
// CHECK:          loop.block "rf_reduce"
// CHECK:        loop.block "reduce"
// CHECK:        loop.for vectorize %j.1 in 16
// CHECK:          loop.block "exp"
// CHECK:          loop.block "rf_reduce_1"
// CHECK:        loop.block "reduce_1"
// CHECK:        loop.for vectorize %j.1 in 16
// CHECK:          loop.block "div"
// CHECK-NOT:  loop.for parallel
// VECTOR-DAG: math.exp {{.*}} : vector<16xf32>
// VECTOR-DAG: arith.maximumf {{.*}} : vector<16xf32>

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op) {
    %f = transform.sched.function @main in %module version 1
    transform.sched.call @softmax_rows in %f with {largest = "reduce", exp = "exp", sum = "reduce_1", quotient = "div"}
    transform.yield
  }
}
