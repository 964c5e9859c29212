// RUN: lw-opt %s -split-input-file -verify-diagnostics

func.func @two_types(%x: tensor<4xf32>, %y: tensor<5xf32>) {
  // expected-note @-1 {{prior use here}}
  // expected-error @+1 {{expects different type than prior uses}}
  %0 = graph.add %x, %y : tensor<4xf32>
  return
}

// -----

func.func @exp_of_integers(%x: tensor<4xi32>) {
  // expected-error @+1 {{must be ranked tensor of f16, bf16, f32 or f64 values}}
  %0 = graph.exp %x : tensor<4xi32>
  return
}

// -----

func.func @matmul_rank(%x: tensor<4xf32>) {
  // expected-error @+1 {{multiplies tensors of rank 1 and 1, expected 2 and 2}}
  %0 = graph.matmul %x, %x : tensor<4xf32>, tensor<4xf32> -> tensor<4x4xf32>
  return
}

// -----

func.func @matmul_elements(%x: tensor<4x4xf32>, %y: tensor<4x4xf64>) {
  // expected-error @+1 {{multiplies elements of type f32 and f64}}
  %0 = graph.matmul %x, %y : tensor<4x4xf32>, tensor<4x4xf64> -> tensor<4x4xf32>
  return
}

// -----

func.func @matmul_sum(%x: tensor<4x3xf32>, %y: tensor<4x5xf32>) {
  // expected-error @+1 {{sums over size 3 in a and size 4 in b}}
  %0 = graph.matmul %x, %y : tensor<4x3xf32>, tensor<4x5xf32> -> tensor<4x5xf32>
  return
}

// -----

func.func @matmul_result(%x: tensor<4x3xf32>, %y: tensor<4x5xf32>) {
  // expected-error @+1 {{has a result of type tensor<4x5xf32>, expected tensor<3x5xf32>}}
  %0 = graph.matmul %x, %y transpose_a : tensor<4x3xf32>, tensor<4x5xf32> -> tensor<4x5xf32>
  return
}

// -----

func.func @reduce_dims(%x: tensor<4x3xf32>) {
  // expected-error @+1 {{has 2 in 'dims', expected distinct numbers below 2}}
  %0 = graph.reduce add %x dims = [2] : tensor<4x3xf32> -> tensor<4xf32>
  return
}

// -----

func.func @reduce_same_dim_twice(%x: tensor<4x3xf32>) {
  // expected-error @+1 {{has 1 in 'dims', expected distinct numbers below 2}}
  %0 = graph.reduce add %x dims = [1, 1] : tensor<4x3xf32> -> tensor<4xf32>
  return
}

// -----

func.func @reduce_result(%x: tensor<4x3xf32>) {
  // expected-error @+1 {{has a result of type}}
  %0 = graph.reduce add %x dims = [1] keep_dims : tensor<4x3xf32> -> tensor<4xf32>
  return
}

// -----

func.func @broadcast_order(%x: tensor<4x3xf32>) {
  // expected-error @+1 {{has 'dims' [1, 0], expected 2 increasing numbers, one for each dimension of x}}
  %0 = graph.broadcast %x dims = [1, 0] : tensor<4x3xf32> to tensor<3x4xf32>
  return
}

// -----

func.func @broadcast_size(%x: tensor<4xf32>) {
  // expected-error @+1 {{has a result of type}}
  %0 = graph.broadcast %x dims = [1] : tensor<4xf32> to tensor<3x5xf32>
  return
}

// -----

func.func @broadcast_sizes(%x: tensor<4xf32>) {
  // expected-error @+1 {{has 0 sizes, but its result has 1 dynamic dimensions that are repeated}}
  %0 = graph.broadcast %x dims = [1] : tensor<4xf32> to tensor<?x4xf32>
  return
}

// -----

func.func @transpose_perm(%x: tensor<4x3xf32>) {
  // expected-error @+1 {{has a 'perm' of 1 numbers for rank 2}}
  %0 = graph.transpose %x perm = [1] : tensor<4x3xf32> to tensor<3x4xf32>
  return
}

// -----

func.func @transpose_result(%x: tensor<4x3xf32>) {
  // expected-error @+1 {{has a result of type}}
  %0 = graph.transpose %x perm = [1, 0] : tensor<4x3xf32> to tensor<4x3xf32>
  return
}

// -----

func.func @fusion_yields_other_types(%x: tensor<4xf32>) {
  // expected-error @+1 {{successor operand type #0 'tensor<4xf32>' should match successor input type #0 'tensor<4xf64>'}}
  %0 = graph.fusion -> tensor<4xf64> {
    %1 = graph.exp %x : tensor<4xf32>
    %2 = graph.yield_store %1 : tensor<4xf32>
    // expected-note @+1 {{region branch point}}
    graph.yield %2 : tensor<4xf32>
  }
  return
}

// -----

func.func @fusion_yields_what_is_not_stored(%x: tensor<4xf32>) {
  // expected-error @+1 {{yields a value that no 'graph.yield_store' marks}}
  %0 = graph.fusion -> tensor<4xf32> {
    %1 = graph.exp %x : tensor<4xf32>
    // expected-note @+1 {{the yield is here}}
    graph.yield %1 : tensor<4xf32>
  }
  return
}

// -----

func.func @fusion_stores_what_it_does_not_yield(%x: tensor<4xf32>) {
  // expected-error @+1 {{stores a value that it does not yield}}
  graph.fusion {
    %1 = graph.exp %x : tensor<4xf32>
    // expected-note @+1 {{the store is here}}
    %2 = graph.yield_store %1 : tensor<4xf32>
    graph.yield
  }
  return
}

// -----

func.func @fusion_with_effects(%x: tensor<4xf32>) {
  // expected-error @+1 {{contains 'memref.alloc', expected graph, linalg, tensor, affine, arith or math ops}}
  %0 = graph.fusion -> tensor<4xf32> {
    // expected-note @+1 {{it is here}}
    %a = memref.alloc() : memref<4xf32>
    %1 = graph.exp %x : tensor<4xf32>
    %2 = graph.yield_store %1 : tensor<4xf32>
    graph.yield %2 : tensor<4xf32>
  }
  return
}

// -----

func.func @fusion_of_nothing(%x: tensor<4xf32>) {
  // expected-error @+1 {{is empty}}
  %0 = graph.fusion -> tensor<4xf32> {
    %2 = graph.yield_store %x : tensor<4xf32>
    graph.yield %2 : tensor<4xf32>
  }
  return
}

// -----

func.func @fusion_without_yield(%x: tensor<4xf32>) {
  // expected-error @+1 {{does not end with 'graph.yield'}}
  graph.fusion {
    llvm.unreachable
  }
  return
}
