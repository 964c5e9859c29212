// Ops that stay as they are, because a condition of the pass does not hold. convert-linalg-to-loop reports them.
// RUN: lw-opt %s --inline-data-sized-tensors --split-input-file | FileCheck %s
// RUN: lw-opt %s --inline-data-sized-tensors --convert-linalg-to-loop --split-input-file --verify-diagnostics

// The result depends on data.
// CHECK-LABEL: func.func @c1_result(
// CHECK:         %[[S:.+]] = tensor.extract_slice
// CHECK:         return %[[S]]
func.func @c1_result(%x: tensor<8xf32>, %data: tensor<i64>) -> tensor<?xf32> {
  %n_now = tensor.extract %data[] : tensor<i64>
  // expected-note@+1 {{it is computed from the result of 'arith.index_cast'}}
  %n = arith.index_cast %n_now : i64 to index
  // expected-error@+1 {{'tensor.extract_slice' op has a size that is not a map of index arguments and dimensions of arguments}}
  %s = tensor.extract_slice %x[0] [%n] [1] : tensor<8xf32> to tensor<?xf32>
  return %s : tensor<?xf32>
}

// -----

// The sizes of what is read are not numbers, so it may have no elements.
// CHECK-LABEL: func.func @c2_source(
// CHECK:         tensor.extract_slice
// CHECK:         tensor.insert_slice
func.func @c2_source(%x: tensor<?xf32>, %z: tensor<8xf32>, %data: tensor<i64>) -> tensor<8xf32> {
  %n_now = tensor.extract %data[] : tensor<i64>
  // expected-note@+1 {{it is computed from the result of 'arith.index_cast'}}
  %n = arith.index_cast %n_now : i64 to index
  // expected-error@+1 {{'tensor.extract_slice' op has a size that is not a map of index arguments and dimensions of arguments}}
  %s = tensor.extract_slice %x[0] [%n] [1] : tensor<?xf32> to tensor<?xf32>
  %y = tensor.insert_slice %s into %z[0] [%n] [1] : tensor<?xf32> into tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

// That the size of %z is 8 follows from the op that adds it. Nothing else checks it.
#one = affine_map<(i) -> (i)>
// CHECK-LABEL: func.func @c2_declared(
// CHECK:         linalg.generic
// CHECK:         tensor.pad
func.func @c2_declared(%x: tensor<8xf32>, %z: tensor<?xf32>, %zero: f32, %data: tensor<i64>) -> tensor<8xf32> {
  %c8 = arith.constant 8 : index
  %n_now = tensor.extract %data[] : tensor<i64>
  // expected-note@+1 {{it is computed from the result of 'arith.index_cast'}}
  %n = arith.index_cast %n_now : i64 to index
  %h = arith.subi %c8, %n : index
  %sum = linalg.add ins(%x, %z : tensor<8xf32>, tensor<?xf32>) outs(%x : tensor<8xf32>) -> tensor<8xf32>
  // expected-error@+1 {{'tensor.empty' op has a size that is not a map of index arguments and dimensions of arguments}}
  %e = tensor.empty(%n) : tensor<?xf32>
  %s = linalg.generic {indexing_maps = [#one], iterator_types = ["parallel"]} outs(%e : tensor<?xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %v = tensor.extract %z[%i] : tensor<?xf32>
    linalg.yield %v : f32
  } -> tensor<?xf32>
  %y = tensor.pad %s low[0] high[%h] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<?xf32> to tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

// What is read has no elements.
// CHECK-LABEL: func.func @c2_no_elements(
// CHECK:         tensor.pad
func.func @c2_no_elements(%x: tensor<0xf32>, %zero: f32, %data: tensor<i64>) -> tensor<8xf32> {
  %n_now = tensor.extract %data[] : tensor<i64>
  // expected-note@+1 {{it is computed from the result of 'arith.index_cast'}}
  %n = arith.index_cast %n_now : i64 to index
  // expected-error@+1 {{'tensor.pad' op has a size that is not a map of index arguments and dimensions of arguments}}
  %y = tensor.pad %x low[%n] high[8] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<0xf32> to tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

// A sum of sums.
#id = affine_map<(i) -> (i)>
#all = affine_map<(i) -> ()>
#row = affine_map<(i, j) -> (i, j)>
#sum = affine_map<(i, j) -> (i)>
// CHECK-LABEL: func.func @c3_sum_of_sums(
// CHECK:         tensor.extract_slice
// CHECK-COUNT-2: "reduction"
func.func @c3_sum_of_sums(%x: tensor<8x4xf32>, %zero: f32, %start: tensor<f32>, %data: tensor<i64>) -> tensor<f32> {
  %n_now = tensor.extract %data[] : tensor<i64>
  // expected-note@+1 {{it is computed from the result of 'arith.index_cast'}}
  %n = arith.index_cast %n_now : i64 to index
  // expected-error@+1 {{'tensor.extract_slice' op has a size that is not a map of index arguments and dimensions of arguments}}
  %s = tensor.extract_slice %x[0, 0] [%n, 4] [1, 1] : tensor<8x4xf32> to tensor<?x4xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %r = linalg.generic {indexing_maps = [#row, #sum], iterator_types = ["parallel", "reduction"]}
      ins(%s : tensor<?x4xf32>) outs(%f : tensor<?xf32>) {
  ^bb0(%v: f32, %o: f32):
    %t = arith.addf %v, %o : f32
    linalg.yield %t : f32
  } -> tensor<?xf32>
  %y = linalg.generic {indexing_maps = [#id, #all], iterator_types = ["reduction"]} ins(%r : tensor<?xf32>) outs(%start : tensor<f32>) {
  ^bb0(%v: f32, %o: f32):
    %t = arith.addf %v, %o : f32
    linalg.yield %t : f32
  } -> tensor<f32>
  return %y : tensor<f32>
}

// -----

// A quotient that is needed for some elements only.
// CHECK-LABEL: func.func @c4_quotient(
// CHECK:         tensor.pad
func.func @c4_quotient(%x: tensor<8xi32>, %z: tensor<8xi32>, %zero: i32, %data: tensor<i64>) -> tensor<8xi32> {
  %c8 = arith.constant 8 : index
  %n_now = tensor.extract %data[] : tensor<i64>
  // expected-note@+1 {{it is computed from the result of 'arith.index_cast'}}
  %n = arith.index_cast %n_now : i64 to index
  %h = arith.subi %c8, %n : index
  // expected-error@+1 {{'tensor.extract_slice' op has a size that is not a map of index arguments and dimensions of arguments}}
  %s = tensor.extract_slice %x[0] [%n] [1] : tensor<8xi32> to tensor<?xi32>
  %t = tensor.extract_slice %z[0] [%n] [1] : tensor<8xi32> to tensor<?xi32>
  %e = tensor.empty(%n) : tensor<?xi32>
  %q = linalg.div ins(%s, %t : tensor<?xi32>, tensor<?xi32>) outs(%e : tensor<?xi32>) -> tensor<?xi32>
  %y = tensor.pad %q low[0] high[%h] {
  ^bb0(%i: index):
    tensor.yield %zero : i32
  } : tensor<?xi32> to tensor<8xi32>
  return %y : tensor<8xi32>
}

// -----

// The sum of 256 elements.
// CHECK-LABEL: func.func @c5_elements(
// CHECK-COUNT-8: linalg.add
// CHECK:         tensor.pad
func.func @c5_elements(%x: tensor<8xf32>, %zero: f32, %data: tensor<i64>) -> tensor<8xf32> {
  %c8 = arith.constant 8 : index
  %n_now = tensor.extract %data[] : tensor<i64>
  // expected-note@+1 {{it is computed from the result of 'arith.index_cast'}}
  %n = arith.index_cast %n_now : i64 to index
  %h = arith.subi %c8, %n : index
  // expected-error@+1 {{'tensor.extract_slice' op has a size that is not a map of index arguments and dimensions of arguments}}
  %0 = tensor.extract_slice %x[0] [%n] [1] : tensor<8xf32> to tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %1 = linalg.add ins(%0, %0 : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %2 = linalg.add ins(%1, %1 : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %3 = linalg.add ins(%2, %2 : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %4 = linalg.add ins(%3, %3 : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %5 = linalg.add ins(%4, %4 : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %6 = linalg.add ins(%5, %5 : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %7 = linalg.add ins(%6, %6 : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %8 = linalg.add ins(%7, %7 : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %y = tensor.pad %8 low[0] high[%h] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<?xf32> to tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

// Only the first column is written.
#in = affine_map<(i) -> (i)>
#column = affine_map<(i) -> (i, 0)>
// CHECK-LABEL: func.func @c6_column(
// CHECK:         linalg.generic
// CHECK:         tensor.pad
func.func @c6_column(%x: tensor<8xf32>, %zero: f32, %data: tensor<i64>) -> tensor<8x2xf32> {
  %c8 = arith.constant 8 : index
  %n_now = tensor.extract %data[] : tensor<i64>
  // expected-note@+1 {{it is computed from the result of 'arith.index_cast'}}
  %n = arith.index_cast %n_now : i64 to index
  %h = arith.subi %c8, %n : index
  // expected-error@+1 {{'tensor.extract_slice' op has a size that is not a map of index arguments and dimensions of arguments}}
  %s = tensor.extract_slice %x[0] [%n] [1] : tensor<8xf32> to tensor<?xf32>
  %e = tensor.splat %zero[%n] : tensor<?x2xf32>
  %t = linalg.generic {indexing_maps = [#in, #column], iterator_types = ["parallel"]} ins(%s : tensor<?xf32>) outs(%e : tensor<?x2xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<?x2xf32>
  %y = tensor.pad %t low[0, 0] high[%h, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<?x2xf32> to tensor<8x2xf32>
  return %y : tensor<8x2xf32>
}
