// RUN: lw-opt %s --split-input-file --verify-diagnostics

func.func @scan_dimension(%x: tensor<4x3xf32>, %o: tensor<4x3xf32>, %acc: tensor<3xf32>) {
  // expected-error @+1 {{has dimension 2, expected one below 2}}
  %r:2 = tm_tensor.scan dimension(2) inclusive(true) ins(%x : tensor<4x3xf32>) outs(%o, %acc : tensor<4x3xf32>, tensor<3xf32>) {
  ^bb0(%a: f32, %b: f32):
    tm_tensor.yield %a : f32
  } -> tensor<4x3xf32>, tensor<3xf32>
  return
}

// -----

func.func @scan_output(%x: tensor<4x3xf32>, %o: tensor<4x2xf32>, %acc: tensor<3xf32>) {
  // expected-error @+1 {{has output of type tensor<4x2xf32>, expected tensor<4x3xf32>}}
  %r:2 = tm_tensor.scan dimension(0) inclusive(true) ins(%x : tensor<4x3xf32>) outs(%o, %acc : tensor<4x2xf32>, tensor<3xf32>) {
  ^bb0(%a: f32, %b: f32):
    tm_tensor.yield %a : f32
  } -> tensor<4x2xf32>, tensor<3xf32>
  return
}

// -----

func.func @scan_accumulator(%x: tensor<4x3xf32>, %o: tensor<4x3xf32>, %acc: tensor<4xf32>) {
  // expected-error @+1 {{has accumulator of type tensor<4xf32>, expected tensor<3xf32>}}
  %r:2 = tm_tensor.scan dimension(0) inclusive(true) ins(%x : tensor<4x3xf32>) outs(%o, %acc : tensor<4x3xf32>, tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    tm_tensor.yield %a : f32
  } -> tensor<4x3xf32>, tensor<4xf32>
  return
}

// -----

func.func @scan_region(%x: tensor<4x3xf32>, %o: tensor<4x3xf32>, %acc: tensor<3xf32>) {
  // expected-error @+1 {{has a region with arguments (f32), expected (f32, f32)}}
  %r:2 = tm_tensor.scan dimension(0) inclusive(true) ins(%x : tensor<4x3xf32>) outs(%o, %acc : tensor<4x3xf32>, tensor<3xf32>) {
  ^bb0(%a: f32):
    tm_tensor.yield %a : f32
  } -> tensor<4x3xf32>, tensor<3xf32>
  return
}

// -----

func.func @scan_yield(%x: tensor<4x3xf32>, %o: tensor<4x3xf32>, %acc: tensor<3xf32>) {
  // expected-error @+1 {{has a region that yields (i32), expected (f32)}}
  %r:2 = tm_tensor.scan dimension(0) inclusive(true) ins(%x : tensor<4x3xf32>) outs(%o, %acc : tensor<4x3xf32>, tensor<3xf32>) {
  ^bb0(%a0: f32, %b: f32):
    %a = arith.constant 1 : i32
    tm_tensor.yield %a : i32
  } -> tensor<4x3xf32>, tensor<3xf32>
  return
}

// -----

func.func @scan_outputs(%x: tensor<4xf32>) {
  // expected-error @+1 {{has 1 outputs, expected 2}}
  %r = tm_tensor.scan dimension(0) inclusive(true) ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    tm_tensor.yield %a : f32
  } -> tensor<4xf32>
  return
}

// -----

func.func @result_type(%x: tensor<4xf32>) {
  // expected-error @+1 {{has a result of type tensor<4xi32> for tensor<4xf32>}}
  %r = tm_tensor.sort dimension(0) outs(%x : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.cmpf ole, %a, %b : f32
    tm_tensor.yield %0 : i1
  } -> tensor<4xi32>
  return
}

// -----

func.func @result_count(%x: tensor<4xf32>) {
  // expected-error @+1 {{has 0 results for 1 outputs}}
  tm_tensor.sort dimension(0) outs(%x : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.cmpf ole, %a, %b : f32
    tm_tensor.yield %0 : i1
  }
  return
}

// -----

