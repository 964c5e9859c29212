// RUN: lw-run %S/../../examples/row_sum.mlir --input %S/../../examples/row_sum.x.npy --input %S/../../examples/row_sum.y.npy --check %S/../../examples/row_sum.out.npy | FileCheck %s
// RUN: lw-run %S/../../examples/row_sum.mlir --compile-to loop | FileCheck %s --check-prefix=LOOP
// The commands that README.md shows.
// CHECK: result 0: 2xf32, max error 0.000e0 (bound 6.050e-4): passed
// LOOP: loop.block "reduce_add" [%vi: spatial 2, %vj: reduce 3] = (%i, %j)
// LOOP-NEXT: reads(%exp[%vi : 1, %vj : 1]) writes(%arg2[%vi : 1])
// LOOP-NEXT: reducer(add, 0.000000e+00) {
