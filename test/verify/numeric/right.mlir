// Pipelines that preserve results: nothing is reported, and the output is the same as without the
// checks.
// RUN: lw-opt %s --verify-each=numeric --convert-linalg-to-loop --convert-loop-to-scf --canonicalize --cse --promote-buffers --form-fma --canonicalize --verify-diagnostics -o %t.checked
// RUN: lw-opt %s --convert-linalg-to-loop --convert-loop-to-scf --canonicalize --cse --promote-buffers --form-fma --canonicalize | diff - %t.checked
// RUN: lw-opt %s --verify-each=numeric --convert-linalg-to-loop --sched-split='loop=matmul:j factors=-1,4' --sched-reorder='loops=matmul:j.0,matmul:i' --sched-parallel=loop=matmul:j.0 --sched-vectorize=loop=matmul:j.1 --convert-loop-to-scf --canonicalize --outline-parallel-loops --expand-small-floats --expand-math --verify-diagnostics | FileCheck %s
// RUN: lw-opt %s --verify-each=numeric --pass-pipeline='builtin.module(one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},func.func(convert-linalg-to-affine-loops,affine-loop-normalize,lower-affine),buffer-results-to-out-params,canonicalize)' --verify-diagnostics | FileCheck %s --check-prefix=UPSTREAM

// CHECK: loop.parallel_call
// UPSTREAM: scf.for

func.func @matmul(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c0 : tensor<?x?xf32>
  %n = tensor.dim %b, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %p = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%f : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %p : tensor<?x?xf32>
}
