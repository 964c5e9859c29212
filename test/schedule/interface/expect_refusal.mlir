// What --sched-expect-refusal reports: each refusal, and tests that are wrong themselves.
// RUN: not lw-opt %s --sched-expect-refusal 2>&1 | FileCheck %s

// Each step of an array is applied to the function by itself.
// CHECK: [[#@LINE+3]]:30: error: 'loop.block' op unroll: there is no loop "k" around schedule block "B"
// CHECK: [[#@LINE+2]]:3: error: 'loop.for' op split: factors multiply to 15, extent is 30 (C4)
func.func @each() attributes {refused = ["unroll 'B:k' in %f", "split 'B:i' in %f factors [3, 5]"]} {
  loop.for serial %i in 30 { loop.block "B" [%v: spatial 30] = (%i) {} }
  return
}

// CHECK: [[#@LINE+1]]:1: error: 'func.func' op accepts a step, expected a refusal: "unroll 'B:i' in %f"
func.func @accepted() attributes {refused = "unroll 'B:i' in %f"} {
  loop.for serial %i in 30 { loop.block "B" [%v: spatial 30] = (%i) {} }
  return
}

// CHECK: [[#@LINE+1]]:1: error: 'func.func' op has a refused step that is no string: 3
func.func @number() attributes {refused = 3} {
  return
}

// CHECK: refused:4:1: error: custom op 'transform.sched.unrol' is unknown
// CHECK: [[#@LINE+1]]:1: error: 'func.func' op has a refused step that does not parse: "unrol 'B:i' in %f"
func.func @misspelt() attributes {refused = "unrol 'B:i' in %f"} {
  loop.for serial %i in 30 { loop.block "B" [%v: spatial 30] = (%i) {} }
  return
}

// CHECK: refused:4:1: error: 'transform.sched.unroll' op has no loop, so its handle determines the target
// CHECK: [[#@LINE+1]]:1: error: 'func.func' op has a refused step that is no step of a trace: "unroll %f"
func.func @handle() attributes {refused = "unroll %f"} {
  loop.for serial %i in 30 { loop.block "B" [%v: spatial 30] = (%i) {} }
  return
}
