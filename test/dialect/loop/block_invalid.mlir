// RUN: lw-opt %s -split-input-file -verify-diagnostics

func.func @b1_same_name_twice() {
  // expected-error @+1 {{"b" has two iters named "v"}}
  loop.block "b" [%v: spatial 4, %w name("v"): spatial 4] = (0, 0) {}
  return
}

// -----

func.func @b1_no_name() {
  // expected-error @+1 {{"b" has an iter named "1x", which is not a valid name}}
  loop.block "b" [%v name("1x"): spatial 4] = (0) {}
  return
}

// -----

func.func @b1_negative_domain() {
  // expected-error @+1 {{"b" iter "v" has the negative domain -2}}
  loop.block "b" [%v: spatial -2] = (0) {}
  return
}

// -----

func.func @b1_unknown_role() {
  // expected-error @+1 {{unknown iter role 'sideways', expected spatial, reduce or opaque}}
  loop.block "b" [%v: sideways 4] = (0) {}
  return
}

// -----

func.func @b1_names_do_not_fit() {
  // expected-error @+1 {{has 2 iter names, 1 roles and 1 domains for the 1 variables of its body}}
  "loop.block"() <{name = "b", iter_names = ["v", "w"], roles = array<i32: 0>, domains = [affine_map<() -> (4)>],
      binding = affine_map<() -> (0)>, read_offsets = [], read_extents = [], write_offsets = [], write_extents = [],
      operandSegmentSizes = array<i32: 0, 0, 0, 0>}> ({
  ^bb0(%v: index):
    "loop.yield"() : () -> ()
  }) : () -> ()
  return
}

// -----

func.func @b1_unknown_role_number() {
  // expected-error @+1 {{has no valid 'roles'}}
  "loop.block"() <{name = "b", iter_names = ["v"], roles = array<i32: 7>, domains = [affine_map<() -> (4)>],
      binding = affine_map<() -> (0)>, read_offsets = [], read_extents = [], write_offsets = [], write_extents = [],
      operandSegmentSizes = array<i32: 0, 0, 0, 0>}> ({
  ^bb0(%v: index):
    "loop.yield"() : () -> ()
  }) : () -> ()
  return
}

// -----

func.func @b1_not_index() {
  // expected-error @+1 {{"b" iter "v" is not of type index}}
  "loop.block"() <{name = "b", iter_names = ["v"], roles = array<i32: 0>, domains = [affine_map<() -> (4)>],
      binding = affine_map<() -> (0)>, read_offsets = [], read_extents = [], write_offsets = [], write_extents = [],
      operandSegmentSizes = array<i32: 0, 0, 0, 0>}> ({
  ^bb0(%v: i32):
    "loop.yield"() : () -> ()
  }) : () -> ()
  return
}

// -----

func.func @b2_too_few_bindings() {
  // expected-error @+1 {{"b" binds 1 values to 2 iters}}
  loop.block "b" [%v: spatial 4, %w: spatial 4] = (0) {}
  return
}

// -----

func.func @b2_bound_to_data(%A: memref<4xindex>, %n: index) {
  %m = arith.muli %n, %n : index
  // expected-error @+1 {{expected a surrounding loop, a block iter or a size}}
  loop.block "b" [%v: spatial 4] = (%m) {}
  return
}

// -----

func.func @b2_map_over_other_values() {
  // expected-error @+1 {{"b" has a map in 'binding' that is not over 0 dims and 0 sizes}}
  "loop.block"() <{name = "b", iter_names = ["v"], roles = array<i32: 0>, domains = [affine_map<() -> (4)>],
      binding = affine_map<(d0) -> (d0)>, read_offsets = [], read_extents = [], write_offsets = [], write_extents = [],
      operandSegmentSizes = array<i32: 0, 0, 0, 0>}> ({
  ^bb0(%v: index):
    "loop.yield"() : () -> ()
  }) : () -> ()
  return
}

// -----

func.func @b3_predicate_over_other_values() {
  // expected-error @+1 {{"b" has a predicate that is not over 0 dims and 0 sizes}}
  "loop.block"() <{name = "b", iter_names = [], roles = array<i32>, domains = [], predicate = affine_set<(d0) : (d0 >= 0)>,
      binding = affine_map<() -> ()>, read_offsets = [], read_extents = [], write_offsets = [], write_extents = [],
      operandSegmentSizes = array<i32: 0, 0, 0, 0>}> ({
    "loop.yield"() : () -> ()
  }) : () -> ()
  return
}

// -----

func.func @b3_no_comparison(%n: index) {
  // expected-error @+1 {{expected one of '<', '<=', '>', '>=', '=='}}
  loop.block "b" [] = () where(%n) {}
  return
}

