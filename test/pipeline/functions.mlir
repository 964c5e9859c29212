// RUN: lw-run %s --entry doubled | FileCheck %s
// RUN: lw-run %s --entry doubled --target x86 | FileCheck %s
// RUN: not lw-run %s --entry refused --target x86 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: not lw-run %s --entry missing 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not lw-run %s --compile-to loop 2>&1 | FileCheck %s --check-prefix=REFUSED

// What `doubled` does not use is not compiled.

func.func @doubled() -> tensor<2xf32> {
  %x = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = call @sum(%x, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

func.func @sum(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %0 = graph.add %x, %y : tensor<2xf32>
  return %0 : tensor<2xf32>
}

func.func @refused(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = call @refused(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK: 2xf32 = [2.0, 4.0]
// REFUSED: functions.mlir:[[#@LINE - 6]]:1: error: {{.*}}calls itself
// MISSING: error: has no function 'missing', it has doubled, sum, refused
