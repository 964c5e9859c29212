// Sizes that are data are those that a later op declares.
// RUN: lw-opt %s --resolve-declared-sizes --split-input-file | FileCheck %s

// By a cast; a size that is known stays.
// CHECK-LABEL: func.func @reshape(
// CHECK-SAME:    %[[X:.+]]: tensor<6xf32>, %{{.+}}: tensor<1xi64>, %[[N:.+]]: index)
// CHECK-DAG:     %[[THREE:.+]] = arith.constant 3 : index
// CHECK:         %[[SHAPE:.+]] = tensor.from_elements %[[N]], %[[THREE]] : tensor<2xindex>
// CHECK:         tensor.reshape %[[X]](%[[SHAPE]])
func.func @reshape(%x: tensor<6xf32>, %data: tensor<1xi64>, %n: index) -> tensor<?x3xf32> {
  %c0 = arith.constant 0 : index
  %size = tensor.extract %data[%c0] : tensor<1xi64>
  %i = arith.index_cast %size : i64 to index
  %shape = tensor.from_elements %n, %i : tensor<2xindex>
  %r = tensor.reshape %x(%shape) : (tensor<6xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  %y = tensor.cast %r : tensor<?x?xf32> to tensor<?x3xf32>
  return %y : tensor<?x3xf32>
}

// -----

// By an op that needs equal sizes.
// CHECK-LABEL: func.func @sum(
// CHECK:         %[[FIVE:.+]] = arith.constant 5 : index
// CHECK:         tensor.extract_slice %{{.+}}[0] [%[[FIVE]]] [1]
// CHECK:         %[[ALSO:.+]] = arith.constant 5 : index
// CHECK:         tensor.empty(%[[ALSO]])
func.func @sum(%x: tensor<8xf32>, %y: tensor<5xf32>, %n: i64) -> tensor<?xf32> {
  %i = arith.index_cast %n : i64 to index
  %s = tensor.extract_slice %x[0] [%i] [1] : tensor<8xf32> to tensor<?xf32>
  %e = tensor.empty(%i) : tensor<?xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d) -> (d)>, affine_map<(d) -> (d)>, affine_map<(d) -> (d)>], iterator_types = ["parallel"]}
      ins(%s, %y : tensor<?xf32>, tensor<5xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.addf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// Of a reshape, the last size follows from the number of elements. All are known then, so the type states them.
// CHECK-LABEL: func.func @rows(
// CHECK:         %[[R:.+]] = tensor.reshape %{{.+}} : (tensor<12xf32>, tensor<2xindex>) -> tensor<3x4xf32>
// CHECK:         tensor.cast %[[R]] : tensor<3x4xf32> to tensor<?x?xf32>
func.func @rows(%x: tensor<12xf32>, %shape: tensor<2xi64>, %y: tensor<3xf32>) -> tensor<3xf32> {
  %r = tensor.reshape %x(%shape) : (tensor<12xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%r : tensor<?x?xf32>) outs(%y : tensor<3xf32>) {
  ^bb0(%a: f32, %sum: f32):
    %t = arith.addf %a, %sum : f32
    linalg.yield %t : f32
  } -> tensor<3xf32>
  return %s : tensor<3xf32>
}

// -----

// Nothing declares this one.
// CHECK-LABEL: func.func @unknown(
// CHECK:         tensor.empty(%{{.+}})
// CHECK-NOT:     arith.constant
func.func @unknown(%n: i64) -> tensor<?xf32> {
  %i = arith.index_cast %n : i64 to index
  %e = tensor.empty(%i) : tensor<?xf32>
  return %e : tensor<?xf32>
}

// -----

// The size of an inserted slice is that of its source.
// CHECK-LABEL: func.func @inserted(
// CHECK:         %[[TEN:.+]] = arith.constant 10 : index
// CHECK:         tensor.insert_slice %{{.+}} into %{{.+}}[%{{.+}}] [%[[TEN]]] [1]
func.func @inserted(%x: tensor<10xf32>, %z: tensor<20xf32>, %n: tensor<i64>) -> tensor<20xf32> {
  %n_now = tensor.extract %n[] : tensor<i64>
  %i = arith.index_cast %n_now : i64 to index
  %y = tensor.cast %x : tensor<10xf32> to tensor<?xf32>
  %r = tensor.insert_slice %y into %z[%i] [%i] [1] : tensor<?xf32> into tensor<20xf32>
  return %r : tensor<20xf32>
}
