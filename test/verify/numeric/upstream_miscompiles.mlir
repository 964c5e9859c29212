// Passes of MLIR 22 that are known to change results are named, with the smallest sizes.
// RUN: not lw-opt %S/Inputs/read_before_write.mlir --verify-each=numeric --canonicalize --affine-loop-fusion --lower-affine 2>&1 | FileCheck %s --check-prefix=WAR
// RUN: not lw-opt %S/Inputs/call_between.mlir --verify-each=numeric --canonicalize --affine-loop-fusion --lower-affine 2>&1 | FileCheck %s --check-prefix=CALL
// RUN: not lw-opt %S/Inputs/skewed.mlir --verify-each=numeric --pass-pipeline='builtin.module(canonicalize,func.func(affine-loop-tile{tile-sizes=4,4}),lower-affine)' 2>&1 | FileCheck %s --check-prefix=TILE
// RUN: not lw-opt %S/Inputs/siblings.mlir --verify-each=numeric --canonicalize --transform-interpreter --cse 2>&1 | FileCheck %s --check-prefix=SIBLING
// Without the check nothing is reported.
// RUN: lw-opt %S/Inputs/skewed.mlir --pass-pipeline='builtin.module(canonicalize,func.func(affine-loop-tile{tile-sizes=4,4}),lower-affine)'

// The second loop overwrites, in each iteration, what the first reads (llvm 212032).
// WAR: read_before_write.mlir:3:1: error: after pass 'affine-loop-fusion' @main computes something else: "a" is {{.*}} at [2], expected {{.*}}; sizes a 10, b 10, values distinct whole numbers, seed 1
// A call between the loops changes what the second reads (llvm 211591).
// CALL: error: after pass 'affine-loop-fusion' @main computes something else: "c" is {{.*}} at [0], expected
// Tiles although an iteration reads what its right neighbour in the previous row wrote (llvm 210585).
// TILE: error: after pass 'affine-loop-tile' @main computes something else: "A" is {{.*}}, expected {{.*}}; sizes A 15x15, values distinct whole numbers, seed 1
// The second loop reads what the first writes later.
// SIBLING: error: after pass 'transform-interpreter' @main computes something else: "b" is
