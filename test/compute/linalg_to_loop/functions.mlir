// RUN: lw-opt %s --convert-linalg-to-loop -split-input-file | FileCheck %s

// A returned argument and a value that is returned twice are copied.
// CHECK-LABEL: func.func @copies
// CHECK-SAME: %arg1: memref<4xf32> {loop.name = "out0", loop.result}
// CHECK: loop.block "exp" {{.*}}
// CHECK: writes(%arg2[%vi : 1])
// CHECK: loop.block "copy"
// CHECK-NEXT: reads(%arg0[%vi : 1]) writes(%arg1[%vi : 1])
// CHECK: loop.block "copy_1"
// CHECK-NEXT: reads(%arg2[%vi : 1]) writes(%arg3[%vi : 1])
func.func @copies(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %y = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %x, %y, %y : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// Names, visibility and attributes are kept; scalars become memrefs of rank 0, index stays index.
// CHECK-LABEL: func.func private @scalars
// CHECK-SAME: (%arg0: memref<f32>, %arg1: index, %arg2: memref<i8>,
// CHECK-SAME: %arg3: memref<?xf32> {loop.name = "out", loop.result = {from = [array<i64: 1>], shape = affine_map<()[s0] -> (s0)>}})
// CHECK-SAME: attributes {note}
// CHECK: memref.load %arg0[]
func.func private @scalars(%s: f32, %n: index, %b: i1) -> tensor<?xf32> attributes {note} {
  %e = tensor.empty(%n) : tensor<?xf32>
  %f = linalg.generic {indexing_maps = [affine_map<(i) -> ()>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%s : f32) outs(%e : tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.select %b, %a, %s : f32
    linalg.yield %m : f32
  } -> tensor<?xf32>
  return %f : tensor<?xf32>
}

// -----

// Constants become globals, one per value; a splat stays a scalar.
// CHECK: memref.global "private" constant @const_0 : memref<2xf32> = dense<[1.000000e+00, 2.000000e+00]>
// CHECK: memref.global "private" constant @const_1 : memref<2xi8> = dense<[1, 0]>
// CHECK-NOT: memref.global
// CHECK-LABEL: func.func @constants
// CHECK: memref.get_global @const_0
// CHECK: arith.constant 3.0{{.*}} : f32
func.func @constants() -> (tensor<2xf32>, tensor<2xi1>) {
  %c = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %d = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %s = arith.constant dense<3.0> : tensor<2xf32>
  %b = arith.constant dense<[true, false]> : tensor<2xi1>
  %e = tensor.empty() : tensor<2xf32>
  %0 = linalg.add ins(%c, %s : tensor<2xf32>, tensor<2xf32>) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  %1 = linalg.add ins(%0, %d : tensor<2xf32>, tensor<2xf32>) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  return %1, %b : tensor<2xf32>, tensor<2xi1>
}

// -----

// CHECK-LABEL: func.func private @callee
// CHECK-LABEL: func.func @caller
// CHECK: %[[R:.*]] = loop.buffer "call" scope(global) (%{{.*}}) : memref<?xf32>
// CHECK: call @callee(%arg0, %[[R]]) : (memref<?xf32>, memref<?xf32>) -> ()
// CHECK: loop.block "exp"
func.func private @callee(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %y = linalg.exp ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}
func.func @caller(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %y = call @callee(%x) : (tensor<?xf32>) -> tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %z = linalg.exp ins(%y : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %z : tensor<?xf32>
}

// -----

// On memrefs an op works in place: a reduction continues from the existing values.
// CHECK-LABEL: func.func @memrefs
// CHECK: %alloc = loop.buffer "alloc" scope(global) : memref<4xf32>
// CHECK: loop.block "exp"
// CHECK: loop.block "reduce_add"
// CHECK-NEXT: reads(%alloc[%vi : 1], %arg1[]) writes(%arg1[])
// CHECK-NEXT: reducer(add
// CHECK-NOT: loop.init
func.func @memrefs(%x: memref<4xf32>, %s: memref<f32>) {
  %t = memref.alloc() : memref<4xf32>
  linalg.exp ins(%x : memref<4xf32>) outs(%t : memref<4xf32>)
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]} ins(%t : memref<4xf32>) outs(%s : memref<f32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.addf %o, %a : f32
    linalg.yield %m : f32
  }
  memref.dealloc %t : memref<4xf32>
  return
}

// -----

// The members of a fusion group become blocks too.
// CHECK-LABEL: func.func @group
// CHECK: loop.block "exp"
// CHECK: loop.block "negf"
// CHECK-NEXT: reads(%exp[%vi : 1]) writes(%arg1[%vi : 1])
func.func @group(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = graph.fusion -> tensor<4xf32> {
    %e = tensor.empty() : tensor<4xf32>
    %a = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %b = linalg.negf ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %0 = graph.yield_store %b : tensor<4xf32>
    graph.yield %0 : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

// Sizes may be computed as i64, which has as many bits as index.
// CHECK: func.func @size_as_i64(%{{.*}}: memref<?xf32>, %{{.*}}: memref<?xf32> {loop.name = "out", loop.result = {from = [array<i64: 0, 0>], shape = #{{.*}}}})
func.func @size_as_i64(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : i64
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %i = arith.index_cast %n : index to i64
  %k = arith.addi %i, %c2 : i64
  %m = arith.index_cast %k : i64 to index
  %one = arith.constant 1.0 : f32
  %e = tensor.empty(%m) : tensor<?xf32>
  %f = linalg.fill ins(%one : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %f : tensor<?xf32>
}

// -----

// A size of an argument is passed to a function as itself, although a condition states that it is a product of others: nests that are
// inlined into this function use it as a size.
// CHECK-LABEL: func.func @solved(
// CHECK: %[[N:.*]] = memref.dim %arg0, %c0
// CHECK: call @callee(%[[N]], %arg0, %arg2)
func.func private @callee(%n: index, %x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %e = tensor.empty(%n) : tensor<?x4xf32>
  %y = linalg.exp ins(%x : tensor<?x4xf32>) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}
func.func @solved(%a: tensor<?x4xf32>, %b: tensor<?x?x4xf32>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?x4xf32>
  %i = tensor.dim %b, %c0 : tensor<?x?x4xf32>
  %j = tensor.dim %b, %c1 : tensor<?x?x4xf32>
  %ij = arith.muli %i, %j : index
  %equal = arith.cmpi eq, %n, %ij : index
  cf.assert %equal, "the rows of a are those of b"
  %r = func.call @callee(%n, %a) : (index, tensor<?x4xf32>) -> tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}
