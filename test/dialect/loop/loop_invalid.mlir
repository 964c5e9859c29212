// RUN: lw-opt %s -split-input-file -verify-diagnostics

func.func @unknown_kind() {
  // expected-error @+1 {{unknown loop kind 'quick', expected serial, parallel, vectorize, unroll or thread_bind}}
  loop.for quick %i in 4 {}
  return
}

// -----

func.func @unknown_axis() {
  // expected-error @+1 {{unknown thread axis 'threadIdx.w', expected blockIdx.x/y/z, threadIdx.x/y/z or vthread}}
  loop.for thread_bind[threadIdx.w] %i in 4 {}
  return
}

// -----

func.func @bound_without_axis() {
  // expected-error @+1 {{of kind thread_bind needs a thread axis: thread_bind[threadIdx.x]}}
  loop.for thread_bind %i in 4 {}
  return
}

// -----

func.func @axis_of_unbound() {
  // expected-error @+1 {{of kind serial cannot have the thread axis threadIdx.x}}
  loop.for serial[threadIdx.x] %i in 4 {}
  return
}

// -----

func.func @axis_bound_twice() {
  // expected-note @+1 {{the outer loop is here}}
  loop.for thread_bind[threadIdx.x] %i in 4 {
    // expected-error @+1 {{binds threadIdx.x, which an enclosing loop already binds}}
    loop.for thread_bind[threadIdx.x] %j in 4 {}
  }
  return
}

// -----

func.func @negative_extent() {
  // expected-error @+1 {{extent -1 is negative}}
  loop.for serial %i in -1 {}
  return
}

// -----

func.func @several_results_without_min(%n: index) {
  // expected-error @+1 {{an extent of several results is written 'min #map(..)[..]'}}
  loop.for serial %i in affine_map<()[s0] -> (s0, 4)>()[%n] {}
  return
}

// -----

func.func @wrong_number_of_operands(%n: index) {
  // expected-error @+1 {{the map takes 1 dimensions and 1 symbols, found 0 and 1}}
  loop.for serial %i in affine_map<(d0)[s0] -> (d0 + s0)>()[%n] {}
  return
}

// -----

func.func @extent_over_arithmetic(%n: index) {
  %m = arith.addi %n, %n : index
  // expected-error @+1 {{as a size, expected an index argument of the function, a 'memref.dim' or a constant}}
  loop.for serial %i in %m {}
  return
}

// -----

func.func @arithmetic_between_loops(%n: index) {
  // expected-error @+1 {{contains 'arith.addi', expected only loops, schedule blocks, 'loop.if' and 'loop.sync'}}
  loop.for serial %i in %n {
    // expected-note @+1 {{it is here}}
    %m = arith.addi %n, %i : index
  }
  return
}

// -----

func.func @name_of_an_outer_loop() {
  // expected-note @+1 {{the outer loop is here}}
  loop.for serial %i in 4 {
    // expected-error @+1 {{has the name "i" of an enclosing loop}}
    loop.for serial %j name("i") in 4 {}
  }
  return
}

// -----

func.func @no_name() {
  // expected-error @+1 {{has the loop name "a:b", expected letters, digits}}
  loop.for serial %i name("a:b") in 4 {}
  return
}

// -----

func.func @split_half_without_pair() {
  // expected-error @+1 {{axis of type tile_inner needs one loop in 'from' and a 'pair'}}
  loop.for serial %i in 4 axis(tile_inner from "x") {}
  return
}

// -----

func.func @merged_from_one() {
  // expected-error @+1 {{axis of type merged needs two or more loops in 'from' and no 'pair'}}
  loop.for serial %i in 4 axis(merged from "x") {}
  return
}

// -----

func.func @original_from_another() {
  // expected-error @+1 {{axis of type original needs no 'from' and no 'pair'}}
  loop.for serial %i in 4 axis(original from "x") {}
  return
}

// -----

func.func @unknown_axis_type() {
  // expected-error @+1 {{unknown axis type 'odd'}}
  loop.for serial %i in 4 axis(odd) {}
  return
}

// -----

func.func @from_without_type() {
  // expected-error @+1 {{has 'axis_from' but no axis type}}
  "loop.for"() <{kind = 0 : i32, name = "i", extent = affine_map<() -> (4)>, axis_from = ["x"]}> ({
  ^bb0(%i: index):
    "loop.yield"() : () -> ()
  }) : () -> ()
  return
}

