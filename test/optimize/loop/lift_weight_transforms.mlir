// RUN: lw-opt %s --lift-weight-transforms --split-input-file --verify-diagnostics | FileCheck %s

// What is computed from weights alone is computed by the function of transforms. A buffer between two of its nests is its
// own.

// CHECK-LABEL: func.func @loop.transform_weights() attributes {loop.transforms_weights}
// CHECK-NEXT: %[[root:.*]] = memref.get_global @root
// CHECK-NEXT: %[[square:.*]] = loop.buffer "square" scope(global) : memref<4xf32>
// CHECK-NEXT: %[[w:.*]] = memref.get_global @w
// CHECK: loop.block "square"
// CHECK-NEXT: reads(%[[w]][{{.*}}) writes(%[[square]][
// CHECK: loop.block "root"
// CHECK-NEXT: reads(%[[square]][{{.*}}) writes(%[[root]][
// CHECK: return
// CHECK: memref.global "private" @root : memref<4xf32> = uninitialized {loop.transformed_weight}
// CHECK-LABEL: func.func @chain(
// CHECK: %[[root:.*]] = memref.get_global @root : memref<4xf32> {loop.transforms_are_lifted}
// CHECK-NOT: loop.buffer
// CHECK-NOT: loop.block "square"
// CHECK: loop.block "use"
// CHECK-NEXT: reads({{.*}}, %[[root]][
memref.global "private" constant @w : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>
func.func @chain(%A: memref<4xf32>, %B: memref<4xf32> {loop.result}) {
  %w = memref.get_global @w : memref<4xf32>
  %square = loop.buffer "square" scope(global) : memref<4xf32>
  %root = loop.buffer "root" scope(global) : memref<4xf32>
  loop.for serial %i in 4 {
    loop.block "square" [%v: spatial 4] = (%i) reads(%w[%v : 1]) writes(%square[%v : 1]) {
      %x = memref.load %w[%v] : memref<4xf32>
      %y = arith.mulf %x, %x : f32
      memref.store %y, %square[%v] : memref<4xf32>
    }
  }
  loop.for serial %i in 4 {
    loop.block "root" [%v: spatial 4] = (%i) reads(%square[%v : 1]) writes(%root[%v : 1]) {
      %x = memref.load %square[%v] : memref<4xf32>
      %y = math.sqrt %x : f32
      memref.store %y, %root[%v] : memref<4xf32>
    }
  }
  loop.for serial %i in 4 {
    loop.block "use" [%v: spatial 4] = (%i) reads(%A[%v : 1], %root[%v : 1]) writes(%B[%v : 1]) {
      %x = memref.load %A[%v] : memref<4xf32>
      %y = memref.load %root[%v] : memref<4xf32>
      %z = arith.mulf %x, %y : f32
      memref.store %z, %B[%v] : memref<4xf32>
    }
  }
  return
}

// -----

// What was lifted before is a weight. If only the transforms use it, it is a buffer of theirs. Names in their function are
// unique.

