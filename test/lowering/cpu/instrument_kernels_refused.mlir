// The name of the marks is taken (C2).
// RUN: not lw-run %s --target x86 --no-schedule --profile --compile-from loop --compile-to schedule 2>&1 | FileCheck %s
// CHECK: instrument_kernels_refused.mlir:[[#@LINE+1]]:1: error: 'func.func' op has the name 'lw_profile_mark', expected another name (C2)
func.func private @lw_profile_mark(%x: memref<8xf32>) {
  return
}