// -----

func.func @no_variable() {
  // expected-error @+1 {{needs a body with one argument of type index}}
  "loop.for"() <{kind = 0 : i32, name = "i", extent = affine_map<() -> (4)>}> ({
    "loop.yield"() : () -> ()
  }) : () -> ()
  return
}

// -----

func.func @operands_do_not_fit() {
  // expected-error @+1 {{extent map has 1 results and takes 1 operands, but there are 0}}
  "loop.for"() <{kind = 0 : i32, name = "i", extent = affine_map<()[s0] -> (s0)>}> ({
  ^bb0(%i: index):
    "loop.yield"() : () -> ()
  }) : () -> ()
  return
}

// -----

func.func @in_another_op(%n: index, %A: memref<4xf32>) {
  scf.for %x = %n to %n step %n {
    // expected-error @+1 {{is in 'scf.for', expected a function, loop, 'loop.if' or schedule block}}
    loop.for serial %i in 4 {}
  }
  return
}

// -----

func.func @sync_in_another_op(%c: i1) {
  scf.if %c {
    // expected-error @+1 {{is in 'scf.if', expected a function, loop, 'loop.if' or schedule block}}
    loop.sync
  }
  return
}

// -----

func.func @if_with_results_between_loops(%n: index, %x: f32) {
  // expected-error @+1 {{has results, but is outside of a schedule block}}
  %r = loop.if (%n > 0) -> (f32) { loop.yield %x : f32 } else { loop.yield %x : f32 }
  return
}

// -----

func.func @if_with_arithmetic(%n: index) {
  // expected-error @+1 {{contains 'arith.addi', expected only loops, schedule blocks, 'loop.if' and 'loop.sync' outside of schedule blocks}}
  loop.if (%n > 0) {
    // expected-note @+1 {{it is here}}
    %m = arith.addi %n, %n : index
  }
  return
}

// -----

func.func @if_without_conditions() {
  // expected-error @+1 {{expected at least one condition}}
  loop.if () {}
  return
}

// -----

func.func @if_without_comparison(%n: index) {
  // expected-error @+1 {{expected one of '<', '<=', '>', '>=', '=='}}
  loop.if (%n) {}
  return
}

// -----

func.func @if_without_else(%A: memref<4xf32>) {
  loop.block "b" [%v: spatial 1] = (0) writes(%A[%v : 1]) {
    %x = arith.constant 1.0 : f32
    // expected-note @+2 {{region branch point}}
    // expected-error @+1 {{region branch point has 0 operands, but region successor needs 1 inputs}}
    %r = loop.if (%v > 0) -> (f32) { loop.yield %x : f32 }
    memref.store %r, %A[%v] : memref<4xf32>
  }
  return
}

// -----

func.func @if_yields_another_type(%A: memref<4xf32>) {
  loop.block "b" [%v: spatial 1] = (0) writes(%A[%v : 1]) {
    %x = arith.constant 1.0 : f32
    %y = arith.constant 1 : i32
    // expected-note @+2 {{region branch point}}
    // expected-error @+1 {{successor operand type #0 'i32' should match successor input type #0 'f32'}}
    %r = loop.if (%v > 0) -> (f32) { loop.yield %x : f32 } else { loop.yield %y : i32 }
    memref.store %r, %A[%v] : memref<4xf32>
  }
  return
}

// -----

func.func @buffer_in_a_loop() {
  loop.for serial %i in 4 {
    // expected-error @+1 {{is inside of a nest, expected at function level}}
    %b = loop.buffer "b" scope(local) : memref<4xf32>
  }
  return
}

// -----

func.func @buffer_of_booleans() {
  // expected-error @+1 {{has elements of type i1, expected i8, i16, i32, i64, f16, bf16, f32 or f64 in memory (booleans as i8)}}
  %b = loop.buffer "b" scope(local) : memref<4xi1>
  return
}

// -----

func.func @buffer_with_layout() {
  // expected-error @+1 {{needs a row-major memref in the default memory space}}
  %b = loop.buffer "b" scope(local) : memref<4xf32, strided<[2]>>
  return
}

// -----

func.func @buffer_without_sizes() {
  // expected-error @+1 {{has 1 dynamic dimensions and 0 size expressions}}
  %b = loop.buffer "b" scope(local) : memref<?xf32>
  return
}

// -----

func.func @buffer_misaligned() {
  // expected-error @+1 {{alignment 3 is not a power of two}}
  %b = loop.buffer "b" scope(local) align(3) : memref<4xf32>
  return
}