// CHECK-NOT: @turned
// CHECK-LABEL: func.func @loop.transform_weights()
// CHECK-DAG: loop.buffer "turned" scope(global) : memref<2x3xf32>
// CHECK-DAG: memref.get_global @panels
// CHECK: loop.block "copy"
// CHECK: loop.block "copy_1"
// CHECK: return
// CHECK-LABEL: func.func @again(
// CHECK: memref.get_global @panels
// CHECK-NOT: @turned
memref.global "private" constant @w : memref<3x2xf32> = dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]>
memref.global "private" @turned : memref<2x3xf32> = uninitialized {loop.transformed_weight}
func.func @loop.transform_weights() attributes {loop.transforms_weights} {
  %w = memref.get_global @w : memref<3x2xf32>
  %t = memref.get_global @turned : memref<2x3xf32>
  loop.for serial %i in 2 {
    loop.for serial %j in 3 {
      loop.block "copy" [%v: spatial 2, %u: spatial 3] = (%i, %j) reads(%w[%u : 1, %v : 1]) writes(%t[%v : 1, %u : 1]) {
        %x = memref.load %w[%u, %v] : memref<3x2xf32>
        memref.store %x, %t[%v, %u] : memref<2x3xf32>
      }
    }
  }
  return
}
func.func @again(%A: memref<2x3xf32>, %B: memref<2x3xf32> {loop.result}) {
  %t = memref.get_global @turned : memref<2x3xf32>
  %panels = loop.buffer "panels" scope(global) : memref<3x2xf32>
  loop.for parallel %i in 3 {
    loop.for vectorize %j in 2 {
      loop.block "copy" [%v: spatial 3, %u: spatial 2] = (%i, %j) reads(%t[%u : 1, %v : 1]) writes(%panels[%v : 1, %u : 1]) {
        %x = memref.load %t[%u, %v] : memref<2x3xf32>
        memref.store %x, %panels[%v, %u] : memref<3x2xf32>
      }
    }
  }
  loop.for serial %i in 2 {
    loop.for serial %j in 3 {
      loop.block "use" [%v: spatial 2, %u: spatial 3] = (%i, %j) reads(%A[%v : 1, %u : 1], %panels[%u : 1, %v : 1]) writes(%B[%v : 1, %u : 1]) {
        %x = memref.load %A[%v, %u] : memref<2x3xf32>
        %y = memref.load %panels[%u, %v] : memref<3x2xf32>
        %z = arith.mulf %x, %y : f32
        memref.store %z, %B[%v, %u] : memref<2x3xf32>
      }
    }
  }
  return
}

// -----

// (C2) "sum" reads an argument. (C4) "wide" has 16 times the bytes of the weight, and nothing lifted reads it.

// CHECK-NOT: @loop.transform_weights
// CHECK-LABEL: func.func @stays(
// CHECK: loop.block "wide"
// CHECK: loop.block "sum"
memref.global "private" constant @w : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>
func.func @stays(%A: memref<16x4xf32>, %B: memref<16x4xf32> {loop.result}) {
  %w = memref.get_global @w : memref<4xf32>
  %wide = loop.buffer "wide" scope(global) : memref<16x4xf32>
  loop.for serial %i in 16 {
    loop.for serial %j in 4 {
      loop.block "wide" [%v: spatial 16, %u: spatial 4] = (%i, %j) reads(%w[%u : 1]) writes(%wide[%v : 1, %u : 1]) {
        %x = memref.load %w[%u] : memref<4xf32>
        memref.store %x, %wide[%v, %u] : memref<16x4xf32>
      }
    }
  }
  loop.for serial %i in 16 {
    loop.for serial %j in 4 {
      loop.block "sum" [%v: spatial 16, %u: spatial 4] = (%i, %j) reads(%A[%v : 1, %u : 1], %wide[%v : 1, %u : 1]) writes(%B[%v : 1, %u : 1]) {
        %x = memref.load %A[%v, %u] : memref<16x4xf32>
        %y = memref.load %wide[%v, %u] : memref<16x4xf32>
        %z = arith.addf %x, %y : f32
        memref.store %z, %B[%v, %u] : memref<16x4xf32>
      }
    }
  }
  return
}

// -----

// (C3) "one" is read before "two" overwrites it. (C1) "three" is a call's argument.

// CHECK-NOT: @loop.transform_weights
// CHECK-LABEL: func.func @overwritten(
// CHECK: loop.block "one"
// CHECK: loop.block "two"
// CHECK: loop.block "three"
memref.global "private" constant @w : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>
func.func private @f(memref<4xf32>)
func.func @overwritten(%B: memref<2x4xf32> {loop.result}) {
  %w = memref.get_global @w : memref<4xf32>
  %t = loop.buffer "t" scope(global) : memref<4xf32>
  %u = loop.buffer "u" scope(global) : memref<4xf32>
  loop.for serial %i in 4 {
    loop.block "one" [%v: spatial 4] = (%i) reads(%w[%v : 1]) writes(%t[%v : 1]) {
      %x = memref.load %w[%v] : memref<4xf32>
      memref.store %x, %t[%v] : memref<4xf32>
    }
  }
  loop.for serial %i in 4 {
    loop.block "read_one" [%v: spatial 4] = (%i) reads(%t[%v : 1]) writes(%B[0 : 1, %v : 1]) {
      %c0 = arith.constant 0 : index
      %x = memref.load %t[%v] : memref<4xf32>
      memref.store %x, %B[%c0, %v] : memref<2x4xf32>
    }
  }
  loop.for serial %i in 4 {
    loop.block "two" [%v: spatial 4] = (%i) reads(%w[%v : 1]) writes(%t[%v : 1]) {
      %x = memref.load %w[%v] : memref<4xf32>
      %y = arith.addf %x, %x : f32
      memref.store %y, %t[%v] : memref<4xf32>
    }
  }
  loop.for serial %i in 4 {
    loop.block "read_two" [%v: spatial 4] = (%i) reads(%t[%v : 1]) writes(%B[1 : 1, %v : 1]) {
      %c1 = arith.constant 1 : index
      %x = memref.load %t[%v] : memref<4xf32>
      memref.store %x, %B[%c1, %v] : memref<2x4xf32>
    }
  }
  loop.for serial %i in 4 {
    loop.block "three" [%v: spatial 4] = (%i) reads(%w[%v : 1]) writes(%u[%v : 1]) {
      %x = memref.load %w[%v] : memref<4xf32>
      memref.store %x, %u[%v] : memref<4xf32>
    }
  }
  func.call @f(%u) : (memref<4xf32>) -> ()
  return
}