// -----

func.func @b4_domain_over_arithmetic(%n: index) {
  %m = arith.addi %n, %n : index
  // expected-error @+1 {{as a size, expected an index argument of the function, a 'memref.dim' or a constant}}
  loop.block "b" [%v: spatial %m] = (0) {}
  return
}

// -----

func.func @b5_effects_in_a_leaf() {
  // expected-error @+1 {{"b" contains 'memref.alloc', expected ops without effects, loads, stores, 'loop.if', calls and 'cf.assert'}}
  loop.block "b" [] = () {
    // expected-note @+1 {{it is here}}
    %a = memref.alloc() : memref<4xf32>
  }
  return
}

// -----

func.func @b5_arithmetic_beside_loops(%n: index) {
  // expected-error @+1 {{"b" contains 'arith.addi' between loops and schedule blocks}}
  loop.block "b" [] = () {
    // expected-note @+1 {{it is here}}
    %m = arith.addi %n, %n : index
    loop.for serial %i in 4 {}
  }
  return
}

// -----

func.func @b6_scalar_from_outside(%A: memref<4xf32>, %x: f32) {
  // expected-error @+1 {{from outside: only buffers, sizes and constants may}}
  loop.block "b" [%v: spatial 4] = (0) writes(%A[%v : 1]) {
    // expected-note @+1 {{it is used here}}
    memref.store %x, %A[%v] : memref<4xf32>
  }
  return
}

// -----

func.func @b6_loop_from_outside(%A: memref<4xf32>) {
  loop.for serial %i in 4 {
    // expected-error @+1 {{from outside: only buffers, sizes and constants may}}
    loop.block "b" [%v: spatial 4] = (%i) writes(%A[*]) {
      %x = arith.constant 1.0 : f32
      // expected-note @+1 {{it is used here}}
      memref.store %x, %A[%i] : memref<4xf32>
    }
  }
  return
}

// -----

func.func @b7_booleans_in_memory(%A: memref<4xi1>) {
  // expected-error @+1 {{"b" accesses elements of type i1, expected i8, i16, i32}}
  loop.block "b" [%v: spatial 4] = (0) reads(%A[%v : 1]) {
    // expected-note @+1 {{it is here}}
    %a = memref.load %A[%v] : memref<4xi1>
  }
  return
}

// -----

func.func @b7_layout(%A: memref<4xf32, strided<[2]>>) {
  // expected-error @+1 {{expected a row-major memref in the default memory space}}
  loop.block "b" [%v: spatial 4] = (0) reads(%A[%v : 1]) {
    // expected-note @+1 {{it is here}}
    %a = memref.load %A[%v] : memref<4xf32, strided<[2]>>
  }
  return
}

// -----

func.func @b8_two_buffers(%A: memref<4xf32>, %B: memref<4xf32>) {
  // expected-error @+1 {{"b" writes 2 buffers, but its reducer has 1 values}}
  loop.block "b" [%v: spatial 4] = (0) writes(%A[%v : 1], %B[%v : 1]) {
    %x = arith.constant 1.0 : f32
    memref.store %x, %A[%v] : memref<4xf32>
    memref.store %x, %B[%v] : memref<4xf32>
  }
  return
}

// -----

func.func @b8_two_places(%A: memref<8xf32>) {
  // expected-error @+1 {{"b" stores at different indices}}
  loop.block "b" [%v: spatial 4] = (0) writes(%A[%v : 2]) {
    %x = arith.constant 1.0 : f32
    memref.store %x, %A[%v] : memref<8xf32>
    %next = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
    // expected-note @+1 {{one store is here}}
    memref.store %x, %A[%next] : memref<8xf32>
  }
  return
}

// -----

func.func @b9_init_without_reducer(%A: memref<4xf32>) {
  // expected-error @+1 {{"b" has a 'loop.init' but no reducer or no reduce iter}}
  loop.block "b" [%v: spatial 4] = (0) writes(%A[%v : 1]) {
    %x = arith.constant 1.0 : f32
    // expected-note @+1 {{the 'loop.init' is here}}
    loop.init { memref.store %x, %A[%v] : memref<4xf32> }
    memref.store %x, %A[%v] : memref<4xf32>
  }
  return
}

// -----

func.func @b9_init_not_first(%A: memref<4xf32>) {
  // expected-error @+1 {{"b" has ops other than constants before its 'loop.init'}}
  loop.block "b" [%v: spatial 4, %k: reduce 2] = (0, 0) reads(%A[%v : 1]) writes(%A[%v : 1]) reducer(add, 0.0) {
    %a = memref.load %A[%v] : memref<4xf32>
    %x = arith.constant 1.0 : f32
    // expected-note @+1 {{the 'loop.init' is here}}
    loop.init { memref.store %x, %A[%v] : memref<4xf32> }
    %s = arith.addf %a, %x : f32
    memref.store %s, %A[%v] : memref<4xf32>
  }
  return
}

