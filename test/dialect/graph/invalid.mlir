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
  // expected-error @+1 {{multiplies tensors of rank 1 and 1, expected equal ranks of 2 or more}}
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

// -----

func.func @unsigned_floats(%x: tensor<4xf32>) {
  // expected-error @+1 {{is marked 'unsigned', but its elements are of type f32}}
  %0 = graph.max %x, %x unsigned : tensor<4xf32>
  return
}

// -----

func.func @ordered_bools(%x: tensor<4xi1>) {
  // expected-error @+1 {{orders elements of type i1, expected eq or ne}}
  %0 = graph.compare lt %x, %x : tensor<4xi1> -> tensor<4xi1>
  return
}

// -----

func.func @compare_result(%x: tensor<4xf32>) {
  // expected-error @+1 {{has a result of type tensor<5xi1>, expected tensor<4xi1>}}
  %0 = graph.compare lt %x, %x : tensor<4xf32> -> tensor<5xi1>
  return
}

// -----

func.func @bits_of_floats(%x: tensor<4xf32>) {
  // expected-error @+1 {{must be ranked tensor of i1, i8, i16, i32 or i64 values}}
  %0 = graph.and %x, %x : tensor<4xf32>
  return
}

// -----

func.func @cast_shape(%x: tensor<4xf32>) {
  // expected-error @+1 {{requires the same shape for all operands and results}}
  %0 = graph.cast %x : tensor<4xf32> to tensor<5xi8>
  return
}

// -----

func.func @select_condition(%c: tensor<5xi1>, %x: tensor<4xf32>) {
  // expected-error @+1 {{has a condition of type tensor<5xi1> and a result of type tensor<4xf32>, expected the same sizes}}
  %0 = graph.select %c, %x, %x : tensor<5xi1>, tensor<4xf32>
  return
}

// -----

func.func @matmul_batches(%x: tensor<2x4x3xf32>, %y: tensor<3x3x5xf32>) {
  // expected-error @+1 {{has size 2 in a and size 3 in b in dimension 0}}
  %0 = graph.matmul %x, %y : tensor<2x4x3xf32>, tensor<3x3x5xf32> -> tensor<2x4x5xf32>
  return
}

// -----

func.func @matmul_narrower(%x: tensor<4x4xf32>) {
  // expected-error @+1 {{has a result of type tensor<4x4xf16>, expected tensor<4x4xf32>}}
  %0 = graph.matmul %x, %x : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf16>
  return
}

// -----

func.func @bias_size(%x: tensor<2x3x4xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{has numbers of type tensor<4xf32> for dimension 1 of tensor<2x3x4xf32>, expected tensor<3xf32>}}
  %0 = graph.bias_add %x, %b dim = 1 : tensor<2x3x4xf32>, tensor<4xf32>
  return
}

// -----

func.func @conv_rank(%x: tensor<4x4xf32>) {
  // expected-error @+1 {{has operands of rank 2 and 2, expected equal ranks from 3 to 5}}
  %0 = graph.conv channels_first %x, %x : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
  return
}

// -----

func.func @conv_channels(%x: tensor<1x4x6x6xf32>, %w: tensor<3x2x3x3xf32>) {
  // expected-error @+1 {{has 4 channels, weights for 1 groups of 2 channels, and 3 outputs, expected groups of equal sizes}}
  %0 = graph.conv channels_first %x, %w : tensor<1x4x6x6xf32>, tensor<3x2x3x3xf32> -> tensor<1x3x4x4xf32>
  return
}

// -----

func.func @conv_groups(%x: tensor<1x?x6x6xf32>, %w: tensor<4x2x3x3xf32>) {
  // expected-error @+1 {{has 2 groups, ? channels and 4 outputs, expected 1 group or more, and static sizes if there are several}}
  %0 = graph.conv channels_first %x, %w groups = 2 : tensor<1x?x6x6xf32>, tensor<4x2x3x3xf32> -> tensor<1x4x4x4xf32>
  return
}

// -----

