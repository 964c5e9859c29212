// Tensors whose sizes depend on data are not stored: the ops of known size that read them compute their elements.
// RUN: lw-opt %s --inline-data-sized-tensors --split-input-file | FileCheck %s

// Indices are clamped to the tensor that is read, because both values of a padding are computed.
// CHECK-LABEL: func.func @padded(
// CHECK-SAME:    %[[X:.+]]: tensor<8xf32>, %{{.+}}: tensor<2xi64>, %[[ZERO:.+]]: f32)
// CHECK:         %[[N:.+]] = arith.index_cast
// CHECK-NOT:     tensor.extract_slice
// CHECK-NOT:     tensor.pad
// CHECK:         linalg.generic
// CHECK:           %[[I:.+]] = linalg.index 0
// CHECK:           %[[INSIDE:.+]] = arith.cmpi slt, %[[I]], %[[N]]
// CHECK:           %[[AT:.+]] = arith.addi %c2, %[[I]]
// CHECK:           %[[LEAST:.+]] = arith.minsi %[[AT]], %c7
// CHECK:           %[[CLAMPED:.+]] = arith.maxsi %[[LEAST]], %c0
// CHECK:           %[[E:.+]] = tensor.extract %[[X]][%[[CLAMPED]]]
// CHECK:           %[[Y:.+]] = arith.select %[[INSIDE]], %[[E]], %[[ZERO]]
// CHECK:           linalg.yield %[[Y]]
func.func @padded(%x: tensor<8xf32>, %data: tensor<2xi64>, %zero: f32) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n_now = tensor.extract %data[%c0] : tensor<2xi64>
  %n = arith.index_cast %n_now : i64 to index
  %h_now = tensor.extract %data[%c1] : tensor<2xi64>
  %h = arith.index_cast %h_now : i64 to index
  %s = tensor.extract_slice %x[2] [%n] [1] : tensor<8xf32> to tensor<?xf32>
  %y = tensor.pad %s low[0] high[%h] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<?xf32> to tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

// Padding by data.
// CHECK-LABEL: func.func @padding(
// CHECK-SAME:    %[[X:.+]]: tensor<1x5xf32>
// CHECK:         %[[LOW:.+]] = arith.index_cast
// CHECK:         linalg.generic
// CHECK:           %[[I:.+]] = linalg.index 0
// CHECK:           %[[J:.+]] = linalg.index 1
// CHECK:           %[[AT:.+]] = arith.subi %[[J]], %[[LOW]]
// CHECK:           %[[ABOVE:.+]] = arith.cmpi sge, %[[AT]], %c0
// CHECK:           %[[BELOW:.+]] = arith.cmpi slt, %[[AT]], %c5
// CHECK:           %[[INSIDE:.+]] = arith.andi %[[ABOVE]], %[[BELOW]]
// CHECK:           tensor.extract %[[X]][%[[I]], %{{.+}}]
// CHECK:           arith.select %[[INSIDE]]
func.func @padding(%x: tensor<1x5xf32>, %data: tensor<i64>, %zero: f32) -> tensor<1x12xf32> {
  %low_now = tensor.extract %data[] : tensor<i64>
  %low = arith.index_cast %low_now : i64 to index
  %c7 = arith.constant 7 : index
  %high = arith.subi %c7, %low : index
  %y = tensor.pad %x low[0, %low] high[0, %high] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<1x5xf32> to tensor<1x12xf32>
  return %y : tensor<1x12xf32>
}

// -----

// A slice of a slice is one slice, whose offset is clamped.
// CHECK-LABEL: func.func @slices(
// CHECK-SAME:    %[[X:.+]]: tensor<20x10xf32>
// CHECK:         %[[A:.+]] = arith.index_cast
// CHECK:         %[[AT:.+]] = arith.addi %[[A]], %c2
// CHECK:         %[[LEAST:.+]] = arith.minsi %[[AT]], %c7
// CHECK:         %[[CLAMPED:.+]] = arith.maxsi %[[LEAST]], %c0
// CHECK:         %[[T:.+]] = tensor.extract_slice %[[X]][%[[CLAMPED]], 4] [4, 1] [4, 1] : tensor<20x10xf32> to tensor<4xf32>
// CHECK-NEXT:    return %[[T]]
func.func @slices(%x: tensor<20x10xf32>, %data: tensor<3xi64>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a_now = tensor.extract %data[%c0] : tensor<3xi64>
  %a = arith.index_cast %a_now : i64 to index
  %n_now = tensor.extract %data[%c1] : tensor<3xi64>
  %n = arith.index_cast %n_now : i64 to index
  %s = tensor.extract_slice %x[%a, 1] [%n, 9] [2, 1] : tensor<20x10xf32> to tensor<?x9xf32>
  %t = tensor.extract_slice %s[1, 3] [4, 1] [2, 1] : tensor<?x9xf32> to tensor<4xf32>
  return %t : tensor<4xf32>
}

