// RUN: lw-opt %s --form-fma -split-input-file -verify-diagnostics | FileCheck %s

// CHECK-LABEL: @sums(
// CHECK-SAME:    %[[A:.*]]: f32, %[[B:.*]]: f32, %[[C:.*]]: f32)
// CHECK-NEXT:    %[[X:.*]] = math.fma %[[A]], %[[B]], %[[C]] : f32
// CHECK-NEXT:    %[[Y:.*]] = math.fma %[[B]], %[[B]], %[[C]] : f32
// CHECK-NEXT:    return %[[X]], %[[Y]]
func.func @sums(%a: f32, %b: f32, %c: f32) -> (f32, f32) attributes {loop.fp = "fast"} {
  %p = arith.mulf %a, %b : f32
  %x = arith.addf %p, %c : f32
  %q = arith.mulf %b, %b : f32
  %y = arith.addf %c, %q : f32
  return %x, %y : f32, f32
}

// -----

// CHECK-LABEL: @differences(
// CHECK-SAME:    %[[A:.*]]: f64, %[[B:.*]]: f64, %[[C:.*]]: f64)
// CHECK-NEXT:    %[[NC:.*]] = arith.negf %[[C]]
// CHECK-NEXT:    %[[X:.*]] = math.fma %[[A]], %[[B]], %[[NC]] : f64
// CHECK-NEXT:    %[[NB:.*]] = arith.negf %[[B]]
// CHECK-NEXT:    %[[Y:.*]] = math.fma %[[NB]], %[[A]], %[[C]] : f64
func.func @differences(%a: f64, %b: f64, %c: f64) -> (f64, f64) attributes {loop.fp = "fast"} {
  %p = arith.mulf %a, %b : f64
  %x = arith.subf %p, %c : f64
  %q = arith.mulf %b, %a : f64
  %y = arith.subf %c, %q : f64
  return %x, %y : f64, f64
}

// -----

// One product is fused into the op, the other one is not.
// CHECK-LABEL: @two_products(
// CHECK-SAME:    %[[A:.*]]: vector<8xf32>, %[[B:.*]]: vector<8xf32>)
// CHECK-NEXT:    %[[Q:.*]] = arith.mulf %[[B]], %[[B]]
// CHECK-NEXT:    math.fma %[[A]], %[[B]], %[[Q]] : vector<8xf32>
func.func @two_products(%a: vector<8xf32>, %b: vector<8xf32>) -> vector<8xf32> attributes {loop.fp = "fast"} {
  %p = arith.mulf %a, %b : vector<8xf32>
  %q = arith.mulf %b, %b : vector<8xf32>
  %x = arith.addf %p, %q : vector<8xf32>
  return %x : vector<8xf32>
}

// -----

// CHECK-LABEL: @used_twice(
// CHECK-NOT:     math.fma
// CHECK:         return
func.func @used_twice(%a: f32, %b: f32, %c: f32) -> (f32, f32) attributes {loop.fp = "fast"} {
  %p = arith.mulf %a, %b : f32
  %x = arith.addf %p, %c : f32
  return %x, %p : f32, f32
}

// -----

// CHECK-LABEL: @twice_in_one_sum(
// CHECK-NOT:     math.fma
// CHECK:         return
func.func @twice_in_one_sum(%a: f32, %b: f32) -> f32 attributes {loop.fp = "fast"} {
  %p = arith.mulf %a, %b : f32
  %x = arith.addf %p, %p : f32
  return %x : f32
}

// -----

// They are computed in f32.
// CHECK-LABEL: @small_floats(
// CHECK-NOT:     math.fma
// CHECK:         return
func.func @small_floats(%a: f16, %b: vector<4xbf16>) -> (f16, vector<4xbf16>) attributes {loop.fp = "fast"} {
  %p = arith.mulf %a, %a : f16
  %x = arith.addf %p, %a : f16
  %q = arith.mulf %b, %b : vector<4xbf16>
  %y = arith.addf %q, %b : vector<4xbf16>
  return %x, %y : f16, vector<4xbf16>
}

// -----

// CHECK-LABEL: @strict(
// CHECK-NOT:     math.fma
// CHECK-LABEL: @reassoc(
// CHECK-NOT:     math.fma
// CHECK-LABEL: @unstated(
// CHECK-NOT:     math.fma
func.func @strict(%a: f32) -> f32 attributes {loop.fp = "strict"} {
  %p = arith.mulf %a, %a : f32
  %x = arith.addf %p, %a : f32
  return %x : f32
}
func.func @reassoc(%a: f32) -> f32 attributes {loop.fp = "reassoc"} {
  %p = arith.mulf %a, %a : f32
  %x = arith.addf %p, %a : f32
  return %x : f32
}
func.func @unstated(%a: f32) -> f32 {
  %p = arith.mulf %a, %a : f32
  %x = arith.addf %p, %a : f32
  return %x : f32
}

// -----

// expected-error @below {{has "sloppy" as 'loop.fp', expected strict, reassoc or fast}}
func.func @unknown_contract() attributes {loop.fp = "sloppy"} {
  return
}

// -----

// expected-error @below {{has a value that is not text as 'loop.fp', expected strict, reassoc or fast}}
func.func @contract_of_another_type() attributes {loop.fp = 3 : i32} {
  return
}
