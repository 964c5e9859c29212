// An op of a dialect that is not known: what was found, and how such a program gets here.
// RUN: not lw-run %S/Inputs/unknown_stablehlo.mlir 2>&1 | FileCheck %s --check-prefix=STABLEHLO --implicit-check-not=Available
// RUN: not lw-run %S/Inputs/unknown_generic.mlir 2>&1 | FileCheck %s --check-prefix=GENERIC
// RUN: not lw-run %S/Inputs/unknown_type.mlir 2>&1 | FileCheck %s --check-prefix=TYPE

// STABLEHLO: unknown_stablehlo.mlir:2:8: error: found 'stablehlo.tanh' of the dialect 'stablehlo', which is not known, expected func, linalg, tensor, arith, math, scf, tosa, tm_tensor, ml_program and graph ops: convert the program with utils/stablehlo.py (docs/stablehlo.md)
// GENERIC: unknown_generic.mlir:2:{{[0-9]+}}: error: found 'onnx.Relu' of the dialect 'onnx', which is not known, {{.*}}: give the ONNX file itself
// TYPE: unknown_type.mlir:1:{{[0-9]+}}: error: found a type of the dialect 'unheard', which is not known, {{.*}}: lower the program to these first