func.func @conv_window(%x: tensor<1x4x6x6xf32>, %w: tensor<3x4x?x3xf32>) {
  // expected-error @+1 {{has weights of a dynamic window, expected static sizes}}
  %0 = graph.conv channels_first %x, %w : tensor<1x4x6x6xf32>, tensor<3x4x?x3xf32> -> tensor<1x3x4x4xf32>
  return
}

// -----

func.func @conv_strides(%x: tensor<1x4x6x6xf32>, %w: tensor<3x4x3x3xf32>) {
  // expected-error @+1 {{has [0, 1] in 'strides', expected 2 numbers of 1 or more}}
  %0 = graph.conv channels_first %x, %w strides = [0, 1] : tensor<1x4x6x6xf32>, tensor<3x4x3x3xf32> -> tensor<1x3x4x4xf32>
  return
}

// -----

func.func @conv_too_small(%x: tensor<1x4x2x6xf32>, %w: tensor<3x4x3x3xf32>) {
  // expected-error @+1 {{has a window of 3 elements, 1 apart, in dimension 0 of the positions, which has 2 elements and 0 of padding}}
  %0 = graph.conv channels_first %x, %w : tensor<1x4x2x6xf32>, tensor<3x4x3x3xf32> -> tensor<1x3x1x4xf32>
  return
}

// -----

func.func @pool_average_of_integers(%x: tensor<1x4x6x6xi8>) {
  // expected-error @+1 {{computes averages of elements of type i8, expected floats}}
  %0 = graph.pool average channels_first %x window = [2, 2] : tensor<1x4x6x6xi8> -> tensor<1x4x5x5xi8>
  return
}

// -----

func.func @pool_window(%x: tensor<1x4x6x6xf32>) {
  // expected-error @+1 {{has [2] in 'window', expected 2 numbers of 1 or more}}
  %0 = graph.pool max channels_first %x window = [2] : tensor<1x4x6x6xf32> -> tensor<1x4x5x5xf32>
  return
}

// -----

func.func @reduce_bits_of_floats(%x: tensor<4xf32>) {
  // expected-error @+1 {{combines bits of elements of type f32, expected integers or i1}}
  %0 = graph.reduce and %x dims = [0] : tensor<4xf32> -> tensor<f32>
  return
}

// -----

func.func @reduce_bools(%x: tensor<4xi1>) {
  // expected-error @+1 {{combines i1 as numbers, expected and, or}}
  %0 = graph.reduce add %x dims = [0] : tensor<4xi1> -> tensor<i1>
  return
}

// -----

func.func @argmax_of_nothing(%x: tensor<4x0xf32>) {
  // expected-error @+1 {{takes an index of dimension 1, which has no elements}}
  %0 = graph.argmax %x dim = 1 : tensor<4x0xf32> -> tensor<4xi64>
  return
}

// -----

func.func @softmax_dim(%x: tensor<4xf32>) {
  // expected-error @+1 {{has dim = 1, expected a number from 0 and below 1}}
  %0 = graph.softmax %x dim = 1 : tensor<4xf32>
  return
}

// -----

func.func @layer_norm_scale(%x: tensor<4x6xf32>, %s: tensor<4xf32>) {
  // expected-error @+1 {{has a scale of type tensor<4xf32> for tensor<4x6xf32>, expected its last dimensions and its element type}}
  %0 = graph.layer_norm %x, %s, %s epsilon = 1.0e-5 : tensor<4x6xf32>, tensor<4xf32>
  return
}

// -----

func.func @full_value(%v: f64) {
  // expected-error @+1 {{has a value of type f64 for elements of type f32}}
  %0 = graph.full %v : f64 to tensor<4xf32>
  return
}

// -----

func.func @full_sizes(%v: f32) {
  // expected-error @+1 {{has 0 sizes, but its result has 1 dynamic dimensions}}
  %0 = graph.full %v : f32 to tensor<?xf32>
  return
}

// -----

func.func @reshape_count(%x: tensor<4x6xf32>) {
  // expected-error @+1 {{has a result of type tensor<5x5xf32>, expected the elements of tensor<4x6xf32>}}
  %0 = graph.reshape %x : tensor<4x6xf32> to tensor<5x5xf32>
  return
}

// -----

