// Slices at offsets that are data.
// RUN: lw-opt %s --convert-linalg-to-loop --split-input-file | FileCheck %s
// RUN: lw-opt %s --convert-linalg-to-loop=keep-assertions --split-input-file | FileCheck %s --check-prefix=CHECKED

// CHECK-LABEL: func.func @extract(
// CHECK-SAME:    %[[X:.+]]: memref<9x8xf32>, %[[AT:.+]]: memref<i32>
// CHECK:         loop.block "extract_slice" [%[[I:.+]]: spatial 2, %[[J:.+]]: spatial 3]
// CHECK-SAME:      =
// CHECK-NEXT:      reads(%[[AT]][], %[[X]][*, %[[J]] * 2 + 1 : 1])
// CHECK:           %[[V:.+]] = memref.load %[[AT]][]
// CHECK:           %[[START:.+]] = arith.index_cast %[[V]]
// CHECK:           %[[LAST:.+]] = arith.constant 7 : index
// CHECK:           %[[LEAST:.+]] = arith.minsi %[[START]], %[[LAST]]
// CHECK:           %[[FIRST:.+]] = arith.constant 0 : index
// CHECK:           %[[INSIDE:.+]] = arith.maxsi %[[LEAST]], %[[FIRST]]
// CHECK:           %[[ROW:.+]] = arith.addi %[[INSIDE]], %[[I]]
// CHECK:           memref.load %[[X]][%[[ROW]], %

// If checks report an offset that is out of bounds, it stays.
// CHECKED-LABEL: func.func @extract(
// CHECKED-NOT:     arith.minsi
// CHECKED:         memref.load
func.func @extract(%x: tensor<9x8xf32>, %at: tensor<i32>) -> tensor<2x3xf32> {
  %v = tensor.extract %at[] : tensor<i32>
  %row = arith.index_cast %v : i32 to index
  %y = tensor.extract_slice %x[%row, 1] [2, 3] [1, 2] : tensor<9x8xf32> to tensor<2x3xf32>
  return %y : tensor<2x3xf32>
}

// -----

// A copy, and then the slice. In the dimension of the offset, the order is kept.
// CHECK-LABEL: func.func @insert(
// CHECK:         loop.block "copy"
// CHECK:         loop.block "insert_slice" [%[[I:.+]]: opaque 2, %[[J:.+]]: spatial 8]
// CHECK:           memref.store
func.func @insert(%x: tensor<9x8xf32>, %y: tensor<2x8xf32>, %at: tensor<i32>) -> tensor<9x8xf32> {
  %v = tensor.extract %at[] : tensor<i32>
  %row = arith.index_cast %v : i32 to index
  %z = tensor.insert_slice %y into %x[%row, 0] [2, 8] [1, 1] : tensor<2x8xf32> into tensor<9x8xf32>
  return %z : tensor<9x8xf32>
}

// -----

// CHECK-LABEL: func.func @insert_scalar(
// CHECK:         loop.block "copy"
// CHECK:         loop.block "insert" [] = ()
// CHECK:           memref.store
func.func @insert_scalar(%x: tensor<9xf32>, %y: f32, %at: tensor<i32>) -> tensor<9xf32> {
  %v = tensor.extract %at[] : tensor<i32>
  %i = arith.index_cast %v : i32 to index
  %z = tensor.insert %y into %x[%i] : tensor<9xf32>
  return %z : tensor<9xf32>
}

// -----

// The dimension that the type drops is the one of the size 1, not the dynamic one.
// CHECK-LABEL: func.func @insert_row(
// CHECK:         loop.block "insert_slice" [%[[J:.+]]: spatial %{{.+}}]
func.func @insert_row(%x: tensor<9x?xf32>, %y: tensor<?xf32>, %at: tensor<i32>) -> tensor<9x?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %y, %c0 : tensor<?xf32>
  %v = tensor.extract %at[] : tensor<i32>
  %row = arith.index_cast %v : i32 to index
  %z = tensor.insert_slice %y into %x[%row, 0] [1, %n] [1, 1] : tensor<?xf32> into tensor<9x?xf32>
  return %z : tensor<9x?xf32>
}

// -----

// The last offset depends on the sizes.
// CHECK-LABEL: func.func @rows(
// CHECK:         loop.block "extract_slice" [%[[I:.+]]: spatial
// CHECK:           %[[LAST:.+]] = affine.apply #{{.+}}()[%{{.+}}, %{{.+}}]
// CHECK:           arith.minsi %{{.+}}, %[[LAST]]
func.func @rows(%x: tensor<?xf32>, %n: index, %at: tensor<i32>) -> tensor<?xf32> {
  %v = tensor.extract %at[] : tensor<i32>
  %row = arith.index_cast %v : i32 to index
  %y = tensor.extract_slice %x[%row] [%n] [1] : tensor<?xf32> to tensor<?xf32>
  return %y : tensor<?xf32>
}
