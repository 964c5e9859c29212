// Products that the pass does not change.
// RUN: lw-opt %s --compensate-signed-bytes | FileCheck %s --implicit-check-not=xori

// CHECK-LABEL: func.func @c1_type(
func.func @c1_type(%a: tensor<16x4xi16>, %b: tensor<4x16xi16>, %c: tensor<16x16xi32>) -> tensor<16x16xi32> {
  %r = linalg.matmul ins(%a, %b : tensor<16x4xi16>, tensor<4x16xi16>) outs(%c : tensor<16x16xi32>) -> tensor<16x16xi32>
  return %r : tensor<16x16xi32>
}

// A factor is unsigned already.
// CHECK-LABEL: func.func @c1_unsigned(
func.func @c1_unsigned(%a: tensor<16x4xi8>, %b: tensor<4x16xi8>, %c: tensor<16x16xi32>) -> tensor<16x16xi32> {
  %r = linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%a, %b : tensor<16x4xi8>, tensor<4x16xi8>) outs(%c : tensor<16x16xi32>) -> tensor<16x16xi32>
  return %r : tensor<16x16xi32>
}

// The largest product, not their sum.
// CHECK-LABEL: func.func @c1_body(
func.func @c1_body(%a: tensor<16x4xi8>, %b: tensor<4x16xi8>, %c: tensor<16x16xi32>) -> tensor<16x16xi32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<16x4xi8>, tensor<4x16xi8>) outs(%c : tensor<16x16xi32>) {
  ^bb0(%x: i8, %y: i8, %old: i32):
    %left = arith.extsi %x : i8 to i32
    %right = arith.extsi %y : i8 to i32
    %product = arith.muli %left, %right : i32
    %new = arith.maxsi %old, %product : i32
    linalg.yield %new : i32
  } -> tensor<16x16xi32>
  return %r : tensor<16x16xi32>
}

// CHECK-LABEL: func.func @c2_depth(
func.func @c2_depth(%a: tensor<16x6xi8>, %b: tensor<6x16xi8>, %c: tensor<16x16xi32>) -> tensor<16x16xi32> {
  %r = linalg.matmul ins(%a, %b : tensor<16x6xi8>, tensor<6x16xi8>) outs(%c : tensor<16x16xi32>) -> tensor<16x16xi32>
  return %r : tensor<16x16xi32>
}

// CHECK-LABEL: func.func @c2_no_depth(
func.func @c2_no_depth(%a: tensor<16x0xi8>, %b: tensor<0x16xi8>, %c: tensor<16x16xi32>) -> tensor<16x16xi32> {
  %r = linalg.matmul ins(%a, %b : tensor<16x0xi8>, tensor<0x16xi8>) outs(%c : tensor<16x16xi32>) -> tensor<16x16xi32>
  return %r : tensor<16x16xi32>
}

// CHECK-LABEL: func.func @c3_window(
func.func @c3_window(%a: tensor<1x80x4xi8>, %b: tensor<1x4x16xi8>, %c: tensor<1x80x16xi32>) -> tensor<1x80x16xi32> {
  %r = linalg.conv_1d_nwc_wcf ins(%a, %b : tensor<1x80x4xi8>, tensor<1x4x16xi8>) outs(%c : tensor<1x80x16xi32>) -> tensor<1x80x16xi32>
  return %r : tensor<1x80x16xi32>
}

// CHECK-LABEL: func.func @c4_columns(
func.func @c4_columns(%a: tensor<16x4xi8>, %b: tensor<4x24xi8>, %c: tensor<16x24xi32>) -> tensor<16x24xi32> {
  %r = linalg.matmul ins(%a, %b : tensor<16x4xi8>, tensor<4x24xi8>) outs(%c : tensor<16x24xi32>) -> tensor<16x24xi32>
  return %r : tensor<16x24xi32>
}

// CHECK-LABEL: func.func @c5_rows(
func.func @c5_rows(%a: tensor<15x4xi8>, %b: tensor<4x16xi8>, %c: tensor<15x16xi32>) -> tensor<15x16xi32> {
  %r = linalg.matmul ins(%a, %b : tensor<15x4xi8>, tensor<4x16xi8>) outs(%c : tensor<15x16xi32>) -> tensor<15x16xi32>
  return %r : tensor<15x16xi32>
}

// CHECK-LABEL: func.func @c5_unknown_rows(
func.func @c5_unknown_rows(%a: tensor<?x4xi8>, %b: tensor<4x16xi8>, %c: tensor<?x16xi32>) -> tensor<?x16xi32> {
  %r = linalg.matmul ins(%a, %b : tensor<?x4xi8>, tensor<4x16xi8>) outs(%c : tensor<?x16xi32>) -> tensor<?x16xi32>
  return %r : tensor<?x16xi32>
}