func.func @squeeze_size(%x: tensor<4x6xf32>) {
  // expected-error @+1 {{removes dimension 1 of size 6, expected size 1}}
  %0 = graph.squeeze %x dims = [1] : tensor<4x6xf32> -> tensor<4xf32>
  return
}

// -----

func.func @slice_steps(%x: tensor<4x6xf32>) {
  // expected-error @+1 {{has [0] in 'steps', expected 1 numbers of 1 or more}}
  %0 = graph.slice %x dims = [1] starts = [0] ends = [6] steps = [0] : tensor<4x6xf32> -> tensor<4x6xf32>
  return
}

// -----

func.func @slice_result(%x: tensor<4x6xf32>) {
  // expected-error @+1 {{has a result of type tensor<4x6xf32>, expected tensor<4x2xf32>}}
  %0 = graph.slice %x dims = [1] starts = [-3] ends = [9] steps = [2] : tensor<4x6xf32> -> tensor<4x6xf32>
  return
}

// -----

func.func @concat_sizes(%x: tensor<4x6xf32>, %y: tensor<4x5xf32>) {
  // expected-error @+1 {{joins tensors of type tensor<4x6xf32> and tensor<4x5xf32>, expected the same type except for the size of dimension 0}}
  %0 = graph.concat %x, %y dim = 0 : tensor<4x6xf32>, tensor<4x5xf32> -> tensor<8x6xf32>
  return
}

// -----

func.func @split_sizes(%x: tensor<4x6xf32>) {
  // expected-error @+1 {{has parts of sizes [2, 3], expected sizes whose sum is the size 6 of dimension 1, which is static}}
  %0, %1 = graph.split %x dim = 1 sizes = [2, 3] : tensor<4x6xf32> -> tensor<4x2xf32>, tensor<4x3xf32>
  return
}

// -----

func.func @split_count(%x: tensor<4x6xf32>) {
  // expected-error @+1 {{has 1 results, expected 2}}
  %0 = graph.split %x dim = 1 sizes = [3, 3] : tensor<4x6xf32> -> tensor<4x3xf32>
  return
}

// -----

func.func @pad_value(%x: tensor<4xf32>, %v: f64) {
  // expected-error @+1 {{adds elements of type f64 to elements of type f32}}
  %0 = graph.pad %x, %v low = [1] high = [0] : tensor<4xf32>, f64 -> tensor<5xf32>
  return
}

// -----

func.func @tile_overflow(%x: tensor<4611686018427387904xi8>) {
  // expected-error @+1 {{has a result with a size beyond 64 bits: 4 times 4611686018427387904}}
  %0 = graph.tile %x repeats = [4] : tensor<4611686018427387904xi8> -> tensor<?xi8>
  return
}

// -----

