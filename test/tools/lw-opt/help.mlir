// The help of this package alone, and a reader that ends early.
// RUN: lw-opt --loopwright-help | FileCheck %s --implicit-check-not=canonicalize --implicit-check-not=affine-
// RUN: lw-opt --help 2> %t.err | head -1 | FileCheck %s --check-prefix=FIRST
// RUN: lw-opt --loopwright-help 2>> %t.err | head -1 | FileCheck %s --check-prefix=FIRST
// RUN: lw-opt %s --mlir-print-ir-after-all 2>&1 | head -1
// RUN: test ! -s %t.err

// FIRST: This help:

// CHECK:      lw-opt MODULE --pass-report
// CHECK:      {{^}}Passes on tensors:
// CHECK-NEXT: --channels-last Store
// CHECK-NEXT: --compensate-signed-bytes Make
// CHECK-NEXT: --convert-graph-to-linalg Replace graph ops by their linalg definitions
// CHECK:      --convert-linalg-to-loop
// CHECK-NEXT: only=TEXT,.. The functions to convert (default: all)
// CHECK:      {{^}}Passes on loop nests:
// CHECK:      --convert-loop-to-scf
// CHECK-NEXT: vector-bits=NUMBER The width of a vector register, in bits (default: 512)
// CHECK:      {{^}}Passes on vector form:
// CHECK:      {{^}}Passes on kernels:
// CHECK:      {{^}}Pipelines:
// CHECK:      --lw-x86-pipeline
// CHECK:      {{^}}Schedule primitives: loop:
// CHECK:      --sched-split
// CHECK:      {{^}}Schedule primitives: location:
// CHECK:      --sched-compute-at
// CHECK:      {{^}}Traces as passes:
// CHECK:      --sched-apply
func.func @f() {
  return
}
