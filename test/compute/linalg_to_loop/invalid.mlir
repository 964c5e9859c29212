// RUN: lw-opt %s --convert-linalg-to-loop -split-input-file -verify-diagnostics

func.func @unknown_op(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<4x4xf32>
  // expected-error @+1 {{'linalg.softmax' op is not supported by convert-linalg-to-loop}}
  %0 = linalg.softmax dimension(1) ins(%x : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

func.func @graph_op(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{is not a linalg op: run convert-graph-to-linalg first}}
  %0 = graph.exp %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @size_from_data(%x: tensor<i64>) -> tensor<?xf32> {
  %v = tensor.extract %x[] : tensor<i64>
  // expected-note @+1 {{it is computed from the result of 'arith.index_cast'}}
  %n = arith.index_cast %v : i64 to index
  // expected-error @+1 {{has a size that is not a map of index arguments and dimensions of arguments}}
  %e = tensor.empty(%n) : tensor<?xf32>
  return %e : tensor<?xf32>
}

// -----

// expected-error @+1 {{has several blocks: control flow is not converted}}
func.func @control_flow(%x: tensor<4xf32>) -> tensor<4xf32> {
  cf.br ^end
^end:
  return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{calls itself, which convert-linalg-to-loop cannot convert}}
func.func @recursion(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @recursion(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func private @elsewhere(tensor<4xf32>) -> tensor<4xf32>
func.func @call_of_a_declaration(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{calls a function that is not converted: it has no body or no tensors}}
  %0 = call @elsewhere(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error @+1 {{argument 0 has the type tensor<4xi4>}}
func.func @element_type(%x: tensor<4xi4>) -> tensor<4xi4> { return %x : tensor<4xi4> }

// -----

// expected-error @+1 {{argument 0 has the type memref<4xi1>}}
func.func @memref_of_booleans(%x: memref<4xi1>, %y: tensor<4xf32>) { return }

// -----

// expected-error @+1 {{result 0 has the type index, expected a tensor or a number}}
func.func @index_result(%x: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  return %n : index
}

// -----

func.func @parallel_iterator_that_is_no_index(%x: tensor<4xf32>, %o: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{iterator 0 is parallel, but no index of the result is this iterator alone}}
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%o : tensor<f32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @tensor_in_a_loop_of_a_body(%o: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%o : tensor<4xf32>) {
  ^bb0(%b: f32):
    %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%a = %b) -> f32 {
      %t = tensor.from_elements %a, %b : tensor<2xf32>
      // expected-error @below {{'tensor.extract' op uses the result of 'tensor.from_elements', which convert-linalg-to-loop does not support}}
      %v = tensor.extract %t[%i] : tensor<2xf32>
      scf.yield %v : f32
    }
    linalg.yield %r : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func private @unknown(f32) -> f32
func.func @call_in_a_loop_of_a_body(%o: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%o : tensor<4xf32>) {
  ^bb0(%b: f32):
    %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%a = %b) -> f32 {
      // expected-error @below {{'func.call' op is in a loop or branch of a body, expected ops that compute numbers, and reads of tensors from outside}}
      %v = func.call @unknown(%a) : (f32) -> f32
      scf.yield %v : f32
    }
    linalg.yield %r : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @unsigned_loop_of_a_body(%o: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%o : tensor<4xf32>) {
  ^bb0(%b: f32):
    // expected-error @below {{'scf.for' op compares unsigned, expected signed bounds}}
    %r = scf.for unsigned %i = %c0 to %c1 step %c1 iter_args(%a = %b) -> f32 {
      scf.yield %a : f32
    }
    linalg.yield %r : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @groups_out_of_order(%x: tensor<2x3xf32>) -> tensor<6xf32> {
  // expected-error @+1 {{has the groups [[4294967296, 1]] for 2 dimensions}}
  %0 = tensor.collapse_shape %x [[4294967296, 1]] : tensor<2x3xf32> into tensor<6xf32>
  return %0 : tensor<6xf32>
}

// -----

func.func @negative_stride() -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  // expected-error @+1 {{has a stride that is not a positive constant}}
  %0 = tensor.insert_slice %e into %e[3] [4] [-1] : tensor<4xf32> into tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @overwritten_before_it_is_read(%x: memref<4xf32>, %y: memref<4xf32>) {
  // expected-error @+1 {{result 1 needs a buffer that another result overwrites}}
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : memref<4xf32>) outs(%x, %y : memref<4xf32>, memref<4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %n = arith.negf %a : f32
    linalg.yield %n, %a : f32, f32
  }
  return
}

// -----

func.func @assertion_of_false(%x: tensor<4xf32>) -> tensor<4xf32> {
  %holds = arith.constant false
  // expected-error @+1 {{never holds: the sizes fit}}
  cf.assert %holds, "the sizes fit"
  return %x : tensor<4xf32>
}

// -----

#all = affine_map<(i, k) -> (i, k)>
#none = affine_map<(i, k) -> ()>
func.func @running_of_two_iterators(%x: tensor<4x3xf32>, %o: tensor<4x3xf32>, %sum: tensor<f32>) -> tensor<4x3xf32> {
  // expected-error @+1 {{result 0 depends on partial results of result 1 of 2 reduction iterators, expected one}}
  %r:2 = linalg.generic {indexing_maps = [#all, #all, #none], iterator_types = ["reduction", "reduction"]} ins(%x : tensor<4x3xf32>) outs(%o, %sum : tensor<4x3xf32>, tensor<f32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %0 = arith.addf %s, %a : f32
    linalg.yield %0, %0 : f32, f32
  } -> (tensor<4x3xf32>, tensor<f32>)
  return %r#0 : tensor<4x3xf32>
}

// -----

#all = affine_map<(k) -> (k)>
#none = affine_map<(k) -> ()>
func.func @running_of_two_results(%x: tensor<4xf32>, %o: tensor<4xf32>, %sum: tensor<f32>) -> tensor<4xf32> {
  // expected-error @+1 {{result 0 depends on partial results of result 1 and of others, expected those of one result}}
  %r:3 = linalg.generic {indexing_maps = [#all, #all, #none, #none], iterator_types = ["reduction"]} ins(%x : tensor<4xf32>) outs(%o, %sum, %sum : tensor<4xf32>, tensor<f32>, tensor<f32>) {
  ^bb0(%a: f32, %b: f32, %s: f32, %t: f32):
    %0 = arith.addf %s, %a : f32
    %1 = arith.mulf %t, %a : f32
    %2 = arith.addf %s, %t : f32
    linalg.yield %2, %0, %1 : f32, f32, f32
  } -> (tensor<4xf32>, tensor<f32>, tensor<f32>)
  return %r#0 : tensor<4xf32>
}

// -----

#twice = affine_map<(k) -> (k + 1)>
#all = affine_map<(k) -> (k)>
#none = affine_map<(k) -> ()>
func.func @running_at_other_indices(%x: tensor<4xf32>, %o: tensor<5xf32>, %sum: tensor<f32>) -> tensor<5xf32> {
  // expected-error @+1 {{result 0 depends on partial results of result 1, expected indices that are iterators, and no other partial results}}
  %r:2 = linalg.generic {indexing_maps = [#all, #twice, #none], iterator_types = ["reduction"]} ins(%x : tensor<4xf32>) outs(%o, %sum : tensor<5xf32>, tensor<f32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %0 = arith.addf %s, %a : f32
    linalg.yield %0, %0 : f32, f32
  } -> (tensor<5xf32>, tensor<f32>)
  return %r#0 : tensor<5xf32>
}

// -----

func.func @size_by_data(%x: tensor<?xf32>, %k: tensor<i64>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %v = tensor.extract %k[] : tensor<i64>
  %i = arith.index_cast %v : i64 to index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  // expected-note @+1 {{it is computed from the result of 'arith.minsi'}}
  %size = arith.minsi %n, %i : index
  // expected-error @+1 {{has a size that is not a map of index arguments and dimensions of arguments}}
  %y = tensor.extract_slice %x[0] [%size] [1] : tensor<?xf32> to tensor<?xf32>
  return %y : tensor<?xf32>
}

// -----

func.func @listed_sizes_from_data(%x: tensor<?xf32>, %shape: tensor<2xi64>) -> tensor<?x?xf32> {
  // expected-error @+1 {{has dynamic sizes, expected them from 'tensor.from_elements' or a constant}}
  %y = tensor.reshape %x(%shape) : (tensor<?xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}
