// RUN: lw-opt %s -split-input-file -verify-diagnostics --transform-interpreter | FileCheck %s

// Without a name the handle determines the target.
// CHECK-LABEL: func.func @handle_to_loop
// CHECK-NEXT: loop.for serial %i in 8 {
// CHECK-NEXT:   loop.for unroll %j in 4 {
module attributes {transform.with_named_sequence} {
  func.func @handle_to_loop() {
    loop.for serial %i in 8 {
      loop.for serial %j in 4 { loop.block "B" [] = () {} }
    }
    return
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %j = transform.structured.match ops{["loop.for"]} attributes {name = "j"} in %m
        : (!transform.any_op) -> !transform.any_op
    transform.sched.unroll %j
    transform.yield
  }
}

// -----

// After a split, the handle refers to the outermost part.
// CHECK-LABEL: func.func @handle_after_split
// CHECK-NEXT: loop.for unroll %i.0 in 2
// CHECK-NEXT:   loop.for serial %i.1 in 4
module attributes {transform.with_named_sequence} {
  func.func @handle_after_split() {
    loop.for serial %i in 8 { loop.block "B" [] = () {} }
    return
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %i = transform.structured.match ops{["loop.for"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.sched.split "B:i" in %m factors [2, 4]
    transform.sched.unroll %i
    transform.yield
  }
}

// -----

// After a fusion, handles to its loops refer to the new loop. (A match lists the innermost
// loop first.)
// CHECK-LABEL: func.func @handles_after_fuse
// CHECK-NEXT: loop.for unroll %i_j_fused in 32
// CHECK-NEXT:   loop.for unroll %k in 2
module attributes {transform.with_named_sequence} {
  func.func @handles_after_fuse() {
    loop.for serial %i in 8 {
      loop.for serial %j in 4 {
        loop.for serial %k in 2 { loop.block "B" [] = () {} }
      }
    }
    return
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %all = transform.structured.match ops{["loop.for"]} in %m : (!transform.any_op) -> !transform.any_op
    %k, %j, %i = transform.split_handle %all
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %two = transform.merge_handles %i, %j : !transform.any_op
    transform.sched.fuse %two
    transform.sched.unroll %two
    transform.sched.unroll %k
    transform.yield
  }
}

// -----

// CHECK-LABEL: func.func @handles_after_reorder
// CHECK-NEXT: loop.for serial %j in 4
// CHECK-NEXT:   loop.for unroll %i in 8
module attributes {transform.with_named_sequence} {
  func.func @handles_after_reorder() {
    loop.for serial %i in 8 {
      loop.for serial %j in 4 { loop.block "B" [%v: spatial 8, %w: spatial 4] = (%i, %j) {} }
    }
    return
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %all = transform.structured.match ops{["loop.for"]} in %m : (!transform.any_op) -> !transform.any_op
    %j, %i = transform.split_handle %all : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %turned = transform.merge_handles %j, %i : !transform.any_op
    transform.sched.reorder %turned
    transform.sched.unroll %i
    transform.yield
  }
}

// -----

// Ops that compute_inline erases are removed from the handles; new ops are not added to them.
// CHECK-LABEL: func.func @handles_after_compute_inline
// CHECK-NEXT: loop.for serial %i in 8 attributes {kept} {
// CHECK-NEXT:   loop.block "R"
// CHECK:          memref.load %arg0[%0] : memref<8xf32>
// CHECK-NEXT:     memref.load %arg1[%v] {kept} : memref<8xf32>
module attributes {transform.with_named_sequence} {
  func.func @handles_after_compute_inline(%A: memref<8xf32>, %C: memref<8xf32>) {
    %T = loop.buffer "T" scope(global) : memref<8xf32>
    loop.for serial %i in 8 {
      loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
        %at = affine.apply affine_map<(d0) -> (d0)>(%v)
        %a = memref.load %A[%at] : memref<8xf32>
        memref.store %a, %T[%v] : memref<8xf32>
      }
    }
    loop.for serial %i in 8 {
      loop.block "R" [%v: spatial 8] = (%i) reads(%T[-%v + 7 : 1], %C[%v : 1]) writes(%C[%v : 1]) {
        %back = affine.apply affine_map<(d0) -> (7 - d0)>(%v)
        %t = memref.load %T[%back] : memref<8xf32>
        %c = memref.load %C[%v] : memref<8xf32>
        %s = arith.addf %t, %c : f32
        memref.store %s, %C[%v] : memref<8xf32>
      }
    }
    return
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %loops = transform.structured.match ops{["loop.for"]} in %m : (!transform.any_op) -> !transform.any_op
    %loads = transform.structured.match ops{["memref.load"]} in %m : (!transform.any_op) -> !transform.any_op
    %indices = transform.structured.match ops{["affine.apply"]} in %m : (!transform.any_op) -> !transform.any_op
    %buffers = transform.structured.match ops{["loop.buffer"]} in %m : (!transform.any_op) -> !transform.any_op
    %block = transform.structured.match ops{["loop.block"]} attributes {name = "P"} in %m
        : (!transform.any_op) -> !transform.any_op
    transform.sched.compute_inline %block
    transform.annotate %loops "kept" : !transform.any_op
    transform.annotate %loads "kept" : !transform.any_op
    transform.annotate %indices "kept" : !transform.any_op
    transform.annotate %buffers "kept" : !transform.any_op
    transform.annotate %block "kept" : !transform.any_op
    transform.yield
  }
}

// -----

// An empty handle.
module attributes {transform.with_named_sequence} {
  func.func @empty_handle() {
    loop.for serial %i in 8 { loop.block "B" [] = () {} }
    return
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %k = transform.structured.match ops{["loop.for"]} attributes {name = "k"} in %m
        : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{'transform.sched.unroll' op is given a handle to 0 ops, expected one}}
    transform.sched.unroll %k
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @handle_to_two_loops() {
    loop.for serial %i in 8 { loop.for serial %j in 8 { loop.block "B" [] = () {} } }
    return
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %all = transform.structured.match ops{["loop.for"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{'transform.sched.unroll' op is given a handle to 2 ops, expected one}}
    transform.sched.unroll %all
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  // expected-note @+1 {{it refers to this op}}
  func.func @handle_to_function() {
    loop.for serial %i in 8 { loop.block "B" [] = () {} }
    return
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{'transform.sched.unroll' op has no loop, so its handle must refer to 'loop.for'}}
    transform.sched.unroll %f
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @one() {
    loop.for serial %i in 8 { loop.block "B" [] = () {} }
    return
  }
  // expected-note @+1 {{one of them is here}}
  func.func @other() {
    loop.for serial %i in 8 { loop.block "B" [] = () {} }
    return
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{'transform.sched.unroll' op is given a handle to ops of several functions, expected one}}
    transform.sched.unroll "B:i" in %f
    transform.yield
  }
}

// -----

// CHECK-LABEL: func.func @by_name
// CHECK-NEXT: loop.for serial
// CHECK-LABEL: func.func @"by name"
// CHECK-NEXT: loop.for unroll
module attributes {transform.with_named_sequence} {
  func.func @by_name() {
    loop.for serial %i in 8 { loop.block "B" [] = () {} }
    return
  }
  func.func @"by name"() {
    loop.for serial %i in 8 { loop.block "B" [] = () {} }
    return
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %f = transform.sched.function @"by name" in %m
    transform.sched.unroll "B:i" in %f
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @f() { return }
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    // expected-error @+1 {{'transform.sched.function' op is of version 2, this package reads version 1}}
    %f = transform.sched.function @f in %m version 2
    transform.yield
  }
}

// -----

// A script may be written for other shapes: that is reported as a remark.
// CHECK-LABEL: func.func @other_hash
// CHECK-NEXT: loop.for unroll
module attributes {transform.with_named_sequence} {
  // expected-remark-re @+1 {{the script was made for another function: its hash is 00, here it is {{[0-9a-f]+}}}}
  func.func @other_hash() {
    loop.for serial %i in 8 { loop.block "B" [] = () {} }
    return
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %f = transform.sched.function @other_hash in %m version 1 hash "00"
    transform.sched.unroll "B:i" in %f
    transform.yield
  }
}

// -----

// expected-error @+1 {{'builtin.module' op has no function @g}}
module attributes {transform.with_named_sequence} {
  func.func @f() { return }
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %f = transform.sched.function @g in %m
    transform.yield
  }
}

// -----

// Refusals can be silenced: the IR is unchanged, and the sequence continues.
// CHECK-LABEL: func.func @suppressed
// CHECK-NEXT: loop.for unroll %i
// CHECK-NEXT:   loop.for unroll %j in 8
module attributes {transform.with_named_sequence} {
  func.func @suppressed() {
    loop.for serial %i in 8 { loop.for serial %j in 8 { loop.block "B" [] = () {} } }
    return
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    transform.sequence %m : !transform.any_op failures(suppress) {
    ^bb0(%f: !transform.any_op):
      transform.sched.split "B:j" in %f factors [3]
      transform.sched.unroll "B:j" in %f
    }
    transform.sched.unroll "B:i" in %m
    transform.yield
  }
}

// -----

// The first that is accepted.
// CHECK-LABEL: func.func @alternatives
// CHECK-NEXT: loop.for serial %i.0 in 2
// CHECK-NEXT: loop.for serial %i.1 in 3
module {
  func.func @alternatives() {
    loop.for serial %i in 6 { loop.block "B" [] = () {} }
    return
  }
  module attributes {transform.with_named_sequence} {
    transform.named_sequence @__transform_main(%m: !transform.any_op) {
      %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
      transform.alternatives %f : !transform.any_op {
      ^bb0(%g: !transform.any_op):
        transform.sched.split "B:i" in %g factors [2, 2]
      }, {
      ^bb0(%g: !transform.any_op):
        transform.sched.split "B:i" in %g factors [2, 3]
      }
      transform.yield
    }
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @explained() {
    loop.for serial %i in 8 {
      // expected-error @+2 {{fuse: loop "j" is not the only statement in loop "i" (C3)}}
      // expected-note @+1 {{in this nest:}}
      loop.for serial %j in 4 { loop.block "B" [%v: spatial 4] = (%j) {} }
      loop.sync
    }
    return
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    // expected-note @+1 {{in this step of the script}}
    transform.sched.fuse ["B:i", "B:j"] in %m {explain}
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    // expected-error @+1 {{attribute 'factor' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive}}
    transform.sched.vectorize "B:i" in %m factor 0
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  // expected-error @+1 {{'func.func' op has 2 blocks, expected one}}
  func.func @branches(%A: memref<8xf32>, %C: memref<8xf32>) {
    %T = loop.buffer "T" scope(global) : memref<8xf32>
    loop.for serial %i in 8 {
      loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
        %a = memref.load %A[%v] : memref<8xf32>
        memref.store %a, %T[%v] : memref<8xf32>
      }
    }
    cf.br ^next
  ^next:
    loop.for serial %i in 8 {
      loop.block "R" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
        %t = memref.load %T[%v] : memref<8xf32>
        memref.store %t, %C[%v] : memref<8xf32>
      }
    }
    return
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    // expected-note @+1 {{in this step of the script}}
    transform.sched.compute_inline "P" in %m
    transform.yield
  }
}
