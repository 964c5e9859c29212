// RUN: lw-opt %s --verify-each=numeric --compensate-signed-bytes --split-input-file | FileCheck %s

// CHECK-DAG:   #[[IDENTITY:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG:   #[[COLUMN:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-LABEL: func.func @matmul(
// CHECK-SAME:    %[[A:.*]]: tensor<16x8xi8>, %[[B:.*]]: tensor<8x32xi8>)
// CHECK:         %[[START:.*]] = linalg.fill
// CHECK:         %[[U:.*]] = linalg.generic {indexing_maps = [#[[IDENTITY]], #[[IDENTITY]]], iterator_types = ["parallel", "parallel"]} ins(%[[A]] : tensor<16x8xi8>)
// CHECK:           arith.xori %{{.*}}, %c-128_i8
// CHECK:         %[[SUMS:.*]] = linalg.generic {indexing_maps = [#[[IDENTITY]], #[[COLUMN]]], iterator_types = ["reduction", "parallel"]} ins(%[[B]] : tensor<8x32xi8>) outs(%{{.*}} : tensor<32xi32>)
// CHECK:           arith.extsi
// CHECK:         %[[C:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[U]], %[[B]] : tensor<16x8xi8>, tensor<8x32xi8>) outs(%[[START]] : tensor<16x32xi32>)
// CHECK:           arith.extui
// CHECK-NEXT:      arith.extsi
// CHECK:         %[[R:.*]] = linalg.generic {indexing_maps = [#[[IDENTITY]], #[[COLUMN]], #[[IDENTITY]]], iterator_types = ["parallel", "parallel"]} ins(%[[C]], %[[SUMS]] : tensor<16x32xi32>, tensor<32xi32>)
// CHECK:           arith.muli %{{.*}}, %c128_i32
// CHECK-NEXT:      arith.subi
// CHECK:         return %[[R]]
func.func @matmul(%a: tensor<16x8xi8>, %b: tensor<8x32xi8>) -> tensor<16x32xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<16x32xi32>
  %z = linalg.fill ins(%zero : i32) outs(%e : tensor<16x32xi32>) -> tensor<16x32xi32>
  %r = linalg.matmul ins(%a, %b : tensor<16x8xi8>, tensor<8x32xi8>) outs(%z : tensor<16x32xi32>) -> tensor<16x32xi32>
  return %r : tensor<16x32xi32>
}

// -----

// Batches, a sum that does not start at 0, and factors in the other order: the right one has the columns' sums of its own
// batch. The loops that it does not depend on are all rows.
// CHECK-LABEL: func.func @groups(
// CHECK-SAME:    %[[B:[^:]*]]: tensor<2x16x4xi8>, %[[A:[^:]*]]: tensor<2x7x4x10xi8>
// CHECK:         arith.xori
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[B]] : tensor<2x16x4xi8>) outs(%{{.*}} : tensor<2x16xi32>)
// CHECK:         ins(%[[B]], %{{.*}} : tensor<2x16x4xi8>, tensor<2x7x4x10xi8>)
// CHECK:           arith.extsi
// CHECK-NEXT:      arith.extui
func.func @groups(%b: tensor<2x16x4xi8>, %a: tensor<2x7x4x10xi8>, %c: tensor<7x10x2x16xi32>) -> tensor<7x10x2x16xi32> {
  %r = linalg.generic {indexing_maps = [
      affine_map<(i, g, h, j, k) -> (g, j, k)>, affine_map<(i, g, h, j, k) -> (g, i, k, h)>, affine_map<(i, g, h, j, k) -> (i, h, g, j)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%b, %a : tensor<2x16x4xi8>, tensor<2x7x4x10xi8>) outs(%c : tensor<7x10x2x16xi32>) {
  ^bb0(%x: i8, %y: i8, %old: i32):
    %left = arith.extsi %x : i8 to i32
    %right = arith.extsi %y : i8 to i32
    %product = arith.muli %right, %left : i32
    %sum = arith.addi %product, %old : i32
    linalg.yield %sum : i32
  } -> tensor<7x10x2x16xi32>
  return %r : tensor<7x10x2x16xi32>
}

// -----

// The number of groups is not known.
// CHECK-LABEL: func.func @dynamic(
// CHECK:         arith.xori
// CHECK:         tensor.empty(%{{.*}}) : tensor<?x16xi32>
func.func @dynamic(%a: tensor<?x16x4xi8>, %b: tensor<?x4x16xi8>, %c: tensor<?x16x16xi32>) -> tensor<?x16x16xi32> {
  %r = linalg.batch_matmul ins(%a, %b : tensor<?x16x4xi8>, tensor<?x4x16xi8>) outs(%c : tensor<?x16x16xi32>) -> tensor<?x16x16xi32>
  return %r : tensor<?x16x16xi32>
}