func.func @repeat_count(%x: tensor<4xf32>) {
  // expected-error @+1 {{has count = -1, expected 0 or more}}
  %0 = graph.repeat %x dim = 0 count = -1 : tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

func.func @layout_sizes(%x: tensor<1x60xf32>) {
  // expected-error @+1 {{has tiles of type tensor<1x5x16xf32> for elements of type tensor<1x60xf32>, expected tensor<1x4x16xf32>}}
  %0 = graph.layout_transform %x dims = [1] tiles = [16] : tensor<1x60xf32> to tensor<1x5x16xf32>
  return
}

// -----

func.func @layout_dynamic(%x: tensor<?x60xf32>) {
  // expected-error @+1 {{has a dynamic size in tensor<?x60xf32>, expected static sizes}}
  %0 = graph.layout_transform %x dims = [1] tiles = [16] : tensor<?x60xf32> to tensor<?x4x16xf32>
  return
}

// -----

func.func @take_from_nothing(%x: tensor<0x4xf32>, %i: tensor<2xi64>) {
  // expected-error @+1 {{takes slices of dimension 0, which has no elements}}
  %0 = graph.take %x, %i dim = 0 : tensor<0x4xf32>, tensor<2xi64> -> tensor<2x4xf32>
  return
}

// -----

func.func @gather_sizes(%x: tensor<3x4xf32>, %i: tensor<4x2xi64>) {
  // expected-error @+1 {{has indices of type tensor<4x2xi64> for elements of type tensor<3x4xf32>, expected the same rank, and sizes that are not larger except in dimension 1}}
  %0 = graph.gather_elements %x, %i dim = 1 : tensor<3x4xf32>, tensor<4x2xi64> -> tensor<4x2xf32>
  return
}

// -----

func.func @conv_dilations(%x: tensor<1x4x?x6xf32>, %w: tensor<3x4x3x3xf32>) {
  // expected-error @+1 {{has a window of 3 elements, 9223372036854775807 apart, which is larger than 64 bits}}
  %0 = graph.conv channels_first %x, %w dilations = [9223372036854775807, 1] : tensor<1x4x?x6xf32>, tensor<3x4x3x3xf32> -> tensor<1x3x?x4xf32>
  return
}

// -----

func.func @sort_dim(%x: tensor<4xf32>) {
  // expected-error @+1 {{has dim = 1, expected a number from 0 and below 1}}
  %v, %i = graph.sort %x dim = 1 : tensor<4xf32> -> tensor<4xf32>, tensor<4xi64>
  return
}

// -----

func.func @sort_result(%x: tensor<4xf32>) {
  // expected-error @+1 {{has a result of type tensor<5xi64>, expected tensor<4xi64>}}
  %v, %i = graph.sort %x dim = 0 : tensor<4xf32> -> tensor<4xf32>, tensor<5xi64>
  return
}

// -----

func.func @sort_indices(%x: tensor<4xf32>) {
  // expected-error @+1 {{must be ranked tensor of 64-bit signless integer values}}
  %v, %i = graph.sort %x dim = 0 : tensor<4xf32> -> tensor<4xf32>, tensor<4xi32>
  return
}

// -----

func.func @sort_unsigned_floats(%x: tensor<4xf32>) {
  // expected-error @+1 {{is marked 'unsigned', but its elements are of type f32}}
  %v, %i = graph.sort %x dim = 0 unsigned : tensor<4xf32> -> tensor<4xf32>, tensor<4xi64>
  return
}

// -----

func.func @topk_size(%x: tensor<4xf32>) {
  // expected-error @+1 {{has k = 5, expected a number from 0 to the size 4 of dimension 0}}
  %v, %i = graph.topk %x k = 5 dim = 0 : tensor<4xf32> -> tensor<5xf32>, tensor<5xi64>
  return
}

// -----

func.func @topk_negative(%x: tensor<?xf32>) {
  // expected-error @+1 {{has k = -1, expected a number from 0 to the size ? of dimension 0}}
  %v, %i = graph.topk %x k = -1 dim = 0 : tensor<?xf32> -> tensor<?xf32>, tensor<?xi64>
  return
}

// -----

func.func @scan_dim(%x: tensor<4xf32>) {
  // expected-error @+1 {{has dim = -1, expected a number from 0 and below 1}}
  %0 = graph.scan add %x dim = -1 : tensor<4xf32>
  return
}

// -----

func.func @scan_bits_of_floats(%x: tensor<4xf32>) {
  // expected-error @+1 {{combines bits of elements of type f32, expected integers or i1}}
  %0 = graph.scan or %x dim = 0 : tensor<4xf32>
  return
}

// -----

func.func @scan_bools(%x: tensor<4xi1>) {
  // expected-error @+1 {{combines i1 as numbers, expected and, or}}
  %0 = graph.scan add %x dim = 0 : tensor<4xi1>
  return
}

// -----

func.func @gather_nd_list(%x: tensor<3x4xf32>, %i: tensor<5x3xi64>) {
  // expected-error @+1 {{has indices of type tensor<5x3xi64> for elements of type tensor<3x4xf32> and 0 batch dimensions, expected lists of 1 to 2 indices, in a last dimension of static size}}
  %0 = graph.gather_nd %x, %i : tensor<3x4xf32>, tensor<5x3xi64> -> tensor<5xf32>
  return
}

// -----

func.func @gather_nd_list_of_any_length(%x: tensor<3x4xf32>, %i: tensor<5x?xi64>) {
  // expected-error @+1 {{expected lists of 1 to 2 indices, in a last dimension of static size}}
  %0 = graph.gather_nd %x, %i : tensor<3x4xf32>, tensor<5x?xi64> -> tensor<5xf32>
  return
}

// -----

func.func @gather_nd_batches(%x: tensor<3x4xf32>, %i: tensor<5x1xi64>) {
  // expected-error @+1 {{has size 3 in x and size 5 in the indices in batch dimension 0}}
  %0 = graph.gather_nd %x, %i batch_dims = 1 : tensor<3x4xf32>, tensor<5x1xi64> -> tensor<5xf32>
  return
}

// -----

func.func @gather_nd_negative_batches(%x: tensor<3x4xf32>, %i: tensor<5x1xi64>) {
  // expected-error @+1 {{has batch_dims = -1, expected 0 or more}}
  %0 = graph.gather_nd %x, %i batch_dims = -1 : tensor<3x4xf32>, tensor<5x1xi64> -> tensor<5xf32>
  return
}

// -----

func.func @gather_nd_from_nothing(%x: tensor<3x0xf32>, %i: tensor<5x2xi64>) {
  // expected-error @+1 {{takes elements of dimension 1, which has none}}
  %0 = graph.gather_nd %x, %i : tensor<3x0xf32>, tensor<5x2xi64> -> tensor<5xf32>
  return
}

// -----

func.func @gather_nd_result(%x: tensor<3x4xf32>, %i: tensor<5x1xi64>) {
  // expected-error @+1 {{has a result of type tensor<5xf32>, expected tensor<5x4xf32>}}
  %0 = graph.gather_nd %x, %i : tensor<3x4xf32>, tensor<5x1xi64> -> tensor<5xf32>
  return
}

// -----

func.func @scatter_elements_sizes(%x: tensor<3x4xf32>, %i: tensor<4x2xi64>, %u: tensor<4x2xf32>) {
  // expected-error @+1 {{has indices of type tensor<4x2xi64> for elements of type tensor<3x4xf32>, expected the same rank, and sizes that are not larger except in dimension 1}}
  %0 = graph.scatter_elements add %x, %i, %u dim = 1 : tensor<3x4xf32>, tensor<4x2xi64>, tensor<4x2xf32>
  return
}

// -----

func.func @scatter_elements_updates(%x: tensor<3x4xf32>, %i: tensor<3x2xi64>, %u: tensor<3x3xf32>) {
  // expected-error @+1 {{has updates of type tensor<3x3xf32>, expected tensor<3x2xf32>}}
  %0 = graph.scatter_elements add %x, %i, %u dim = 1 : tensor<3x4xf32>, tensor<3x2xi64>, tensor<3x3xf32>
  return
}

// -----

func.func @scatter_elements_of_nothing(%x: tensor<3x0xf32>, %i: tensor<3x2xi64>, %u: tensor<3x2xf32>) {
  // expected-error @+1 {{updates elements of dimension 1, which has none}}
  %0 = graph.scatter_elements add %x, %i, %u dim = 1 : tensor<3x0xf32>, tensor<3x2xi64>, tensor<3x2xf32>
  return
}

// -----

func.func @scatter_bools(%x: tensor<3xi1>, %i: tensor<2xi64>, %u: tensor<2xi1>) {
  // expected-error @+1 {{combines elements of type i1, expected numbers or replace}}
  %0 = graph.scatter_elements add %x, %i, %u dim = 0 : tensor<3xi1>, tensor<2xi64>, tensor<2xi1>
  return
}

// -----

func.func @scatter_unsigned_floats(%x: tensor<3xf32>, %i: tensor<2xi64>, %u: tensor<2xf32>) {
  // expected-error @+1 {{is marked 'unsigned', but its elements are of type f32}}
  %0 = graph.scatter_elements max %x, %i, %u dim = 0 unsigned : tensor<3xf32>, tensor<2xi64>, tensor<2xf32>
  return
}

// -----

func.func @scatter_nd_list(%x: tensor<3x4xf32>, %i: tensor<5x3xi64>, %u: tensor<5xf32>) {
  // expected-error @+1 {{expected lists of 1 to 2 indices, in a last dimension of static size}}
  %0 = graph.scatter_nd add %x, %i, %u : tensor<3x4xf32>, tensor<5x3xi64>, tensor<5xf32>
  return
}

// -----

func.func @scatter_nd_elements(%x: tensor<3x4xf32>, %i: tensor<5x1xi64>, %u: tensor<5x4xf64>) {
  // expected-error @+1 {{has updates of type tensor<5x4xf64>, expected tensor<5x4xf32>}}
  %0 = graph.scatter_nd add %x, %i, %u : tensor<3x4xf32>, tensor<5x1xi64>, tensor<5x4xf64>
  return
}

// -----

func.func @one_hot_dim(%i: tensor<4xi64>, %on: f32) {
  // expected-error @+1 {{has dim = 2, expected a number from 0 and below 2}}
  %0 = graph.one_hot %i, %on, %on depth = 3 dim = 2 : tensor<4xi64>, f32 -> tensor<4x3xf32>
  return
}

// -----

func.func @one_hot_depth(%i: tensor<4xi64>, %on: f32) {
  // expected-error @+1 {{has depth = -3, expected 0 or more}}
  %0 = graph.one_hot %i, %on, %on depth = -3 dim = 1 : tensor<4xi64>, f32 -> tensor<4x3xf32>
  return
}

// -----

func.func @one_hot_result(%i: tensor<4xi64>, %on: f32) {
  // expected-error @+1 {{has a result of type tensor<4x3xf64>, expected tensor<4x3xf32>}}
  %0 = graph.one_hot %i, %on, %on depth = 3 dim = 1 : tensor<4xi64>, f32 -> tensor<4x3xf64>
  return
}

// -----

func.func @prelu_slopes(%x: tensor<2x3x4xf32>, %s: tensor<4xf32>) {
  // expected-error @+1 {{has numbers of type tensor<4xf32> for dimension 1 of tensor<2x3x4xf32>, expected tensor<3xf32>}}
  %0 = graph.prelu %x, %s dim = 1 : tensor<2x3x4xf32>, tensor<4xf32>
  return
}

// -----

func.func @logsumexp_dims(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{has 2 in 'dims', expected distinct numbers below 2}}
  %0 = graph.logsumexp %x dims = [2] : tensor<2x3xf32> -> tensor<2xf32>
  return
}

