// RUN: lw-opt %s --inline-read-only-globals --split-input-file --verify-diagnostics

ml_program.global private mutable @seed(dense<0> : tensor<i64>) : tensor<i64>
func.func @stored(%x: tensor<i64>) {
  // expected-error @+1 {{changes a global, expected globals that are only read}}
  ml_program.global_store @seed = %x : tensor<i64>
  return
}

// -----

// expected-error @+1 {{is public and mutable, expected a global that is only read}}
ml_program.global public mutable @seed(dense<0> : tensor<i64>) : tensor<i64>
func.func @public() -> tensor<i64> {
  %x = ml_program.global_load @seed : tensor<i64>
  return %x : tensor<i64>
}

// -----

// expected-error @+1 {{has no value of type tensor<4xf32> in the program}}
ml_program.global private @w(#ml_program.extern<tensor<4xf32>>) : tensor<4xf32>
func.func @extern() -> tensor<4xf32> {
  // expected-note @+1 {{it is loaded here}}
  %x = ml_program.global_load_const @w : tensor<4xf32>
  return %x : tensor<4xf32>
}
