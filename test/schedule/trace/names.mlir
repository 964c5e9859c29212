// RUN: lw-opt %s -split-input-file -verify-diagnostics --transform-interpreter

// In scripts too, a name that no longer exists is reported with the step that removed it.
module attributes {transform.with_named_sequence} {
  func.func @loops(%A: memref<8xf32>) {
    loop.for serial %i in 8 {
      // expected-error @+1 {{unroll: "B:i" was removed by step 2: transform.sched.split "B:i" in %f factors [2, 4] (C1)}}
      loop.block "B" [%v: spatial 8] = (%i) {}
    }
    loop.for serial %i in 8 { loop.block "C" [%v: spatial 8] = (%i) {} }
    return
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    transform.sched.unroll "C:i" in %m
    %i = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.sched.split "B:i" in %i factors [2, 4]
    transform.sched.unroll "B:i.0" in %i
    // expected-note @+1 {{in this step of the script: step 4}}
    transform.sched.unroll "B:i" in %i
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  // expected-error @+1 {{unroll: "T" was removed by step 1: transform.sched.compute_inline "T" in %f (C1)}}
  func.func @blocks(%A: memref<8xf32>) {
    %T = loop.buffer "T" scope(global) : memref<8xf32>
    loop.for serial %i in 8 {
      loop.block "T" [%v: spatial 8] = (%i) writes(%T[%v : 1]) {
        %one = arith.constant 1.0 : f32
        memref.store %one, %T[%v] : memref<8xf32>
      }
    }
    loop.for serial %i in 8 {
      loop.block "B" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%A[%v : 1]) {
        %t = memref.load %T[%v] : memref<8xf32>
        memref.store %t, %A[%v] : memref<8xf32>
      }
    }
    return
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    transform.sched.compute_inline "T" in %m
    // expected-note @+1 {{in this step of the script: step 2}}
    transform.sched.unroll "T:i" in %m
    transform.yield
  }
}

// -----

// Each function has its own steps.
module attributes {transform.with_named_sequence} {
  func.func @first() {
    loop.for serial %i in 8 { loop.block "B" [%v: spatial 8] = (%i) {} }
    return
  }
  func.func @second() {
    // expected-error @+1 {{unroll: there is no loop "j" around schedule block "C", there are "i" (C1)}}
    loop.for serial %i in 8 { loop.block "C" [%v: spatial 8] = (%i) {} }
    return
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    transform.sched.split "B:i" in %m factors [2, 4]
    // expected-note @+1 {{in this step of the script: step 1}}
    transform.sched.unroll "C:j" in %m
    transform.yield
  }
}