// -----

// The first elements in reverse order. A body reads the slice at computed indices.
#id = affine_map<(i) -> (i)>
// CHECK-LABEL: func.func @reversed(
// CHECK-SAME:    %[[X:.+]]: tensor<4xf32>
// CHECK:         %[[N:.+]] = arith.index_cast
// CHECK:         %[[LAST:.+]] = arith.subi %[[N]], %c1
// CHECK:         linalg.generic
// CHECK:           %[[I:.+]] = linalg.index 0
// CHECK:           %[[INSIDE:.+]] = arith.cmpi slt, %[[I]], %[[N]]
// CHECK:           %[[FROM:.+]] = arith.subi %[[LAST]], %[[I]]
// CHECK:           %[[LEAST:.+]] = arith.minsi %[[FROM]], %c3
// CHECK:           %[[CLAMPED:.+]] = arith.maxsi %[[LEAST]], %c0
// CHECK:           %[[NEW:.+]] = tensor.extract %[[X]][%[[CLAMPED]]]
// CHECK:           %[[OLD:.+]] = tensor.extract %[[X]][%[[I]]]
// CHECK:           arith.select %[[INSIDE]], %[[NEW]], %[[OLD]]
func.func @reversed(%x: tensor<4xf32>, %data: tensor<i64>, %zero: f32) -> tensor<4xf32> {
  %c1 = arith.constant 1 : index
  %n_now = tensor.extract %data[] : tensor<i64>
  %n = arith.index_cast %n_now : i64 to index
  %last = arith.subi %n, %c1 : index
  %s = tensor.extract_slice %x[0] [%n] [1] : tensor<4xf32> to tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e : tensor<?xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %from = arith.subi %last, %i : index
    %v = tensor.extract %s[%from] : tensor<?xf32>
    linalg.yield %v : f32
  } -> tensor<?xf32>
  %y = tensor.insert_slice %r into %x[0] [%n] [1] : tensor<?xf32> into tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// A reduction becomes a loop. The indices in the tensors of these sizes follow from the row-major index.
#in = affine_map<(i, j, k) -> (i, j, k)>
#out = affine_map<(i, j, k) -> (i, k)>
// CHECK-LABEL: func.func @sums(
// CHECK-SAME:    %[[X:.+]]: tensor<3x4xf32>, %[[SHAPE:.+]]: tensor<3xi64>, %[[ZERO:.+]]: f32)
// CHECK:         %[[C:.+]] = arith.index_cast
// CHECK:         linalg.generic
// CHECK-DAG:       %[[I:.+]] = linalg.index 0
// CHECK-DAG:       %[[J:.+]] = linalg.index 1
// CHECK:           %[[ROW:.+]] = arith.muli %[[I]], %c3
// CHECK:           %[[PLACE:.+]] = arith.addi %[[ROW]], %[[J]]
// CHECK:           %[[DIVISOR:.+]] = arith.maxsi %[[C]], %c1
// CHECK:           %[[LAST:.+]] = arith.remsi %[[PLACE]], %[[DIVISOR]]
// CHECK:           %[[FIRST:.+]] = arith.divsi %[[PLACE]], %[[DIVISOR]]
// CHECK:           scf.for %[[K:.+]] = %{{.+}} to %{{.+}} step %{{.+}} iter_args(%[[SUM:.+]] = %[[ZERO]]) -> (f32) {
// CHECK:             arith.muli %[[FIRST]], %{{.+}}
// CHECK:             arith.addi %{{.+}}, %[[K]]
// CHECK:             arith.addi %{{.+}}, %[[LAST]]
// CHECK:             %[[E:.+]] = tensor.extract %[[X]]
// CHECK:             %[[T:.+]] = arith.addf %[[E]], %[[SUM]]
// CHECK:             scf.yield %[[T]]
func.func @sums(%x: tensor<3x4xf32>, %shape: tensor<3xi64>, %zero: f32) -> tensor<2x3xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c_now = tensor.extract %shape[%c2] : tensor<3xi64>
  %c = arith.index_cast %c_now : i64 to index
  %a_now = tensor.extract %shape[%c0] : tensor<3xi64>
  %a = arith.index_cast %a_now : i64 to index
  %r = tensor.reshape %x(%shape) : (tensor<3x4xf32>, tensor<3xi64>) -> tensor<?x?x?xf32>
  %e = tensor.empty(%a, %c) : tensor<?x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %s = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%r : tensor<?x?x?xf32>) outs(%f : tensor<?x?xf32>) {
  ^bb0(%v: f32, %sum: f32):
    %t = arith.addf %v, %sum : f32
    linalg.yield %t : f32
  } -> tensor<?x?xf32>
  %known = arith.constant dense<[2, 3]> : tensor<2xi64>
  %y = tensor.reshape %s(%known) : (tensor<?x?xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  return %y : tensor<2x3xf32>
}