// -----

func.func @group_norm_rank(%x: tensor<4xf32>, %s: tensor<4xf32>) {
  // expected-error @+1 {{has an operand of rank 1, expected 2 or more}}
  %0 = graph.group_norm %x, %s, %s groups = 2 epsilon = 1.0e-5 : tensor<4xf32>, tensor<4xf32>
  return
}

// -----

func.func @group_norm_groups(%x: tensor<2x4xf32>, %s: tensor<4xf32>) {
  // expected-error @+1 {{has 3 groups of 4 channels, expected a static number of channels, divided into 1 or more groups of equal sizes}}
  %0 = graph.group_norm %x, %s, %s groups = 3 epsilon = 1.0e-5 : tensor<2x4xf32>, tensor<4xf32>
  return
}

// -----

func.func @group_norm_channels(%x: tensor<2x?xf32>, %s: tensor<4xf32>) {
  // expected-error @+1 {{has 2 groups of ? channels, expected a static number of channels}}
  %0 = graph.group_norm %x, %s, %s groups = 2 epsilon = 1.0e-5 : tensor<2x?xf32>, tensor<4xf32>
  return
}

// -----

func.func @group_norm_scale(%x: tensor<2x4xf32>, %s: tensor<2xf32>) {
  // expected-error @+1 {{has numbers of type tensor<2xf32> for dimension 1 of tensor<2x4xf32>, expected tensor<4xf32>}}
  %0 = graph.group_norm %x, %s, %s groups = 2 epsilon = 1.0e-5 : tensor<2x4xf32>, tensor<2xf32>
  return
}

