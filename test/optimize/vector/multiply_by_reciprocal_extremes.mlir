// Quotients by subnormal and by very large numbers, whose reciprocals are infinite or inexact: 2^-130 / 2^-140, 0 / 2^-140,
// 1.5 * 2^127 / (1.25 * 2^127), 2^127 / 2^-140.
// RUN: lw-run %s --target x86 --fp fast --compile-to vector | FileCheck %s --check-prefix=VECTOR
// RUN: lw-run %s --target x86 --fp fast --input ones | FileCheck %s
// RUN: lw-run %s --target sm_80 --device emulator --fp fast --input ones | FileCheck %s
// VECTOR: arith.divf %cst{{.*}}, %{{.*}} : f32
// VECTOR-NOT: arith.divf {{.*}} vector
// CHECK: result 0: 4x8xf32 = {{\[\[}}1024.0, {{.*}}1024.0], [0.0, {{.*}}0.0], [1.2, {{.*}}1.2], [inf, {{.*}}inf]]
#at = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @main(%ones: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %dividends = arith.constant dense<[[0x00080000], [0x00000000], [0x7F400000], [0x7F000000]]> : tensor<4x1xf32>
  %divisors = arith.constant dense<[0x00000200, 0x00000200, 0x7F200000, 0x00000200]> : tensor<4xf32>
  %e = tensor.empty() : tensor<4x8xf32>
  %sizes = tensor.empty() : tensor<4xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i) -> (i, 0)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%ones, %divisors : tensor<4x8xf32>, tensor<4xf32>) outs(%sizes : tensor<4xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.mulf %x, %y : f32
    linalg.yield %p : f32
  } -> tensor<4xf32>
  %q = linalg.generic {indexing_maps = [#at, affine_map<(i, j) -> (i, 0)>, #row, #at], iterator_types = ["parallel", "parallel"]}
      ins(%ones, %dividends, %s : tensor<4x8xf32>, tensor<4x1xf32>, tensor<4xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%x: f32, %d: f32, %y: f32, %o: f32):
    %p = arith.mulf %x, %d : f32
    %r = arith.divf %p, %y : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  return %q : tensor<4x8xf32>
}
