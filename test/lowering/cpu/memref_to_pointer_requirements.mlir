// The entry checks the requirements of the function: f_workspace gives -1 - i for the first one that is not met. One
// that holds only for some calls is met if it holds or one of its premises does not.
// RUN: lw-opt %s --convert-memref-to-pointer | FileCheck %s
// CHECK: func.func @f(
// CHECK:   %[[BYTES:.*]] = call @f_workspace(
// CHECK:   %[[FITS:.*]] = arith.cmpi sge, %[[BYTES]], %{{.*}} : i64
// CHECK:   scf.if %[[FITS]] {
// CHECK:     func.call @f_kernel(
// CHECK: func.func @f_workspace(
// CHECK:   %[[TRUTH:.*]] = arith.cmpi sge, %{{.*}}, %{{.*}} : i64
// CHECK:   %[[GIVEN:.*]] = arith.cmpi sge, %{{.*}}, %{{.*}} : i64
// CHECK:   %[[VOID:.*]] = arith.xori %[[GIVEN]], %{{.*}} : i1
// CHECK:   %[[MET:.*]] = arith.ori %[[TRUTH]], %[[VOID]] : i1
// CHECK:   %[[SECOND:.*]] = arith.select %[[MET]], %{{.*}}, %{{.*}} : i64
// CHECK:   %[[EQUAL:.*]] = arith.cmpi eq, %{{.*}}, %{{.*}} : i64
// CHECK:   %[[FIRST:.*]] = arith.select %[[EQUAL]], %[[SECOND]], %{{.*}} : i64
// CHECK:   return %[[FIRST]] : i64
// CHECK: @f_requirements("dimension 0 of argument 1 is {2}, expected {0}, dimension 0 of argument 0\0Aexpected dimension 1 of argument 0 <= dimension 1 of argument 1, where {{.*}}\00")
func.func @f(%A: memref<?x?xf32>, %B: memref<?x?xf32>)
    attributes {loop.requires = affine_set<()[s0, s1, s2, s3] : (s2 - s0 == 0)>,
                loop.requires_if = [[affine_set<()[s0, s1, s2, s3] : (s0 - 1 >= 0)>, affine_set<()[s0, s1, s2, s3] : (s3 - s1 >= 0)>]]} {
  return
}