// -----

// (C5) The transforms have one floating-point contract: that of @first.

// CHECK-LABEL: func.func @loop.transform_weights()
// CHECK-SAME: loop.fp = "reassoc"
// CHECK: loop.block "a"
// CHECK-NOT: loop.block
// CHECK: return
// CHECK-LABEL: func.func @second(
// CHECK: loop.block "b"
memref.global "private" constant @w : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>
func.func @first(%B: memref<4xf32> {loop.result}) attributes {loop.fp = "reassoc"} {
  %w = memref.get_global @w : memref<4xf32>
  %t = loop.buffer "t" scope(global) : memref<4xf32>
  loop.for serial %i in 4 {
    loop.block "a" [%v: spatial 4] = (%i) reads(%w[%v : 1]) writes(%t[%v : 1]) {
      %x = memref.load %w[%v] : memref<4xf32>
      %y = arith.addf %x, %x : f32
      memref.store %y, %t[%v] : memref<4xf32>
    }
  }
  loop.for serial %i in 4 {
    loop.block "copy" [%v: spatial 4] = (%i) reads(%t[%v : 1]) writes(%B[%v : 1]) {
      %x = memref.load %t[%v] : memref<4xf32>
      memref.store %x, %B[%v] : memref<4xf32>
    }
  }
  return
}
func.func @second(%B: memref<4xf32> {loop.result}) {
  %w = memref.get_global @w : memref<4xf32>
  %t = loop.buffer "t" scope(global) : memref<4xf32>
  loop.for serial %i in 4 {
    loop.block "b" [%v: spatial 4] = (%i) reads(%w[%v : 1]) writes(%t[%v : 1]) {
      %x = memref.load %w[%v] : memref<4xf32>
      %y = arith.addf %x, %x : f32
      memref.store %y, %t[%v] : memref<4xf32>
    }
  }
  loop.for serial %i in 4 {
    loop.block "copy" [%v: spatial 4] = (%i) reads(%t[%v : 1]) writes(%B[%v : 1]) {
      %x = memref.load %t[%v] : memref<4xf32>
      memref.store %x, %B[%v] : memref<4xf32>
    }
  }
  return
}

// -----

// expected-error @below {{has the name of the function that transforms weights, expected another name than loop.transform_weights}}
func.func @loop.transform_weights() {
  return
}

// -----

// A fusion group reads its arguments and writes its results only, so what it reads can be lifted. An argument that is a weight in
// each call is marked; one that is a weight in one call only is not.

