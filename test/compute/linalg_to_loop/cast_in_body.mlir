// A cast in a body, of a tensor from outside: what it presupposes is required, and the body reads the tensor itself.
// RUN: lw-opt %s --convert-linalg-to-loop | FileCheck %s
// RUN: lw-run %s --entry numbers --output %t.x.npy --output %t.at.npy --output %t.y.npy
// RUN: lw-run %s --entry gather --execute input --input %t.x.npy --input %t.at.npy --check %t.y.npy | FileCheck %s --check-prefix=PASS
// RUN: lw-run %s --entry gather --input %t.x.npy --input %t.at.npy --check %t.y.npy | FileCheck %s --check-prefix=PASS
// RUN: not lw-run %s --entry gather --execute input --input %t.at.npy --input %t.at.npy 2>&1 | FileCheck %s --check-prefix=INPUT
// RUN: not lw-run %s --entry gather --target x86 --input %t.at.npy --input %t.at.npy 2>&1 | FileCheck %s --check-prefix=X86
// INPUT: error: computes sizes [2] for a value of type tensor<3xi64>
// X86: error: {{.*}}dimension 0 of argument 0 is 2, expected 3
// PASS: passed

// CHECK: #[[SET:.+]] = affine_set<()[s0] : (s0 - 3 == 0)>
// CHECK: func.func @gather({{.*}} attributes {loop.requires = #[[SET]]}
// CHECK: memref.load %arg0[%{{.*}}] : memref<?xi64>
func.func @gather(%x: tensor<?xi64>, %at: tensor<2xi64>) -> tensor<2xi64> {
  %e = tensor.empty() : tensor<2xi64>
  %y = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%at : tensor<2xi64>) outs(%e : tensor<2xi64>) {
  ^bb0(%k: i64, %o: i64):
    %i = arith.index_cast %k : i64 to index
    %three = tensor.cast %x : tensor<?xi64> to tensor<3xi64>
    %v = tensor.extract %three[%i] : tensor<3xi64>
    linalg.yield %v : i64
  } -> tensor<2xi64>
  return %y : tensor<2xi64>
}
func.func @numbers() -> (tensor<3xi64>, tensor<2xi64>, tensor<2xi64>) {
  %x = arith.constant dense<[7, 8, 9]> : tensor<3xi64>
  %at = arith.constant dense<[2, 0]> : tensor<2xi64>
  %y = arith.constant dense<[9, 7]> : tensor<2xi64>
  return %x, %at, %y : tensor<3xi64>, tensor<2xi64>, tensor<2xi64>
}
