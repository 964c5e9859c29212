// Sizes as exporters compute them, in i64: a choice whose condition is the same for all sizes, the lesser of two sizes of
// which one is never greater, a quotient of products, and the sizes that a list gives.
// RUN: lw-opt %s --convert-linalg-to-loop --split-input-file | FileCheck %s

// -1 stands for the size that follows from the others: 4 * n / 4.
// CHECK-LABEL: func.func @reshape(
// CHECK-SAME: %[[X:.+]]: memref<?x4xf32>
// CHECK: %[[N:.+]] = memref.dim %[[X]]
// CHECK: loop.for serial %i in 2
// CHECK-NEXT: loop.for serial %j in %[[N]]
// CHECK-NEXT: loop.for serial %k in 2
func.func @reshape(%x: tensor<?x4xf32>) -> tensor<2x?x2xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  %minus = arith.constant -1 : i64
  %two = arith.constant 2 : i64
  %four = arith.constant 4 : i64
  %n = tensor.dim %x, %c0 : tensor<?x4xf32>
  %i = arith.index_cast %n : index to i64
  %count = arith.muli %i, %four : i64
  %part = arith.divsi %count, %four : i64
  %is_open = arith.cmpi slt, %minus, %zero : i64
  %size = arith.select %is_open, %part, %minus : i64
  %shape = tensor.from_elements %two, %size, %two : tensor<3xi64>
  %y = tensor.reshape %x(%shape) : (tensor<?x4xf32>, tensor<3xi64>) -> tensor<2x?x2xf32>
  return %y : tensor<2x?x2xf32>
}

// -----

// CHECK-LABEL: func.func @bounded(
// CHECK: %[[N:.+]] = memref.dim
// CHECK: loop.for serial %i in %[[N]]
func.func @bounded(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %more = arith.addi %n, %c1 : index
  %size = arith.minsi %n, %more : index
  %least = arith.maxsi %size, %c0 : index
  %y = tensor.extract_slice %x[0] [%least] [1] : tensor<?xf32> to tensor<?xf32>
  return %y : tensor<?xf32>
}

// -----

// A quotient of sizes that share a factor.
// CHECK-LABEL: func.func @quotient(
// CHECK: %[[N:.+]] = memref.dim %{{.*}}, %c1
// CHECK: loop.for serial %i in %[[N]]
func.func @quotient(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %count = arith.muli %m, %n : index
  %rows = arith.divui %count, %m : index
  %shape = tensor.from_elements %rows, %m : tensor<2xindex>
  %y = tensor.reshape %x(%shape) : (tensor<?x?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

// -----

// The lesser of two sizes, of which each may be the lesser one, as a quotient that is 0 or -1.
// CHECK: #[[MIN:.+]] = affine_map<()[s0] -> ({{.*}}floordiv 4611686018427387904{{.*}})>
// CHECK-LABEL: func.func @lesser(
// CHECK: %[[N:.+]] = memref.dim
// CHECK: loop.block "extract_slice"
func.func @lesser(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %size = arith.minsi %n, %c5 : index
  %y = tensor.extract_slice %x[0] [%size] [1] : tensor<?xf32> to tensor<?xf32>
  return %y : tensor<?xf32>
}

// -----

// The number of the dimension is data: one of the sizes is selected.
// CHECK-LABEL: func.func @dim_at_data(
// CHECK-SAME:    %[[X:.+]]: memref<3x?x5xf32>
// CHECK:         loop.block
// CHECK:           %[[I:.+]] = arith.index_cast
// CHECK:           %[[ONE:.+]] = arith.cmpi eq, %[[I]], %c1
// CHECK:           %[[UPPER:.+]] = arith.select %[[ONE]], %{{.+}}, %c5
// CHECK:           %[[ZERO:.+]] = arith.cmpi eq, %[[I]], %c0
// CHECK:           arith.select %[[ZERO]], %c3, %[[UPPER]]
func.func @dim_at_data(%x: tensor<3x?x5xf32>, %data: tensor<i64>) -> tensor<i64> {
  %at = tensor.extract %data[] : tensor<i64>
  %i = arith.index_cast %at : i64 to index
  %size = tensor.dim %x, %i : tensor<3x?x5xf32>
  %cast = arith.index_cast %size : index to i64
  %y = tensor.from_elements %cast : tensor<i64>
  return %y : tensor<i64>
}