func.func @sort_sizes(%x: tensor<4xf32>, %i: tensor<5xi32>) {
  // expected-error @+1 {{has output of type tensor<5xi32>, expected tensor<4xi32>}}
  %r:2 = tm_tensor.sort dimension(0) outs(%x, %i : tensor<4xf32>, tensor<5xi32>) {
  ^bb0(%a: f32, %b: f32, %c: i32, %d: i32):
    %0 = arith.cmpf ole, %a, %b : f32
    tm_tensor.yield %0 : i1
  } -> tensor<4xf32>, tensor<5xi32>
  return
}

// -----

func.func @topk_indices(%x: tensor<4xf32>, %v: tensor<2xf32>) {
  // expected-error @+1 {{has indices of type f32, expected integers}}
  %r:2 = tm_tensor.topk dimension(0) ins(%x : tensor<4xf32>) outs(%v, %v : tensor<2xf32>, tensor<2xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.cmpf ogt, %a, %b : f32
    tm_tensor.yield %0 : i1
  } -> tensor<2xf32>, tensor<2xf32>
  return
}

// -----

func.func @scatter_depth(%u: tensor<3xf32>, %i: tensor<3x?xi32>, %x: tensor<8xf32>) {
  // expected-error @+1 {{has indices tensor<3x?xi32>, expected two dimensions, the second static}}
  %r = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(true) ins(%u, %i : tensor<3xf32>, tensor<3x?xi32>) outs(%x : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32):
    tm_tensor.yield %a : f32
  } -> tensor<8xf32>
  return
}

// -----

func.func @scatter_index_type(%u: tensor<3xf32>, %i: tensor<3x1xf32>, %x: tensor<8xf32>) {
  // expected-error @+1 {{has indices of type f32, expected integers}}
  %r = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(true) ins(%u, %i : tensor<3xf32>, tensor<3x1xf32>) outs(%x : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32):
    tm_tensor.yield %a : f32
  } -> tensor<8xf32>
  return
}

// -----

func.func @scatter_map(%u: tensor<3xf32>, %i: tensor<3x1xi32>, %x: tensor<8xf32>) {
  // expected-error @+1 {{has dimension_map [1], expected 1 distinct numbers below 1}}
  %r = tm_tensor.scatter {dimension_map = array<i64: 1>} unique_indices(true) ins(%u, %i : tensor<3xf32>, tensor<3x1xi32>) outs(%x : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32):
    tm_tensor.yield %a : f32
  } -> tensor<8xf32>
  return
}

// -----

func.func @scatter_count(%u: tensor<4xf32>, %i: tensor<3x1xi32>, %x: tensor<8xf32>) {
  // expected-error @+1 {{has updates tensor<4xf32> for indices tensor<3x1xi32>, expected as many}}
  %r = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(true) ins(%u, %i : tensor<4xf32>, tensor<3x1xi32>) outs(%x : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32):
    tm_tensor.yield %a : f32
  } -> tensor<8xf32>
  return
}

// -----

func.func @scatter_missing(%u: tensor<3xf32>, %i: tensor<3x1xi32>, %x: tensor<8x8xf32>) {
  // expected-error @+1 {{gives no index of dimension 1, which its slices do not have}}
  %r = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(true) ins(%u, %i : tensor<3xf32>, tensor<3x1xi32>) outs(%x : tensor<8x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    tm_tensor.yield %a : f32
  } -> tensor<8x8xf32>
  return
}

// -----

func.func @scatter_slice(%u: tensor<3x4xf32>, %i: tensor<3x1xi32>, %x: tensor<8x5xf32>) {
  // expected-error @+1 {{has updates tensor<3x4xf32> of tensor<8x5xf32>: size 1 differs}}
  %r = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(true) ins(%u, %i : tensor<3x4xf32>, tensor<3x1xi32>) outs(%x : tensor<8x5xf32>) {
  ^bb0(%a: f32, %b: f32):
    tm_tensor.yield %a : f32
  } -> tensor<8x5xf32>
  return
}

// -----

func.func @scatter_rank(%u: tensor<3x4x4xf32>, %i: tensor<3x1xi32>, %x: tensor<8xf32>) {
  // expected-error @+1 {{has updates tensor<3x4x4xf32>, expected slices of at most 1 dimensions}}
  %r = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(true) ins(%u, %i : tensor<3x4x4xf32>, tensor<3x1xi32>) outs(%x : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32):
    tm_tensor.yield %a : f32
  } -> tensor<8xf32>
  return
}