// CHECK-LABEL: func.func private @group(
// CHECK-SAME: %arg0: memref<4xf32>, %arg1: memref<4xf32> {loop.transforms_are_lifted}, %arg2: memref<4xf32>, %arg3: memref<4xf32> {loop.result})
// CHECK-LABEL: func.func @loop.transform_weights()
// CHECK: loop.block "twice"
// CHECK-LABEL: func.func @calls(
// CHECK: %[[t:.*]] = memref.get_global @t
// CHECK-NOT: loop.block
// CHECK: call @group(%arg0, %[[t]], %arg0, %arg1)
memref.global "private" constant @w : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>
func.func private @group(%x: memref<4xf32>, %w: memref<4xf32>, %y: memref<4xf32>, %B: memref<4xf32> {loop.result}) attributes {graph.group} {
  loop.for serial %i in 4 {
    loop.block "sum" [%v: spatial 4] = (%i) reads(%x[%v : 1], %w[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %x[%v] : memref<4xf32>
      %b = memref.load %w[%v] : memref<4xf32>
      %c = arith.addf %a, %b : f32
      memref.store %c, %B[%v] : memref<4xf32>
    }
  }
  return
}
func.func @calls(%A: memref<4xf32>, %B: memref<4xf32> {loop.result}) {
  %w = memref.get_global @w : memref<4xf32>
  %t = loop.buffer "t" scope(global) : memref<4xf32>
  loop.for serial %i in 4 {
    loop.block "twice" [%v: spatial 4] = (%i) reads(%w[%v : 1]) writes(%t[%v : 1]) {
      %x = memref.load %w[%v] : memref<4xf32>
      %y = arith.addf %x, %x : f32
      memref.store %y, %t[%v] : memref<4xf32>
    }
  }
  func.call @group(%A, %t, %A, %B) : (memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>) -> ()
  func.call @group(%A, %w, %w, %B) : (memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>) -> ()
  return
}

// -----

// A nest comes right after the last one that uses one of its buffers, so that two buffers are not needed at the same time.

// CHECK-LABEL: func.func @loop.transform_weights()
// CHECK: loop.block "double"
// CHECK: loop.block "double_root"
// CHECK: loop.block "half"
// CHECK: loop.block "half_root"
// CHECK: return
memref.global "private" constant @w : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>
func.func @order(%A: memref<4xf32>, %B: memref<4xf32> {loop.result}) {
  %w = memref.get_global @w : memref<4xf32>
  %two = arith.constant 2.0 : f32
  %double = loop.buffer "double" scope(global) : memref<4xf32>
  %half = loop.buffer "half" scope(global) : memref<4xf32>
  %double_root = loop.buffer "double_root" scope(global) : memref<4xf32>
  %half_root = loop.buffer "half_root" scope(global) : memref<4xf32>
  loop.for serial %i in 4 {
    loop.block "double" [%v: spatial 4] = (%i) reads(%w[%v : 1]) writes(%double[%v : 1]) {
      %x = memref.load %w[%v] : memref<4xf32>
      %y = arith.mulf %x, %two : f32
      memref.store %y, %double[%v] : memref<4xf32>
    }
  }
  loop.for serial %i in 4 {
    loop.block "half" [%v: spatial 4] = (%i) reads(%w[%v : 1]) writes(%half[%v : 1]) {
      %x = memref.load %w[%v] : memref<4xf32>
      %y = arith.divf %x, %two : f32
      memref.store %y, %half[%v] : memref<4xf32>
    }
  }
  loop.for serial %i in 4 {
    loop.block "double_root" [%v: spatial 4] = (%i) reads(%double[%v : 1]) writes(%double_root[%v : 1]) {
      %x = memref.load %double[%v] : memref<4xf32>
      %y = math.sqrt %x : f32
      memref.store %y, %double_root[%v] : memref<4xf32>
    }
  }
  loop.for serial %i in 4 {
    loop.block "half_root" [%v: spatial 4] = (%i) reads(%half[%v : 1]) writes(%half_root[%v : 1]) {
      %x = memref.load %half[%v] : memref<4xf32>
      %y = math.sqrt %x : f32
      memref.store %y, %half_root[%v] : memref<4xf32>
    }
  }
  loop.for serial %i in 4 {
    loop.block "use" [%v: spatial 4] = (%i) reads(%A[%v : 1], %double_root[%v : 1], %half_root[%v : 1]) writes(%B[%v : 1]) {
      %x = memref.load %A[%v] : memref<4xf32>
      %y = memref.load %double_root[%v] : memref<4xf32>
      %z = memref.load %half_root[%v] : memref<4xf32>
      %s = arith.mulf %x, %y : f32
      %t = arith.mulf %s, %z : f32
      memref.store %t, %B[%v] : memref<4xf32>
    }
  }
  return
}
