// RUN: lw-opt %s --transform-interpreter --sched-print-trace=script | FileCheck %s
// User-defined schedules: values replace names, numbers and words, calls may be nested, and the trace records the
// steps.

func.func @main(%A: memref<12x20xf32>, %B: memref<12x20xf32>) {
  loop.for serial %i in 12 {
    loop.for serial %j in 20 {
      loop.block "B" [%v: spatial 12, %w: spatial 20] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<12x20xf32>
        memref.store %a, %B[%v, %w] : memref<12x20xf32>
      }
    }
  }
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @cut(%f: !transform.any_op {transform.readonly}) attributes {
      loop.parameters = {where, by = 4 : i64, tail = "guard"}, loop.requires = ["$where is serial", "$where is constant"],
      loop.ensures = ["$where.0 is serial"]} {
    transform.sched.split "$where" in %f factors "-1, $by" tail "$tail"
    transform.yield
  }
  transform.named_sequence @tiles(%f: !transform.any_op {transform.readonly}) attributes {
      loop.parameters = {block, lanes = 8 : i64},
      loop.requires = ["$block is in loops i, j", "$block is spatial", "$block:i is multiple of 4", "$block is alone"],
      loop.ensures = ["$block is in loops i.0, j.0, i.1, j.1.0, j.1.1"]} {
    transform.sched.call @cut in %f with {where = "$block:i"}
    transform.sched.call @cut in %f with {where = "$block:j", by = 10, tail = "peel"}
    transform.sched.reorder ["$block:i.0", "$block:j.0", "$block:i.1", "$block:j.1"] in %f
    transform.sched.vectorize "$block:j.1" in %f factor "$lanes"
    transform.yield
  }
  // CHECK:      transform.sched.split "B:i" in %f factors [-1, 4] tail "guard"
  // CHECK-NEXT: transform.sched.split "B:j" in %f factors [-1, 10] tail "peel"
  // CHECK-NEXT: transform.sched.reorder ["B:i.0", "B:j.0", "B:i.1", "B:j.1"] in %f
  // CHECK-NEXT: transform.sched.vectorize "B:j.1" in %f factor 5
  // CHECK-NEXT: transform.yield
  transform.named_sequence @__transform_main(%module: !transform.any_op) {
    transform.sched.call @tiles in %module with {block = "B", lanes = 5}
    transform.yield
  }
}
