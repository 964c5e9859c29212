// Steps that are refused around atomic updates.
// RUN: lw-opt %s -split-input-file -verify-diagnostics --transform-interpreter

// A concurrent reader of the result would read an arbitrary partial result.
module attributes {transform.with_named_sequence} {
  func.func @read_meanwhile(%A: memref<100xi32> {loop.name = "A"}, %C: memref<i32> {loop.name = "C"}, %D: memref<100xi32> {loop.name = "D"}) {
    // expected-error @+1 {{parallel: schedule blocks "C" and "D" both access "C", which one of them writes: iteration k = 5 of "C" (writes) and iteration k = 6 of "D" (reads) both access "C"[] (C3)}}
    loop.for serial %k in 100 {
      // expected-note @+1 {{one schedule block is here}}
      loop.block "C" [%vk: reduce 100] = (%k) reads(%A[%vk : 1], %C[]) writes(%C[]) reducer(add, 0) {
        %a = memref.load %A[%vk] : memref<100xi32>
        %c = memref.load %C[] : memref<i32>
        %s = arith.addi %c, %a : i32
        memref.store %s, %C[] : memref<i32>
      }
      // expected-note @+1 {{the other is here}}
      loop.block "D" [%v: spatial 100] = (%k) reads(%C[]) writes(%D[%v : 1]) {
        %c = memref.load %C[] : memref<i32>
        memref.store %c, %D[%v] : memref<100xi32>
      }
    }
    return
  }
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    transform.sched.atomic "C" in %f
    // expected-note @+1 {{in this step of the script}}
    transform.sched.parallel "C:k" in %f
    transform.yield
  }
}

// -----

// A sum and a maximum of one element: their order matters.
module attributes {transform.with_named_sequence} {
  func.func @two_kinds(%A: memref<100xi32> {loop.name = "A"}, %C: memref<i32> {loop.name = "C"}) {
    // expected-error @+1 {{parallel: schedule blocks "C" and "D" both access "C", which one of them writes: iteration k = 5 of "C" (reads) and iteration k = 6 of "D" (writes) both access "C"[] (C3)}}
    loop.for serial %k in 100 {
      // expected-note @+1 {{one schedule block is here}}
      loop.block "C" [%vk: reduce 100] = (%k) reads(%A[%vk : 1], %C[]) writes(%C[]) reducer(add, 0) {
        %a = memref.load %A[%vk] : memref<100xi32>
        %c = memref.load %C[] : memref<i32>
        %s = arith.addi %c, %a : i32
        memref.store %s, %C[] : memref<i32>
      }
      // expected-note @+1 {{the other is here}}
      loop.block "D" [%vk: reduce 100] = (%k) reads(%A[%vk : 1], %C[]) writes(%C[]) reducer(maxu, 0) {
        %a = memref.load %A[%vk] : memref<100xi32>
        %c = memref.load %C[] : memref<i32>
        %s = arith.maxui %c, %a : i32
        memref.store %s, %C[] : memref<i32>
      }
    }
    return
  }
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    transform.sched.atomic "C" in %f
    transform.sched.atomic "D" in %f
    // expected-note @+1 {{in this step of the script}}
    transform.sched.parallel "C:k" in %f
    transform.yield
  }
}

// -----

// A GPU has no instruction for multiplication.
module attributes {transform.with_named_sequence} {
  func.func @product_on_threads(%A: memref<100xi32> {loop.name = "A"}, %C: memref<i32> {loop.name = "C"}) {
    loop.for serial %k in 100 {
      // expected-error @+1 {{bind: iter "vk" of schedule block "C" is reduce, expected spatial: iteration k = 5 of "C" (reads) and iteration k = 6 of "C" (writes) both access "C"[] (C7)}}
      loop.block "C" [%vk: reduce 100] = (%k) reads(%A[%vk : 1], %C[]) writes(%C[]) reducer(mul, 1) {
        %a = memref.load %A[%vk] : memref<100xi32>
        %c = memref.load %C[] : memref<i32>
        %s = arith.muli %c, %a : i32
        memref.store %s, %C[] : memref<i32>
      }
    }
    return
  }
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    transform.sched.atomic "C" in %f
    // expected-note @+1 {{in this step of the script}}
    transform.sched.bind "C:k" in %f thread "blockIdx.x"
    transform.yield
  }
}

// -----

// Lanes have no order in which they could update one element.
module attributes {transform.with_named_sequence} {
  func.func @lanes(%A: memref<100xi32> {loop.name = "A"}, %C: memref<i32> {loop.name = "C"}) {
    loop.for serial %k in 100 {
      // expected-error @+1 {{vectorize: the lanes would reduce into one cell, as iter "vk" of schedule block "C" is bound to the loop: use rfactor, or vectorize another loop (C7)}}
      loop.block "C" [%vk: reduce 100] = (%k) reads(%A[%vk : 1], %C[]) writes(%C[]) reducer(add, 0) {
        %a = memref.load %A[%vk] : memref<100xi32>
        %c = memref.load %C[] : memref<i32>
        %s = arith.addi %c, %a : i32
        memref.store %s, %C[] : memref<i32>
      }
    }
    return
  }
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    transform.sched.atomic "C" in %f
    // expected-note @+1 {{in this step of the script}}
    transform.sched.vectorize "C:k" in %f factor 4
    transform.yield
  }
}

