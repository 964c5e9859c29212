// The semantics of affine loops, conditions and accesses:
// results of scf loops are compared with them.
// RUN: lw-opt %s --verify-each=numeric --lower-affine --canonicalize --verify-diagnostics | FileCheck %s

// CHECK-NOT: affine
func.func @triangle(%A: memref<?x?xf32>, %n: index) {
  affine.for %i = 0 to %n {
    affine.for %j = max affine_map<(i) -> (i, 1)>(%i) to min affine_map<(i)[n] -> (i + 3, n)>(%i)[%n] step 2 {
      affine.if affine_set<(i, j) : (j - i - 1 >= 0)>(%i, %j) {
        %a = affine.load %A[%i, %j - 1] : memref<?x?xf32>
        affine.store %a, %A[%i, %j] : memref<?x?xf32>
      } else {
        %b = affine.load %A[%j, %i floordiv 2] : memref<?x?xf32>
        affine.store %b, %A[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}
func.func @sum(%A: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %A, %c0 : memref<?xf32>
  %sum = affine.for %i = 0 to %n iter_args(%s = %zero) -> f32 {
    %a = affine.load %A[%i] : memref<?xf32>
    %t = arith.addf %s, %a : f32
    affine.yield %t : f32
  }
  return %sum : f32
}
