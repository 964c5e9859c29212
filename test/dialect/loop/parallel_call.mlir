// RUN: lw-opt %s -split-input-file -verify-diagnostics | FileCheck %s

// CHECK-LABEL: @round_trip
func.func @round_trip(%A: memref<8xf32>, %n: index) {
  // CHECK: loop.parallel_call @rows in %{{.*}} grain(4) (%{{.*}}, %{{.*}} : memref<8xf32>, index)
  loop.parallel_call @rows in %n grain(4) (%A, %n : memref<8xf32>, index)
  // CHECK: loop.parallel_call @nothing in %{{.*}} grain(1) ()
  loop.parallel_call @nothing in %n grain(1) ()
  return
}
func.func private @rows(index, index, memref<8xf32>, index)
func.func private @nothing(index, index)

// -----

func.func @no_function(%n: index) {
  // expected-error @below {{'loop.parallel_call' op calls @rows, which is no function}}
  loop.parallel_call @rows in %n grain(1) ()
  return
}

// -----

func.func @other_type(%n: index) {
  // expected-error @below {{'loop.parallel_call' op calls a function of type '(index, f32) -> ()', expected '(index, index) -> ()': begin, end and what is captured}}
  loop.parallel_call @rows in %n grain(1) ()
  return
}
// expected-note @below {{the function is here}}
func.func private @rows(index, f32)

// -----

func.func @grain(%n: index) {
  // expected-error @below {{attribute 'grain' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive}}
  loop.parallel_call @rows in %n grain(0) ()
  return
}
func.func private @rows(index, index)
