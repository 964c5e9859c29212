// RUN: lw-opt %s --split-complex --split-input-file --verify-diagnostics

func.func @bits(%x: complex<f32>) -> i64 {
  // expected-error @below {{'complex.bitcast' op works on complex numbers, which split-complex does not support}}
  %b = complex.bitcast %x : complex<f32> to i64
  return %b : i64
}

// -----

func.func @padded(%x: tensor<4xcomplex<f32>>) -> tensor<6xcomplex<f32>> {
  %p = tensor.pad %x low[1] high[1] {
  ^bb0(%i: index):
    // expected-error @below {{'arith.index_cast' op computes a complex padding value from the place: expected one value}}
    %j = arith.index_cast %i : index to i32
    %f = arith.sitofp %j : i32 to f32
    %c = complex.create %f, %f : complex<f32>
    tensor.yield %c : complex<f32>
  } : tensor<4xcomplex<f32>> to tensor<6xcomplex<f32>>
  return %p : tensor<6xcomplex<f32>>
}

// -----

// expected-error @below {{'func.func' op has buffers of complex numbers, expected tensors}}
func.func @buffers(%x: memref<4xcomplex<f32>>) {
  return
}
