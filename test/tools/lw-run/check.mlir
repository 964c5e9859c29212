// --check compares integers and booleans exactly, unless --atol allows a difference; --rtol is for floats.
// RUN: lw-run %s --entry expected --output large.npy --output flag.npy --output at.npy --output floats.npy
// RUN: lw-run %s --entry expected --check large.npy --check flag.npy --check at.npy --check floats.npy | FileCheck %s --check-prefix=SAME
// RUN: not lw-run %s --check large.npy --check flag.npy --check at.npy --check floats.npy | FileCheck %s --check-prefix=OTHER
// RUN: not lw-run %s --check large.npy --check flag.npy --check at.npy --check floats.npy --target x86 | FileCheck %s --check-prefix=OTHER
// RUN: not lw-run %s --check large.npy --rtol 0.5 | FileCheck %s --check-prefix=RTOL
// RUN: not lw-run %s --check large.npy --atol 2.9 | FileCheck %s --check-prefix=BELOW
// RUN: lw-run %s --check large.npy --check flag.npy --check at.npy --atol 3 | FileCheck %s --check-prefix=ATOL
// RUN: not lw-run %s --check large.npy --json | FileCheck %s --check-prefix=JSON

// SAME:      result 0: 3xi64, max error 0 (bound 0): passed
// SAME-NEXT: result 1: 2xbool, max error 0 (bound 0): passed
// SAME-NEXT: result 2: 1xi32, max error 0 (bound 0): passed
// SAME-NEXT: result 3: 2xf32, max error 0.000e0 (bound 2.001e-1): passed

// OTHER:      result 0: 3xi64, max error 3 (bound 0): FAILED, worst at [0]
// OTHER-NEXT: result 1: 2xbool, max error 1 (bound 0): FAILED, worst at [1]
// OTHER-NEXT: result 2: 1xi32, max error 1 (bound 0): FAILED, worst at [0]
// OTHER-NEXT: result 3: 2xf32, max error 1.250e-1 (bound 2.001e-1): passed

// RTOL:  result 0: 3xi64, max error 3 (bound 0): FAILED, worst at [0]
// BELOW: result 0: 3xi64, max error 3 (bound 2): FAILED, worst at [0]

// ATOL:      result 0: 3xi64, max error 3 (bound 3): passed
// ATOL-NEXT: result 1: 2xbool, max error 1 (bound 3): passed
// ATOL-NEXT: result 2: 1xi32, max error 1 (bound 3): passed

// JSON: "max_abs_error":3.0,"max_abs_reference":49999.0,"bound":0.0,"worst_index":[0],"passed":false}
func.func @expected() -> (tensor<3xi64>, tensor<2xi1>, tensor<1xi32>, tensor<2xf32>) {
  %large = arith.constant dense<[0, 49999, 7]> : tensor<3xi64>
  %flag = arith.constant dense<[true, false]> : tensor<2xi1>
  %at = arith.constant dense<70000> : tensor<1xi32>
  %floats = arith.constant dense<[2000.0, 0.0]> : tensor<2xf32>
  return %large, %flag, %at, %floats : tensor<3xi64>, tensor<2xi1>, tensor<1xi32>, tensor<2xf32>
}

func.func @main() -> (tensor<3xi64>, tensor<2xi1>, tensor<1xi32>, tensor<2xf32>) {
  %large = arith.constant dense<[3, 49999, 9]> : tensor<3xi64>
  %flag = arith.constant dense<[true, true]> : tensor<2xi1>
  %at = arith.constant dense<70001> : tensor<1xi32>
  %floats = arith.constant dense<[2000.0, 0.125]> : tensor<2xf32>
  return %large, %flag, %at, %floats : tensor<3xi64>, tensor<2xi1>, tensor<1xi32>, tensor<2xf32>
}
