// RUN: lw-opt %s --emulate-narrow-types --split-input-file --verify-diagnostics

// expected-error @below {{'func.func' op has a value of type memref<4xi4>, expected a tensor}}
func.func @buffer(%x: memref<4xi4>) {
  return
}

// -----

// expected-error @below {{'func.func' op has a value of type vector<4xf8E5M2>, expected a tensor}}
func.func @vector(%x: vector<4xf8E5M2>) {
  return
}

// -----

func.func @other_dialect(%x: tensor<4xi4>, %last: tensor<i4>) -> tensor<4xi4> {
  %e = tensor.empty() : tensor<4xi4>
  // expected-error @below {{'tm_tensor.scan' op works on narrow integers or floats, which emulate-narrow-types does not support}}
  %r:2 = tm_tensor.scan dimension(0) inclusive(true) ins(%x : tensor<4xi4>) outs(%e, %last : tensor<4xi4>, tensor<i4>) {
  ^bb0(%a: i4, %b: i4):
    %s = arith.addi %a, %b : i4
    tm_tensor.yield %s : i4
  } -> tensor<4xi4>, tensor<i4>
  return %r#0 : tensor<4xi4>
}

// -----

func.func @resource() -> tensor<4xf8E5M2> {
  // expected-error @below {{'arith.constant' op has a value that cannot be read: expected a number, or dense elements}}
  %r = arith.constant dense_resource<absent> : tensor<4xf8E5M2>
  return %r : tensor<4xf8E5M2>
}

// -----

func.func @two_results(%x: tensor<4xi4>) -> (tensor<4xi4>, tensor<4xi4>) {
  // expected-error @below {{'arith.mulsi_extended' op works on narrow integers or floats, which emulate-narrow-types does not support}}
  %low, %high = arith.mulsi_extended %x, %x : tensor<4xi4>
  return %low, %high : tensor<4xi4>, tensor<4xi4>
}

// -----

func.func @two_floats(%x: f8E5M2) -> (f8E5M2, f8E5M2) {
  // expected-error @below {{'math.sincos' op works on narrow integers or floats, which emulate-narrow-types does not support}}
  %sin, %cos = math.sincos %x : f8E5M2
  return %sin, %cos : f8E5M2, f8E5M2
}

// -----

func.func @softmax(%x: tensor<4xf8E5M2>) -> tensor<4xf8E5M2> {
  %e = tensor.empty() : tensor<4xf8E5M2>
  // expected-error @below {{'linalg.softmax' op works on narrow integers or floats, which emulate-narrow-types does not support}}
  %r = linalg.softmax dimension(0) ins(%x : tensor<4xf8E5M2>) outs(%e : tensor<4xf8E5M2>) -> tensor<4xf8E5M2>
  return %r : tensor<4xf8E5M2>
}
