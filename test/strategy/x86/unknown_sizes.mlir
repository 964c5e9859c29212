// Rows of unknown length, and products of an unknown number of rows, keep their sums in registers.
// RUN: lw-run %s --target x86 --cpu x86-64-v4 --fp fast --compile-to vector | FileCheck %s

// The sum of a row: a loop over whole vectors, and one over the rest.
// CHECK-LABEL: func.func @rows(
// CHECK:         scf.for {{.*}} iter_args({{.*}} -> (vector<16xf32>
// CHECK:           vector.load
// CHECK:         vector.maskedload
func.func @rows(%x: tensor<32x?xf32>) -> tensor<32xf32> {
  %y = graph.reduce add %x dims = [1] : tensor<32x?xf32> -> tensor<32xf32>
  return %y : tensor<32xf32>
}

// The last tile has a copy of the loop for each number of its rows, from five down to one.
// CHECK-LABEL: func.func @product(
// CHECK:         scf.for {{.*}} to %c64 step {{.*}} iter_args({{.*}} -> (vector<16xf32>
// CHECK-COUNT-5: scf.for {{.*}} to %c64 step {{.*}} iter_args({{.*}} -> (vector<16xf32>
func.func @product(%x: tensor<?x64xf32>, %w: tensor<64x256xf32>) -> tensor<?x256xf32> {
  %y = graph.matmul %x, %w : tensor<?x64xf32>, tensor<64x256xf32> -> tensor<?x256xf32>
  return %y : tensor<?x256xf32>
}