// -----

func.func @buffer_padding() {
  // expected-error @+1 {{padding [1] is not one number >= 0 for each of 2 dimensions}}
  %b = loop.buffer "b" scope(local) pad(1) : memref<4x4xf32>
  return
}

// -----

func.func @buffer_rounding() {
  // expected-error @+1 {{rounding [1, 0, 4, 4] is not a divisor > 0 and a remainder for each of 2 dimensions}}
  %b = loop.buffer "b" scope(local) round(1, 0, 4, 4) : memref<4x4xf32>
  return
}

// -----

func.func @buffer_name_twice() {
  // expected-note @+1 {{the first is here}}
  %b = loop.buffer "b" scope(local) : memref<4xf32>
  // The first op of the dialect reports errors of the function.
  // expected-error @+1 {{is a second buffer named "b" in this function}}
  %c = loop.buffer "b" scope(local) : memref<4xf32>
  return
}

// -----

// expected-note @+1 {{the first is here}}
func.func @buffer_named_as_an_argument(%A: memref<4xf32> {loop.name = "A"}) {
  // expected-error @+1 {{is a second buffer named "A" in this function}}
  %b = loop.buffer "A" scope(local) : memref<4xf32>
  return
}

// -----

func.func @block_name_twice() {
  // expected-note @+1 {{the first is here}}
  loop.block "b" [] = () {}
  // expected-error @+1 {{is a second schedule block named "b" in this function}}
  loop.block "b" [] = () {}
  return
}

// -----

// expected-error @+1 {{argument 0: 'loop.name' is "a b", expected a name in quotes}}
func.func @argument_name(%A: memref<4xf32> {loop.name = "a b"}) { return }

// -----

// expected-error @+1 {{argument 0: 'loop.name' is for row-major memrefs in the default memory space}}
func.func @argument_type(%A: index {loop.name = "a"}) { return }

// -----

// expected-error @+1 {{argument 0: 'loop.extra' is not an argument attribute of the loop dialect}}
func.func @argument_attribute(%A: memref<4xf32> {loop.extra}) { return }

// -----

// expected-error @+1 {{argument 0: 'loop.result' is neither a unit nor {shape = affine_map<..>, from = [..]}}}
func.func @result_attribute(%A: memref<?xf32> {loop.result = 4}) { return }

// -----

// expected-error @+1 {{argument 0: 'loop.result' has a shape of 0 dims, 1 symbols and 2 results, expected 0, 1 and 1}}
func.func @result_rank(%A: memref<?xf32> {loop.result = {shape = affine_map<()[s0] -> (s0, 1)>, from = [array<i64: 1>]}}, %n: index) { return }

// -----

// expected-error @+1 {{argument 0: 'loop.result' has array<i64: 2>, expected an index argument or a dimension of a memref}}
func.func @result_source(%A: memref<?xf32> {loop.result = {shape = affine_map<()[s0] -> (s0)>, from = [array<i64: 2>]}}, %n: index) { return }

// -----

func.func @annotations_no_dictionary() {
  // expected-error @+1 {{has an attribute 'loop.annotations' that is not a dictionary}}
  loop.for serial %i in 4 attributes {loop.annotations = 4} {}
  return
}

// -----

func.func @annotation_key() {
  // expected-error @+1 {{has the annotation "1st", expected letters, digits, '_', '$', '-' and '.', starting with a letter}}
  loop.for serial %i in 4 attributes {loop.annotations = {"1st" = 4}} {}
  return
}

// -----

func.func @annotation_value() {
  loop.for serial %i in 4 {
    // expected-error @+1 {{has the annotation "k" of 1.500000e+00 : f32, expected a whole number, a boolean or text}}
    loop.block "B" [%v: spatial 4] = (%i) attributes {loop.annotations = {k = 1.5 : f32}} {}
  }
  return
}

// -----

// expected-error @+1 {{argument 0: 'loop.transforms_are_lifted' is unit, expected a unit on an argument of a private function}}
func.func @lifted_public(%A: memref<4xf32> {loop.transforms_are_lifted}) { return }

// -----

// expected-error @+1 {{argument 0: 'loop.transforms_are_lifted' is 1 : i64, expected a unit on an argument of a private function}}
func.func private @lifted_number(%A: memref<4xf32> {loop.transforms_are_lifted = 1}) { return }