// -----

// The size itself is a scalar.
// CHECK-LABEL: func.func @size(
// CHECK:         %[[N:.+]] = arith.index_cast
// CHECK:         %[[SIZE:.+]] = arith.muli %[[N]], %c2
// CHECK:         return %[[SIZE]]
func.func @size(%x: tensor<8x2xf32>, %data: tensor<i64>) -> index {
  %c0 = arith.constant 0 : index
  %n_now = tensor.extract %data[] : tensor<i64>
  %n = arith.index_cast %n_now : i64 to index
  %s = tensor.extract_slice %x[0, 0] [%n, 2] [1, 1] : tensor<8x2xf32> to tensor<?x2xf32>
  %c = tensor.collapse_shape %s [[0, 1]] : tensor<?x2xf32> into tensor<?xf32>
  %size = tensor.dim %c, %c0 : tensor<?xf32>
  return %size : index
}

// -----

// A size that follows from those of arguments is not data.
// CHECK-LABEL: func.func @arguments(
// CHECK:         tensor.extract_slice
// CHECK:         tensor.pad
func.func @arguments(%x: tensor<8xf32>, %n: index, %zero: f32) -> tensor<8xf32> {
  %c8 = arith.constant 8 : index
  %h = arith.subi %c8, %n : index
  %s = tensor.extract_slice %x[0] [%n] [1] : tensor<8xf32> to tensor<?xf32>
  %y = tensor.pad %s low[0] high[%h] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<?xf32> to tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

// The parts of a tensor in another order.
// CHECK-LABEL: func.func @rotated(
// CHECK-SAME:    %[[X:.+]]: tensor<8xf32>
// CHECK:         %[[N:.+]] = arith.index_cast
// CHECK:         %[[M:.+]] = arith.subi %c8, %[[N]]
// CHECK:         linalg.generic
// CHECK:           %[[I:.+]] = linalg.index 0
// CHECK:           %[[IN_FIRST:.+]] = arith.cmpi slt, %[[I]], %[[M]]
// CHECK:           %[[REST:.+]] = arith.subi %[[I]], %[[M]]
// CHECK:           arith.addi %[[N]], %[[I]]
// CHECK:           %[[FIRST:.+]] = tensor.extract %[[X]]
// CHECK:           arith.minsi %[[REST]]
// CHECK:           %[[SECOND:.+]] = tensor.extract %[[X]]
// CHECK:           arith.select %[[IN_FIRST]], %[[FIRST]], %[[SECOND]]
func.func @rotated(%x: tensor<8xf32>, %data: tensor<i64>) -> tensor<8xf32> {
  %c8 = arith.constant 8 : index
  %n_now = tensor.extract %data[] : tensor<i64>
  %n = arith.index_cast %n_now : i64 to index
  %m = arith.subi %c8, %n : index
  %s = tensor.extract_slice %x[%n] [%m] [1] : tensor<8xf32> to tensor<?xf32>
  %t = tensor.extract_slice %x[0] [%n] [1] : tensor<8xf32> to tensor<?xf32>
  %c = tensor.concat dim(0) %s, %t : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %y = tensor.cast %c : tensor<?xf32> to tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

// One element, and a body whose values are computed for the index.
// CHECK-LABEL: func.func @element(
// CHECK-SAME:    %[[DATA:.+]]: tensor<i64>, %[[I:.+]]: index)
// CHECK:         %[[R:.+]] = linalg.generic
// CHECK:           %[[SQUARE:.+]] = arith.muli %[[I]], %[[I]]
// CHECK:           linalg.yield %[[SQUARE]]
// CHECK:         %[[V:.+]] = tensor.extract %[[R]][]
// CHECK:         return %[[V]]
func.func @element(%data: tensor<i64>, %i: index) -> index {
  %n_now = tensor.extract %data[] : tensor<i64>
  %n = arith.index_cast %n_now : i64 to index
  %s = tensor.generate %n {
  ^bb0(%j: index):
    %square = arith.muli %j, %j : index
    tensor.yield %square : index
  } : tensor<?xindex>
  %v = tensor.extract %s[%i] : tensor<?xindex>
  return %v : index
}
