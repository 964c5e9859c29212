// The output of --pass-report: for passes that change the IR, for one that does not, for one that fails; and nothing if
// no pass has run.
// RUN: lw-opt %s --convert-graph-to-linalg --convert-linalg-to-loop --ir-simplify --pass-report -o /dev/null 2>&1 | FileCheck %s
// RUN: not lw-opt %s --convert-graph-to-linalg --convert-linalg-to-loop --convert-linalg-to-loop=only=x --pass-report -o /dev/null 2>&1 | FileCheck %s --check-prefix=FAILED
// RUN: not lw-opt %s.missing --convert-linalg-to-loop --pass-report 2>&1 | FileCheck %s --check-prefix=NONE

// CHECK:       pass{{ +}}on{{ +}}time{{ +}}result
// CHECK-NEXT:  convert-graph-to-linalg{{ +}}@main{{ +}}{{[0-9.]+}} ms{{ +}}changed
// CHECK-NEXT:  convert-linalg-to-loop{{ +}}builtin.module{{ +}}{{[0-9.]+}} ms{{ +}}changed
// CHECK-NEXT:  ir-simplify{{ +}}@main{{ +}}{{[0-9.]+}} ms{{ +}}unchanged
// FAILED:      convert-linalg-to-loop{{ +}}builtin.module{{ +}}{{[0-9.]+}} ms{{ +}}changed
// FAILED-NEXT: convert-linalg-to-loop{{ +}}builtin.module{{ +}}{{[0-9.]+}} ms{{ +}}failed
// NONE:        cannot open input file
// NONE-NOT:    result

func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %z = graph.relu %x : tensor<8xf32>
  return %z : tensor<8xf32>
}
