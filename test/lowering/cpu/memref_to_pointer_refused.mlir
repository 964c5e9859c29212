// RUN: lw-opt %s --convert-memref-to-pointer -split-input-file -verify-diagnostics

func.func @c1_op(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @below {{'scf.parallel' op is not an op of vector form, expected scf, arith, math, 1-D vectors and memref accesses (C1)}}
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
  }
  return
}

// -----

// expected-error @below {{'func.func' op has 2 blocks, expected one: use scf (C1)}}
func.func @c1_blocks() {
  cf.br ^next
^next:
  return
}

// -----

// expected-error @below {{'func.func' op has memref<4xf32, strided<[2]>>, expected a row-major layout in the default memory space: copy into one (C2)}}
func.func @c2_layout(%A: memref<4xf32, strided<[2]>>) {
  return
}

// -----

// expected-error @below {{'func.func' op has memref<4xf32, 3>, expected a row-major layout}}
func.func @c2_space(%A: memref<4xf32, 3>) {
  return
}

// -----

// expected-error @below {{'func.func' op has memref<4xi1>, expected elements of i8 i16 i32 i64 f16 bf16 f32 or f64: store booleans as i8, indices as i64 (C2)}}
func.func @c2_element(%A: memref<4xi1>) {
  return
}

// -----

func.func @c3_choice(%A: memref<4xf32>, %B: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %p = arith.cmpi eq, %n, %c0 : index
  // expected-error @below {{'arith.select' op uses a memref, expected only in loads, stores, memref.dim and calls: copy data, not memrefs (C3)}}
  %0 = arith.select %p, %A, %B : memref<4xf32>
  return
}

// -----

func.func @c3_view_of_an_argument(%A: memref<64xi8>) {
  %c0 = arith.constant 0 : index
  // expected-error @below {{'memref.view' op is not a view of a memref.alloc, expected one (C3)}}
  %0 = memref.view %A[%c0][] : memref<64xi8> to memref<16xf32>
  return
}

// -----

func.func @c4_in_a_loop(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    // expected-error @below {{'memref.alloc' op is in a loop or branch, expected at the top of the function: move it there, or use memref.alloca (C4)}}
    %0 = memref.alloc() : memref<4xf32>
  }
  return
}

// -----

func.func @c4_size_from_data(%A: memref<i64>) {
  // expected-note @below {{it depends on 'memref.load'}}
  %0 = memref.load %A[] : memref<i64>
  %1 = arith.index_cast %0 : i64 to index
  // expected-error @below {{'memref.alloc' op has a size that depends on more than index arguments and dimensions by arithmetic that is defined for all of them, but the size of the workspace is computed before the function runs (C4)}}
  %2 = memref.alloc(%1) : memref<?xf32>
  return
}

// -----

func.func @c4_returns(%A: memref<4xf32>) -> f32 {
  // expected-error @below {{'memref.alloc' op is in 'c4_returns', expected a function that is not called in parallel, and that returns nothing if it is public: inline that function (C4)}}
  %0 = memref.alloc() : memref<4xf32>
  %c0 = arith.constant 0 : index
  %v = memref.load %0[%c0] : memref<4xf32>
  return %v : f32
}

// -----

func.func @c4_size_by_data(%A: memref<i64>) {
  // expected-note @below {{it depends on 'memref.load'}}
  %v = memref.load %A[] : memref<i64>
  %n = arith.index_cast %v : i64 to index
  // expected-error @below {{'func.call' op calls a function whose buffers have a size that depends on more than index arguments and dimensions of this one (C4)}}
  func.call @allocates(%n) : (index) -> ()
  return
}
func.func private @allocates(%n: index) {
  %0 = memref.alloc(%n) : memref<?xf32>
  return
}

// -----

func.func @c4_recursion() {
  func.call @again() : () -> ()
  return
}
func.func private @again() {
  %0 = memref.alloc() : memref<4xf32>
  // expected-error @below {{'func.call' op calls a function that calls itself and allocates buffers, expected no recursion: use a loop (C4)}}
  func.call @again() : () -> ()
  return
}

// -----

func.func @c4_too_large(%n: index) {
  // expected-error @below {{'memref.alloc' op has more bytes than a 64-bit number can hold (C4)}}
  %0 = memref.alloc(%n) : memref<?x4611686018427387904xf32>
  return
}

// -----

func.func @c5_nested(%n: index) {
  loop.parallel_call @outer in %n grain(1) ()
  return
}
func.func private @outer(%begin: index, %end: index) {
  // expected-error @below {{'loop.parallel_call' op is in 'outer', expected a function that is not called in parallel, and that returns nothing if it is public: inline that function (C5)}}
  loop.parallel_call @chunk in %end grain(1) ()
  return
}
func.func private @chunk(%begin: index, %end: index) {
  return
}

