// RUN: lw-run %S/Inputs/transpose.mlir --schedule %s --compile-to schedule --verify-each numeric | FileCheck %s
// RUN: lw-run %S/Inputs/transpose.mlir --schedule %s --compile-to vector --verify-each numeric | FileCheck %s --check-prefix=VECTOR
// A transpose in tiles, with masks at the edges.
// CHECK:      loop.for parallel %i.0
// CHECK-NEXT:   loop.for serial %j.0
// CHECK-NEXT:     loop.for unroll %i.1 in 8
// CHECK-NEXT:       loop.for vectorize %j.1 in 8
// VECTOR:     vector<8xf32>

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op) {
    %f = transform.sched.function @main in %module version 1
    transform.sched.call @transpose_tile in %f with {block = "transpose", tile = 8}
    transform.yield
  }
}