// -----

func.func @quantize_scale(%x: tensor<2x4xf32>, %s: tensor<4xf32>, %z: tensor<i8>) {
  // expected-error @+1 {{has a scale of type tensor<4xf32> and a zero point of type tensor<i8>, expected tensor<4xf32> and tensor<4xi8>}}
  %0 = graph.quantize %x, %s, %z dim = 1 : tensor<2x4xf32>, tensor<4xf32>, tensor<i8> -> tensor<2x4xi8>
  return
}

// -----

func.func @quantize_without_dim(%x: tensor<2x4xf32>, %s: tensor<4xf32>, %z: tensor<4xi8>) {
  // expected-error @+1 {{has a scale of type tensor<4xf32> and a zero point of type tensor<4xi8>, expected tensor<f32> and tensor<i8>}}
  %0 = graph.quantize %x, %s, %z : tensor<2x4xf32>, tensor<4xf32>, tensor<4xi8> -> tensor<2x4xi8>
  return
}

// -----

func.func @quantize_elements(%x: tensor<2xf32>, %s: tensor<f64>, %z: tensor<i8>) {
  // expected-error @+1 {{has a scale of type tensor<f64> and a zero point of type tensor<i8>, expected tensor<f32> and tensor<i8>}}
  %0 = graph.quantize %x, %s, %z : tensor<2xf32>, tensor<f64>, tensor<i8> -> tensor<2xi8>
  return
}

