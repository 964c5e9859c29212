// Changes that the contract permits are not reported: under fast, a multiplication and an addition are rounded once.
// Under the strict contract this is reported, with the MLIR pass that does it.
// RUN: lw-opt %s --verify-each=numeric --convert-linalg-to-loop --convert-loop-to-scf --canonicalize --form-fma --verify-diagnostics | FileCheck %s
// RUN: not lw-opt %S/Inputs/contractable.mlir --verify-each=numeric --canonicalize --math-uplift-to-fma --cse 2>&1 | FileCheck %s --check-prefix=STRICT

// CHECK: math.fma
// STRICT: contractable.mlir:3:1: error: after pass 'math-uplift-to-fma' @strict computes something else: "result 0" is {{.*}} at [], expected {{.*}}; sizes none, values fractions, seed 3
#id = affine_map<(i) -> (i)>
func.func @fast(%x: tensor<?xf32>, %y: tensor<?xf32>, %z: tensor<?xf32>) -> tensor<?xf32> attributes {loop.fp = "fast"} {
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%x, %y : tensor<?xf32>, tensor<?xf32>) outs(%z : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %p, %c : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}
