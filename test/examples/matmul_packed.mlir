// The schedule with packed panels computes what the function computes.
// RUN: lw-run %S/../../examples/matmul.mlir --target x86 --input random:1 --input random:2 --output %t.npy
// RUN: lw-run %S/../../examples/matmul.mlir --target x86 --input random:1 --input random:2 --check %t.npy \
// RUN:   --schedule %S/../../examples/matmul.packed.schedule.mlir | FileCheck %s
// CHECK: passed