// -----

func.func @quantize_result(%x: tensor<2xf32>, %s: tensor<f32>, %z: tensor<i8>) {
  // expected-error @+1 {{has a result of type tensor<2xi16>, expected tensor<2xi8>}}
  %0 = graph.quantize %x, %s, %z : tensor<2xf32>, tensor<f32>, tensor<i8> -> tensor<2xi16>
  return
}

// -----

func.func @dequantize_zero_point(%x: tensor<2xi8>, %s: tensor<f32>, %z: tensor<i16>) {
  // expected-error @+1 {{has a scale of type tensor<f32> and a zero point of type tensor<i16>, expected tensor<f32> and tensor<i8>}}
  %0 = graph.dequantize %x, %s, %z : tensor<2xi8>, tensor<f32>, tensor<i16> -> tensor<2xf32>
  return
}

// -----

func.func @quantize_to_long(%x: tensor<2xf32>, %s: tensor<f32>, %z: tensor<i32>) {
  // expected-error @+1 {{must be ranked tensor of 8-bit signless integer or 16-bit signless integer values}}
  %0 = graph.quantize %x, %s, %z : tensor<2xf32>, tensor<f32>, tensor<i32> -> tensor<2xi32>
  return
}

// -----

func.func @nonzero_rank(%x: tensor<f32>) {
  // expected-error @+1 {{has an operand of rank 0, expected 1 or more}}
  %p, %n = graph.nonzero %x : tensor<f32> -> tensor<1x0xi64>, tensor<i64>
  return
}

// -----

func.func @nonzero_result(%x: tensor<3x4xf32>) {
  // expected-error @+1 {{has a result of type tensor<12x3xi64>, expected tensor<12x2xi64>}}
  %p, %n = graph.nonzero %x : tensor<3x4xf32> -> tensor<12x3xi64>, tensor<i64>
  return
}

// -----

func.func @nonzero_overflow(%x: tensor<4611686018427387904x4xi8>) {
  // expected-error @+1 {{has a result with a size beyond 64 bits: 4 times 4611686018427387904}}
  %p, %n = graph.nonzero %x : tensor<4611686018427387904x4xi8> -> tensor<?x2xi64>, tensor<i64>
  return
}

// -----

func.func @unique_rank(%x: tensor<2x3xi8>) {
  // expected-error @+1 {{has an operand of rank 2, expected 1}}
  %v, %f, %i, %c, %n = graph.unique %x : tensor<2x3xi8> -> tensor<6xi8>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<i64>
  return
}

// -----

func.func @unique_result(%x: tensor<3xi8>) {
  // expected-error @+1 {{has a result of type tensor<4xi64>, expected tensor<3xi64>}}
  %v, %f, %i, %c, %n = graph.unique %x : tensor<3xi8> -> tensor<3xi8>, tensor<4xi64>, tensor<3xi64>, tensor<3xi64>, tensor<i64>
  return
}