// -----

// A copy of the element in each iteration would lose the updates of others.
module attributes {transform.with_named_sequence} {
  func.func @copied_while_updates_meet(%A: memref<100xi32> {loop.name = "A"}, %C: memref<i32> {loop.name = "C"}) {
    loop.for serial %k in 100 {
      // expected-error @+1 {{cache_write: atomic updates of schedule block "C" in this nest run concurrently: apply this step before parallel and bind}}
      loop.block "C" [%vk: reduce 100] = (%k) reads(%A[%vk : 1], %C[]) writes(%C[]) reducer(add, 0) {
        %a = memref.load %A[%vk] : memref<100xi32>
        %c = memref.load %C[] : memref<i32>
        %s = arith.addi %c, %a : i32
        memref.store %s, %C[] : memref<i32>
      }
    }
    return
  }
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    transform.sched.atomic "C" in %f
    transform.sched.parallel "C:k" in %f
    // expected-note @+1 {{in this step of the script}}
    transform.sched.cache_write "C" in %f buffer "C" scope "local"
    transform.yield
  }
}

// -----

// The condition that makes the updates safe cannot be removed.
module attributes {transform.with_named_sequence} {
  func.func @taken_back_while_updates_meet(%A: memref<100xi32> {loop.name = "A"}, %C: memref<i32> {loop.name = "C"}) {
    loop.for serial %k in 100 {
      // expected-error @+1 {{unannotate: atomic updates of schedule block "C" in this nest run concurrently: apply this step before parallel and bind}}
      loop.block "C" [%vk: reduce 100] = (%k) reads(%A[%vk : 1], %C[]) writes(%C[]) reducer(add, 0) {
        %a = memref.load %A[%vk] : memref<100xi32>
        %c = memref.load %C[] : memref<i32>
        %s = arith.addi %c, %a : i32
        memref.store %s, %C[] : memref<i32>
      }
    }
    return
  }
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    transform.sched.atomic "C" in %f
    transform.sched.parallel "C:k" in %f
    // expected-note @+1 {{in this step of the script}}
    transform.sched.unannotate "C" in %f key "atomic"
    transform.yield
  }
}

// -----

// An annotation cannot permit another order of sums.
module attributes {transform.with_named_sequence} {
  func.func @annotated_by_hand(%A: memref<100xf32> {loop.name = "A"}, %C: memref<f32> {loop.name = "C"}) attributes {loop.fp = "strict"} {
    loop.for serial %k in 100 {
      // expected-error @+1 {{parallel: iter "vk" of schedule block "C" is reduce, expected spatial: iteration k = 5 of "C" (reads) and iteration k = 6 of "C" (writes) both access "C"[] (C3)}}
      loop.block "C" [%vk: reduce 100] = (%k) reads(%A[%vk : 1], %C[]) writes(%C[]) reducer(add, 0.0) attributes {loop.annotations = {atomic = true}} {
        %a = memref.load %A[%vk] : memref<100xf32>
        %c = memref.load %C[] : memref<f32>
        %s = arith.addf %c, %a : f32
        memref.store %s, %C[] : memref<f32>
      }
    }
    return
  }
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    // expected-note @+1 {{in this step of the script}}
    transform.sched.parallel "C:k" in %f
    transform.yield
  }
}

// -----

// Two lanes with one element: a vector would load it for both before it stores.
module attributes {transform.with_named_sequence} {
  func.func @two_lanes_of_a_cell(%A: memref<8x100xi32> {loop.name = "A"}, %C: memref<4xi32> {loop.name = "C"}) {
    loop.for serial %k in 100 {
      loop.for serial %i in 8 {
        // expected-error @+1 {{vectorize: cannot prove that the instances of schedule block "C" write different cells of "C": iterations k = 0, i = 0 of "C" (writes) and iterations k = 0, i = 1 of "C" (reads) both access "C"[0] (C4)}}
        loop.block "C" [%vi: spatial 8, %vk: reduce 100] = (%i, %k) reads(%A[%vi : 1, %vk : 1], %C[%vi floordiv 2 : 1]) writes(%C[%vi floordiv 2 : 1]) reducer(add, 0) {
          %h = affine.apply affine_map<(d0) -> (d0 floordiv 2)>(%vi)
          %a = memref.load %A[%vi, %vk] : memref<8x100xi32>
          %c = memref.load %C[%h] : memref<4xi32>
          %s = arith.addi %c, %a : i32
          memref.store %s, %C[%h] : memref<4xi32>
        }
      }
    }
    return
  }
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    transform.sched.atomic "C" in %f
    // expected-note @+1 {{in this step of the script}}
    transform.sched.vectorize "C:i" in %f
    transform.yield
  }
}