// -----

func.func @b9_init_elsewhere(%A: memref<8xf32>) {
  // expected-error @+1 {{"b" initializes its reduction at other indices than it stores to}}
  loop.block "b" [%v: spatial 4, %k: reduce 2] = (0, 0) writes(%A[%v : 2]) reducer(add, 0.0) {
    %x = arith.constant 1.0 : f32
    // expected-note @+1 {{the 'loop.init' is here}}
    loop.init {
      %next = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
      memref.store %x, %A[%next] : memref<8xf32>
    }
    %a = memref.load %A[%v] : memref<8xf32>
    %s = arith.addf %a, %x : f32
    memref.store %s, %A[%v] : memref<8xf32>
  }
  return
}

// -----

func.func @b9_nothing_started(%A: memref<4xf32>) {
  // expected-error @+1 {{"b" does not give arg0 a start value in its 'loop.init'}}
  loop.block "b" [%v: spatial 4, %k: reduce 2] = (0, 0) writes(%A[%v : 1]) reducer(add, 0.0) {
    // expected-note @+1 {{the 'loop.init' is here}}
    loop.init {}
    %x = arith.constant 1.0 : f32
    %a = memref.load %A[%v] : memref<4xf32>
    %s = arith.addf %a, %x : f32
    memref.store %s, %A[%v] : memref<4xf32>
  }
  return
}

// -----

func.func @b10_another_combiner(%A: memref<4xf32>) {
  // expected-error @+1 {{"b" declares the reducer mul, but its body computes add}}
  loop.block "b" [%v: spatial 4, %k: reduce 2] = (0, 0) reads(%A[%v : 1]) writes(%A[%v : 1]) reducer(mul, 1.0) {
    %x = arith.constant 1.0 : f32
    %a = memref.load %A[%v] : memref<4xf32>
    %s = arith.addf %a, %x : f32
    memref.store %s, %A[%v] : memref<4xf32>
  }
  return
}

// -----

func.func @b10_no_combiner(%A: memref<4xf32>) {
  // expected-error @+1 {{"b" declares the reducer add, but its body computes no known combiner}}
  loop.block "b" [%v: spatial 4, %k: reduce 2] = (0, 0) reads(%A[%v : 1]) writes(%A[%v : 1]) reducer(add, 0.0) {
    %a = memref.load %A[%v] : memref<4xf32>
    %s = arith.addf %a, %a : f32
    memref.store %s, %A[%v] : memref<4xf32>
  }
  return
}

// -----

func.func @b10_missing_identity(%A: memref<4xf32>) {
  // expected-error @+1 {{"b" has 0 identities for a reducer of 1 values}}
  loop.block "b" [%v: spatial 4, %k: reduce 2] = (0, 0) reads(%A[%v : 1]) writes(%A[%v : 1]) reducer(add) {
    %x = arith.constant 1.0 : f32
    %a = memref.load %A[%v] : memref<4xf32>
    %s = arith.addf %a, %x : f32
    memref.store %s, %A[%v] : memref<4xf32>
  }
  return
}

// -----

func.func @b10_identity_of_ordered(%A: memref<4xf32>) {
  // expected-error @+1 {{"b" has an identity for the reducer 'ordered', which has none}}
  loop.block "b" [%v: spatial 4, %k: reduce 2] = (0, 0) writes(%A[%v : 1]) reducer(ordered, 0.0) {
    %x = arith.constant 1.0 : f32
    memref.store %x, %A[%v] : memref<4xf32>
  }
  return
}

// -----

func.func @b10_unknown_combiner(%A: memref<4xf32>) {
  // expected-error @+1 {{unknown combiner 'most'}}
  loop.block "b" [%v: spatial 4, %k: reduce 2] = (0, 0) writes(%A[%v : 1]) reducer(most, 0.0) {}
  return
}

// -----

func.func @b10_identity_too_many(%A: memref<4xf32>) {
  // expected-error @+1 {{found an identity more than the 1 written buffers}}
  loop.block "b" [%v: spatial 4, %k: reduce 2] = (0, 0) writes(%A[%v : 1]) reducer(add, 0.0, 0.0) {}
  return
}

// -----

func.func @b11_rank(%A: memref<4x4xf32>) {
  // expected-error @+1 {{"b" 'reads' arg0 in 1 dimensions, but it has 2}}
  loop.block "b" [%v: spatial 4] = (0) reads(%A[%v : 1]) {}
  return
}

