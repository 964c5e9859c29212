// The conditions of a strategy are on the sizes of its group, whatever was scheduled before: the sums have three sizes of
// their own.
// RUN: lw-opt %s --convert-linalg-to-loop --schedule-by-strategy='cpu=znver4 dump=true' -o /dev/null 2>&1 | FileCheck %s

// CHECK: group reduce
// CHECK: group matmul
// CHECK: x86.product.tiled: chosen if dim(arg1, 0) >= 2 and dim(arg2, 1) >= 8
func.func @main(%s: tensor<?x?x?xf32>, %a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %p = tensor.dim %s, %c0 : tensor<?x?x?xf32>
  %q = tensor.dim %s, %c1 : tensor<?x?x?xf32>
  %e = tensor.empty(%p, %q) : tensor<?x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %sums = linalg.reduce ins(%s : tensor<?x?x?xf32>) outs(%f : tensor<?x?xf32>) dimensions = [2]
    (%x: f32, %sum: f32) {
      %t = arith.addf %sum, %x : f32
      linalg.yield %t : f32
    }
  %m = tensor.dim %a, %c0 : tensor<?x?xf32>
  %n = tensor.dim %b, %c1 : tensor<?x?xf32>
  %g = tensor.empty(%m, %n) : tensor<?x?xf32>
  %h = linalg.fill ins(%zero : f32) outs(%g : tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%h : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %sums, %r : tensor<?x?xf32>, tensor<?x?xf32>
}
