// Tensors whose elements a linalg op extracts by the indices of its loops become operands.
// RUN: lw-opt %s --extracts-to-operands --split-input-file | FileCheck %s

#ij = affine_map<(i, j) -> (i, j)>

// As PyTorch broadcasts a tensor of unknown size to its own size: nothing is left.
// CHECK-LABEL: func.func @same_size(
// CHECK-SAME:    %[[X:.*]]: tensor<?x4xf32>)
// CHECK-NOT:     linalg.generic
// CHECK:         return %[[X]]
func.func @same_size(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x4xf32>
  %e = tensor.empty(%n) : tensor<?x4xf32>
  %y = linalg.generic {indexing_maps = [#ij], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<?x4xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %is_one = arith.cmpi eq, %n, %c1 : index
    %place = arith.select %is_one, %c0, %i : index
    %a = tensor.extract %x[%place, %j] : tensor<?x4xf32>
    linalg.yield %a : f32
  } -> tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}

// -----

#ij = affine_map<(i, j) -> (i, j)>

// Other indices, an operand that was there before, and a size that is known to be one. Two extracts of one element are one operand.
// CHECK-DAG:   #[[IJ:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG:   #[[J0:.*]] = affine_map<(d0, d1) -> (d1, 0)>
// CHECK-LABEL: func.func @transposed(
// CHECK-SAME:    %[[X:.*]]: tensor<?x1xf32>, %[[Y:.*]]: tensor<3x?xf32>)
// CHECK:         linalg.generic {indexing_maps = [#[[IJ]], #[[J0]], #[[IJ]]], {{.*}}} ins(%[[Y]], %[[X]] : tensor<3x?xf32>, tensor<?x1xf32>) outs(
// CHECK-NEXT:    ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32, %{{.*}}: f32):
// CHECK-NOT:       tensor.extract
// CHECK:           %[[P:.*]] = arith.mulf %[[A]], %[[B]]
// CHECK:           arith.addf %[[P]], %[[B]]
func.func @transposed(%x: tensor<?x1xf32>, %y: tensor<3x?xf32>) -> tensor<3x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x1xf32>
  %e = tensor.empty(%n) : tensor<3x?xf32>
  %r = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<3x?xf32>) outs(%e : tensor<3x?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %is_one = arith.cmpi eq, %c1, %c1 : index
    %place = arith.select %is_one, %c0, %i : index
    %b = tensor.extract %x[%j, %place] : tensor<?x1xf32>
    %c = tensor.extract %x[%j, %c0] : tensor<?x1xf32>
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %p, %c : f32
    linalg.yield %s : f32
  } -> tensor<3x?xf32>
  return %r : tensor<3x?xf32>
}

// -----

#i = affine_map<(i) -> (i)>

// (C2) The sizes may differ; the index is 0 for another size than 1; the constant is beyond the end; the index is data.
// CHECK-LABEL: func.func @others(
// CHECK-COUNT-4: tensor.extract
func.func @others(%x: tensor<?xf32>, %places: tensor<?xindex>, %three: tensor<3xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %m = tensor.dim %x, %c0 : tensor<?xf32>
  %n = tensor.dim %places, %c0 : tensor<?xindex>
  %e = tensor.empty(%n) : tensor<?xf32>
  %r = linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel"]} ins(%places : tensor<?xindex>) outs(%e : tensor<?xf32>) {
  ^bb0(%place: index, %o: f32):
    %i = linalg.index 0 : index
    %is_two = arith.cmpi eq, %n, %c2 : index
    %other = arith.select %is_two, %c0, %i : index
    %a = tensor.extract %x[%i] : tensor<?xf32>
    %b = tensor.extract %places[%other] : tensor<?xindex>
    %c = tensor.extract %three[%c3] : tensor<3xf32>
    %d = tensor.extract %x[%place] : tensor<?xf32>
    %f = arith.index_cast %b : index to i32
    %g = arith.sitofp %f : i32 to f32
    %s = arith.addf %a, %c : f32
    %t = arith.addf %s, %d : f32
    %u = arith.addf %t, %g : f32
    linalg.yield %u : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}
