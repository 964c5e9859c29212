// RUN: lw-opt %s --split-input-file --inline-fusion-groups | FileCheck %s

// The nests of a group stand where it was called, with names that are unique in the function. Buffers of the group are buffers of
// the function. Other functions are not inlined.
// CHECK-NOT: graph.group
// CHECK-LABEL: func.func private @other(
// CHECK-LABEL: func.func @main(
// CHECK: %[[t:.*]] = loop.buffer "T" scope(global)
// CHECK: %[[first:.*]] = loop.buffer "own" scope(local)
// CHECK: loop.block "double" {{.*}}
// CHECK-NEXT: reads(%arg0[{{.*}}) writes(%[[first]][
// CHECK: loop.block "copy" {{.*}}
// CHECK-NEXT: reads(%[[first]][{{.*}}) writes(%[[t]][
// CHECK: %[[second:.*]] = loop.buffer "own_1" scope(local)
// CHECK: loop.block "double_1"
// CHECK-NEXT: reads(%[[t]][{{.*}}) writes(%[[second]][
// CHECK: loop.block "copy_1" {{.*}}
// CHECK-NEXT: reads(%[[second]][{{.*}}) writes(%arg1[
// CHECK: call @other(%arg0, %arg1)
// CHECK-NEXT: return
func.func private @group(%x: memref<4xf32> {loop.name = "x"}, %y: memref<4xf32> {loop.name = "y", loop.result}) attributes {graph.group} {
  %own = loop.buffer "own" scope(local) : memref<1xf32>
  loop.for parallel %i in 4 {
    loop.block "double" [%v: spatial 4] = (%i) reads(%x[%v : 1]) writes(%own[0 : 1]) {
      %c0 = arith.constant 0 : index
      %a = memref.load %x[%v] : memref<4xf32>
      %b = arith.addf %a, %a : f32
      memref.store %b, %own[%c0] : memref<1xf32>
    }
    loop.block "copy" [%v: spatial 4] = (%i) reads(%own[0 : 1]) writes(%y[%v : 1]) {
      %c0 = arith.constant 0 : index
      %a = memref.load %own[%c0] : memref<1xf32>
      memref.store %a, %y[%v] : memref<4xf32>
    }
  }
  return
}
func.func private @other(%x: memref<4xf32> {loop.name = "x"}, %y: memref<4xf32> {loop.name = "y", loop.result}) {
  loop.for parallel %i in 4 {
    loop.block "y" [%v: spatial 4] = (%i) reads(%x[%v : 1]) writes(%y[%v : 1]) {
      %a = memref.load %x[%v] : memref<4xf32>
      memref.store %a, %y[%v] : memref<4xf32>
    }
  }
  return
}
func.func @main(%A: memref<4xf32> {loop.name = "A"}, %B: memref<4xf32> {loop.name = "B", loop.result}) {
  %T = loop.buffer "T" scope(global) : memref<4xf32>
  func.call @group(%A, %T) : (memref<4xf32>, memref<4xf32>) -> ()
  func.call @group(%T, %B) : (memref<4xf32>, memref<4xf32>) -> ()
  func.call @other(%A, %B) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}

// -----

// Not inlined: a function without a body, one that is public, one that returns something, one that calls.
// CHECK-LABEL: func.func @not_inlined(
// CHECK-NEXT: call @declared(%arg0)
// CHECK-NEXT: call @public(%arg0)
// CHECK-NEXT: call @returning(%arg0)
// CHECK-NEXT: call @calling(%arg0)
func.func private @declared(memref<4xf32>) attributes {graph.group}
func.func @public(%x: memref<4xf32>) attributes {graph.group} { return }
func.func private @returning(%x: memref<4xf32>) -> f32 attributes {graph.group} {
  %zero = arith.constant 0.0 : f32
  return %zero : f32
}
func.func private @calling(%x: memref<4xf32>) attributes {graph.group} {
  func.call @calling(%x) : (memref<4xf32>) -> ()
  return
}
func.func @not_inlined(%A: memref<4xf32>) {
  func.call @declared(%A) : (memref<4xf32>) -> ()
  func.call @public(%A) : (memref<4xf32>) -> ()
  %r = func.call @returning(%A) : (memref<4xf32>) -> f32
  func.call @calling(%A) : (memref<4xf32>) -> ()
  return
}

// -----

// A call in a schedule block stays there.
// CHECK-LABEL: func.func @call_in_a_block(
// CHECK-NEXT:    loop.for serial %i in 4
// CHECK-NEXT:      loop.block "x"
// CHECK:             call @number(%{{.+}}) {no_inline} : (index) -> f32
func.func private @number(%i: index) -> f32 {
  %n = arith.index_cast %i : index to i32
  %x = arith.sitofp %n : i32 to f32
  return %x : f32
}
func.func private @group(%x: memref<4xf32>) attributes {graph.group} {
  loop.for serial %i in 4 {
    loop.block "x" [%v: spatial 4] = (%i) writes(%x[%v : 1]) {
      %r = func.call @number(%v) {no_inline} : (index) -> f32
      memref.store %r, %x[%v] : memref<4xf32>
    }
  }
  return
}
func.func @call_in_a_block(%A: memref<4xf32>) {
  func.call @group(%A) : (memref<4xf32>) -> ()
  return
}

// -----

// A prefetch names its buffer by the position among those that the loop reads, because the name may change.
// CHECK-LABEL: func.func @ahead(
// CHECK: loop.for serial %i in 4 attributes {loop.annotations = {pragma = 1 : i64, prefetch_read.1 = 2 : i64}}
func.func private @sum(%x: memref<4xf32> {loop.name = "x"}, %y: memref<4xf32> {loop.name = "y"}, %z: memref<4xf32> {loop.name = "z", loop.result}) attributes {graph.group} {
  loop.for serial %i in 4 attributes {loop.annotations = {pragma = 1, prefetch.y = 2}} {
    loop.block "z" [%v: spatial 4] = (%i) reads(%x[%v : 1], %y[%v : 1]) writes(%z[%v : 1]) {
      %a = memref.load %x[%v] : memref<4xf32>
      %b = memref.load %y[%v] : memref<4xf32>
      %c = arith.addf %a, %b : f32
      memref.store %c, %z[%v] : memref<4xf32>
    }
  }
  return
}
func.func @ahead(%p: memref<4xf32> {loop.name = "y"}, %q: memref<4xf32> {loop.name = "q"}, %r: memref<4xf32> {loop.name = "r", loop.result}) {
  call @sum(%p, %q, %r) : (memref<4xf32>, memref<4xf32>, memref<4xf32>) -> ()
  return
}
