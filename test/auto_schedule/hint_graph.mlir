// RUN: lw-opt %s --convert-linalg-to-loop --hint-graph -o /dev/null 2>&1 | FileCheck %s
// RUN: lw-opt %s --graph-fuse-ops --outline-fusion-groups --convert-linalg-to-loop --hint-graph -o /dev/null 2>&1 | FileCheck %s --check-prefix=GROUP

#row = affine_map<(i, j) -> (i)>
#both = affine_map<(i, j) -> (i, j)>

// The rows that are summed are those that are divided: one axis, and so are the columns.
// CHECK: hint-graph @normalize
// CHECK-NEXT: axis size is
// CHECK-NEXT: z0 12 [[SUM:[a-z_0-9]+]]:vi, [[DIV:[a-z_0-9]+]]:vi
// CHECK-NEXT: z1 64 [[SUM]]:vj, [[DIV]]:vj
// CHECK-NEXT: node "[[SUM]]": axis [z0], reduces [z1]
// CHECK-NEXT: reads "arg0" at [z0, z1]
// CHECK-NEXT: writes "[[SUM]]" at [z0], keeps [z1]
// CHECK-NEXT: node "[[DIV]]": axis [z0, z1]
// CHECK-NEXT: reads "arg0" at [z0, z1]
// CHECK-NEXT: reads "[[SUM]]" at [z0], broadcasts [z1]
// CHECK-NEXT: writes "out" at [z0, z1]
func.func @normalize(%x: tensor<12x64xf32>) -> tensor<12x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<12xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<12xf32>) -> tensor<12xf32>
  %sum = linalg.generic {indexing_maps = [#both, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<12x64xf32>) outs(%f : tensor<12xf32>) {
    ^bb0(%a: f32, %s: f32):
      %t = arith.addf %s, %a : f32
      linalg.yield %t : f32
  } -> tensor<12xf32>
  %o = tensor.empty() : tensor<12x64xf32>
  %r = linalg.generic {indexing_maps = [#both, #row, #both], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum : tensor<12x64xf32>, tensor<12xf32>) outs(%o : tensor<12x64xf32>) {
    ^bb0(%a: f32, %s: f32, %b: f32):
      %t = arith.divf %a, %s : f32
      linalg.yield %t : f32
  } -> tensor<12x64xf32>
  return %r : tensor<12x64xf32>
}

// The product reads one matrix by rows and by columns: its iters are different axes.
// CHECK: hint-graph @gram
// CHECK-NEXT: axis size is
// CHECK-NEXT: z0 16 [[P:[a-z_0-9]+]]:vi
// CHECK-NEXT: z1 16 [[P]]:vj
// CHECK-NEXT: z2 16 [[P]]:vk
// CHECK-NEXT: node "[[P]]": axis [z0, z1], reduces [z2]
// CHECK-NEXT: reads "arg0" at [z0, z2], broadcasts [z1]
// CHECK-NEXT: reads "arg0" at [z1, z2], broadcasts [z0]
// CHECK-NEXT: writes "out" at [z0, z1], keeps [z2]
func.func @gram(%x: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %r = linalg.matmul ins(%x, %x : tensor<16x16xf32>, tensor<16x16xf32>) outs(%f : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %r : tensor<16x16xf32>
}

// Sizes that are known at run time only.
// CHECK: hint-graph @dynamic
// CHECK-NEXT: axis size is
// CHECK-NEXT: z0 dim(arg0, 0) {{.*}}:vi
// CHECK-NEXT: node
// CHECK-NEXT: reads "arg0" at [z0]
// CHECK-NEXT: writes "out" at [z0]
func.func @dynamic(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %o = tensor.empty(%n) : tensor<?xf32>
  %r = linalg.exp ins(%x : tensor<?xf32>) outs(%o : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// Each group is a function.
// GROUP: hint-graph @two_[[FIRST:[a-z_0-9]+]]
// GROUP: node "[[P:[a-z_0-9]+]]": axis [z0, z1], reduces [z2]
// GROUP: hint-graph @two_[[SECOND:[a-z_0-9]+]]
// GROUP: reads "{{.*}}" at [z0, z2], broadcasts [z1]
func.func @two(%x: tensor<16x16xf32>, %y: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %p = linalg.matmul ins(%x, %y : tensor<16x16xf32>, tensor<16x16xf32>) outs(%f : tensor<16x16xf32>) -> tensor<16x16xf32>
  %q = linalg.exp ins(%p : tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %r = linalg.matmul ins(%q, %y : tensor<16x16xf32>, tensor<16x16xf32>) outs(%f : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %r : tensor<16x16xf32>
}
