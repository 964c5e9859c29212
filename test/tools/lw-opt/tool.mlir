// RUN: lw-opt --help | FileCheck %s --check-prefix=HELP
// RUN: lw-opt --show-dialects | FileCheck %s --check-prefix=DIALECTS
// RUN: lw-opt %s --pass-pipeline='builtin.module(func.func(convert-graph-to-linalg),convert-linalg-to-loop{only=f})' --dump-pass-pipeline 2>&1 | FileCheck %s --check-prefix=PIPELINE
// RUN: lw-opt %s --pass-pipeline='builtin.module(func.func(convert-graph-to-linalg),convert-linalg-to-loop{only=f})' --mlir-pass-pipeline-crash-reproducer=%t.mlir --mlir-print-ir-after-all 2>&1 | FileCheck %s --check-prefix=AFTER
// RUN: not lw-opt %s --convert-linalg-to-loop=only=g --mlir-pass-pipeline-crash-reproducer=%t.fail.mlir 2>&1 | FileCheck %s --check-prefix=FAIL
// RUN: not lw-opt %t.fail.mlir --run-reproducer 2>&1 | FileCheck %s --check-prefix=FAIL
// RUN: not lw-opt %s --convert-linalg-to-loop=every=g 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: not lw-opt %s --pass-pipeline='builtin.module(func.func(convert-linalg-to-loop))' 2>&1 | FileCheck %s --check-prefix=ANCHOR
// RUN: not lw-opt %S/Inputs/broken.txt 2>&1 | FileCheck %s --check-prefix=BROKEN
// RUN: lw-opt %s --mlir-timing --convert-graph-to-linalg 2>&1 | FileCheck %s --check-prefix=TIMING
// RUN: mlir-opt --load-dialect-plugin=%{plugin} --load-pass-plugin=%{plugin} %s --pass-pipeline='builtin.module(func.func(convert-graph-to-linalg),convert-linalg-to-loop)' | FileCheck %s --check-prefix=PLUGIN

// HELP: --convert-graph-to-linalg {{.*}}Replace graph ops by their linalg definitions
// HELP: --convert-linalg-to-loop {{.*}}Lower functions on tensors to loop nests
// HELP-NEXT: --keep-assertions {{.*}}Check assertions on values other than sizes
// HELP-NEXT: --only=<string> {{.*}}The functions to convert (default: all)
// DIALECTS: graph
// DIALECTS: loop
// PIPELINE: func.func(
// PIPELINE-NEXT: convert-graph-to-linalg
// PIPELINE: convert-linalg-to-loop{keep-assertions=false only={f}}
// AFTER: IR Dump After convert-graph-to-linalg
// AFTER: IR Dump After convert-linalg-to-loop
// FAIL: error: 'builtin.module' op has no function 'g', which 'only' names
// OPTION: no such option every
// ANCHOR: Can't add pass 'convert-linalg-to-loop' restricted to 'builtin.module' on a PassManager intended to run on 'func.func'
// BROKEN: broken.txt:2:3: error:
// TIMING: convert-graph-to-linalg
// PLUGIN: loop.block "exp"
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = graph.exp %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
