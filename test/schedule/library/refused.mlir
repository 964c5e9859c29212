// RUN: lw-opt %s -split-input-file -verify-diagnostics --transform-interpreter

// A refusal changes nothing: each function is as before.

module attributes {transform.with_named_sequence} {
  
  func.func @no_schedule(%A: memref<12xf32>, %B: memref<12xf32>) {
    loop.for serial %i in 12 {
      
      loop.block "B" [%v: spatial 12] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
        %a = memref.load %A[%v] : memref<12xf32>
        memref.store %a, %B[%v] : memref<12xf32>
      }
    }
    return
  }
  transform.named_sequence @cut(%f: !transform.any_op {transform.readonly}) attributes {loop.parameters = {block, by = 4 : i64}} {
    transform.sched.split "$block:i" in %f factors "-1, $by"
    transform.yield
  }
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    // expected-error @below {{there is no schedule @other, there are @cut, @layernorm_rows}}
    transform.sched.call @other in %f
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  
  func.func @no_parameter(%A: memref<12xf32>, %B: memref<12xf32>) {
    loop.for serial %i in 12 {
      
      loop.block "B" [%v: spatial 12] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
        %a = memref.load %A[%v] : memref<12xf32>
        memref.store %a, %B[%v] : memref<12xf32>
      }
    }
    return
  }
  // expected-note @below {{the schedule is here}}
  transform.named_sequence @cut(%f: !transform.any_op {transform.readonly}) attributes {loop.parameters = {block, by = 4 : i64}} {
    transform.sched.split "$block:i" in %f factors "-1, $by"
    transform.yield
  }
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    // expected-error @below {{schedule @cut has no parameter "width", it has block, by}}
    transform.sched.call @cut in %f with {block = "B", width = 4}
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  
  func.func @not_given(%A: memref<12xf32>, %B: memref<12xf32>) {
    loop.for serial %i in 12 {
      
      loop.block "B" [%v: spatial 12] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
        %a = memref.load %A[%v] : memref<12xf32>
        memref.store %a, %B[%v] : memref<12xf32>
      }
    }
    return
  }
  // expected-note @below {{the schedule is here}}
  transform.named_sequence @cut(%f: !transform.any_op {transform.readonly}) attributes {loop.parameters = {block, by = 4 : i64}} {
    transform.sched.split "$block:i" in %f factors "-1, $by"
    transform.yield
  }
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    // expected-error @below {{schedule @cut needs a value for its parameter "block"}}
    transform.sched.call @cut in %f
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @not_required(%A: memref<12xf32>, %B: memref<12xf32>) {
    // expected-error @below {{schedule @cut requires "B:i is multiple of 5", but its extent is 12}}
    loop.for serial %i in 12 {
      
      loop.block "B" [%v: spatial 12] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
        %a = memref.load %A[%v] : memref<12xf32>
        memref.store %a, %B[%v] : memref<12xf32>
      }
    }
    return
  }
  // expected-note @below {{the schedule is here}}
  transform.named_sequence @cut(%f: !transform.any_op {transform.readonly}) attributes {loop.parameters = {block, by = 4 : i64}, loop.requires = ["$block is spatial", "$block:i is multiple of $by"]} {
    transform.sched.split "$block:i" in %f factors "-1, $by"
    transform.yield
  }
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    // expected-note @below {{in this call of the script}}
    transform.sched.call @cut in %f with {block = "B", by = 5}
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  
  func.func @not_ensured(%A: memref<12xf32>, %B: memref<12xf32>) {
    // expected-error @below {{schedule @cut ensures "B:i.1 is vectorize", but it is serial}}
    loop.for serial %i in 12 {
      
      loop.block "B" [%v: spatial 12] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
        %a = memref.load %A[%v] : memref<12xf32>
        memref.store %a, %B[%v] : memref<12xf32>
      }
    }
    return
  }
  // expected-note @below {{the schedule is here}}
  transform.named_sequence @cut(%f: !transform.any_op {transform.readonly}) attributes {loop.parameters = {block, by = 4 : i64}, loop.ensures = ["$block:i.1 is vectorize"]} {
    transform.sched.split "$block:i" in %f factors "-1, $by"
    transform.yield
  }
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    // expected-note @below {{in this call of the script}}
    transform.sched.call @cut in %f with {block = "B"}
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  
  func.func @not_asked(%A: memref<12xf32>, %B: memref<12xf32>) {
    loop.for serial %i in 12 {
      // expected-error @below {{this condition does not apply to "B": it is about loops only, or about schedule blocks only}}
      loop.block "B" [%v: spatial 12] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
        %a = memref.load %A[%v] : memref<12xf32>
        memref.store %a, %B[%v] : memref<12xf32>
      }
    }
    return
  }
  // expected-note @below {{the schedule is here}}
  transform.named_sequence @cut(%f: !transform.any_op {transform.readonly}) attributes {loop.parameters = {block, by = 4 : i64}, loop.requires = ["$block is vectorize"]} {
    transform.sched.split "$block:i" in %f factors "-1, $by"
    transform.yield
  }
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    // expected-note @below {{in this call of the script}}
    transform.sched.call @cut in %f with {block = "B"}
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  
  func.func @no_condition(%A: memref<12xf32>, %B: memref<12xf32>) {
    loop.for serial %i in 12 {
      
      loop.block "B" [%v: spatial 12] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
        %a = memref.load %A[%v] : memref<12xf32>
        memref.store %a, %B[%v] : memref<12xf32>
      }
    }
    return
  }
  // expected-note @below {{the schedule is here}}
  transform.named_sequence @cut(%f: !transform.any_op {transform.readonly}) attributes {loop.parameters = {block, by = 4 : i64}, loop.requires = ["$block is quick"]} {
    transform.sched.split "$block:i" in %f factors "-1, $by"
    transform.yield
  }
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    // expected-error @below {{"B is quick" is not a condition}}
    transform.sched.call @cut in %f with {block = "B"}
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  
  func.func @no_step(%A: memref<12xf32>, %B: memref<12xf32>) {
    loop.for serial %i in 12 {
      
      loop.block "B" [%v: spatial 12] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
        %a = memref.load %A[%v] : memref<12xf32>
        memref.store %a, %B[%v] : memref<12xf32>
      }
    }
    return
  }
  transform.named_sequence @cut(%f: !transform.any_op {transform.readonly}) attributes {loop.parameters = {block, by = 4 : i64}} {
    // expected-note @below {{the schedule is here}}
    transform.print %f : !transform.any_op
    transform.yield
  }
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    // expected-error @below {{schedule @cut holds 'transform.print', expected steps}}
    transform.sched.call @cut in %f with {block = "B"}
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  
  func.func @too_deep(%A: memref<12xf32>, %B: memref<12xf32>) {
    loop.for serial %i in 12 {
      
      loop.block "B" [%v: spatial 12] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
        %a = memref.load %A[%v] : memref<12xf32>
        memref.store %a, %B[%v] : memref<12xf32>
      }
    }
    return
  }
  transform.named_sequence @again(%f: !transform.any_op {transform.readonly}) attributes {loop.parameters = {block}} {
    transform.sched.call @again in %f with {block = "$block"}
    transform.yield
  }
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    // expected-error @below {{schedules call each other more than 16 deep, at @again}}
    transform.sched.call @again in %f with {block = "B"}
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  
  func.func @refused_step(%A: memref<12xf32>, %B: memref<12xf32>) {
    loop.for serial %i in 12 {
      // expected-error @below {{unroll: there is no loop "i" around schedule block "B", there are "i.0", "i.1" (C1)}}
      loop.block "B" [%v: spatial 12] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
        %a = memref.load %A[%v] : memref<12xf32>
        memref.store %a, %B[%v] : memref<12xf32>
      }
    }
    return
  }
  transform.named_sequence @cut(%f: !transform.any_op {transform.readonly}) attributes {loop.parameters = {block, by = 4 : i64}} {
    transform.sched.split "$block:i" in %f factors "-1, $by"
    // expected-note @below {{in this step of the schedule}}
    transform.sched.unroll "$block:i" in %f
    transform.yield
  }
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    // expected-note @below {{in this call of the script}}
    transform.sched.call @cut in %f with {block = "B"}
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @value_is_a_list(%A: memref<12xf32>, %B: memref<12xf32>) {
    loop.for serial %i in 12 {
      loop.block "B" [%v: spatial 12] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
        %a = memref.load %A[%v] : memref<12xf32>
        memref.store %a, %B[%v] : memref<12xf32>
      }
    }
    return
  }
  transform.named_sequence @cut(%f: !transform.any_op {transform.readonly}) attributes {loop.parameters = {by = 4 : i64}} {
    transform.sched.split "B:i" in %f factors "-1, 4"
    transform.yield
  }
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    // expected-error @below {{parameter "by" of schedule @cut has a value that is not a number, boolean or text}}
    transform.sched.call @cut in %f with {by = [1, 2]}
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @initial_value_is_a_list(%A: memref<12xf32>, %B: memref<12xf32>) {
    loop.for serial %i in 12 {
      loop.block "B" [%v: spatial 12] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
        %a = memref.load %A[%v] : memref<12xf32>
        memref.store %a, %B[%v] : memref<12xf32>
      }
    }
    return
  }
  // expected-note @below {{the schedule is here}}
  transform.named_sequence @cut(%f: !transform.any_op {transform.readonly}) attributes {loop.parameters = {by = [1, 2]}} {
    transform.sched.split "B:i" in %f factors "-1, 4"
    transform.yield
  }
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    // expected-error @below {{parameter "by" of schedule @cut has a value that is not a number, boolean or text}}
    transform.sched.call @cut in %f
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @parameters_are_a_number(%A: memref<12xf32>, %B: memref<12xf32>) {
    loop.for serial %i in 12 {
      loop.block "B" [%v: spatial 12] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
        %a = memref.load %A[%v] : memref<12xf32>
        memref.store %a, %B[%v] : memref<12xf32>
      }
    }
    return
  }
  // expected-note @below {{the schedule is here}}
  transform.named_sequence @cut(%f: !transform.any_op {transform.readonly}) attributes {loop.parameters = 3 : i64} {
    transform.sched.split "B:i" in %f factors "-1, 4"
    transform.yield
  }
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    // expected-error @below {{schedule @cut has 'loop.parameters', expected a dictionary of values in it}}
    transform.sched.call @cut in %f
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @requires_a_text(%A: memref<12xf32>, %B: memref<12xf32>) {
    loop.for serial %i in 12 {
      loop.block "B" [%v: spatial 12] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
        %a = memref.load %A[%v] : memref<12xf32>
        memref.store %a, %B[%v] : memref<12xf32>
      }
    }
    return
  }
  // expected-note @below {{the schedule is here}}
  transform.named_sequence @cut(%f: !transform.any_op {transform.readonly}) attributes {loop.requires = "B is spatial"} {
    transform.sched.split "B:i" in %f factors "-1, 4"
    transform.yield
  }
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    // expected-error @below {{schedule @cut has 'loop.requires', expected a list of texts in it}}
    transform.sched.call @cut in %f
    transform.yield
  }
}
