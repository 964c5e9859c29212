// With `require-vector`, a vectorized loop that would become scalar is an error (C3).
// RUN: lw-opt %s --pass-pipeline='builtin.module(func.func(convert-loop-to-scf{require-vector=true}))' -split-input-file -verify-diagnostics

func.func @c3_dynamic_extent(%A: memref<?xf32>, %n: index) {
  // expected-error @below {{'loop.for' op "i" cannot be vectorized: its extent is not constant (C3)}}
  loop.for vectorize %i in %n {
    loop.block "A" [%v: spatial %n] = (%i) writes(%A[%v : 1]) {
      %one = arith.constant 1.0 : f32
      memref.store %one, %A[%v] : memref<?xf32>
    }
  }
  return
}

// -----

func.func private @f(f32) -> f32

func.func @c3_call(%A: memref<8xf32>) {
  // expected-error @below {{'loop.for' op "i" cannot be vectorized: it calls a function (C3)}}
  loop.for vectorize %i in 8 {
    loop.block "A" [%v: spatial 8] = (%i) writes(%A[%v : 1]) {
      %one = arith.constant 1.0 : f32
      %a = func.call @f(%one) : (f32) -> f32
      memref.store %a, %A[%v] : memref<8xf32>
    }
  }
  return
}

// -----

func.func @what_has_a_vector_form(%A: memref<8xf32>) {
  loop.for vectorize %i in 8 {
    loop.block "A" [%v: spatial 8] = (%i) writes(%A[%v : 1]) {
      %one = arith.constant 1.0 : f32
      memref.store %one, %A[%v] : memref<8xf32>
    }
  }
  return
}