// -----

func.func @attention_elements(%q: tensor<2x3x4xi32>, %k: tensor<2x5x4xf32>, %v: tensor<2x5x6xf32>, %m: tensor<2x3x5xf32>, %o: tensor<2x3x6xf32>) {
  // expected-error @+1 {{has query tensor<2x3x4xi32>, expected floats in 2 or more dimensions}}
  %r = tm_tensor.attention ins(%q, %k, %v, %m : tensor<2x3x4xi32>, tensor<2x5x4xf32>, tensor<2x5x6xf32>, tensor<2x3x5xf32>) outs(%o : tensor<2x3x6xf32>) -> tensor<2x3x6xf32>
  return
}

// -----

func.func @attention_ranks(%q: tensor<2x3x4xf32>, %k: tensor<5x4xf32>, %v: tensor<2x5x6xf32>, %m: tensor<2x3x5xf32>, %o: tensor<2x3x6xf32>) {
  // expected-error @+1 {{has query, key and value of ranks [3, 2, 3], expected equal ranks}}
  %r = tm_tensor.attention ins(%q, %k, %v, %m : tensor<2x3x4xf32>, tensor<5x4xf32>, tensor<2x5x6xf32>, tensor<2x3x5xf32>) outs(%o : tensor<2x3x6xf32>) -> tensor<2x3x6xf32>
  return
}

// -----

func.func @attention_key(%q: tensor<2x3x4xf32>, %k: tensor<2x5x3xf32>, %v: tensor<2x5x6xf32>, %m: tensor<2x3x5xf32>, %o: tensor<2x3x6xf32>) {
  // expected-error @+1 {{has key of type tensor<2x5x3xf32>, expected tensor<2x5x4xf32>}}
  %r = tm_tensor.attention ins(%q, %k, %v, %m : tensor<2x3x4xf32>, tensor<2x5x3xf32>, tensor<2x5x6xf32>, tensor<2x3x5xf32>) outs(%o : tensor<2x3x6xf32>) -> tensor<2x3x6xf32>
  return
}

// -----

func.func @attention_value(%q: tensor<2x3x4xf32>, %k: tensor<2x5x4xf32>, %v: tensor<2x4x6xf32>, %m: tensor<2x3x5xf32>, %o: tensor<2x3x6xf32>) {
  // expected-error @+1 {{has value of type tensor<2x4x6xf32>, expected tensor<2x5x6xf32>}}
  %r = tm_tensor.attention ins(%q, %k, %v, %m : tensor<2x3x4xf32>, tensor<2x5x4xf32>, tensor<2x4x6xf32>, tensor<2x3x5xf32>) outs(%o : tensor<2x3x6xf32>) -> tensor<2x3x6xf32>
  return
}

// -----

func.func @attention_mask(%q: tensor<2x3x4xf32>, %k: tensor<2x5x4xf32>, %v: tensor<2x5x6xf32>, %m: tensor<2x5x3xf32>, %o: tensor<2x3x6xf32>) {
  // expected-error @+1 {{has mask of type tensor<2x5x3xf32>, expected tensor<2x3x5xf32>}}
  %r = tm_tensor.attention ins(%q, %k, %v, %m : tensor<2x3x4xf32>, tensor<2x5x4xf32>, tensor<2x5x6xf32>, tensor<2x5x3xf32>) outs(%o : tensor<2x3x6xf32>) -> tensor<2x3x6xf32>
  return
}

// -----

func.func @attention_output(%q: tensor<2x3x4xf32>, %k: tensor<2x5x4xf32>, %v: tensor<2x5x6xf32>, %m: tensor<2x3x5xf32>, %o: tensor<2x3x5xf32>) {
  // expected-error @+1 {{has output of type tensor<2x3x5xf32>, expected tensor<2x3x6xf32>}}
  %r = tm_tensor.attention ins(%q, %k, %v, %m : tensor<2x3x4xf32>, tensor<2x5x4xf32>, tensor<2x5x6xf32>, tensor<2x3x5xf32>) outs(%o : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  return
}
