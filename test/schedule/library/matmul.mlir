// RUN: lw-run %S/Inputs/matmul.mlir --schedule %s --compile-to schedule --verify-each numeric | FileCheck %s
// RUN: lw-run %S/Inputs/matmul.mlir --schedule %s --target x86 --cpu znver4 --compile-to vector --verify-each numeric | FileCheck %s --check-prefix=VECTOR
// A matrix product with register tiles.
// CHECK:      loop.for parallel %j.0
// CHECK-NEXT:   loop.for serial %i.0
// CHECK-NEXT:     loop.for serial %k
// CHECK-NEXT:       loop.for unroll %i.1 in 4
// CHECK-NEXT:         loop.for vectorize %j.1 in 64
// VECTOR:     vector<16xf32>

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op) {
    %f = transform.sched.function @main in %module version 1
    transform.sched.call @matmul_register_tile in %f with {block = "matmul"}
    transform.yield
  }
}