// -----

func.func @c5_public_chunk(%n: index) {
  loop.parallel_call @chunk in %n grain(1) ()
  return
}
// expected-error @below {{'func.func' op is called in parallel and public, expected private (C5)}}
func.func @chunk(%begin: index, %end: index) {
  return
}

// -----

func.func @c5_declared_chunk(%n: index) {
  // expected-error @below {{'loop.parallel_call' op calls 'chunk', which has no body, expected a function with one (C5)}}
  loop.parallel_call @chunk in %n grain(1) ()
  return
}
func.func private @chunk(%begin: index, %end: index)

// -----

func.func @c5_called(%n: index) {
  loop.parallel_call @chunk in %n grain(1) ()
  return
}
func.func private @chunk(%begin: index, %end: index) {
  // expected-error @below {{'func.call' op calls 'allocates', which allocates buffers: inline it first (C4, C5)}}
  func.call @allocates() : () -> ()
  return
}
func.func private @allocates() {
  %0 = memref.alloc() : memref<4xf32>
  return
}

// -----

// expected-error @below {{'func.func' op is public and has argument 1 of type f32, expected a memref or index: pass a memref of rank 0 (C6)}}
func.func @c6_argument(%A: memref<4xf32>, %x: f32) {
  return
}

// -----

// expected-error @below {{'func.func' op is public and returns f32, expected no results: write to an argument, or make the function private (C6)}}
func.func @c6_result(%A: memref<f32>) -> f32 {
  %0 = memref.load %A[] : memref<f32>
  return %0 : f32
}

// -----

// expected-error @below {{'func.func' op returns a memref: write to an argument instead (C6)}}
func.func private @c6_declaration() -> memref<4xf32>

// -----

func.func @c7_rank(%A: memref<4x4xf32>, %i: index) {
  // expected-error @below {{'vector.load' op accesses vector<2x4xf32>, expected a vector of one dimension: unroll the op (C7)}}
  %0 = vector.load %A[%i, %i] : memref<4x4xf32>, vector<2x4xf32>
  return
}

// -----

// expected-error @below {{'func.func' op needs an entry point named 'f_workspace', but the module already has that name: rename one (C8)}}
func.func @f() {
  return
}
func.func private @f_workspace() {
  return
}

// -----

// expected-error @below {{'memref.global' op is external, expected a value of at most 4 GiB: pass it as an argument instead (C9)}}
memref.global "private" @c9_external : memref<4xf32>

// -----

// expected-error @below {{'memref.global' op is uninitialized, expected a value}}
memref.global "private" @c9_uninitialized : memref<4xf32> = uninitialized

// -----

// expected-error @below {{'memref.global' op has a value without data, expected a value}}
memref.global "private" @c9_no_data : memref<4xf32> = dense_resource<nowhere>

// -----

func.func @c10_size() {
  // expected-error @below {{'memref.alloca' op has 4194304 bytes, expected a static shape of at most 1048576 bytes: use memref.alloc at the top of the function (C10)}}
  %0 = memref.alloca() : memref<1024x1024xf32>
  return
}

// -----

func.func @c4_divides_by_zero(%n: index, %m: index) {
  // expected-note @below {{it depends on 'arith.divsi'}}
  %size = arith.divsi %n, %m : index
  // expected-error @below {{'memref.alloc' op has a size that depends on more than}}
  %0 = memref.alloc(%size) : memref<?xf32>
  return
}

// -----

func.func @c10_dynamic(%n: index) {
  // expected-error @below {{'memref.alloca' op has a dynamic size, expected a static shape}}
  %0 = memref.alloca(%n) : memref<?xf32>
  return
}

// -----

func.func @c11_not_constant(%A: memref<4x?xf32>, %n: index) {
  // expected-error @below {{'memref.dim' op reads a dimension whose number is not a constant (C11)}}
  %0 = memref.dim %A, %n : memref<4x?xf32>
  return
}

// -----

func.func @c11_out_of_range(%A: memref<4x?xf32>) {
  %c2 = arith.constant 2 : index
  // expected-error @below {{'memref.dim' op reads dimension 2 of a memref of rank 2 (C11)}}
  %0 = memref.dim %A, %c2 : memref<4x?xf32>
  return
}

// -----

// expected-error @below {{'func.func' op is public and has the name 'expf', which is that of a C library function and would hide it: rename it, or make it private (C12)}}
func.func @expf(%A: memref<4xf32>) {
  return
}

// -----

// expected-error @below {{'func.func' op is public and has the name 'tanh'}}
func.func @tanh(%x: f64) -> f64 {
  return %x : f64
}

// -----

// expected-error @below {{'func.func' op passes a tile, expected tiles in memory: registers are not kept in calls (C7)}}
func.func private @c7_tile(%t: !amx.tile<16x64xi8>) {
  return
}