// -----

func.func @b11_listed_twice(%A: memref<4xf32>) {
  // expected-error @+1 {{"b" lists arg0 twice in 'reads'}}
  loop.block "b" [%v: spatial 4] = (0) reads(%A[%v : 1], %A[0 : 1]) {}
  return
}

// -----

func.func @b11_empty_box(%A: memref<4xf32>) {
  // expected-error @+1 {{"b" 'writes' arg0 with an extent below 1}}
  loop.block "b" [%v: spatial 4] = (0) writes(%A[%v : 0]) {}
  return
}

// -----

func.func @b11_negative_extent(%A: memref<4xf32>) {
  // expected-error @+1 {{extent -1 is negative}}
  loop.block "b" [%v: spatial 4] = (0) writes(%A[%v : -1]) {}
  return
}

// -----

func.func @b11_undefined_buffer() {
  // expected-error @+1 {{'%A' is not defined before its use}}
  loop.block "b" [%v: spatial 4] = (0) reads(%A[%v : 1]) {}
  return
}

// -----

func.func @b12_read_not_declared(%A: memref<4xf32> {loop.name = "A"}) {
  // expected-error @+1 {{"b" reads A[v : 1], which is not in 'reads'}}
  loop.block "b" [%v: spatial 4] = (0) {
    %a = memref.load %A[%v] : memref<4xf32>
  }
  return
}

// -----

func.func @b12_write_not_declared(%A: memref<4xf32>) {
  // expected-error @+1 {{"b" writes arg0[v : 1], which is not in 'writes'}}
  loop.block "b" [%v: spatial 4] = (0) reads(%A[%v : 1]) {
    %x = arith.constant 1.0 : f32
    memref.store %x, %A[%v] : memref<4xf32>
  }
  return
}

// -----

func.func @b12_outside_of_the_box(%A: memref<8xf32>) {
  // expected-error @+1 {{"b" reads arg0[v + 1 : 1], outside of the declared arg0[v : 1]}}
  loop.block "b" [%v: spatial 4] = (0) reads(%A[%v : 1]) {
    %next = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
    %a = memref.load %A[%next] : memref<8xf32>
  }
  return
}

// -----

func.func @b12_data_dependent_needs_a_star(%A: memref<8xf32>, %I: memref<4xi64>) {
  // expected-error @+1 {{"b" reads arg0[*], outside of the declared arg0[v : 4]}}
  loop.block "b" [%v: spatial 4] = (0) reads(%A[%v : 4], %I[%v : 1]) {
    %i = memref.load %I[%v] : memref<4xi64>
    %at = arith.index_cast %i : i64 to index
    %a = memref.load %A[%at] : memref<8xf32>
  }
  return
}

// -----

func.func @init_outside_of_a_block() {
  // expected-error @+1 {{expects parent op 'loop.block'}}
  loop.init {}
  return
}

// -----

func.func @yield_outside() {
  // expected-error @+1 {{expects parent op to be one of 'loop.for, loop.block, loop.init, loop.if'}}
  loop.yield
}

// -----

// The verifier must not follow a value that depends on itself.
func.func @index_computed_from_itself(%A: memref<4xf32>) {
  loop.block "b" [%v: spatial 4] = (0) reads(%A[*]) {
    // expected-note @+2 {{operand defined here (op in the same block)}}
    // expected-error @+1 {{operand #0 does not dominate this use}}
    %next = affine.apply affine_map<(d0) -> (d0 + 1)>(%next)
    %a = memref.load %A[%next] : memref<4xf32>
  }
  return
}

// -----

func.func @sum_computed_from_itself(%A: memref<4xf32>) {
  // expected-error @+1 {{"b" declares the reducer add, but its body computes no known combiner}}
  loop.block "b" [%v: spatial 4, %k: reduce 2] = (0, 0) reads(%A[%v : 1]) writes(%A[%v : 1]) reducer(add, 0.0) {
    %s = arith.addf %s, %s : f32
    memref.store %s, %A[%v] : memref<4xf32>
  }
  return
}

// -----

func.func private @touch(memref<4xf32>)
func.func @b12_given_to_a_call(%A: memref<4xf32>, %B: memref<4xf32>) {
  // expected-error @+1 {{"b" reads arg1[*], which is not in 'reads'}}
  loop.block "b" [%v: spatial 4] = (0) writes(%A[*]) {
    func.call @touch(%A) : (memref<4xf32>) -> ()
    func.call @touch(%B) : (memref<4xf32>) -> ()
  }
  return
}
